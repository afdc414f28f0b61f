/* run.c - advances a solver from event to event of a model. At each event the model is called, and the solver is
 * restarted if the state has changed. Event times and breakpoints are stop times of the solver, so that no step passes
 * such a time. */
#include "run_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/callback.h"
#include "base/memory.h"
#include "base/message.h"
#include "src/kits/plugin/model_impl.h"
#include "src/core/start/start_impl.h"
#include "src/core/watch/tolerance.h"

#define SAME_INSTANT (16 * DBL_EPSILON) /* maximum difference of two times that count as equal, relative to the times */

static resida_status allocate_run(resida_run *run)
{
    const resida_model *m = run->model;
    const resida_allocator *a = &run->alloc;
    run->n = m->is_dae ? m->dae.n : m->mechanism.n_p;
    run->n_yp = m->is_dae ? m->dae.n : m->mechanism.n_v;
    const long n_root = 1L + (m->is_dae ? m->dae.n_root : m->mechanism.n_root);
    const int all = RSD_DOUBLES(a, run->n, &run->y, &run->y_before) &&
                    RSD_DOUBLES(a, run->n_yp, &run->yp, &run->yp_before) && RSD_INTS(a, n_root, &run->direction) &&
                    RSD_DOUBLES(a, n_root, &run->roots) &&
                    RSD_DOUBLES(a, m->n_outputs > 0 ? m->n_outputs : 1, &run->outputs);
    return all ? rsd_run_create_contacts(run) : RESIDA_ERR_MEMORY;
}

resida_status resida_run_create(resida_run **run, const resida_model *model, resida_solver *solver, resida_message *why)
{
    if (run) *run = NULL;
    const char *missing = !run ? "run" : !model ? "model" : !solver ? "solver" : NULL;
    if (missing) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_run_create: %s is NULL", missing);
    if (!model->is_dae != (solver->problem->mechanism != NULL))
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_run_create: the solver is not one of this model");
    const char *odd = rsd_model_find_contact_error(model);
    if (!odd && model->contacts && model->contacts->holds && solver->problem->contacts.given.n == 0)
        odd = "its contacts hold, but the problem was created without them (contacts of resida_problem_options)";
    if (odd) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_run_create: model: %s", odd);
    resida_run *made = rsd_calloc(&solver->alloc, 1, sizeof *made);
    if (!made) return rsd_fail(why, RESIDA_ERR_MEMORY, "resida_run_create: no memory");
    *made = (resida_run){.model = model, .solver = solver, .t_next = INFINITY};
    made->alloc = rsd_get_owned_allocator(&made->owner, &solver->alloc);
    resida_start_options_init(&made->start);
    if (allocate_run(made) < 0) {
        resida_run_free(made);
        return rsd_fail(why, RESIDA_ERR_MEMORY, "resida_run_create: no memory");
    }
    *run = made;
    return RESIDA_OK;
}

void resida_run_free(resida_run *run)
{
    if (!run) return;
    const resida_allocator alloc = run->owner.from;
    rsd_owner_free(&run->moved_owner);
    rsd_owner_free(&run->owner);
    rsd_free(&alloc, run);
}

/* Check that the state returned by event() is finite. Return RESIDA_OK or RESIDA_ERR_USER. */
static resida_status check_changed_state(resida_run *run, const double *y, const double *yp,
                                         const resida_model_event *event)
{
    const resida_problem *q = run->solver->problem;
    const int first[2] = {run->model->is_dae ? 0 : q->layout.p, run->model->is_dae ? 0 : q->layout.v};
    const double *const x[2] = {y, event->find_yp && run->model->is_dae ? NULL : yp};
    const int n[2] = {run->n, run->n_yp};
    char name[RSD_COMPONENT_NAME];
    for (int k = 0; k < 2; k++)
        for (int i = 0; x[k] && i < n[k]; i++) {
            if (isfinite(x[k][i])) continue;
            resida_problem_component_name(q, first[k] + i, name, sizeof name);
            return rsd_fail(&run->solver->message, RESIDA_ERR_USER,
                            "event() at t = %.9g returned %s%s = %g, must be finite", event->t,
                            k == 1 && run->model->is_dae ? "the derivative of " : "", name, x[k][i]);
        }
    return RESIDA_OK;
}

/* Report a callback that threw an exception or returned an error. Return RESIDA_ERR_USER. */
static resida_status report_callback_failure(const resida_run *run, const char *callback, const rsd_thrown *thrown,
                                             double t)
{
    return rsd_fail(&run->solver->message, RESIDA_ERR_USER, "%s %s%s at t = %.9g", callback,
                    thrown->is_new ? "threw " : "failed", thrown->is_new ? thrown->text : "", t);
}

resida_status rsd_run_call_event(resida_run *run, const resida_model *model, resida_model_event *event)
{
    rsd_thrown thrown = {0, ""};
    event->t_stop = run->solver->o.t_stop;
    event->rtol = run->solver->o.rtol;
    const resida_model_event asked = *event;
    if (!model->event) return RESIDA_OK;
    const int verdict = rsd_call_event(model, event, &thrown);
    event->kind = asked.kind, event->t = asked.t, event->direction = asked.direction;
    if (verdict != 0) return report_callback_failure(run, "event()", &thrown, event->t);
    /* event() may return t_next = t if t_next was t before the call; if y is the time, also once at each t. */
    run->is_again = model->y_is_time && asked.kind != RESIDA_AT_ROOT && !run->is_again && event->t_next == event->t;
    if (isnan(event->t_next) || (event->t_next <= event->t && event->t_next != asked.t_next && !run->is_again))
        return rsd_fail(&run->solver->message, RESIDA_ERR_USER,
                        "event() at t = %.9g returned t_next = %.9g, which is not later", event->t, event->t_next);
    return event->changed ? check_changed_state(run, asked.y, asked.yp, event) : RESIDA_OK;
}

/* Call event() of the model at run->y, run->yp. Return RESIDA_OK or RESIDA_ERR_USER. */
static resida_status call_event(resida_run *run, resida_model_event *event)
{
    event->y = run->y;
    event->yp = run->yp;
    event->t_next = run->t_next;
    RSD_TRY(rsd_run_call_event(run, run->model, event));
    run->t_next = event->t_next;
    run->ended = event->ends;
    return RESIDA_OK;
}

static resida_status start_solver(resida_run *run, double t, int find_yp, resida_start_report *report)
{
    if (run->model->is_dae) return resida_solver_start_dae(run->solver, t, run->y, find_yp ? NULL : run->yp);
    return resida_solver_start(run->solver, t, run->y, run->yp, &run->start, report);
}

void rsd_run_copy_start_values(const resida_run *run, const resida_model *m, double *y, double *yp)
{
    const double *y0 = m->is_dae ? m->y0 : m->p0, *yp0 = m->is_dae ? m->yp0 : m->v0;
    memcpy(y, y0, (size_t)run->n * sizeof *y);
    memset(yp, 0, (size_t)run->n_yp * sizeof *yp);
    if (yp0) memcpy(yp, yp0, (size_t)run->n_yp * sizeof *yp);
}

resida_status rsd_run_reset(resida_run *run, resida_model_event *event)
{
    const resida_model *m = run->model;
    rsd_run_copy_start_values(run, m, run->y, run->yp);
    run->t_next = INFINITY;
    run->n_passed = run->is_again = 0;
    run->ended = run->is_last = 0;
    run->left = RSD_PART_NONE;
    run->has_arrived = 0;
    run->why_ended.text[0] = 0;
    RSD_TRY(rsd_run_reset_contacts(run));
    *event = (resida_model_event){.kind = RESIDA_AT_START, .t = m->t0};
    return call_event(run, event);
}

resida_status rsd_run_set_options(resida_run *run, const resida_start_options *o)
{
    resida_start_options defaults;
    resida_start_options_init(&defaults);
    if (!o) o = &defaults;
    RSD_TRY(rsd_start_check_options(o, &run->solver->message));
    run->start = *o;
    return RESIDA_OK;
}

resida_status resida_run_start(resida_run *run, const resida_start_options *o, resida_start_report *report)
{
    if (!run) return RESIDA_ERR_ARGUMENT;
    RSD_TRY(rsd_run_set_options(run, o));
    resida_model_event event;
    RSD_TRY(rsd_run_reset(run, &event));
    RSD_TRY(rsd_run_start_perturbed(run, &event));
    const int find_yp = event.changed ? event.find_yp : !run->model->yp0;
    RSD_TRY(start_solver(run, run->model->t0, find_yp, report));
    RSD_TRY(rsd_run_check_contacts(run));
    rsd_run_warn_of_penetration(run);
    return RESIDA_OK;
}

/* Return the first breakpoint after the current time, or INFINITY. */
static double find_next_breakpoint(resida_run *run)
{
    const resida_model *m = run->model;
    while (run->n_passed < m->n_breakpoints && m->breakpoints[run->n_passed] <= run->solver->t) run->n_passed++;
    return run->n_passed < m->n_breakpoints ? m->breakpoints[run->n_passed] : INFINITY;
}

/* Return 1 if time t is at or after time `at` within rounding. */
static int has_reached(const resida_run *run, double t, double at)
{
    return t >= at - SAME_INSTANT * fmax(fabs(t), fabs(run->model->t0));
}

/* Advance the solver to the next time at which events are checked, at most to t_out. Return its status. */
static resida_status advance_solver(resida_run *run, double t_out)
{
    resida_solver *s = run->solver;
    if (t_out < s->t && !s->is_in_call)
        return rsd_fail(&s->message, RESIDA_ERR_ARGUMENT,
                        "t_out = %.17g is before the time reached, %.17g: runs of models go forward", t_out, s->t);
    if (run->is_again) { /* event() follows; the monitor is called as before each step */
        RSD_TRY(rsd_solver_enter(s));
        const int is_over = rsd_guard_call_monitor(&s->guard, s->t, s->o.monitor, s->o.monitor_user);
        return rsd_solver_leave(s, is_over ? s->guard.stop : RESIDA_STOP_TIME);
    }
    s->t_break = fmin(run->t_next, find_next_breakpoint(run));
    if (has_reached(run, s->t_break, t_out)) s->t_break = fmax(s->t_break, t_out);
    const resida_model_contacts *c = run->model->is_dae ? NULL : run->model->contacts;
    const int has_closed = c && memchr(run->contacts.has_impact, 1, (size_t)c->n) != NULL; /* not opened after impact */
    const resida_status status =
        run->model->asks_steps || has_closed ? resida_solver_step(s, t_out) : resida_solver_advance(s, t_out);
    s->t_break = INFINITY;
    return status;
}

/* Set *event to the event at the current state. Return 0 if no event is due. A root precedes a time event, because the
 * solver reports a root only once. A time event is due if t has reached its time within rounding. An output at the time
 * of the event then shows the state after the event. */
static int find_due_event(const resida_run *run, resida_status status, double t, resida_model_event *event)
{
    *event = (resida_model_event){.t = t};
    if (status == RESIDA_EVENT)
        event->kind = RESIDA_AT_ROOT;
    else if (has_reached(run, t, run->t_next))
        event->kind = RESIDA_AT_TIME, event->t = run->model->y_is_time ? run->t_next : fmax(t, run->t_next);
    else if (run->model->asks_steps &&
             !(rsd_integration_get_end(run->solver->integration) > t)) /* at the end of a step */
        event->kind = RESIDA_AT_STEP;
    else
        return 0;
    return 1;
}

/* Restart the solver after an event. Sensitivities are restarted in a later stage, when their new values are known. */
static resida_status restart_after_event(resida_run *run, const resida_model_event *event)
{
    rsd_sensitivities *x = rsd_get_sensitivities(run->solver);
    if (x && !run->moved)
        return rsd_fail(&run->solver->message, RESIDA_ERR_STATE,
                        "the event at t = %.9g changes the state: sensitivities need resida_run_set_moved()", event->t);
    if (x) x->skips_start = 1;
    run->solver->guard.exact_signs = event->exact_signs;
    rsd_run_save_contacts(run);
    const double t = run->solver->t; /* event->t may differ by rounding */
    int again = 1;
    resida_status status = RESIDA_OK;
    while (again && status >= 0) {
        status = start_solver(run, t, event->find_yp, NULL);
        again = 0;
        if (status >= 0) status = rsd_run_repeat_impact(run, event->t, &again);
    }
    if (x) x->skips_start = 0;
    run->solver->guard.exact_signs = 0;
    if (status >= 0)
        rsd_run_record_changes(run);
    else
        rsd_run_restore_contacts(run);
    return status;
}

/* Save the outputs before the event, or NaN if output() could not evaluate them. Return RESIDA_OK or
 * RESIDA_ERR_USER. */
static resida_status save_outputs(resida_run *run, const resida_state *state)
{
    rsd_thrown thrown = {0, ""};
    const resida_model *m = run->model;
    const resida_model_point at = {.t = state->t,
                                   .y = m->is_dae ? state->y : NULL,
                                   .yp = m->is_dae ? state->yp : NULL,
                                   .p = state->p,
                                   .v = state->v,
                                   .a = state->a,
                                   .lam = state->lam};
    if (m->n_outputs <= 0 || run->last.kind == RESIDA_AT_STEP) return RESIDA_OK;
    run->last.outputs = run->outputs;
    const int verdict = rsd_call_output(m, &at, run->outputs, &thrown);
    for (int i = 0; verdict && i < m->n_outputs; i++) run->outputs[i] = NAN;
    return verdict < 0 ? report_callback_failure(run, "output()", &thrown, run->last.t) : RESIDA_OK;
}

/* Restore the state before the event, which a failed call may have changed, and call event() again. */
static resida_status call_event_again(resida_run *run, resida_model_event *event)
{
    memcpy(run->y, run->y_before, (size_t)run->n * sizeof *run->y);
    memcpy(run->yp, run->yp_before, (size_t)run->n_yp * sizeof *run->yp);
    if (event->kind == RESIDA_AT_TIME) run->t_next = INFINITY;
    run->n_asked = 0;
    return call_event(run, event);
}

static resida_status complete_restart(resida_run *run)
{
    if (run->solver->carried) return rsd_run_restart_sensitivities(run, run->solver->t);
    return run->contacts.held ? rsd_run_check_contacts(run) : RESIDA_OK;
}

/* Perform the remaining stages of the event in their order. After a failure the next call repeats the failed stage. */
static resida_status complete_event(resida_run *run)
{
    while (run->left != RSD_PART_NONE) {
        resida_model_event event = run->event;
        rsd_event_part next = run->left + 1;
        switch (run->left) {
        case RSD_PART_EVENT:
            RSD_TRY(call_event_again(run, &event));
            break;
        case RSD_PART_PERTURBED:
            RSD_TRY(rsd_run_call_perturbed_events(run, &event));
            break;
        case RSD_PART_IMPACT:
            RSD_TRY(rsd_run_compute_impact(run, &event));
            run->last.ended = run->ended;
            run->is_last |= run->ended || event.changed;
            if (!event.changed) next = RSD_PART_NONE;
            break;
        case RSD_PART_START:
            RSD_TRY(restart_after_event(run, &event));
            run->last.restarted = 1;
            break;
        default:
            RSD_TRY(complete_restart(run));
            next = RSD_PART_NONE;
        }
        run->event = event;
        run->left = next;
    }
    return RESIDA_OK;
}

/* Save the state before the event, and mark all stages of the event as not completed. */
static resida_status begin_event(resida_run *run, resida_model_event *event)
{
    const resida_model *m = run->model;
    resida_solver *s = run->solver;
    const resida_message said = s->message;
    resida_state state;
    RSD_TRY(resida_solver_state(s, &state));
    if (event->kind == RESIDA_AT_ROOT) {
        RSD_TRY(resida_solver_event(s, run->direction));
        event->direction = run->direction;
    }
    RSD_TRY(rsd_solver_enter(s));
    RSD_TRY(rsd_solver_leave(s, rsd_solver_integrate_to_output(s))); /* before the event changes the state */
    s->message = said;
    run->last = (resida_happening){
        .kind = event->kind, .t = event->t, .direction = event->direction, .y = run->y_before, .yp = run->yp_before};
    RSD_TRY(save_outputs(run, &state));
    if (run->moved) RSD_TRY(rsd_run_find_time_sensitivity(run, event));
    memcpy(run->y_before, m->is_dae ? state.y : state.p, (size_t)run->n * sizeof *run->y);
    memcpy(run->yp_before, m->is_dae ? state.yp : state.v, (size_t)run->n_yp * sizeof *run->yp);
    run->contacts.was_impact = 0;
    run->event = *event;
    run->left = RSD_PART_EVENT;
    return RESIDA_OK;
}

/* Return 1 if the event is reported. Steps without a change, opening contacts and silent times are not reported. */
static int is_event_reported(const resida_run *run, const resida_model_event *event)
{
    const resida_model_contacts *c = run->model->contacts;
    if (event->kind == RESIDA_AT_TIME && event->silent) return 0;
    if (event->kind == RESIDA_AT_STEP || event->silent) return event->changed;
    if (event->kind != RESIDA_AT_ROOT || event->changed || !c || run->model->event) return 1;
    for (int i = 0; i < run->model->mechanism.n_root; i++)
        if (event->direction[i] != 0 && (i < c->first || i >= c->first + c->n)) return 1;
    return 0;
}

/* Check that root_directions of the solver does not exclude the closing of a contact. */
static resida_status check_directions(const resida_run *run)
{
    const resida_model_contacts *c = run->model->is_dae ? NULL : run->model->contacts;
    const int *direction = run->solver->o.root_directions;
    char name[RSD_ROW_NAME];
    for (int i = 0; c && direction && i < c->n; i++)
        if (direction[c->first + i] > 0)
            return rsd_fail(&run->solver->message, RESIDA_ERR_OPTION,
                            "root_directions[%d] = 1: the closing of contact %.60s would be missed", c->first + i,
                            rsd_get_contact_name(c, i, name, sizeof name));
    return RESIDA_OK;
}

/* Advance to the next check for events, and start the event if there is one. After a failed check, repeat the check. */
static resida_status advance_to_check(resida_run *run, double t_out)
{
    resida_model_event event;
    if (run->left != RSD_PART_NONE) return run->arrived;
    if (run->has_arrived) run->solver->message.text[0] = 0; /* discards the message of the failed call */
    if (run->is_again && t_out == run->solver->t) return RESIDA_OK;
    const resida_status status = run->has_arrived ? run->arrived : advance_solver(run, t_out);
    if (status < 0 || status == RESIDA_INTERRUPTED) return status;
    run->arrived = status;
    run->has_arrived = 1;
    if (status == RESIDA_OK) RSD_TRY(rsd_run_check_contacts(run));
    if (!run->ended && find_due_event(run, status, run->solver->t, &event)) RSD_TRY(begin_event(run, &event));
    return status;
}

resida_status resida_run_advance(resida_run *run, double t_out)
{
    if (!run) return RESIDA_ERR_ARGUMENT;
    run->is_last = 0;
    RSD_TRY(check_directions(run));
    while (!run->ended) {
        const resida_status status = advance_to_check(run, t_out);
        if (status < 0 || status == RESIDA_INTERRUPTED) return status;
        if (run->ended) break;
        const double t = run->solver->t;
        const int is_event = run->left != RSD_PART_NONE;
        if (is_event) {
            run->is_last = run->event.kind != RESIDA_AT_STEP;
            RSD_TRY(complete_event(run));
        }
        run->has_arrived = 0;
        if (run->ended) break;
        if (is_event) {
            if (is_event_reported(run, &run->event)) return RESIDA_EVENT;
            run->is_last = 0;
            if (run->event.kind == RESIDA_AT_TIME && t < t_out) continue;
            if (run->event.kind == RESIDA_AT_TIME) return RESIDA_OK;
        }
        if (status == RESIDA_STOP_TIME && t < run->solver->o.t_stop) continue; /* t is a breakpoint */
        if (status != RESIDA_EVENT && (status != RESIDA_OK || t >= t_out)) return status;
    }
    return rsd_fail(&run->solver->message, RESIDA_STOP_TIME, "the model ended the run at t = %.9g%s%s", run->solver->t,
                    run->why_ended.text[0] ? ": " : "", run->why_ended.text);
}

resida_status resida_run_restart(resida_run *run)
{
    resida_state x;
    if (!run) return RESIDA_ERR_ARGUMENT;
    RSD_TRY(resida_solver_state(run->solver, &x));
    if (run->left != RSD_PART_NONE || run->has_arrived || run->ended)
        return rsd_fail(&run->solver->message, RESIDA_ERR_STATE, "a run that has ended or failed cannot be restarted");
    memcpy(run->y, run->model->is_dae ? x.y : x.p, (size_t)run->n * sizeof *run->y);
    memcpy(run->yp, run->model->is_dae ? x.yp : x.v, (size_t)run->n_yp * sizeof *run->yp);
    run->contacts.was_impact = 0;
    RSD_TRY(restart_after_event(run, &(resida_model_event){.t = x.t, .find_yp = 1}));
    return complete_restart(run);
}

resida_status resida_run_event(const resida_run *run, resida_happening *what)
{
    if (!run || !what) return RESIDA_ERR_ARGUMENT;
    if (!run->is_last) return RESIDA_ERR_STATE;
    *what = run->last;
    what->push = run->contacts.was_impact ? run->contacts.push : NULL;
    what->contacts = run->contacts.held && run->last.restarted ? run->contacts.change : NULL;
    what->energy_change = run->contacts.was_impact ? run->contacts.energy_change : 0;
    return RESIDA_OK;
}
