/* ida_integrator.c - the integrator: IDA with our vectors (ida_vector.c) and our corrector iteration (ida_newton.c).
 *
 * IDA brings the variable-order, variable-step BDF (12), its error test, interpolation and root finding; it gets no
 * linear solver. What it does not do is added here: counters that survive restarts, a state that stays the last
 * accepted one, a first step that does not scale phi twice after an early failure, a limit of the order where stability
 * holds the step down.
 *
 * IDA counts its time from the last start on, it->newton.origin, so that steps may be shorter than the rounding of t.
 * All times here are of that kind, but for those that come in and go out by the table of functions, and by
 * callbacks. */
#include "ida_integrator.h"

#include "ida_failure.h"
#include "ida_first_step.h"
#include "src/core/watch/tolerance.h"

#include <math.h>
#include <string.h>

#define TO_BEGIN 0.25 /* of a step that met what its history did not foretell: that one would fail, as its error did */
#define TO_RETRY 1e-3 /* of the shortest first step that failed: IDA's ten trials shorten it by 4^10 at the most, .. */

enum { BEGINNINGS = 3 }; /* .. and a transient of a stiff circuit may ask for 1e-12 of the first guess */

static void copy(N_Vector to, const double *from, int n)
{
    if (rsd_vector_data(to) != from) memcpy(rsd_vector_data(to), from, (size_t)n * sizeof *from);
}

/* Before IDA restarts: keep its counters. */
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

/* Where to begin. */
static void begin_at(rsd_ida *it, double t0, const double *y0, const double *yp0)
{
    forget_begin(it);
    it->start.t = t0;
    copy(it->start.y, y0, it->n);
    rsd_ida_copy_derivatives(it, rsd_vector_data(it->start.yp), yp0);
}

/* J of the last step is one for t, too: a state at an event may jump, what derivatives depend on hardly does. */
static int is_within_last_step(rsd_ida *it, double t)
{
    double h = 0, end = rsd_ida_time_for_user(it);
    if (!it->begun || rsd_ida_steps(it) == 0) return 0;
    IDAGetLastStep(it->ida, &h);
    return t >= end - h && t <= end;
}

/* The last one led so far. Rebounds that come ever faster, and end at some time, hardly count. */
static void count_start(rsd_ida_start *s, int goes_on, double way)
{
    s->way = goes_on ? s->way + way : 0;
    s->longest_way = goes_on ? fmax(s->longest_way, way) : 0;
    s->number = s->way > 0 ? 1 + s->way / s->longest_way : 1;
}

static resida_status restart(void *self, double t0, const double *y0, const double *yp0)
{
    rsd_ida *it = self;
    it->start.is_nearby = it->newton.newton.J->by_costs && is_within_last_step(it, t0);
    count_start(&it->start, it->start.is_nearby && it->guard->goes_on, it->reached);
    const rsd_events_state reached = {rsd_vector_data(it->y), rsd_vector_data(it->yp), it->reached};
    rsd_events_restart(&it->events, t0, &reached, y0, yp0);
    rsd_ida_newton_set_origin(&it->newton, t0);
    it->newton.way_of_t = 1;
    it->reached = 0;
    it->watched = (rsd_watched){.t = t0};
    rsd_chatter_reset(&it->chatter);
    it->still = (rsd_ida_still){.t = t0};
    begin_at(it, 0, y0, yp0);
    it->start.h = it->is_stuck = 0;
    copy(it->y, y0, it->n);
    copy(it->yp, yp0, it->n);
    it->guard->run = 0;
    return RESIDA_OK;
}

static rsd_first_state first_state(const rsd_ida *it, N_Vector w)
{
    return (rsd_first_state){it->n,
                             it->start.number,
                             it->start.t,
                             rsd_vector_data(it->start.y),
                             rsd_vector_data(it->start.yp),
                             rsd_vector_data(it->id),
                             rsd_vector_data(w),
                             rsd_vector_data(it->y_ida),
                             rsd_vector_data(it->yp_ida)};
}

/* All is as at a start, and the first step is chosen. */
static resida_status prepare(rsd_ida *it, double t_out, double t_stop)
{
    rsd_ida_newton_restart(&it->newton, it->start.is_nearby);
    rsd_order_limits_reset(&it->order);
    N_Vector w = rsd_pool_take(it->pool);
    if (!w) return RESIDA_ERR_INTERNAL;
    const rsd_first_state s = first_state(it, w);
    rsd_ida_test_forces(&it->newton, 0, s.w);
    resida_status status = rsd_first_step(&it->newton, &s, it->o, t_out, t_stop, &it->start.h);
    N_VDestroy(w);
    if (status < 0) it->start.h = 0;
    return status;
}

/* Bring IDA to the state of the last restart, or to that where the order was limited. A failure before the first
 * accepted step comes here again, because IDA would scale its history twice; an interruption too, and then nothing is
 * prepared anew. */
static resida_status begin(rsd_ida *it, double t_out, double t_stop)
{
    if (it->start.h == 0) RSD_TRY(prepare(it, t_out, t_stop));
    it->newton.way = (isfinite(t_stop) ? t_stop : t_out) - it->start.t;
    rsd_ida_newton_begin(&it->newton);
    if (IDAReInit(it->ida, it->start.t, it->start.y, it->start.yp) != IDA_SUCCESS ||
        IDASetInitStep(it->ida, it->start.h) != IDA_SUCCESS ||
        IDASetMaxOrd(it->ida, rsd_order_limits_allowed(&it->order)) != IDA_SUCCESS)
        return RESIDA_ERR_INTERNAL;
    if (it->carried) it->carried->begin_anew(it->carried);
    it->begun = 1;
    return RESIDA_OK;
}

/* The state that the user sees moves to one within the last step. */
static resida_status move_to(rsd_ida *it, double t_new, double *t)
{
    *t = t_new;
    return rsd_ida_interpolate(it, t_new, rsd_vector_data(it->y), rsd_vector_data(it->yp));
}

/* The state that the user sees becomes what IDA has returned. */
static void take(rsd_ida *it, double *t)
{
    *t = it->t_ida;
    copy(it->y, rsd_vector_data(it->y_ida), it->n);
    rsd_ida_copy_derivatives(it, rsd_vector_data(it->yp), rsd_vector_data(it->yp_ida));
}

/* The last accepted state after a failure: IDA returns the end of the last step, with derivatives of its polynomial. */
static void keep_last_accepted(rsd_ida *it, double *t)
{
    if (rsd_ida_steps(it) == 0) {
        forget_begin(it);
        if (it->guard->stop != RESIDA_INTERRUPTED && !it->order.stability.limit.is_set) it->start.h = 0;
    } else if (it->t_ida > *t) {
        const double *yp = rsd_ida_derivatives_at_end(it);
        take(it, t);
        if (yp) copy(it->yp, yp, it->n);
    }
}

/* A spent budget of steps forbids the next step, not the rest of the last one. */
static resida_status set_limits(rsd_ida *it, double t_out, double t_stop)
{
    long steps = 0;
    IDAGetNumSteps(it->ida, &steps);
    long left = it->o->max_steps - it->guard->steps_before - it->before.steps - steps;
    if (left <= 0 && t_out > rsd_ida_time(it))
        return rsd_fail(it->guard->message, RESIDA_ERR_LIMIT_STEPS, "budget of %ld steps spent", it->o->max_steps);
    int failed = IDASetMaxNumSteps(it->ida, left > 0 ? left : 1) != IDA_SUCCESS; /* 0: IDA's own limit */
    if (t_stop < INFINITY && t_stop > rsd_ida_time(it))
        failed |= IDASetStopTime(it->ida, t_stop) != IDA_SUCCESS;
    else if (it->stop_time_set)
        failed |= rsd_clear_stop_time(it->ida) != IDA_SUCCESS;
    it->stop_time_set |= t_stop < INFINITY;
    return failed ? RESIDA_ERR_INTERNAL : RESIDA_OK;
}

/* Up to t_out the start itself is the solution: they differ by rounding, in which y changes but by a small part of the
 * tolerances. */
static int is_nothing_to_do(rsd_ida *it, double t_out)
{
    N_Vector w = rsd_pool_take(it->pool);
    if (!w) return 0;
    const rsd_first_state s = first_state(it, w);
    int nothing = rsd_is_too_close_to_begin(&it->newton, &s, it->o, t_out - it->start.t);
    N_VDestroy(w);
    return nothing;
}

/* Restart at the last accepted state, at order 1 with a step h and the present J. */
static void restart_at_last_accepted(rsd_ida *it, double h, double *t)
{
    it->start.h = h;
    begin_at(it, *t, rsd_vector_data(it->y), rsd_vector_data(it->yp));
}

static void limit_order(rsd_ida *it, double *t)
{
    double h = 0;
    IDAGetLastStep(it->ida, &h);
    rsd_growth_set_steady(&it->newton.growth, it->ida, RSD_STABLE_ORDER);
    take(it, t);
    restart_at_last_accepted(it, h, t);
    it->is_to_limit = 0;
}

static void drop_history(rsd_ida *it, double *t)
{
    rsd_jump *jump = &it->newton.jump;
    const double h = TO_BEGIN * jump->h;
    take(it, t);
    rsd_jump_take(jump, it->n, it->newton.kinds, rsd_vector_data(it->y));
    restart_at_last_accepted(it, h, t);
    it->before.jumps++;
}

/* What the step failed for may be gone by now; its size, and J, are of no use then. */
static void begin_behind_failure(rsd_ida *it, double *t)
{
    it->is_stuck = it->start.is_nearby = 0;
    if (it->begun) restart_at_last_accepted(it, 0, t);
}

/* Has the first step, which is chosen here, failed at all sizes that IDA tries? Then there are shorter ones. */
static int begins_shorter(rsd_ida *it, int flag, int beginning, double *t)
{
    double h = 0;
    const int has_failed = flag == IDA_ERR_FAIL || flag == IDA_CONV_FAIL;
    if (!has_failed || beginning >= BEGINNINGS || it->o->h_first > 0 || it->guard->stop < 0 || rsd_ida_steps(it) > 0)
        return 0;
    IDAGetCurrentStep(it->ida, &h);
    restart_at_last_accepted(it, TO_RETRY * h, t);
    return 1;
}

static resida_status solve(rsd_ida *it, double t_out, double t_stop, int one_step, double *t)
{
    int flag, begins = 0, is_carried = 1;
    do {
        if (it->is_to_limit) limit_order(it, t);
        if (it->is_stuck) begin_behind_failure(it, t);
        if (it->newton.jump.h > 0) drop_history(it, t);
        if (!it->begun) {
            int i = rsd_without_tolerance(it->o, it->n, rsd_vector_data(it->y));
            if (i >= 0)
                return rsd_no_tolerance(it->problem, i, rsd_ida_t(&it->newton, it->start.t), it->guard->message);
            if (is_nothing_to_do(it, t_out)) {
                *t = t_out;
                return RESIDA_OK;
            }
            RSD_TRY(begin(it, t_out, t_stop));
        }
        RSD_TRY(set_limits(it, t_out, t_stop));
        it->ida_text[0] = 0;
        it->t_ida = *t;
        flag = IDASolve(it->ida, t_out, &it->t_ida, it->y_ida, it->yp_ida, one_step ? IDA_ONE_STEP : IDA_NORMAL);
        if (flag >= 0) is_carried = rsd_ida_carry_on(it) >= 0;
        begins = begins_shorter(it, flag, begins + 1, t) ? begins + 1 : 0;
    } while (begins > 0 || it->is_to_limit || it->newton.jump.h > 0);
    if (flag < 0) {
        it->is_stuck = !rsd_ida_has_to_carry(it) &&
                       (flag == IDA_ERR_FAIL || flag == IDA_CONV_FAIL || flag == IDA_REP_RES_ERR ||
                        it->guard->stop == RESIDA_ERR_STEP_TOO_SMALL || it->guard->stop == RESIDA_ERR_USER_REPEATED);
        keep_last_accepted(it, t);
        const rsd_ida_failure f = {.flag = flag,
                                   .t = rsd_ida_t(&it->newton, *t),
                                   .y = rsd_vector_data(it->y),
                                   .tested = rsd_vector_data(it->id),
                                   .pool = it->pool,
                                   .text = it->ida_text};
        return rsd_ida_explain(&f, &it->newton, it->o);
    }
    if (it->events.n_root == 0 && it->t_ida > t_out) /* else the state moves when events are known */
        RSD_TRY(move_to(it, t_out, t));
    else if (it->events.n_root == 0)
        take(it, t);
    return is_carried ? RESIDA_OK : it->guard->stop;
}

/* The state at the end of the last step, or at t_out where that comes first, or that at an event before; *is_there 1:
 * it is the requested one. taken 1: IDASolve has returned that step. */
static resida_status find_events(rsd_ida *it, double from, double t_out, int taken, int *is_there, double *t)
{
    const double end = rsd_ida_time(it);
    double h = 0, t_event = 0;
    IDAGetLastStep(it->ida, &h);
    const resida_status status = rsd_events_next(&it->events, end - h, end, from, t_out, &t_event);
    if (status < 0) return status;
    *is_there = status == RESIDA_EVENT || end >= t_out;
    if (!*is_there && taken) take(it, t);
    if (*is_there) RSD_TRY(move_to(it, status == RESIDA_EVENT ? t_event : t_out, t));
    return status;
}

/* The step from *t has failed at every size: does it lead to an event beyond which F cannot be evaluated? */
static resida_status approach_event(rsd_ida *it, resida_status failed, double t_out, double *t)
{
    double *y = rsd_vector_data(it->y), *yp = rsd_vector_data(it->yp), h = 0, way = 0;
    IDAGetCurrentStep(it->ida, &h);
    const resida_status status =
        it->events.known.t == *t ? rsd_events_approach(&it->events, failed, h, y, yp, &way) : failed;
    if (status < 0) return status;
    if (status == RESIDA_EVENT) {
        for (int i = 0; i < it->n; i++) y[i] += way * yp[i];
        *t = fmin(*t + way, t_out);
    }
    restart_at_last_accepted(it, status == RESIDA_EVENT ? 0 : way / 2, t);
    return status;
}

/* Step by step, where there are root functions. */
static resida_status solve_with_events(rsd_ida *it, double t_out, double t_stop, int one_step, double *t)
{
    const double from = *t;
    int is_there = 0;
    if (rsd_events_is_due(&it->events, from)) return RESIDA_EVENT;
    for (int taken = 0;; taken = 1) {
        const int is_stepped = it->begun && rsd_ida_steps(it) > 0;
        if (rsd_ida_carry_on(it) < 0) return it->guard->stop;
        resida_status status = is_stepped ? find_events(it, from, t_out, taken, &is_there, t) : RESIDA_OK;
        if (status != RESIDA_OK || is_there || (taken && (one_step || !it->begun))) return status;
        status = solve(it, t_out, t_stop, 1, t);
        if (status < 0) status = approach_event(it, status, t_out, t);
        if (status != RESIDA_OK) return status;
    }
}

/* To the times of the user and back: the ones he names come back as he named them. The end of the last step is where it
 * is, not where its rounded time would have it: there may be another step up to that. */
static resida_status advance(void *self, double t_out, double t_stop, int one_step, double *t)
{
    rsd_ida *it = self;
    const double way = it->newton.way_of_t, origin = it->newton.origin, end = rsd_ida_time(it), before = it->reached;
    const double stop = way * (t_stop - origin), out = t_out == origin + way * end ? end : way * (t_out - origin);
    resida_status status = (it->events.n_root > 0 ? solve_with_events : solve)(it, out, stop, one_step, &it->reached);
    rsd_ida_newton_judged(&it->newton);
    if (it->carried) it->carried->reach(it->carried, it->reached);
    if (it->reached == out)
        *t = t_out;
    else if (it->reached != before)
        *t = way * fmin(fmax(way * (origin + way * it->reached), way * *t), way * t_out);
    const rsd_watch_at at = status == RESIDA_EVENT || way * (*t - t_stop) >= 0 ? RSD_AT_STOP : RSD_AT_OUTPUT;
    if (status < 0 || rsd_ida_watch_constraints(it, *t, at, rsd_vector_data(it->y)) >= 0) return status;
    if (status == RESIDA_EVENT) it->events.t_event = it->reached; /* the next call returns it */
    return it->guard->stop;
}

static void turn(void *self, int way)
{
    rsd_ida *it = self;
    if (way == it->newton.way_of_t) return;
    double *yp = rsd_vector_data(it->start.yp);
    for (int i = 0; i < it->n; i++) yp[i] = -yp[i];
    it->newton.way_of_t = way;
    it->start.is_nearby = 0; /* J is of steps in the other direction */
    it->start.h = 0;
}

/* A step that is chosen already is shortened when it is tried (ida_newton.c). */
static void change(void *self, double tightened)
{
    rsd_ida *it = self;
    rsd_jump_tighten(&it->newton.jump, tightened);
    it->order.stability.h_max = it->o->h_max;
    IDASetMaxStep(it->ida, it->o->h_max < INFINITY ? it->o->h_max : 0); /* 0: none */
}

const rsd_integrator_ops rsd_integrator_ida = {
    .create = rsd_ida_create,
    .free = rsd_ida_free,
    .restart = restart,
    .advance = advance,
    .reached = rsd_ida_reached,
    .interpolate = rsd_ida_interpolate_for_user,
    .internal_time = rsd_ida_time_for_user,
    .carry = rsd_ida_carry,
    .change = change,
    .turn = turn,
    .stats = rsd_ida_stats,
};
