/* rank.h - which rows of a constraint matrix depend on others. */
#ifndef RSD_RANK_H
#define RSD_RANK_H

#include "memory.h"
#include "message.h"

typedef struct rsd_rank {
    int n_l, n_v;
    int rank;
    int *perm; /* [n_l] rows, the independent ones first */
    int n_redundant;
    int *redundant; /* [n_l] the dependent rows, rising */
    double *Q;      /* [n_v x n_l] factor, column by column: R in its upper triangle */
    double *scale;  /* [n_l] norms of the rows */
    double *tau, *work, *c;
} rsd_rank;

resida_status rsd_rank_create(rsd_rank *r, int n_l, int n_v, const resida_allocator *alloc, resida_message *why);
void rsd_rank_free(rsd_rank *r, const resida_allocator *alloc);

/** Rank of A [n_l x n_v], row by row: a row is redundant when less than `tolerance` of it is new. */
void rsd_rank_find(rsd_rank *r, const double *A, double tolerance);

/** How redundant row i [0 .. n_redundant) follows from the others: c [rank], row = sum c[k] row perm[k]. */
const double *rsd_rank_combination(rsd_rank *r, int i);

#endif
