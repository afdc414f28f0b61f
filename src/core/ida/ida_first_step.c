/* ida_first_step.c - the size of the first step. IDA begins at order 1, and raises the order with every step, as long
 * as none fails. Its own rule lets y change by half a tolerance, which is far less than order 1 allows: its error is
 * |h^2 y''|/2. As y'' is not known, a step is tried: its first correction is h^2 y'', at the price of one residual call
 * (J is needed anyhow). Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.4, and CVODE's CVHin do
 * so for ODEs, with a difference of f.
 *
 * The error asked for is a small part of the tolerance: the errors of the first two steps stay in the differences that
 * higher orders are made of, and fail their error tests. With 0.25 the third or fourth step fails on most models, and
 * IDA then raises the order no more; each factor of 16 less costs two steps. What a start leaves in the states is up to
 * 50 times as much. Where one follows another (bounces), these errors add up: the n-th is asked for a part 1/n of the
 * error, so that the sum grows like the logarithm of their number.
 *
 * Multipliers of index 3 are second differences of positions. Those of the first steps, of order 1, are off by a part
 * of themselves, y''/2 in the first one, however short that is; they are in no error test, and as long as the steps
 * grow the formula goes back to them and makes more of them. Some twelve doublings later they are forgotten, so the
 * first step is so much shorter than the way to the first output. BDF is convergent for index 3 with steps of one size,
 * behind the first k + 1 ones: Brenan, Campbell, Petzold, Numerical Solution of Initial-Value Problems in DAEs, 3.2. */
#include "ida_first_step.h"

#include "src/core/watch/tolerance.h"

#include <float.h>
#include <math.h>

enum { TRIALS = 4 };
#define FIRST_GUESS 1e-3  /* of the way to the first output, as IDA has it */
#define ERROR_ASKED 3e-4  /* of the tolerance */
#define LONGER      100.0 /* a step is tried that is so many times longer, at the most, .. */
#define TRUSTED     5.0   /* .. and so many times without trial: y'' may be small, and y''' not */
#define MOST_OF_WAY                                                                                                    \
    1e-2 /* a trial sees nothing of what lies between: a vehicle at rest in itself would leap over a curve */
#define PART_OF_INDEX_3                                                                                                \
    1e-4 /* of the way to the first output, with index 3: 2^-13; with 1e-3 lam is off by up to 10^4 times itself */
#define ROUNDED                                                                                                        \
    4.0 /* a way of so many roundings of both its ends is one that a caller's arithmetic has left over, .. */
#define NOTHING 1e-3 /* .. if y changes on it by no more than this part of the tolerances */
#define SHORTER 0.03 /* a shorter one needs no trial, unless it is shorter than this */

/* In the norm of the error test. */
static double norm(const rsd_first_state *s, const double *x)
{
    double sum = 0, count = 0;
    for (int i = 0; i < s->n; i++) {
        double part = s->tested[i] * s->w[i] * x[i];
        sum += part * part;
        count += s->tested[i];
    }
    return count > 0 ? sqrt(sum / count) : 0;
}

/* By how much the step h could be longer. 0; > 0 it cannot be tried; < 0 stop. */
static int try_step(rsd_ida_newton *nw, const rsd_first_state *s, double h, double *factor)
{
    rsd_probe probe = {s->t, h, s->predictor, s->yp, s->w};
    for (int i = 0; i < s->n; i++) s->predictor[i] = s->y[i] + h * s->yp[i];
    int verdict = rsd_ida_newton_probe(nw, &probe, s->off);
    *factor = sqrt(2 * ERROR_ASKED / s->number / norm(s, s->off));
    return verdict;
}

/* From a step h on, within least and most. What was too long, or not, is remembered: errors may grow faster than
 * h^2. */
static int search(rsd_ida_newton *nw, const rsd_first_state *s, double least, double most, double *h)
{
    double good = 0, bad = INFINITY, x = fmin(fmax(*h, least), most);
    for (int k = 1, done = 0; !done; k++) {
        double factor, tried = x;
        int verdict = try_step(nw, s, x, &factor);
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

/* The longest first step. */
static double longest(const rsd_ida_newton *nw, const rsd_first_state *s, double way, double to_output)
{
    for (int i = 0; i < s->n; i++)
        if (nw->kinds[i] == RESIDA_ALGEBRAIC_3 && s->tested[i] == 0)
            return fmin(MOST_OF_WAY * way, PART_OF_INDEX_3 * to_output);
    return MOST_OF_WAY * way;
}

resida_status rsd_first_step(rsd_ida_newton *nw, const rsd_first_state *s, const resida_solver_options *o, double t_out,
                             double t_stop, double *h)
{
    *h = o->h_first;
    if (*h > 0 || rsd_error_weights(o, s->n, s->y, s->w) >= 0) return RESIDA_OK;
    double way = (isfinite(t_stop) ? t_stop : t_out) - s->t, speed = norm(s, s->yp);
    double least = 4 * DBL_EPSILON * fabs(s->t), most = fmax(longest(nw, s, way, t_out - s->t), least);
    *h = fmax(fmin(FIRST_GUESS * way, most), least);
    most = fmin(most, o->h_max);
    if (speed * *h > 0.5) *h = 0.5 / speed;
    if (!nw->newton.J->by_costs) return RESIDA_OK;
    /* If y'' is to y' as y' is to y, this is where the error is half a tolerance. */
    double from = speed > 0 ? sqrt(fmax(norm(s, s->y), 1) / 2) / speed : *h;
    if (!(from < INFINITY) || !(least < most)) return RESIDA_OK;
    int verdict = search(nw, s, least, most, &from);
    if (verdict == 0) *h = from;
    return verdict < 0 ? nw->guard->stop : RESIDA_OK;
}

int rsd_is_too_close_to_begin(const rsd_ida_newton *nw, const rsd_first_state *s, const resida_solver_options *o,
                              double way)
{
    if (way <= DBL_MIN / DBL_EPSILON) return 1;
    if (way > ROUNDED * DBL_EPSILON * (2 * fabs(rsd_ida_t(nw, s->t)) + way)) return 0;
    return rsd_error_weights(o, s->n, s->y, s->w) < 0 && norm(s, s->yp) * way < NOTHING;
}
