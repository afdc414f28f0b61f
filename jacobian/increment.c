/* increment.c - increments of difference quotients, equation (17) of Arnold, Fuchs, Fuehrer:
 *
 *     delta_r = max(|y_r|, eps^(1/4)) sqrt(eps)
 *
 * floored by the error weight (a change far below the tolerance only measures rounding), with the sign of the way
 * that y goes, and rounded so that the perturbed component is exact. Central differences, whose error falls with
 * delta^2, take eps^(1/3) in place of sqrt(eps). */
#include "engine_impl.h"

#include <math.h>

#define SQRT_EPS        1.4901161193847656e-08
#define CUBE_ROOT_EPS   6.0554544523933430e-06
#define FOURTH_ROOT_EPS 1.2207031250000000e-04

double rsd_size(const resida_jacobian_point *at, int i)
{
    double size = rsd_larger(FOURTH_ROOT_EPS, fabs(at->y[i]));
    return at->weights ? rsd_larger(size, 1 / at->weights[i]) : size;
}

static double increment(const resida_jacobian_point *at, int i, double part)
{
    double delta = copysign(rsd_size(at, i) * part, at->h * at->yp[i]);
    volatile double perturbed = at->y[i] + delta;
    return perturbed - at->y[i];
}

double rsd_increment(const resida_jacobian_point *at, int i)
{
    return increment(at, i, SQRT_EPS);
}

double rsd_central_increment(const resida_jacobian_point *at, int i)
{
    return increment(at, i, CUBE_ROOT_EPS);
}
