/* cmd_compare.c - a row for each model, formalism and Jacobian strategy, as in the tables of Arnold, Fuchs, Fuehrer.
 * A run that fails keeps its row. Everything is checked before the first run. */
#include "command/cli/commands.h"

#include "command/base/complain.h"
#include "command/run/formalism.h"
#include "command/output/json_line.h"
#include "command/base/number.h"
#include "command/output/row_json.h"
#include "command/output/row_text.h"
#include "command/run/run.h"
#include "command/run/run_peer.h"
#include "command/base/signals.h"

#include <math.h>
#include <stdlib.h>

/** The strategies that are compared, one line each. */
static const char *const strategies[] = {
    "dense", "sparse", "dense+partitioned", "sparse+partitioned", "dense+extended", "sparse+extended", "fresh", "auto",
};

static const char *const default_models[] = {"chain", "andrews"};

enum {
    N_STRATEGIES = sizeof strategies / sizeof strategies[0],
    N_DEFAULT_MODELS = sizeof default_models / sizeof default_models[0],
    DEFAULT_REPEATS = 9
};

/** What is compared on one model: strategies [n_strategies] times formalisms [n_formalisms]. */
typedef struct plan {
    const char *const *strategies;
    resida_formalism formalisms[2];
    int n_strategies, n_formalisms;
} plan;

static plan make_plan(const bench_model *model, const bench_settings *s)
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
    if (bench_has_residual(&m->mechanism)) p.formalisms[p.n_formalisms++] = RESIDA_FORMALISM_RESIDUAL;
    if (bench_has_explicit(&m->mechanism)) p.formalisms[p.n_formalisms++] = RESIDA_FORMALISM_EXPLICIT;
    return p;
}

/** Formalism f, strategy j; behind the strategies come the peers. @return 0; 1 the peer does not run in this
 *  formalism */
static int set_method(bench_job *job, const plan *p, int f, int j)
{
    job->formalism = p->formalisms[f];
    if (j < p->n_strategies) {
        job->jacobian = p->strategies[j];
        return 0;
    }
    bench_job_give(job, bench_peer_wanted(job->settings, j - p->n_strategies));
    return job->formalism != p->formalisms[f] && p->n_formalisms > 1;
}

/** What happens with each job of a plan; a code other than 0 ends it. */
typedef int visit_fn(const bench_job *job, void *context);

static int for_each_job(const bench_model *model, const bench_settings *s, visit_fn *visit, void *context)
{
    plan p = make_plan(model, s);
    int n_methods = p.n_strategies + bench_peers_wanted(s);
    for (int f = 0; f < p.n_formalisms; f++)
        for (int j = 0; j < n_methods; j++) {
            bench_job job;
            int code = bench_job_make(&job, model, s, DEFAULT_REPEATS);
            if (code != 0) return code;
            if (set_method(&job, &p, f, j) != 0) continue;
            code = visit(&job, context);
            if (code != 0) return code;
        }
    return 0;
}

static int probe(const bench_job *job, void *context)
{
    (void)context;
    return bench_job_probe(job);
}

typedef struct report {
    bench_table table; /**< text only: rows of one model */
    bench_row last;    /**< the newest of them */
    long whole;        /**< residual calls of the first of them; -1: not known */
    int failed;        /**< runs of resida itself, of all models: that a peer fails is a result */
} report;

static void print_title(const bench_row *row, long repeats)
{
    const bench_model *m = row->model;
    printf("%s: %s\n  ", m->cls->name, m->cls->text);
    bench_text_parameters(m, stdout);
    printf("rtol = %s, atol = %s, t = %s .. %s, ", bench_shortest(row->rtol), bench_shortest(row->atol),
           bench_shortest(m->model.t0), bench_shortest(row->t_end));
    if (!m->model.is_dae) printf("form %s, ", row->form);
    printf("%ld %s\n", repeats, repeats == 1 ? "run each" : "runs each");
}

/** A row takes its place, and is shown. @return 0; BENCH_EXIT_IO after one complaint */
static int put_row(const bench_job *job, report *r)
{
    const bench_row *row = &r->last;
    const int is_first = r->table.n_cells == 0;
    if (is_first && row->outcome == BENCH_OK) r->whole = row->stats.residual_calls.total;
    if (job->settings->format == BENCH_JSON) return bench_json_line(bench_row_json(row), stdout);
    if (is_first) print_title(row, job->repeats);
    bench_rows_add(&r->table, row, r->whole);
    bench_rows_show(&r->table, job->settings->peers, stdout);
    return fflush(stdout) == 0 ? 0 : bench_complain_io("write", "standard output");
}

/** Ended from outside: the last row. A bench_cut_fn. */
static int put_cut(void *self, const bench_job *job, const bench_row *row, int code)
{
    report *r = self;
    r->last = *row;
    int put = put_row(job, r);
    if (put != 0) return put;
    return fflush(stdout) == 0 ? code : bench_complain_io("write", "standard output");
}

/** One run, one row. A failure is counted, a signal ends the comparison. */
static int run_row(const bench_job *job, report *r)
{
    bench_job watched = *job;
    watched.cut = put_cut;
    watched.cut_self = r;
    int code = bench_run(&watched, &r->last), put = put_row(job, r);
    const bench_row *row = &r->last;
    if (put != 0) return put;
    if (row->outcome == BENCH_FAILED) {
        r->failed += !job->peer;
        bench_complain(0, "%s, %s, %s: %s", job->model->cls->name, row->formalism,
                       job->peer ? row->solver : row->jacobian, row->message);
    }
    return bench_signal_caught() ? 128 + bench_signal_caught() : row->outcome == BENCH_FAILED ? 0 : code;
}

/** The maximum order of the BDF, below that of a row, at which the peer of a job takes the fewest residual calls, which
 *  repeat exactly, for an error of p no larger: what a user finds who knows the result. One run for each order.
 *  @param[in]  row    the run of the job
 *  @param[out] order  0: none takes fewer, the row has failed, there is no reference, or the peer is no BDF code
 *  @return 0; 128 + signal */
static int find_best_order(const bench_job *job, const bench_row *row, int *order)
{
    long fewest = row->stats.residual_calls.total;
    *order = 0;
    if (row->outcome != BENCH_OK || !isfinite(row->error.p)) return 0;
    for (int k = row->max_order - 1; k >= 1; k--) {
        bench_job lower = *job;
        bench_row result;
        lower.max_order = k;
        lower.repeats = 1;
        bench_run(&lower, &result);
        if (bench_signal_caught()) return 128 + bench_signal_caught();
        if (result.outcome != BENCH_OK || !(result.error.p <= row->error.p)) continue;
        if (result.stats.residual_calls.total >= fewest) continue;
        fewest = result.stats.residual_calls.total;
        *order = k;
    }
    return 0;
}

/** A row, and for a peer one more with the maximum order at which it is at its best. */
static int run(const bench_job *job, void *context)
{
    report *r = context;
    bench_job best = *job;
    int code = run_row(job, r);
    if (code == 0 && job->peer && job->settings->max_order == 0) code = find_best_order(job, &r->last, &best.max_order);
    return code == 0 && best.max_order > 0 ? run_row(&best, r) : code;
}

/** All rows of one model, each shown when it is there. */
static int compare_model(const bench_model *model, const bench_settings *s, report *r)
{
    bench_rows_begin(&r->table);
    r->whole = -1;
    int code = for_each_job(model, s, run, r);
    if (r->table.n_cells > 0 && code != BENCH_EXIT_IO) {
        putchar('\n');
        if (fflush(stdout) != 0) code = bench_complain_io("write", "standard output");
    }
    bench_table_free(&r->table);
    return code;
}

static int compare(const bench_model *models, int n, const bench_settings *s)
{
    report r = {.failed = 0};
    int code = 0;
    for (int i = 0; i < n && code == 0; i++) code = for_each_job(&models[i], s, probe, NULL);
    for (int i = 0; i < n && code == 0; i++) code = compare_model(&models[i], s, &r);
    if (s->format == BENCH_TEXT && code == 0) bench_rows_legend(stdout);
    if (code == 0) bench_peers_tell(s);
    return code == 0 && r.failed > 0 ? BENCH_EXIT_FAILED : code;
}

int bench_cmd_compare(const bench_settings *s)
{
    int n = s->n_words > 0 ? s->n_words : N_DEFAULT_MODELS;
    const char *const *words = s->n_words > 0 ? (const char *const *)s->words : default_models;
    bench_model *models = calloc((size_t)n, sizeof *models);
    if (!models) return bench_no_memory();
    int code = bench_models_open(models, n, words, s);
    if (code == 0) {
        code = compare(models, n, s);
        bench_models_close(models, n);
    }
    free(models);
    return code;
}
