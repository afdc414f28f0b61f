/* integration.c - the functions that are common to all integrators. They perform a call of the user as a sequence of
 * steps, outputs and events within steps. Times of the user are returned bit for bit. */
#include "integrator.h"

#include <math.h>
#include <string.h>

#define EQUAL_TIMES 1e-9 /* maximum distance of equal times, relative to the last step (1e-5 to 1e-9; test events) */

resida_status rsd_integration_create(rsd_integration *x, const rsd_integrator_ops *ops, const resida_solver_options *o,
                                     rsd_guard *guard, const resida_allocator *alloc)
{
    x->ops = ops;
    x->o = o;
    x->guard = guard;
    x->problem = guard->problem;
    x->n = guard->problem->layout.n;
    x->direction = 1;
    x->events = (rsd_events){.guard = guard, .o = o, .dense = ops->interpolate, .self = x};
    return RSD_DOUBLES(alloc, x->n, &x->y, &x->yp) ? rsd_events_create(&x->events, alloc) : RESIDA_ERR_MEMORY;
}

void rsd_integration_restart(rsd_integration *x, double t0, const double *y0, const double *yp0)
{
    const rsd_last_step s = x->ops->last_step(x);
    const double end = rsd_integration_t(x, s.end);
    const size_t bytes = (size_t)x->n * sizeof *y0;
    rsd_events_restart(&x->events, t0, &(rsd_events_state){x->y, x->yp, x->reached}, y0, yp0);
    x->origin = t0;
    x->direction = 1;
    x->ops->restart(x, y0, yp0, s.has_step && t0 >= end - (s.end - s.begin) && t0 <= end);
    memmove(x->y, y0, bytes);
    memmove(x->yp, yp0, bytes);
    x->reached = 0;
    x->watched = (rsd_watched){.t = t0};
    x->guard->run = 0;
}

int rsd_integration_check_jumps(rsd_integration *x, double t, rsd_watch_at at, const double *y)
{
    return x->is_watched ? rsd_watch_constraints(&x->watched, x->guard, x->o, t, at, y) : 0;
}

/* Convert t to the integrator's time. If t is the rounded end of the last step, return the exact end, provided that the
 * user has reached it, that steps end on a grid, or that the rounding of t is small compared with the step. */
static double convert_time(const rsd_integration *x, double t)
{
    const rsd_last_step s = x->ops->last_step(x);
    const double time = x->direction * (t - x->origin);
    const int is_meant = x->reached == s.end || x->o->step > 0 || fabs(time - s.end) < EQUAL_TIMES * (s.end - s.begin);
    return is_meant && t == rsd_integration_t(x, s.end) ? s.end : time;
}

/* Return 1 if the time reached is before t_out, the integrator's time of `out`, but is rounded to `out`. */
static int is_rounded_up(const rsd_integration *x, double out, double t_out)
{
    return x->reached < t_out && rsd_integration_t(x, x->reached) == out;
}

resida_status rsd_integration_interpolate(rsd_integration *x, double t, double *y, double *yp)
{
    const rsd_last_step s = x->ops->last_step(x);
    double at = x->direction * (t - x->origin);
    const int is_within = x->direction * (t - rsd_integration_t(x, s.end)) <= 0 &&
                          x->direction * (t - rsd_integration_t(x, s.begin)) >= 0;
    if (is_within) at = fmin(fmax(at, s.begin), s.end); /* the ends in the user's time are rounded */
    const resida_status status = x->ops->interpolate(x, at, y, yp);
    const double *known = at == s.end && x->ops->derivatives_at_end ? x->ops->derivatives_at_end(x) : NULL;
    if (status == RESIDA_OK && known) memcpy(yp, known, (size_t)x->n * sizeof *yp);
    return status;
}

static resida_status interpolate_output(rsd_integration *x, double time)
{
    x->reached = time;
    return x->ops->interpolate(x, time, x->y, x->yp);
}

void rsd_integration_set_state(rsd_integration *x, double time, const double *y, const double *yp)
{
    x->reached = time;
    memcpy(x->y, y, (size_t)x->n * sizeof *y);
    for (int i = 0; i < x->n; i++) x->yp[i] = x->direction * yp[i];
}

/* After a failed step, search an event after which F cannot be evaluated. Return RESIDA_EVENT with the state at the
 * found event, RESIDA_OK if a shorter step can be attempted, else the status of the failure. */
static resida_status search_event_after_failure(rsd_integration *x, resida_status failed, double t_out)
{
    double way = 0;
    const double h = x->ops->last_step(x).h_next;
    if (x->events.known.t != x->reached) return failed;
    const resida_status status = rsd_events_search_ahead(&x->events, failed, h, x->y, x->yp, &way);
    if (status < 0) return status;
    if (status == RESIDA_EVENT) {
        for (int i = 0; i < x->n; i++) x->y[i] += way * x->yp[i];
        x->reached = fmin(x->reached + way, t_out);
    }
    x->ops->shorten(x, status == RESIDA_EVENT ? 0 : way / 2);
    return status;
}

/* Integrate to `out` step by step, and stop at the first event. Return RESIDA_OK, RESIDA_EVENT, or a status < 0. */
static resida_status advance_to_output(rsd_integration *x, double out, double t_stop, int one_step)
{
    const double from = x->reached, goal = convert_time(x, out);
    const rsd_last_step last = x->ops->last_step(x);
    if (x->events.n_root == 0 && x->ops->has_outputs) {
        resida_status status = x->ops->step(x, goal, t_stop, one_step);
        while (status == RESIDA_OK && is_rounded_up(x, out, goal)) status = x->ops->step(x, goal, t_stop, one_step);
        return status;
    }
    if (rsd_events_take_event(&x->events, from)) return RESIDA_EVENT;
    if (last.has_step && from <= last.end && rsd_events_compare_values(&x->events, from)) return x->guard->stop;
    for (int is_taken = 0;;) {
        const rsd_last_step s = x->ops->last_step(x);
        const double t_out = convert_time(x, out);
        double t_event = 0;
        resida_status status = RESIDA_OK;
        if (s.has_step) status = rsd_events_find_next(&x->events, s.begin, s.end, from, t_out, &t_event);
        if (status == RESIDA_EVENT) RSD_TRY(interpolate_output(x, t_event));
        if (status != RESIDA_OK) return status;
        if (s.has_step && s.end >= t_out) return interpolate_output(x, t_out);
        if (is_taken && s.has_step) rsd_integration_set_state(x, s.end, s.y, s.yp);
        if (is_taken && (x->reached >= t_out || (one_step && !is_rounded_up(x, out, t_out)))) return RESIDA_OK;
        status = x->ops->step(x, t_out, t_stop, 1);
        is_taken = status == RESIDA_OK;
        if (status < 0) status = search_event_after_failure(x, status, t_out);
        if (status != RESIDA_OK) return status;
    }
}

resida_status rsd_integration_advance(rsd_integration *x, double t_out, double t_stop, int one_step, double *t)
{
    const double before = x->reached, out = convert_time(x, t_out), direction = x->direction;
    RSD_TRY(x->ops->begin_call(x, out, one_step));
    resida_status status = advance_to_output(x, t_out, direction * (t_stop - x->origin), one_step);
    if (x->reached == out || x->reached == convert_time(x, t_out))
        *t = t_out;
    else if (x->reached != before)
        *t = direction * fmin(fmax(direction * rsd_integration_t(x, x->reached), direction * *t), direction * t_out);
    status = x->ops->end_call(x, status);
    const rsd_watch_at at = status == RESIDA_EVENT || direction * (*t - t_stop) >= 0 ? RSD_AT_STOP : RSD_AT_OUTPUT;
    if (status < 0 || rsd_integration_check_jumps(x, *t, at, x->y) >= 0) return status;
    if (status == RESIDA_EVENT) x->events.t_event = x->reached; /* the next call returns the event */
    return x->guard->stop;
}
