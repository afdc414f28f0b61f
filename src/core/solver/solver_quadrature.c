/* solver_quadrature.c - integrals along the solution, q' = f(t, y, y'), by Gauss-Kronrod quadrature of the interpolated
 * solution in each accepted step. The difference between Kronrod's formula with seven points and Gauss' with three
 * estimates the error. A step is divided into parts if an error exceeds its tolerance, as where f has a kink. q is
 * neither in J nor in the error test of the solver. */
#include "solver_impl.h"

#include <math.h>
#include <string.h>

enum { POINTS = 7, MAX_QUADRATURES = 1 << 20, MAX_TRIED_PARTS = 100 }; /* maximum number of parts tried in a step */

/* Points on -1..1, weights of Kronrod, and weights of Gauss (A. S. Kronrod, Nodes and Weights of Quadrature Formulas,
 * 1965). */
static const double point[POINTS] = {-0.96049126870802028, -0.77459666924148338, -0.43424374934680256, 0,
                                     0.43424374934680256,  0.77459666924148338,  0.96049126870802028};
static const double kronrod[POINTS] = {0.10465622602646727, 0.26848808986833344, 0.40139741477596222,
                                       0.45091653865847414, 0.40139741477596222, 0.26848808986833344,
                                       0.10465622602646727};
static const double gauss[POINTS] = {0, 5. / 9, 0, 8. / 9, 0, 5. / 9, 0};

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

/* Compute the integrals of f and of |f| from `from` to `to`, within the last step, into x->part [n] and x->size [n],
 * and the estimated errors into x->error [n]. */
static resida_status integrate_part(resida_solver *s, double from, double to)
{
    rsd_quadratures *x = &s->quadratures;
    const size_t bytes = (size_t)x->n * sizeof *x->part;
    const double half = (to - from) / 2;
    memset(x->part, 0, bytes);
    memset(x->size, 0, bytes);
    memset(x->error, 0, bytes);
    for (int k = 0; k < POINTS; k++) {
        const double t = from + half + half * point[k]; /* the rounding of t may exceed a short part */
        RSD_TRY(eval_integrand(s, fmax(fmin(from, to), fmin(t, fmax(from, to)))));
        for (int i = 0; i < x->n; i++) {
            x->part[i] += half * kronrod[k] * x->rate[i];
            x->size[i] += fabs(half * kronrod[k] * x->rate[i]);
            x->error[i] += half * (kronrod[k] - gauss[k]) * x->rate[i];
        }
    }
    return RESIDA_OK;
}

/* Add the integral of f over the interval from `from` to `to`, within the last step, to q [n]. The tolerance of the
 * interval is rtol times the integral of |f| over it, plus atol times its length. */
static resida_status add_integral(resida_solver *s, double from, double to, double *q)
{
    rsd_quadratures *x = &s->quadratures;
    double end = to;
    for (int tries = 0; from != to; tries++) {
        RSD_TRY(integrate_part(s, from, end));
        int is_accurate = 1;
        for (int i = 0; i < x->n; i++) {
            if (tries == 0) x->tolerance[i] = s->o.rtol * x->size[i] + s->o.atol * fabs(to - from);
            is_accurate &= fabs(x->error[i]) <= x->tolerance[i];
        }
        const double length = end - from, middle = from + length / 2;
        if (!is_accurate && tries < MAX_TRIED_PARTS && middle != from && middle != end) {
            end = middle;
            continue;
        }
        for (int i = 0; i < x->n; i++) q[i] += x->part[i];
        from = end;
        end = tries < MAX_TRIED_PARTS && fabs(to - from) > fabs(2 * length) ? from + 2 * length : to;
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
    if (!RSD_DOUBLES(&alloc, n, &x->begin, &x->end, &x->at, &x->rate, &x->part, &x->size, &x->error, &x->tolerance) ||
        !RSD_DOUBLES(&alloc, n_y, &x->y, &x->yp)) {
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
