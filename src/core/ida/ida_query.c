/* ida_query.c - queries of the integrator on IDA: the state, the solution within the last step, times,
 * counters. */
#include "ida_integrator.h"

#include <math.h>
#include <string.h>

rsd_reached rsd_ida_reached(void *self)
{
    const rsd_ida *it = self;
    return (rsd_reached){rsd_vector_data(it->y), rsd_vector_data(it->yp), &it->events};
}

void rsd_ida_copy_derivatives(const rsd_ida *it, double *to, const double *from)
{
    for (int i = 0; i < it->n; i++) to[i] = it->newton.way_of_t * from[i];
}

resida_status rsd_ida_interpolate(void *self, double t, double *y, double *yp)
{
    rsd_ida *it = self;
    if (!it->begun) { /* what IDA holds is of an earlier start; up to `reached` the start itself is the solution */
        if (t < it->start.t || t > fmax(it->start.t, it->reached)) return RESIDA_ERR_ARGUMENT;
        memcpy(y, rsd_vector_data(it->start.y), (size_t)it->n * sizeof *y);
        rsd_ida_copy_derivatives(it, yp, rsd_vector_data(it->start.yp));
        return RESIDA_OK;
    }
    if (t > rsd_ida_time(it)) return RESIDA_ERR_ARGUMENT; /* IDA would extrapolate */
    N_Vector work = rsd_pool_take(it->pool);
    if (!work) return RESIDA_ERR_INTERNAL;
    int failed = IDAGetDky(it->ida, t, 0, work) != IDA_SUCCESS;
    if (!failed) memcpy(y, rsd_vector_data(work), (size_t)it->n * sizeof *y);
    failed = failed || (yp && IDAGetDky(it->ida, t, 1, work) != IDA_SUCCESS);
    if (!failed && yp) rsd_ida_copy_derivatives(it, yp, rsd_vector_data(work));
    N_VDestroy(work);
    return failed ? RESIDA_ERR_ARGUMENT : RESIDA_OK;
}

const double *rsd_ida_derivatives_at_end(const rsd_ida *it)
{
    double h = 0;
    if (!it->begun || rsd_ida_steps(it) == 0) return NULL;
    IDAGetLastStep(it->ida, &h);
    return rsd_jump_derivatives(&it->newton.jump, rsd_ida_time(it), h);
}

/* A time between both ends, as they are rounded, is one within the step. */
resida_status rsd_ida_interpolate_for_user(void *self, double t, double *y, double *yp)
{
    rsd_ida *it = self;
    const double way = it->newton.way_of_t, end = rsd_ida_time(it), from_end = way * (t - rsd_ida_t(&it->newton, end));
    double h = 0, at = way * (t - it->newton.origin);
    if (it->begun) IDAGetLastStep(it->ida, &h);
    if (from_end <= 0 && way * (t - rsd_ida_t(&it->newton, end - h)) >= 0) at = fmin(fmax(at, end - h), end);
    const resida_status status = rsd_ida_interpolate(it, at, y, yp);
    const double *known = at == end ? rsd_ida_derivatives_at_end(it) : NULL;
    if (status == RESIDA_OK && known) memcpy(yp, known, (size_t)it->n * sizeof *yp);
    return status;
}

/* Since the restart. */
long rsd_ida_steps(const rsd_ida *it)
{
    long steps = 0;
    return IDAGetNumSteps(it->ida, &steps) == IDA_SUCCESS ? steps : 0;
}

double rsd_ida_time(const rsd_ida *it)
{
    double t = it->start.t;
    if (it->begun) IDAGetCurrentTime(it->ida, &t);
    return t;
}

double rsd_ida_time_for_user(void *self)
{
    const rsd_ida *it = self;
    return rsd_ida_t(&it->newton, rsd_ida_time(it));
}

void rsd_ida_stats(const void *self, resida_stats *s)
{
    const rsd_ida *it = self;
    const rsd_ida_newton *nw = &it->newton;
    long steps = 0, fails = 0;
    if (it->begun) {
        IDAGetNumSteps(it->ida, &steps);
        IDAGetNumErrTestFails(it->ida, &fails);
        IDAGetLastOrder(it->ida, &s->order);
        IDAGetLastStep(it->ida, &s->h);
    }
    s->steps = it->before.steps + steps;
    s->events_in_doubt = it->events.known.in_doubt;
    const rsd_order_limit *a = &it->order.stability.limit, *b = &it->order.gain.limit;
    s->order_limits.set = a->set + b->set;
    s->order_limits.freed = a->freed + b->freed;
    s->order_limits.steps = a->steps + b->steps;
    s->min_order = nw->least.is_on && !nw->least.is_other ? RSD_MIN_ORDER : 1;
    s->error_test_fails = it->before.error_test_fails + fails;
    s->error_test_repeats = nw->repeated_fails;
    s->jumps = it->before.jumps;
    rsd_newton_stats(&nw->newton, s);
    s->factorisations = rsd_jacobian_factors(nw->J)->count;
    s->linear_solver = rsd_linear_get_report(rsd_jacobian_factors(nw->J)->linear).name;
}
