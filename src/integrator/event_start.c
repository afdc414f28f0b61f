/* event_start.c - where root functions begin, and how an event is reached beyond which F cannot be evaluated.
 *
 * A function whose sign at a start is not certain is not armed before |g| exceeds its band, from which a crossing is
 * counted when it leaves on the wrong side. The band is what g changes by when t is rounded, what it was at the event
 * at which the start is, and what the start has moved it by. IDARcheck1 of SUNDIALS waits for exact zeros in the same
 * way. The side is the one at the event if the start has not changed the state: then a mode that turns g' round makes
 * the next event at once. Where the state jumped, as in a rebound, g' along the motion tells the side; if g' = 0, the
 * function is where it came from: a ball that has come to rest does not fall through the floor. */
#include "events.h"

#include "src/base/message.h"
#include "src/watch/tolerance.h"

#include <math.h>
#include <string.h>

#define AHEAD          1e-3 /* of the first step: how far the motion is followed for g' */
#define UNCHANGED      1e-3 /* of the tolerance: a smaller change of y at a start is none */
#define SWITCHED       0.1  /* of a component of y': such a change of it is another motion from the same state */
#define STANDS_STILL   1e-9 /* of g' before the event: a smaller g' is zero */
#define BEYOND_FAILURE 4.0  /* times the step that failed last: an event farther ahead is not what it failed for */

/* y' at a start says how component c moves: it is no algebraic one. */
static int has_rate(const resida_problem *q, int c)
{
    const resida_layout *l = &q->layout;
    if (q->mechanism) return (c >= l->p && c < l->p + l->n_p) || (c >= l->v && c < l->v + l->n_v);
    return q->kinds[c] == RESIDA_DIFFERENTIAL || q->kinds[c] == RESIDA_DIFFERENTIAL_2;
}

void rsd_events_restart(rsd_events *e, double origin, const rsd_events_state *reached, const double *y,
                        const double *yp)
{
    const resida_problem *q = e->guard->problem;
    const double *given = e->guard->y_given ? e->guard->y_given : y, dt = rsd_events_rounding(e, e->origin + e->t);
    int is_same = 1, is_changed = 0;
    double most = 0;
    for (int c = 0; c < q->layout.n && e->n_root > 0; c++) {
        const double before = reached->y[c], rate = reached->yp[c], jump = fabs(yp[c] - rate);
        const double tolerance = rsd_tolerance(e->o, c, before);
        if (has_rate(q, c)) {
            is_same &= given[c] == before;
            is_changed |= fabs(given[c] - before) > UNCHANGED * tolerance + dt * fabs(yp[c]);
            if (jump > SWITCHED * fmax(fabs(yp[c]), fabs(rate))) most = fmax(most, jump / tolerance);
        }
        e->y_0[c] = y[c];
        e->yp_0[c] = yp[c];
    }
    e->is_behind = reached->is_at_event;
    e->is_same = is_same;
    e->rates_jump = is_changed ? 0 : most;
    e->is_exact = e->guard->exact_signs;
    e->is_begun = 0;
    e->flight = e->t - e->before;
    e->origin = origin;
    e->t = 0;
}

/* Root functions a time s after the start, along the motion. */
static int look_ahead(rsd_events *e, double s)
{
    const resida_problem *q = e->guard->problem;
    if (e->dense(e->self, s, e->y, e->yp)) return e->guard->stop = RESIDA_ERR_INTERNAL;
    for (int c = 0; c < q->layout.n; c++)
        if (has_rate(q, c)) e->y[c] = e->y_0[c] + s * e->yp_0[c];
    return rsd_guard_roots(e->guard, e->origin + s, e->y, e->yp, e->beyond);
}

/* Side and band of function i at a start, of which e->inside are the values, e->end those of the state as given, and
 * e->beyond those after a time s; g' before the last event is `slope`. */
static void begin_side(rsd_events *e, int i, double s, double slope)
{
    const resida_model_contacts *held = &e->guard->problem->contacts.given;
    const int has_margin = i >= held->first && i < held->first + held->n, is_exact = e->is_exact || has_margin;
    const int was = e->is_behind && !is_exact ? e->side[i] : 0, crossed = e->is_behind ? e->direction[i] : 0;
    const double g = e->inside[i], given = e->end[i], change = e->beyond[i] - g;
    const int way = fabs(change) > STANDS_STILL * fabs(slope) * s ? rsd_sign_of(change) : 0;
    const double zero =
        rsd_events_rounding(e, e->origin) / s * fabs(change) + (crossed && way == crossed ? fabs(change) : 0);
    e->side[i] = rsd_sign_of(g);
    e->band[i] = RSD_ARMED;
    if (is_exact ? g != 0 : fabs(given) > zero + (crossed ? 2 * fabs(e->value[i]) : 0) && given * g > 0) return;
    if (was && (crossed ? e->rates_jump * e->h > UNCHANGED : e->is_same || fabs(given - e->value[i]) <= zero))
        e->side[i] = was;
    else
        e->side[i] = way && !(way == crossed && e->unseen[i]) ? way : e->is_same ? was : -crossed;
    if (rsd_sign_of(g) != e->side[i]) e->band[i] = zero + fabs(g);
}

/* The first step after a restart has been taken, of size h. */
int rsd_events_begin(rsd_events *e)
{
    const double *given = e->guard->y_given, s = AHEAD * e->h;
    int verdict = rsd_guard_roots(e->guard, e->origin, e->y_0, e->yp_0, e->inside);
    if (!verdict) verdict = look_ahead(e, s);
    if (!verdict && given) verdict = rsd_guard_roots(e->guard, e->origin, given, e->yp_0, e->end);
    if (verdict) return verdict;
    if (!given) memcpy(e->end, e->inside, (size_t)e->n_root * sizeof *e->end);
    for (int i = 0; i < e->n_root; i++) {
        begin_side(e, i, s, (e->value[i] - e->past[i]) / e->flight);
        e->direction[i] = 0;
    }
    rsd_swap_values(&e->value, &e->inside);
    e->before = -INFINITY;
    e->reach = 0;
    e->turn = 0;
    e->is_begun = 1;
    return 0;
}

/* The time from e->t to the first crossing, by g' over a time s along yp; of each function, in e->end. 0; < 0 stop */
static int look_for_crossing(rsd_events *e, double s, const double *y, const double *yp, double *way)
{
    *way = INFINITY;
    for (int c = 0; c < e->guard->problem->layout.n; c++) e->y[c] = y[c] + s * yp[c];
    const int verdict = rsd_guard_roots(e->guard, e->origin + (e->t + s), e->y, yp, e->beyond);
    for (int i = 0; i < e->n_root && !verdict; i++) {
        const double slope = (e->beyond[i] - e->value[i]) / s;
        e->end[i] = slope * e->side[i] < 0 && e->band[i] < 0 ? -e->value[i] / slope : INFINITY;
        *way = fmin(*way, e->end[i]);
    }
    return verdict;
}

/* 1: y changes on this way by less than its tolerances count. */
static int is_near(const rsd_events *e, double way, const double *y, const double *yp)
{
    for (int c = 0; c < e->guard->problem->layout.n; c++)
        if (has_rate(e->guard->problem, c) && fabs(way * yp[c]) > UNCHANGED * rsd_tolerance(e->o, c, y[c])) return 0;
    return 1;
}

static void cross_after(rsd_events *e, double way)
{
    for (int i = 0; i < e->n_root; i++) {
        e->direction[i] = e->end[i] <= way * (1 + UNCHANGED) ? -e->side[i] : 0;
        if (e->direction[i] == 0) continue;
        e->side[i] = e->direction[i];
        e->value[i] = e->band[i] = 0;
    }
    e->t += way;
}

/* The failure stays; its message names a root function that is zero where F cannot be evaluated. */
static resida_status fail_at_event(rsd_events *e, resida_status failed)
{
    int i = 0;
    while (i < e->n_root && e->direction[i] == 0) i++;
    if (i < e->n_root)
        rsd_message_append(e->guard->message,
                           "; root function %d crosses zero there: its event has to change the model so that F can be "
                           "evaluated beyond",
                           i);
    return failed;
}

resida_status rsd_events_approach(rsd_events *e, resida_status failed, double h, const double *y, const double *yp,
                                  double *way)
{
    rsd_guard *g = e->guard;
    const rsd_guard kept = *g;
    const resida_message why = *g->message;
    const int is_refused = failed == RESIDA_ERR_USER_REPEATED || failed == RESIDA_ERR_NONFINITE ||
                           failed == RESIDA_ERR_STEP_TOO_SMALL || failed == RESIDA_ERR_NEWTON;
    if (!is_refused || g->last == RSD_FINE || !e->is_begun) return failed;
    g->stop = RESIDA_OK;
    if (look_for_crossing(e, AHEAD * h, y, yp, way)) return g->stop;
    if (*way > BEYOND_FAILURE * h) {
        g->stop = kept.stop;
        *g->message = why;
        return fail_at_event(e, failed);
    }
    g->message->text[0] = 0;
    g->run = 0;
    g->last = RSD_FINE;
    if (!is_near(e, *way, y, yp)) return RESIDA_OK;
    cross_after(e, *way);
    return RESIDA_EVENT;
}
