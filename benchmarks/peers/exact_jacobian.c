/* exact_jacobian.c - computes dF/dy and dF/dyp separately by differences of fourth order:
 *
 *     f'(x) = (8 (f(x+d) - f(x-d)) - (f(x+2d) - f(x-2d)))/(12 d) - d^4 f^(5)/30 ...
 *
 * The increment d is a thousandth of the component or of its change in a step, but not less than the smaller of 1e-6
 * and the tolerance. At least ten digits are correct, compared with seven in the one-sided quotients of IDA. */
#include "exact_jacobian.h"

#include <math.h>

static const double part = 1e-3, least = 1e-6;

struct exact_jacobian {
    rsd_peer_run *run;
    double *x, *values; /* [n], [n] */
};

exact_jacobian *exact_jacobian_create(rsd_peer_run *run)
{
    static exact_jacobian e;
    e = (exact_jacobian){run, rsd_peer_doubles(run->n), rsd_peer_doubles(run->n)};
    return &e;
}

/** The point at which F is evaluated: y or yp is the copy e->x, whose component j is varied. */
typedef struct point {
    double t;
    const double *y, *yp;
} point;

/** Add weight dF/dx_j to column [n]; x is the copy to which `at` points. */
static int add_column(exact_jacobian *e, const point *at, int j, double d, double weight, double *column)
{
    static const double steps[] = {1, -1, 2, -2}, factors[] = {8, -8, -1, 1};
    double x = e->x[j];
    d = (x + d) - x;
    for (int k = 0; k < 4; k++) {
        e->x[j] = x + steps[k] * d;
        int verdict = rsd_peer_free_residual(e->run, at->t, at->y, at->yp, e->values);
        e->x[j] = x;
        if (verdict != 0) return verdict;
        for (int i = 0; i < e->run->n; i++) column[i] += weight * factors[k] * e->values[i] / (12 * d);
    }
    return 0;
}

static int add_all(exact_jacobian *e, const point *at, const double *y, const double *yp, double h, double weight,
                   double *J)
{
    const resida_solver_options *o = e->run->o;
    int n = e->run->n, by_yp = at->yp == e->x;
    for (int j = 0; j < n; j++) {
        double d = fmax(part * fmax(fabs(y[j]), fabs(h * yp[j])),
                        fmin(o->rtol * fabs(y[j]) + rsd_peer_atol(e->run, j), least));
        int verdict = add_column(e, at, j, by_yp ? d / fabs(h) : d, weight, J + (size_t)j * (size_t)n);
        if (verdict != 0) return verdict;
    }
    return 0;
}

int exact_jacobian_at(exact_jacobian *e, double t, double h, double alpha, const double *y, const double *yp, double *J)
{
    int n = e->run->n;
    for (int i = 0; i < n * n; i++) J[i] = 0;
    for (int i = 0; i < n; i++) e->x[i] = y[i];
    int verdict = add_all(e, &(point){t, e->x, yp}, y, yp, h, 1, J);
    for (int i = 0; i < n; i++) e->x[i] = yp[i];
    return verdict != 0 ? verdict : add_all(e, &(point){t, y, e->x}, y, yp, h, alpha, J);
}
