/* sparsity.h - a sparsity pattern Omega, an estimate of Sigma(J) = {(i, r): j_ir != 0}, held by columns and by rows at
 * once: columns are differenced, rows say which columns may share a call.
 *
 * Creators set all of *s; after a failure it is empty and needs no free. */
#ifndef RSD_SPARSITY_H
#define RSD_SPARSITY_H

#include "base/linear/csr.h"

typedef struct rsd_sparsity {
    int rows, cols, nnz;
    int *col_start;  /* [cols + 1] start of each column in row */
    int *row;        /* [nnz] rows, rising within a column */
    int *row_start;  /* [rows + 1] start of each row in col */
    int *col;        /* [nnz] columns, rising within a row */
    int *csr_to_csc; /* [nnz] entry k by rows is entry csr_to_csc[k] by columns */
} rsd_sparsity;

/** Copy a pattern given by columns, as an engine hands it out.
 *  @param[in] col_start  [cols + 1] from 0, not falling
 *  @param[in] row        [col_start[cols]] in 0..rows-1
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY.  Cost: O(rows + cols + nnz). */
resida_status rsd_sparsity_from_csc(rsd_sparsity *s, int rows, int cols, const int *col_start, const int *row,
                                    const resida_allocator *alloc, resida_message *why);

/** The pattern of A. RESIDA_ERR_MEMORY. Cost: O(rows + cols + nnz). */
resida_status rsd_sparsity_from_csr(rsd_sparsity *s, const rsd_csr *A, const resida_allocator *alloc,
                                    resida_message *why);

/** Make the pattern of the entries (i[k], j[k]) in any order; repetitions are allowed.
 *  @param[in] i, j  [n] row in 0..rows-1 and column in 0..cols-1; NULL for n == 0
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY (also for n > INT_MAX).  Cost: O(rows + cols + n). */
resida_status rsd_sparsity_from_pairs(rsd_sparsity *s, int rows, int cols, long n, const int *i, const int *j,
                                      const resida_allocator *alloc, resida_message *why);

/** Free the arrays, each may be NULL; the pattern is empty then. */
void rsd_sparsity_free(rsd_sparsity *s, const resida_allocator *alloc);

/** The place of (row, col) in the order by columns; -1: no entry. O(log of the column's length). */
int rsd_sparsity_find(const rsd_sparsity *s, int row, int col);

/** 1: (row, col) is an entry. */
int rsd_sparsity_contains(const rsd_sparsity *s, int row, int col);

/** Count the entries of the fullest row: no consistent partitioning of the columns has fewer groups. */
int rsd_sparsity_fullest_row(const rsd_sparsity *s);

#endif
