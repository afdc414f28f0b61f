/* search.h - the search for the pattern of J: it is given, or estimated before anything is differenced, or learnt from
 * the evaluations that are needed anyway; later it is checked, and grows. */
#ifndef RSD_SEARCH_H
#define RSD_SEARCH_H

#include "jacobian/differences/differences.h"
#include "jacobian/parts/plan.h"
#include "jacobian/pattern/entries.h"

#include <stdint.h>

/** How a walk that lists entries goes. */
typedef struct rsd_manner {
    int is_scattered; /* 1: bisection (bisection.h) does not pay, columns are differenced one by one */
    int by_groups;    /* 1: the last walk took groups found by bisection */
} rsd_manner;

typedef struct rsd_search {
    int is_given;             /* the dear pattern is the one given with the system */
    int is_failing;           /* of the trouble of the evaluation under way */
    int learning;             /* evaluations list new entries, column by column or after a bisection */
    int learnt;               /* such evaluations so far */
    long checked_from;        /* coloured evaluations before it was */
    int fruitless;            /* searches in a row that found nothing */
    int unchecked;            /* evaluations with no search after one that found nothing, ... */
    int false_alarm;          /* and no check, if it was a check that asked for it */
    rsd_manner of_A, of_B;    /* of the walks that list entries */
    rsd_entries seen, seen_B; /* by the last walk that listed entries: of dF/dy, of dF/dyp */
} rsd_search;

/** Begin anew, but for the pattern. */
void rsd_search_reset(rsd_search *s);

/** The patterns as they are given, or estimated around the point; of a strategy that learns the dear one begins empty.
 *  The verdict of the functions, or RESIDA_ERR_MEMORY. */
int rsd_search_begin(rsd_search *s, rsd_differences *d, rsd_parts *p, const resida_jacobian_point *at);

/** @name search.c: what is decided, and what came out @{ */
/** 1: this evaluation is to look column by column for entries outside of the pattern. */
int rsd_search_is_wanted(const rsd_search *s, const rsd_frame *f, const rsd_trouble *why);

/** 1: this evaluation ends with a check of the pattern; counts those that do not. */
int rsd_search_is_to_check(rsd_search *s, long evaluations, const rsd_trouble *why);

/** New entries below this part of their row are left aside. */
double rsd_search_least(const rsd_search *s);

/** An evaluation that learns has ended; news: it found new entries. */
void rsd_search_learnt(rsd_search *s, int news, int groups_pay);

/** A search outside of the pattern has ended; by_check: a check had asked for it. */
void rsd_search_ended(rsd_search *s, int news, int by_check);
/** @} */

/** A column by column, the marked ones [n]; with_B: what of B is not known too, into s->seen_B. Entries outside of the
 *  pattern that are not less than this part of their row are added to it: *news 1; without with_B B is then lost.
 *  Cost: one call for each column, and for each one that is open in dF/dyp; where bisection pays, the calls of the
 *  bisection and of its groups. */
int rsd_search_columns(rsd_search *s, rsd_differences *d, rsd_parts *p, const resida_jacobian_point *at,
                       const unsigned char *marked, int with_B, double least, int *news);

/** What was seen of B with it becomes B; p->before is overwritten. */
void rsd_search_take_B(const rsd_search *s, const rsd_frame *f, rsd_parts *p);

/** Check the pattern of A by one product with a random direction. *complete 0: entries are missing.
 *  @param jumped  [n] 1: the row is not compared
 *  @param fresh   [n] 1: the column of A was evaluated at this point
 *  Cost: 1 residual call. */
int rsd_search_check_A(rsd_differences *d, const rsd_parts *p, const unsigned char *jumped, const unsigned char *fresh,
                       const resida_jacobian_point *at, int *complete);

/** Sum the sizes of the terms of each row, |a y| + |b y'|, into d->scale [n]. */
void rsd_search_terms(rsd_differences *d, const rsd_parts *p, const resida_jacobian_point *at);

/** 1: there are so many columns that a search for candidate columns pays. */
int rsd_search_has_many_columns(const rsd_frame *f);

/** Mark the candidate columns [n], in which A, evaluated at the point, can lack entries.
 *  @param ignored   [n] 1: the row is not compared
 *  @param n_marked  candidates; -1: all columns have to be differenced
 *  Cost: 1 call; if it shows entries, some calls per halving, at most a sixteenth of the columns before it pays. */
int rsd_search_candidate_columns(rsd_differences *d, const rsd_parts *p, const resida_jacobian_point *at,
                                 const unsigned char *ignored, unsigned char *marked, int *n_marked);

/** Check the pattern of B (is_new: evaluated at the point). *complete 0: entries are missing. Cost: likewise. */
int rsd_search_check_B(rsd_differences *d, const rsd_parts *p, const resida_jacobian_point *at,
                       const unsigned char *ignored, int is_new, int *complete);

/** -1 .. 1, the same sequence in every run. */
double rsd_random(uint64_t *seed);

#define RSD_NOISE 1e-12 /* of a row: less is rounding */

#endif
