/* csr.h - sparse matrices in compressed row storage. Models give their matrices in this form. */
#ifndef RSD_CSR_H
#define RSD_CSR_H

#include <resida/mechanism.h>

#include "base/memory.h"
#include "base/message.h"

/** The pattern of a matrix by rows; all columns if it is full. Values are in a separate array [nnz], ordered as col. */
typedef struct rsd_csr {
    int rows, cols, nnz; /* number of rows, columns, entries */
    int *row;            /* [rows + 1] start of each row in col */
    int *col;            /* [nnz] column of each entry, ascending within a row */
} rsd_csr;

/** Copy a pattern of a model, or build the full pattern if given->row is NULL.
 *  @return RESIDA_OK; RESIDA_ERR_MODEL (the message contains `what` and the row); RESIDA_ERR_MEMORY */
resida_status rsd_csr_create(rsd_csr *A, const char *what, int rows, int cols, const resida_pattern *given,
                             const resida_allocator *alloc, resida_message *why);
/** Free the arrays of a pattern; the pattern is then 0 x 0. */
void rsd_csr_free(rsd_csr *A, const resida_allocator *alloc);

/** Insert x into an ascending list of n numbers. This is fast if the list is short or x is nearly the largest. */
static inline void rsd_insert_ascending(int *rising, int n, int x)
{
    for (; n > 0 && rising[n - 1] > x; n--) rising[n] = rising[n - 1];
    rising[n] = x;
}

/** Allocate a pattern for nnz entries, zeroed: every row is empty. @return RESIDA_OK; RESIDA_ERR_MEMORY: A must still
 *  be freed */
resida_status rsd_csr_allocate(rsd_csr *A, int rows, int cols, int nnz, const resida_allocator *alloc);

/** Copy a pattern with the starts row [rows + 1] and the columns col. @return as rsd_csr_allocate() */
resida_status rsd_csr_copy(rsd_csr *A, int rows, int cols, const int *row, const int *col,
                           const resida_allocator *alloc);

/** Return 1 if the pattern of A is not full. */
static inline int rsd_csr_is_sparse(const rsd_csr *A)
{
    return A->nnz < (long)A->rows * A->cols;
}

/** Compute y = A x + b. x [cols], y [rows]. b [rows] may be y; NULL: b = 0. */
void rsd_csr_multiply(const rsd_csr *A, const double *values, const double *x, const double *b, double *y);

/** Return sum_j |A_ij x_j|, the size of the terms of row i of A x. x [cols]. */
double rsd_csr_sum_row_terms(const rsd_csr *A, const double *values, int i, const double *x);

/** Return a norm of x [cols], the maximum over the rows i of A of (sum_j |A_ij x_j|)/(max_j |A_ij|). It does not depend
 *  on the units of rows. */
double rsd_csr_compute_weighted_norm(const rsd_csr *A, const double *values, const double *x);

/** Compute y += s A' x. x [rows], y [cols]. */
void rsd_csr_add_transposed(const rsd_csr *A, const double *values, double s, const double *x, double *y);

/** Copy A to the full matrix D [rows x cols], row by row. */
void rsd_csr_copy_to_full(const rsd_csr *A, const double *values, double *D);

/** Copy A to the full matrix D [rows x width], row by row, width >= cols. The columns of D from A->cols on are zero. */
void rsd_csr_copy_to_rows(const rsd_csr *A, const double *values, int width, double *D);

/** Build the pattern C of A B: row i contains the columns of all rows of B whose numbers are columns of row i of A.
 *  Cost: the number of products. C is zero on failure. @return RESIDA_OK; RESIDA_ERR_MEMORY, no message */
resida_status rsd_csr_create_product(rsd_csr *C, const rsd_csr *A, const rsd_csr *B, const resida_allocator *alloc);

/** Compute the values c of A B in its pattern C. work [columns of B] need not be initialised. */
void rsd_csr_compute_product(const rsd_csr *C, double *c, const rsd_csr *A, const double *a, const rsd_csr *B,
                             const double *b, double *work);

/** Build the pattern C of A'. @return as rsd_csr_create_product() */
resida_status rsd_csr_create_transpose(rsd_csr *C, const rsd_csr *A, const resida_allocator *alloc);

/** rsd_unite_sets() unites the sets that contain a and b, in a union-find forest `root` (initially root[i] = i). It
 *  returns 1 if the sets were different, else 0. rsd_find_set() returns the smallest element of the set of i. */
int rsd_unite_sets(int *root, int a, int b);
int rsd_find_set(int *root, int i);

/** Transpose a pattern of rows x cols by counting.
 *  @param[in] row, col [rows + 1] starts, [row[rows]] columns in any order; a column < 0 is not an entry. row ==
 *                       NULL: row i has the single entry col[i]
 *  @param[out] start [cols + 1] start of each column in `index`
 *  @param[out] index row of each entry, column by column, not decreasing within a column
 *  @param[out] place [number of entries] index in col of each entry of `index`; may be NULL */
void rsd_transpose_pattern(int rows, int cols, const int *row, const int *col, int *start, int *index, int *place);

#endif
