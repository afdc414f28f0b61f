/* fixed_integrator.c - the integrator with steps of a fixed size h, by any method of method.h: an rsd_integrator_ops.
 * It interpolates between grid points. */
#include "fixed.h"

#include <math.h>
#include <string.h>

static void free_fixed(void *self)
{
    rsd_fixed *it = self;
    if (!it) return;
    const resida_allocator alloc = it->owner.from;
    for (int i = 0; i < RSD_MOST_STAGES; i++) rsd_linear_free(it->matrix.linear[i]);
    rsd_owner_free(&it->owner);
    rsd_free(&alloc, it);
}

static resida_status reserve_vectors(rsd_fixed *it)
{
    if (!RSD_DOUBLES(&it->alloc, it->n, &it->y_end, &it->yp_end, &it->y, &it->yp)) return RESIDA_ERR_MEMORY;
    RSD_TRY(rsd_past_create(&it->past, &it->alloc));
    RSD_TRY(rsd_fixed_newton_create(it));
    return rsd_events_create(&it->events, &it->alloc);
}

static resida_status interpolate_step(void *self, double t, double *y, double *yp)
{
    rsd_fixed *it = self;
    rsd_past_interpolate(&it->past, t == it->t ? 1 : 1 - (it->t - t) / it->past.h[0], y, yp);
    return RESIDA_OK;
}

static resida_status create_fixed(void **self, const resida_solver_options *o, rsd_guard *guard,
                                  resida_jacobian *engine, resida_message *why)
{
    const rsd_method *method = rsd_method_find(o->method);
    if (method->check) RSD_TRY(method->check(guard->problem, o, why));
    rsd_fixed *it = rsd_calloc(&guard->problem->alloc, 1, sizeof *it);
    if (!it) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the integrator");
    it->alloc = rsd_owned_by(&it->owner, &guard->problem->alloc);
    it->o = o;
    it->guard = guard;
    it->problem = guard->problem;
    it->engine = engine;
    it->method = method;
    it->n = guard->problem->layout.n;
    it->past = (rsd_past){.problem = it->problem, .o = o};
    it->events = (rsd_events){.guard = guard, .o = o, .dense = interpolate_step, .self = it};
    if (reserve_vectors(it) < 0) {
        free_fixed(it);
        return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the integrator (%d unknowns)", guard->problem->layout.n);
    }
    *self = it;
    return RESIDA_OK;
}

void rsd_fixed_copy(const rsd_fixed *it, double *to, const double *from)
{
    if (to != from) memcpy(to, from, (size_t)it->n * sizeof *to);
}

static resida_status restart_fixed(void *self, double t0, const double *y0, const double *yp0)
{
    rsd_fixed *it = self;
    rsd_events_restart(&it->events, t0, &(rsd_events_state){it->y, it->yp, it->reached}, y0, yp0);
    rsd_past_begin(&it->past, y0, yp0);
    rsd_newton_forget(&it->newton);
    rsd_fixed_copy(it, it->y, y0);
    rsd_fixed_copy(it, it->yp, yp0);
    it->origin = t0;
    it->watched = (rsd_watched){.t = t0};
    it->t = it->reached = 0;
    rsd_fixed_begin_grid(it, it->o->step);
    it->is_rough = 0;
    it->is_begun = it->inputs_move = it->is_F_known = 0;
    it->is_reported = 1;
    it->guard->run = 0;
    return RESIDA_OK;
}

static resida_status interpolate_at(rsd_fixed *it, double t, double *y, double *yp)
{
    if (t == it->t) {
        rsd_fixed_copy(it, y, it->past.y[0]);
        rsd_fixed_copy(it, yp, it->past.yp);
        return RESIDA_OK;
    }
    if (it->past.count < 2 || t > it->t || t < it->step_from - RSD_SAME_TIME * it->past.h[0])
        return RESIDA_ERR_ARGUMENT;
    rsd_past_interpolate(&it->past, 1 - (it->t - t) / it->past.h[0], y, yp);
    return RESIDA_OK;
}

static resida_status move_state_to(rsd_fixed *it, double t_new, double *t)
{
    *t = t_new;
    return interpolate_at(it, t_new, it->y, it->yp);
}

/* The step has failed: does it lead to an event beyond which F cannot be evaluated? */
static resida_status approach_event(rsd_fixed *it, resida_status failed, double t_out, double *t)
{
    const double *y = it->past.y[0], *yp = it->past.yp;
    double way = 0;
    const resida_status status =
        it->events.known.t == it->t ? rsd_events_approach(&it->events, failed, it->h, y, yp, &way) : failed;
    if (status == RESIDA_OK) rsd_fixed_begin_grid(it, way / 2);
    if (status != RESIDA_EVENT) return status;
    for (int i = 0; i < it->n; i++) {
        it->y[i] = y[i] + way * yp[i];
        it->yp[i] = yp[i];
    }
    *t = fmin(it->t + way, t_out);
    return status;
}

/* What follows a step has failed, and is repeated by the next call: the state up to which events are known. */
static resida_status wait_before_events(rsd_fixed *it, double from, double t_out, double *t)
{
    const double known = fmin(it->is_begun && it->events.n_root > 0 ? it->events.known.t : it->t, t_out);
    return known > from ? move_state_to(it, known, t) : RESIDA_OK;
}

/* The time here of the user's t: the end of the last step is where it is, not where its rounded time would have it. */
static double own_time(const rsd_fixed *it, double t)
{
    return t == rsd_fixed_time(it, it->t) ? it->t : t - it->origin;
}

/* To t_out of the user. */
static resida_status go_to(rsd_fixed *it, double out, double t_stop, int one_step, double *t)
{
    const double from = *t;
    if (rsd_events_is_due(&it->events, from)) return RESIDA_EVENT;
    for (int taken = 0;; taken = 1) {
        double t_event = 0;
        const double t_out = own_time(it, out);
        resida_status status = rsd_events_next(&it->events, it->step_from, it->t, from, t_out, &t_event);
        if (status < 0) (void)wait_before_events(it, from, t_out, t);
        if (status == RESIDA_EVENT) RSD_TRY(move_state_to(it, t_event, t));
        if (status != RESIDA_OK) return status;
        if (it->t >= t_out || (taken && one_step)) return move_state_to(it, fmin(t_out, it->t), t);
        status = rsd_fixed_take_step(it, t_stop);
        if (status == RESIDA_OK) continue;
        (void)wait_before_events(it, from, t_out, t);
        if (status > 0) return status;
        status = approach_event(it, status, t_out, t);
        if (status != RESIDA_OK) return status;
    }
}

/* Check that a step changes t before t_out, as rounded. */
static resida_status check_step(const rsd_fixed *it, double out)
{
    if (it->o->adaptive || it->t >= out || out - it->h < out) return RESIDA_OK;
    return rsd_fail(it->guard->message, RESIDA_ERR_STEP_TOO_SMALL, "step = %g is below the rounding of t = %.17g",
                    it->h, rsd_fixed_time(it, out));
}

/* Convert the user's times and back: t_out and t_stop come back bit for bit. */
static resida_status advance_fixed(void *self, double t_out, double t_stop, int one_step, double *t)
{
    rsd_fixed *it = self;
    const double before = it->reached;
    if (!one_step) RSD_TRY(check_step(it, own_time(it, t_out)));
    if (own_time(it, t_out) > it->t && rsd_fixed_take_inputs(it) < 0) return it->guard->stop;
    resida_status status = go_to(it, t_out, t_stop - it->origin, one_step, &it->reached);
    if (it->reached == own_time(it, t_out))
        *t = t_out;
    else if (it->reached != before)
        *t = fmin(fmax(rsd_fixed_time(it, it->reached), *t), t_out);
    const rsd_watch_at at = status == RESIDA_EVENT || *t >= t_stop ? RSD_AT_STOP : RSD_AT_OUTPUT;
    if (status >= 0 && rsd_watch_constraints(&it->watched, it->guard, it->o, *t, at, it->y) < 0) {
        if (status == RESIDA_EVENT) it->events.t_event = it->reached; /* the next call returns it */
        return it->guard->stop;
    }
    if (status == RESIDA_OK && it->reached == it->t && rsd_fixed_note_inputs(it) < 0) return it->guard->stop;
    return status;
}

/* A time between both ends, as rounded, lies within the step. */
static resida_status interpolate_fixed(void *self, double t, double *y, double *yp)
{
    rsd_fixed *it = self;
    const double from = it->past.count < 2 ? it->t : it->step_from;
    double at = t - it->origin;
    if (t >= rsd_fixed_time(it, from) && t <= rsd_fixed_time(it, it->t)) at = fmin(fmax(at, from), it->t);
    return interpolate_at(it, at, y, yp);
}

static rsd_reached get_reached(void *self)
{
    const rsd_fixed *it = self;
    return (rsd_reached){it->y, it->yp, &it->events};
}

static double internal_time(void *self)
{
    return rsd_fixed_time(self, ((rsd_fixed *)self)->t);
}

static void get_stats(const void *self, resida_stats *s)
{
    const rsd_fixed *it = self;
    const rsd_fixed_matrix *m = &it->matrix;
    s->steps = it->steps;
    s->events_in_doubt = it->events.known.in_doubt;
    s->error_test_fails = it->error_test_fails;
    s->order = it->order;
    s->h = it->past.h[0];
    rsd_newton_stats(&it->newton, s);
    s->factorisations = m->factorisations;
    s->last_correction.norm = it->largest[0];
    s->last_correction.p = it->largest[1 + RSD_FIELD_P];
    s->last_correction.v = fmax(it->largest[1 + RSD_FIELD_V], it->largest[1 + RSD_FIELD_Z]);
    s->last_correction.lam = it->largest[1 + RSD_FIELD_REST];
    const rsd_linear_solver *linear = m->s > 0 ? m->linear[m->s - 1] : NULL;
    s->linear_solver = linear ? rsd_linear_get_report(linear).name : "";
}

const rsd_integrator_ops rsd_integrator_fixed = {
    .create = create_fixed,
    .free = free_fixed,
    .restart = restart_fixed,
    .advance = advance_fixed,
    .reached = get_reached,
    .interpolate = interpolate_fixed,
    .internal_time = internal_time,
    .stats = get_stats,
};
