/* rank.h - which rows of a constraint matrix depend on others. */
#ifndef RSD_RANK_H
#define RSD_RANK_H

#include "base/memory.h"
#include "base/message.h"

typedef struct rsd_rank {
    int n_l, n_v;
    int rank;
    int *perm; /* [n_l] rows, the independent ones first */
    int n_redundant;
    int *redundant; /* [n_l] the dependent rows, rising */
    double *Q;      /* [n_v x n_l] factor, column by column: R in its upper triangle; NULL: not reserved */
    double *scale;  /* [n_l] norms of the rows, or `least` */
    double *least;  /* [n_l] what rows are divided by at least: less than `tolerance` of it is rounding; 0 at first */
    double *c;      /* [n_l] */
} rsd_rank;

/* Life: create, then any number of starts with find, which needs what reserve has made (and shrink gives back), or with
 * set_full. */

resida_status rsd_rank_create(rsd_rank *r, int n_l, int n_v, const resida_allocator *alloc, resida_message *why);
void rsd_rank_free(rsd_rank *r, const resida_allocator *alloc);

/** Q, n_l n_v numbers, if it is not there; give it back. */
resida_status rsd_rank_reserve(rsd_rank *r, const resida_allocator *alloc, resida_message *why);
void rsd_rank_shrink(rsd_rank *r, const resida_allocator *alloc);

/** n_rows rows are independent, and there are no others, as is known otherwise. */
void rsd_rank_set_full(rsd_rank *r, int n_rows);

/** Rank of A [n_l x n_v], row by row: a row is redundant when less than `tolerance` of it is new. A may be Q.
 *  O(n_l^2 n_v) operations. */
void rsd_rank_find(rsd_rank *r, const double *A, double tolerance);

/** perm alone, the most independent rows of A [n_l x n_v] first. 1: `rank` of them are independent to rounding. */
int rsd_rank_order(rsd_rank *r, const double *A, int rank);

/** How redundant row i [0 .. n_redundant) follows from the others: c [rank], row = sum c[k] row perm[k]. */
const double *rsd_rank_combination(rsd_rank *r, int i);

/** After order: x [n_l] with A'x = 0, in which row perm[rank + i] has 1. */
void rsd_rank_null(rsd_rank *r, int i, double *x);

#endif
