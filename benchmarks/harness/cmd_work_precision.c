/* cmd_work_precision.c - runs every method at every tolerance, and shows what an error costs. A run that fails keeps its
 * row; all is checked, and the reference found, before the first one. A signal ends it: what is over is shown. */
#include "commands.h"

#include "complain.h"
#include "json_line.h"
#include "number.h"
#include "progress.h"
#include "row_json.h"
#include "run_peer.h"
#include "signals.h"
#include "work_precision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_REPEATS = 5, WIDTH = 1200, HEIGHT = 560, RTOL_MAX = 300 };
static const double default_from = 1e-3, default_to = 1e-9, default_limit_s = 20;

/** from, from/10^(1/N), ... to, each rounded to three digits. */
static int make_tolerances(bench_study *study, const bench_settings *s)
{
    char a[BENCH_NUMBER_SIZE], b[BENCH_NUMBER_SIZE];
    double from = bench_given_or(s->from, default_from), to = bench_given_or(s->to, default_to);
    double per_decade = s->per_decade > 0 ? (double)s->per_decade : 1;
    if (from < to)
        return bench_complain(BENCH_EXIT_USAGE, "--from %s, --to %s: goes from loose to tight", bench_shortest(from, a),
                              bench_shortest(to, b));
    double n = floor(per_decade * log10(from / to) + 1e-6) + 1;
    if (n > RTOL_MAX)
        return bench_complain(BENCH_EXIT_USAGE, "--per-decade: %.0f tolerances are more than %d", n, RTOL_MAX);
    study->n_rtol = (int)n;
    study->rtol = calloc((size_t)study->n_rtol, sizeof *study->rtol);
    if (!study->rtol) return bench_complain(BENCH_EXIT_FAILED, "out of memory");
    for (int i = 0; i < study->n_rtol; i++) {
        snprintf(a, sizeof a, "%.2e", pow(10, log10(from) - i / per_decade));
        study->rtol[i] = strtod(a, NULL);
    }
    return 0;
}

static int make_rows(bench_method *method, int n)
{
    method->rows = calloc((size_t)n, sizeof *method->rows);
    int failed = !method->rows;
    for (int w = 0; w < BENCH_N_WORKS; w++) {
        method->curves[w].hull = calloc((size_t)n, sizeof *method->curves[w].hull);
        failed |= !method->curves[w].hull;
    }
    return failed ? -1 : 0;
}

/** The strategies of a list with commas, then the peers. */
static int make_methods(bench_study *study, const bench_settings *s)
{
    int n = 1, n_peers = s->peers ? rsd_peer_count() : 0, failed = 0;
    study->jacobians = strdup(s->jacobian ? s->jacobian : "auto");
    for (const char *c = study->jacobians; c && *c; c++) n += *c == ',';
    study->methods = calloc((size_t)(n + n_peers), sizeof *study->methods);
    if (!study->jacobians || !study->methods) return bench_complain(BENCH_EXIT_FAILED, "out of memory");
    study->n_methods = n + n_peers;
    char *name = study->jacobians;
    for (int k = 0; k < study->n_methods; k++) {
        bench_method *method = &study->methods[k];
        failed |= make_rows(method, study->n_rtol);
        method->jacobian = "auto";
        if (k >= n) {
            method->peer = rsd_peer_at(k - n);
            continue;
        }
        char *end = strchr(name, ',');
        if (end) *end = 0;
        method->jacobian = name;
        name = end ? end + 1 : name;
    }
    return failed ? bench_complain(BENCH_EXIT_FAILED, "out of memory") : 0;
}

static void free_study(bench_study *study)
{
    for (int k = 0; k < study->n_methods; k++) {
        free(study->methods[k].rows);
        for (int w = 0; w < BENCH_N_WORKS; w++) free(study->methods[k].curves[w].hull);
    }
    free(study->methods);
    free(study->jacobians);
    free(study->rtol);
    bench_reference_free(&study->reference);
}

/** A job of a method at a tolerance; `own` are the settings it points to. Outputs are not wanted but the end. */
static int make_job(bench_job *job, bench_settings *own, const bench_study *study, const bench_model *model, int k,
                    int i)
{
    const bench_method *method = &study->methods[k];
    *own = *study->settings;
    own->rtol = study->rtol[i];
    own->atol = bench_scaled_atol(model, own->rtol);
    own->points = 1;
    int code = bench_job_make(job, model, own, DEFAULT_REPEATS);
    if (code != 0) return code;
    job->jacobian = method->jacobian;
    if (method->peer) bench_job_give(job, method->peer);
    return 0;
}

static int probe(const bench_study *study, const bench_model *model)
{
    bench_job job;
    bench_settings own;
    int code = 0;
    for (int k = 0; k < study->n_methods && code == 0; k++) {
        code = make_job(&job, &own, study, model, k, 0);
        if (code == 0) code = bench_job_probe(&job);
    }
    return code;
}

/** One run, one row. @return 0, also for a failure, which is complained about; else the study is over */
static int run(bench_study *study, int k, int i, bench_progress *progress)
{
    char name[BENCH_METHOD_SIZE];
    bench_job job;
    bench_settings own;
    bench_method *method = &study->methods[k];
    bench_row *row = &method->rows[i];
    int code = make_job(&job, &own, study, &study->reference.model, k, i);
    if (code != 0) return code;
    code = bench_run(&job, row);
    bench_progress_erase(progress);
    method->n_rows++;
    bench_reference_judge(&study->reference, row);
    if (own.format == BENCH_JSON && bench_json_line(bench_row_json(row), stdout) != 0)
        return bench_complain_io("write", "standard output");
    if (row->outcome == BENCH_FAILED)
        bench_complain(0, "%s, %s, rtol = %g: %s", row->model->cls->name, bench_method_name(method, name), row->rtol,
                       row->message);
    return bench_signal_caught() ? 128 + bench_signal_caught() : row->outcome == BENCH_FAILED ? 0 : code;
}

static int run_all(bench_study *study)
{
    bench_progress progress;
    int n = study->n_methods * study->n_rtol, code = 0;
    bench_progress_begin(&progress, study->reference.model.cls->name, 0, n, study->settings->quiet);
    progress.what = "run ";
    progress.unit = "";
    for (int j = 0; j < n && code == 0; j++) {
        bench_progress_show(&progress, j);
        code = run(study, j / study->n_rtol, j % study->n_rtol, &progress);
    }
    return code;
}

/** Runs of resida itself that failed: that a peer fails is a result. */
static int count_failures(const bench_study *study)
{
    int n = 0;
    for (int k = 0; k < study->n_methods; k++)
        for (int i = 0; i < study->methods[k].n_rows; i++)
            n += !study->methods[k].peer && study->methods[k].rows[i].outcome == BENCH_FAILED;
    return n;
}

/** What there is; all of it unless a code other than 0 ended the runs. @return the code; BENCH_EXIT_IO */
static int show(const bench_study *study, int code)
{
    if (study->settings->format == BENCH_TEXT) {
        if (study->methods[0].n_rows > 0) bench_study_text(study, code == 0, stdout);
        return fflush(stdout) != 0 ? bench_complain_io("write", "standard output") : code;
    }
    return code == 0 ? bench_study_json(study, stdout) : code;
}

static int measure(bench_study *study, const bench_model *model, bench_picture *picture)
{
    const bench_settings *s = study->settings;
    int code = probe(study, model);
    if (code == 0) code = bench_reference_open(&study->reference, model, s, study->rtol[study->n_rtol - 1]);
    if (code != 0) return code;
    code = run_all(study);
    bench_study_curves(study);
    code = show(study, code);
    if (code == 0 && picture->script) {
        code = bench_study_draw(study, picture);
        if (code == 0) code = bench_picture_commit(picture);
    }
    return code == 0 && count_failures(study) > 0 ? BENCH_EXIT_FAILED : code;
}

int bench_cmd_work_precision(const bench_settings *s)
{
    bench_model model = {0};
    bench_picture picture = {0};
    bench_settings limited = *s; /* a peer that gets stuck must not keep the others waiting for ever */
    limited.time_limit = bench_given_or(s->time_limit, default_limit_s);
    bench_study study = {.settings = &limited};
    if (s->n_words == 0) return bench_complain(BENCH_EXIT_USAGE, "work-precision: which model?");
    if (s->n_words > 1) return bench_complain(BENCH_EXIT_USAGE, "work-precision: one model only");
    int code = bench_models_open(&model, 1, (const char *const *)s->words, s);
    if (code == 0) code = make_tolerances(&study, s);
    if (code == 0) code = make_methods(&study, s);
    if (code == 0 && s->out) code = bench_picture_open(&picture, s->out, WIDTH, HEIGHT);
    if (code == 0) code = measure(&study, &model, &picture);
    bench_picture_abort(&picture);
    free_study(&study);
    bench_models_close(&model, 1);
    return code;
}
