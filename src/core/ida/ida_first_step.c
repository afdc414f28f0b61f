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

enum { TRIALS = 4 };
#define FIRST_GUESS 1e-3  /* first guess, as a part of the interval to the first output, as in IDA */
#define ERROR_ASKED 3e-4  /* error permitted in the first step, in tolerances */
#define LONGER      100.0 /* largest increase of the step from one trial to the next */
#define TRUSTED     5.0   /* largest factor on a step without another trial, because y'' may be small and y''' large */
#define MAX_WAY                                                                                                        \
    1e-2 /* of the interval: longest first step; a trial does not detect a force that acts only within the step */
#define PART_OF_INDEX_3                                                                                                \
    1e-4 /* of the interval to the first output, with index 3: 2^-13; 1e-3 makes lam wrong by up to 10^4 times itself */
#define ROUNDED                                                                                                        \
    4.0 /* roundings of both ends: a shorter interval is considered a rounding error of the caller's arithmetic, .. */
#define NOTHING 1e-3 /* .. if y changes on it by less than this part of the tolerances */
#define SHORTER 0.03 /* smallest factor on the step without another trial */

/* Return the norm of x [n] in the error test, with weights w [n]. */
static double norm(const rsd_ida *ida, const double *w, const double *x)
{
    const double *tested = rsd_vector_data(ida->id);
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
    const double *y = rsd_vector_data(ida->start.y), *yp = rsd_vector_data(ida->start.yp);
    double *predictor = rsd_vector_data(ida->y_ida), *off = rsd_vector_data(ida->yp_ida);
    for (int i = 0; i < ida->base.n; i++) predictor[i] = y[i] + h * yp[i];
    int verdict = rsd_ida_newton_probe(ida, h, predictor, w, off);
    *factor = sqrt(2 * ERROR_ASKED / ida->start.number / norm(ida, w, off));
    return verdict;
}

/* Search the size of the first step between `least` and `most`, beginning with *h, and set *h to the result. The search
 * keeps the longest size with a permitted error and the shortest one with a larger error, because errors may grow
 * faster than h^2. Return 0 on success, > 0 if a trial failed, < 0 to stop the integration. */
static int search(rsd_ida *ida, const double *w, double least, double most, double *h)
{
    double good = 0, bad = INFINITY, x = fmin(fmax(*h, least), most);
    for (int k = 1, done = 0; !done; k++) {
        double factor, tried = x;
        int verdict = try_step(ida, w, x, &factor);
        if (verdict || isnan(factor)) return verdict ? verdict : 1;
        if (factor >= 1)
            good = x;
        else
            bad = x;
        done = (factor > SHORTER && factor < TRUSTED) || (good > 0 && bad < INFINITY) || k == TRIALS;
        x = fmax(good, fmin(x * fmin(factor, done ? TRUSTED : LONGER), bad / 2));
        x = fmin(fmax(x, least), most);
        done |= x == tried;
    }
    *h = x;
    return 0;
}

/* Return the longest permitted first step. way: time to the stop time, or else to the first output. */
static double longest(const rsd_ida *ida, double way, double to_output)
{
    const double *tested = rsd_vector_data(ida->id);
    for (int i = 0; i < ida->base.n; i++)
        if (ida->base.problem->kinds[i] == RESIDA_ALGEBRAIC_3 && tested[i] == 0)
            return fmin(MAX_WAY * way, PART_OF_INDEX_3 * to_output);
    return MAX_WAY * way;
}

static resida_status choose(rsd_ida *ida, double t_out, double t_stop, double *w)
{
    const resida_solver_options *o = ida->base.o;
    const double *y = rsd_vector_data(ida->start.y), *yp = rsd_vector_data(ida->start.yp), t = ida->start.t;
    double *h = &ida->start.h;
    *h = o->h_first;
    if (*h > 0 || rsd_error_weights(o, ida->base.n, y, w) >= 0) return RESIDA_OK;
    double way = (isfinite(t_stop) ? t_stop : t_out) - t, speed = norm(ida, w, yp);
    double least = 4 * DBL_EPSILON * fabs(t), most = fmax(longest(ida, way, t_out - t), least);
    *h = fmax(fmin(FIRST_GUESS * way, most), least);
    most = fmin(most, o->h_max);
    if (speed * *h > 0.5) *h = 0.5 / speed;
    if (!ida->newton.renewal->by_costs) return RESIDA_OK;
    /* The first trial has an error of half a tolerance if |y''|/|y'| = |y'|/|y|. */
    double from = speed > 0 ? sqrt(fmax(norm(ida, w, y), 1) / 2) / speed : *h;
    if (!(from < INFINITY) || !(least < most)) return RESIDA_OK;
    int verdict = search(ida, w, least, most, &from);
    if (verdict == 0) *h = from;
    return verdict < 0 ? ida->base.guard->stop : RESIDA_OK;
}

resida_status rsd_ida_first_step(rsd_ida *ida, double t_out, double t_stop)
{
    rsd_ida_test_forces(ida, 0, rsd_vector_data(ida->weights));
    const resida_status status = choose(ida, t_out, t_stop, rsd_vector_data(ida->weights));
    if (status < 0) ida->start.h = 0;
    return status;
}

int rsd_ida_is_too_close(rsd_ida *ida, double t_out)
{
    const double way = t_out - ida->start.t;
    if (way <= DBL_MIN / DBL_EPSILON) return 1;
    if (way > ROUNDED * DBL_EPSILON * (2 * fabs(rsd_integration_t(&ida->base, ida->start.t)) + way)) return 0;
    double *w = rsd_vector_data(ida->weights);
    return rsd_error_weights(ida->base.o, ida->base.n, rsd_vector_data(ida->start.y), w) < 0 &&
           norm(ida, w, rsd_vector_data(ida->start.yp)) * way < NOTHING;
}
