/* report_work.c - the sections with work-precision diagrams, and with sparsity patterns and column groups, for a list
 * of models. */
#include "report.h"

#include "program/base/complain.h"
#include "program/output/html.h"
#include "program/base/number.h"

#include <math.h>
#include <string.h>

enum { REPEATS = 9, WIDTH = 520, HEIGHT = 480, PATTERN_SIZE = 640, WORDS = 512 };
static const double run_limit_s = 5;

int cmd_report_count_failure(const cmd_method *method, const cmd_row *row, void *context)
{
    cmd_report_work *r = context;
    if (row->outcome == CMD_FAILED && !method->peer) {
        r->failed++;
        cmd_complain(0, "%s, rtol = %g: %s", row->model->cls->name, row->rtol, row->message);
    }
    return 0;
}

static int put_diagrams(cmd_report_work *r, const cmd_study *study, FILE *f)
{
    static const char *const over[CMD_N_DRAWN] = {"processor time", "residual calls"};
    char words[WORDS];
    int code = 0;
    fputs("<div class=\"pair\">\n", f);
    for (int w = 0; w < CMD_N_DRAWN && code == 0; w++) {
        cmd_picture picture;
        code = cmd_picture_begin(&picture, WIDTH, HEIGHT);
        if (code == 0) code = cmd_study_draw_one(study, &picture, w);
        snprintf(words, sizeof words, "%s: error over %s", study->reference.model.cls->name, over[w]);
        if (code == 0) code = cmd_report_picture(r, &picture, words, words, f);
    }
    fputs("</div>\n", f);
    return code;
}

static void put_tables(const cmd_study *study, const char *name, FILE *f)
{
    char words[WORDS];
    cmd_table table;
    cmd_study_fill_equal(study, &table);
    snprintf(words, sizeof words, "%s: cost at equal error", name);
    if (table.n_cells > 0)
        cmd_html_table(f, &table, 0, words);
    else
        cmd_html_paragraph(f, "No method has runs with errors on both sides of one of 1e-3 .. 1e-7.");
    cmd_table_free(&table);
    cmd_study_fill_runs(study, &table);
    snprintf(words, sizeof words, "%s: all runs", name);
    fputs("<details open><summary>All runs</summary>\n", f);
    cmd_html_table(f, &table, 3, words);
    fputs("</details>\n", f);
    cmd_table_free(&table);
}

static int put_study(cmd_report_work *r, const cmd_study *study, int code, FILE *f)
{
    const cmd_model *m = &study->reference.model;
    if (!m->cls) {
        cmd_html_paragraph(f, "%s.", study->reference.source[0] ? study->reference.source : "no reference");
        return code;
    }
    cmd_html_paragraph(f, "%s. atol = %s rtol. Reference: %s.", m->cls->text,
                       cmd_number("%g", m->model.atol / m->model.rtol), study->reference.source);
    if (code != 0) return code; /* after a signal, errors at equal work are unknown */
    code = put_diagrams(r, study, f);
    put_tables(study, m->cls->name, f);
    return code;
}

/** Add the range of ratios of the last model to the outcomes. */
static void say_outcome(cmd_report_work *r)
{
    const cmd_summary_line *line = &r->work.lines[r->work.n - 1];
    double least = NAN, most = NAN;
    int n = 0;
    for (int i = 0; i < CMD_N_LEVELS; i++) {
        double ratio = cmd_versus_ratio(&line->at[i], CMD_CPU);
        least = fmin(least, ratio);
        most = fmax(most, ratio);
        n += !isnan(ratio);
    }
    if (n == 0)
        cmd_report_outcome(r, line->model, "no comparison with a peer: %s", line->at[0].not_compared);
    else
        cmd_report_outcome(r, line->model, "%s to %s times the processor time of the fastest peer, at %d of %d errors",
                           cmd_format_ratio(least), cmd_format_ratio(most), n, CMD_N_LEVELS);
}

static int study_model(cmd_report_work *r, const cmd_model *model, FILE *f, void *context)
{
    char id[CMD_ANCHOR];
    cmd_study study;
    cmd_settings s = cmd_report_settings(r, run_limit_s);
    (void)context;
    if (s.repeat == 0) s.repeat = REPEATS;
    cmd_html_heading(f, 3, cmd_report_anchor(r, model->cls->name, id), model->cls->name);
    int code = cmd_study_open(&study, &s);
    if (code == 0) {
        code = cmd_study_run(&study, model, cmd_report_count_failure, r);
        code = cmd_summary_take(&r->work, &study, model, put_study(r, &study, code, f));
        if (code == 0) say_outcome(r);
    }
    cmd_study_close(&study);
    return code;
}

static int is_mechanism(const cmd_model *model)
{
    return !model->model.is_dae;
}

/** Study a model. The train takes minutes and is omitted unless it is named. */
static int study_or_leave_out(cmd_report_work *r, const cmd_model *model, FILE *f, void *context)
{
    if (r->settings->model_names || strcmp(model->cls->name, "train") != 0) return study_model(r, model, f, context);
    return cmd_summary_leave_out(&r->work, model->cls->name, "omitted, because it takes minutes; use --models train");
}

static void put_table(FILE *f, const cmd_summary *s, cmd_summary_fill_fn *fill, const char *caption)
{
    cmd_table table;
    fill(s, &table);
    cmd_html_table(f, &table, 0, caption);
    cmd_table_free(&table);
}

/** Write the comparison of all models with the fastest peer; without peers, write nothing. */
static void put_summary(cmd_report_work *r, FILE *f)
{
    char id[CMD_ANCHOR], words[CMD_REASON_SIZE];
    const cmd_summary *s = &r->work;
    if (!r->settings->peers || s->n == 0) return;
    cmd_html_heading(f, 3, cmd_report_anchor(r, "fastest-peer", id), "All models compared with the fastest peer");
    cmd_html_paragraph(f, "%s", cmd_summary_words(s, words));
    cmd_html_paragraph(f, "%s", cmd_summary_legend);
    put_table(f, s, cmd_summary_fill_cpu, "Processor time at equal error, relative to the fastest peer");
    put_table(f, s, cmd_summary_fill_calls, "Residual calls at equal error, relative to the same peer");
    put_table(f, s, cmd_summary_fill_slower, "Errors at which the fastest peer is faster, and the reasons");
    put_table(f, s, cmd_summary_fill_left_out, "Errors without a comparison, and the reasons");
    put_table(f, s, cmd_summary_fill_references, "References of the errors");
}

int cmd_report_work_precision(cmd_report_work *r, FILE *f)
{
    cmd_html_paragraph(
        f,
        "The pictures show the error of p at the end over the processor time and over the residual calls. The default "
        "tolerances are 1e-3 to 1e-9, for each integrator. Costs at equal errors are interpolated logarithmically "
        "between runs and not extrapolated. A run is omitted if a run with a tighter tolerance has a larger error. A "
        "run that costs more than a run with a tighter tolerance counts with the cost of the latter. A failed run, for "
        "example one that reaches the time limit, has a row in the table and no point in the picture.");
    if (!r->settings->model_names)
        cmd_html_paragraph(f,
                           "The train is omitted, because its series takes minutes. Use --models train to include it.");
    int code = cmd_report_each_model(r, is_mechanism, study_or_leave_out, NULL, f);
    put_summary(r, f);
    return code;
}

typedef struct pattern_place {
    cmd_report_work *report;
    FILE *f;
} pattern_place;

static void put_modules(const cmd_pattern_work *pattern, FILE *f)
{
    char words[WORDS];
    cmd_table table;
    cmd_pattern_modules_fill(&table, pattern);
    snprintf(words, sizeof words, "%s: modules and groups of columns", pattern->job->model->cls->name);
    if (table.n_cells > 0) cmd_html_table(f, &table, 0, words);
    cmd_table_free(&table);
}

static int put_pattern(const cmd_pattern_work *pattern, void *context)
{
    char words[WORDS], sizes[CMD_PATTERN_WORDS];
    const pattern_place *to = context;
    cmd_picture picture;
    const char *name = pattern->job->model->cls->name;
    cmd_report_outcome(to->report, name, "%s", cmd_pattern_describe(pattern, sizes));
    int code = cmd_picture_begin(&picture, PATTERN_SIZE, PATTERN_SIZE);
    if (code != 0) return code;
    cmd_pattern_draw(pattern, &picture);
    cmd_html_paragraph(
        to->f, "%s; %s formalism, %.1f %% of all entries. The number of groups is at least %d (grouping method: %s).",
        cmd_pattern_describe(pattern, sizes), pattern->formalism,
        100.0 * pattern->J.nnz / ((double)pattern->J.n * pattern->J.n), pattern->counts.groups_bound,
        pattern->method && pattern->method[0] ? pattern->method : "none");
    snprintf(words, sizeof words,
             "%s: entries of the Jacobian, coloured by group of columns. Grey columns need no residual call.", name);
    code = cmd_report_picture(to->report, &picture, words, words, to->f);
    if (code == 0) put_modules(pattern, to->f);
    return code;
}

static int pattern_model(cmd_report_work *r, const cmd_model *model, FILE *f, void *context)
{
    char id[CMD_ANCHOR];
    cmd_job job;
    pattern_place to = {r, f};
    (void)context;
    cmd_html_heading(f, 3, cmd_report_anchor(r, model->cls->name, id), model->cls->name);
    int code = cmd_pattern_job(&job, model, r->settings);
    return code == 0 ? cmd_pattern_run_shortly(&job, put_pattern, &to) : code;
}

int cmd_report_patterns(cmd_report_work *r, FILE *f)
{
    cmd_html_paragraph(f, "Entries of the Jacobian after a short integration, and groups of columns that are "
                          "differenced together. If the names of the coordinates contain modules (car body, bogies, "
                          "wheelsets), the axes show the modules, separated by thin lines.");
    return cmd_report_each_model(r, is_mechanism, pattern_model, NULL, f);
}
