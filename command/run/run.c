/* run.c - integrates a model with resida, or one of its peers, from t0 to t_end over a grid of outputs, `repeats` times
 * with fresh handles. The start is always that of resida.
 *
 * Timed are start and advance, not the creation of handles, not outputs: the stopwatch stands still while a state is
 * written or its drift is evaluated, which only the first run does. The budget of wall-clock time belongs to a run as
 * a whole, where the library counts it for each call; so the monitor watches the clock here as well.
 * Nothing is printed but the progress line and, unless --quiet, notes about the first events. */
#include "run.h"

#include "command/base/complain.h"
#include "checkpoint.h"
#include "progress.h"
#include "run_peer.h"
#include "command/base/signals.h"
#include "benchmarks/peers/stopwatch.h"
#include "command/base/watchdog.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENT_NOTES = 5, ASIDE = 64 };

/** One repetition. */
typedef struct run {
    const bench_job *job;
    bench_row *row;
    int first; /**< the repetition with outputs, drift and counters */
    bench_handles handles;
    rsd_peer_result peer; /**< when a peer runs */
    double *g, *gv, *k;   /**< [n_g], [n_g + n_h], [n_k] */
    double *out;          /**< [n_outputs] */
    int no_outputs;       /**< the model failed to say them */
    int n_g, n_gv, n_k;
    bench_stopwatch watch;
    bench_progress progress;
    double deadline; /**< wall clock [s] */
    int late;        /**< the deadline is over */
    long passed;     /**< outputs besides that of the start */
    long since;      /**< steps tried since the handles were made */
    int is_moment;   /**< for a checkpoint */
    int sink_code;   /**< exit code of the sink, 0 while it works */
} run;

/** Stop for a signal or when time is up; draw the progress line. */
static int watch_step(double t, void *user)
{
    run *r = user;
    if (bench_signal_caught()) return 1;
    if (isfinite(r->deadline) && bench_wall_s() > r->deadline) {
        r->late = 1;
        return 1;
    }
    bench_progress_show(&r->progress, t);
    return r->is_moment = r->job->checkpoint && ++r->since > r->job->checkpoint->steps;
}

static void close_run(run *r)
{
    bench_handles_close(&r->handles);
    free(r->g);
    free(r->gv);
    free(r->k);
    free(r->out);
}

static void fail(bench_row *row, resida_status status, const char *message)
{
    row->outcome = BENCH_FAILED;
    row->code = resida_status_name(status);
    snprintf(row->message, sizeof row->message, "%s", message[0] ? message : row->code);
}

/** What an advance or a start that did not get through means for the row. */
static void note_end(run *r, resida_status status)
{
    bench_row *row = r->row;
    if (r->late) {
        fail(row, RESIDA_ERR_LIMIT_TIME, "");
        snprintf(row->message, sizeof row->message, "the time limit of %g s is spent at t = %.10g",
                 r->job->settings->time_limit, row->t_reached);
    } else if (r->no_outputs) {
        fail(row, RESIDA_ERR_USER, "");
        snprintf(row->message, sizeof row->message, "output() failed at t = %.10g", row->t_reached);
    } else if (status == RESIDA_INTERRUPTED) {
        row->outcome = BENCH_INTERRUPTED;
        snprintf(row->message, sizeof row->message, "interrupted at t = %.10g", row->t_reached);
    } else {
        fail(row, status, r->job->peer ? r->peer.message : resida_solver_message(r->handles.solver));
    }
}

/** Counters of the solver, and the words that do not outlive it. */
static resida_status take_stats(run *r, bench_row *row)
{
    resida_status status = resida_solver_stats(r->handles.solver, &row->stats);
    snprintf(row->dropped, sizeof row->dropped, "%s", status >= 0 ? row->stats.dropped_rows : "");
    row->stats.dropped_rows = NULL;
    for (int i = 0; status >= 0 && i < row->stats.n_limits; i++)
        (void)resida_problem_component_name(r->handles.problem, row->stats.limits[i].component, row->limited[i],
                                            sizeof row->limited[i]);
    return status;
}

/** "interrupted after t = 3.25: residual() has not returned for 5 s" */
static void describe_cut(bench_row *row, const bench_end *end)
{
    char when[40] = "at the start";
    const char *how = end->cause == BENCH_CAUSE_SIGNAL ? "interrupted "
                      : end->cause == BENCH_CAUSE_TIME ? "the time limit is spent "
                                                       : "";
    if (isfinite(row->t_reached)) snprintf(when, sizeof when, "after t = %.10g", row->t_reached);
    snprintf(row->message, sizeof row->message, "%s%s: %s", how, when, end->text);
}

int bench_complain_run(int code, const bench_job *job, const bench_row *row)
{
    char text[RESIDA_MESSAGE_SIZE + ASIDE];
    const char *name = job->model->cls->name;
    if (!job->aside) return bench_complain_model(code, name, row->message);
    snprintf(text, sizeof text, "%s: %s", job->aside, row->message);
    return bench_complain_model(code, name, text);
}

/** Ended from outside, in the middle of a call of the model: the row with what is known of it. A bench_ending_fn. */
static int cut(void *self, const bench_end *end)
{
    run *r = self;
    bench_row row = *r->row;
    int code = end->cause == BENCH_CAUSE_SIGNAL ? 128 + end->signal : BENCH_EXIT_FAILED;
    bench_progress_erase(&r->progress);
    fail(&row, end->cause == BENCH_CAUSE_TIME ? RESIDA_ERR_LIMIT_TIME : RESIDA_ERR_USER, "");
    if (end->cause == BENCH_CAUSE_SIGNAL) row.outcome = BENCH_INTERRUPTED, row.code = NULL;
    describe_cut(&row, end);
    if (r->first && !r->job->peer) (void)take_stats(r, &row);
    bench_complain_run(code, r->job, &row);
    return r->job->cut ? r->job->cut(r->job->cut_self, r->job, &row, code) : code;
}

/** Names of what runs, as the library resolved "auto". */
static void fill_names(run *r)
{
    bench_row *row = r->row;
    snprintf(row->form, sizeof row->form, "%s", resida_problem_form(r->handles.problem));
    snprintf(row->formalism, sizeof row->formalism, "%s", resida_problem_formalism(r->handles.problem));
    if (r->job->peer) return;
    snprintf(row->asked, sizeof row->asked, "%s", r->job->jacobian);
    snprintf(row->jacobian, sizeof row->jacobian, "%s", r->job->jacobian);
    if (take_stats(r, row) < 0 || !row->stats.jacobian) return;
    snprintf(row->jacobian, sizeof row->jacobian, "%s", row->stats.jacobian);
}

static int reserve(run *r)
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

static double worst(double so_far, const double *x, int n)
{
    for (int i = 0; i < n; i++) so_far = fmax(so_far, fabs(x[i])); /* a NaN so far is replaced */
    return so_far;
}

/** The model's outputs, where they are wanted. */
static void ask_outputs(run *r, const resida_state *state)
{
    const resida_model *m = &r->job->model->model;
    if (!r->job->outputs) return;
    const resida_model_point at = {
        state->t, m->is_dae ? state->y : NULL, m->is_dae ? state->yp : NULL, state->p, state->v, state->a, state->lam};
    const int verdict = m->n_outputs > 0 ? resida_model_output(m, &at, r->out) : 0;
    if (verdict < 0) r->no_outputs = 1;
    for (int i = 0; i < m->n_outputs; i++) r->job->outputs[i] = verdict == 0 ? r->out[i] : NAN;
}

/** The state to the sinks, if there are any. */
static void sink_output(run *r, const resida_state *state)
{
    if (!r->job->sink) return;
    bench_watchdog_leave();
    for (const bench_sink *sink = r->job->sink; sink && r->sink_code == 0; sink = sink->next)
        if (sink->output) r->sink_code = sink->output(sink->self, state, r->job->outputs);
    bench_watchdog_enter(cut, r);
}

/** An output of the first repetition: the sink, drift, and the error at the end against the reference. */
static void put_output(run *r, const resida_state *state)
{
    ask_outputs(r, state);
    bench_derivatives_keep(r->job->derivatives, r->handles.solver);
    sink_output(r, state);
    if (r->n_gv > 0 && resida_problem_constraints(r->handles.problem, state->t, state->p, state->v, r->g, r->gv) >= 0) {
        r->row->drift.g = worst(r->row->drift.g, r->g, r->n_g);
        r->row->drift.gv = worst(r->row->drift.gv, r->gv, r->n_gv);
    }
    if (r->n_k > 0 && resida_problem_invariants(r->handles.problem, state->t, state->p, r->k) >= 0)
        r->row->drift.k = worst(r->row->drift.k, r->k, r->n_k);
    const double *p = r->job->model->model.is_dae ? state->y : state->p;
    if (state->t >= r->job->t_end) bench_row_compare(r->row, p, state->v, state->lam);
    if (r->job->end) bench_run_end_keep(r->job->end, state);
    if (r->job->last) bench_run_end_keep(r->job->last, state);
}

static void keep_outputs(run *r)
{
    resida_state state;
    if (resida_solver_state(r->handles.solver, &state) < 0) return;
    r->row->t_reached = state.t;
    if (!r->first) return;
    bench_stopwatch_pause(&r->watch);
    put_output(r, &state);
    bench_stopwatch_run(&r->watch);
}

/** What happened at the time reached. */
static void note(run *r, const char *what, const char *rest)
{
    if (!r->first || r->job->settings->quiet || r->job->aside) return;
    bench_progress_erase(&r->progress);
    bench_complain(0, "%s t = %.10g%s", what, r->row->t_reached, rest);
}

static void note_event(run *r)
{
    resida_stats stats = {.size = sizeof stats};
    resida_state state;
    if (resida_solver_stats(r->handles.solver, &stats) < 0 || resida_solver_state(r->handles.solver, &state) < 0)
        return;
    r->row->t_reached = state.t;
    if (stats.events > EVENT_NOTES) return;
    note(r, "event at", stats.events == EVENT_NOTES ? " (further ones are only counted)" : "");
}

/** The event that there was, if there was one, to the sinks. */
static void sink_event(run *r)
{
    resida_happening what;
    resida_state after;
    if (!r->first || !r->job->sink || resida_run_event(r->handles.run, &what) < 0 ||
        resida_solver_state(r->handles.solver, &after) < 0)
        return;
    bench_stopwatch_pause(&r->watch);
    bench_watchdog_leave();
    for (const bench_sink *sink = r->job->sink; sink && r->sink_code == 0; sink = sink->next)
        if (sink->happened) r->sink_code = sink->happened(sink->self, &what, &after);
    bench_watchdog_enter(cut, r);
    bench_stopwatch_run(&r->watch);
}

/** A moment of the checkpoint: the run goes on from what may be written. @return 0; -1 without memory */
static int pass_moment(run *r)
{
    bench_checkpoint *c = r->job->checkpoint;
    bench_state_bytes bytes;
    bench_stopwatch_pause(&r->watch);
    const bench_way way = bench_way_of(r->passed, r->row, &r->watch);
    bench_stopwatch_run(&r->watch);
    int code = bench_checkpoint_pass(c, &way, r->job, &r->handles, watch_step, r, &bytes);
    bench_watchdog_deadline(r->deadline);
    r->is_moment = 0;
    r->since = 0;
    if (code == 0 && bytes.is_due) {
        bench_stopwatch_pause(&r->watch);
        bench_progress_erase(&r->progress);
        bench_watchdog_leave();
        (void)bench_checkpoint_write(c, bytes.bytes, bytes.size);
        bench_watchdog_enter(cut, r);
        bench_stopwatch_run(&r->watch);
    }
    free(bytes.bytes);
    return code;
}

/** To t, over events, which do what the model says. */
static resida_status advance(run *r, double t)
{
    resida_status status;
    for (;;) {
        status = resida_run_advance(r->handles.run, t);
        if (status == RESIDA_INTERRUPTED && r->is_moment) {
            if (pass_moment(r) != 0) return RESIDA_ERR_MEMORY;
            continue;
        }
        if (status != RESIDA_EVENT || r->sink_code != 0) break;
        note_event(r);
        sink_event(r);
    }
    if (status != RESIDA_EVENT) sink_event(r);
    return status;
}

static int take_output(const resida_state *state, void *user)
{
    run *r = user;
    r->row->t_reached = state->t;
    if (r->first) put_output(r, state);
    return r->sink_code != 0 ? r->sink_code : r->no_outputs;
}

/** The peer's own process has a stopwatch, too. */
static resida_status integrate_by_peer(run *r)
{
    resida_solver_options o;
    resida_message why = {""};
    double *each;
    if (r->job->model->model.event || r->job->model->model.contacts) {
        snprintf(r->peer.message, sizeof r->peer.message, "a peer does not do what events of this model do");
        return RESIDA_ERR_OPTION;
    }
    bench_job_options(r->job, &o);
    resida_status status = bench_tolerances(r->job, r->handles.problem, o.atol, &each, &why);
    if (status < 0) {
        snprintf(r->peer.message, sizeof r->peer.message, "%s", why.text[0] ? why.text : "out of memory");
        free(each);
        return status;
    }
    o.atol_each = each;
    o.monitor = watch_step;
    o.monitor_user = r;
    bench_stopwatch_pause(&r->watch);
    status = bench_peer_integrate(r->job, &r->handles, &o, take_output, r, &r->peer);
    free(each);
    r->watch.cpu_s += r->peer.cpu_s;
    r->watch.wall_s += r->peer.wall_s;
    bench_stopwatch_run(&r->watch);
    return status;
}

/** At the start of the model, or where a checkpoint was. */
static resida_status begin(run *r)
{
    const bench_saved *from = r->job->checkpoint ? r->job->checkpoint->from : NULL;
    if (from) {
        r->passed = from->way.k;
        bench_way_give(&from->way, r->row, &r->watch);
        return resida_run_load(r->handles.run, &r->job->settings->start, from->bytes, from->size);
    }
    const resida_status status = bench_handles_start(&r->handles, r->job);
    if (status >= 0) keep_outputs(r);
    return status;
}

/** Start, and all outputs. @return RESIDA_OK; RESIDA_INTERRUPTED; a failure */
static resida_status integrate(run *r)
{
    const bench_grid *grid = &r->job->grid;
    resida_status status = begin(r);
    if (status < 0) return status;
    if (r->no_outputs) return RESIDA_ERR_USER;
    if (r->job->peer) return integrate_by_peer(r);
    for (; r->passed < grid->n && r->sink_code == 0; r->passed++) {
        const double t = bench_grid_time(grid, r->passed + 1);
        status = advance(r, t);
        if (status < 0 || status == RESIDA_INTERRUPTED) return status;
        keep_outputs(r);
        if (r->no_outputs) return RESIDA_ERR_USER;
        if (status == RESIDA_STOP_TIME && r->row->t_reached < t) { /* by the model */
            note(r, "the model ended the run at", bench_handles_why_ended(&r->handles));
            break;
        }
    }
    return RESIDA_OK;
}

/** What is wrong with the model, as far as the end shows it; after the counters, which the look does not belong to. */
static void keep_warnings(run *r)
{
    bench_row *row = r->row;
    resida_stats stats = {.size = sizeof stats};
    row->stats.warnings = NULL; /* which live no longer than the solver */
    row->n_warnings = 0;
    (void)resida_solver_examine(r->handles.solver);
    if (resida_solver_stats(r->handles.solver, &stats) < 0) return;
    for (; row->n_warnings < stats.n_warnings && row->n_warnings < BENCH_WARNINGS; row->n_warnings++)
        snprintf(row->warnings[row->n_warnings], sizeof row->warnings[0], "%s", stats.warnings[row->n_warnings]);
}

/** The state when it is over: counters and the time reached. */
static void finish(run *r, resida_status status)
{
    bench_row *row = r->row;
    resida_state state;
    if (r->peer.stats.size > 0) {
        row->t_reached = r->peer.t;
        if (r->first) row->stats = r->peer.stats;
        snprintf(row->jacobian, sizeof row->jacobian, "%s", row->stats.jacobian ? row->stats.jacobian : "");
    } else {
        if (resida_solver_state(r->handles.solver, &state) >= 0) {
            row->t_reached = state.t;
            if (r->first && !r->no_outputs) ask_outputs(r, &state);
            if (r->first && r->job->last) bench_run_end_keep(r->job->last, &state);
            if (r->first) bench_derivatives_keep(r->job->derivatives, r->handles.solver);
        }
        if (r->first) (void)take_stats(r, row);
    }
    if (status != RESIDA_OK) note_end(r, status);
    if (r->first && !r->job->peer) keep_warnings(r);
}

static void begin_progress(run *r, long k)
{
    char label[64];
    const bench_job *job = r->job;
    const char *how = job->peer ? rsd_peer_name(job->peer) : r->row->jacobian;
    int n = snprintf(label, sizeof label, "%.24s %s %s", job->model->cls->name, r->row->formalism, how);
    if (job->repeats > 1 && n > 0 && (size_t)n < sizeof label)
        snprintf(label + n, sizeof label - (size_t)n, " %ld/%ld", k + 1, job->repeats);
    bench_progress_begin(&r->progress, label, job->grid.t0, job->t_end, job->settings->quiet);
}

/** The first thing that the sinks get. */
static void begin_sink(run *r)
{
    if (!r->first || !r->job->sink) return;
    bench_watchdog_leave();
    for (const bench_sink *sink = r->job->sink; sink && r->sink_code == 0; sink = sink->next)
        r->sink_code = sink->begin(sink->self, r->handles.problem);
    bench_checkpoint *c = r->job->checkpoint;
    if (c && c->from && r->sink_code == 0) r->sink_code = bench_saved_restore(c->from, c);
    bench_watchdog_enter(cut, r);
}

/** One repetition, number k, and the times it took. @return exit code as bench_run() */
static int run_watched(run *r, long k, double *cpu, double *wall)
{
    const bench_job *job = r->job;
    bench_row *row = r->row;
    resida_message why = {""};
    resida_status status = bench_handles_open(&r->handles, job, watch_step, r, &why);
    if (status >= 0 && reserve(r) != 0) status = RESIDA_ERR_MEMORY;
    if (status < 0) {
        fail(row, status, why.text);
        return BENCH_EXIT_FAILED;
    }
    if (r->first) fill_names(r);
    begin_sink(r);
    if (r->sink_code == 0) {
        begin_progress(r, k);
        if (job->checkpoint) job->checkpoint->written = bench_wall_s();
        r->deadline = bench_wall_s() + bench_given_or(job->settings->time_limit, INFINITY);
        bench_stopwatch_run(&r->watch);
        status = integrate(r);
        bench_stopwatch_pause(&r->watch);
        bench_progress_erase(&r->progress);
        finish(r, status);
    }
    *cpu = r->watch.cpu_s;
    if (r->first) *wall = r->watch.wall_s;
    if (r->sink_code != 0) return r->sink_code;
    if (row->outcome == BENCH_INTERRUPTED) return 128 + bench_signal_caught();
    return row->outcome == BENCH_FAILED ? BENCH_EXIT_FAILED : BENCH_EXIT_OK;
}

/** As run_watched(), with the watchdog let in. */
static int run_once(const bench_job *job, bench_row *row, long k, double *cpu, double *wall)
{
    run r = {.job = job, .row = row, .first = k == 0};
    bench_watchdog_enter(cut, &r);
    int code = run_watched(&r, k, cpu, wall);
    close_run(&r);
    bench_watchdog_leave();
    return code;
}

int bench_run(const bench_job *job, bench_row *row)
{
    bench_row_init(row, job->peer ? rsd_peer_name(job->peer) : "resida", job->model);
    if (job->peer) row->version = rsd_peer_version(job->peer);
    resida_solver_options o;
    bench_job_options(job, &o);
    if (!job->peer) snprintf(row->method, sizeof row->method, "%s", o.method);
    if (!job->peer && o.step > 0) row->step = o.step;
    row->rtol = o.rtol;
    row->atol = o.atol;
    row->max_order = o.max_order;
    row->t_end = job->t_end;
    double *cpu = calloc((size_t)job->repeats, sizeof *cpu);
    if (!cpu) {
        fail(row, RESIDA_ERR_MEMORY, "");
        return BENCH_EXIT_FAILED;
    }
    double wall = NAN;
    int code = 0;
    long k = 0;
    for (; k < job->repeats && code == 0; k++) code = run_once(job, row, k, &cpu[k], &wall);
    if (code != 0 && k > 1) k--; /* a run that was cut short is no measurement */
    bench_row_times(row, cpu, k, wall);
    free(cpu);
    return code;
}
