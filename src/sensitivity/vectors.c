/* vectors.c - see vectors.h. */
#include "vectors.h"

#include "src/base/lanes.h"
#include "src/base/vector_ops.h"

#include <float.h>
#include <math.h>

RSD_WIDE static void begin(int n, const double *c, const double *cp, const double *restrict x, double *restrict z,
                           double *restrict zp)
{
    const double a = c[0], b = cp[0];
    for (int i = 0; i < n; i++) {
        z[i] = a * x[i];
        zp[i] = b * x[i];
    }
}

RSD_WIDE static void add_two(int n, const double *c, const double *cp, double *const *x, double *restrict z,
                             double *restrict zp)
{
    const double a0 = c[0], a1 = c[1], b0 = cp[0], b1 = cp[1];
    const double *restrict x0 = x[0], *restrict x1 = x[1];
    for (int i = 0; i < n; i++) {
        z[i] += a0 * x0[i] + a1 * x1[i];
        zp[i] += b0 * x0[i] + b1 * x1[i];
    }
}

RSD_WIDE static void add_one(int n, const double *c, const double *cp, const double *restrict x, double *restrict z,
                             double *restrict zp)
{
    const double a = c[0], b = cp[0];
    for (int i = 0; i < n; i++) {
        z[i] += a * x[i];
        zp[i] += b * x[i];
    }
}

void rsd_tangent_combine(int n, int count, const double *value, const double *slope, double *const *x, double *z,
                         double *zp)
{
    int done = 1;
    begin(n, value, slope, x[0], z, zp);
    for (; count - done >= 2; done += 2) add_two(n, value + done, slope + done, x + done, z, zp);
    if (done < count) add_one(n, value + done, slope + done, x[done], z, zp);
}

RSD_WIDE static void moved(int n, const double *restrict from, double d, const double *restrict x, double *restrict to)
{
    for (int i = 0; i < n; i++) to[i] = from[i] + d * x[i];
}

void rsd_tangent_move(int n, const double *from, double d, const double *x, double *to)
{
    moved(n, from, d, x, to);
}

RSD_WIDE static void divided(int n, const double *restrict F, const double *restrict F0, double d, double *restrict R)
{
    for (int i = 0; i < n; i++) R[i] = (F[i] - F0[i]) / d;
}

void rsd_tangent_difference(int n, const double *F, const double *F0, double d, const double *more, double *R)
{
    divided(n, F, F0, d, R);
    for (int i = 0; more && i < n; i++) R[i] += more[i];
}

RSD_WIDE static void added(int n, double c, const double *restrict x, double *restrict to)
{
    for (int i = 0; i < n; i++) to[i] += c * x[i];
}

double rsd_tangent_correct(int n, const double *R, double alpha, const double *w, double *s, double *sp)
{
    added(n, alpha, R, sp);
    return rsd_vector_add_weighted(s, R, w, n);
}

RSD_WIDE static void noted(int n, const double *restrict x, double *restrict size)
{
    for (int i = 0; i < n; i++) {
        const double now = fabs(x[i]);
        size[i] = now > size[i] ? now : size[i];
    }
}

void rsd_tangent_note(int n, const double *x, double *size)
{
    noted(n, x, size);
}

RSD_WIDE static void weights(int n, const rsd_tangent_tolerance *t, const double *restrict s, double *restrict w)
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

void rsd_tangent_weigh(int n, const rsd_tangent_tolerance *t, const double *s, double *w)
{
    weights(n, t, s, w);
}
