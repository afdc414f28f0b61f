/* fixed_past.c - the history of steps: back values, the polynomial of a collocation method, their extrapolation and
 * interpolation.
 *
 * The polynomial u of degree 3 through y_n and the stages has an error of order 4 within the step,
 *
 *     y - u = h^4 y^(4) phi(x)/6,    phi = integral from 0 to x of (s - c_1)(s - c_2)(s - 1) ds,    phi(1) = 0
 *
 * The error estimate e = h/gamma (y'_n - u'(0)) (fixed_error.c) measures this error. The term gamma e phi(x)/phi'(0) is
 * added to u. The slope of the sum at t_n is y'_n, and its error has order 5. e is bounded for stiff components, where
 * y'_n is not smooth. The sum is kept in Newton's form, by its divided differences at the nodes 1, c_2, c_1, 0. In an
 * algebraic component of index 1, e is the error of the stages, but y^(4) also has other causes. Its last difference
 * is computed from y_{n-2}. */
#include "fixed.h"

#include <math.h>
#include <string.h>

/* Set the field of each component. Multipliers have derivatives if the formulation uses them as rates. */
static void set_component_fields(rsd_past *past)
{
    const resida_problem *q = past->problem;
    const resida_layout *l = &q->layout;
    for (int i = 0; i < past->n; i++) {
        int is_p = l->p >= 0 && i >= l->p && i < l->p + l->n_p, is_v = l->v >= 0 && i >= l->v && i < l->v + l->n_v;
        int is_z = is_v && i >= l->v + l->n_v - l->n_z;
        if (q->mechanism)
            past->field[i] = is_p                     ? RSD_FIELD_P
                             : is_z                   ? RSD_FIELD_Z
                             : is_v || q->form->rates ? RSD_FIELD_V
                                                      : RSD_FIELD_REST;
        else
            past->field[i] = q->kinds[i] == RESIDA_DIFFERENTIAL ? RSD_FIELD_V : RSD_FIELD_REST;
    }
}

resida_status rsd_past_create(rsd_past *past, const resida_allocator *alloc)
{
    const int n = past->n = past->problem->layout.n;
    int all = RSD_DOUBLES(alloc, n, &past->yp, &past->yp_before, &past->b, &past->b_start, &past->slope);
    for (int i = 0; i < RSD_MAX_BACK_VALUES; i++) all &= (past->y[i] = rsd_doubles(alloc, n)) != NULL;
    past->field = rsd_calloc(alloc, n, sizeof *past->field);
    all &= (past->differences = rsd_matrix(alloc, 4, n)) != NULL;
    if (!all || !past->field) return RESIDA_ERR_MEMORY;
    set_component_fields(past);
    return RESIDA_OK;
}

void rsd_past_save_back_values(rsd_past *past, double h)
{
    memcpy(past->b_start, past->b, (size_t)past->n * sizeof *past->b);
    past->h_b = h;
}

void rsd_past_begin(rsd_past *past, const double *y, const double *yp)
{
    size_t bytes = (size_t)past->n * sizeof *y;
    past->count = 1;
    past->has_polynomial = 0;
    memcpy(past->y[0], y, bytes);
    memcpy(past->yp, yp, bytes);
    memcpy(past->yp_before, yp, bytes);
    memset(past->b, 0, bytes);
    memset(past->slope, 0, bytes);
    rsd_past_save_back_values(past, 0);
}

void rsd_past_add_step(rsd_past *past, double h, const double *y, const double *yp)
{
    size_t bytes = (size_t)past->n * sizeof *y;
    double *oldest = past->y[RSD_MAX_BACK_VALUES - 1], *before = past->yp_before;
    for (int i = RSD_MAX_BACK_VALUES - 1; i > 0; i--) {
        past->y[i] = past->y[i - 1];
        past->h[i] = past->h[i - 1];
    }
    past->y[0] = oldest;
    past->h[0] = h;
    past->yp_before = past->yp;
    past->yp = before;
    if (past->count < RSD_MAX_BACK_VALUES) past->count++;
    for (int i = 0; i < past->n; i++) past->slope[i] = (past->b[i] - past->b_start[i]) / h;
    rsd_past_save_back_values(past, h);
    memcpy(past->y[0], y, bytes);
    memcpy(past->yp, yp, bytes);
}

/* Return phi(x), the integral from 0 to x of (s - c_1)(s - c_2)(s - 1) ds, for the inner nodes c = (c_1, c_2). */
static double phi(const double *c, double x)
{
    const double sum = c[0] + c[1] + 1, product = c[0] * c[1], pairs = product + sum - 1;
    return x * (-product + x * (pairs / 2 + x * (-sum / 3 + x / 4)));
}

/* Return the fourth divided difference of algebraic component i at the nodes and t_{n-2}. d [3] are the lower
 * differences. If y_{n-2} is unknown, or if the component is not smooth, return `other`. */
static double compute_fourth_difference(const rsd_past *past, int i, const double *d, double other)
{
    const double before = past->h[1] / past->h[0], to_2 = before + past->c[1], to_1 = before + past->c[0];
    if (past->problem->kinds[i] != RESIDA_ALGEBRAIC || past->count <= 2) return other;
    const double cubic = past->y[0][i] - (1 + before) * (d[0] - to_2 * (d[1] - to_1 * d[2]));
    const double fourth = (past->y[2][i] - cubic) / ((1 + before) * to_2 * to_1 * before);
    return fabs(fourth) <= fabs(d[1]) + fabs(d[2]) ? fourth : other;
}

void rsd_past_set_polynomial(rsd_past *past, const rsd_stages *st, const double *X, const double *e, double gamma)
{
    const int n = past->n;
    const double c1 = past->c[0] = st->c[0], c2 = past->c[1] = st->c[1];
    const double phi_1 = phi(past->c, c1), phi_2 = phi(past->c, c2), factor = -gamma / (c1 * c2);
    past->has_polynomial = 1;
    for (int i = 0; i < n; i++) {
        const double bend = past->problem->kinds[i] < RESIDA_ALGEBRAIC_2 ? factor * e[i] : 0;
        const double y1 = X[i] + bend * phi_1, y2 = X[n + i] + bend * phi_2;
        const double to_end = (past->y[0][i] - y2) / (1 - c2), inner = (y2 - y1) / (c2 - c1);
        const double at_end = (to_end - inner) / (1 - c1), at_start = (inner - (y1 - past->y[1][i]) / c1) / c2;
        double *d = past->differences + 4 * i;
        d[0] = to_end, d[1] = at_end, d[2] = at_end - at_start;
        d[3] = compute_fourth_difference(past, i, d, bend / 4);
    }
}

/* Evaluate the polynomial of the last step at x, in units of the last step: 0 is its start, 1 its end. The result is
 * y_n at the end plus a difference, so that it is exact at x = 1. yp may be NULL. */
static void evaluate_polynomial(const rsd_past *past, double x, double *y, double *yp)
{
    const double from_1 = x - past->c[0], from_2 = x - past->c[1], from_end = x - 1;
    for (int i = 0; i < past->n; i++) {
        const double *d = past->differences + 4 * i;
        const double cubic = d[2] + x * d[3], square = d[1] + from_1 * cubic, line = d[0] + from_2 * square;
        y[i] = past->y[0][i] + from_end * line;
        if (yp) yp[i] = (line + from_end * (square + from_2 * (cubic + from_1 * d[3]))) / past->h[0];
    }
}

void rsd_past_apply_jump(rsd_past *past, const double *jump)
{
    for (int i = 0; i < past->n; i++) {
        const int is_p = past->field[i] == RSD_FIELD_P, is_rate = rsd_is_rate(past->field[i]);
        double to = 0; /* t_n minus the time of back value i [s] */
        if (is_rate) past->yp[i] += jump[i];
        if (is_p || is_rate) past->b[i] = past->b_start[i] += jump[i];
        if (!is_p && !is_rate) past->y[0][i] += jump[i];
        for (int k = 1; k < past->count; k++) {
            to += past->h[k - 1];
            past->y[k][i] += is_p ? to * to / 2 * jump[i] : is_rate ? -to * jump[i] : jump[i];
        }
    }
}

void rsd_past_extrapolate(const rsd_past *past, double h, double x, int degree, double *y)
{
    double at[RSD_MAX_BACK_VALUES] = {0}, weight[RSD_MAX_BACK_VALUES];
    if (past->has_polynomial) {
        evaluate_polynomial(past, 1 + x * h / past->h[0], y, NULL);
        return;
    }
    if (degree > past->count - 1) degree = past->count - 1;
    for (int j = 1; j <= degree; j++) at[j] = at[j - 1] - past->h[j - 1] / h;
    for (int j = 0; j <= degree; j++) {
        weight[j] = 1;
        for (int m = 0; m <= degree; m++)
            if (m != j) weight[j] *= (x - at[m]) / (at[j] - at[m]);
    }
    for (int i = 0; i < past->n; i++) {
        y[i] = past->y[0][i];
        for (int j = 1; j <= degree; j++) y[i] += weight[j] * (past->y[j][i] - past->y[0][i]);
        if (degree == 0 && past->field[i] != RSD_FIELD_REST) y[i] += h * x * past->yp[i];
    }
}

void rsd_past_interpolate(const rsd_past *past, double x, double *y, double *yp)
{
    if (past->has_polynomial) {
        evaluate_polynomial(past, x, y, yp);
        return;
    }
    const double h = past->h[0], *y0 = past->y[1], *y1 = past->y[0], *d0 = past->yp_before, *d1 = past->yp;
    for (int i = 0; i < past->n; i++) {
        double slope = (y1[i] - y0[i]) / h, from_0 = d0[i] - slope, from_1 = d1[i] - slope;
        if (past->field[i] == RSD_FIELD_REST) from_0 = from_1 = 0;
        y[i] = x == 1 ? y1[i] : y0[i] + x * h * (slope + (1 - x) * ((1 - x) * from_0 - x * from_1));
        if (!yp) continue;
        yp[i] = slope + (1 - x) * (1 - 3 * x) * from_0 + x * (3 * x - 2) * from_1;
        if (past->field[i] == RSD_FIELD_REST) yp[i] = x == 1 ? d1[i] : slope;
    }
}
