/* condition.h - estimates the norm of the inverse of a symmetric matrix from a few solutions. */
#ifndef RSD_CONDITION_H
#define RSD_CONDITION_H

/** A function that computes x = A^-1 x, x [n]. */
typedef void rsd_apply_inverse(void *context, double *x);

/** Return a lower bound of the 2-norm of A^-1, A [n x n] symmetric, n > 0, or Inf on overflow. The bound is at least a
 *  tenth of the norm unless the fixed start vector is nearly orthogonal to the eigenvector of the smallest
 *  |eigenvalue|. x [n] is work space. */
double rsd_estimate_inverse_norm(int n, rsd_apply_inverse *solve, void *context, double *x);

#endif
