/* vectors.h - vector operations of a step for one parameter. The arguments do not overlap. For small models these
 * operations take about as long as the residual. */
#ifndef RSD_SENSITIVITY_VECTORS_H
#define RSD_SENSITIVITY_VECTORS_H

#include "base/lanes.h"

#include <float.h>
#include <math.h>

/* Compute z = sum value_j x_j and zp = sum slope_j x_j, j = 0 .. count - 1. */
RSD_WIDE static void rsd_tangent_combine(int n, int count, const double *value, const double *slope, double *const *x,
                                         double *restrict z, double *restrict zp)
{
    for (int j = 0; j < count; j++) {
        const double *restrict from = x[j];
        const double a = value[j], b = slope[j];
        for (int i = 0; i < n; i++) {
            z[i] = j > 0 ? z[i] + a * from[i] : a * from[i];
            zp[i] = j > 0 ? zp[i] + b * from[i] : b * from[i];
        }
    }
}

/* Compute to = from + d x. */
RSD_WIDE static void rsd_tangent_move(int n, const double *restrict from, double d, const double *restrict x,
                                      double *restrict to)
{
    for (int i = 0; i < n; i++) to[i] = from[i] + d * x[i];
}

/* Set size_i = max(size_i, |x_i|). */
RSD_WIDE static void rsd_tangent_update_sizes(int n, const double *restrict x, double *restrict size)
{
    for (int i = 0; i < n; i++) {
        const double now = fabs(x[i]);
        size[i] = now > size[i] ? now : size[i];
    }
}

/* Arguments of rsd_tangent_set_weights(). */
typedef struct rsd_tangent_tolerance {
    const double *rtol, *atol;   /* [n] relative and absolute tolerances of y */
    const double *size, *size_y; /* [n] largest |s|; largest |y| so far */
    double by, part;             /* 1/(size of the parameter); relative error of differences */
} rsd_tangent_tolerance;

/* Set w_i = 1/(rtol_i |s_i| + atol_i by + part max(size_i, size_y_i by)). */
RSD_WIDE static void rsd_tangent_set_weights(int n, const rsd_tangent_tolerance *t, const double *restrict s,
                                             double *restrict w)
{
    const double *restrict rtol = t->rtol, *restrict atol = t->atol, *restrict of_s = t->size,
                           *restrict of_y = t->size_y;
    const double by = t->by, part = t->part;
    for (int i = 0; i < n; i++) {
        const double own = of_y[i] * by, size = of_s[i] > own ? of_s[i] : own;
        const double tolerance = rtol[i] * fabs(s[i]) + atol[i] * by + part * size;
        w[i] = 1 / (tolerance > DBL_MIN ? tolerance : DBL_MIN);
    }
}

#endif
