/* linear_dense.c - the linear solver for full matrices that are not small: P A = L U by LAPACK, on a copy.
 *
 * A factorisation takes 2/3 n^3 operations whatever the pattern is; a sparse matrix is scattered into zeros. Rows are
 * not scaled: pivots are the largest entries of their columns as they stand. */
#include "linear_backend.h"

#include <string.h>

#include "dense.h"

typedef struct dense {
    resida_allocator alloc;
    rsd_csr A;
    size_t n;
    double *LU;  /* [n x n] column by column */
    int *pivots; /* [n] */
} dense;

static void dense_free(void *self)
{
    dense *d = self;
    if (!d) return;
    resida_allocator alloc = d->alloc;
    RSD_FREE(&alloc, d->LU, d->pivots, d);
}

static resida_status dense_create(void **self, int variant, const rsd_csr *A, const resida_allocator *alloc,
                                  resida_message *why)
{
    (void)variant;
    dense *d = *self = rsd_calloc(alloc, 1, sizeof *d);
    if (d) {
        *d = (dense){.alloc = *alloc, .A = *A, .n = (size_t)A->cols};
        d->LU = rsd_matrix(alloc, A->cols, A->cols);
        d->pivots = rsd_calloc(alloc, A->cols, sizeof(int));
    }
    if (d && d->LU && d->pivots) return RESIDA_OK;
    dense_free(d);
    *self = NULL;
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a dense matrix of %d x %d", A->cols, A->cols);
}

static int dense_factor(void *self, const double *values, int *kept)
{
    dense *d = self;
    *kept = 0;
    if (d->A.row)
        rsd_csr_to_full(&d->A, values, d->LU); /* rows of A' are columns of A */
    else
        memcpy(d->LU, values, d->n * d->n * sizeof *values);
    return rsd_lu_factor((int)d->n, d->LU, d->pivots); /* columns keep their places */
}

static void dense_solve(void *self, int columns, double *X)
{
    const dense *d = self;
    for (int k = 0; k < columns; k++) rsd_lu_solve((int)d->n, d->LU, d->pivots, X + (size_t)k * d->n);
}

static void dense_measure(const void *self, rsd_linear_report *report)
{
    const dense *d = self;
    double n = (double)d->n;
    report->nnz_factors = (long)(d->n * d->n);
    report->work = 2 * n * n * n / 3;
    report->bytes = sizeof *d + d->n * d->n * sizeof *d->LU + d->n * sizeof *d->pivots;
}

const rsd_linear_backend rsd_linear_dense = {
    "dense", 0, 0, dense_create, dense_free, dense_factor, dense_solve, NULL, dense_measure,
};
