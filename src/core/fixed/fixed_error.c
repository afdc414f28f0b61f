/* fixed_error.c - the error estimate of a collocation method with steps of variable size, by an embedded formula
 * (Hairer, Wanner, Solving Ordinary Differential Equations II, IV.8). With the matrix A + gamma/h B of the iteration,
 *
 *     e = -(A + gamma/h B)^-1 F(t_n, y_n, y'),    y' = -1/h sum_j embedded_j (X_j - y_n)
 *
 * The estimate e is bounded for stiff components. Since F(t_n, y_n, y'_n) = 0 at the end of a step, F(t_n, y_n, y') is
 * B (y' - y'_n). Therefore the estimate costs no residual call. In the first step and after a failed test a large e is
 * computed again from F(t_n, y_n + e, y'), which costs one call. The second estimate tends to 0 in the fast phase of
 * stiff components. It does not depend on y'_n, which may have jumped.
 *
 * The estimate has the order 3 + 1, and the method has order 5. The tolerances of the estimate are those of the user to
 * the power of 4/5, so that errors of the result are proportional to the tolerances. */
#include "fixed.h"

#include "src/core/watch/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Tolerances of the error estimate, relative to rtol^(4/5) (0.5 to 0.7). A factor of 1.2 saves 4 % of the calls and
 * multiplies errors by 1.7. A factor of 0.3 costs 6 % more calls and multiplies errors by 0.7. */
#define TOLERANCE_FACTOR 0.6

/* Return the ratio of the tolerances of the estimate to the tolerances of the user. */
static double get_tolerance_ratio(const rsd_fixed *fixed)
{
    return TOLERANCE_FACTOR * pow(rsd_get_min_rtol(fixed->base.o, fixed->base.n), -0.2);
}

double rsd_fixed_tested_norm(rsd_fixed *fixed, double h, const double *x)
{
    const resida_solver_options *o = fixed->base.o;
    const int n = fixed->base.n, with_all = o->error_test == RESIDA_ERROR_TEST_ALL;
    double *w = fixed->held_F, sum = 0, count = 0;
    rsd_compute_newton_weights(with_all, h, n, fixed->base.problem->kinds, fixed->ewt, w);
    for (int i = 0; i < n; i++) {
        const double part = fixed->tested[i] * w[i] * x[i];
        sum += part * part;
        count += fixed->tested[i] > DBL_MIN;
    }
    return count > 0 ? sqrt(sum / count) : 0;
}

/* Compute the derivative y' [n] of the embedded formula of order 3 from the stages X. */
static void compute_embedded_derivative(const rsd_fixed *fixed, double h, double *yp)
{
    const rsd_collocation *of = fixed->method->collocation;
    const int n = fixed->base.n;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < 3; j++) sum += of->embedded[j] * (fixed->X[j * n + i] - fixed->past.y[0][i]);
        yp[i] = -sum / h;
    }
}

/* Compute e [n] again from F(t_n, y_n + e, y'), with yp = y' of the embedded formula. Return 0 on success, > 0 if F
 * could not be evaluated, < 0 on a fatal error. */
static int filter_error_estimate(rsd_fixed *fixed, const double *yp, double *e)
{
    const int n = fixed->base.n;
    double *y = fixed->point;
    for (int i = 0; i < n; i++) y[i] = fixed->past.y[0][i] + e[i];
    const int verdict = rsd_guard_eval_part(fixed->base.guard, RSD_FOR_NEWTON, RSD_ROWS_ALL,
                                            rsd_integration_t(&fixed->base, fixed->t), y, yp, fixed->F);
    if (verdict) return verdict;
    for (int i = 0; i < n; i++) e[i] = -fixed->F[i];
    rsd_fixed_solve_real(fixed, e);
    return 0;
}

static int estimate_embedded(rsd_fixed *fixed, double h, double *error)
{
    const int n = fixed->base.n, is_doubtful = fixed->tries > 0 || fixed->past.count == 1;
    double *e = fixed->k, *yp = fixed->k + n, *off = fixed->k + 2 * n;
    if (fixed->base.problem->contacts.given.n > 0)
        rsd_weigh_contact_forces(fixed->base.problem, h, fixed->ewt, fixed->tested);
    compute_embedded_derivative(fixed, h, yp);
    for (int i = 0; i < n; i++) off[i] = fixed->past.yp[i] - yp[i];
    rsd_fixed_multiply_by_dFdyp(fixed, off, e);
    rsd_fixed_solve_real(fixed, e);
    *error = rsd_fixed_tested_norm(fixed, h, e) / get_tolerance_ratio(fixed);
    if (*error > 1 && is_doubtful) {
        const int verdict = filter_error_estimate(fixed, yp, e);
        if (verdict < 0) return verdict;
        if (verdict == 0) *error = rsd_fixed_tested_norm(fixed, h, e) / get_tolerance_ratio(fixed);
    }
    if (fixed->base.guard->limits) rsd_limits_set_error(fixed->base.guard->limits, e, fixed->ewt);
    return 0;
}

int rsd_fixed_estimate_error(rsd_fixed *fixed, double h, double *error)
{
    int verdict = 0;
    if (fixed->is_variable)
        verdict = estimate_embedded(fixed, h, error);
    else {
        fixed->method->error(fixed->method, &fixed->past, h, fixed->k);
        *error = rsd_fixed_tested_norm(fixed, h, fixed->k);
    }
    return verdict ? verdict : !isfinite(*error);
}
