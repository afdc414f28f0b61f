/* cmd_compare.c - compares each model, formalism and Jacobian strategy in one row, as in the tables of Arnold, Fuchs,
 * Fuehrer. A run that fails also has a row. All input is checked before the first run. */
#include "command/cli/commands.h"

#include "compare_table.h"
#include "program/base/complain.h"
#include "program/base/number.h"
#include "program/output/json_line.h"
#include "program/output/row_json.h"
#include "program/process/signals.h"
#include "command/cli/formalism.h"
#include "program/run/reference.h"
#include "program/run/run_peer.h"
#include "result.h"

#include <math.h>
#include <stdlib.h>

/** The Jacobian strategies to compare. */
static const char *const strategies[] = {
    "dense", "sparse", "dense+partitioned", "sparse+partitioned", "dense+extended", "sparse+extended", "fresh", "auto",
};

static const char *const default_models[] = {"chain", "andrews"};

enum {
    N_STRATEGIES = sizeof strategies / sizeof strategies[0],
    N_DEFAULT_MODELS = sizeof default_models / sizeof default_models[0],
    DEFAULT_REPEATS = 9
};

/** The runs for one model: strategies [n_strategies] times formalisms [n_formalisms]. */
typedef struct plan {
    const char *const *strategies;
    resida_formalism formalisms[2];
    int n_strategies, n_formalisms;
} plan;

static plan make_plan(const cmd_model *model, const cmd_settings *s)
{
    const resida_model *m = &model->model;
    plan p = {.strategies = strategies, .n_strategies = N_STRATEGIES};
    if (s->jacobian) {
        p.strategies = (const char *const *)&s->jacobian;
        p.n_strategies = 1;
    }
    if (s->formalism != RESIDA_FORMALISM_AUTO || m->is_dae) {
        p.formalisms[p.n_formalisms++] = (resida_formalism)s->formalism;
        return p;
    }
    if (cmd_has_residual(&m->mechanism)) p.formalisms[p.n_formalisms++] = RESIDA_FORMALISM_RESIDUAL;
    if (cmd_has_explicit(&m->mechanism)) p.formalisms[p.n_formalisms++] = RESIDA_FORMALISM_EXPLICIT;
    return p;
}

/** Set formalism f and strategy j. Indices after the strategies are peers. @return 0; 1 if the peer does not support
 *  this formalism */
static int set_method(cmd_job *job, const plan *p, int f, int j)
{
    job->formalism = p->formalisms[f];
    if (j < p->n_strategies) {
        job->jacobian = p->strategies[j];
        return 0;
    }
    cmd_job_set_peer(job, cmd_peers_get(job->settings, j - p->n_strategies));
    return job->formalism != p->formalisms[f] && p->n_formalisms > 1;
}

/** A function that is called for each job of a plan. A nonzero return value ends the loop. */
typedef int visit_fn(const cmd_job *job, void *context);

static int for_each_job(const cmd_model *model, const cmd_settings *s, visit_fn *visit, void *context)
{
    plan p = make_plan(model, s);
    int n_methods = p.n_strategies + cmd_peers_count(s);
    for (int f = 0; f < p.n_formalisms; f++)
        for (int j = 0; j < n_methods; j++) {
            cmd_job job;
            int code = cmd_job_make(&job, model, s, DEFAULT_REPEATS);
            if (code != 0) return code;
            if (set_method(&job, &p, f, j) != 0) continue;
            code = visit(&job, context);
            if (code != 0) return code;
        }
    return 0;
}

static int check_job(const cmd_job *job, void *context)
{
    (void)context;
    return cmd_job_check(job);
}

typedef struct report {
    cmd_table table;         /**< text format only: rows of one model */
    cmd_row last;            /**< the latest row */
    long whole;              /**< residual calls of the first row; -1 if unknown */
    cmd_reference reference; /**< reference of the model, computed if the model has none; zeroed: not yet determined */
    int failed;              /**< failed runs of resida, for all models; a failure of a peer is not counted */
} report;

static void print_title(const cmd_row *row, long repeats)
{
    const cmd_model *m = row->model;
    printf("%s: %s\n  ", m->cls->name, m->cls->text);
    cmd_write_parameters(m, stdout);
    printf("rtol = %s, atol = %s, t = %s .. %s, ", cmd_format_shortest(row->rtol), cmd_format_shortest(row->atol),
           cmd_format_shortest(m->model.t0), cmd_format_shortest(row->t_end));
    if (!m->model.is_dae) printf("form %s, ", row->form);
    printf("%ld %s\n", repeats, repeats == 1 ? "run each" : "runs each");
}

/** Write a row. @return 0; CMD_EXIT_IO after one complaint */
static int put_row(const cmd_job *job, report *r)
{
    const cmd_row *row = &r->last;
    const int is_first = r->table.n_cells == 0;
    if (is_first && row->outcome == CMD_OK) r->whole = row->stats.residual_calls.total;
    if (job->settings->format == CMD_JSON) return cmd_json_line(cmd_row_json(row), stdout);
    if (is_first) print_title(row, job->repeats);
    cmd_rows_add(&r->table, row, r->whole);
    cmd_rows_show(&r->table, job->settings->peers, stdout);
    return fflush(stdout) == 0 ? 0 : cmd_complain_io("write", "standard output");
}

/** Write the last row of a comparison that was interrupted. A cmd_cut_fn. */
static int put_cut(void *self, const cmd_job *job, const cmd_row *row, int code)
{
    report *r = self;
    r->last = *row;
    int put = put_row(job, r);
    if (put != 0) return put;
    return fflush(stdout) == 0 ? code : cmd_complain_io("write", "standard output");
}

/** Find a reference for the model: its own, or one that is computed after a run has succeeded. Without one, this is
 *  reported and errors are unknown. @return 0; nonzero ends the comparison */
static int find_model_reference(const cmd_job *job, cmd_reference *r)
{
    const cmd_model *model = job->model;
    const cmd_settings *s = job->settings;
    if (cmd_reference_is_of_model(model, job->t_end, INFINITY)) {
        r->model = *model;
        return 0;
    }
    const double rtol = cmd_value_or(s->rtol, model->model.rtol);
    cmd_settings own = *s;
    resida_solver_options usual;
    resida_solver_options_init(&usual);
    own.quiet = own.is_silent_on_events = 1;
    own.max_steps = own.max_residuals = 0;
    own.solver.step = own.solver.adaptive = 0; /* also if a method with fixed steps is compared */
    own.solver.method = usual.method;
    const int code = cmd_reference_open(r, model, &own, &(cmd_agreement){rtol / 10, rtol}, cmd_run);
    if (code == CMD_EXIT_FAILED) r->model = *model;
    return code == CMD_EXIT_FAILED ? 0 : code;
}

/** Compute the error of a successful row at its end. @return 0; nonzero ends the comparison */
static int compute_row_error(const cmd_job *job, const cmd_run_end *end, report *r)
{
    cmd_row *row = &r->last;
    if (row->outcome != CMD_OK) return 0;
    const int code = r->reference.model.cls ? 0 : find_model_reference(job, &r->reference);
    if (code != 0) return code;
    row->model = &r->reference.model;
    cmd_row_compare(row, end->p, end->v, end->lam);
    return 0;
}

/** Run one job and write its row. Failures are counted; a signal ends the comparison. */
static int run_row(const cmd_job *job, report *r)
{
    cmd_run_end end;
    cmd_job watched = *job;
    watched.cut = put_cut;
    watched.cut_self = r;
    watched.end = &end;
    if (cmd_run_end_allocate(&end, &job->model->model, job->t_end) != 0) return cmd_no_memory();
    int code = cmd_run(&watched, &r->last);
    const int found = compute_row_error(job, &end, r);
    cmd_run_end_free(&end);
    const int put = put_row(job, r);
    const cmd_row *row = &r->last;
    if (put != 0 || found != 0) return put != 0 ? put : found;
    if (row->outcome == CMD_FAILED) {
        r->failed += !job->peer;
        cmd_complain(0, "%s, %s, %s: %s", job->model->cls->name, row->formalism,
                     job->peer ? row->solver : row->jacobian, row->message);
    }
    return cmd_signal_caught() ? 128 + cmd_signal_caught() : row->outcome == CMD_FAILED ? 0 : code;
}

/** Find the max. BDF order, below that of the row, with the fewest residual calls of the peer for an error in p that is
 *  not larger. Residual calls are reproducible. A user who knew the result would choose this order. One run for each
 *  order.
 *  @param[in]  row    the run of the job
 *  @param[out] order  0 if no order needs fewer calls, the row has failed, there is no reference, or the peer is no BDF
 *  code
 *  @return 0; 128 + signal */
static int find_best_order(const cmd_job *job, const cmd_row *row, int *order)
{
    long fewest = row->stats.residual_calls.total;
    *order = 0;
    if (row->outcome != CMD_OK || !isfinite(row->error.p)) return 0;
    for (int k = row->max_order - 1; k >= 1; k--) {
        cmd_job lower = *job;
        cmd_row result;
        lower.model = row->model; /* with its reference */
        lower.max_order = k;
        lower.repeats = 1;
        cmd_run(&lower, &result);
        if (cmd_signal_caught()) return 128 + cmd_signal_caught();
        if (result.outcome != CMD_OK || !(result.error.p <= row->error.p)) continue;
        if (result.stats.residual_calls.total >= fewest) continue;
        fewest = result.stats.residual_calls.total;
        *order = k;
    }
    return 0;
}

/** Run a row. A peer has another row with the best max. order. */
static int run_rows(const cmd_job *job, void *context)
{
    report *r = context;
    cmd_job best = *job;
    int code = run_row(job, r);
    if (code == 0 && job->peer && job->settings->max_order == 0) code = find_best_order(job, &r->last, &best.max_order);
    return code == 0 && best.max_order > 0 ? run_row(&best, r) : code;
}

/** Run all rows of one model, and show each row when it is complete. */
static int compare_model(const cmd_model *model, const cmd_settings *s, report *r)
{
    cmd_rows_start_table(&r->table);
    r->whole = -1;
    int code = for_each_job(model, s, run_rows, r);
    if (r->table.n_cells > 0 && code != CMD_EXIT_IO) {
        char reference[CMD_REFERENCE_SIZE];
        if (r->last.has_reference) printf("  reference: %s\n", cmd_row_reference(&r->last, reference));
        putchar('\n');
        if (fflush(stdout) != 0) code = cmd_complain_io("write", "standard output");
    }
    cmd_table_free(&r->table);
    cmd_reference_free(&r->reference);
    return code;
}

static int compare(const cmd_model *models, int n, const cmd_settings *s)
{
    report r = {.failed = 0};
    int code = 0;
    for (int i = 0; i < n && code == 0; i++) code = for_each_job(&models[i], s, check_job, NULL);
    for (int i = 0; i < n && code == 0; i++) code = compare_model(&models[i], s, &r);
    if (s->format == CMD_TEXT && code == 0) cmd_rows_legend(stdout);
    if (code == 0) cmd_peers_report_missing(s);
    return code == 0 && r.failed > 0 ? CMD_EXIT_FAILED : code;
}

int cmd_cmd_compare(const cmd_settings *s)
{
    int n = s->n_words > 0 ? s->n_words : N_DEFAULT_MODELS;
    const char *const *words = s->n_words > 0 ? (const char *const *)s->words : default_models;
    cmd_model *models = calloc((size_t)n, sizeof *models);
    if (!models) return cmd_no_memory();
    int code = cmd_models_open(models, n, words, s);
    if (code == 0) {
        code = compare(models, n, s);
        cmd_models_close(models, n);
    }
    free(models);
    return code;
}
