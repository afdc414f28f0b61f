/* condition.h - how large the inverse of a symmetric matrix is, from a few solutions with it. */
#ifndef RSD_CONDITION_H
#define RSD_CONDITION_H

/** x = A^-1 x */
typedef void rsd_apply_inverse(void *context, double *x);

/** An estimate of the 2-norm of A^-1, A [n x n] symmetric, from below; within a factor of ten unless a fixed start
 *  without pattern misses the direction. Inf when solutions overflow. x [n] work space, n > 0. */
double rsd_inverse_norm(int n, rsd_apply_inverse *solve, void *context, double *x);

#endif
