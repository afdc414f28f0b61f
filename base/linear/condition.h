/* condition.h - estimates the norm of the inverse of a symmetric matrix from a few solutions. */
#ifndef RSD_CONDITION_H
#define RSD_CONDITION_H

/** A function that computes x = A^-1 x, x [n]. */
typedef void rsd_apply_inverse(void *context, double *x);

/** Estimate the 2-norm of A^-1 from below, A [n x n] symmetric. The estimate is at least a tenth of the norm unless the
 *  fixed start vector is nearly orthogonal to the direction of the largest growth. Return Inf on overflow. x [n] is
 *  workspace, n > 0. */
double rsd_estimate_inverse_norm(int n, rsd_apply_inverse *solve, void *context, double *x);

#endif
