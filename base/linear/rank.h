/* rank.h - finds the rows of a constraint matrix that depend on its other rows. */
#ifndef RSD_RANK_H
#define RSD_RANK_H

#include "base/memory.h"
#include "base/message.h"

typedef struct rsd_rank {
    int n_l, n_v;      /* number of constraints (rows); number of velocities (columns) */
    int rank;          /* number of independent rows of the constraint matrix */
    int *perm;         /* [n_l] permutation of the rows, independent rows first */
    int n_redundant;   /* number of dependent rows */
    int *redundant;    /* [n_l] indices of the dependent rows, ascending */
    double *Q;         /* [n_v x n_l] QR factors by columns, R in the upper triangle; NULL: not allocated */
    double *scale;     /* [n_l] divisor of each row: its norm, or `min_scale` if that is larger */
    double *min_scale; /* [n_l] minimum divisor of each row, initially 0; a row of rounding errors is then dependent */
    double *c;         /* [n_l] coefficients of a linear combination of the independent rows */
} rsd_rank;

/* Call create first, then compute_rank or set_full at each start. compute_rank and sort_rows need Q, which
 * allocate_Q allocates. */

resida_status rsd_rank_create(rsd_rank *r, int n_l, int n_v, const resida_allocator *alloc, resida_message *why);
void rsd_rank_free(rsd_rank *r, const resida_allocator *alloc);

/** Allocate Q, n_l n_v numbers, if it is not allocated. */
resida_status rsd_rank_allocate_Q(rsd_rank *r, const resida_allocator *alloc, resida_message *why);

/** Set the rank to n_rows, the number of rows in use, if they are known to be independent. */
void rsd_rank_set_full(rsd_rank *r, int n_rows);

/** Compute the rank of A [n_l x n_v], stored row by row. A row is redundant if its part orthogonal to the independent
 *  rows is below `tolerance` times its norm. A may be Q. O(n_l^2 n_v) operations. */
void rsd_rank_compute_rank(rsd_rank *r, const double *A, double tolerance);

/** Set perm to an order of the rows of A [n_l x n_v], independent rows first. @return 1 if the first `rank` rows of
 *  this order are independent */
int rsd_rank_sort_rows(rsd_rank *r, const double *A, int rank);

/** Return c [rank] for the dependent row redundant[i]. It is the sum over k of c[k] times row perm[k]. */
const double *rsd_rank_compute_combination(rsd_rank *r, int i);

/** Compute x [n_l] with A'x = 0 and x = 1 for row perm[rank + i], after rsd_rank_sort_rows(). */
void rsd_rank_compute_null_vector(rsd_rank *r, int i, double *x);

#endif
