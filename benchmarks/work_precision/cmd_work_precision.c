/* cmd_work_precision.c - shows work over error: for one model with all its runs, for several models as a summary
 * compared with peers. A failed run keeps its row. After a signal, the finished runs are shown. */
#include "benchmarks/cli/commands.h"

#include "program/base/complain.h"
#include "program/output/json_line.h"
#include "program/cli/model_arg.h"
#include "program/output/row_json.h"
#include "program/run/run_peer.h"
#include "work_summary.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1200, HEIGHT = 560 };
static const double default_limit_s = 20;

/** Count the failed runs of resida itself. A failed run of a peer is a result. */
static int count_failures(const cmd_study *study)
{
    int n = 0;
    for (int k = 0; k < study->n_methods; k++)
        for (int i = 0; i < study->methods[k].n_rows; i++)
            n += !study->methods[k].peer && study->methods[k].rows[i].outcome == CMD_FAILED;
    return n;
}

/** Show the results; after an interruption (code), only the finished runs. @return the code, or CMD_EXIT_IO */
static int show(const cmd_study *study, int code)
{
    if (study->settings->format == CMD_TEXT) {
        if (study->methods[0].n_rows > 0) cmd_study_text(study, code == 0, stdout);
        return fflush(stdout) != 0 ? cmd_complain_io("write", "standard output") : code;
    }
    return code == 0 ? cmd_study_json(study, stdout) : code;
}

/** Write a row as JSON, and an error message if the run failed. */
static int take(const cmd_method *method, const cmd_row *row, void *context)
{
    char name[CMD_METHOD_SIZE];
    const cmd_settings *s = ((const cmd_study *)context)->settings;
    const int code = s->format == CMD_JSON ? cmd_json_line(cmd_row_json(row), stdout) : 0;
    if (code != 0) return code;
    if (row->outcome == CMD_FAILED)
        cmd_complain(0, "%s, %s, rtol = %g: %s", row->model->cls->name, cmd_method_name(method, name), row->rtol,
                     row->message);
    return 0;
}

/** The models to be studied, and their results. */
typedef struct series {
    const cmd_settings *settings;
    cmd_model *models; /**< [n] */
    int n;
    int failed; /**< failed runs of resida itself, and models without a reference */
    cmd_summary summary;
    cmd_picture picture; /**< of a single model; zeroed: no picture */
} series;

static int draw(const cmd_study *study, cmd_picture *picture)
{
    int code = cmd_study_draw(study, picture);
    return code == 0 ? cmd_picture_commit(picture) : code;
}

static int measure(series *all, const cmd_model *model)
{
    cmd_study study;
    int code = cmd_study_open(&study, all->settings);
    if (code == 0) {
        code = cmd_study_run(&study, model, take, &study);
        all->failed += count_failures(&study);
        if (study.reference.model.cls && all->n == 1) code = show(&study, code);
        code = cmd_summary_take(&all->summary, &study, model, code);
        if (code == 0 && all->picture.script) code = draw(&study, &all->picture);
    }
    cmd_study_close(&study);
    return code;
}

static int show_summary(const cmd_summary *summary, int format)
{
    if (format == CMD_JSON) return cmd_summary_json(summary, stdout);
    cmd_summary_text(summary, stdout);
    return fflush(stdout) != 0 ? cmd_complain_io("write", "standard output") : 0;
}

/** Measure the models one by one. A model for which no integrator succeeds is counted and skipped. */
static int measure_all(series *all)
{
    int code = 0;
    for (int i = 0; i < all->n && code == 0; i++) {
        code = measure(all, &all->models[i]);
        if (code != CMD_EXIT_FAILED) continue;
        all->failed++;
        code = 0;
    }
    int is_wanted = all->settings->peers && all->summary.n > 0 && (code == 0 || all->n > 1);
    int shown = is_wanted && code != CMD_EXIT_IO ? show_summary(&all->summary, all->settings->format) : 0;
    if (code == 0) code = shown;
    return code == 0 && all->failed > 0 ? CMD_EXIT_FAILED : code;
}

static int open_and_measure(series *all, const char *const *words)
{
    all->models = calloc((size_t)all->n, sizeof *all->models);
    if (!all->models) return cmd_no_memory();
    int code = cmd_models_open(all->models, all->n, words, all->settings);
    if (code != 0) return code;
    if (all->settings->out) code = cmd_picture_open(&all->picture, all->settings->out, WIDTH, HEIGHT);
    if (code == 0) code = measure_all(all);
    cmd_picture_abort(&all->picture);
    cmd_models_close(all->models, all->n);
    return code;
}

/** Check that the options are valid for these models. */
static int check(const series *all)
{
    const cmd_settings *s = all->settings;
    if (all->n == 0)
        return cmd_complain(CMD_EXIT_USAGE, "work-precision: MODEL is missing; 'all' selects all mechanical models");
    if (all->n > 1 && !s->peers) return cmd_complain(CMD_EXIT_USAGE, "work-precision: several models require --peers");
    if (all->n > 1 && s->out)
        return cmd_complain(CMD_EXIT_USAGE, "--out %s: a picture shows one model; give one MODEL", s->out);
    cmd_study study;
    int code = cmd_study_open(&study, s);
    cmd_study_close(&study);
    return code;
}

int cmd_cmd_work_precision(const cmd_settings *s)
{
    const char *names[CMD_MECHANISMS_MAX], *const *words = (const char *const *)s->words;
    cmd_settings limited = *s; /* the run of a peer could otherwise last forever */
    limited.time_limit = cmd_value_or(s->time_limit, default_limit_s);
    limited.is_silent_on_events = 1;
    series all = {.settings = &limited, .n = s->n_words};
    if (s->n_words == 1 && strcmp(s->words[0], "all") == 0) {
        all.n = cmd_mechanisms(names);
        words = names;
        if (all.n < 0) return CMD_EXIT_FAILED;
    }
    int code = check(&all);
    if (code == 0) code = open_and_measure(&all, words);
    if (code == 0) cmd_peers_report_missing(s);
    cmd_summary_free(&all.summary);
    free(all.models);
    return code;
}
