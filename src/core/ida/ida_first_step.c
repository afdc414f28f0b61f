/* ida_first_step.c - chooses the size of the first step. IDA begins at order 1 and raises the order with every step
 * until a step fails. IDA's own rule lets y change by half a tolerance. This is a much shorter step than order 1
 * allows, whose error is |h^2 y''|/2. Since y'' is unknown, the library tries a step of size h. The first correction is
 * about h^2 y''. This takes one residual call; J is needed in any case. Hairer, Norsett, Wanner, Solving Ordinary
 * Differential Equations I, II.4, and CVHin of CVODE use a difference of f for ODEs.
 *
 * The permitted error is a small part of the tolerance, because the errors of the first two steps remain in the history
 * and cause error test failures at higher orders. With 0.25 of the tolerance the third or fourth step fails in most
 * models, and IDA then stops raising the order. A permitted error that is smaller by a factor of 16 takes two more
 * steps. The error that a start leaves in the states is up to 50 times the permitted one. In a sequence of restarts
 * (bounces) these errors add up. Therefore the n-th restart is permitted 1/n of the error. The sum then grows like the
 * logarithm of the number of restarts.
 *
 * Multipliers of index 3 are second differences of positions. In the first steps, of order 1, their relative error does
 * not vanish with h. The error of the first step is y''/2. Multipliers are not in the error test, and the formula
 * amplifies their errors while the steps grow. After about twelve doublings the errors have vanished. The first step is
 * therefore limited to PART_OF_INDEX_3 of the interval to the first output. BDF with constant steps converges for index
 * 3 after the first k + 1 steps: Brenan, Campbell, Petzold, Numerical Solution of Initial-Value Problems in DAEs,
 * 3.2. */
#include "ida_impl.h"

#include "src/core/watch/tolerance.h"

#include <float.h>
#include <math.h>

enum { TRIALS = 4 };            /* maximum number of sizes that are tried for the first step */
#define FIRST_GUESS       1e-3  /* first guess, relative to the time to the stop time, else to the first output */
#define PERMITTED_ERROR   3e-4  /* maximum error of the first step, in tolerances */
#define MAX_GROWTH        100.0 /* maximum ratio of two successive tried sizes */
#define MAX_LAST_GROWTH   5.0   /* maximum ratio of the first step to the last tried size, because y''' may be large */
#define MIN_LAST_FACTOR   0.03  /* if the permitted size is a smaller part of the tried size, another size is tried */
#define MAX_PART          1e-2  /* maximum first step, relative to the interval; forces that act shorter are missed */
#define PART_OF_INDEX_3   1e-4  /* the same for index 3, relative to the time to the first output; 1e-3: wrong lam */
#define MIN_ROUNDED       4.0   /* maximum length of an interval that is a rounding error, in roundings of t */
#define NEGLIGIBLE_MOTION 1e-3  /* maximum change of y in an interval that is a rounding error, in tolerances */

/* Return the norm of x [n] in the error test, with weights w [n]. */
static double compute_tested_norm(const rsd_ida *ida, const double *w, const double *x)
{
    const double *tested = rsd_get_components(ida->id);
    double sum = 0, count = 0;
    for (int i = 0; i < ida->base.n; i++) {
        double part = tested[i] * w[i] * x[i];
        sum += part * part;
        count += tested[i];
    }
    return count > 0 ? sqrt(sum / count) : 0;
}

/* Try a first step of size h. Set *factor to the ratio of the size with the permitted error to h. Return 0 on success,
 * > 0 if F or J could not be evaluated, < 0 to stop the integration. */
static int try_step(rsd_ida *ida, const double *w, double h, double *factor)
{
    const double *y = rsd_get_components(ida->start.y), *yp = rsd_get_components(ida->start.yp);
    double *predictor = rsd_get_components(ida->y_ida), *off = rsd_get_components(ida->yp_ida);
    for (int i = 0; i < ida->base.n; i++) predictor[i] = y[i] + h * yp[i];
    int verdict = rsd_ida_newton_try_first_step(ida, h, predictor, w, off);
    *factor = sqrt(2 * PERMITTED_ERROR / ida->start.number / compute_tested_norm(ida, w, off));
    return verdict;
}

/* Search the size of the first step between `min` and `max`, beginning with *h, and set *h to the result. The search
 * keeps the longest size with a permitted error and the shortest size with a larger error, because errors may grow
 * faster than h^2. Return 0 on success, > 0 if F or J could not be evaluated, < 0 to stop. */
static int search_first_step(rsd_ida *ida, const double *w, double min, double max, double *h)
{
    double good = 0, bad = INFINITY, x = fmin(fmax(*h, min), max);
    for (int k = 1, done = 0; !done; k++) {
        double factor, tried = x;
        int verdict = try_step(ida, w, x, &factor);
        if (verdict || isnan(factor)) return verdict ? verdict : 1;
        if (factor >= 1)
            good = x;
        else
            bad = x;
        done = (factor > MIN_LAST_FACTOR && factor < MAX_LAST_GROWTH) || (good > 0 && bad < INFINITY) || k == TRIALS;
        x = fmax(good, fmin(x * fmin(factor, done ? MAX_LAST_GROWTH : MAX_GROWTH), bad / 2));
        x = fmin(fmax(x, min), max);
        done |= x == tried;
    }
    *h = x;
    return 0;
}

/* Return the longest permitted first step. span is the time from the start to the stop time or to the first output. */
static double get_max_first_step(const rsd_ida *ida, double span, double to_output)
{
    const double *tested = rsd_get_components(ida->id);
    for (int i = 0; i < ida->base.n; i++)
        if (ida->base.problem->kinds[i] == RESIDA_ALGEBRAIC_3 && tested[i] == 0)
            return fmin(MAX_PART * span, PART_OF_INDEX_3 * to_output);
    return MAX_PART * span;
}

static resida_status choose_first_step(rsd_ida *ida, double t_out, double t_stop, double *w)
{
    const resida_solver_options *o = ida->base.o;
    const double *y = rsd_get_components(ida->start.y), *yp = rsd_get_components(ida->start.yp), t = ida->start.t;
    double *h = &ida->start.h;
    *h = o->h_first;
    if (*h > 0 || rsd_error_weights(o, ida->base.n, y, w) >= 0) return RESIDA_OK;
    double span = (isfinite(t_stop) ? t_stop : t_out) - t, speed = compute_tested_norm(ida, w, yp);
    double min = 4 * DBL_EPSILON * fabs(t), max = fmax(get_max_first_step(ida, span, t_out - t), min);
    *h = fmax(fmin(FIRST_GUESS * span, max), min);
    max = fmin(max, o->h_max);
    if (speed * *h > 0.5) *h = 0.5 / speed;
    if (!ida->newton.renewal->by_costs) return RESIDA_OK;
    /* The first trial has an error of half a tolerance if |y''|/|y'| = |y'|/|y|. */
    double from = speed > 0 ? sqrt(fmax(compute_tested_norm(ida, w, y), 1) / 2) / speed : *h;
    if (!(from < INFINITY) || !(min < max)) return RESIDA_OK;
    int verdict = search_first_step(ida, w, min, max, &from);
    if (verdict == 0) *h = from;
    return verdict < 0 ? ida->base.guard->stop : RESIDA_OK;
}

resida_status rsd_ida_first_step(rsd_ida *ida, double t_out, double t_stop)
{
    rsd_ida_set_force_weights(ida, 0, rsd_get_components(ida->weights));
    const resida_status status = choose_first_step(ida, t_out, t_stop, rsd_get_components(ida->weights));
    if (status < 0) ida->start.h = 0;
    return status;
}

int rsd_ida_is_too_close(rsd_ida *ida, double t_out)
{
    const double span = t_out - ida->start.t;
    if (span <= DBL_MIN / DBL_EPSILON) return 1;
    if (span > MIN_ROUNDED * DBL_EPSILON * (2 * fabs(rsd_integration_t(&ida->base, ida->start.t)) + span)) return 0;
    const resida_kind *kinds = ida->base.problem->kinds;
    const double *yp = rsd_get_components(ida->start.yp);
    double *w = rsd_get_components(ida->weights), fastest = 0;
    if (rsd_error_weights(ida->base.o, ida->base.n, rsd_get_components(ida->start.y), w) >= 0) return 0;
    for (int i = 0; i < ida->base.n; i++) /* untested velocities too: at rest, positions move with v' */
        if (kinds[i] == RESIDA_DIFFERENTIAL || kinds[i] == RESIDA_DIFFERENTIAL_2)
            fastest = fmax(fastest, fabs(w[i] * yp[i]));
    return fastest * span < NEGLIGIBLE_MOTION;
}
