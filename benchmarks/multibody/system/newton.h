/* newton.h - Newton's method for small systems, to be used when a model is made: static equilibria. */
#ifndef MB_NEWTON_H
#define MB_NEWTON_H

#include <resida/status.h>

/** r [n] = F(x). @return 0; 1 when F does not exist there */
typedef int mb_function(const double *x, double *r, void *user);

/** Solve F(x) = 0 with differences (central, increment 1e-7) and corrections of at most `most` in every component,
 *  until corrections below 1e-9 (1 + |x|) no longer shrink: then rounding is all that is left.
 *  @param[in,out] x  [n] start, solution
 *  @return 0; 1 when there is no solution near the start, or no memory: then `why` says so */
int mb_newton(int n, mb_function *F, void *user, double most, double *x, resida_message *why);

/** x = A^-1 b by elimination with partial pivoting; A [n x n] by rows and b are overwritten, b by x.
 *  @return 0; 1 when A is singular */
int mb_solve(int n, double *A, double *b);

#endif
