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

#define RESTART_RATIO 0.25 /* first step after a restart, relative to the failed step; with 1 it would fail again */
#define RETRY_RATIO   1e-3 /* new first step, relative to the failed first step; IDA tries h to h/4^10 */

enum { MAX_FIRST_STEPS = 3 }; /* maximum number of first steps; a stiff circuit may need 1e-12 of the first guess */

static void save_counters(rsd_ida *ida)
{
    const rsd_ida_steps steps = ida->begun ? rsd_ida_get_steps(ida) : (rsd_ida_steps){.number = 0};
    ida->before.steps += steps.number;
    ida->before.error_test_fails += steps.fails;
    ida->begun = 0;
}

static void set_start(rsd_ida *ida, double t0, const double *y0, const double *yp0)
{
    save_counters(ida);
    ida->start.t = t0;
    memcpy(rsd_get_components(ida->start.y), y0, (size_t)ida->base.n * sizeof *y0);
    rsd_ida_copy_derivatives(ida, rsd_get_components(ida->start.yp), yp0);
}

/* Count a start. continues_run is 1 if the start continues the run near the last step. interval is the time since the
 * previous start. The effective number of starts is the sum of the intervals divided by the longest one. A short
 * rebound therefore counts less than 1. */
static void count_start(rsd_ida_start *s, int continues_run, double interval)
{
    s->total = continues_run ? s->total + interval : 0;
    s->longest_interval = continues_run ? fmax(s->longest_interval, interval) : 0;
    s->number = s->total > 0 ? 1 + s->total / s->longest_interval : 1;
}

/* Restart IDA. If the restart is at a time within the last step, the J of that step is kept: an event changes the state
 * more than the derivatives. */
static void restart_ida(rsd_integration *base, const double *y0, const double *yp0, int is_within)
{
    rsd_ida *ida = (rsd_ida *)base;
    ida->start.is_nearby = is_within;
    count_start(&ida->start, ida->start.is_nearby && base->guard->continues_run, base->reached);
    if (isnan(ida->first_origin)) ida->first_origin = base->origin;
    rsd_chatter_reset(&ida->chatter);
    ida->still = (rsd_ida_standstill){.t = base->origin};
    set_start(ida, 0, y0, yp0);
    ida->start.h = ida->has_failed_at_all_sizes = 0;
}

static resida_status prepare_first_step(rsd_ida *ida, double t_out, double t_stop)
{
    rsd_order_limits_reset(&ida->order);
    rsd_ida_newton_restart(ida, ida->start.is_nearby);
    return rsd_ida_first_step(ida, t_out, t_stop);
}

/* Initialize IDA at ida->start, the last restart or the point at which the order was limited. IDA is also initialized
 * again after a failure before the first accepted step, because it would scale its history twice. If a run was
 * interrupted there, the first step has already been chosen. */
static resida_status begin_ida(rsd_ida *ida, double t_out, double t_stop)
{
    if (ida->start.h == 0) RSD_TRY(prepare_first_step(ida, t_out, t_stop));
    const int limit = rsd_order_limits_get_max_order(&ida->order);
    ida->time_to_end = (isfinite(t_stop) ? t_stop : t_out) - ida->start.t;
    rsd_ida_newton_reset_attempts(ida);
    if (IDAReInit(ida->mem, ida->start.t, ida->start.y, ida->start.yp) != IDA_SUCCESS ||
        IDASetInitStep(ida->mem, ida->start.h) != IDA_SUCCESS ||
        IDASetMaxOrd(ida->mem, limit > 0 ? limit : ida->base.o->max_order) != IDA_SUCCESS)
        return RESIDA_ERR_INTERNAL;
    if (ida->carried) ida->carried->restart(ida->carried);
    ida->begun = 1;
    return RESIDA_OK;
}

/* Copy the solution that IDASolve() has returned to the state that the user gets. */
static void store_solution(rsd_ida *ida)
{
    rsd_integration_set_state(&ida->base, ida->t_ida, rsd_get_components(ida->y_ida), rsd_get_components(ida->yp_ida));
}

/* Set the user's state to the last accepted state after a failure: the end of the last step, with y' of the corrector.
 * If no step was accepted, IDA restarts from the start. */
static void restore_accepted_state(rsd_ida *ida)
{
    if (rsd_ida_get_steps(ida).number == 0) {
        save_counters(ida);
        if (ida->base.guard->stop != RESIDA_INTERRUPTED && !ida->order.stability.limit.is_set) ida->start.h = 0;
    } else if (ida->t_ida > ida->base.reached) {
        const double *yp = rsd_ida_get_derivatives_at_end(&ida->base);
        store_solution(ida);
        if (yp) memcpy(ida->base.yp, yp, (size_t)ida->base.n * sizeof *yp);
    }
}

/* Pass the limits of a call to IDA. If the budget of steps is exhausted, only outputs in the last step are possible. */
static resida_status set_ida_limits(rsd_ida *ida, double t_out, double t_stop)
{
    const long taken = ida->before.steps + rsd_ida_get_steps(ida).number;
    const long left = ida->base.o->max_steps - ida->base.guard->steps_before - taken;
    if (left <= 0 && t_out > rsd_ida_get_end_time(ida))
        return rsd_fail(ida->base.guard->message, RESIDA_ERR_LIMIT_STEPS, "budget of %ld steps spent",
                        ida->base.o->max_steps);
    int failed = IDASetMaxNumSteps(ida->mem, left > 0 ? left : 1) != IDA_SUCCESS; /* 0 would select IDA's own limit */
    if (t_stop < INFINITY && t_stop > rsd_ida_get_end_time(ida))
        failed |= IDASetStopTime(ida->mem, t_stop) != IDA_SUCCESS;
    else if (ida->stop_time_set)
        failed |= rsd_clear_stop_time(ida->mem) != IDA_SUCCESS;
    ida->stop_time_set |= t_stop < INFINITY;
    return failed ? RESIDA_ERR_INTERNAL : RESIDA_OK;
}

/* Restart at the last accepted state, at order 1 with a step h and the current J. */
static void restart_with_step(rsd_integration *base, double h)
{
    rsd_ida *ida = (rsd_ida *)base;
    ida->start.h = h;
    set_start(ida, base->reached, base->y, base->yp);
}

static void restart_with_limited_order(rsd_ida *ida)
{
    const double h = rsd_ida_get_steps(ida).h_last;
    store_solution(ida);
    restart_with_step(&ida->base, h);
    ida->restarts_for_limit = 0;
}

static void discard_history(rsd_ida *ida)
{
    const double h = RESTART_RATIO * ida->jump.h;
    store_solution(ida);
    rsd_jump_correct_state(ida);
    restart_with_step(&ida->base, h);
    ida->before.jumps++;
}

/* Continue after a failure. Its cause may no longer exist, so the step size and J of the failed step are discarded. */
static void restart_after_failure(rsd_ida *ida)
{
    ida->has_failed_at_all_sizes = ida->start.is_nearby = 0;
    if (ida->begun) restart_with_step(&ida->base, 0);
}

/* If the first step failed at all sizes that IDA tries, set a shorter first step and return 1. Return 0 in all other
 * cases, including a first step that the user has chosen. beginning: number of the first step, from 1. */
static int shorten_first_step(rsd_ida *ida, int flag, int beginning)
{
    const rsd_ida_steps steps = rsd_ida_get_steps(ida);
    const int has_failed = flag == IDA_ERR_FAIL || flag == IDA_CONV_FAIL;
    if (!has_failed || beginning >= MAX_FIRST_STEPS || ida->base.o->h_first > 0 || ida->base.guard->stop < 0 ||
        steps.number > 0)
        return 0;
    restart_with_step(&ida->base, RETRY_RATIO * steps.h);
    return 1;
}

static resida_status begin_user_call(rsd_integration *base, double t_out, int one_step)
{
    (void)t_out, (void)one_step;
    return rsd_ida_advance_carried((rsd_ida *)base) < 0 ? base->guard->stop : RESIDA_OK;
}

/* Process a failure of IDASolve() with the return code flag. Return the status, with its message in the guard. */
static resida_status report_step_failure(rsd_ida *ida, int flag)
{
    const resida_status stop = ida->base.guard->stop;
    ida->has_failed_at_all_sizes =
        !rsd_ida_has_new_step(ida) && (flag == IDA_ERR_FAIL || flag == IDA_CONV_FAIL || flag == IDA_REP_RES_ERR ||
                                       stop == RESIDA_ERR_STEP_TOO_SMALL || stop == RESIDA_ERR_USER_REPEATED);
    restore_accepted_state(ida);
    return rsd_ida_report_failure(ida, flag, rsd_integration_t(&ida->base, ida->base.reached));
}

static resida_status take_steps(rsd_integration *base, double t_out, double t_stop, int one_step)
{
    rsd_ida *ida = (rsd_ida *)base;
    int flag, begins = 0, is_carried = 1;
    do {
        if (ida->restarts_for_limit) restart_with_limited_order(ida);
        if (ida->has_failed_at_all_sizes) restart_after_failure(ida);
        if (ida->jump.h > 0) discard_history(ida);
        if (!ida->begun) {
            const double t = rsd_integration_t(base, ida->start.t);
            RSD_TRY(rsd_check_tolerances(base->o, base->problem, t, base->y, base->guard->message));
            if (rsd_ida_is_too_close(ida, t_out)) {
                base->reached = t_out;
                return RESIDA_OK;
            }
            RSD_TRY(begin_ida(ida, t_out, t_stop));
        }
        RSD_TRY(set_ida_limits(ida, t_out, t_stop));
        ida->ida_text[0] = 0;
        ida->t_ida = base->reached;
        flag = IDASolve(ida->mem, t_out, &ida->t_ida, ida->y_ida, ida->yp_ida, one_step ? IDA_ONE_STEP : IDA_NORMAL);
        if (flag >= 0) is_carried = rsd_ida_advance_carried(ida) >= 0;
        begins = shorten_first_step(ida, flag, begins + 1) ? begins + 1 : 0;
    } while (begins > 0 || ida->restarts_for_limit || ida->jump.h > 0);
    if (flag < 0) return report_step_failure(ida, flag);
    if (base->events.n_root == 0 && ida->t_ida > t_out) { /* otherwise the event search sets the state */
        base->reached = t_out;
        RSD_TRY(rsd_ida_interpolate(ida, t_out, base->y, base->yp));
    } else if (base->events.n_root == 0)
        store_solution(ida);
    return is_carried ? RESIDA_OK : base->guard->stop;
}

static resida_status end_user_call(rsd_integration *base, resida_status status)
{
    rsd_ida *ida = (rsd_ida *)base;
    rsd_ida_newton_record_test(ida);
    if (ida->carried) ida->carried->reach(ida->carried, base->reached);
    return status;
}

static void set_direction(rsd_integration *base, int direction)
{
    rsd_ida *ida = (rsd_ida *)base;
    if (direction == ida->base.direction) return;
    double *yp = rsd_get_components(ida->start.yp);
    for (int i = 0; i < ida->base.n; i++) yp[i] = -yp[i];
    ida->base.direction = direction;
    ida->start.is_nearby = 0; /* J was factored for steps in the other direction */
    ida->start.h = 0;
}

/* Apply changed options. A step above the new h_max is shortened when it is attempted (ida_newton.c). */
static void apply_options(rsd_integration *base, double tightened)
{
    rsd_ida *ida = (rsd_ida *)base;
    rsd_jump_reduce_tolerances(&ida->jump, tightened);
    IDASetMaxStep(ida->mem, ida->base.o->h_max < INFINITY ? ida->base.o->h_max : 0); /* 0: no limit */
}

const rsd_integrator_ops rsd_integrator_ida = {
    .has_outputs = 1,
    .create = rsd_ida_create,
    .free = rsd_ida_free,
    .restart = restart_ida,
    .begin_call = begin_user_call,
    .step = take_steps,
    .last_step = rsd_ida_get_last_step,
    .interpolate = rsd_ida_interpolate,
    .derivatives_at_end = rsd_ida_get_derivatives_at_end,
    .shorten = restart_with_step,
    .end_call = end_user_call,
    .carry = rsd_ida_set_carried,
    .change = apply_options,
    .turn = set_direction,
    .stats = rsd_ida_get_stats,
};
