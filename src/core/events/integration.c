/* integration.c - the part that is common to all integrators: a call of the user as a sequence of steps, outputs and
 * events within steps, and the times of the user, which are returned bit for bit. */
#include "integrator.h"

#include <math.h>
#include <string.h>

resida_status rsd_integration_create(rsd_integration *integration, const rsd_integrator_ops *ops,
                                     const resida_solver_options *o, rsd_guard *guard, const resida_allocator *alloc)
{
    integration->ops = ops;
    integration->o = o;
    integration->guard = guard;
    integration->problem = guard->problem;
    integration->n = guard->problem->layout.n;
    integration->way = 1;
    integration->events = (rsd_events){.guard = guard, .o = o, .dense = ops->interpolate, .self = integration};
    return RSD_DOUBLES(alloc, integration->n, &integration->y, &integration->yp)
               ? rsd_events_create(&integration->events, alloc)
               : RESIDA_ERR_MEMORY;
}

void rsd_integration_restart(rsd_integration *integration, double t0, const double *y0, const double *yp0)
{
    const rsd_last_step s = integration->ops->last_step(integration);
    const double end = rsd_integration_t(integration, s.end);
    const size_t bytes = (size_t)integration->n * sizeof *y0;
    rsd_events_restart(&integration->events, t0,
                       &(rsd_events_state){integration->y, integration->yp, integration->reached}, y0, yp0);
    integration->origin = t0;
    integration->way = 1;
    integration->ops->restart(integration, y0, yp0, s.is_there && t0 >= end - (s.end - s.begin) && t0 <= end);
    memmove(integration->y, y0, bytes);
    memmove(integration->yp, yp0, bytes);
    integration->reached = 0;
    integration->watched = (rsd_watched){.t = t0};
    integration->guard->run = 0;
}

int rsd_integration_check_jumps(rsd_integration *integration, double t, rsd_watch_at at, const double *y)
{
    return integration->is_watched
               ? rsd_watch_constraints(&integration->watched, integration->guard, integration->o, t, at, y)
               : 0;
}

/* Convert t to the integrator's time. The rounded t of the end of the last step becomes that end exactly, because a
 * further step may follow. */
static double convert_time(const rsd_integration *integration, double t)
{
    const double end = integration->ops->last_step(integration).end;
    return t == rsd_integration_t(integration, end) ? end : integration->way * (t - integration->origin);
}

resida_status rsd_integration_interpolate(rsd_integration *integration, double t, double *y, double *yp)
{
    const rsd_last_step s = integration->ops->last_step(integration);
    double at = integration->way * (t - integration->origin);
    const int is_within = integration->way * (t - rsd_integration_t(integration, s.end)) <= 0 &&
                          integration->way * (t - rsd_integration_t(integration, s.begin)) >= 0;
    if (is_within) at = fmin(fmax(at, s.begin), s.end); /* because both ends are rounded */
    const resida_status status = integration->ops->interpolate(integration, at, y, yp);
    const double *known =
        at == s.end && integration->ops->derivatives_at_end ? integration->ops->derivatives_at_end(integration) : NULL;
    if (status == RESIDA_OK && known) memcpy(yp, known, (size_t)integration->n * sizeof *yp);
    return status;
}

static resida_status interpolate_output(rsd_integration *integration, double time)
{
    integration->reached = time;
    return integration->ops->interpolate(integration, time, integration->y, integration->yp);
}

void rsd_integration_set_state(rsd_integration *integration, double time, const double *y, const double *yp)
{
    integration->reached = time;
    memcpy(integration->y, y, (size_t)integration->n * sizeof *y);
    for (int i = 0; i < integration->n; i++) integration->yp[i] = integration->way * yp[i];
}

/* Check after a failed step whether the motion leads to an event after which F cannot be evaluated. */
static resida_status approach_event(rsd_integration *integration, resida_status failed, double t_out)
{
    double way = 0;
    const double h = integration->ops->last_step(integration).h_next;
    if (integration->events.known.t != integration->reached) return failed;
    const resida_status status =
        rsd_events_search_ahead(&integration->events, failed, h, integration->y, integration->yp, &way);
    if (status < 0) return status;
    if (status == RESIDA_EVENT) {
        for (int i = 0; i < integration->n; i++) integration->y[i] += way * integration->yp[i];
        integration->reached = fmin(integration->reached + way, t_out);
    }
    integration->ops->shorten(integration, status == RESIDA_EVENT ? 0 : way / 2);
    return status;
}

/* Integrate to `out` step by step, and stop at an event. */
static resida_status advance_to(rsd_integration *integration, double out, double t_stop, int one_step)
{
    const double from = integration->reached;
    if (integration->events.n_root == 0 && integration->ops->has_outputs)
        return integration->ops->step(integration, convert_time(integration, out), t_stop, one_step);
    if (rsd_events_take_event(&integration->events, from)) return RESIDA_EVENT;
    for (int is_taken = 0;;) {
        const rsd_last_step s = integration->ops->last_step(integration);
        const double t_out = convert_time(integration, out);
        double t_event = 0;
        resida_status status = RESIDA_OK;
        if (s.is_there) status = rsd_events_find_next(&integration->events, s.begin, s.end, from, t_out, &t_event);
        if (status == RESIDA_EVENT) RSD_TRY(interpolate_output(integration, t_event));
        if (status != RESIDA_OK) return status;
        if (s.is_there && s.end >= t_out) return interpolate_output(integration, t_out);
        if (is_taken && s.is_there) rsd_integration_set_state(integration, s.end, s.y, s.yp);
        if (is_taken && (one_step || integration->reached >= t_out)) return RESIDA_OK;
        status = integration->ops->step(integration, t_out, t_stop, 1);
        is_taken = status == RESIDA_OK;
        if (status < 0) status = approach_event(integration, status, t_out);
        if (status != RESIDA_OK) return status;
    }
}

resida_status rsd_integration_advance(rsd_integration *integration, double t_out, double t_stop, int one_step,
                                      double *t)
{
    const double before = integration->reached, out = convert_time(integration, t_out), way = integration->way;
    RSD_TRY(integration->ops->begin_call(integration, out, one_step));
    resida_status status = advance_to(integration, t_out, way * (t_stop - integration->origin), one_step);
    if (integration->reached == out || integration->reached == convert_time(integration, t_out))
        *t = t_out;
    else if (integration->reached != before)
        *t = way * fmin(fmax(way * rsd_integration_t(integration, integration->reached), way * *t), way * t_out);
    status = integration->ops->end_call(integration, status);
    const rsd_watch_at at = status == RESIDA_EVENT || way * (*t - t_stop) >= 0 ? RSD_AT_STOP : RSD_AT_OUTPUT;
    if (status < 0 || rsd_integration_check_jumps(integration, *t, at, integration->y) >= 0) return status;
    if (status == RESIDA_EVENT) integration->events.t_event = integration->reached; /* for the next call */
    return integration->guard->stop;
}
