/* matching.h - matches each unknown with a row, so that pivots can be on the diagonal. */
#ifndef RSD_MATCHING_H
#define RSD_MATCHING_H

#include "csr.h"

/** Match each column with a row of its own, so that the product of |A(row_of(j), j)| over all columns is nearly the
 *  largest, with each entry rounded down to a power of two. The product is at most 2^(1/4) per column below the
 *  largest. Zero entries are not matched.
 *  @param[in]  A        n x n, by columns: row: their starts, col: rows of entries
 *  @param[in]  values   [nnz] finite
 *  @param[out] row_of   [n]
 *  @return 1; 0 if there is no matching (A is singular by its pattern) or the search takes too long; -1 if there is no
 *          memory
 *
 *  Cost: at most 100 nnz visits to entries; 2 to 25 visits per entry are usual. */
int rsd_match_rows(const rsd_csr *A, const double *values, int *row_of, const resida_allocator *alloc);

#endif
