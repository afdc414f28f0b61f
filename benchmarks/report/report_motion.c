/* report_motion.c - the motion of a named model, computed with the default of resida: positions over time, outputs that
 * are energies (unit J), and events. */
#include "report.h"

#include "program/base/complain.h"
#include "program/base/grow.h"
#include "program/base/number.h"
#include "program/output/html.h"
#include "program/picture/curves.h"
#include "program/process/signals.h"
#include "program/run/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 64, DRAWN = 8, TOLD = 60, EVENTS = 20, WORDS = 300, WIDTH = 560, HEIGHT = 400, POINTS = 400 };
static const double run_limit_s = 20;

/** An event of the report. */
typedef struct event {
    double t;
    resida_event_kind kind;
    int root; /**< index of the first root function that crossed zero; -1: none */
    int restarted, ended;
} event;

/** A run in progress: rows of t, positions (y of a general DAE), outputs. */
typedef struct recorder {
    const resida_model *m;
    int n_x, n_out, width;
    char (*names)[NAME]; /**< [n_x] */
    double *rows;        /**< [n x width] */
    int n;
    event events[EVENTS];
    long n_events;
} recorder;

static int begin(void *self, const resida_problem *problem)
{
    recorder *r = self;
    resida_layout l;
    if (resida_problem_layout(problem, &l) < 0) return CMD_EXIT_FAILED;
    r->n_x = r->m->is_dae ? l.n : l.n_p;
    r->n_out = r->m->n_outputs;
    r->width = 1 + r->n_x + r->n_out;
    r->names = calloc((size_t)r->n_x + 1, sizeof *r->names);
    if (!r->names) return cmd_no_memory();
    for (int i = 0; i < r->n_x; i++)
        (void)resida_problem_component_name(problem, r->m->is_dae ? i : l.p + i, r->names[i], NAME);
    return 0;
}

static int output(void *self, const resida_state *state, const double *outputs)
{
    recorder *r = self;
    double *rows = cmd_grow_array(r->rows, r->n, sizeof *rows * (size_t)r->width);
    if (!rows) return cmd_no_memory();
    r->rows = rows;
    double *row = rows + (size_t)r->n++ * (size_t)r->width;
    row[0] = state->t;
    memcpy(row + 1, r->m->is_dae ? state->y : state->p, (size_t)r->n_x * sizeof *row);
    for (int i = 0; i < r->n_out; i++) row[1 + r->n_x + i] = outputs ? outputs[i] : NAN;
    return 0;
}

static int happened(void *self, const resida_happening *what, const resida_state *after)
{
    recorder *r = self;
    (void)after;
    if (r->n_events++ >= EVENTS) return 0;
    event *e = &r->events[r->n_events - 1];
    *e = (event){what->t, what->kind, -1, what->restarted, what->ended};
    for (int i = 0; what->direction && e->root < 0 && i < r->m->mechanism.n_root + r->m->dae.n_root; i++)
        if (what->direction[i] != 0) e->root = i;
    return 0;
}

static double at(const recorder *r, int row, int column)
{
    return r->rows[(size_t)row * (size_t)r->width + (size_t)column];
}

static double least(const recorder *r, int column)
{
    double x = NAN;
    for (int i = 0; i < r->n; i++) x = fmin(x, at(r, i, column));
    return x;
}

static double largest(const recorder *r, int column)
{
    double x = NAN;
    for (int i = 0; i < r->n; i++) x = fmax(x, at(r, i, column));
    return x;
}

static const char *name_of(const recorder *r, int column)
{
    return column <= r->n_x ? r->names[column - 1] : r->m->output_names[column - 1 - r->n_x];
}

static const char *write_unit(const recorder *r, int column, char text[CMD_UNIT_SIZE])
{
    const int i = column - 1;
    return cmd_unit_of(r->m,
                       i >= r->n_x    ? CMD_OF_OUT
                       : r->m->is_dae ? CMD_OF_Y
                                      : CMD_OF_P,
                       i < r->n_x ? i : i - r->n_x, text);
}

/** The columns of a picture. */
typedef struct drawn {
    const recorder *r;
    const int *columns;
} drawn;

static double get_ordinate(const void *self, int curve, long row)
{
    const drawn *d = self;
    return at(d->r, (int)row, d->columns[curve]);
}

/** Draw the columns [n], which have one unit, over time. */
static int draw(cmd_report_work *r, const recorder *x, const int *columns, int n, const char *words, FILE *f)
{
    cmd_picture picture;
    char label[WORDS], unit[CMD_UNIT_SIZE];
    int dash[DRAWN], code = cmd_picture_begin(&picture, WIDTH, HEIGHT);
    if (code != 0) return code;
    FILE *script = picture.script;
    cmd_curves_dash(&(cmd_curves){n, x->n, get_ordinate, &(drawn){x, columns}}, dash);
    fputs("set datafile missing 'nan'\n$rows << END\n", script);
    for (int i = 0; i < x->n; i++) {
        fprintf(script, "%.12g", at(x, i, 0));
        for (int k = 0; k < n; k++)
            fprintf(script, isfinite(at(x, i, columns[k])) ? " %.12g" : " nan", at(x, i, columns[k]));
        fputc('\n', script);
    }
    fputs("END\nset grid\nset tics out nomirror\nset key below height 1\nset xlabel 't [s]'\nset ylabel ", script);
    cmd_picture_words(&picture, cmd_unit_label(columns[0] > x->n_x ? "out"
                                               : x->m->is_dae      ? "y"
                                                                   : "p",
                                               write_unit(x, columns[0], unit), label, sizeof label));
    fprintf(script, "\nset xrange [%.12g:%.12g]\nplot ", at(x, 0, 0), at(x, x->n - 1, 0));
    for (int k = 0; k < n; k++) {
        fprintf(script, "%s$rows using 1:%d with lines lt %d lw 1.5 dt %d title ", k > 0 ? ", " : "", k + 2, k + 1,
                dash[k]);
        cmd_picture_words(&picture, name_of(x, columns[k]));
    }
    fputc('\n', script);
    return cmd_report_picture(r, &picture, words, words, f);
}

/** Choose the positions with the largest ranges. @return their number */
static int choose_positions(const recorder *r, int columns[DRAWN])
{
    int n = 0;
    for (int i = 1; i <= r->n_x; i++) {
        int k = n < DRAWN ? n++ : DRAWN;
        const double range = largest(r, i) - least(r, i);
        for (; k > 0 && range > largest(r, columns[k - 1]) - least(r, columns[k - 1]); k--)
            if (k < DRAWN) columns[k] = columns[k - 1];
        if (k < DRAWN) columns[k] = i;
    }
    return n;
}

static int choose_energies(const recorder *r, int columns[DRAWN])
{
    int n = 0;
    for (int i = 0; i < r->n_out && n < DRAWN; i++) {
        const char *unit = r->m->output_units ? r->m->output_units[i] : NULL;
        if (unit && strcmp(unit, "J") == 0) columns[n++] = 1 + r->n_x + i;
    }
    return n;
}

static void put_extremes(const recorder *r, FILE *f)
{
    cmd_table table;
    cmd_table_begin(&table, "<quantity\t<unit\tstart\tmin\tmax\tend");
    for (int i = 1; i < r->width && i <= TOLD; i++) {
        char unit[CMD_UNIT_SIZE];
        cmd_table_cells(&table, "%s\t%s\t%s\t%s\t%s\t%s", name_of(r, i), *write_unit(r, i, unit) ? unit : "-",
                        cmd_format_or_dash("%.6g", at(r, 0, i)), cmd_format_or_dash("%.6g", least(r, i)),
                        cmd_format_or_dash("%.6g", largest(r, i)), cmd_format_or_dash("%.6g", at(r, r->n - 1, i)));
    }
    cmd_html_table(f, &table, 0, "Positions and outputs of the run");
    if (r->width - 1 > TOLD) cmd_html_paragraph(f, "%d further quantities are omitted.", r->width - 1 - TOLD);
    cmd_table_free(&table);
}

static void put_events(const recorder *r, FILE *f)
{
    static const char *const kinds[] = {"start", "root", "time", "step"}; /* indexed by resida_event_kind */
    cmd_table table;
    if (r->n_events == 0) {
        cmd_html_paragraph(f, "No event occurred.");
        return;
    }
    cmd_table_begin(&table, "t [s]\t<kind\troot\t<action");
    for (int i = 0; i < r->n_events && i < EVENTS; i++) {
        const event *e = &r->events[i];
        cmd_table_cells(&table, "%.10g\t%s\t%s\t%s", e->t, kinds[e->kind],
                        e->root < 0 ? "-" : cmd_number("%d", e->root),
                        e->ended       ? "run ended"
                        : e->restarted ? "restart"
                                       : "continued");
    }
    cmd_html_table(f, &table, 0, "Events");
    if (r->n_events > EVENTS)
        cmd_html_paragraph(f, "The run has %ld events. The first %d are shown.", r->n_events, EVENTS);
    cmd_table_free(&table);
}

/** Draw the positions that move most, a picture for each unit. */
static int put_positions(cmd_report_work *r, const recorder *x, const char *model, FILE *f)
{
    int columns[DRAWN], code = 0;
    const int n = choose_positions(x, columns);
    for (int i = 0; i < n && code == 0; i++) {
        int same[DRAWN], n_same = 0, n_before = 0;
        char unit[CMD_UNIT_SIZE], other[CMD_UNIT_SIZE], words[WORDS], label[WORDS + CMD_UNIT_SIZE];
        write_unit(x, columns[i], unit);
        for (int k = 0; k < n; k++) {
            if (strcmp(write_unit(x, columns[k], other), unit) != 0) continue;
            n_before += k < i;
            same[n_same++] = columns[k];
        }
        if (n_before > 0) continue;
        snprintf(words, sizeof words, "%s: the %d position%s with the largest range", model, n_same,
                 n_same == 1 ? "" : "s");
        cmd_unit_label(words, unit, label, sizeof label);
        code = draw(r, x, same, n_same, label, f);
    }
    return code;
}

static int put_run(cmd_report_work *r, const recorder *x, const char *model, FILE *f)
{
    int columns[DRAWN];
    char words[WORDS];
    fputs("<div class=\"pair\">\n", f); /* side by side if the page is wide enough */
    int code = put_positions(r, x, model, f);
    const int n = choose_energies(x, columns);
    snprintf(words, sizeof words, "%s: energies [J]", model);
    if (code == 0 && n > 0) code = draw(r, x, columns, n, words, f);
    fputs("</div>\n", f);
    if (n == 0) cmd_html_paragraph(f, "The model has no energy (unit J) among its outputs.");
    put_extremes(x, f);
    put_events(x, f);
    return code;
}

static int move_model(cmd_report_work *r, const cmd_model *model, FILE *f, void *context)
{
    char id[CMD_ANCHOR];
    cmd_settings s = cmd_report_settings(r, run_limit_s);
    cmd_job job;
    cmd_row row;
    recorder x = {.m = &model->model};
    const cmd_sink sink = {begin, output, happened, &x, NULL, 0};
    (void)context;
    s.points = POINTS;
    s.quiet = 1;
    cmd_html_heading(f, 3, cmd_report_anchor(r, model->cls->name, id), model->cls->name);
    int code = cmd_job_make(&job, model, &s, 1);
    double *outputs = calloc((size_t)model->model.n_outputs + 1, sizeof *outputs);
    if (code == 0 && !outputs) code = cmd_no_memory();
    if (code == 0) {
        job.repeats = 1;
        job.sink = &sink;
        if (model->model.n_outputs > 0) job.outputs = outputs;
        (void)cmd_run(&job, &row);
        cmd_html_paragraph(f,
                           "%s. %s, rtol = %s, atol = %s, t_end = %s: %ld steps, %ld residual calls, %ld events.%s%s",
                           model->cls->text, cmd_outcome_name(row.outcome), cmd_format_shortest(row.rtol),
                           cmd_format_shortest(row.atol), cmd_format_shortest(row.t_reached), row.stats.steps,
                           row.stats.residual_calls.total, x.n_events, row.outcome == CMD_OK ? "" : " ",
                           row.outcome == CMD_OK ? "" : row.message);
        cmd_report_outcome(r, model->cls->name, "%s: %ld steps to t = %s, %ld events", cmd_outcome_name(row.outcome),
                           row.stats.steps, cmd_format_shortest(row.t_reached), x.n_events);
        r->failed += row.outcome == CMD_FAILED;
        if (x.n > 1) code = put_run(r, &x, model->cls->name, f);
        if (cmd_signal_caught()) code = 128 + cmd_signal_caught();
    }
    free(outputs);
    free(x.names);
    free(x.rows);
    return code;
}

int cmd_report_motion(cmd_report_work *r, FILE *f)
{
    cmd_html_paragraph(f, "Each model is integrated with the default options and the tolerances of the model.");
    return cmd_report_each_model(r, NULL, move_model, NULL, f);
}
