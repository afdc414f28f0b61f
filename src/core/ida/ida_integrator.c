/* ida_integrator.c - the integrator: IDA with the library's vectors (ida_vector.c), corrector iteration (ida_newton.c)
 * and rules (ida_rules.c).
 *
 * IDA provides the variable-order, variable-step BDF (12), the error test and the interpolation. It has no linear
 * solver here. This file adds:
 * - counters that survive restarts;
 * - a state that remains the last accepted one after a failure;
 * - a start for which IDA does not scale its history twice after a failure;
 * - the restarts that rules request. */
#include "ida_impl.h"

#include "src/core/watch/tolerance.h"

#include <math.h>
#include <string.h>

#define TO_BEGIN 0.25 /* part of a step that the history did not predict; the full step would fail again */
#define TO_RETRY 1e-3 /* of the last first step that failed: the ten attempts of IDA shorten it by at most 4^10, .. */

enum { BEGINNINGS = 3 }; /* .. and a transient of a stiff circuit may require 1e-12 of the first guess */

/* Save IDA's counters before a restart. */
static void forget_begin(rsd_ida *it)
{
    long steps = 0, fails = 0;
    if (it->begun) {
        IDAGetNumSteps(it->ida, &steps);
        IDAGetNumErrTestFails(it->ida, &fails);
    }
    it->before.steps += steps;
    it->before.error_test_fails += fails;
    it->begun = 0;
}

/* Set the state from which IDA restarts. */
static void begin_at(rsd_ida *it, double t0, const double *y0, const double *yp0)
{
    forget_begin(it);
    it->start.t = t0;
    memcpy(rsd_vector_data(it->start.y), y0, (size_t)it->base.n * sizeof *y0);
    rsd_ida_copy_derivatives(it, rsd_vector_data(it->start.yp), yp0);
}

/* Count a start. way is the time since the previous start. Rebounds of decreasing duration count less. */
static void count_start(rsd_ida_start *s, int goes_on, double way)
{
    s->way = goes_on ? s->way + way : 0;
    s->longest_way = goes_on ? fmax(s->longest_way, way) : 0;
    s->number = s->way > 0 ? 1 + s->way / s->longest_way : 1;
}

/* Restart IDA. If the restart is within the last step, J of this step is used again, because at an event derivatives
 * change less than the state. */
static void restart(rsd_integration *base, const double *y0, const double *yp0, int is_within)
{
    rsd_ida *it = (rsd_ida *)base;
    it->start.is_nearby = it->newton.renewal->by_costs && is_within;
    count_start(&it->start, it->start.is_nearby && base->guard->goes_on, base->reached);
    if (isnan(it->first_origin)) it->first_origin = base->origin;
    rsd_chatter_reset(&it->chatter);
    it->still = (rsd_ida_still){.t = base->origin};
    begin_at(it, 0, y0, yp0);
    it->start.h = it->is_stuck = 0;
}

/* Reset the rules and choose the first step. */
static resida_status prepare(rsd_ida *it, double t_out, double t_stop)
{
    rsd_ida_newton_restart(it, it->start.is_nearby);
    rsd_order_limits_reset(&it->order);
    return rsd_ida_first_step(it, t_out, t_stop);
}

/* Initialize IDA at the last restart, or where the order was limited. After a failure before the first accepted step
 * the integration also begins again here, because IDA would scale its history twice. An interrupted run is resumed
 * here, too, with the first step already chosen. */
static resida_status begin_ida(rsd_ida *it, double t_out, double t_stop)
{
    if (it->start.h == 0) RSD_TRY(prepare(it, t_out, t_stop));
    it->way_to_end = (isfinite(t_stop) ? t_stop : t_out) - it->start.t;
    rsd_ida_newton_begin(it);
    if (IDAReInit(it->ida, it->start.t, it->start.y, it->start.yp) != IDA_SUCCESS ||
        IDASetInitStep(it->ida, it->start.h) != IDA_SUCCESS ||
        IDASetMaxOrd(it->ida, rsd_order_limits_allowed(&it->order)) != IDA_SUCCESS)
        return RESIDA_ERR_INTERNAL;
    if (it->carried) it->carried->restart(it->carried);
    it->begun = 1;
    return RESIDA_OK;
}

/* Copy the solution that IDA has returned to the state of the user. */
static void take(rsd_ida *it)
{
    rsd_integration_set_state(&it->base, it->t_ida, rsd_vector_data(it->y_ida), rsd_vector_data(it->yp_ida));
}

/* Restore the last accepted state after a failure. This is the end of the last step, with the derivatives of the
 * corrector. */
static void keep_last_accepted(rsd_ida *it)
{
    if (rsd_ida_steps(it) == 0) {
        forget_begin(it);
        if (it->base.guard->stop != RESIDA_INTERRUPTED && !it->order.stability.limit.is_set) it->start.h = 0;
    } else if (it->t_ida > it->base.reached) {
        const double *yp = rsd_ida_derivatives_at_end(&it->base);
        take(it);
        if (yp) memcpy(it->base.yp, yp, (size_t)it->base.n * sizeof *yp);
    }
}

/* Pass the limits to IDA. An exhausted budget of steps prevents the next step, but not output within the last one. */
static resida_status set_limits(rsd_ida *it, double t_out, double t_stop)
{
    long steps = 0;
    IDAGetNumSteps(it->ida, &steps);
    long left = it->base.o->max_steps - it->base.guard->steps_before - it->before.steps - steps;
    if (left <= 0 && t_out > rsd_ida_time(it))
        return rsd_fail(it->base.guard->message, RESIDA_ERR_LIMIT_STEPS, "budget of %ld steps spent",
                        it->base.o->max_steps);
    int failed = IDASetMaxNumSteps(it->ida, left > 0 ? left : 1) != IDA_SUCCESS; /* 0 would select IDA's own limit */
    if (t_stop < INFINITY && t_stop > rsd_ida_time(it))
        failed |= IDASetStopTime(it->ida, t_stop) != IDA_SUCCESS;
    else if (it->stop_time_set)
        failed |= rsd_clear_stop_time(it->ida) != IDA_SUCCESS;
    it->stop_time_set |= t_stop < INFINITY;
    return failed ? RESIDA_ERR_INTERNAL : RESIDA_OK;
}

/* Restart at the last accepted state, at order 1 with a step h and the current J. */
static void shorten(rsd_integration *base, double h)
{
    rsd_ida *it = (rsd_ida *)base;
    it->start.h = h;
    begin_at(it, base->reached, base->y, base->yp);
}

static void limit_order(rsd_ida *it)
{
    double h = 0;
    IDAGetLastStep(it->ida, &h);
    rsd_growth_set_steady(&it->growth, it->ida, RSD_STABLE_ORDER);
    take(it);
    shorten(&it->base, h);
    it->is_to_limit = 0;
}

static void drop_history(rsd_ida *it)
{
    const double h = TO_BEGIN * it->jump.h;
    take(it);
    rsd_jump_take(it);
    shorten(&it->base, h);
    it->before.jumps++;
}

/* Continue after a failure. Its cause may no longer exist. Therefore the step size and J of the failed step are not
 * used. */
static void begin_after_failure(rsd_ida *it)
{
    it->is_stuck = it->start.is_nearby = 0;
    if (it->begun) shorten(&it->base, 0);
}

/* Return 1 if the first step, which was chosen here, failed at all sizes that IDA tries. The integration then restarts
 * with a shorter step. */
static int begins_shorter(rsd_ida *it, int flag, int beginning)
{
    double h = 0;
    const int has_failed = flag == IDA_ERR_FAIL || flag == IDA_CONV_FAIL;
    if (!has_failed || beginning >= BEGINNINGS || it->base.o->h_first > 0 || it->base.guard->stop < 0 ||
        rsd_ida_steps(it) > 0)
        return 0;
    IDAGetCurrentStep(it->ida, &h);
    shorten(&it->base, TO_RETRY * h);
    return 1;
}

static resida_status begin_call(rsd_integration *base, double t_out, int one_step)
{
    (void)t_out, (void)one_step;
    return rsd_ida_carry_on((rsd_ida *)base) < 0 ? base->guard->stop : RESIDA_OK;
}

/* Process a return of IDA without a step. */
static resida_status fail(rsd_ida *it, int flag)
{
    const resida_status stop = it->base.guard->stop;
    it->is_stuck =
        !rsd_ida_has_to_carry(it) && (flag == IDA_ERR_FAIL || flag == IDA_CONV_FAIL || flag == IDA_REP_RES_ERR ||
                                      stop == RESIDA_ERR_STEP_TOO_SMALL || stop == RESIDA_ERR_USER_REPEATED);
    keep_last_accepted(it);
    return rsd_ida_explain(it, flag, rsd_integration_t(&it->base, it->base.reached));
}

static resida_status step(rsd_integration *base, double t_out, double t_stop, int one_step)
{
    rsd_ida *it = (rsd_ida *)base;
    int flag, begins = 0, is_carried = 1;
    do {
        if (it->is_to_limit) limit_order(it);
        if (it->is_stuck) begin_after_failure(it);
        if (it->jump.h > 0) drop_history(it);
        if (!it->begun) {
            int i = rsd_find_zero_tolerance(base->o, base->n, base->y);
            if (i >= 0)
                return rsd_report_zero_tolerance(base->problem, i, rsd_integration_t(base, it->start.t),
                                                 base->guard->message);
            if (rsd_ida_is_too_close(it, t_out)) {
                base->reached = t_out;
                return RESIDA_OK;
            }
            RSD_TRY(begin_ida(it, t_out, t_stop));
        }
        RSD_TRY(set_limits(it, t_out, t_stop));
        it->ida_text[0] = 0;
        it->t_ida = base->reached;
        flag = IDASolve(it->ida, t_out, &it->t_ida, it->y_ida, it->yp_ida, one_step ? IDA_ONE_STEP : IDA_NORMAL);
        if (flag >= 0) is_carried = rsd_ida_carry_on(it) >= 0;
        begins = begins_shorter(it, flag, begins + 1) ? begins + 1 : 0;
    } while (begins > 0 || it->is_to_limit || it->jump.h > 0);
    if (flag < 0) return fail(it, flag);
    if (base->events.n_root == 0 && it->t_ida > t_out) { /* otherwise the event search sets the state */
        base->reached = t_out;
        RSD_TRY(rsd_ida_interpolate(it, t_out, base->y, base->yp));
    } else if (base->events.n_root == 0)
        take(it);
    return is_carried ? RESIDA_OK : base->guard->stop;
}

static resida_status end_call(rsd_integration *base, resida_status status)
{
    rsd_ida *it = (rsd_ida *)base;
    rsd_ida_newton_judged(it);
    if (it->carried) it->carried->reach(it->carried, base->reached);
    return status;
}

static void turn(rsd_integration *base, int way)
{
    rsd_ida *it = (rsd_ida *)base;
    if (way == it->base.way) return;
    double *yp = rsd_vector_data(it->start.yp);
    for (int i = 0; i < it->base.n; i++) yp[i] = -yp[i];
    it->base.way = way;
    it->start.is_nearby = 0; /* J belongs to steps in the other direction */
    it->start.h = 0;
}

/* Apply changed options. A step size that is already chosen is reduced when the step is attempted (ida_newton.c). */
static void change(rsd_integration *base, double tightened)
{
    rsd_ida *it = (rsd_ida *)base;
    rsd_jump_tighten(&it->jump, tightened);
    it->order.stability.h_max = it->base.o->h_max;
    IDASetMaxStep(it->ida, it->base.o->h_max < INFINITY ? it->base.o->h_max : 0); /* 0: no limit */
}

const rsd_integrator_ops rsd_integrator_ida = {
    .has_outputs = 1,
    .create = rsd_ida_create,
    .free = rsd_ida_free,
    .restart = restart,
    .begin_call = begin_call,
    .step = step,
    .last_step = rsd_ida_last_step,
    .interpolate = rsd_ida_interpolate,
    .derivatives_at_end = rsd_ida_derivatives_at_end,
    .shorten = shorten,
    .end_call = end_call,
    .carry = rsd_ida_carry,
    .change = change,
    .turn = turn,
    .stats = rsd_ida_stats,
};
