/* sparse_matrix.h - matrices for tests of linear solvers: random ones, and the iteration matrix of a chain. */
#ifndef RESIDA_TEST_SPARSE_MATRIX_H
#define RESIDA_TEST_SPARSE_MATRIX_H

#include <stdint.h>

/** A by columns, rows rising; entries may be explicit zeros. */
typedef struct sparse_matrix {
    int n, nnz;
    int *col_start; /* [n + 1] */
    int *row;       /* [nnz] */
    double *values; /* [nnz] */
} sparse_matrix;

/** n x n, about density n^2 entries in -1..1, regular by its pattern: every row and column is met by a random
 *  permutation. Takes n^2 time. */
sparse_matrix sparse_random(int n, double density, uint64_t *seed);

/** The iteration matrix of a chain of n_rods point masses with rods between them in the plane, hung up at the first
 *  rod, in GGL; 6 n_rods unknowns (p, v, lam, eta):
 *
 *      [ alpha I    -I        0    G' ]      rods: angle_i = angle + i bend
 *      [ K           alpha M  G'   0  ]      K: derivative of G' lam along p
 *      [ dGv/dp      G        0    0  ]
 *      [ G           0        0    0  ]                                                   */
sparse_matrix sparse_chain(int n_rods, double alpha, double angle, double bend);

/** 2 on the diagonal and 1 below it: triangular, every block 1 x 1. */
sparse_matrix sparse_bidiagonal(int n);

/** A with its row i moved to to_row[i] and its column j to to_col[j]. */
sparse_matrix sparse_permuted(const sparse_matrix *A, const int *to_row, const int *to_col);

/** A random permutation of 0..n-1. */
void sparse_permutation(int n, int *to, uint64_t *seed);

void sparse_free(sparse_matrix *A);

/** y = A x */
void sparse_times(const sparse_matrix *A, const double *x, double *y);

/** D [n x n] column by column */
void sparse_to_full(const sparse_matrix *A, double *D);

/** How wrong x is as a solution of A x = b: the least relative change of the matrix and of b, entry by entry, that
 *  makes it right: max_i |b - A x|_i / (|A| |x| + |b|)_i (W. Oettli, W. Prager: Compatibility of approximate solution
 *  of linear equations with given error bounds for coefficients and right-hand sides). */
double sparse_backward_error(const sparse_matrix *A, const double *x, const double *b);

#endif
