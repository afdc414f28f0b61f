/* full.c - implements full.h with the Fortran interface of LAPACK. LAPACK ends the process with exit code 0 if an
 * argument is invalid. A leading dimension of 0 is invalid, so LAPACK is not called for empty matrices. */
#include "full.h"

#include "base/message.h"

#include "base/linear/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

extern void dggbal_(const char *job, const int *n, double *a, const int *lda, double *b, const int *ldb, int *ilo,
                    int *ihi, double *lscale, double *rscale, double *work, int *info, unsigned long);
extern void dgeev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda, double *wr,
                   double *wi, double *vl, const int *ldvl, double *vr, const int *ldvr, double *work, const int *lwork,
                   int *info, unsigned long, unsigned long);

extern void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info);
extern void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
                    const int *pivots, double *b, const int *ldb, int *info, unsigned long);
resida_status rsd_split_compute(rsd_split *s, int m, int n, const double *rows_t, int as_they_are, double tolerance,
                                const resida_allocator *alloc)
{
    double *factor;
    *s = (rsd_split){.m = m, .n = n};
    if (!RSD_INTS(alloc, m, &s->perm) || !RSD_DOUBLES(alloc, m, &s->scale, &factor) ||
        !RSD_DOUBLES(alloc, (long)n * m, &s->R) || !RSD_DOUBLES(alloc, (long)n * n, &s->Q))
        return RESIDA_ERR_MEMORY;
    for (int i = 0; i < m; i++) {
        const double norm = as_they_are ? 1 : rsd_norm(rows_t + (long)i * n, n);
        s->scale[i] = norm > 0 ? 1 / norm : 1;
        for (int k = 0; k < n; k++) s->R[(long)i * n + k] = s->scale[i] * rows_t[(long)i * n + k];
    }
    rsd_factor_qr(n, m, s->R, s->perm, factor);
    while (s->rank < m && s->rank < n && fabs(s->R[(long)s->rank * n + s->rank]) > tolerance) s->rank++;
    for (int k = 0; k < n; k++) {
        s->Q[(long)k * n + k] = 1;
        rsd_qr_multiply_by_Q(n, m < n ? m : n, s->R, factor, 0, s->Q + (long)k * n);
    }
    return RESIDA_OK;
}

void rsd_split_solve(const rsd_split *s, const double *b, double *x, double *work)
{
    for (int i = 0; i < s->rank; i++) work[i] = s->scale[s->perm[i]] * b[s->perm[i]];
    rsd_solve_upper_transposed(s->rank, s->R, s->n, work);
    rsd_multiply(s->n, 1, s->rank, 1, s->Q, s->n, 0, work, s->rank, x, s->n);
}

void rsd_split_find_weights(const rsd_split *s, const double *x, double *weights, double *work)
{
    memset(weights, 0, (size_t)s->m * sizeof *weights);
    if (s->rank == 0) return;
    rsd_multiply(s->rank, 1, s->n, 1, s->Q, s->n, 1, x, s->n, work, s->rank);
    rsd_solve_upper(s->rank, s->R, s->n, work);
    for (int i = 0; i < s->rank; i++) weights[s->perm[i]] = s->scale[s->perm[i]] * work[i];
}

void rsd_multiply(int m, int n, int k, double s, const double *A, int lda, int transposed, const double *B, int ldb,
                  double *C, int ldc)
{
    for (int j = 0; j < n; j++) {
        const double *b = B + (long)j * ldb;
        double *c = C + (long)j * ldc;
        memset(c, 0, (size_t)m * sizeof *c);
        for (int i = 0; i < m && transposed; i++) c[i] = s * rsd_dot(A + (long)i * lda, b, k);
        for (int l = 0; l < k && !transposed; l++)
            for (int i = 0; i < m && b[l] != 0; i++) c[i] += s * b[l] * A[(long)l * lda + i];
    }
}

/* Copy A [n x n], and set entries of the copy to 0 that are at most `floor` times the largest entry of their row. */
static void copy_without_noise(int n, const double *A, double floor, double *copy)
{
    for (int i = 0; i < n; i++) {
        double largest = 0;
        for (int j = 0; j < n; j++) largest = fmax(largest, fabs(A[(long)j * n + i]));
        for (int j = 0; j < n; j++) {
            const double a = A[(long)j * n + i];
            copy[(long)j * n + i] = fabs(a) > floor * largest ? a : 0;
        }
    }
}

/* Remove entries of A whose eigenvalues cannot be distinguished from zero within rounding. Each row of A is divided by
 * the largest entry of the same row of E. Entries below eps^2 times the largest quotient are set to 0. A and E are
 * balanced, therefore units of columns have no effect. Return the number of removed entries. */
static int remove_negligible_entries(int n, double *A, const double *E, double *largest)
{
    int taken = 0;
    double max = 0;
    for (int i = 0; i < n; i++) {
        largest[i] = 0;
        for (int j = 0; j < n; j++) largest[i] = fmax(largest[i], fabs(E[(long)j * n + i]));
        for (int j = 0; j < n && largest[i] > 0; j++) max = fmax(max, fabs(A[(long)j * n + i]) / largest[i]);
    }
    for (long e = 0; e < (long)n * n; e++)
        if (A[e] != 0 && fabs(A[e]) < DBL_EPSILON * DBL_EPSILON * max * largest[e % n]) A[e] = 0, taken++;
    return taken;
}

/* Balance A and E by dggbal, and round the scale factors left, right [n] to powers of two. @return as rsd_balance() */
static resida_status balance_pencil(int n, double *A, double *E, double *left, double *right, double *work)
{
    int low, high, info = 0;
    dggbal_("S", &n, A, &n, E, &n, &low, &high, left, right, work, &info, 1);
    for (int i = 0; i < n; i++) left[i] = exp2(round(log2(left[i]))), right[i] = exp2(round(log2(right[i])));
    return info == 0 ? RESIDA_OK : RESIDA_ERR_INTERNAL;
}

resida_status rsd_balance(int n, const double *A, const double *E, double floor, double *left, double *right,
                          const resida_allocator *alloc)
{
    enum { WORK = 6 }; /* number of work vectors of dggbal */
    double *copy_A = rsd_matrix(alloc, n, n), *copy_E = rsd_matrix(alloc, n, n), *work = rsd_matrix(alloc, WORK + 2, n);
    if (!copy_A || !copy_E || !work) return RESIDA_ERR_MEMORY;
    if (n == 0) return RESIDA_OK;
    double *const more_left = work + (long)WORK * n, *const more_right = more_left + n;
    copy_without_noise(n, A, floor, copy_A);
    copy_without_noise(n, E, floor, copy_E);
    RSD_TRY(balance_pencil(n, copy_A, copy_E, left, right, work));
    if (remove_negligible_entries(n, copy_A, copy_E, work) == 0) return RESIDA_OK;
    RSD_TRY(balance_pencil(n, copy_A, copy_E, more_left, more_right, work));
    for (int i = 0; i < n; i++) left[i] *= more_left[i], right[i] *= more_right[i];
    return RESIDA_OK;
}

/* Compute lambda = shift + 1/theta from theta = re + i im. Set beta = 0 if lambda is infinite, else 1. In a pair, the
 * first theta has im theta > 0. Its lambda is computed from the conjugate of theta, which gives im lambda > 0. Its
 * right vector is conjugated. LAPACK's left vector u of theta satisfies conj(u)' S = theta conj(u)' with S = (A - shift
 * E)^-1 E. Therefore u already belongs to the conjugate of theta. */
static void invert_eigenvalues(int n, double shift, double *re, double *im, double *beta, double *X)
{
    double max = 0;
    for (int j = 0; j < n; j++) max = fmax(max, hypot(re[j], im[j]));
    for (int j = 0; j < n; j++) {
        const double size = hypot(re[j], im[j]);
        beta[j] = size > DBL_EPSILON * DBL_EPSILON * max;
        if (beta[j] > 0) re[j] = shift + re[j] / size / size, im[j] = im[j] / size / size;
        for (int i = 0; i < n && im[j] < 0; i++) X[(long)j * n + i] = -X[(long)j * n + i];
    }
}

resida_status rsd_solve_pencil(int n, double shift, double *A, double *E, double *re, double *im, double *beta,
                               double *X, double *Y, const resida_allocator *alloc)
{
    enum { WORK = 4 + RSD_LAPACK_BLOCK }; /* number of work vectors of dgeev, including blocks */
    int info = 0, fails = 0, lwork = WORK * n + RSD_LAPACK_BLOCK;
    if (n == 0) return RESIDA_OK;
    double *work;
    int *pivots;
    if (!RSD_DOUBLES(alloc, lwork, &work) || !RSD_INTS(alloc, n, &pivots)) return RESIDA_ERR_MEMORY;
    for (long i = 0; i < (long)n * n; i++) A[i] -= shift * E[i];
    dgetrf_(&n, &n, A, &n, pivots, &info);
    if (info != 0) return RESIDA_ERR_SINGULAR;
    dgetrs_("N", &n, &n, A, &n, pivots, E, &n, &info, 1);
    dgeev_("V", "V", &n, E, &n, re, im, Y, &n, X, &n, work, &lwork, &info, 1, 1);
    if (info != 0) return info < 0 ? RESIDA_ERR_INTERNAL : RESIDA_ERR_NEWTON;
    invert_eigenvalues(n, shift, re, im, beta, X);
    dgetrs_("T", &n, &n, A, &n, pivots, Y, &n, &fails, 1);
    return RESIDA_OK;
}
