/* spd_solve.h - the explicit and the residual formalism of a small model from its dense mass matrix. */
#ifndef BENCH_SPD_SOLVE_H
#define BENCH_SPD_SOLVE_H

/** a [n] = M^-1 (psi + f). M [n x n] symmetric, overwritten. @return 0; 1 when M is not positive definite */
int bench_spd_acceleration(int n, double *M, const double *psi, const double *f, double *a);

/** r [n] = M a - psi, M [n x n] by rows. */
void bench_dense_residual(int n, const double *M, const double *psi, const double *a, double *r);

#endif
