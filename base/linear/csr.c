/* csr.c - sparse matrices by rows, and their products. The pattern of a product, such as (dg/dp) T, is computed
 * once. */
#include "csr.h"

#include "dense.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/lanes.h"

/* Check that the pattern of a model has ascending columns in range in each row. `what` is its name in messages. */
static resida_status check_pattern(const char *what, int rows, int cols, const resida_pattern *given,
                                   resida_message *why)
{
    const int *row = given->row;
    if (row[0] != 0) return rsd_fail(why, RESIDA_ERR_MODEL, "%s_pattern: row[0] = %d, must be 0", what, row[0]);
    for (int i = 0; i < rows; i++) {
        if (row[i + 1] < row[i])
            return rsd_fail(why, RESIDA_ERR_MODEL, "%s_pattern: row[%d] = %d falls below row[%d] = %d", what, i + 1,
                            row[i + 1], i, row[i]);
        if (row[i + 1] - row[i] > cols)
            return rsd_fail(why, RESIDA_ERR_MODEL, "%s_pattern: row %d has %d entries, but there are %d columns", what,
                            i, row[i + 1] - row[i], cols);
        if (row[i + 1] > row[i] && !given->col)
            return rsd_fail(why, RESIDA_ERR_MODEL, "%s_pattern: row is given, col is NULL", what);
        for (int k = row[i]; k < row[i + 1]; k++) {
            if (given->col[k] < 0 || given->col[k] >= cols)
                return rsd_fail(why, RESIDA_ERR_MODEL, "%s_pattern: column %d in row %d, must be in 0..%d", what,
                                given->col[k], i, cols - 1);
            if (k > row[i] && given->col[k] <= given->col[k - 1])
                return rsd_fail(why, RESIDA_ERR_MODEL, "%s_pattern: columns of row %d must ascend (%d after %d)", what,
                                i, given->col[k], given->col[k - 1]);
        }
    }
    return RESIDA_OK;
}

resida_status rsd_csr_create(rsd_csr *A, const char *what, int rows, int cols, const resida_pattern *given,
                             const resida_allocator *alloc, resida_message *why)
{
    *A = (rsd_csr){.rows = rows, .cols = cols};
    if (given->row) RSD_TRY(check_pattern(what, rows, cols, given, why));
    long long nnz = given->row ? given->row[rows] : (long long)rows * cols;
    if (nnz > INT_MAX)
        return rsd_fail(why, RESIDA_ERR_MEMORY, "%s is full with %lld entries: give %s_pattern", what, nnz, what);
    const resida_status status = given->row ? rsd_csr_copy(A, rows, cols, given->row, given->col, alloc)
                                            : rsd_csr_allocate(A, rows, cols, (int)nnz, alloc);
    if (status < 0) {
        rsd_csr_free(A, alloc);
        return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the pattern of %s (%lld entries)", what, nnz);
    }
    for (int i = 0; i <= rows && !given->row; i++) A->row[i] = i * cols;
    for (int k = 0; k < A->nnz && !given->row; k++) A->col[k] = k % cols;
    return RESIDA_OK;
}

resida_status rsd_csr_allocate(rsd_csr *A, int rows, int cols, int nnz, const resida_allocator *alloc)
{
    *A = (rsd_csr){.rows = rows, .cols = cols, .nnz = nnz};
    return RSD_INTS(alloc, rows + 1L, &A->row) && RSD_INTS(alloc, nnz, &A->col) ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

resida_status rsd_csr_copy(rsd_csr *A, int rows, int cols, const int *row, const int *col,
                           const resida_allocator *alloc)
{
    RSD_TRY(rsd_csr_allocate(A, rows, cols, row[rows], alloc));
    memcpy(A->row, row, ((size_t)rows + 1) * sizeof *row);
    if (A->nnz > 0) memcpy(A->col, col, (size_t)A->nnz * sizeof *col);
    return RESIDA_OK;
}

void rsd_csr_free(rsd_csr *A, const resida_allocator *alloc)
{
    RSD_FREE(alloc, A->row, A->col);
    *A = (rsd_csr){.rows = 0};
}

/* Compute y += s A' x for a full matrix A. */
RSD_WIDE static void add_full_transposed(int rows, int cols, const double *values, double s, const double *x, double *y)
{
    for (int i = 0; i < rows; i++, values += cols) {
        const double sx = s * x[i];
        RSD_ELEMENTWISE for (int j = 0; j < cols; j++) y[j] += values[j] * sx;
    }
}

static void multiply_full(int rows, int cols, const double *values, const double *x, const double *b, double *y)
{
    for (int i = 0; i < rows; i++, values += cols) {
        double sum = 0;
        for (int j = 0; j < cols; j++) sum += values[j] * x[j];
        y[i] = b ? sum + b[i] : sum;
    }
}

void rsd_csr_multiply(const rsd_csr *A, const double *values, const double *x, const double *b, double *y)
{
    if (A->cols >= RSD_LANE && !rsd_csr_is_sparse(A)) {
        multiply_full(A->rows, A->cols, values, x, b, y);
        return;
    }
    for (int i = 0; i < A->rows; i++) {
        double sum = 0;
        for (int k = A->row[i]; k < A->row[i + 1]; k++) sum += values[k] * x[A->col[k]];
        y[i] = b ? sum + b[i] : sum;
    }
}

double rsd_csr_sum_row_terms(const rsd_csr *A, const double *values, int i, const double *x)
{
    double sum = 0;
    for (int e = A->row[i]; e < A->row[i + 1]; e++) sum += fabs(values[e] * x[A->col[e]]);
    return sum;
}

double rsd_csr_compute_weighted_norm(const rsd_csr *A, const double *values, const double *x)
{
    double max = 0;
    for (int i = 0; i < A->rows; i++) {
        const double entry = rsd_finite_norm(values + A->row[i], A->row[i + 1] - A->row[i]);
        if (entry > 0) max = fmax(max, rsd_csr_sum_row_terms(A, values, i, x) / entry);
    }
    return max;
}

void rsd_csr_add_transposed(const rsd_csr *A, const double *values, double s, const double *x, double *y)
{
    if (A->cols >= RSD_LANE && !rsd_csr_is_sparse(A)) {
        add_full_transposed(A->rows, A->cols, values, s, x, y);
        return;
    }
    for (int i = 0; i < A->rows; i++) {
        double sx = s * x[i];
        for (int k = A->row[i]; k < A->row[i + 1]; k++) y[A->col[k]] += values[k] * sx;
    }
}

void rsd_csr_copy_to_full(const rsd_csr *A, const double *values, double *D)
{
    rsd_csr_copy_to_rows(A, values, A->cols, D);
}

void rsd_csr_copy_to_rows(const rsd_csr *A, const double *values, int width, double *D)
{
    memset(D, 0, (size_t)A->rows * (size_t)width * sizeof(double));
    for (int i = 0; i < A->rows; i++)
        for (int k = A->row[i]; k < A->row[i + 1]; k++) D[(size_t)i * (size_t)width + (size_t)A->col[k]] = values[k];
}

/* Write the columns of row i of A B to col in ascending order. If col is NULL, only count the columns. mark[j] == stamp
 * marks column j as listed. Return the number of columns. */
static int collect_product_row(const rsd_csr *A, const rsd_csr *B, int i, int stamp, int *mark, int *col)
{
    int n = 0;
    for (int e = A->row[i]; e < A->row[i + 1]; e++)
        for (int q = B->row[A->col[e]]; q < B->row[A->col[e] + 1]; q++)
            if (mark[B->col[q]] != stamp) {
                mark[B->col[q]] = stamp;
                if (col) rsd_insert_ascending(col, n, B->col[q]);
                n++;
            }
    return n;
}

resida_status rsd_csr_create_product(rsd_csr *C, const rsd_csr *A, const rsd_csr *B, const resida_allocator *alloc)
{
    int *mark = rsd_calloc(alloc, B->cols, sizeof(int));
    long long nnz = 0;
    *C = (rsd_csr){.rows = 0};
    for (int i = 0; mark && i < A->rows && nnz <= INT_MAX; i++) nnz += collect_product_row(A, B, i, i + 1, mark, NULL);
    resida_status status = RESIDA_ERR_MEMORY;
    if (mark && nnz <= INT_MAX) status = rsd_csr_allocate(C, A->rows, B->cols, (int)nnz, alloc);
    for (int i = 0; i < A->rows && status == RESIDA_OK; i++) {
        C->row[i + 1] = C->row[i] + collect_product_row(A, B, i, -i - 1, mark, C->col + C->row[i]);
    }
    rsd_free(alloc, mark);
    if (status < 0) rsd_csr_free(C, alloc);
    return status;
}

void rsd_csr_compute_product(const rsd_csr *C, double *c, const rsd_csr *A, const double *a, const rsd_csr *B,
                             const double *b, double *work)
{
    for (int i = 0; i < C->rows; i++) {
        for (int e = C->row[i]; e < C->row[i + 1]; e++) work[C->col[e]] = 0;
        for (int e = A->row[i]; e < A->row[i + 1]; e++)
            for (int q = B->row[A->col[e]]; q < B->row[A->col[e] + 1]; q++) work[B->col[q]] += a[e] * b[q];
        for (int e = C->row[i]; e < C->row[i + 1]; e++) c[e] = work[C->col[e]];
    }
}

resida_status rsd_csr_create_transpose(rsd_csr *C, const rsd_csr *A, const resida_allocator *alloc)
{
    if (rsd_csr_allocate(C, A->cols, A->rows, A->nnz, alloc) < 0) {
        rsd_csr_free(C, alloc);
        return RESIDA_ERR_MEMORY;
    }
    rsd_transpose_pattern(A->rows, A->cols, A->row, A->col, C->row, C->col, NULL);
    return RESIDA_OK;
}

void rsd_transpose_pattern(int rows, int cols, const int *row, const int *col, int *start, int *index, int *place)
{
    const int nnz = row ? row[rows] : rows;
    memset(start, 0, ((size_t)cols + 1) * sizeof *start);
    for (int k = 0; k < nnz; k++)
        if (col[k] >= 0) start[col[k] + 1]++;
    for (int j = 0; j < cols; j++) start[j + 1] += start[j];
    for (int i = 0; i < rows; i++)
        for (int k = row ? row[i] : i; k < (row ? row[i + 1] : i + 1); k++) {
            if (col[k] < 0) continue;
            if (place) place[start[col[k]]] = k;
            index[start[col[k]]++] = i; /* start[j] is now the position of the next entry of column j */
        }
    for (int j = cols; j > 0; j--) start[j] = start[j - 1];
    start[0] = 0;
}

int rsd_find_set(int *root, int i)
{
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
}

int rsd_unite_sets(int *root, int a, int b)
{
    a = rsd_find_set(root, a), b = rsd_find_set(root, b);
    root[a > b ? a : b] = a > b ? b : a;
    return a != b;
}
