/* linear_condense.h - static condensation: unknowns that rows of their own give are taken out of A x = b before it is
 * factored.
 *
 * Pair k is a row i_k and an unknown e_k that no other pair's row holds, as v in the rows p' = v. With d_k = A(i_k,
 * e_k):
 *
 *     A*(i, j) = A(i, j) - sum_k A(i, e_k) A(i_k, j)/d_k,    x(e_k) = (b(i_k) - sum_j A(i_k, j) x_j)/d_k */
#ifndef RSD_LINEAR_CONDENSE_H
#define RSD_LINEAR_CONDENSE_H

#include "csr.h"

/** Which rows give which unknowns. */
typedef struct rsd_pairs {
    int n;                   /**< 0: none */
    const int *row, *column; /**< [n] */
} rsd_pairs;

typedef struct rsd_condensed rsd_condensed;

/** @param[in] A  the pattern by columns, that is, A' by rows; borrowed
 *  @param[out] reduced  pattern of A*, in the same form, owned by the caller
 *  @return RESIDA_OK; RESIDA_ERR_MODEL (a pair's row has no entry of its unknown), RESIDA_ERR_MEMORY */
resida_status rsd_condense_create(rsd_condensed **c, const rsd_csr *A, const rsd_pairs *pairs, rsd_csr *reduced,
                                  const resida_allocator *alloc, resida_message *why);
void rsd_condense_free(rsd_condensed *c, const resida_allocator *alloc);

/** Values of A* [nnz of reduced] from those of A, which are kept.
 *  @return 0; k > 0: column k - 1 of A is one of a pair whose d is zero, or whose rows hold unknowns of other pairs */
int rsd_condense_values(rsd_condensed *c, const double *values, double *reduced);

/** The right side [n_kept] of the reduced system. */
void rsd_condense_reduce(rsd_condensed *c, const double *b, double *reduced);

/** x [n] from the solution of the system reduced last. */
void rsd_condense_expand(rsd_condensed *c, const double *reduced, double *x);

/** Rows and columns of A that are left, in their order. */
const int *rsd_condense_rows(const rsd_condensed *c);
const int *rsd_condense_columns(const rsd_condensed *c);

#endif
