/* cmd_work_precision.c - shows what an error costs: of one model with all its runs, of several as a summary beside the
 * peers. A run that fails keeps its row; after a signal, what is over is shown. */
#include "command/cli/commands.h"

#include "command/base/complain.h"
#include "command/output/json_line.h"
#include "command/cli/model_arg.h"
#include "command/output/row_json.h"
#include "command/run/run_peer.h"
#include "work_summary.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1200, HEIGHT = 560 };
static const double default_limit_s = 20;

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

/** A row as JSON, a complaint about a failure. */
static int take(const bench_method *method, const bench_row *row, void *context)
{
    char name[BENCH_METHOD_SIZE];
    const bench_settings *s = ((const bench_study *)context)->settings;
    const int code = s->format == BENCH_JSON ? bench_json_line(bench_row_json(row), stdout) : 0;
    if (code != 0) return code;
    if (row->outcome == BENCH_FAILED)
        bench_complain(0, "%s, %s, rtol = %g: %s", row->model->cls->name, bench_method_name(method, name), row->rtol,
                       row->message);
    return 0;
}

/** Models to be studied, and what is known so far. */
typedef struct series {
    const bench_settings *settings;
    bench_model *models; /**< [n] */
    int n;
    int failed; /**< runs of resida itself, and models without a reference */
    bench_summary summary;
    bench_picture picture; /**< of the only model; zeroed: none is wanted */
} series;

static int draw(const bench_study *study, bench_picture *picture)
{
    int code = bench_study_draw(study, picture);
    return code == 0 ? bench_picture_commit(picture) : code;
}

static int measure(series *all, const bench_model *model)
{
    bench_study study;
    int code = bench_study_open(&study, all->settings);
    if (code == 0) {
        code = bench_study_run(&study, model, take, &study);
        all->failed += count_failures(&study);
        if (study.reference.model.cls && all->n == 1) code = show(&study, code);
        code = bench_summary_take(&all->summary, &study, model, code);
        if (code == 0 && all->picture.script) code = draw(&study, &all->picture);
    }
    bench_study_close(&study);
    return code;
}

static int show_summary(const bench_summary *summary, int format)
{
    if (format == BENCH_JSON) return bench_summary_json(summary, stdout);
    bench_summary_text(summary, stdout);
    return fflush(stdout) != 0 ? bench_complain_io("write", "standard output") : 0;
}

/** One after the other: a model that nobody can solve must not keep the others from being compared. */
static int measure_all(series *all)
{
    int code = 0;
    for (int i = 0; i < all->n && code == 0; i++) {
        code = measure(all, &all->models[i]);
        if (code != BENCH_EXIT_FAILED) continue;
        all->failed++;
        code = 0;
    }
    int is_wanted = all->settings->peers && all->summary.n > 0 && (code == 0 || all->n > 1);
    int shown = is_wanted && code != BENCH_EXIT_IO ? show_summary(&all->summary, all->settings->format) : 0;
    if (code == 0) code = shown;
    return code == 0 && all->failed > 0 ? BENCH_EXIT_FAILED : code;
}

static int open_and_measure(series *all, const char *const *words)
{
    all->models = calloc((size_t)all->n, sizeof *all->models);
    if (!all->models) return bench_no_memory();
    int code = bench_models_open(all->models, all->n, words, all->settings);
    if (code != 0) return code;
    if (all->settings->out) code = bench_picture_open(&all->picture, all->settings->out, WIDTH, HEIGHT);
    if (code == 0) code = measure_all(all);
    bench_picture_abort(&all->picture);
    bench_models_close(all->models, all->n);
    return code;
}

/** Do the options fit these models? */
static int check(const series *all)
{
    const bench_settings *s = all->settings;
    if (all->n == 0)
        return bench_complain(BENCH_EXIT_USAGE, "work-precision: which model? 'all' are the mechanical ones");
    if (all->n > 1 && !s->peers)
        return bench_complain(BENCH_EXIT_USAGE, "work-precision: several models are compared with --peers only");
    if (all->n > 1 && s->out) return bench_complain(BENCH_EXIT_USAGE, "--out %s: a picture has one model only", s->out);
    bench_study study;
    int code = bench_study_open(&study, s);
    bench_study_close(&study);
    return code;
}

int bench_cmd_work_precision(const bench_settings *s)
{
    const char *names[BENCH_MECHANISMS_MAX], *const *words = (const char *const *)s->words;
    bench_settings limited = *s; /* a peer that gets stuck must not keep the others waiting for ever */
    limited.time_limit = bench_given_or(s->time_limit, default_limit_s);
    series all = {.settings = &limited, .n = s->n_words};
    if (s->n_words == 1 && strcmp(s->words[0], "all") == 0) {
        all.n = bench_mechanisms(names);
        words = names;
        if (all.n < 0) return BENCH_EXIT_FAILED;
    }
    int code = check(&all);
    if (code == 0) code = open_and_measure(&all, words);
    if (code == 0) bench_peers_tell(s);
    bench_summary_free(&all.summary);
    free(all.models);
    return code;
}
