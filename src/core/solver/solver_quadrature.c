/* solver_quadrature.c - integrals along the solution, q' = f(t, y, y'), by Gauss quadrature of the interpolated
 * solution in each accepted step. The interpolation of order k has an error of h^(k+1) in a step. Gauss quadrature with
 * m points, 2 m >= k + 1, has the same order for f. q is neither in J nor in the error test. */
#include "solver_impl.h"

#include <math.h>
#include <string.h>

enum { MAX_POINTS = 3, MAX_QUADRATURES = 1 << 20 };

/* Points and weights on -1..1. */
static const double point[MAX_POINTS][MAX_POINTS] = {
    {0}, {-0.57735026918962576, 0.57735026918962576}, {-0.77459666924148338, 0, 0.77459666924148338}};
static const double weight[MAX_POINTS][MAX_POINTS] = {{2}, {1, 1}, {5. / 9, 8. / 9, 5. / 9}};

/* Evaluate f at t within the last step into `rate`. Return RESIDA_OK, or a status < 0 on failure. */
static resida_status eval_integrand(resida_solver *s, double t)
{
    rsd_quadratures *x = &s->quadratures;
    RSD_TRY(rsd_integration_interpolate(s->integration, t, x->y, x->yp));
    if (rsd_solver_correct_output(s, t, x->y) < 0) return s->guard.stop;
    const resida_state at = rsd_solver_make_state(s, t, x->y, x->yp);
    rsd_thrown thrown = {0, ""};
    const int verdict = rsd_call_quadrature(&at, x->rate, x->user, &thrown, x->f);
    if (thrown.is_new) return (resida_status)rsd_guard_report_exception(&s->guard, t, "of quadratures", &thrown);
    if (verdict != 0)
        return rsd_fail(&s->message, RESIDA_ERR_USER, "callback of quadratures returned %d at t = %.9g", verdict, t);
    for (int i = 0; i < x->n; i++)
        if (!isfinite(x->rate[i]))
            return rsd_fail(&s->message, RESIDA_ERR_NONFINITE,
                            "callback of quadratures returned rate[%d] = %g at t = %.9g", i, x->rate[i], t);
    return RESIDA_OK;
}

/* Add the integral of f over the interval from `from` to `to`, within the last step, to q [n]. */
static resida_status add_integral(resida_solver *s, double from, double to, double *q)
{
    const resida_stats stats = rsd_solver_get_last_step(s);
    const int m = stats.order / 2 < MAX_POINTS ? stats.order / 2 : MAX_POINTS - 1; /* Gauss formula with m + 1 points */
    const double half = (to - from) / 2;
    for (int k = 0; k <= m && half != 0; k++) {
        RSD_TRY(eval_integrand(s, from + half + half * point[m][k]));
        for (int i = 0; i < s->quadratures.n; i++) q[i] += half * weight[m][k] * s->quadratures.rate[i];
    }
    return RESIDA_OK;
}

resida_status rsd_solver_integrate_step(resida_solver *s)
{
    rsd_quadratures *x = &s->quadratures;
    const size_t bytes = (size_t)x->n * sizeof *x->at;
    const long steps = rsd_solver_get_last_step(s).steps;
    if (steps == x->steps) return RESIDA_OK;
    const double t = rsd_integration_get_end(s->integration);
    memcpy(x->at, x->end, bytes);
    x->t_at = NAN;
    RSD_TRY(add_integral(s, x->t_end, t, x->at));
    memcpy(x->begin, x->end, bytes);
    memcpy(x->end, x->at, bytes);
    x->t_begin = x->t_end;
    x->t_end = x->t_at = t;
    x->steps = steps;
    return RESIDA_OK;
}

resida_status rsd_solver_integrate_to_output(resida_solver *s)
{
    rsd_quadratures *x = &s->quadratures;
    if (!x->is_begun) return RESIDA_OK;
    RSD_TRY(rsd_solver_integrate_step(s));
    if (s->t == x->t_at) return RESIDA_OK;
    const int is_end = s->t == x->t_end;
    memcpy(x->at, is_end ? x->end : x->begin, (size_t)x->n * sizeof *x->at);
    x->t_at = NAN;
    if (!is_end) RSD_TRY(add_integral(s, x->t_begin, s->t, x->at));
    x->t_at = s->t;
    return RESIDA_OK;
}

resida_status rsd_solver_start_quadratures(resida_solver *s, double t0)
{
    rsd_quadratures *x = &s->quadratures;
    const size_t bytes = (size_t)x->n * sizeof *x->at;
    if (x->n == 0) return RESIDA_OK;
    if (x->is_begun && t0 == s->t)
        RSD_TRY(rsd_solver_integrate_to_output(s));
    else
        memset(x->at, 0, bytes);
    memcpy(x->begin, x->at, bytes);
    memcpy(x->end, x->at, bytes);
    x->t_begin = x->t_end = x->t_at = t0;
    x->steps = rsd_solver_get_last_step(s).steps;
    x->is_begun = 1;
    return RESIDA_OK;
}

resida_status resida_solver_set_quadratures(resida_solver *s, int n, resida_quadrature_fn *f, void *user)
{
    if (!s) return RESIDA_ERR_ARGUMENT;
    if (s->busy) return RESIDA_ERR_STATE;
    s->message.text[0] = 0;
    if (n < 0 || (n > 0 && !f))
        return rsd_fail(&s->message, RESIDA_ERR_ARGUMENT, n < 0 ? "quadratures: n = %d" : "quadratures: f is NULL", n);
    if (n > MAX_QUADRATURES)
        return rsd_fail(&s->message, RESIDA_ERR_ARGUMENT, "quadratures: n = %d, at most %d", n, MAX_QUADRATURES);
    rsd_quadratures *x = &s->quadratures;
    rsd_owner_free(&x->owner);
    *x = (rsd_quadratures){.f = f, .user = user};
    const resida_allocator alloc = rsd_get_owned_allocator(&x->owner, &s->alloc);
    const int n_y = s->problem->layout.n;
    if (!RSD_DOUBLES(&alloc, n, &x->begin, &x->end, &x->at, &x->rate) || !RSD_DOUBLES(&alloc, n_y, &x->y, &x->yp)) {
        rsd_owner_free(&x->owner);
        return rsd_fail(&s->message, RESIDA_ERR_MEMORY, "no memory for %d quadratures", n);
    }
    x->n = n;
    return RESIDA_OK;
}

resida_status resida_solver_quadratures(resida_solver *s, double *q)
{
    if (!s) return RESIDA_ERR_ARGUMENT;
    if (!q) return rsd_solver_refuse(s, RESIDA_ERR_ARGUMENT, "resida_solver_quadratures: q is NULL");
    if (s->busy || !s->quadratures.is_begun)
        return rsd_solver_refuse(s, RESIDA_ERR_STATE, "quadratures: none were set, or the solver was not started");
    RSD_TRY(rsd_solver_enter(s));
    const resida_status status = rsd_solver_integrate_to_output(s);
    if (status == RESIDA_OK) memcpy(q, s->quadratures.at, (size_t)s->quadratures.n * sizeof *q);
    return rsd_solver_leave(s, status);
}
