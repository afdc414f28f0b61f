/* work_precision_run.c - runs every method at every tolerance. All options are checked and the reference is computed
 * before the first run. A failed run keeps its row; a signal ends the study. */
#include "work_precision.h"

#include "benchmarks/util/kept_run.h"
#include "program/base/complain.h"
#include "program/base/number.h"
#include "program/run/progress.h"
#include "program/run/run_peer.h"
#include "program/process/signals.h"
#include "program/process/stopwatch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_REPEATS = 9, RTOL_MAX = 300 };
static const double default_from = 1e-3, default_to = 1e-9;

/** Set the tolerances from, from/10^(1/N), ... to, rounded to three digits. */
static int make_tolerances(cmd_study *study, const cmd_settings *s)
{
    double from = cmd_value_or(s->from, default_from), to = cmd_value_or(s->to, default_to);
    double per_decade = s->per_decade > 0 ? (double)s->per_decade : 1;
    if (from < to)
        return cmd_complain(CMD_EXIT_USAGE, "--from %s, --to %s: --from must be greater than or equal to --to",
                            cmd_format_shortest(from), cmd_format_shortest(to));
    double n = floor(per_decade * log10(from / to) + 1e-6) + 1;
    if (n > RTOL_MAX)
        return cmd_complain(CMD_EXIT_USAGE, "--per-decade: %.0f tolerances exceed the maximum of %d", n, RTOL_MAX);
    study->n_rtol = (int)n;
    study->rtol = calloc((size_t)study->n_rtol, sizeof *study->rtol);
    if (!study->rtol) return cmd_no_memory();
    for (int i = 0; i < study->n_rtol; i++)
        study->rtol[i] = strtod(cmd_number("%.2e", pow(10, log10(from) - i / per_decade)), NULL);
    return 0;
}

static int make_rows(cmd_method *method, int n)
{
    method->rows = calloc((size_t)n, sizeof *method->rows);
    int failed = !method->rows;
    for (int w = 0; w < CMD_N_WORKS; w++) {
        method->curves[w].hull = calloc((size_t)n, sizeof *method->curves[w].hull);
        failed |= !method->curves[w].hull;
    }
    return failed ? -1 : 0;
}

/** Set the methods: the strategies of a comma-separated list, then the peers. */
static int make_methods(cmd_study *study, const cmd_settings *s)
{
    int n = 1, n_peers = cmd_peers_count(s), failed = 0;
    study->jacobians = strdup(s->jacobian ? s->jacobian : "auto");
    for (const char *c = study->jacobians; c && *c; c++) n += *c == ',';
    study->methods = calloc((size_t)(n + n_peers), sizeof *study->methods);
    if (!study->jacobians || !study->methods) return cmd_no_memory();
    study->n_methods = n + n_peers;
    char *name = study->jacobians;
    for (int k = 0; k < study->n_methods; k++) {
        cmd_method *method = &study->methods[k];
        failed |= make_rows(method, study->n_rtol);
        method->jacobian = "auto";
        if (k >= n) {
            method->peer = cmd_peers_get(s, k - n);
            continue;
        }
        char *end = strchr(name, ',');
        if (end) *end = 0;
        method->jacobian = name;
        name = end ? end + 1 : name;
    }
    return failed ? cmd_no_memory() : 0;
}

void cmd_study_close(cmd_study *study)
{
    for (int k = 0; k < study->n_methods; k++) {
        free(study->methods[k].rows);
        for (int w = 0; w < CMD_N_WORKS; w++) free(study->methods[k].curves[w].hull);
    }
    free(study->methods);
    free(study->jacobians);
    free(study->rtol);
    cmd_reference_free(&study->reference);
}

/** Make the job of a method at a tolerance; `own` receives its settings. The only output is the end. */
static int make_job(cmd_job *job, cmd_settings *own, const cmd_study *study, const cmd_model *model, int k, int i)
{
    const cmd_method *method = &study->methods[k];
    *own = *study->settings;
    own->rtol = study->rtol[i];
    own->atol = cmd_scaled_atol(model, own->rtol);
    own->points = 1;
    int code = cmd_job_make(job, model, own, DEFAULT_REPEATS);
    if (code != 0) return code;
    job->jacobian = method->jacobian;
    if (method->peer) cmd_job_set_peer(job, method->peer);
    return 0;
}

static int probe(const cmd_study *study, const cmd_model *model)
{
    cmd_job job;
    cmd_settings own;
    int code = 0;
    for (int k = 0; k < study->n_methods && code == 0; k++) {
        code = make_job(&job, &own, study, model, k, 0);
        if (code == 0) code = cmd_job_check(&job);
    }
    return code;
}

/** Make one run and its row. @return 0, also if the run failed; other values end the study */
static int run(cmd_study *study, int k, int i, cmd_progress *progress, cmd_study_take_fn *take, void *context)
{
    cmd_job job;
    cmd_settings own;
    cmd_method *method = &study->methods[k];
    cmd_row *row = &method->rows[i];
    int code = make_job(&job, &own, study, &study->reference.model, k, i);
    if (code != 0) return code;
    code = bench_run(&job, row);
    cmd_progress_erase(progress);
    method->n_rows++;
    int taken = take(method, row, context);
    if (cmd_signal_caught()) return 128 + cmd_signal_caught();
    return taken != 0 || row->outcome == CMD_FAILED ? taken : code;
}

/** Make all runs. Methods at one tolerance run consecutively, so that other load of the machine affects all equally. */
static int run_all(cmd_study *study, cmd_study_take_fn *take, void *context)
{
    cmd_progress progress;
    int n = study->n_methods * study->n_rtol, code = 0;
    cmd_progress_begin(&progress, study->reference.model.cls->name, 0, n, study->settings->quiet);
    progress.what = "run ";
    progress.unit = "";
    for (int j = 0; j < n && code == 0; j++) {
        cmd_progress_show(&progress, j);
        code = run(study, j % study->n_methods, j / study->n_methods, &progress, take, context);
    }
    return code;
}

/* --- cost of a residual call --- */

enum { BATCHES = 9, CALLS_MAX = 1 << 20 };
static const double batch_s = 1e-3; /* a thousand times the clock resolution */

typedef struct subject {
    resida_problem *problem;
    resida_state at;
    double *r; /**< [n] */
} subject;

/** Return the processor time of n calls; NaN if F cannot be evaluated. */
static double batch(const subject *s, long n)
{
    bench_stopwatch watch = {0};
    int failed = 0;
    bench_stopwatch_run(&watch);
    for (long i = 0; i < n; i++) failed |= resida_problem_residual(s->at.t, s->at.y, s->at.yp, s->r, s->problem);
    bench_stopwatch_pause(&watch);
    return failed ? NAN : watch.cpu_s;
}

/** Return a number of calls that take at least batch_s. */
static long batch_size(const subject *s)
{
    long n = 1;
    while (n < CALLS_MAX && batch(s, n) < batch_s) n *= 2;
    return n;
}

static double cost_of(const subject *s)
{
    double times[BATCHES];
    long n = batch_size(s);
    for (int i = 0; i < BATCHES; i++) {
        times[i] = batch(s, n) / (double)n;
        if (isnan(times[i])) return NAN;
    }
    qsort(times, BATCHES, sizeof times[0], cmd_by_value);
    return times[BATCHES / 2];
}

/** Return the processor time [s] of F(t, y, yp) at the start, in the formalism of the job: the median of several
 *  thousand consecutive calls in batches of measurable length, with all data in the cache.
 *  @return NaN if the start fails or F cannot be evaluated */
static double call_cost(const cmd_job *job)
{
    cmd_handles h = {0};
    resida_message why;
    resida_layout layout;
    subject s = {0};
    double cost = NAN;
    resida_status status = cmd_handles_open(&h, job, NULL, NULL, &why);
    if (status >= 0) status = cmd_handles_start(&h, job);
    if (status >= 0) status = resida_solver_state(h.solver, &s.at);
    if (status >= 0) status = resida_problem_layout(h.problem, &layout);
    if (status >= 0) s.r = calloc((size_t)layout.n + 1, sizeof *s.r);
    s.problem = h.problem;
    if (s.r) cost = cost_of(&s);
    free(s.r);
    cmd_handles_close(&h);
    return cost;
}

/** Measure the time of a residual call at the start for each method; it depends on the formalism. */
static int time_calls(cmd_study *study)
{
    cmd_job job;
    cmd_settings own;
    int code = 0;
    for (int k = 0; k < study->n_methods && code == 0; k++) {
        code = make_job(&job, &own, study, &study->reference.model, k, 0);
        if (code == 0) study->methods[k].call_s = call_cost(&job);
    }
    return code;
}

int cmd_study_open(cmd_study *study, const cmd_settings *s)
{
    *study = (cmd_study){.settings = s};
    int code = make_tolerances(study, s);
    return code == 0 ? make_methods(study, s) : code;
}

int cmd_study_run(cmd_study *study, const cmd_model *model, cmd_study_take_fn *take, void *context)
{
    int code = probe(study, model);
    if (code == 0) {
        const cmd_agreement wanted = {study->rtol[study->n_rtol - 1], study->rtol[0]};
        code = cmd_reference_open(&study->reference, model, study->settings, &wanted, bench_run);
        if (code != 0) return code;
        code = run_all(study, take, context);
    }
    if (code == 0) code = time_calls(study);
    cmd_study_curves(study);
    return code;
}
