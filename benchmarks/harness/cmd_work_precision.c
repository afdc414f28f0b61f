/* cmd_work_precision.c - shows what an error costs. A run that fails keeps its row; after a signal, what is over is
 * shown. */
#include "commands.h"

#include "complain.h"
#include "json_line.h"
#include "row_json.h"
#include "work_precision.h"

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
    if (s->format == BENCH_JSON && bench_json_line(bench_row_json(row), stdout) != 0)
        return bench_complain_io("write", "standard output");
    if (row->outcome == BENCH_FAILED)
        bench_complain(0, "%s, %s, rtol = %g: %s", row->model->cls->name, bench_method_name(method, name), row->rtol,
                       row->message);
    return 0;
}

static int measure(bench_study *study, const bench_model *model, bench_picture *picture)
{
    int code = bench_study_run(study, model, take, study);
    if (study->reference.model.cls) code = show(study, code);
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
    if (code == 0) code = bench_study_open(&study, &limited);
    if (code == 0 && s->out) code = bench_picture_open(&picture, s->out, WIDTH, HEIGHT);
    if (code == 0) code = measure(&study, &model, &picture);
    bench_picture_abort(&picture);
    bench_study_close(&study);
    bench_models_close(&model, 1);
    return code;
}
