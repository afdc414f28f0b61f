/* run.c - integrates a model with resida, or with a peer, from t0 to t_end with outputs on a grid, `repeats` times with
 * new handles. resida always computes the start.
 *
 * The time of start and integration is measured, but not the creation of handles, nor outputs and drift, which only the
 * first run computes. The limit of wall-clock time applies to the whole run, but the library measures it for each call.
 * Therefore the monitor also checks the clock here. Only the progress line is printed and, without --quiet, notes about
 * the first events. */
#include "run_impl.h"

#include "moments.h"
#include "program/base/complain.h"
#include "program/process/signals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double longest_wait_s = 3; /* max. wait for a checkpoint moment, out of a grace period of 5 s */

/** Return 1 if a signal ends the run now. A run with checkpoint moments first continues to the next one, for a limited
 *  time. */
static int is_ended_by_signal(cmd_repetition *r)
{
    if (!cmd_signal_caught()) return 0;
    const double now = bench_wall_s();
    if (r->signalled == 0) r->signalled = now;
    return !r->job->moments || now - r->signalled > longest_wait_s;
}

/** Monitor: stop after a signal or at the time limit, and show the progress. */
static int watch_step(double t, void *user)
{
    cmd_repetition *r = user;
    if (is_ended_by_signal(r)) return 1;
    if (isfinite(r->deadline) && bench_wall_s() > r->deadline) {
        r->late = 1;
        return 1;
    }
    cmd_progress_show(&r->progress, t);
    return r->is_moment = r->job->moments && ++r->since > r->job->moments->steps;
}

static void close_run(cmd_repetition *r)
{
    cmd_handles_close(&r->handles);
    free(r->g);
    free(r->gv);
    free(r->k);
    free(r->out);
}

/** Return the progress of the run. The stopwatch must be paused. */
static cmd_way get_progress(long k, const cmd_row *row, const bench_stopwatch *watch)
{
    return (cmd_way){.k = k,
                     .g = row->drift.g,
                     .gv = row->drift.gv,
                     .worst_k = row->drift.k,
                     .cpu_s = watch->cpu_s,
                     .wall_s = watch->wall_s};
}

/** Restore the progress of the run from which to continue. */
static void restore_progress(const cmd_way *way, cmd_row *row, bench_stopwatch *watch)
{
    row->drift.g = way->g;
    row->drift.gv = way->gv;
    row->drift.k = way->worst_k;
    watch->cpu_s += way->cpu_s;
    watch->wall_s += way->wall_s;
}

/** Replace the handles at a checkpoint moment, and write the state if it is due. @return 0; else the status that ends
 *  the run */
static resida_status save_and_replace(cmd_repetition *r)
{
    const cmd_moments *m = r->job->moments;
    cmd_state_bytes bytes;
    bench_stopwatch_pause(&r->watch);
    const cmd_way way = get_progress(r->passed, r->row, &r->watch);
    bench_stopwatch_run(&r->watch);
    int code = m->pass(m->self, &way, r->job, &r->handles, watch_step, r, &bytes);
    cmd_watchdog_deadline(r->deadline);
    r->is_moment = 0;
    r->since = 0;
    if (code == 0 && bytes.is_due) {
        bench_stopwatch_pause(&r->watch);
        cmd_progress_erase(&r->progress);
        cmd_watchdog_leave();
        (void)m->write(m->self, bytes.bytes, bytes.size);
        cmd_watchdog_enter(cmd_run_complete_cut_row, r);
        bench_stopwatch_run(&r->watch);
    }
    free(bytes.bytes);
    if (code < 0) return RESIDA_ERR_MEMORY;
    r->sink_code = code;
    return code != 0 || (bytes.is_due && cmd_signal_caught()) ? RESIDA_INTERRUPTED : RESIDA_OK;
}

/** Advance to t with all events of the model. */
static resida_status advance(cmd_repetition *r, double t)
{
    resida_status status;
    for (;;) {
        status = resida_run_advance(r->handles.run, t);
        if (status == RESIDA_INTERRUPTED && r->is_moment) {
            status = save_and_replace(r);
            if (status == RESIDA_OK) continue;
            return status;
        }
        if (status != RESIDA_EVENT || r->sink_code != 0) break;
        cmd_run_print_event(r);
        cmd_run_pass_event(r);
    }
    if (status != RESIDA_EVENT) cmd_run_pass_event(r);
    return status;
}

/** Advance to the next output at t. Intermediate states are stored for curves. */
static resida_status advance_to_output(cmd_repetition *r, double t)
{
    const int parts = r->first ? r->job->between + 1 : 1;
    const double from = cmd_grid_time(&r->job->grid, r->passed);
    for (int i = 1; i < parts; i++) {
        const double on_the_way = from + (t - from) * i / parts;
        const resida_status status = advance(r, on_the_way);
        if (status < 0 || status == RESIDA_INTERRUPTED) return status;
        cmd_run_pass_intermediate(r);
        if (r->no_outputs || r->sink_code != 0 || r->row->t_reached < on_the_way) return status;
    }
    return advance(r, t);
}

/** Integrate with the peer. Its process measures its own time. */
static resida_status integrate_by_peer(cmd_repetition *r)
{
    resida_solver_options o;
    resida_message why = {""};
    double *each;
    if (r->job->model->model.event || r->job->model->model.contacts) {
        snprintf(r->peer.message, sizeof r->peer.message, "peers do not support the events of this model");
        return RESIDA_ERR_OPTION;
    }
    cmd_job_options(r->job, &o);
    resida_status status = cmd_tolerances(r->job, r->handles.problem, o.atol, &each, &why);
    if (status < 0) {
        snprintf(r->peer.message, sizeof r->peer.message, "%s", why.text[0] ? why.text : "out of memory");
        free(each);
        return status;
    }
    o.atol_each = each;
    o.monitor = watch_step;
    o.monitor_user = r;
    bench_stopwatch_pause(&r->watch);
    status = cmd_peer_integrate(r->job, &r->handles, &o, cmd_run_process_peer_output, r, &r->peer);
    free(each);
    r->watch.cpu_s += r->peer.cpu_s;
    r->watch.wall_s += r->peer.wall_s;
    bench_stopwatch_run(&r->watch);
    return status;
}

/** Start the model, or load the checkpoint. */
static resida_status start_or_load(cmd_repetition *r)
{
    const cmd_moments *m = r->job->moments;
    if (m && m->from) {
        r->passed = m->from->k;
        restore_progress(m->from, r->row, &r->watch);
        return m->load(m->self, r->job, r->handles.run);
    }
    const resida_status status = cmd_handles_start(&r->handles, r->job);
    if (status >= 0) cmd_run_pass_outputs(r);
    return status;
}

/** Start and compute all outputs. @return RESIDA_OK; RESIDA_INTERRUPTED; a failure */
static resida_status integrate(cmd_repetition *r)
{
    const cmd_grid *grid = &r->job->grid;
    resida_status status = start_or_load(r);
    if (status < 0) return status;
    if (r->no_outputs) return RESIDA_ERR_USER;
    if (r->job->peer) return integrate_by_peer(r);
    for (; r->passed < grid->n && r->sink_code == 0; r->passed++) {
        const double t = cmd_grid_time(grid, r->passed + 1);
        status = advance_to_output(r, t);
        if (status < 0 || status == RESIDA_INTERRUPTED) return status;
        cmd_run_pass_outputs(r);
        if (r->no_outputs) return RESIDA_ERR_USER;
        if (status == RESIDA_STOP_TIME && r->row->t_reached < t) { /* ended by the model */
            cmd_run_print_note(r, "the model ended the run at", cmd_handles_why_ended(&r->handles));
            break;
        }
    }
    return RESIDA_OK;
}

/** Store the counters and the time reached after the run. */
static void store_result(cmd_repetition *r, resida_status status)
{
    cmd_row *row = r->row;
    resida_state state;
    if (r->peer.stats.size > 0) {
        row->t_reached = r->peer.t;
        if (r->first) row->stats = r->peer.stats;
        snprintf(row->jacobian, sizeof row->jacobian, "%s", row->stats.jacobian ? row->stats.jacobian : "");
    } else {
        if (resida_solver_state(r->handles.solver, &state) >= 0) {
            row->t_reached = state.t;
            if (r->first && !r->no_outputs) {
                cmd_run_evaluate_outputs(r, &state);
                r->no_outputs = 0; /* the outcome of the run is already determined */
            }
            if (r->first && r->job->last) cmd_run_end_store(r->job->last, &state);
            if (r->first) cmd_handles_follow_output(&r->handles, r->job, &state);
        }
        if (r->first) (void)cmd_run_copy_stats(r, row);
    }
    if (status != RESIDA_OK && r->sink_code == 0) cmd_run_set_outcome(r, status);
    if (r->first && !r->job->peer) cmd_run_collect_warnings(r);
}

static void begin_progress(cmd_repetition *r, long k)
{
    char label[64];
    const cmd_job *job = r->job;
    const char *how = job->peer ? rsd_peer_name(job->peer) : r->row->jacobian;
    int n = snprintf(label, sizeof label, "%.24s %s %s", job->model->cls->name, r->row->formalism, how);
    if (job->repeats > 1 && n > 0 && (size_t)n < sizeof label)
        snprintf(label + n, sizeof label - (size_t)n, " %ld/%ld", k + 1, job->repeats);
    cmd_progress_begin(&r->progress, label, job->grid.t0, job->t_end, job->settings->quiet);
}

/** Run repetition k and measure its time. @return exit code as cmd_run() */
static int run_watched(cmd_repetition *r, long k, double *cpu, double *wall)
{
    const cmd_job *job = r->job;
    cmd_row *row = r->row;
    resida_message why = {""};
    resida_status status = cmd_handles_open(&r->handles, job, watch_step, r, &why);
    if (status >= 0 && cmd_run_reserve(r) != 0) status = RESIDA_ERR_MEMORY;
    if (status < 0) {
        cmd_run_fail(row, status, why.text);
        return CMD_EXIT_FAILED;
    }
    if (r->first) cmd_run_fill_names(r);
    cmd_run_begin_sinks(r);
    if (r->sink_code == 0) {
        begin_progress(r, k);
        if (job->moments) job->moments->begin(job->moments->self);
        r->deadline = bench_wall_s() + cmd_value_or(job->settings->time_limit, INFINITY);
        bench_stopwatch_run(&r->watch);
        status = integrate(r);
        bench_stopwatch_pause(&r->watch);
        cmd_progress_erase(&r->progress);
        store_result(r, status);
    }
    *cpu = r->watch.cpu_s;
    if (r->first) *wall = r->watch.wall_s;
    if (r->sink_code != 0) return r->sink_code;
    if (row->outcome == CMD_INTERRUPTED) return 128 + cmd_signal_caught();
    return row->outcome == CMD_FAILED ? CMD_EXIT_FAILED : CMD_EXIT_OK;
}

/** Run repetition k under the watchdog. @return exit code as cmd_run() */
static int run_once(const cmd_job *job, cmd_row *row, long k, double *cpu, double *wall)
{
    cmd_repetition r = {.job = job, .row = row, .first = k == 0};
    cmd_watchdog_enter(cmd_run_complete_cut_row, &r);
    int code = run_watched(&r, k, cpu, wall);
    close_run(&r);
    cmd_watchdog_leave();
    return code;
}

int cmd_run(const cmd_job *job, cmd_row *row)
{
    cmd_row_init(row, job->peer ? rsd_peer_name(job->peer) : "resida", job->model);
    if (job->peer) row->version = rsd_peer_version(job->peer);
    resida_solver_options o;
    cmd_job_options(job, &o);
    if (!job->peer) snprintf(row->method, sizeof row->method, "%s", o.method);
    if (!job->peer && o.step > 0) row->step = o.step;
    row->rtol = o.rtol;
    row->atol = o.atol;
    row->max_order = o.max_order;
    row->t_end = job->t_end;
    double *cpu = calloc((size_t)job->repeats, sizeof *cpu);
    if (!cpu) {
        cmd_run_fail(row, RESIDA_ERR_MEMORY, "");
        return CMD_EXIT_FAILED;
    }
    double wall = NAN;
    int code = 0;
    long k = 0;
    for (; k < job->repeats && code == 0; k++) code = run_once(job, row, k, &cpu[k], &wall);
    if (code != 0 && k > 1) k--; /* the time of an incomplete run is not used */
    cmd_row_times(row, cpu, k, wall);
    free(cpu);
    return code;
}
