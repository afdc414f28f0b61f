/* csr_product.c - the product of two sparse matrices, row by row: its pattern once, its values often; a transposed
 * pattern. */
#include "csr_product.h"

#include <limits.h>
#include <string.h>

/* The columns of row i of A B, in the order in which they come up, into col; col == NULL: they are counted only.
 * mark [columns of B]: columns that are there bear `stamp`. */
static int collect_row(const rsd_csr *A, const rsd_csr *B, int i, int stamp, int *mark, int *col)
{
    int n = 0;
    for (int e = A->row[i]; e < A->row[i + 1]; e++)
        for (int q = B->row[A->col[e]]; q < B->row[A->col[e] + 1]; q++)
            if (mark[B->col[q]] != stamp) {
                mark[B->col[q]] = stamp;
                if (col) col[n] = B->col[q];
                n++;
            }
    return n;
}

/* Rising. Insertion: rows are short, or come up nearly in order. */
static void sort(int *col, int n)
{
    for (int k = 1; k < n; k++) {
        int at = k, moved = col[k];
        for (; at > 0 && col[at - 1] > moved; at--) col[at] = col[at - 1];
        col[at] = moved;
    }
}

resida_status rsd_csr_product_create(rsd_csr *C, const rsd_csr *A, const rsd_csr *B, const resida_allocator *alloc)
{
    int *mark = rsd_calloc(alloc, B->cols, sizeof(int));
    long long nnz = 0;
    *C = (rsd_csr){.rows = 0};
    for (int i = 0; mark && i < A->rows && nnz <= INT_MAX; i++) nnz += collect_row(A, B, i, i + 1, mark, NULL);
    resida_status status = RESIDA_ERR_MEMORY;
    if (mark && nnz <= INT_MAX) status = rsd_csr_reserve(C, A->rows, B->cols, (int)nnz, alloc);
    for (int i = 0; i < A->rows && status == RESIDA_OK; i++) {
        const int n = collect_row(A, B, i, -i - 1, mark, C->col + C->row[i]);
        sort(C->col + C->row[i], n);
        C->row[i + 1] = C->row[i] + n;
    }
    rsd_free(alloc, mark);
    if (status < 0) rsd_csr_free(C, alloc);
    return status;
}

void rsd_csr_product(const rsd_csr *C, double *c, const rsd_csr *A, const double *a, const rsd_csr *B, const double *b,
                     double *work)
{
    for (int i = 0; i < C->rows; i++) {
        for (int e = C->row[i]; e < C->row[i + 1]; e++) work[C->col[e]] = 0;
        for (int e = A->row[i]; e < A->row[i + 1]; e++)
            for (int q = B->row[A->col[e]]; q < B->row[A->col[e] + 1]; q++) work[B->col[q]] += a[e] * b[q];
        for (int e = C->row[i]; e < C->row[i + 1]; e++) c[e] = work[C->col[e]];
    }
}

resida_status rsd_csr_transposed(rsd_csr *C, const rsd_csr *A, const resida_allocator *alloc)
{
    *C = (rsd_csr){.rows = 0};
    if (rsd_csr_reserve(C, A->cols, A->rows, A->nnz, alloc) < 0) {
        rsd_csr_free(C, alloc);
        return RESIDA_ERR_MEMORY;
    }
    for (int e = 0; e < A->nnz; e++) C->row[A->col[e] + 1]++;
    for (int j = 0; j < A->cols; j++) C->row[j + 1] += C->row[j];
    for (int i = 0; i < A->rows; i++)
        for (int e = A->row[i]; e < A->row[i + 1]; e++) C->col[C->row[A->col[e]]++] = i;
    for (int j = A->cols; j > 0; j--) C->row[j] = C->row[j - 1];
    C->row[0] = 0;
    return RESIDA_OK;
}
