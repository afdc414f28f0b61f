/* ida_query.c - queries of the integrator on IDA: the state, the solution within the last step, times and counters. */
#include "ida_impl.h"

#include <math.h>
#include <string.h>

void rsd_ida_copy_derivatives(const rsd_ida *ida, double *to, const double *from)
{
    for (int i = 0; i < ida->base.n; i++) to[i] = ida->base.direction * from[i];
}

resida_status rsd_ida_interpolate(void *self, double t, double *y, double *yp)
{
    rsd_ida *ida = self;
    if (!ida->begun) { /* IDA has data of an earlier start only; the solution up to `reached` is the start */
        if (t < ida->start.t || t > fmax(ida->start.t, ida->base.reached)) return RESIDA_ERR_ARGUMENT;
        memcpy(y, rsd_get_components(ida->start.y), (size_t)ida->base.n * sizeof *y);
        rsd_ida_copy_derivatives(ida, yp, rsd_get_components(ida->start.yp));
        return RESIDA_OK;
    }
    if (t > rsd_ida_get_end_time(ida)) return RESIDA_ERR_ARGUMENT; /* IDA itself would extrapolate */
    if (IDAGetDky(ida->mem, t, 0, ida->work) != IDA_SUCCESS) return RESIDA_ERR_ARGUMENT;
    memcpy(y, rsd_get_components(ida->work), (size_t)ida->base.n * sizeof *y);
    if (!yp) return RESIDA_OK;
    if (IDAGetDky(ida->mem, t, 1, ida->work) != IDA_SUCCESS) return RESIDA_ERR_ARGUMENT;
    rsd_ida_copy_derivatives(ida, yp, rsd_get_components(ida->work));
    return RESIDA_OK;
}

const double *rsd_ida_get_derivatives_at_end(const rsd_integration *base)
{
    const rsd_last_step s = rsd_ida_get_last_step(base);
    return s.has_step ? rsd_jump_get_derivatives(&((const rsd_ida *)base)->jump, s.end, s.end - s.begin) : NULL;
}

rsd_ida_steps rsd_ida_get_steps(const rsd_ida *ida)
{
    rsd_ida_steps s = {.number = 0};
    long calls, setups;
    double first;
    IDAGetIntegratorStats(ida->mem, &s.number, &calls, &setups, &s.fails, &s.order, &s.next_order, &first, &s.h_last,
                          &s.h, &s.t);
    return s;
}

double rsd_ida_get_end_time(const rsd_ida *ida)
{
    return ida->begun ? rsd_ida_get_steps(ida).t : ida->start.t;
}

rsd_last_step rsd_ida_get_last_step(const rsd_integration *base)
{
    const rsd_ida *ida = (const rsd_ida *)base;
    const rsd_ida_steps steps = rsd_ida_get_steps(ida);
    const int has_step = ida->begun && steps.number > 0;
    const double t = ida->begun ? steps.t : ida->start.t;
    return (rsd_last_step){has_step, has_step ? t - steps.h_last : t, t,
                           steps.h,  rsd_get_components(ida->y_ida),  rsd_get_components(ida->yp_ida)};
}

void rsd_ida_get_stats(const rsd_integration *base, resida_stats *s)
{
    const rsd_ida *ida = (const rsd_ida *)base;
    const rsd_ida_steps none = {.order = s->order, .h_last = s->h}, steps = ida->begun ? rsd_ida_get_steps(ida) : none;
    s->order = steps.order;
    s->h = steps.h_last;
    s->steps = ida->before.steps + steps.number;
    s->events_in_doubt = ida->base.events.known.num_stopped_searches;
    s->order_limits.set = ida->order.set;
    s->order_limits.freed = ida->order.removed;
    s->order_limits.steps = ida->order.steps;
    s->min_order = ida->min_order.is_on ? RSD_MIN_ORDER : 1;
    s->error_test_fails = ida->before.error_test_fails + steps.fails;
    s->error_test_repeats = ida->repeated_fails;
    s->jumps = ida->before.jumps;
    rsd_newton_stats(&ida->newton, s);
    s->factorisations = ida->newton.factors->count;
    s->linear_solver = rsd_linear_get_report(ida->newton.factors->linear).name;
}
