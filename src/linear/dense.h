/* dense.h - small dense linear algebra, by LAPACK. Matrices column by column. Sizes may be 0: then there is nothing to
 * do, and nothing is singular. */
#ifndef RSD_DENSE_H
#define RSD_DENSE_H

#include <math.h>

/** x'y. x, y [n]. */
static inline double rsd_dot(const double *x, const double *y, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
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

/** A = P L U in place. A [n x n], pivots [n]. @return 0, or k > 0: the k-th pivot (from 1) is zero */
int rsd_lu_factor(int n, double *A, int *pivots);

/** x = A^-1 x with the factors. x [n]. */
void rsd_lu_solve(int n, const double *LU, const int *pivots, double *x);

/** Estimate of 1/cond_1(A) from the factors and the 1-norm of A. work [4 n], iwork [n]. */
double rsd_lu_rcond(int n, const double *LU, double norm1, double *work, int *iwork);

/** Largest column sum of |A|, A [n x n]. */
double rsd_norm1(int n, const double *A);

/** A P = Q R with column pivoting (largest remaining column first), in place: R in the upper triangle.
 *  A [m x n]; perm [n]: column k of A P is column perm[k] of A (base 0); tau [min(m,n)]; work [3 n + 1]. */
void rsd_qr_pivoted(int m, int n, double *A, int *perm, double *tau, double *work);

/** P'A P = L L' with complete pivoting as far as a diagonal is larger than `tolerance`. A [n x n] overwritten; pivots
 *  [n] from 1; work [2 n], with columns of L the diagonal left behind them in work + n. @return columns of L */
int rsd_cholesky_pivoted(int n, double *A, double tolerance, int *pivots, double *work);

/** Work of the one below for matrices of at most m rows and n columns [doubles]; -1: more than an int holds. */
int rsd_dense_work(int m, int n);

/** The shortest x with least |A x - b|: what of A is below `tolerance` of its largest part counts as 0.
 *  A [m x n] overwritten; b [max(m, n)], x on return; perm [n]. @return the rank */
int rsd_least_norm(int m, int n, double *A, double *b, double tolerance, int *perm, double *work, int n_work);

/** x = R^-1 x, R the upper triangle r x r of A with leading dimension lda. */
void rsd_upper_solve(int r, const double *A, int lda, double *x);

#endif
