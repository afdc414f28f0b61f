/* solver_quadrature.c - integrals along the solution, q' = f(t, y, y'), by quadrature of the interpolated solution in
 * each accepted step: Kronrod's extension, of degree 9, of Lobatto's formula with four points. The larger of its
 * distances from Lobatto's formula, and from the formula of the three other points, estimates the error. A step is
 * halved as long as an error exceeds its tolerance, as where f has a kink. An output within a step continues from the
 * last output. q is neither in J nor in the error test of the solver. */
#include "solver_impl.h"

#include <math.h>
#include <string.h>

enum { POINTS = 7, MAX_QUADRATURES = 1 << 20 };
enum { MAX_HALVED_PARTS = 10000 }; /* maximum number of halvings in a step */

/* Points on -1..1 and weights of Kronrod's formula, and weights of the two coarse formulas (W. Gander, W. Gautschi,
 * Adaptive quadrature - revisited, BIT 40, 2000, 84-101). The ends are sampled within the step, where an f with a jump
 * at the end, or a singularity at the start, has the values of the step. */
#define INSIDE (1 - 1e-9)
static const double point[POINTS] = {
    -INSIDE, -0.81649658092772603, -0.44721359549995794, 0, 0.44721359549995794, 0.81649658092772603, INSIDE};
static const double kronrod[POINTS] = {11. / 210, 72. / 245, 125. / 294, 16. / 35, 125. / 294, 72. / 245, 11. / 210};
static const double coarse[2][POINTS] = {{1. / 6, 0, 5. / 6, 0, 5. / 6, 0, 1. / 6}, {0, 0.5, 0, 1, 0, 0.5, 0}};

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
 * and the two estimates of the errors into x->error [2 n]. */
static resida_status integrate_part(resida_solver *s, double from, double to)
{
    rsd_quadratures *x = &s->quadratures;
    const size_t bytes = (size_t)x->n * sizeof *x->part;
    const double half = (to - from) / 2;
    memset(x->part, 0, bytes);
    memset(x->size, 0, bytes);
    memset(x->error, 0, 2 * bytes);
    for (int k = 0; k < POINTS; k++) {
        const double t = from + half + half * point[k]; /* the rounding of t may exceed a short part */
        RSD_TRY(eval_integrand(s, fmax(fmin(from, to), fmin(t, fmax(from, to)))));
        for (int i = 0; i < x->n; i++) {
            x->part[i] += half * kronrod[k] * x->rate[i];
            x->size[i] += fabs(half * kronrod[k] * x->rate[i]);
            x->error[i] += half * (kronrod[k] - coarse[0][k]) * x->rate[i];
            x->error[x->n + i] += half * (kronrod[k] - coarse[1][k]) * x->rate[i];
        }
    }
    return RESIDA_OK;
}

/* Return 1 if the estimated error of each integral is within its tolerance. */
static int is_part_accurate(const rsd_quadratures *x)
{
    for (int i = 0; i < x->n; i++)
        if (!(fmax(fabs(x->error[i]), fabs(x->error[x->n + i])) <= x->tolerance[i])) return 0;
    return 1;
}

/* Add the integral of f over the interval from `from` to `to`, within the last step, to q [n]. The interval is halved
 * `depth` times; `k` is the number of a part. The tolerance of a part is rtol times the integral of |f| over the
 * interval, plus atol times its length. */
static resida_status add_integral(resida_solver *s, double from, double to, double *q)
{
    rsd_quadratures *x = &s->quadratures;
    int depth = 0, is_first = 1;
    long halved = 0;
    for (long k = 0; from != to && k < 1L << depth;) {
        const double length = ldexp(to - from, -depth), begin = from + (double)k * length;
        const double end = k + 1 == 1L << depth ? to : begin + length;
        RSD_TRY(integrate_part(s, begin, end));
        for (int i = 0; i < x->n && is_first; i++)
            x->tolerance[i] = s->o.rtol * x->size[i] + s->o.atol * fabs(to - from);
        is_first = 0;
        if (!is_part_accurate(x) && begin + length / 2 != begin && ++halved <= MAX_HALVED_PARTS) {
            depth++;
            k *= 2;
            continue;
        }
        for (int i = 0; i < x->n; i++) q[i] += x->part[i];
        for (k++; k % 2 == 0 && depth > 0; k /= 2) depth--;
    }
    if (halved > MAX_HALVED_PARTS)
        rsd_add_warning(&s->warnings, RSD_CLAIM_QUADRATURE,
                        "quadratures: %d parts of the step to t = %.9g are not enough for the tolerances: an integrand "
                        "has jumps or noise, or oscillates: set h_max, or add the integral as an unknown",
                        MAX_HALVED_PARTS, to);
    return RESIDA_OK;
}

resida_status rsd_solver_integrate_step(resida_solver *s)
{
    rsd_quadratures *x = &s->quadratures;
    const long steps = rsd_solver_get_last_step(s).steps;
    if (steps == x->steps) return RESIDA_OK;
    const double t = rsd_integration_get_end(s->integration);
    memcpy(x->next, x->end, (size_t)x->n * sizeof *x->next);
    RSD_TRY(add_integral(s, x->t_end, t, x->next));
    rsd_swap_values(&x->begin, &x->end);
    rsd_swap_values(&x->end, &x->next);
    x->t_begin = x->t_end;
    x->t_end = t;
    x->steps = steps;
    return RESIDA_OK;
}

/* Return 1 if the last output is within the last step, and before t. */
static int is_output_in_step(const rsd_quadratures *x, double t)
{
    const double way = x->t_end - x->t_begin;
    return (x->t_at - x->t_begin) * way >= 0 && (t - x->t_at) * way > 0;
}

resida_status rsd_solver_integrate_to_output(resida_solver *s)
{
    rsd_quadratures *x = &s->quadratures;
    if (!x->is_begun) return RESIDA_OK;
    RSD_TRY(rsd_solver_integrate_step(s));
    if (s->t == x->t_at) return RESIDA_OK;
    const int is_end = s->t == x->t_end, continues = is_output_in_step(x, s->t);
    const double *known = is_end ? x->end : continues ? x->at : x->begin;
    memcpy(x->next, known, (size_t)x->n * sizeof *x->next);
    if (!is_end) RSD_TRY(add_integral(s, continues ? x->t_at : x->t_begin, s->t, x->next));
    rsd_swap_values(&x->at, &x->next);
    x->t_at = s->t;
    return RESIDA_OK;
}

/* Begin at time t with the integrals x->at. `steps` is the number of steps before t, which are not integrated. */
static void begin_at(rsd_quadratures *x, double t, long steps)
{
    const size_t bytes = (size_t)x->n * sizeof *x->at;
    memcpy(x->begin, x->at, bytes);
    memcpy(x->end, x->at, bytes);
    x->t_begin = x->t_end = x->t_at = t;
    x->steps = steps;
    x->is_begun = 1;
}

resida_status rsd_solver_start_quadratures(resida_solver *s, double t0)
{
    rsd_quadratures *x = &s->quadratures;
    if (x->n == 0) return RESIDA_OK;
    if (x->is_begun && t0 == s->t)
        RSD_TRY(rsd_solver_integrate_to_output(s));
    else
        memset(x->at, 0, (size_t)x->n * sizeof *x->at);
    begin_at(x, t0, rsd_solver_get_last_step(s).steps);
    return RESIDA_OK;
}

/* Begin at the time reached, which may be within the last step. */
static resida_status begin_within_step(resida_solver *s)
{
    RSD_TRY(rsd_solver_enter(s));
    begin_at(&s->quadratures, s->t, rsd_solver_get_last_step(s).steps - 1);
    return rsd_solver_leave(s, rsd_solver_integrate_step(s));
}

resida_status resida_solver_set_quadratures(resida_solver *s, int n, resida_quadrature_fn *f, void *user)
{
    if (!s) return RESIDA_ERR_ARGUMENT;
    if (s->is_in_call) return RESIDA_ERR_STATE;
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
    if (!RSD_DOUBLES(&alloc, n, &x->begin, &x->end, &x->at, &x->next, &x->rate, &x->part, &x->size, &x->tolerance) ||
        !RSD_DOUBLES(&alloc, 2L * n, &x->error) || !RSD_DOUBLES(&alloc, n_y, &x->y, &x->yp)) {
        rsd_owner_free(&x->owner);
        return rsd_fail(&s->message, RESIDA_ERR_MEMORY, "no memory for %d quadratures", n);
    }
    x->n = n;
    return s->started && n > 0 ? begin_within_step(s) : RESIDA_OK;
}

resida_status resida_solver_quadratures(resida_solver *s, double *q)
{
    if (!s) return RESIDA_ERR_ARGUMENT;
    if (!q) return rsd_solver_refuse(s, RESIDA_ERR_ARGUMENT, "resida_solver_quadratures: q is NULL");
    if (s->is_in_call || !s->quadratures.is_begun)
        return rsd_solver_refuse(s, RESIDA_ERR_STATE, "quadratures: none were set, or the solver was not started");
    RSD_TRY(rsd_solver_enter(s));
    const resida_status status = rsd_solver_integrate_to_output(s);
    if (status == RESIDA_OK) memcpy(q, s->quadratures.at, (size_t)s->quadratures.n * sizeof *q);
    return rsd_solver_leave(s, status);
}
