/* sparsity.h - a sparsity pattern Omega, an estimate of Sigma(J) = {(i, r): j_ir != 0}. It is stored by columns and by
 * rows: columns are differenced, and rows determine which columns may share a call.
 *
 * Functions that create a pattern set all members of *s. After a failure *s is empty and need not be freed. */
#ifndef RSD_SPARSITY_H
#define RSD_SPARSITY_H

#include "base/linear/csr.h"

typedef struct rsd_sparsity {
    int rows, cols, nnz; /* number of rows, columns, entries */
    int *col_start;      /* [cols + 1] start of each column in `row` */
    int *row;            /* [nnz] row of each entry, by columns, ascending within a column */
    int *row_start;      /* [rows + 1] start of each row in `col` */
    int *col;            /* [nnz] column of each entry, by rows, ascending within a row */
    int *csr_to_csc;     /* [nnz] index in `row` of each entry of `col` */
} rsd_sparsity;

/** Copy a pattern given by columns.
 *  @param[in] col_start  [cols + 1] from 0, not decreasing
 *  @param[in] row        [col_start[cols]] in 0..rows-1, ascending within a column
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY. Cost: O(rows + cols + nnz). */
resida_status rsd_sparsity_from_csc(rsd_sparsity *s, int rows, int cols, const int *col_start, const int *row,
                                    const resida_allocator *alloc, resida_message *why);

/** Copy the pattern of a matrix A. @return RESIDA_OK; RESIDA_ERR_MEMORY. Cost: O(rows + cols + nnz). */
resida_status rsd_sparsity_from_csr(rsd_sparsity *s, const rsd_csr *A, const resida_allocator *alloc,
                                    resida_message *why);

/** Build the pattern of the entries (i[k], j[k]), which may be in any order and repeated.
 *  @param[in] i, j  [n] row in 0..rows-1 and column in 0..cols-1; NULL for n == 0
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY (also for n > INT_MAX). Cost: O(rows + cols + n). */
resida_status rsd_sparsity_from_pairs(rsd_sparsity *s, int rows, int cols, long n, const int *i, const int *j,
                                      const resida_allocator *alloc, resida_message *why);

/** Free the arrays of a pattern, each of which may be NULL, and make the pattern empty. */
void rsd_sparsity_free(rsd_sparsity *s, const resida_allocator *alloc);

/** Return the position of entry (row, col) in the order by columns, or -1 without it. Cost: O(log column length). */
int rsd_sparsity_find(const rsd_sparsity *s, int row, int col);

#endif
