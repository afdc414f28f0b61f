/* vector_ops.c - see vector_ops.h. A step of IDA takes some twenty of these; with 28 unknowns that is half of what it
 * costs beside the corrector iteration, so sums of many vectors are formed three and two at a time, without a pass for
 * each. */
#include "vector_ops.h"

#include <string.h>

/* z = x + b y */
RSD_WIDE static void sum_with_one(const double *x, double b, const double *y, double *z, int n)
{
    int whole = rsd_lane_of(n); /* compilers see that no rest is left */
    RSD_ELEMENTWISE for (int i = 0; i < whole; i++) z[i] = x[i] + b * y[i];
}

RSD_WIDE static void sum_of_two(double a, const double *x, double b, const double *y, double *z, int n)
{
    int whole = rsd_lane_of(n);
    RSD_ELEMENTWISE for (int i = 0; i < whole; i++) z[i] = a * x[i] + b * y[i];
}

void rsd_vector_sum(double a, const double *x, double b, const double *y, double *z, int n)
{
    if (a == 1)
        sum_with_one(x, b, y, z, n);
    else
        sum_of_two(a, x, b, y, z, n);
}

RSD_WIDE static void sums_with_one(int count, const double *const *x, double b, const double *const *y,
                                   double *const *z, int n)
{
    int whole = rsd_lane_of(n);
    for (int j = 0; j < count; j++) {
        const double *xj = x[j], *yj = y[j];
        double *zj = z[j];
        RSD_ELEMENTWISE for (int i = 0; i < whole; i++) zj[i] = xj[i] + b * yj[i];
    }
}

void rsd_vector_sums(int count, double a, const double *const *x, double b, const double *const *y, double *const *z,
                     int n)
{
    if (a == 1)
        sums_with_one(count, x, b, y, z, n);
    else
        for (int j = 0; j < count; j++) sum_of_two(a, x[j], b, y[j], z[j], n);
}

RSD_WIDE static void scaled(double c, const double *x, double *z, int n)
{
    int whole = rsd_lane_of(n);
    RSD_ELEMENTWISE for (int i = 0; i < whole; i++) z[i] = c * x[i];
}

void rsd_vector_scale(double c, const double *x, double *z, int n)
{
    if (c == 1)
        memmove(z, x, (size_t)n * sizeof *z);
    else
        scaled(c, x, z, n);
}

/* z = c0 x0 + c1 x1 + c2 x2 */
RSD_WIDE static void sum_of_three(const double *c, const double *const *x, double *z, int n)
{
    const double a0 = c[0], a1 = c[1], a2 = c[2], *x0 = x[0], *x1 = x[1], *x2 = x[2];
    int whole = rsd_lane_of(n);
    RSD_ELEMENTWISE for (int i = 0; i < whole; i++) z[i] = a0 * x0[i] + a1 * x1[i] + a2 * x2[i];
}

/* z += c0 x0 + c1 x1 */
RSD_WIDE static void add_two(const double *c, const double *const *x, double *z, int n)
{
    const double a0 = c[0], a1 = c[1], *x0 = x[0], *x1 = x[1];
    int whole = rsd_lane_of(n);
    RSD_ELEMENTWISE for (int i = 0; i < whole; i++) z[i] = z[i] + a0 * x0[i] + a1 * x1[i];
}

enum { AT_FIRST = 3 }; /* terms that one pass adds up; each further one takes two */

void rsd_vector_combination(int count, const double *c, const double *const *x, double *z, int n)
{
    int done = count < AT_FIRST ? count : AT_FIRST;
    if (count == 1)
        rsd_vector_scale(c[0], x[0], z, n);
    else if (count == 2)
        rsd_vector_sum(c[0], x[0], c[1], x[1], z, n);
    else
        sum_of_three(c, x, z, n);
    for (; count - done >= 2; done += 2) add_two(c + done, x + done, z, n);
    if (done < count) sum_with_one(z, c[done], x[done], z, n);
}

RSD_WIDE static void corrected(int n, const double *restrict y0, const double *restrict yp0, const double *restrict e,
                               double alpha, double *restrict y, double *restrict yp)
{
    for (int i = 0; i < n; i++) {
        y[i] = y0[i] + e[i];
        yp[i] = yp0[i] + alpha * e[i];
    }
}

void rsd_vector_corrected(int n, const double *y0, const double *yp0, const double *e, double alpha, double *y,
                          double *yp)
{
    corrected(n, y0, yp0, e, alpha, y, yp);
}

RSD_WIDE static double weighted(const double *x, const double *w, int n)
{
    double sum[RSD_LANE] = {0, 0, 0, 0}, rest = 0;
    int whole = rsd_lane_of(n);
    for (int i = 0; i < whole; i += RSD_LANE)
        for (int q = 0; q < RSD_LANE; q++) sum[q] += x[i + q] * w[i + q] * (x[i + q] * w[i + q]);
    for (int i = whole; i < n; i++) rest += x[i] * w[i] * (x[i] * w[i]);
    return rsd_lane_sum(sum) + rest;
}

RSD_WIDE static double added(double *restrict x, const double *restrict d, const double *restrict w, int n)
{
    double sum[RSD_LANE] = {0, 0, 0, 0}, rest = 0;
    int whole = rsd_lane_of(n);
    for (int i = 0; i < whole; i += RSD_LANE)
        for (int q = 0; q < RSD_LANE; q++) {
            x[i + q] += d[i + q];
            sum[q] += d[i + q] * w[i + q] * (d[i + q] * w[i + q]);
        }
    for (int i = whole; i < n; i++) {
        x[i] += d[i];
        rest += d[i] * w[i] * (d[i] * w[i]);
    }
    return rsd_lane_sum(sum) + rest;
}

RSD_WIDE static double masked(const double *x, const double *w, const double *id, int n)
{
    double sum[RSD_LANE] = {0, 0, 0, 0}, rest = 0;
    int whole = rsd_lane_of(n);
    for (int i = 0; i < whole; i += RSD_LANE)
        for (int q = 0; q < RSD_LANE; q++)
            sum[q] += id[i + q] * (x[i + q] * w[i + q]) * (id[i + q] * (x[i + q] * w[i + q]));
    for (int i = whole; i < n; i++) rest += id[i] * (x[i] * w[i]) * (id[i] * (x[i] * w[i]));
    return rsd_lane_sum(sum) + rest;
}

double rsd_vector_weighted(const double *x, const double *w, int n)
{
    return weighted(x, w, n);
}

double rsd_vector_masked(const double *x, const double *w, const double *id, int n)
{
    return masked(x, w, id, n);
}

double rsd_vector_add_weighted(double *x, const double *d, const double *w, int n)
{
    return added(x, d, w, n);
}

/* No early exit: it vectorises. */
RSD_WIDE static double zero_times(const double *x, long n)
{
    double sum[RSD_LANE] = {0, 0, 0, 0};
    for (long i = 0; i < n; i += RSD_LANE)
        for (int q = 0; q < RSD_LANE; q++) sum[q] += 0 * x[i + q];
    return rsd_lane_sum(sum);
}

double rsd_zero_times(const double *x, long n)
{
    return zero_times(x, n);
}
