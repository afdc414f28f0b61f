/* increment.c - increments of difference quotients, equation (17) of Arnold, Fuchs, Fuehrer:
 *
 *     delta_r = max(|y_r|, nominal_r) sqrt(eps)
 *
 * The nominal size of the component replaces eps^(1/4) (nominal.c). The size is at least the tolerance, because a much
 * smaller change measures only rounding. The nominal size is at most 1e12 tolerances, because a larger increment of a
 * component of 1e-12 would leave the range of F. The increment has the sign of h y'. It is rounded so that the
 * perturbed component is exact. The increment of yp is at least alpha times that of y, because a correction changes
 * them in this ratio. A smaller increment would be lost by rounding in large terms of F at accelerations a = 0. Central
 * differences, whose error is proportional to delta^2, use eps^(1/3) instead of sqrt(eps). */
#include "differences.h"

#include "base/numbers.h"

#include <float.h>
#include <math.h>

#define SI_SIZE    1.0  /* maximum nominal size of a column in which F is nonlinear [SI unit] */
#define FAR_BEYOND 1e12 /* maximum nominal size of a component, in its tolerances */

double rsd_get_relative_increment(int is_central)
{
    return is_central ? RSD_CUBE_ROOT_EPS : RSD_SQRT_EPS;
}

double rsd_get_component_size(const resida_jacobian_point *at, int i, double nominal)
{
    if (!at->weights) return rsd_max(nominal, fabs(at->y[i]));
    const double tolerance = 1 / at->weights[i];
    if (nominal <= SI_SIZE && nominal > FAR_BEYOND * tolerance) nominal = FAR_BEYOND * tolerance;
    return rsd_max(rsd_max(nominal, fabs(at->y[i])), tolerance);
}

/* Return an exact increment of a component with value `from`, near `size` and with the sign of `direction`. */
static double round_to_exact_increment(double from, double size, double direction)
{
    volatile double moved = from + copysign(size, direction);
    return moved - from;
}

double rsd_get_exact_increment(const resida_jacobian_point *at, int i, double nominal, int of_yp)
{
    const double size = rsd_get_component_size(at, i, nominal < 1 ? nominal : 1);
    const double moved = of_yp ? rsd_max(fabs(at->yp[i]), fabs(at->alpha) * size) : size;
    return moved > DBL_MIN && moved < INFINITY ? ldexp(1, ilogb(moved)) : 1;
}

double rsd_get_increment(const resida_jacobian_point *at, int i, double nominal, int is_central)
{
    return round_to_exact_increment(
        at->y[i], rsd_get_component_size(at, i, nominal) * rsd_get_relative_increment(is_central), at->h * at->yp[i]);
}

double rsd_get_rough_increment(const resida_jacobian_point *at, int i, double rounding)
{
    return round_to_exact_increment(at->y[i], rsd_get_component_size(at, i, 1) * cbrt(rounding), at->h * at->yp[i]);
}

double rsd_get_rate_increment(const resida_jacobian_point *at, int i, double nominal, int is_central)
{
    const double size =
        rsd_max(rsd_max(RSD_MIN_NOMINAL, fabs(at->yp[i])), fabs(at->alpha) * rsd_get_component_size(at, i, nominal));
    return round_to_exact_increment(at->yp[i], size * rsd_get_relative_increment(is_central), at->yp[i]);
}
