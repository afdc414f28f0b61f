/* event_start.c - determines the sides of root functions at a start, and reaches an event after which F cannot be
 * evaluated.
 *
 * If the sign of a function is uncertain at a start, a limit of |g|, the band, is set. The function is armed when |g|
 * first exceeds the band. If it then has the sign opposite to its side, it has crossed zero. The band covers four
 * changes of g: by the rounding of t, from 0 to the value of g at an event, by the start itself, and by the errors of
 * algebraic components and multipliers, which are solved again. IDARcheck1 of SUNDIALS treats exact zeros in a similar
 * way.
 *
 * If the start did not change the state, the function keeps its side at the event. A new mode that reverses g' then
 * triggers the next event at once. If the state jumped, as at a rebound, g' along the motion determines the side. The
 * function stays on the side from which it came if g' = 0, if the jump reversed g' to the direction of the crossing, or
 * if no time has passed since the last start. Therefore a ball at rest does not fall through the floor: its last
 * flights are shorter than the tolerances, and may end with a velocity of the wrong sign. */
#include "events.h"

#include "base/message.h"
#include "base/numbers.h"
#include "src/core/mechanism/mechanism_impl.h"
#include "src/core/watch/tolerance.h"

#include <math.h>
#include <string.h>

/* NEGLIGIBLE is used for four limits at a start: the time over which g' is computed, in units of the first step; the
 * change of y that is ignored, in tolerances; the relative change of y' that does not count as a jump; and the g' that
 * counts as rounding, relative to g' before the event. Values from 1e-6 to 1e-3 give the same results. */
#define NEGLIGIBLE            1e-3
#define MAX_LAM_ERROR         20.0 /* assumed error of multipliers, which the error test omits, in tolerances */
#define MAX_CROSSING_DISTANCE 4.0  /* maximum time from a failed step to a crossing that explains it, in steps */

/* Return 1 if component c of y is differential, so that y'_c of a start is the derivative of y_c. */
static int is_differential(const resida_problem *q, int c)
{
    const resida_layout *l = &q->layout;
    if (q->mechanism) return (c >= l->p && c < l->p + l->n_p) || (c >= l->v && c < l->v + l->n_v);
    return q->kinds[c] == RESIDA_DIFFERENTIAL || q->kinds[c] == RESIDA_DIFFERENTIAL_2;
}

void rsd_events_restart(rsd_events *e, double origin, const rsd_events_state *reached, const double *y,
                        const double *yp)
{
    const resida_problem *q = e->guard->problem;
    rsd_known_events *x = &e->known;
    rsd_event_start *s = &e->start;
    const double *given = e->guard->y_given ? e->guard->y_given : y, dt = rsd_events_get_rounding(e, e->origin + x->t);
    int is_same = 1, is_changed = 0;
    double max = 0;
    for (int c = 0; c < q->layout.n && e->n_root > 0; c++) {
        const double before = reached->y[c], rate = reached->yp[c], jump = fabs(yp[c] - rate);
        const double tolerance = rsd_tolerance(e->o, c, before);
        if (is_differential(q, c)) {
            is_same &= given[c] == before;
            is_changed |= fabs(given[c] - before) > NEGLIGIBLE * tolerance + dt * fabs(yp[c]);
            if (jump > NEGLIGIBLE * fmax(fabs(yp[c]), fabs(rate))) max = fmax(max, jump / tolerance);
        }
        s->rate[c] = rate;
        s->y[c] = y[c];
        s->yp[c] = yp[c];
    }
    if (q->mechanism && e->n_root > 0)
        rsd_apply_T(q->mechanism, reached->y + q->layout.v, s->rate + q->layout.p); /* p' = T v, not the slope of y */
    s->is_at_event = e->guard->continues_run && e->t_event == INFINITY && x->t <= reached->t;
    s->is_same = is_same;
    s->rates_jump = is_changed ? 0 : max;
    s->is_exact = e->guard->exact_signs;
    s->last_interval = x->t - x->before;
    e->origin = origin;
    e->t_event = INFINITY;
    x->is_begun = 0;
    x->t = 0;
}

/* Evaluate the root functions at a time s after the start into value [n_root]. Differential components are y + s rate,
 * with rate [n]. If is_stepped is 1, other components are interpolated. Return 0, or a status < 0. */
static int eval_roots_along(rsd_events *e, double s, const double *rate, int is_stepped, double *value)
{
    const resida_problem *q = e->guard->problem;
    memcpy(e->y, e->start.y, (size_t)q->layout.n * sizeof *e->y);
    memcpy(e->yp, e->start.yp, (size_t)q->layout.n * sizeof *e->yp);
    if (is_stepped && e->dense(e->self, s, e->y, e->yp)) return e->guard->stop = RESIDA_ERR_INTERNAL;
    for (int c = 0; c < q->layout.n; c++)
        if (is_differential(q, c)) e->y[c] = e->start.y[c] + s * rate[c];
    return rsd_guard_eval_roots(e->guard, e->origin + s, e->y, e->yp, value);
}

/* Evaluate the root functions at the start into value [n_root], with errors of components that are not differential.
 * Each is changed by once to twice its error. The changes have irregular sizes and alternating signs, and do not cancel
 * in differences of components. If a function is not defined there, as sqrt(y) for y < 0, opposite changes are made. If
 * that fails, too, `value` is e->inside, the values at the start. Return 0, or a status < 0. */
static int eval_roots_with_errors(rsd_events *e, double *value)
{
    const resida_problem *q = e->guard->problem;
    int verdict = 1;
    for (int way = 1; way >= -1 && verdict > 0; way -= 2) {
        for (int c = 0; c < q->layout.n; c++) {
            const double error = q->mechanism || q->kinds[c] != RESIDA_ALGEBRAIC ? MAX_LAM_ERROR : 1;
            const double size =
                is_differential(q, c) ? 0 : error * (1 + fmod(RSD_GOLDEN * c, 1)) * (c % 2 ? -way : way);
            e->y[c] = e->start.y[c] + size * rsd_tolerance(e->o, c, e->start.y[c]);
            e->yp[c] = e->start.yp[c] + size * rsd_tolerance(e->o, c, e->start.yp[c]);
        }
        verdict = rsd_guard_try_roots(e->guard, e->origin, e->y, e->yp, value);
    }
    if (verdict > 0) memcpy(value, e->inside, (size_t)e->n_root * sizeof *value);
    return verdict < 0 ? verdict : 0;
}

/* Return 1 if a root function changes after the start in the direction of its last crossing. e->inside has the values
 * at the start, e->other the values at a later time. */
static int does_any_root_continue(const rsd_events *e)
{
    for (int i = 0; i < e->n_root && e->start.is_at_event; i++) {
        const int crossed = e->next.root[i].direction;
        if (crossed != 0 && rsd_get_sign(e->other[i] - e->inside[i]) == crossed) return 1;
    }
    return 0;
}

/* Set side and band of root function i at a start. The values of root functions are in e->inside at the consistent
 * start, in e->end at the given state, in e->other at a time s after the start, and in e->unchanged at this time along
 * y' before the start. e->error contains the values at the start with errors (eval_roots_with_errors()). */
static void set_root_side(rsd_events *e, int i, double s)
{
    const rsd_event_start *start = &e->start;
    const resida_model_contacts *held = &e->guard->problem->contacts.given;
    rsd_root *r = &e->next.root[i];
    const int was = start->is_at_event && !start->is_exact ? r->side : 0,
              crossed = start->is_at_event ? r->direction : 0;
    const double g = e->inside[i], given = e->end[i], change = e->other[i] - g, before = r->value;
    const double slope = start->last_interval > 0 ? (before - r->past) / start->last_interval : 0;
    const double dt = rsd_events_get_rounding(e, e->origin);
    const int way = fabs(change) > NEGLIGIBLE * fabs(slope) * s ? rsd_get_sign(change) : 0;
    const double error = start->is_at_event ? fabs(e->error[i] - g) : 0;
    const double zero = dt / s * fabs(change) + (crossed && way == crossed ? fabs(change) : 0) + error;
    const int has_crossed = error > 0 && start->is_same && was && was == crossed;
    const int stays = way == crossed && (r->is_return || rsd_get_sign(e->unchanged[i] - g) == -crossed);
    r->side = rsd_get_sign(g);
    r->band = RSD_ARMED;
    r->direction = 0;
    r->value = g;
    if (i >= held->first && i < held->first + held->n) {
        r->side = 1; /* the start has decided whether the contact is closed */
        if (g <= 0) r->band = fabs(g);
        return;
    }
    if (start->is_exact ? g != 0 : fabs(given) > zero + (crossed ? 2 * fabs(before) : 0) && given * g > 0) return;
    if (has_crossed ||
        (was && (crossed ? start->rates_jump * e->h > NEGLIGIBLE : start->is_same || fabs(given - before) <= zero)))
        r->side = was;
    else
        r->side = way && !stays ? way : start->is_same && !(crossed && start->last_interval <= dt) ? was : -crossed;
    if (has_crossed || rsd_get_sign(g) != r->side) r->band = zero + fabs(g);
}

int rsd_events_set_sides(rsd_events *e, int is_stepped)
{
    const double *given = e->guard->y_given, s = NEGLIGIBLE * e->h;
    int verdict = rsd_guard_eval_roots(e->guard, e->origin, e->start.y, e->start.yp, e->inside);
    if (!verdict) verdict = eval_roots_along(e, s, e->start.yp, is_stepped, e->other);
    memcpy(e->unchanged, e->other, (size_t)e->n_root * sizeof *e->other);
    if (!verdict && does_any_root_continue(e))
        verdict = eval_roots_along(e, s, e->start.rate, is_stepped, e->unchanged);
    if (!verdict && given) verdict = rsd_guard_eval_roots(e->guard, e->origin, given, e->start.yp, e->end);
    if (!verdict && e->start.is_at_event) verdict = eval_roots_with_errors(e, e->error);
    if (verdict) return verdict;
    if (!given) memcpy(e->end, e->inside, (size_t)e->n_root * sizeof *e->end);
    for (int i = 0; i < e->n_root; i++) set_root_side(e, i, s);
    e->next.is_begun = 1;
    e->next.before = -INFINITY;
    e->next.reach = 0;
    e->next.parts = 0;
    return 0;
}

/* Compute the time *way to the first crossing by linear extrapolation of the root functions, with difference quotients
 * over the time s along yp. Set e->end to the time of each crossing. Return 0, or < 0 on a fatal error. */
static int extrapolate_crossing(rsd_events *e, double s, const double *y, const double *yp, double *way)
{
    *way = INFINITY;
    for (int c = 0; c < e->guard->problem->layout.n; c++) e->y[c] = y[c] + s * yp[c];
    const int verdict = rsd_guard_eval_roots(e->guard, e->origin + (e->next.t + s), e->y, yp, e->other);
    for (int i = 0; i < e->n_root && !verdict; i++) {
        const rsd_root *r = &e->next.root[i];
        const double slope = (e->other[i] - r->value) / s;
        e->end[i] = slope * r->side < 0 && r->band < 0 ? -r->value / slope : INFINITY;
        *way = fmin(*way, e->end[i]);
    }
    return verdict;
}

/* Return 1 if no component of y changes by more than NEGLIGIBLE of its tolerance during the time `way`. */
static int is_change_negligible(const rsd_events *e, double way, const double *y, const double *yp)
{
    for (int c = 0; c < e->guard->problem->layout.n; c++)
        if (is_differential(e->guard->problem, c) && fabs(way * yp[c]) > NEGLIGIBLE * rsd_tolerance(e->o, c, y[c]))
            return 0;
    return 1;
}

static void set_crossing_time(rsd_events *e, double way)
{
    for (int i = 0; i < e->n_root; i++) {
        rsd_root *r = &e->next.root[i];
        r->direction = e->end[i] <= way * (1 + NEGLIGIBLE) ? -r->side : 0;
        if (r->direction == 0) continue;
        r->side = r->direction;
        r->band = fabs(r->value); /* the value at the extrapolated time is not exactly zero */
        r->value = 0;
    }
    e->next.t += way;
    rsd_events_end_search(e);
}

/* Complete the message of a failure in which F cannot be evaluated at the last event or at the start. If a root
 * function is zero there, append its index. Return `failed`. */
static resida_status report_failure_at_event(rsd_events *e, resida_status failed)
{
    int i = 0;
    while (i < e->n_root && e->next.root[i].direction == 0 && e->next.root[i].band < 0) i++;
    if (i < e->n_root)
        rsd_message_append(e->guard->message,
                           "; root function %d crosses zero there: its event must change the model so that F can be "
                           "evaluated after it",
                           i);
    return failed;
}

resida_status rsd_events_search_ahead(rsd_events *e, resida_status failed, double h, const double *y, const double *yp,
                                      double *way)
{
    rsd_guard *g = e->guard;
    const resida_status stop = g->stop;
    const resida_message why = *g->message;
    const int is_refused = failed == RESIDA_ERR_USER_REPEATED || failed == RESIDA_ERR_NONFINITE ||
                           failed == RESIDA_ERR_STEP_TOO_SMALL || failed == RESIDA_ERR_NEWTON;
    if (e->n_root == 0 || !is_refused || g->last == RSD_FINE) return failed;
    g->stop = RESIDA_OK;
    e->h = h;
    rsd_events_begin_search(e);
    if (!e->next.is_begun && rsd_events_set_sides(e, 0)) return g->stop;
    if (extrapolate_crossing(e, NEGLIGIBLE * h, y, yp, way)) return g->stop;
    if (*way > MAX_CROSSING_DISTANCE * h) {
        g->stop = stop;
        *g->message = why;
        return report_failure_at_event(e, failed);
    }
    g->message->text[0] = 0;
    g->run = 0;
    g->last = RSD_FINE;
    if (!is_change_negligible(e, *way, y, yp)) return RESIDA_OK;
    set_crossing_time(e, *way);
    return RESIDA_EVENT;
}
