/* dense.h - dense linear algebra. Matrices column by column. Sizes may be 0: then there is nothing to
 * do, and nothing is singular. */
#ifndef RSD_DENSE_H
#define RSD_DENSE_H

#include <math.h>

/** Unknowns up to which LU is our own: no blocks needed yet, and the reference LAPACK is two to four times as slow. */
#define RSD_OWN_UP_TO 128

/** x'y. x, y [n]. */
static inline double rsd_dot(const double *x, const double *y, long n)
{
    double sum[4] = {0, 0, 0, 0};
    long i = 0;
    for (; i + 4 <= n; i += 4)
        for (int q = 0; q < 4; q++) sum[q] += x[i + q] * y[i + q];
    for (; i < n; i++) sum[0] += x[i] * y[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/** Largest |x_i|, 0 without any; what is no number does not count. x [n]. */
static inline double rsd_max_norm(const double *x, long n)
{
    double most = 0;
    for (long i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/** The same, INFINITY where one of them is not finite. */
static inline double rsd_finite_norm(const double *x, long n)
{
    double most = 0;
    for (long i = 0; i < n; i++) most = isfinite(x[i]) ? fmax(most, fabs(x[i])) : INFINITY;
    return most;
}

/** The 2-norm of x [n], also of squares that overflow or vanish; INFINITY where an entry is not finite. */
double rsd_norm(const double *x, long n);

/** A = P L U in place. A [n x n], pivots [n]. @return 0, or k > 0: the k-th pivot (from 1) is zero */
int rsd_lu_factor(int n, double *A, int *pivots);

/** x = A^-1 x with the factors. x [n]. */
void rsd_lu_solve(int n, const double *LU, const int *pivots, double *x);

/** Largest column sum of |A|, A [n x n]. */
double rsd_norm1(int n, const double *A);

/** A P = Q R in place, the longest remaining column first: R in the upper triangle, Q below it. A [m x n]; perm [n]:
 *  column k of A P is column perm[k] of A, NULL: columns keep their places; factor [n] for rsd_qr_times(), or NULL. */
void rsd_qr(int m, int n, double *A, int *perm, double *factor);

/** x = Q x, or Q'x, Q the first k reflections of such a factorisation. x [m]. */
void rsd_qr_times(int m, int k, const double *QR, const double *factor, int transposed, double *x);

/** Elimination of a symmetric A [n x n], overwritten, with the largest diagonal first as long as it is larger than
 *  `tolerance`. Row k was row perm[k] [n] of A. @return how many were eliminated; the diagonal of the others is that of
 *  their Schur complement */
int rsd_cholesky_pivoted(int n, double *A, double tolerance, int *perm);

/** The shortest x with least |A x - b|; the rank of A is the number of columns that pivoting finds longer than
 *  `tolerance` times the longest. A [m x n] overwritten; b [max(m, n)], x on return; perm [n]; work [n n + n].
 *  @return the rank */
int rsd_least_norm(int m, int n, double *A, double *b, double tolerance, int *perm, double *work);

/** x = R^-1 x, R the upper triangle r x r of A with leading dimension lda; the second one x = R'^-1 x. */
void rsd_upper_solve(int r, const double *A, int lda, double *x);
void rsd_upper_solve_transposed(int r, const double *A, int lda, double *x);

#endif
