/* integration.c - the part that is common to all integrators: a call of the user as a sequence of steps, outputs and
 * events within steps, and the times of the user, which are returned bit for bit. */
#include "integrator.h"

#include <math.h>
#include <string.h>

resida_status rsd_integration_create(rsd_integration *it, const rsd_integrator_ops *ops, const resida_solver_options *o,
                                     rsd_guard *guard, const resida_allocator *alloc)
{
    it->ops = ops;
    it->o = o;
    it->guard = guard;
    it->problem = guard->problem;
    it->n = guard->problem->layout.n;
    it->way = 1;
    it->events = (rsd_events){.guard = guard, .o = o, .dense = ops->interpolate, .self = it};
    return RSD_DOUBLES(alloc, it->n, &it->y, &it->yp) ? rsd_events_create(&it->events, alloc) : RESIDA_ERR_MEMORY;
}

void rsd_integration_restart(rsd_integration *it, double t0, const double *y0, const double *yp0)
{
    const rsd_last_step s = it->ops->last_step(it);
    const double end = rsd_integration_t(it, s.end);
    const size_t bytes = (size_t)it->n * sizeof *y0;
    rsd_events_restart(&it->events, t0, &(rsd_events_state){it->y, it->yp, it->reached}, y0, yp0);
    it->origin = t0;
    it->way = 1;
    it->ops->restart(it, y0, yp0, s.is_there && t0 >= end - (s.end - s.begin) && t0 <= end);
    memmove(it->y, y0, bytes);
    memmove(it->yp, yp0, bytes);
    it->reached = 0;
    it->watched = (rsd_watched){.t = t0};
    it->guard->run = 0;
}

int rsd_integration_check_jumps(rsd_integration *it, double t, rsd_watch_at at, const double *y)
{
    return it->is_watched ? rsd_watch_constraints(&it->watched, it->guard, it->o, t, at, y) : 0;
}

/* Convert t to the integrator's time. The rounded t of the end of the last step becomes that end exactly, because a
 * further step may follow. */
static double convert_time(const rsd_integration *it, double t)
{
    const double end = it->ops->last_step(it).end;
    return t == rsd_integration_t(it, end) ? end : it->way * (t - it->origin);
}

resida_status rsd_integration_interpolate(rsd_integration *it, double t, double *y, double *yp)
{
    const rsd_last_step s = it->ops->last_step(it);
    double at = it->way * (t - it->origin);
    const int is_within =
        it->way * (t - rsd_integration_t(it, s.end)) <= 0 && it->way * (t - rsd_integration_t(it, s.begin)) >= 0;
    if (is_within) at = fmin(fmax(at, s.begin), s.end); /* because both ends are rounded */
    const resida_status status = it->ops->interpolate(it, at, y, yp);
    const double *known = at == s.end && it->ops->derivatives_at_end ? it->ops->derivatives_at_end(it) : NULL;
    if (status == RESIDA_OK && known) memcpy(yp, known, (size_t)it->n * sizeof *yp);
    return status;
}

static resida_status interpolate_output(rsd_integration *it, double time)
{
    it->reached = time;
    return it->ops->interpolate(it, time, it->y, it->yp);
}

void rsd_integration_set_state(rsd_integration *it, double time, const double *y, const double *yp)
{
    it->reached = time;
    memcpy(it->y, y, (size_t)it->n * sizeof *y);
    for (int i = 0; i < it->n; i++) it->yp[i] = it->way * yp[i];
}

/* Check after a failed step whether the motion leads to an event after which F cannot be evaluated. */
static resida_status approach_event(rsd_integration *it, resida_status failed, double t_out)
{
    double way = 0;
    const double h = it->ops->last_step(it).h_next;
    if (it->events.known.t != it->reached) return failed;
    const resida_status status = rsd_events_search_ahead(&it->events, failed, h, it->y, it->yp, &way);
    if (status < 0) return status;
    if (status == RESIDA_EVENT) {
        for (int i = 0; i < it->n; i++) it->y[i] += way * it->yp[i];
        it->reached = fmin(it->reached + way, t_out);
    }
    it->ops->shorten(it, status == RESIDA_EVENT ? 0 : way / 2);
    return status;
}

/* Integrate to `out` step by step, and stop at an event. */
static resida_status advance_to(rsd_integration *it, double out, double t_stop, int one_step)
{
    const double from = it->reached;
    if (it->events.n_root == 0 && it->ops->has_outputs)
        return it->ops->step(it, convert_time(it, out), t_stop, one_step);
    if (rsd_events_take_event(&it->events, from)) return RESIDA_EVENT;
    for (int is_taken = 0;;) {
        const rsd_last_step s = it->ops->last_step(it);
        const double t_out = convert_time(it, out);
        double t_event = 0;
        resida_status status = RESIDA_OK;
        if (s.is_there) status = rsd_events_find_next(&it->events, s.begin, s.end, from, t_out, &t_event);
        if (status == RESIDA_EVENT) RSD_TRY(interpolate_output(it, t_event));
        if (status != RESIDA_OK) return status;
        if (s.is_there && s.end >= t_out) return interpolate_output(it, t_out);
        if (is_taken && s.is_there) rsd_integration_set_state(it, s.end, s.y, s.yp);
        if (is_taken && (one_step || it->reached >= t_out)) return RESIDA_OK;
        status = it->ops->step(it, t_out, t_stop, 1);
        is_taken = status == RESIDA_OK;
        if (status < 0) status = approach_event(it, status, t_out);
        if (status != RESIDA_OK) return status;
    }
}

resida_status rsd_integration_advance(rsd_integration *it, double t_out, double t_stop, int one_step, double *t)
{
    const double before = it->reached, out = convert_time(it, t_out), way = it->way;
    RSD_TRY(it->ops->begin_call(it, out, one_step));
    resida_status status = advance_to(it, t_out, way * (t_stop - it->origin), one_step);
    if (it->reached == out || it->reached == convert_time(it, t_out))
        *t = t_out;
    else if (it->reached != before)
        *t = way * fmin(fmax(way * rsd_integration_t(it, it->reached), way * *t), way * t_out);
    status = it->ops->end_call(it, status);
    const rsd_watch_at at = status == RESIDA_EVENT || way * (*t - t_stop) >= 0 ? RSD_AT_STOP : RSD_AT_OUTPUT;
    if (status < 0 || rsd_integration_check_jumps(it, *t, at, it->y) >= 0) return status;
    if (status == RESIDA_EVENT) it->events.t_event = it->reached; /* for the next call */
    return it->guard->stop;
}
