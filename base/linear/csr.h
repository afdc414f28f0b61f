/* csr.h - the one form of a matrix handed over by a model: where its entries are, by rows. */
#ifndef RSD_CSR_H
#define RSD_CSR_H

#include <resida/mechanism.h>

#include "base/memory.h"
#include "base/message.h"

/** Entries by rows; a full matrix is one whose rows hold all columns. Values lie apart, in the order of col. */
typedef struct rsd_csr {
    int rows, cols, nnz;
    int *row; /* [rows + 1] */
    int *col; /* [nnz] */
} rsd_csr;

/** Copy a pattern of a model, or build the full one for row == NULL.
 *  @return RESIDA_OK; RESIDA_ERR_MODEL (message names `what` and the row); RESIDA_ERR_MEMORY */
resida_status rsd_csr_create(rsd_csr *A, const char *what, int rows, int cols, const resida_pattern *given,
                             const resida_allocator *alloc, resida_message *why);
/** The matrix is 0 x 0 then. */
void rsd_csr_free(rsd_csr *A, const resida_allocator *alloc);

/** Insert x into a list of n that rises. Lists are short, or numbers come up nearly in order. */
static inline void rsd_insert(int *rising, int n, int x)
{
    for (; n > 0 && rising[n - 1] > x; n--) rising[n] = rising[n - 1];
    rising[n] = x;
}

/** Allocate the arrays of nnz entries, zeroed: every row is empty. RESIDA_ERR_MEMORY: free A all the same. */
resida_status rsd_csr_reserve(rsd_csr *A, int rows, int cols, int nnz, const resida_allocator *alloc);

/** 1: some places are no entries. */
static inline int rsd_csr_is_sparse(const rsd_csr *A)
{
    return A->nnz < (long)A->rows * A->cols;
}

/** y = A x. x [cols], y [rows]. */
void rsd_csr_times(const rsd_csr *A, const double *values, const double *x, double *y);

/** sum_j |A_ij x_j|, the terms of row i. x [cols]. */
double rsd_csr_row_terms(const rsd_csr *A, const double *values, int i, const double *x);

/** The size of x [cols] for A: the largest sum of terms of a row over its largest entry. Other units of rows, or of all
 *  lengths, change no ratio of two such sizes. */
double rsd_csr_size_for(const rsd_csr *A, const double *values, const double *x);

/** y += s A' x. x [rows], y [cols]. */
void rsd_csr_add_transposed(const rsd_csr *A, const double *values, double s, const double *x, double *y);

/** D = A, D [rows x cols] full, row by row. */
void rsd_csr_to_full(const rsd_csr *A, const double *values, double *D);

/** The same with `width` >= cols columns, zero beyond A. */
void rsd_csr_to_rows(const rsd_csr *A, const double *values, int width, double *D);

/** The pattern of A B: row i has the columns of all rows of B that row i of A has. Time grows with the number of
 *  products. C is zero on failure. @return RESIDA_OK; RESIDA_ERR_MEMORY, without a message */
resida_status rsd_csr_product_create(rsd_csr *C, const rsd_csr *A, const rsd_csr *B, const resida_allocator *alloc);

/** c = values of A B in the pattern of C. work [columns of B], left as it comes. */
void rsd_csr_product(const rsd_csr *C, double *c, const rsd_csr *A, const double *a, const rsd_csr *B, const double *b,
                     double *work);

/** The pattern of A'. @return as rsd_csr_product_create() */
resida_status rsd_csr_transposed(rsd_csr *C, const rsd_csr *A, const resida_allocator *alloc);

/** Transpose a pattern of rows x cols by counting, without a sort.
 *  @param[in]  row, col  [rows + 1] starts, [row[rows]] columns in any order; a column < 0 is no entry.
 *                        row == NULL: one entry in each row, col is the group of each
 *  @param[out] start     [cols + 1]
 *  @param[out] index     rows of each column, not falling
 *  @param[out] place     entry k by columns is entry place[k] by rows; may be NULL */
void rsd_transpose(int rows, int cols, const int *row, const int *col, int *start, int *index, int *place);

#endif
