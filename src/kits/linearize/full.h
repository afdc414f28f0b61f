/* full.h - full matrices of the linearisation, column by column: null spaces, products, a regular pencil's
 * eigenvalues; by LAPACK. Sizes may be 0. Memory is taken of an allocator whose owner frees it. */
#ifndef RSD_FULL_H
#define RSD_FULL_H

#include "base/memory.h"

/** What rows [m x n] reach and what they do not: orthonormal bases, by QR with column pivoting of their transpose, each
 *  row of norm one. */
typedef struct rsd_split {
    int m, n, rank;
    int *perm;     /* [m] rows, `rank` independent ones first */
    double *scale; /* [m] 1/norm of each row */
    double *R;     /* [n x m] upper triangle */
    double *Q;     /* [n x n] the first `rank` columns span the rows, the others their null space */
} rsd_split;

/** Of rows_t [n x m], row i of the matrix in its column i. A row is dependent when less than `tolerance` of it is new;
 *  as_they_are: rows are not brought to norm one before. RESIDA_ERR_MEMORY. */
resida_status rsd_split_make(rsd_split *s, int m, int n, const double *rows_t, int as_they_are, double tolerance,
                             const resida_allocator *alloc);

/** The null space's basis [n x (n - rank)]. */
static inline double *rsd_split_null(const rsd_split *s)
{
    return s->Q + (long)s->rank * s->n;
}

/** Least x [n] with rows x = b [m] in the independent rows. b is destroyed; work [m]. */
void rsd_split_solve(const rsd_split *s, const double *b, double *x, double *work);

/** The other way round: weights [m] of the rows whose sum is x [n], which lies in what they reach; 0 of dependent ones.
 *  work [m]. */
void rsd_split_weigh(const rsd_split *s, const double *x, double *weights, double *work);

/** C [m x n] = s op(A) B, op(A) [m x k] is A or its transpose, B [k x n]; with leading dimensions. */
void rsd_multiply(int m, int n, int k, double s, const double *A, int lda, int transposed, const double *B, int ldb,
                  double *C, int ldc);

/** Scalings of rows and columns, powers of two, that bring the entries of A and E near one size each, but for those
 *  below `floor` of their row's largest; left, right [n]. RESIDA_ERR_MEMORY. */
resida_status rsd_balance(int n, const double *A, const double *E, double floor, double *left, double *right,
                          const resida_allocator *alloc);

/** lambda E x = A x, both [n x n], destroyed, A - shift E regular: lambda = shift + 1/theta with the eigenvalues theta
 *  of (A - shift E)^-1 E by dgeev. The error of theta is eps times the largest one, so that of lambda about
 *  eps |lambda - shift|^2/d, d the distance of the nearest one from the shift. lambda = re + i im, pairs side by side
 *  with im > 0 first, beta = 0: infinite; X, Y [n x n] vectors A x = lambda E x and y A = lambda y E of the
 *  one of a pair with im > 0, real and imaginary part.
 *  @return RESIDA_ERR_NEWTON: no convergence; RESIDA_ERR_SINGULAR: A - shift E is singular; RESIDA_ERR_MEMORY */
resida_status rsd_eigenvalues(int n, double shift, double *A, double *E, double *re, double *im, double *beta,
                              double *X, double *Y, const resida_allocator *alloc);

/** K x = value M x, both [n x n] symmetric, destroyed: values rising, x in the columns of K, x'M x = 1.
 *  @return 0; < 0: no memory; > 0: not converged, or M is not positive definite */
int rsd_symmetric_eigenvalues(int n, double *K, double *M, double *value, const resida_allocator *alloc);

#endif
