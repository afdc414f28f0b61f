/* vector_ops.h - vector operations of the integrator, in whole lanes (lanes.h). */
#ifndef RSD_VECTOR_OPS_H
#define RSD_VECTOR_OPS_H

#include "lanes.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Compute z = c x. n must be a multiple of RSD_LANE; z may be x. */
void rsd_vector_scale(double c, const double *x, double *z, int n);

/** Compute y = y0 + e and yp = yp0 + alpha e, vectors [n], any n; the vectors must not overlap. */
void rsd_vector_correct(int n, const double *y0, const double *yp0, const double *e, double alpha, double *y,
                        double *yp);

/** Return the sum of (x_i w_i)^2 over vectors [n], any n. */
double rsd_vector_sum_weighted_squares(const double *x, const double *w, int n);

/** Return the sum of (id_i x_i w_i)^2 over vectors [n], any n. id_i is 0 or 1. */
double rsd_vector_sum_masked_squares(const double *x, const double *w, const double *id, int n);

/** Compute x += d, vectors x, d [n], any n; the vectors must not overlap. @return sum (d_i w_i)^2 */
double rsd_vector_add_weighted(double *x, const double *d, const double *w, int n);

/** Return 0 times all elements of x [n]: 0, or NaN if an element is NaN or Inf. n must be a multiple of RSD_LANE. */
double rsd_multiply_zero(const double *x, long n);

/** Return 1 if all elements of x [n] are finite. Outputs of callbacks are short and checked at every call, so fewer
 *  than two lanes are checked without a function call. */
static inline int rsd_all_finite(const double *x, long n)
{
    const long whole = n < 2 * RSD_LANE ? 0 : n & ~(long)(RSD_LANE - 1);
    double zero = whole > 0 ? rsd_multiply_zero(x, whole) : 0;
    for (long i = whole; i < n; i++) zero *= x[i];
    return zero == 0;
}

#ifdef __cplusplus
}
#endif
#endif
