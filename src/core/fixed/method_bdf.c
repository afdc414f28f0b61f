/* method_bdf.c - BDF of a fixed order k = 1 .. 6, y'_{n+1} = (1/h) sum_{i=0}^{k} alpha_i y_{n+1-i}, (2) of Bottasso,
 * Bauchau, Cardona, Time-step-size-independent conditioning, SIAM J. Sci. Comput. 29 (2007) 397-414. The coefficients
 * alpha_i are those of the derivative of the polynomial through the back values. Therefore a step of another size, such
 * as the last one before a stop time, has the same order. The order is lower while back values are missing. */
#include "method.h"

/* Compute the weights [k + 1] with which sum_j weight_j y_j is the slope at x_0 = 0 of the polynomial through the
 * values y_j at x_0, x_1 .. x_k. */
static void compute_derivative_weights(int k, const double *x, double *weight)
{
    weight[0] = 0;
    for (int j = 1; j <= k; j++) {
        double w = -1 / x[j]; /* l_j'(0) = -1/x_j prod_{m != 0, j} x_m/(x_m - x_j) */
        for (int m = 1; m <= k; m++)
            if (m != j) w *= x[m] / (x[m] - x[j]);
        weight[j] = -w;
        weight[0] -= weight[j];
    }
}

static void begin_bdf(const rsd_method *m, const rsd_past *past, double h, rsd_stages *st, double *k)
{
    int order = m->steps < past->count ? m->steps : past->count;
    double x[RSD_MAX_BACK_VALUES + 1] = {0, -1}, weight[RSD_MAX_BACK_VALUES + 1];
    for (int i = 2; i <= order; i++) x[i] = x[i - 1] - past->h[i - 2] / h;
    compute_derivative_weights(order, x, weight);
    rsd_stages_set_plain(st, weight[0]);
    for (int i = 2; i <= order; i++)
        for (int c = 0; c < past->n; c++) k[c] += weight[i] / h * (past->y[i - 1][c] - past->y[0][c]);
}

#define BDF(k)                                                                                                         \
    {                                                                                                                  \
        .name = "bdf" #k, .steps = k, .order = k, .begin = begin_bdf, .end = rsd_set_end_from_stage                    \
    }

const rsd_method rsd_method_bdf[6] = {BDF(1), BDF(2), BDF(3), BDF(4), BDF(5), BDF(6)};
