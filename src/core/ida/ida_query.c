/* ida_query.c - queries of the integrator on IDA: the state, the solution within the last step, times and counters. */
#include "ida_impl.h"

#include <math.h>
#include <string.h>

void rsd_ida_copy_derivatives(const rsd_ida *it, double *to, const double *from)
{
    for (int i = 0; i < it->base.n; i++) to[i] = it->base.way * from[i];
}

resida_status rsd_ida_interpolate(void *self, double t, double *y, double *yp)
{
    rsd_ida *it = self;
    if (!it->begun) { /* the data of IDA are from an earlier start; up to `reached` the start is the solution */
        if (t < it->start.t || t > fmax(it->start.t, it->base.reached)) return RESIDA_ERR_ARGUMENT;
        memcpy(y, rsd_vector_data(it->start.y), (size_t)it->base.n * sizeof *y);
        rsd_ida_copy_derivatives(it, yp, rsd_vector_data(it->start.yp));
        return RESIDA_OK;
    }
    if (t > rsd_ida_time(it)) return RESIDA_ERR_ARGUMENT; /* IDA would extrapolate */
    N_Vector work = rsd_pool_take(it->pool);
    if (!work) return RESIDA_ERR_INTERNAL;
    int failed = IDAGetDky(it->ida, t, 0, work) != IDA_SUCCESS;
    if (!failed) memcpy(y, rsd_vector_data(work), (size_t)it->base.n * sizeof *y);
    failed = failed || (yp && IDAGetDky(it->ida, t, 1, work) != IDA_SUCCESS);
    if (!failed && yp) rsd_ida_copy_derivatives(it, yp, rsd_vector_data(work));
    N_VDestroy(work);
    return failed ? RESIDA_ERR_ARGUMENT : RESIDA_OK;
}

const double *rsd_ida_derivatives_at_end(const rsd_integration *base)
{
    const rsd_last_step s = rsd_ida_last_step(base);
    return s.is_there ? rsd_jump_derivatives(&((const rsd_ida *)base)->jump, s.end, s.end - s.begin) : NULL;
}

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

rsd_last_step rsd_ida_last_step(const rsd_integration *base)
{
    const rsd_ida *it = (const rsd_ida *)base;
    const double t = rsd_ida_time(it);
    rsd_last_step s = {it->begun && rsd_ida_steps(it) > 0, t, t, 0, rsd_vector_data(it->y_ida),
                       rsd_vector_data(it->yp_ida)};
    double h = 0;
    if (s.is_there) IDAGetLastStep(it->ida, &h);
    s.begin = t - h;
    IDAGetCurrentStep(it->ida, &s.h_next);
    return s;
}

void rsd_ida_stats(const rsd_integration *base, resida_stats *s)
{
    const rsd_ida *it = (const rsd_ida *)base;
    long steps = 0, fails = 0;
    if (it->begun) {
        IDAGetNumSteps(it->ida, &steps);
        IDAGetNumErrTestFails(it->ida, &fails);
        IDAGetLastOrder(it->ida, &s->order);
        IDAGetLastStep(it->ida, &s->h);
    }
    s->steps = it->before.steps + steps;
    s->events_in_doubt = it->base.events.known.in_doubt;
    const rsd_order_limit *a = &it->order.stability.limit, *b = &it->order.gain.limit;
    s->order_limits.set = a->set + b->set;
    s->order_limits.freed = a->freed + b->freed;
    s->order_limits.steps = a->steps + b->steps;
    s->min_order = it->least.is_on && !it->least.is_other ? RSD_MIN_ORDER : 1;
    s->error_test_fails = it->before.error_test_fails + fails;
    s->error_test_repeats = it->repeated_fails;
    s->jumps = it->before.jumps;
    rsd_newton_stats(&it->newton, s);
    s->factorisations = it->newton.factors->count;
    s->linear_solver = rsd_linear_get_report(it->newton.factors->linear).name;
}
