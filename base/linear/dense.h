/* dense.h - dense linear algebra. Matrices are stored column by column. Sizes may be 0. An empty matrix is not
 * singular. */
#ifndef RSD_DENSE_H
#define RSD_DENSE_H

#include <math.h>

/** Maximum number of unknowns for the library's own LU, which takes 1/4 to 1/2 of the time of reference LAPACK. */
#define RSD_OWN_UP_TO 128

/** Return x'y. x, y [n]. */
static inline double rsd_dot(const double *x, const double *y, long n)
{
    double sum[4] = {0, 0, 0, 0};
    long i = 0;
    for (; i + 4 <= n; i += 4)
        for (int q = 0; q < 4; q++) sum[q] += x[i + q] * y[i + q];
    for (; i < n; i++) sum[0] += x[i] * y[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/** Return the largest |x_i|, or 0 if n = 0; NaN is ignored. x [n]. */
static inline double rsd_max_norm(const double *x, long n)
{
    double max = 0;
    for (long i = 0; i < n; i++) max = fmax(max, fabs(x[i]));
    return max;
}

/** Return the largest |x_i|, or 0 if n = 0, or INFINITY if an element is not finite. x [n]. */
static inline double rsd_finite_norm(const double *x, long n)
{
    double max = 0;
    for (long i = 0; i < n; i++) max = isfinite(x[i]) ? fmax(max, fabs(x[i])) : INFINITY;
    return max;
}

/** Return the 2-norm of x [n], also if squares overflow or underflow; INFINITY if an element is not finite. */
double rsd_norm(const double *x, long n);

/** Factor A = P L U in place. A [n x n], pivots [n]. @return 0 on success; k > 0 if the k-th pivot (from 1) is zero */
int rsd_lu_factor(int n, double *A, int *pivots);

/** Compute x = A^-1 x with the factors of rsd_lu_factor(). x [n]. */
void rsd_lu_solve(int n, const double *LU, const int *pivots, double *x);

/** Compute A P = Q R in place. Each pivot is the remaining column with the largest norm. R is stored in the upper
 *  triangle, Q below it. A [m x n]; perm [n]: column k of A P is column perm[k] of A, NULL: columns are not exchanged;
 *  factor [n] or NULL: see rsd_qr_multiply_by_Q(). */
void rsd_factor_qr(int m, int n, double *A, int *perm, double *factor);

/** Compute x = Q x, or x = Q'x if transposed. Q is the product of the first k reflections of rsd_factor_qr(). x
 *  [m]. */
void rsd_qr_multiply_by_Q(int m, int k, const double *QR, const double *factor, int transposed, double *x);

/** Factor a symmetric A [n x n] in place, with diagonal pivoting. The largest remaining
 *  diagonal element is the next pivot, while this element exceeds `tolerance`. Row k of the result was row perm[k] [n]
 *  of A.
 *  @return the number of pivots; the other diagonal elements are those of the Schur complement */
int rsd_factor_cholesky_pivoted(int n, double *A, double tolerance, int *perm);

/** Compute the shortest x that minimises |A x - b|, by QR with column pivoting. The rank of A is the number of diagonal
 *  elements of R above `tolerance` times the first one. A [m x n] is overwritten. b [max(m, n)] contains x on return.
 *  perm [n] and work [n n + n] are work space.
 *  @return the rank */
int rsd_solve_least_norm(int m, int n, double *A, double *b, double tolerance, int *perm, double *work);

/** Compute x = R^-1 x, or x = R'^-1 x; R is the upper triangle r x r of A with leading dimension lda. */
void rsd_solve_upper(int r, const double *A, int lda, double *x);
void rsd_solve_upper_transposed(int r, const double *A, int lda, double *x);

#endif
