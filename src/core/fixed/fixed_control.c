/* fixed_control.c - the size of steps that adapt to an error estimate of order q, e = C h^q:
 *
 *     h_{n+1} = safety h_n min(e_n^(-1/q), h_n/h_{n-1} (e_{n-1}/e_n^2)^(1/q))
 *
 * The second argument of min is the predictive controller of Gustafsson (Hairer, Wanner, Solving Ordinary Differential
 * Equations II, IV.8). It reduces rejections while steps become smaller. Only steps of variable size use this
 * controller. Their safety factor decreases with the number of Newton iterations. If h would grow by less than
 * MIN_SIZE_GROWTH, h is kept, because the factors of the iteration matrix then remain valid. */
#include "fixed.h"

#include "src/core/watch/tolerance.h"

#include <float.h>
#include <math.h>

enum { ADAPTIVE_ORDER = 3 }; /* order of the error estimate of methods with a given first step */

/* Each comment ends with a range. Within it, the mean number of calls of 17 built-in models at 1e-3 to 1e-9 changes by
 * at most 2 %, and errors are 0.8 to 1.25 times the errors with the value. Test: variable_cases, variable_steps. */
#define SAFETY           0.9  /* factor of the step size at which the error would be 1 tolerance (0.8 to 0.95) */
#define UNSOLVED         0.5  /* factor of h after a failed iteration (0.25 to 0.6) */
#define LIMIT_GROWTH     1.05 /* factor per step of the maximum size after a failed iteration (1.03 to 1.07) */
#define MIN_FACTOR       0.2  /* minimum factor of h after a failed error test (0.1 to 0.5) */
#define MAX_FACTOR       2.0  /* maximum factor of h from step to step (1.5 to 8) */
#define MAX_FIRST        10.0 /* maximum factor of h after the first step of variable size (5 to 100) */
#define MIN_SIZE_GROWTH  1.2  /* minimum growth factor; below it h and the matrix are kept (1.1 to 1.4) */
#define MIN_ERROR        1e-6 /* smaller errors count as this error, in tolerances (1e-12 to 1e-3) */
#define USUAL_ITERATIONS 7.0  /* U in safety = 0.9 (2 U + 1)/(2 U + number of iterations) (3.5 to 14) */
#define FIRST_SHARE      0.1  /* first step, relative to the time in which y changes by itself (0.05 to 1) */
#define MAX_FIRST_PART   1e-2 /* maximum first step, relative to the time to the stop or output (1e-3 to 1) */

static double get_safety_factor(const rsd_fixed *fixed)
{
    if (!fixed->is_variable) return SAFETY;
    return SAFETY * (2 * USUAL_ITERATIONS + 1) / (2 * USUAL_ITERATIONS + fixed->newton.it.m + 1);
}

/* Return the next step size after a solved attempt of size h with the estimated error `error`, in tolerances. */
static double compute_next_step_size(const rsd_fixed *fixed, double h, double error)
{
    const rsd_step_control *c = &fixed->control;
    const double q = fixed->is_variable ? fixed->method->collocation->order : ADAPTIVE_ORDER,
                 e = fmax(error, MIN_ERROR);
    double factor = get_safety_factor(fixed) / pow(e, 1 / q);
    if (error <= 1 && fixed->is_variable && c->h > 0)
        factor = fmin(factor, SAFETY * h / c->h * pow(c->error / (e * e), 1 / q));
    factor = fmin(fmax(factor, MIN_FACTOR), fixed->is_variable && c->h == 0 ? MAX_FIRST : MAX_FACTOR);
    return fmin(h * factor, fixed->base.o->h_max);
}

/* Set the size of the next step after an accepted step of size h. `next` is the size computed by the controller. If the
 * step was shortened to end at the stop time, the size is not reduced. */
static void accept_size(rsd_fixed *fixed, double h, double next, double error)
{
    rsd_step_control *c = &fixed->control;
    if (c->limit < c->unsolved) next = fmin(next, c->limit *= LIMIT_GROWTH);
    fixed->h_next = h < fixed->h ? fmax(next, fixed->h) : next > MIN_SIZE_GROWTH * h || next < h ? next : h;
    c->h = h;
    c->error = fmax(error, MIN_ERROR);
}

int rsd_fixed_repeat_until_accepted(rsd_fixed *fixed, double t_stop, double *t, double *h)
{
    const double min = DBL_EPSILON * fixed->h;
    for (fixed->tries = 0;; fixed->tries++) {
        double error = INFINITY;
        int verdict = rsd_fixed_try_step(fixed, fixed->method, t_stop, t, h);
        if (verdict == 0) verdict = rsd_fixed_estimate_error(fixed, *h, &error);
        if (verdict < 0) return verdict;
        const double next = verdict ? UNSOLVED * *h : compute_next_step_size(fixed, *h, error);
        fixed->error_test_fails += !verdict && !(error <= 1);
        if (fixed->base.guard->limits && !verdict)
            rsd_limits_count_test(fixed->base.guard->limits, fixed->error_test_fails);
        if (error <= 1) {
            accept_size(fixed, *h, next, error);
            return 0;
        }
        if (verdict) fixed->control.limit = UNSOLVED * (fixed->control.unsolved = *h);
        rsd_fixed_begin_grid(fixed, fmin(next, *h));
        fixed->has_failed_test = !verdict;
        if (!(fixed->t + fixed->h > fixed->t) || fixed->h < min) return 1;
    }
}

double rsd_fixed_first_size(rsd_fixed *fixed, double to_output)
{
    const resida_solver_options *o = fixed->base.o;
    if (o->h_first > 0) return fmin(o->h_first, o->h_max);
    const double *y = fixed->past.y[0], max = fmin(MAX_FIRST_PART * to_output, o->h_max);
    rsd_error_weights(o, fixed->base.n, y, fixed->ewt);
    const double speed = rsd_fixed_tested_norm(fixed, 0, fixed->past.yp),
                 size = fmax(rsd_fixed_tested_norm(fixed, 0, y), 1);
    const double q = fixed->method->collocation->order;
    return speed > 0 ? fmin(FIRST_SHARE * pow(size, 1 - 1 / q) / speed, max) : max;
}
