/* vector_ops.c - see vector_ops.h. A step of IDA calls about twenty of these functions. Each makes one pass over its
 * vectors. */
#include "vector_ops.h"

RSD_WIDE void rsd_vector_scale(double c, const double *x, double *z, int n)
{
    int whole = rsd_round_down_to_lane(n); /* equals n; shows the compiler that the loop has no remainder */
    RSD_ELEMENTWISE for (int i = 0; i < whole; i++) z[i] = c * x[i];
}

RSD_WIDE void rsd_vector_correct(int n, const double *restrict y0, const double *restrict yp0, const double *restrict e,
                                 double alpha, double *restrict y, double *restrict yp)
{
    for (int i = 0; i < n; i++) {
        y[i] = y0[i] + e[i];
        yp[i] = yp0[i] + alpha * e[i];
    }
}

/* The loop bounds show compilers that the remainders of the sums are short. */
RSD_WIDE double rsd_vector_sum_weighted_squares(const double *x, const double *w, int n)
{
    const int whole = rsd_round_down_to_lane(n);
    rsd_lane sum = {0};
    double rest = 0;
    for (int i = 0; i < whole; i += RSD_LANE) {
        const rsd_lane part = RSD_LANE_AT(x + i) * RSD_LANE_AT(w + i);
        sum += part * part;
    }
    for (int i = whole; i < whole + RSD_LANE - 1 && i < n; i++) rest += x[i] * w[i] * (x[i] * w[i]);
    return rsd_sum_lane(&sum) + rest;
}

RSD_WIDE double rsd_vector_add_weighted(double *restrict x, const double *restrict d, const double *restrict w, int n)
{
    const int whole = rsd_round_down_to_lane(n);
    rsd_lane sum = {0};
    double rest = 0;
    for (int i = 0; i < whole; i += RSD_LANE) {
        const rsd_lane part = RSD_LANE_AT(d + i) * RSD_LANE_AT(w + i);
        *(rsd_lane *)(x + i) += RSD_LANE_AT(d + i);
        sum += part * part;
    }
    for (int i = whole; i < whole + RSD_LANE - 1 && i < n; i++) {
        x[i] += d[i];
        rest += d[i] * w[i] * (d[i] * w[i]);
    }
    return rsd_sum_lane(&sum) + rest;
}

RSD_WIDE double rsd_vector_sum_masked_squares(const double *x, const double *w, const double *id, int n)
{
    const int whole = rsd_round_down_to_lane(n);
    rsd_lane sum = {0};
    double rest = 0;
    for (int i = 0; i < whole; i += RSD_LANE) {
        const rsd_lane part = RSD_LANE_AT(id + i) * (RSD_LANE_AT(x + i) * RSD_LANE_AT(w + i));
        sum += part * part;
    }
    for (int i = whole; i < whole + RSD_LANE - 1 && i < n; i++) rest += id[i] * (x[i] * w[i]) * (id[i] * (x[i] * w[i]));
    return rsd_sum_lane(&sum) + rest;
}

/* The loop has no early exit, so that it is vectorised. */
RSD_WIDE double rsd_multiply_zero(const double *x, long n)
{
    rsd_lane zero = {0};
    for (long i = 0; i < n; i += RSD_LANE) zero *= RSD_LANE_AT(x + i);
    return rsd_sum_lane(&zero);
}
