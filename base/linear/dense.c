/* dense.c - LU with partial pivoting, Cholesky and QR with complete and column pivoting, column by column. LAPACK is
 * used only for LU of more than RSD_OWN_UP_TO unknowns, for which blocks are faster. Therefore the results of smaller
 * models do not depend on the BLAS of a machine. The caller provides the workspace; no memory is allocated here. */
#include "dense.h"

#include <math.h>
#include <string.h>

#include "base/lanes.h"

extern void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);

/* Compute y -= c x. */
RSD_WIDE static void subtract_multiple(long n, double c, const double *restrict x, double *restrict y)
{
    for (long i = 0; i < n; i++) y[i] -= c * x[i];
}

static void swap_values(double *x, double *y)
{
    const double from = *x;
    *x = *y;
    *y = from;
}

/* Exchange rows so that the largest entry of column k is on the diagonal. */
static void choose_pivot_row(int n, int k, double *A, int *pivots)
{
    const double *c = A + (long)k * n;
    int best = k;
    for (int i = k + 1; i < n; i++)
        if (fabs(c[i]) > fabs(c[best])) best = i;
    pivots[k] = best + 1; /* counted from 1, as in LAPACK */
    for (int j = 0; j < n && best != k; j++) swap_values(A + (long)j * n + k, A + (long)j * n + best);
}

int rsd_lu_factor(int n, double *A, int *pivots)
{
    int info = 0;
    if (n > RSD_OWN_UP_TO) dgetrf_(&n, &n, A, &n, pivots, &info);
    for (int k = 0; k < n && n <= RSD_OWN_UP_TO; k++) {
        double *c = A + (long)k * n;
        choose_pivot_row(n, k, A, pivots);
        if (c[k] == 0) return k + 1;
        for (int i = k + 1; i < n; i++) c[i] /= c[k];
        for (double *right = c + n; right < A + (long)n * n; right += n)
            if (right[k] != 0) subtract_multiple(n - k - 1, right[k], c + k + 1, right + k + 1);
    }
    return info;
}

void rsd_lu_solve(int n, const double *LU, const int *pivots, double *x)
{
    for (int k = 0; k < n; k++)
        if (pivots[k] != k + 1) swap_values(x + k, x + pivots[k] - 1);
    for (int k = 0; k < n; k++) subtract_multiple(n - k - 1, x[k], LU + (long)k * n + k + 1, x + k + 1);
    rsd_solve_upper(n, LU, n, x);
}

double rsd_norm(const double *x, long n)
{
    const double largest = rsd_finite_norm(x, n);
    double sum = 0;
    if (!(largest > 0 && isfinite(largest))) return largest;
    for (long i = 0; i < n; i++) sum += (x[i] / largest) * (x[i] / largest);
    return largest * sqrt(sum);
}

static void swap_columns(int m, int i, int k, double *A, int *perm)
{
    const int from = perm[k];
    perm[k] = perm[i];
    perm[i] = from;
    for (int r = 0; r < m && i != k; r++) swap_values(A + (long)k * m + r, A + (long)i * m + r);
}

int rsd_factor_cholesky_pivoted(int n, double *A, double tolerance, int *perm)
{
    for (int k = 0; k < n; k++) perm[k] = k;
    for (int k = 0; k < n; k++) {
        double *c = A + (long)k * n;
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (A[(long)i * n + i] > A[(long)best * n + best]) best = i;
        if (!(A[(long)best * n + best] > tolerance)) return k;
        swap_columns(n, best, k, A, perm);
        for (int j = 0; j < n && best != k; j++) swap_values(A + (long)j * n + k, A + (long)j * n + best);
        for (int j = k + 1; j < n; j++) subtract_multiple(n - k - 1, c[j] / c[k], c + k + 1, A + (long)j * n + k + 1);
    }
    return n;
}

/* Move the column with the largest norm in rows k .. m - 1 to position k. */
static void choose_pivot_column(int m, int n, int k, double *A, int *perm)
{
    double max = -1;
    int best = k;
    for (int j = k; j < n; j++) {
        const double *c = A + (long)j * m + k, square = rsd_dot(c, c, m - k);
        if (square > max) max = square, best = j;
    }
    swap_columns(m, best, k, A, perm);
}

/* Compute Householder's reflection I - factor v v', v_0 = 1, that maps x to -sign(x_0) |x| e_0. x_0 is replaced by
 * -sign(x_0) |x|, and the other elements of x by those of v. Return factor, or 0 if x = 0. */
static double compute_reflection(int n, double *x)
{
    const double norm = rsd_norm(x, n);
    if (!(norm > 0)) return 0;
    const double end = -copysign(norm, x[0]), factor = 1 - x[0] / end;
    for (int i = 1; i < n; i++) x[i] /= x[0] - end;
    x[0] = end;
    return factor;
}

static void apply_reflection(int n, const double *v, double factor, double *y)
{
    const double part = factor * (y[0] + rsd_dot(v + 1, y + 1, n - 1));
    y[0] -= part;
    subtract_multiple(n - 1, part, v + 1, y + 1);
}

void rsd_factor_qr(int m, int n, double *A, int *perm, double *factor)
{
    for (int k = 0; k < n && perm; k++) perm[k] = k;
    for (int k = 0; k < m && k < n; k++) {
        double *x = A + (long)k * m + k;
        if (perm) choose_pivot_column(m, n, k, A, perm);
        const double f = compute_reflection(m - k, x);
        for (int j = 1; j < n - k; j++) apply_reflection(m - k, x, f, x + (long)j * m);
        if (factor) factor[k] = f;
    }
}

void rsd_qr_multiply_by_Q(int m, int k, const double *QR, const double *factor, int transposed, double *x)
{
    for (int i = 0; i < k; i++) {
        const long at = transposed ? i : k - 1 - i;
        apply_reflection(m - (int)at, QR + at * m + at, factor[at], x + at);
    }
}

/* Compute the shortest x with R x = b, in place of b. R contains the first r rows of A. The solution is Z (T'^-1 b,
 * 0), where R' = Z T is the QR factorisation of R'. */
static void compute_shortest_solution(int m, int n, int r, const double *A, double *b, double *Z, double *factor)
{
    for (int i = 0; i < r; i++)
        for (int j = 0; j < n; j++) Z[(long)i * n + j] = j < i ? 0 : A[(long)j * m + i];
    rsd_factor_qr(n, r, Z, NULL, factor);
    rsd_solve_upper_transposed(r, Z, n, b);
    for (int i = r; i < n; i++) b[i] = 0;
    rsd_qr_multiply_by_Q(n, r, Z, factor, 0, b);
}

int rsd_solve_least_norm(int m, int n, double *A, double *b, double tolerance, int *perm, double *work)
{
    const int max = m < n ? m : n;
    double *x = work + (long)n * n;
    int rank = 0;
    rsd_factor_qr(m, n, A, perm, x);
    rsd_qr_multiply_by_Q(m, max, A, x, 1, b);
    while (rank < max && fabs(A[(long)rank * m + rank]) > tolerance * fabs(A[0])) rank++;
    compute_shortest_solution(m, n, rank, A, b, work, x);
    memcpy(x, b, (size_t)n * sizeof *x);
    for (int k = 0; k < n; k++) b[perm[k]] = x[k];
    return rank;
}

void rsd_solve_upper(int r, const double *A, int lda, double *x)
{
    for (int k = r - 1; k >= 0; k--) {
        x[k] /= A[(long)k * lda + k];
        subtract_multiple(k, x[k], A + (long)k * lda, x);
    }
}

void rsd_solve_upper_transposed(int r, const double *A, int lda, double *x)
{
    for (int k = 0; k < r; k++) x[k] = (x[k] - rsd_dot(A + (long)k * lda, x, k)) / A[(long)k * lda + k];
}
