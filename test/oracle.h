/* oracle.h - small dense linear algebra in long double, by methods that the library does not use: what its results
 * are compared with. Matrices row by row. Every failure ends the test. */
#ifndef RESIDA_TEST_ORACLE_H
#define RESIDA_TEST_ORACLE_H

enum { ORACLE_MOST = 128 }; /**< largest size of a system */

/** Solve A x = b, A [n x n], by Gauss-Jordan elimination with complete pivoting. A and b are not changed.
 *  @return 1; 0 when a pivot is below 1e-15 of the largest entry */
int oracle_solve(int n, const long double *A, const long double *b, long double *x);

/** Rank of A [rows x cols], rows scaled to norm one: Gram-Schmidt, twice, always with the row of which most is left.
 *  A row counts when more than `tolerance` of it is left. */
int oracle_rank(int rows, int cols, const double *A, double tolerance);

/** How far x [n] is off the span of the rows of A [rows x n]: max norm of the rest over max norm of x (0 for x = 0). */
double oracle_off_span(int rows, int n, const double *A, const double *x);

/** The constrained system  M x + A' mu = b,  A x = c  with M [n x n], A [rows x n]; mu [rows].
 *  @return as oracle_solve() */
int oracle_kkt(int n, int rows, const double *M, const double *A, const double *b, const double *c, long double *x,
               long double *mu);

#endif
