/* report_tables.c - the sections with tables and figures of the paper, and with the extended update. */
#include "report.h"

#include "program/base/complain.h"
#include "program/output/html.h"
#include "program/output/row_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIG7_WIDTH = 680, FIG7_HEIGHT = 640, FIG_SIZE = 640, CASE = 128 };
/** Write the messages of failed runs. */
static void failures(FILE *f, const cmd_report_work *r, const cmd_paper_table *t)
{
    for (int i = 0; i < r->n_lines; i++) {
        const cmd_line *line = &r->lines[i];
        if (line->table == t && line->row.outcome != CMD_OK)
            cmd_html_paragraph(f, "%s, %s, %s %s: %s", t->cases[line->in_case].label, line->row.formalism,
                               line->row.solver, line->row.jacobian, line->row.message);
    }
}

static void put_lines(FILE *f, const cmd_report_work *r, const cmd_paper_table *t, const char *caption)
{
    cmd_table table;
    cmd_lines_begin(&table);
    for (int i = 0; i < r->n_lines; i++)
        if (r->lines[i].table == t) cmd_lines_add(&table, &r->lines[i]);
    if (table.n_cells > 0) cmd_html_table(f, &table, 2, caption);
    cmd_table_free(&table);
    failures(f, r, t);
}

/** Add the results of "auto" in each case to the outcomes. */
static void say_outcomes(cmd_report_work *r, const cmd_paper_table *t)
{
    char what[CASE];
    for (int i = 0; i < r->n_lines; i++) {
        const cmd_line *line = &r->lines[i];
        const cmd_row *row = &line->row;
        if (line->table != t || row->version || strcmp(row->asked, "auto") != 0) continue;
        snprintf(what, sizeof what, "%s, %s", t->cases[line->in_case].label, row->formalism);
        if (!cmd_row_is_valid(row))
            cmd_report_outcome(r, what, "auto: %s", cmd_row_state(row));
        else
            cmd_report_outcome(r, what, "auto: %s %% of the calls and %s %% of the processor time of the first row%s%s",
                               cmd_format_percent(line->percent_calls, 100), cmd_format_percent(line->percent_cpu, 100),
                               isfinite(row->error.p) ? ", error of p " : "",
                               isfinite(row->error.p) ? cmd_format_error(row->error.p) : "");
    }
}

static int measure(cmd_report_work *r, FILE *f, const char *name, const char *caption)
{
    const cmd_paper_table *t = cmd_paper_table_find(name);
    cmd_html_paragraph(f, "%s: %s.", t->source, t->about);
    int code = cmd_report_measure(r, t);
    say_outcomes(r, t);
    put_lines(f, r, t, caption);
    return code;
}

static const char about_columns[] =
    "Percentages are relative to the first row of the same case and formalism, which is the original DASSL if it is "
    "built, otherwise \"dense\" of resida. \"Calls without J\" excludes the calls for the Jacobian and its pattern. "
    "\"Paper\": published values, measured on the machine of the authors; \"dense\" is DASSL there. A dash: not in the "
    "paper, not reported, or unknown. A failed or inaccurate run has no time and no percentage.";

int cmd_report_table(cmd_report_work *r, FILE *f)
{
    char caption[CASE];
    snprintf(caption, sizeof caption, "%s, measured and published", r->section->title);
    int code = measure(r, f, r->section->name, caption);
    cmd_html_paragraph(f, "%s The percentages of the paper in this table refer to %s.", about_columns,
                       cmd_percent_of(cmd_paper_table_find(r->section->name)));
    return code;
}

/** Return the row of the same case and formalism by this strategy, or NULL if there is no valid row. */
static const cmd_row *row_by(const cmd_report_work *r, const cmd_line *like, const char *by, const char *update)
{
    char strategy[48];
    snprintf(strategy, sizeof strategy, "%s%s", by, update);
    for (int i = 0; i < r->n_lines; i++) {
        const cmd_line *line = &r->lines[i];
        if (line->table == like->table && line->in_case == like->in_case && !line->row.version &&
            strcmp(line->row.asked, strategy) == 0)
            return cmd_row_is_valid(&line->row) ? &line->row : NULL;
    }
    return NULL;
}

/** Compare residual calls, which are reproducible: a difference below 5 % is ignored. */
static const char *verdict(double ratio)
{
    return isnan(ratio) ? "-" : ratio < 0.95 ? "helps" : ratio > 1.05 ? "costs" : "no difference";
}

static void compare_updates(cmd_table *table, const cmd_report_work *r, const cmd_line *first, const char *by)
{
    const char *const updates[] = {"", "+partitioned", "+extended"};
    const cmd_row *rows[3];
    const cmd_case *c = &first->table->cases[first->in_case];
    for (int k = 0; k < 3; k++) rows[k] = row_by(r, first, by, updates[k]);
    cmd_table_cells(table, "%s%s%s\t%s\t%s", c->model, strcmp(c->label, c->model) != 0 ? ", " : "",
                    strcmp(c->label, c->model) != 0 ? c->label : "", first->row.formalism, by);
    for (int k = 0; k < 3; k++) cmd_table_cell(table, "%s", rows[k] ? cmd_count(cmd_row_evaluations(rows[k])) : "-");
    for (int k = 1; k < 3; k++)
        cmd_table_cell(table, "%s", rows[k] ? cmd_count(rows[k]->stats.residual_calls.total) : "-");
    for (int k = 1; k < 3; k++)
        cmd_table_cell(table, "%s", cmd_format_milliseconds(rows[k] ? rows[k]->cpu_s.median : NAN));
    double ratio = rows[1] && rows[2]
                       ? (double)rows[2]->stats.residual_calls.total / (double)rows[1]->stats.residual_calls.total
                       : NAN;
    cmd_table_cells(table, "%s\t%s", cmd_format_or_dash("%.2f", ratio), verdict(ratio));
}

/** Return 1 if row i is the first one of a case. */
static int begins(const cmd_report_work *r, int i)
{
    return i == 0 || r->lines[i].table != r->lines[i - 1].table || r->lines[i].in_case != r->lines[i - 1].in_case;
}

static void say_verdicts(cmd_report_work *r, const cmd_table *table)
{
    int n = cmd_table_rows(table), helps = 0, costs = 0, last = table->n_columns - 1;
    for (int row = 0; row < n; row++) {
        helps += strcmp(cmd_table_at(table, row, last), "helps") == 0;
        costs += strcmp(cmd_table_at(table, row, last), "costs") == 0;
    }
    cmd_report_outcome(r, "extended update compared with partitioned update",
                       "fewer calls in %d of %d comparisons, more calls in %d", helps, n, costs);
}

int cmd_report_extended(cmd_report_work *r, FILE *f)
{
    cmd_table table;
    int code = measure(r, f, "extended", "Strategies on further models with excitations");
    cmd_html_paragraph(
        f, "Comparison of the extended update (26) with the partitioned update (24), (25), for all tables of this "
           "page. The extended update changes the entries of J that depend on the excitation, without residual calls. "
           "The partitioned update changes only the entries that depend on the step size.");
    cmd_table_begin(&table, "<model\t<formalism\t<differences\tplain@evaluations of J\tpartitioned@evaluations of J\t"
                            "extended@evaluations of J\tpartitioned@residual calls\textended@residual calls\t"
                            "partitioned@cpu [ms]\textended@cpu [ms]\tcalls=calls, extended / partitioned\t"
                            "<verdict=extended update");
    for (int i = 0; i < r->n_lines; i++) {
        if (!begins(r, i)) continue;
        compare_updates(&table, r, &r->lines[i], "dense");
        compare_updates(&table, r, &r->lines[i], "sparse");
    }
    if (table.n_cells > 0) cmd_html_table(f, &table, 2, "Extended and partitioned update");
    say_verdicts(r, &table);
    cmd_table_free(&table);
    cmd_html_paragraph(f, "The verdict compares residual calls, which repeat exactly. \"helps\": less than 0.95 times "
                          "the calls with the partitioned update. \"costs\": more than 1.05 times.");
    return code;
}

/** Destination of the pictures of the train. */
typedef struct train_figures {
    cmd_report_work *report;
    FILE *f;
} train_figures;

static int put_train(const cmd_pattern_work *pattern, void *context)
{
    static const char *const captions[] = {
        "Figure 3: entries of the Jacobian, counted as in the paper.",
        "Figure 4: groups of columns, by colour. Columns of a group have no common row, and share a residual call.",
        "Figure 5: the columns of each group in one position. They are evaluated by one residual call."};
    train_figures *to = context;
    cmd_counted counted;
    cmd_table table;
    int code = cmd_counted_make(&counted, pattern) == 0 ? 0 : cmd_no_memory();
    if (code == 0) {
        cmd_report_outcome(to->report, "train", "%d groups of columns, lower bound %d", pattern->n_groups,
                           pattern->counts.groups_bound);
        cmd_counted_fill(&table, &counted);
        cmd_html_table(to->f, &table, 0, "Counts of Figures 3 to 5: Jacobian of the train");
        cmd_table_free(&table);
        cmd_html_paragraph(
            to->f,
            "The number of groups is at least %d. The matrix stores %d further entries: %d derivatives of G'eta by p, "
            "which vanish for eta = 0, and %d entries on the diagonal of the constraints.",
            pattern->counts.groups_bound, counted.curvature + counted.diagonal, counted.curvature, counted.diagonal);
    }
    for (int k = 0; k < 3 && code == 0; k++) {
        cmd_picture picture;
        const char number[2] = {(char)('3' + k), 0};
        code = cmd_picture_begin(&picture, FIG_SIZE, FIG_SIZE);
        if (code != 0) break;
        cmd_counted_draw(&counted, &picture, number);
        code = cmd_report_picture(to->report, &picture, captions[k], captions[k], to->f);
    }
    cmd_counted_free(&counted);
    return code;
}

static int put_fig7(cmd_report_work *r, const cmd_timeline *lines, FILE *f)
{
    cmd_table table;
    cmd_picture picture;
    cmd_fig7_fill(&table, lines);
    cmd_html_table(f, &table, 1, "Counts of Figure 7: chain of 16 pendulums, 200 s");
    cmd_table_free(&table);
    int code = cmd_picture_begin(&picture, FIG7_WIDTH, FIG7_HEIGHT);
    if (code != 0) return code;
    cmd_fig7_draw(lines, &picture);
    return cmd_report_picture(r, &picture, "Times of Jacobian evaluations and updates, with the motion of the support",
                              "Figure 7: times of Jacobian evaluations (dotted) and of updates without evaluation "
                              "(dashed), omega = 2 pi 0.05. Top: without the extended update. Bottom: with it.",
                              f);
}

int cmd_report_figures(cmd_report_work *r, FILE *f)
{
    cmd_timeline lines[CMD_FIG7_LINES];
    train_figures to = {r, f};
    cmd_html_paragraph(f, CMD_PAPER ", Figures 3, 4, 5 and 7. The members of a group depend on the algorithm. The "
                                    "minimum number of groups does not.");
    int code = cmd_train_pattern(r->settings, put_train, &to);
    if (code != 0) return code;
    code = cmd_fig7_measure(lines, r->settings);
    if (code == 0) code = put_fig7(r, lines, f);
    for (int i = 0; i < CMD_FIG7_LINES; i++) cmd_timeline_free(&lines[i]);
    return code;
}
