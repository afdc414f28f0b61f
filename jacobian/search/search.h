/* search.h - searches for the pattern of J. The pattern is given, or estimated before the first evaluation, or learnt
 * from the first evaluations of dF/dy. Later the pattern is checked, and new entries are added. */
#ifndef RSD_SEARCH_H
#define RSD_SEARCH_H

#include "jacobian/differences/differences.h"
#include "jacobian/parts/request.h"
#include "jacobian/pattern/entries.h"

#include <stdint.h>

/** How a walk over the columns of dF/dy or dF/dyp (differences.h) lists their entries. */
typedef struct rsd_walk_mode {
    int is_scattered; /* 1: bisection was too expensive or incomplete; columns are differenced one by one */
    int by_groups;    /* 1: the last evaluation used groups found by bisection */
} rsd_walk_mode;

typedef struct rsd_search {
    int is_given;         /* 1: the system gives the pattern of the formalism part */
    int learning;         /* 1: the pattern is being learnt; evaluations list new entries */
    int learnt;           /* number of evaluations of dF/dy that learn the pattern */
    long checked_from;    /* number of the evaluation by groups that checks a given pattern */
    int empty_searches;   /* number of consecutive searches without new entries */
    int unchecked;        /* number of evaluations that must pass before the next search for entries */
    int false_alarm;      /* 1: the search after the last failed check found no new entry; later checks are delayed */
    rsd_walk_mode mode_A; /* how entries of dF/dy are listed */
    rsd_walk_mode mode_B; /* how entries of dF/dyp are listed */
    rsd_entries seen, seen_B; /* last listed entries of dF/dy; of dF/dyp */
} rsd_search;

/** Reset the record of searches for entries. The pattern is kept. */
void rsd_search_reset(rsd_search *s);

/** Set the given patterns of J, or estimate them near the point. A strategy that learns begins with an empty part F_a.
 *  @return 0 on success; RESIDA_ERR_MEMORY; the result of F if it is not 0 */
int rsd_search_set_first_pattern(rsd_search *s, rsd_differences *d, rsd_parts *p, const resida_jacobian_point *at);

/** Return 1 if the current evaluation of dF/dy must search for entries outside the pattern. */
int rsd_search_is_wanted(const rsd_search *s, const rsd_frame *f, const rsd_check_reasons *why);

/** Return 1 if the current evaluation must end with a check of the pattern. Count the evaluations without a check. */
int rsd_search_is_check_due(rsd_search *s, long evaluations, const rsd_check_reasons *why);

/** Record the end of an evaluation that learns the pattern. grows 1: the evaluation found new entries. */
void rsd_search_record_learning(rsd_search *s, int grows, int groups_are_cheaper);

/** Record whether a search outside the pattern found new entries (has_grown). by_check is 1 if a failed check caused
 *  the search. */
void rsd_search_record_new_entries(rsd_search *s, int has_grown, int by_check);

/** Evaluate the marked columns [n] of A, and list their entries. with_B: also list the open entries of B, in s->seen_B.
 *  *grows is set to 1 if new entries were added to the pattern; if with_B is 0, B must then be evaluated again.
 *  Cost: one call for each column, and one for each column that is open in dF/dyp; if bisection is cheaper, the calls
 *  of the bisection and of its groups. */
int rsd_search_columns(rsd_search *s, rsd_differences *d, rsd_parts *p, const resida_jacobian_point *at,
                       const unsigned char *marked, int with_B, int *grows);

/** Set B = dF/dyp to the entries listed in s->seen_B; p->before is overwritten. */
void rsd_search_set_B(const rsd_search *s, const rsd_frame *f, rsd_parts *p);

/** Return the task that differences A or B by columns. A is dF_a/dy, or dF/dy + alpha dF/dyp if combined; B is
 *  dF/dyp. */
rsd_task rsd_task_create_for_A(rsd_differences *d, const resida_jacobian_point *at);
rsd_task rsd_task_create_for_B(rsd_differences *d, const resida_jacobian_point *at);

/** Return the number of columns that the task perturbs. */
int rsd_task_count_columns(const rsd_task *t);

/** Return the rounding error of a change of row i from lo to hi. The rounding of F is included, because F_a at the
 *  point is computed as F - F_c. The rounding error of products is 0. */
double rsd_compute_row_rounding(const rsd_task *t, int i, double hi, double lo);

/** Return 1 if the change of row i from lo to hi exceeds its rounding error, or is NaN. */
int rsd_is_row_changed(const rsd_task *t, int i, double hi, double lo);

/** Evaluate F into d->r with n columns of the task perturbed at once by `side` times d->delta. @return the result of
 *  F */
int rsd_evaluate_F_at_columns(const rsd_task *t, const int *columns, int n, double side);

/** Check the pattern of A by one product with a random direction. *complete is set to 0 if entries are missing.
 *  @param jumped  [n] 1: the row is not compared
 *  @param evaluated  [n] 1: the column of A was evaluated at this point
 *  Cost: 1 residual call; 2 if the first call shows an unexplained row after an evaluation of all columns. */
int rsd_search_check_A(rsd_differences *d, const rsd_parts *p, const unsigned char *jumped,
                       const unsigned char *evaluated, const resida_jacobian_point *at, int *complete);

/** Return a pseudo-random number in -1 .. 1. The sequence is the same in every run. */
double rsd_random(uint64_t *seed);

#endif
