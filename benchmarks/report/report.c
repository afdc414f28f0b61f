/* report.c - functions that the sections of a report share: references, models, pictures. */
#include "report.h"

#include "program/base/complain.h"
#include "program/output/html.h"
#include "program/cli/list.h"
#include "program/builtin/models.h"
#include "program/process/signals.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const double reference_limit_s = 120;
enum { WORD = 4096, OUTCOME = 400 };

cmd_settings cmd_report_settings(const cmd_report_work *r, double time_limit_s)
{
    cmd_settings s = *r->settings;
    s.time_limit = cmd_value_or(s.time_limit, time_limit_s);
    return s;
}

static cmd_found *find(const cmd_report_work *r, const cmd_model *model, double t, double rtol)
{
    for (cmd_found *x = r->found; x; x = x->next)
        if (x->cls == model->cls && x->t_end == t && x->rtol <= rtol &&
            (model->cls->n_parameters == 0 ||
             memcmp(x->values, model->values, (size_t)model->cls->n_parameters * sizeof *x->values) == 0))
            return x;
    return NULL;
}

/** Compute a reference. A failed search is stored too, because it would fail again. @return NULL if memory is exhausted
 *  or after a signal */
static cmd_found *search(cmd_report_work *r, const cmd_model *model, const cmd_settings *s, double t, double rtol)
{
    cmd_found *x = calloc(1, sizeof *x);
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
    cmd_settings own = *s;
    own.formalism = RESIDA_FORMALISM_AUTO;
    own.time_limit = cmd_value_or(r->settings->time_limit, reference_limit_s);
    own.max_steps = own.max_residuals = 0;
    (void)cmd_reference_open(&x->reference, model, &own, &(cmd_agreement){rtol, rtol}, bench_run);
    x->next = r->found;
    r->found = x;
    return cmd_signal_caught() ? NULL : x;
}

const cmd_model *cmd_report_reference(cmd_report_work *r, const cmd_model *model, const cmd_settings *s)
{
    double t = cmd_value_or(s->t_end, model->model.t_end), rtol = cmd_value_or(s->rtol, model->model.rtol);
    if (cmd_reference_is_of_model(model, t, rtol) || cmd_signal_caught()) return model;
    cmd_found *x = find(r, model, t, rtol);
    if (!x) x = search(r, model, s, t, rtol);
    if (!x || !x->reference.end.p) return model;
    return cmd_reference_apply(&x->reference, model);
}

void cmd_report_free(cmd_report_work *r)
{
    while (r->found) {
        cmd_found *x = r->found;
        r->found = x->next;
        cmd_reference_free(&x->reference);
        free(x->values);
        free(x);
    }
    free(r->lines);
    bench_kept_runs_close(&r->kept);
    cmd_summary_free(&r->work);
    cmd_table_free(&r->outcomes);
    *r = (cmd_report_work){0};
}

void cmd_report_outcome(cmd_report_work *r, const char *what, const char *format, ...)
{
    char words[OUTCOME];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (!r->outcomes.columns) cmd_table_begin(&r->outcomes, "<section\t<item=measured item\t<result");
    cmd_table_cells(&r->outcomes, "%s\t%s\t%s", r->section ? r->section->title : "-", what, words);
}

static int visit_one(cmd_report_work *r, const char *word, int (*is_wanted)(const cmd_model *), cmd_visit_fn *visit,
                     void *context, FILE *f)
{
    cmd_model model;
    cmd_settings s = *r->settings;
    int code = cmd_models_open(&model, 1, &word, &s);
    if (code == 0) {
        if (!is_wanted || is_wanted(&model)) code = visit(r, &model, f, context);
        cmd_models_close(&model, 1);
    }
    if (code == 0 || code >= 128) return code;
    r->failed++;
    cmd_report_outcome(r, word, "failed");
    cmd_html_paragraph(f, "%s: this part failed. The reason is printed on standard error.", word);
    return 0;
}

int cmd_report_each_model(cmd_report_work *r, int (*is_wanted)(const cmd_model *model), cmd_visit_fn *visit,
                          void *context, FILE *f)
{
    char word[WORD];
    const char *rest = r->settings->model_names;
    int code = 0;
    while (code == 0 && cmd_list_next(&rest, word, WORD)) code = visit_one(r, word, NULL, visit, context, f);
    if (r->settings->model_names) return code;
    for (int i = 0; bench_models[i] && code == 0; i++)
        code = visit_one(r, bench_models[i]->name, is_wanted, visit, context, f);
    return code;
}

const char *cmd_report_anchor(cmd_report_work *r, const char *words, char text[CMD_ANCHOR])
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    snprintf(text, CMD_ANCHOR, "%.40s-%d", words, ++r->anchors);
    for (char *c = text; *c; c++)
        if (!strchr(safe, *c)) *c = '-';
    return text;
}

int cmd_report_picture(cmd_report_work *r, cmd_picture *picture, const char *words, const char *caption, FILE *f)
{
    char id[CMD_ANCHOR];
    FILE *svg = NULL;
    int code = r->undrawn ? CMD_EXIT_FAILED : cmd_picture_inline(picture, &svg);
    cmd_picture_abort(picture);
    if (code >= 128) return code;
    if (code != 0) {
        if (!r->undrawn) r->failed++;
        r->undrawn = 1;
        cmd_html_paragraph(f, "Picture missing (%s): gnuplot failed or is not installed.", words);
        return 0;
    }
    cmd_html_picture(f, svg, cmd_report_anchor(r, "picture", id), words, caption);
    fclose(svg);
    return 0;
}
