/* increment.c - increments of difference quotients, equation (17) of Arnold, Fuchs, Fuehrer:
 *
 *     delta_r = max(|y_r|, eps^(1/4)) sqrt(eps)
 *
 * floored by the error weight (a change far below the tolerance only measures rounding), with the sign of the way
 * that y goes, and rounded so that the perturbed component is exact. */
#include "engine_impl.h"

#include <math.h>

#define SQRT_EPS        1.4901161193847656e-08
#define FOURTH_ROOT_EPS 1.2207031250000000e-04

double rsd_increment(const resida_jacobian_point *at, int i)
{
    double size = fmax(fabs(at->y[i]), FOURTH_ROOT_EPS);
    if (at->weights) size = fmax(size, 1 / at->weights[i]);
    double delta = copysign(size * SQRT_EPS, at->h * at->yp[i]);
    volatile double perturbed = at->y[i] + delta;
    return perturbed - at->y[i];
}
