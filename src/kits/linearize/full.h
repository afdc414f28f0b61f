/* full.h - computes null spaces, products and eigenvalues of full matrices by LAPACK. Matrices are stored by columns.
 * Sizes may be 0. Memory belongs to the owner of the allocator. */
#ifndef RSD_FULL_H
#define RSD_FULL_H

#include "base/memory.h"

enum { RSD_LAPACK_BLOCK = 32 }; /* number of columns in a block of LAPACK, for the sizes of work arrays */

/** Orthonormal bases of the row space and of the null space of a matrix "rows" [m x n], by QR with column pivoting of
 *  the transpose. Each row is scaled to norm 1. */
typedef struct rsd_split {
    int m, n, rank; /* number of rows; number of columns; number of independent rows */
    int *perm;      /* [m] permutation of the rows, independent ones first */
    double *scale;  /* [m] 1/norm of each row */
    double *R;      /* [n x m] upper triangular factor */
    double *Q;      /* [n x n] basis of the row space in the first `rank` columns, of the null space in the others */
} rsd_split;

/** Compute the bases for the matrix whose row i is column i of rows_t [n x m]. A row is dependent if its component
 *  orthogonal to the other rows has a norm of at most `tolerance`. Rows are not scaled if as_they_are is 1.
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_split_compute(rsd_split *s, int m, int n, const double *rows_t, int as_they_are, double tolerance,
                                const resida_allocator *alloc);

/** Return the basis [n x (n - rank)] of the null space of the matrix. */
static inline double *rsd_split_get_null_space(const rsd_split *s)
{
    return s->Q + (long)s->rank * s->n;
}

/** Compute the x [n] of minimum norm that satisfies rows x = b [m]. Dependent rows are ignored. work [m] */
void rsd_split_solve(const rsd_split *s, const double *b, double *x, double *work);

/** Compute weights [m] with rows' weights = x [n] for x in the row space. Weights of dependent rows are 0. work [m] */
void rsd_split_find_weights(const rsd_split *s, const double *x, double *weights, double *work);

/** Compute C = s op(A) B, C [m x n], B [k x n]. op(A) [m x k] is A, or its transpose if `transposed`. lda, ldb, ldc are
 *  leading dimensions. */
void rsd_multiply(int m, int n, int k, double s, const double *A, int lda, int transposed, const double *B, int ldb,
                  double *C, int ldc);

/** Compute scale factors of rows and columns, left and right [n], that are powers of two and bring the entries of A and
 *  E to similar sizes. Entries of at most `floor` times the largest entry of their row are ignored.
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY; RESIDA_ERR_INTERNAL */
resida_status rsd_balance(int n, const double *A, const double *E, double floor, double *left, double *right,
                          const resida_allocator *alloc);

/** Solve lambda E x = A x and y A = lambda y E. A and E [n x n] are overwritten; A - shift E must be regular. lambda =
 *  shift + 1/theta with the eigenvalues theta of (A - shift E)^-1 E by dgeev. The error of theta is about eps times the
 *  largest theta. The error of lambda is therefore about eps |lambda - shift|^2/d, with the distance d of the closest
 *  eigenvalue from the shift. re, im [n]: lambda = re + i im, a pair in two successive places with im > 0 first. beta
 *  [n]: 0 for an infinite eigenvalue. X, Y [n x n]: right and left vectors; for a pair, real and imaginary part of the
 *  vector of the eigenvalue with im > 0.
 *  @return RESIDA_OK; RESIDA_ERR_NEWTON: no convergence; RESIDA_ERR_SINGULAR: A - shift E is singular;
 *  RESIDA_ERR_MEMORY; RESIDA_ERR_INTERNAL */
resida_status rsd_solve_pencil(int n, double shift, double *A, double *E, double *re, double *im, double *beta,
                               double *X, double *Y, const resida_allocator *alloc);

#endif
