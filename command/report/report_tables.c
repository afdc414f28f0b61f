/* report_tables.c - the sections with the paper's tables and figures, and with the extended update. */
#include "report.h"

#include "command/base/complain.h"
#include "command/output/html.h"
#include "command/output/row_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIG7_WIDTH = 680, FIG7_HEIGHT = 640, FIG_SIZE = 640 };
static const double run_limit_s = 60;

static int keep(bench_report *r, const bench_line *line)
{
    if (r->n_lines == r->capacity) {
        int capacity = r->capacity ? 2 * r->capacity : 64;
        bench_line *more = realloc(r->lines, (size_t)capacity * sizeof *more);
        if (!more) return bench_complain(BENCH_EXIT_FAILED, "out of memory");
        r->lines = more;
        r->capacity = capacity;
    }
    r->lines[r->n_lines++] = *line;
    return 0;
}

static int take(const bench_line *line, void *self)
{
    bench_report *r = self;
    bench_line judged = *line;
    if (r->judge) bench_reference_judge(r->judge, &judged.row);
    if (line->row.outcome == BENCH_FAILED && !line->row.version) {
        r->failed++;
        bench_complain(0, "%s, %s, %s: %s", line->table->cases[line->in_case].model, line->row.formalism,
                       line->row.jacobian, line->row.message);
    }
    return keep(r, &judged);
}

static const bench_model *prepare(const bench_model *model, const bench_settings *s, void *self)
{
    return bench_report_reference(self, model, s);
}

/** What failed, in its own words: a status is not a reason. */
static void failures(FILE *f, const bench_report *r, const bench_paper_table *t)
{
    for (int i = 0; i < r->n_lines; i++) {
        const bench_line *line = &r->lines[i];
        if (line->table == t && line->row.outcome != BENCH_OK)
            bench_html_paragraph(f, "%s, %s, %s %s: %s", t->cases[line->in_case].label, line->row.formalism,
                                 line->row.solver, line->row.jacobian, line->row.message);
    }
}

static void put_lines(FILE *f, const bench_report *r, const bench_paper_table *t, const char *caption)
{
    bench_table table;
    bench_lines_begin(&table);
    for (int i = 0; i < r->n_lines; i++)
        if (r->lines[i].table == t) bench_lines_add(&table, &r->lines[i]);
    if (table.n_cells > 0) bench_html_table(f, &table, 2, caption);
    bench_table_free(&table);
    failures(f, r, t);
}

static int measure(bench_report *r, FILE *f, const char *name, const char *caption)
{
    const bench_paper_table *t = bench_paper_table_find(name);
    const bench_settings s = bench_report_settings(r, run_limit_s);
    const bench_lines_to to = {prepare, take, r};
    bench_html_paragraph(f, "%s: %s.", t->source, t->about);
    int code = bench_paper_table_measure(t, &s, &to);
    put_lines(f, r, t, caption);
    return code;
}

static const char about_columns[] = "Percentages are of the first row of the same case and formalism: the original "
                                    "DASSL where it is built, else \"dense\" "
                                    "of resida. \"Calls but for J\" leaves out those that the Jacobian and its pattern "
                                    "need. \"Paper\": as printed, on the "
                                    "machine of its authors, whose \"dense\" is DASSL itself. A dash: not in the "
                                    "paper, not reported, or not known. A run "
                                    "that fails or is not right has no time and no percentage.";

int bench_report_table1(bench_report *r, FILE *f)
{
    int code = measure(r, f, "table1", "Table 1: train carriage, measured and published");
    bench_html_paragraph(f, "%s", about_columns);
    return code;
}

int bench_report_table2(bench_report *r, FILE *f)
{
    int code = measure(r, f, "table2", "Table 2: chain of pendulums, measured and published");
    bench_html_paragraph(f, "%s", about_columns);
    return code;
}

int bench_report_table3(bench_report *r, FILE *f)
{
    int code = measure(r, f, "table3", "Table 3: passenger car, measured and published");
    bench_html_paragraph(f, "%s", about_columns);
    return code;
}

static const bench_column columns[] = {
    {"model", 1, NULL, NULL},
    {"formalism", 1, NULL, NULL},
    {"differences", 1, NULL, NULL},
    {"plain", 0, "plain", "evaluations of J"},
    {"partitioned", 0, "partitioned", "evaluations of J"},
    {"extended", 0, "extended", "evaluations of J"},
    {"partitioned", 0, "partitioned", "residual calls"},
    {"extended", 0, "extended", "residual calls"},
    {"partitioned", 0, "partitioned", "cpu [ms]"},
    {"extended", 0, "extended", "cpu [ms]"},
    {"calls", 0, "calls, extended / partitioned", NULL},
    {"verdict", 1, "extended update", NULL},
};

/** The row of the same case and formalism by this strategy; NULL when there is none that counts. */
static const bench_row *row_by(const bench_report *r, const bench_line *like, const char *by, const char *update)
{
    char strategy[48];
    snprintf(strategy, sizeof strategy, "%s%s", by, update);
    for (int i = 0; i < r->n_lines; i++) {
        const bench_line *line = &r->lines[i];
        if (line->table == like->table && line->in_case == like->in_case && !line->row.version &&
            strcmp(line->row.asked, strategy) == 0)
            return bench_row_counts(&line->row) ? &line->row : NULL;
    }
    return NULL;
}

/** In residual calls, which repeat exactly: less than 5 % is no difference. */
static const char *verdict(double ratio)
{
    return isnan(ratio) ? "-" : ratio < 0.95 ? "helps" : ratio > 1.05 ? "costs" : "no difference";
}

static void compare_updates(bench_table *table, const bench_report *r, const bench_line *first, const char *by)
{
    char a[BENCH_NUMBER_SIZE];
    const char *const updates[] = {"", "+partitioned", "+extended"};
    const bench_row *rows[3];
    const bench_case *c = &first->table->cases[first->in_case];
    for (int k = 0; k < 3; k++) rows[k] = row_by(r, first, by, updates[k]);
    bench_table_cell(table, "%s%s%s", c->model, strcmp(c->label, c->model) != 0 ? ", " : "",
                     strcmp(c->label, c->model) != 0 ? c->label : "");
    bench_table_cell(table, "%s", first->row.formalism);
    bench_table_cell(table, "%s", by);
    for (int k = 0; k < 3; k++)
        bench_table_cell(table, "%s", rows[k] ? bench_count(bench_row_evaluations(rows[k]), a) : "-");
    for (int k = 1; k < 3; k++)
        bench_table_cell(table, "%s", rows[k] ? bench_count(rows[k]->stats.residual_calls.total, a) : "-");
    for (int k = 1; k < 3; k++) bench_table_cell(table, "%s", bench_millis(rows[k] ? rows[k]->cpu_s.median : NAN, a));
    double ratio = rows[1] && rows[2]
                       ? (double)rows[2]->stats.residual_calls.total / (double)rows[1]->stats.residual_calls.total
                       : NAN;
    if (isnan(ratio))
        bench_table_cell(table, "-");
    else
        bench_table_cell(table, "%.2f", ratio);
    bench_table_cell(table, "%s", verdict(ratio));
}

/** Does a case begin with this row? */
static int begins(const bench_report *r, int i)
{
    return i == 0 || r->lines[i].table != r->lines[i - 1].table || r->lines[i].in_case != r->lines[i - 1].in_case;
}

int bench_report_extended(bench_report *r, FILE *f)
{
    bench_table table;
    int code = measure(r, f, "extended", "Strategies on other models with excitations");
    bench_html_paragraph(f,
                         "Where the extended update (26) helps and where it does not, over all tables of this page: it "
                         "renews what changes with the excitation, without a residual call. It is compared with the "
                         "partitioned update (24), (25), which renews what changes with the step size alone.");
    bench_table_init(&table, columns, sizeof columns / sizeof columns[0]);
    for (int i = 0; i < r->n_lines; i++) {
        if (!begins(r, i)) continue;
        compare_updates(&table, r, &r->lines[i], "dense");
        compare_updates(&table, r, &r->lines[i], "sparse");
    }
    if (table.n_cells > 0) bench_html_table(f, &table, 2, "Extended against partitioned update");
    bench_table_free(&table);
    bench_html_paragraph(f,
                         "The verdict goes by residual calls, which repeat exactly: \"helps\" is less than 0.95 of the "
                         "calls with the partitioned update, \"costs\" more than 1.05.");
    return code;
}

/** Where pictures of the train go. */
typedef struct train_figures {
    bench_report *report;
    FILE *f;
} train_figures;

static int put_train(const bench_pattern *pattern, void *context)
{
    static const char *const captions[] = {
        "Figure 3: entries of the Jacobian, as the paper counts them.",
        "Figure 4: a colour for each group of columns; columns of a group share no row, so that one residual call "
        "serves "
        "them all.",
        "Figure 5: the columns of a group side by side in one place: what a residual call finds out."};
    train_figures *to = context;
    bench_counted counted;
    bench_table table;
    int code = bench_counted_make(&counted, pattern) == 0 ? 0 : bench_complain(BENCH_EXIT_FAILED, "out of memory");
    if (code == 0) {
        bench_counted_fill(&table, &counted);
        bench_html_table(to->f, &table, 0, "Figures 3 to 5 in numbers: the Jacobian of the train");
        bench_table_free(&table);
        bench_html_paragraph(to->f,
                             "Less than %d groups there cannot be. The matrix holds %d entries more: %d derivatives of "
                             "G'eta by p, which vanish with eta, and room for %d on the diagonal of the constraints.",
                             pattern->counts.groups_bound, counted.curvature + counted.diagonal, counted.curvature,
                             counted.diagonal);
    }
    for (int k = 0; k < 3 && code == 0; k++) {
        bench_picture picture;
        const char number[2] = {(char)('3' + k), 0};
        code = bench_picture_begin(&picture, FIG_SIZE, FIG_SIZE);
        if (code != 0) break;
        bench_counted_draw(&counted, &picture, number);
        code = bench_report_picture(to->report, &picture, captions[k], captions[k], to->f);
    }
    bench_counted_free(&counted);
    return code;
}

static int put_fig7(bench_report *r, const bench_timeline *lines, FILE *f)
{
    bench_table table;
    bench_picture picture;
    bench_fig7_fill(&table, lines);
    bench_html_table(f, &table, 1, "Figure 7 in numbers: chain of 16 pendulums, 200 s");
    bench_table_free(&table);
    int code = bench_picture_begin(&picture, FIG7_WIDTH, FIG7_HEIGHT);
    if (code != 0) return code;
    bench_fig7_draw(lines, &picture);
    return bench_report_picture(
        r, &picture, "Times of evaluations and updates of the Jacobian over the sine of the support",
        "Figure 7: when the Jacobian was evaluated (dotted) and when it was only updated (dashed), "
        "with omega = 2 pi 0.05; above without, below with the extended update.",
        f);
}

int bench_report_figures(bench_report *r, FILE *f)
{
    bench_timeline lines[BENCH_FIG7_LINES];
    train_figures to = {r, f};
    bench_html_paragraph(f,
                         BENCH_PAPER ", Figures 3, 4, 5 and 7. Which columns make a group is up to the algorithm; how "
                                     "many groups are needed is not.");
    int code = bench_train_pattern(r->settings, put_train, &to);
    if (code != 0) return code;
    code = bench_fig7_measure(lines, r->settings);
    if (code == 0) code = put_fig7(r, lines, f);
    for (int i = 0; i < BENCH_FIG7_LINES; i++) bench_timeline_free(&lines[i]);
    return code;
}
