/* report.c - what the sections of a report share: references, models, pictures. */
#include "report.h"

#include "command/base/complain.h"
#include "command/output/html.h"
#include "command/cli/list.h"
#include "benchmarks/models/models.h"
#include "command/base/signals.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const double reference_limit_s = 120;
enum { WORD = 4096, OUTCOME = 400 };

bench_settings bench_report_settings(const bench_report *r, double time_limit_s)
{
    bench_settings s = *r->settings;
    s.time_limit = bench_given_or(s.time_limit, time_limit_s);
    return s;
}

static int has_own_reference(const bench_model *model, double t)
{
    const resida_model *m = &model->model;
    return resida_model_reference(m, t, NULL, NULL, NULL) == 0;
}

static bench_found *find(const bench_report *r, const bench_model *model, double t, double rtol)
{
    for (bench_found *x = r->found; x; x = x->next)
        if (x->cls == model->cls && x->t_end == t && x->rtol <= rtol &&
            (model->cls->n_parameters == 0 ||
             memcmp(x->values, model->values, (size_t)model->cls->n_parameters * sizeof *x->values) == 0))
            return x;
    return NULL;
}

/** Compute it. A search that fails is kept, too: it would fail again. @return NULL without memory, or after a signal */
static bench_found *search(bench_report *r, const bench_model *model, const bench_settings *s, double t, double rtol)
{
    bench_found *x = calloc(1, sizeof *x);
    size_t n = (size_t)model->cls->n_parameters;
    if (x) x->values = calloc(n + 1, sizeof *x->values);
    if (!x || !x->values) {
        free(x);
        return NULL;
    }
    if (n > 0) memcpy(x->values, model->values, n * sizeof *x->values);
    x->cls = model->cls;
    x->t_end = t;
    x->rtol = rtol;
    bench_settings own = *s;
    own.formalism = RESIDA_FORMALISM_AUTO;
    own.time_limit = bench_given_or(r->settings->time_limit, reference_limit_s);
    own.max_steps = own.max_residuals = 0;
    (void)bench_reference_open(&x->reference, model, &own, rtol);
    x->next = r->found;
    r->found = x;
    return bench_signal_caught() ? NULL : x;
}

const bench_model *bench_report_reference(bench_report *r, const bench_model *model, const bench_settings *s)
{
    double t = bench_given_or(s->t_end, model->model.t_end), rtol = bench_given_or(s->rtol, model->model.rtol);
    r->judge = NULL;
    if (has_own_reference(model, t) || bench_signal_caught()) return model;
    bench_found *x = find(r, model, t, rtol);
    if (!x) x = search(r, model, s, t, rtol);
    if (!x || !x->reference.end.p) return model;
    r->judge = &x->reference;
    return bench_reference_use(&x->reference, model);
}

void bench_report_free(bench_report *r)
{
    while (r->found) {
        bench_found *x = r->found;
        r->found = x->next;
        bench_reference_free(&x->reference);
        free(x->values);
        free(x);
    }
    free(r->lines);
    bench_summary_free(&r->work);
    bench_table_free(&r->outcomes);
    *r = (bench_report){0};
}

void bench_report_outcome(bench_report *r, const char *what, const char *format, ...)
{
    static const bench_column columns[] = {
        {"section", 1, NULL, NULL}, {"what", 1, "what was run", NULL}, {"came out", 1, "what came out", NULL}};
    char words[OUTCOME];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (!r->outcomes.columns) bench_table_init(&r->outcomes, columns, sizeof columns / sizeof columns[0]);
    bench_table_cells(&r->outcomes, "%s\t%s\t%s", r->section ? r->section->title : "-", what, words);
}

static int visit_one(bench_report *r, const char *word, int (*is_wanted)(const bench_model *), bench_visit_fn *visit,
                     void *context, FILE *f)
{
    bench_model model;
    bench_settings s = *r->settings;
    int code = bench_models_open(&model, 1, &word, &s);
    if (code == 0) {
        if (!is_wanted || is_wanted(&model)) code = visit(r, &model, f, context);
        bench_models_close(&model, 1);
    }
    if (code == 0 || code >= 128) return code;
    r->failed++;
    bench_report_outcome(r, word, "could not be made");
    bench_html_paragraph(f, "%s: this part could not be made; the reason was given on standard error.", word);
    return 0;
}

int bench_report_each_model(bench_report *r, int (*is_wanted)(const bench_model *model), bench_visit_fn *visit,
                            void *context, FILE *f)
{
    char word[WORD];
    const char *rest = r->settings->model_names;
    int code = 0;
    while (code == 0 && bench_list_next(&rest, word, WORD)) code = visit_one(r, word, NULL, visit, context, f);
    if (r->settings->model_names) return code;
    for (int i = 0; bench_models[i] && code == 0; i++)
        code = visit_one(r, bench_models[i]->name, is_wanted, visit, context, f);
    return code;
}

const char *bench_report_anchor(bench_report *r, const char *words, char text[BENCH_ANCHOR])
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    snprintf(text, BENCH_ANCHOR, "%.40s-%d", words, ++r->anchors);
    for (char *c = text; *c; c++)
        if (!strchr(safe, *c)) *c = '-';
    return text;
}

int bench_report_picture(bench_report *r, bench_picture *picture, const char *words, const char *caption, FILE *f)
{
    char id[BENCH_ANCHOR];
    FILE *svg = NULL;
    int code = r->undrawn ? BENCH_EXIT_FAILED : bench_picture_inline(picture, &svg);
    bench_picture_abort(picture);
    if (code >= 128) return code;
    if (code != 0) {
        if (!r->undrawn) r->failed++;
        r->undrawn = 1;
        bench_html_paragraph(f, "No picture here (%s): gnuplot did not draw it.", words);
        return 0;
    }
    bench_html_picture(f, svg, bench_report_anchor(r, "picture", id), words, caption);
    fclose(svg);
    return 0;
}
