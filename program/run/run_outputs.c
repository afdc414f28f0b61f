/* run_outputs.c - passes outputs and events of a run to the sinks, and evaluates the drift of the constraints at the
 * outputs. The watchdog only watches calls of the model and is inactive during this. */
#include "run_impl.h"

#include "moments.h"
#include "program/base/complain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { EVENT_NOTES = 5 };

int cmd_run_reserve(cmd_repetition *r)
{
    resida_layout layout;
    if (resida_problem_layout(r->handles.problem, &layout) < 0) return -1;
    r->n_g = r->job->model->model.is_dae ? 0 : layout.n_g;
    r->n_gv = r->job->model->model.is_dae ? 0 : layout.n_g + layout.n_h;
    r->g = calloc((size_t)r->n_g + 1, sizeof *r->g);
    r->gv = calloc((size_t)r->n_gv + 1, sizeof *r->gv);
    r->n_k = layout.n_k;
    r->k = calloc((size_t)r->n_k + 1, sizeof *r->k);
    r->out = calloc((size_t)r->job->model->model.n_outputs + 1, sizeof *r->out);
    return r->g && r->gv && r->k && r->out ? 0 : -1;
}

static double update_max_abs(double so_far, const double *x, int n)
{
    for (int i = 0; i < n; i++) so_far = fmax(so_far, fabs(x[i])); /* fmax() ignores a NaN in so_far */
    return so_far;
}

resida_model_point cmd_model_point(const resida_model *model, const resida_state *state)
{
    return (resida_model_point){.t = state->t,
                                .y = model->is_dae ? state->y : NULL,
                                .yp = model->is_dae ? state->yp : NULL,
                                .p = state->p,
                                .v = state->v,
                                .a = state->a,
                                .lam = state->lam};
}

int cmd_model_warning(const resida_model *model, const resida_model_point *at, resida_message *warning)
{
    warning->text[0] = 0;
    if (!model->warning) return 0;
    double *out = calloc((size_t)model->n_outputs + 1, sizeof *out);
    if (!out) return cmd_no_memory();
    if (resida_model_output(model, at, out) >= 0) snprintf(warning->text, sizeof warning->text, "%s", model->warning);
    free(out);
    return 0;
}

void cmd_run_evaluate_outputs(cmd_repetition *r, const resida_state *state)
{
    const resida_model *m = &r->job->model->model;
    if (!r->job->outputs && !m->warning) return;
    const resida_model_point at = cmd_model_point(m, state);
    const int verdict = m->n_outputs > 0 || m->warning ? resida_model_output(m, &at, r->out) : 0;
    if (verdict < 0) r->no_outputs = 1;
    if (m->warning && !r->doubt.text[0]) snprintf(r->doubt.text, sizeof r->doubt.text, "%s", m->warning);
    for (int i = 0; r->job->outputs && i < m->n_outputs; i++) r->job->outputs[i] = verdict == 0 ? r->out[i] : NAN;
}

/** Pass the state to the sinks, or only to sinks of curves. */
static void pass_to_sinks(cmd_repetition *r, const resida_state *state, int curves)
{
    if (!r->job->sink) return;
    cmd_watchdog_leave();
    for (const cmd_sink *sink = r->job->sink; sink && r->sink_code == 0; sink = sink->next)
        if (sink->output && (sink->is_curve || !curves))
            r->sink_code = sink->output(sink->self, state, r->job->outputs);
    cmd_watchdog_enter(cmd_run_complete_cut_row, r);
}

/** Process an output of the first repetition: sinks, drift, and at the end the error relative to the reference. */
static void process_output(cmd_repetition *r, const resida_state *state)
{
    cmd_run_evaluate_outputs(r, state);
    cmd_handles_follow_output(&r->handles, r->job, state);
    pass_to_sinks(r, state, 0);
    if (r->n_gv > 0 && resida_problem_constraints(r->handles.problem, state->t, state->p, state->v, r->g, r->gv) >= 0) {
        r->row->drift.g = update_max_abs(r->row->drift.g, r->g, r->n_g);
        r->row->drift.gv = update_max_abs(r->row->drift.gv, r->gv, r->n_gv);
    }
    if (r->n_k > 0 && resida_problem_invariants(r->handles.problem, state->t, state->p, r->k) >= 0)
        r->row->drift.k = update_max_abs(r->row->drift.k, r->k, r->n_k);
    const double *p = r->job->model->model.is_dae ? state->y : state->p;
    if (state->t >= r->job->t_end) cmd_row_compare(r->row, p, state->v, state->lam);
    if (r->job->end) cmd_run_end_store(r->job->end, state);
    if (r->job->last) cmd_run_end_store(r->job->last, state);
}

void cmd_run_pass_outputs(cmd_repetition *r)
{
    resida_state state;
    if (resida_solver_state(r->handles.solver, &state) < 0) return;
    r->row->t_reached = state.t;
    if (!r->first) return;
    bench_stopwatch_pause(&r->watch);
    process_output(r, &state);
    bench_stopwatch_run(&r->watch);
}

void cmd_run_pass_intermediate(cmd_repetition *r)
{
    resida_state state;
    if (resida_solver_state(r->handles.solver, &state) < 0) return;
    r->row->t_reached = state.t;
    bench_stopwatch_pause(&r->watch);
    cmd_run_evaluate_outputs(r, &state);
    cmd_handles_follow_output(&r->handles, r->job, &state);
    pass_to_sinks(r, &state, 1);
    bench_stopwatch_run(&r->watch);
}

void cmd_run_print_note(cmd_repetition *r, const char *what, const char *rest)
{
    if (!r->first || r->job->settings->quiet || r->job->aside) return;
    cmd_progress_erase(&r->progress);
    cmd_complain(0, "%s t = %.10g%s", what, r->row->t_reached, rest);
}

const char *const cmd_contact_words[] = {"", "rebounds", "closes", "opens", "sticks", "slips"};

/** Write the names of the root functions that crossed zero. */
static void write_roots(const resida_model *m, const resida_happening *what, char *text, size_t size)
{
    const int n_root = !m->root_names || !what->direction ? 0 : m->is_dae ? m->dae.n_root : m->mechanism.n_root;
    size_t length = 0;
    for (int i = 0; i < n_root && length < size; i++)
        if (what->direction[i] != 0)
            length += (size_t)snprintf(text + length, size - length, "%s %.60s", length ? "," : ":", m->root_names[i]);
}

static void write_contacts(const resida_model_contacts *c, const resida_happening *what, char *text, size_t size)
{
    char name[80];
    size_t length = 0;
    for (int i = 0; i < c->n && length < size; i++) {
        if (what->contacts[i] == RESIDA_CONTACT_STAYS) continue;
        snprintf(name, sizeof name, "contact %d", i);
        if (c->names && c->names[i]) snprintf(name, sizeof name, "%.60s", c->names[i]);
        length += (size_t)snprintf(text + length, size - length, "%s %s %s", length ? "," : ":", name,
                                   cmd_contact_words[what->contacts[i]]);
    }
}

/** Write ": floor closes, contact 1 opens", ": shoulder.upper", or "". */
static void write_event(const cmd_repetition *r, char *text, size_t size)
{
    const resida_model *m = &r->job->model->model;
    resida_happening what;
    text[0] = 0;
    if (resida_run_event(r->handles.run, &what) < 0) return;
    if (what.contacts)
        write_contacts(m->contacts, &what, text, size);
    else
        write_roots(m, &what, text, size);
}

void cmd_run_print_event(cmd_repetition *r)
{
    char text[300], rest[400];
    resida_stats stats = {.size = sizeof stats};
    resida_state state;
    if (resida_solver_stats(r->handles.solver, &stats) < 0 || resida_solver_state(r->handles.solver, &state) < 0)
        return;
    r->row->t_reached = state.t;
    if (stats.events > EVENT_NOTES || r->job->settings->is_silent_on_events) return;
    write_event(r, text, sizeof text);
    snprintf(rest, sizeof rest, "%s%s", text, stats.events == EVENT_NOTES ? " (more are counted, but not listed)" : "");
    cmd_run_print_note(r, "event at", rest);
}

void cmd_run_pass_event(cmd_repetition *r)
{
    resida_happening what;
    resida_state after;
    if (!r->first || !r->job->sink || resida_run_event(r->handles.run, &what) < 0 ||
        resida_solver_state(r->handles.solver, &after) < 0)
        return;
    bench_stopwatch_pause(&r->watch);
    cmd_watchdog_leave();
    for (const cmd_sink *sink = r->job->sink; sink && r->sink_code == 0; sink = sink->next)
        if (sink->happened) r->sink_code = sink->happened(sink->self, &what, &after);
    cmd_watchdog_enter(cmd_run_complete_cut_row, r);
    bench_stopwatch_run(&r->watch);
}

int cmd_run_process_peer_output(const resida_state *state, void *repetition)
{
    cmd_repetition *r = repetition;
    r->row->t_reached = state->t;
    if (r->first) process_output(r, state);
    return r->sink_code != 0 ? r->sink_code : r->no_outputs;
}

void cmd_run_begin_sinks(cmd_repetition *r)
{
    if (!r->first || !r->job->sink) return;
    cmd_watchdog_leave();
    for (const cmd_sink *sink = r->job->sink; sink && r->sink_code == 0; sink = sink->next)
        r->sink_code = sink->begin(sink->self, r->handles.problem);
    const cmd_moments *m = r->job->moments;
    if (m && m->from && r->sink_code == 0) r->sink_code = m->restore(m->self);
    cmd_watchdog_enter(cmd_run_complete_cut_row, r);
}
