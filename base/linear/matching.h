/* matching.h - which row goes with which unknown, so that pivots can be on the diagonal. */
#ifndef RSD_MATCHING_H
#define RSD_MATCHING_H

#include "csr.h"

/** Match each column with a row of its own, so that the product of |A(row_of(j), j)| over all columns is nearly the
 *  largest there is, each entry rounded down to a power of two: below it by 2^(1/4) for each column at most. Zero
 *  entries match nothing.
 *  @param[in]  A        n x n, by columns: row: their starts, col: rows of entries
 *  @param[in]  values   [nnz] finite
 *  @param[out] row_of   [n]
 *  @return 1; 0: there is none, A is singular by its pattern, or the search for it takes too long; -1: no memory
 *
 *  A search visits at most 100 nnz entries; 2 to 25 visits to each entry are usual. */
int rsd_matching(const rsd_csr *A, const double *values, int *row_of, const resida_allocator *alloc);

#endif
