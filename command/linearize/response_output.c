/* response_output.c - frequency responses as a table, JSON, CSV and a picture. */
#include "response.h"

#include "program/base/complain.h"
#include "program/picture/curves.h"
#include "program/run/quantity.h"
#include "program/output/json_line.h"
#include "program/output/row_json.h"
#include "program/output/text_table.h"
#include "command/trajectory/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 1000,
    HEIGHT = 800,
    PANEL_HEIGHT = 280,
    PHASE_TICS = 8,
    SHOWN = 20,
    MAX_COLUMNS = 4,
    HEADING = 160,
    TITLE = 200
};
static const double whole_turn = 360;
static const double rounding = 1e-6; /* degrees */
#define DEEPEST 1e-12                /* smallest drawn amplitude relative to the largest in its panel */

static double get_number(const cmd_response *r, const double *x, int k, int i)
{
    return x[(long)k * r->l->model.n_outputs + r->output[i]];
}

static const char *get_output_name(const cmd_response *r, int i)
{
    return r->l->model.outputs[r->output[i]];
}

/* Return the index of an output of the model, -1 for a component. */
static int find_model_output(const cmd_response *r, int i)
{
    static const char own[] = "out.";
    const resida_model *m = &r->l->job->model->model;
    for (int k = 0; k < m->n_outputs && r->output[i] >= r->l->model.n_components; k++)
        if (strcmp(get_output_name(r, i) + sizeof own - 1, m->output_names[k]) == 0) return k;
    return -1;
}

/* Write the unit of an amplitude, that of the output per unit of the excitation; "" if it is unknown. */
static const char *write_unit(const cmd_response *r, int i, char text[CMD_UNIT_SIZE])
{
    const resida_model *m = &r->l->job->model->model;
    const int at = r->output[i], own = find_model_output(r, i), n_p = m->mechanism.n_p;
    char of[CMD_UNIT_SIZE], by[CMD_UNIT_SIZE];
    cmd_unit_of(m,
                own >= 0    ? CMD_OF_OUT
                : m->is_dae ? CMD_OF_Y
                : at < n_p  ? CMD_OF_P
                            : CMD_OF_V,
                own >= 0                ? own
                : m->is_dae || at < n_p ? at
                                        : at - n_p,
                of);
    return cmd_unit_ratio(of, cmd_unit_of(m, CMD_OF_U, r->excitation, by), text);
}

static int have_same_unit(const cmd_response *r, int i, int k)
{
    char a[CMD_UNIT_SIZE], b[CMD_UNIT_SIZE];
    return strcmp(write_unit(r, i, a), write_unit(r, k, b)) == 0;
}

/* Return 1 if no output before the i-th has the same unit. */
static int is_first_with_unit(const cmd_response *r, int i)
{
    for (int k = 0; k < i; k++)
        if (have_same_unit(r, k, i)) return 0;
    return 1;
}

double cmd_response_amplitude(const cmd_response *r, int k, int i)
{
    return hypot(get_number(r, r->re, k, i), get_number(r, r->im, k, i));
}

/* Return the phase plus whole turns that is closest to `last`. Without damping the phase jumps by half a turn in either
 * direction. Then the value closer to zero is returned. */
static double continue_phase(double phase, double last)
{
    const double half = whole_turn / 2, jump = remainder(phase - last, whole_turn);
    if (half - fabs(jump) < rounding) return last + (last < -half / 2 ? half : -half);
    return last + jump;
}

void cmd_response_phases(const cmd_response *r, int i, double *degrees)
{
    double last = NAN;
    for (int k = 0; k < r->n; k++) {
        degrees[k] = atan2(get_number(r, r->im, k, i), get_number(r, r->re, k, i)) * whole_turn / (2 * acos(-1));
        if (!isnan(last)) degrees[k] = continue_phase(degrees[k], last);
        if (!isnan(degrees[k])) last = degrees[k];
    }
}

/* Compute the phases of all outputs [n_outputs x n]. @return NULL without memory */
static double *compute_all_phases(const cmd_response *r)
{
    double *degrees = calloc((size_t)r->n * (size_t)r->n_outputs + 1, sizeof *degrees);
    for (int i = 0; degrees && i < r->n_outputs; i++) cmd_response_phases(r, i, degrees + (long)i * r->n);
    return degrees;
}

static void put_cells(cmd_table *table, double amplitude, double degrees)
{
    if (isnan(amplitude))
        cmd_table_cells(table, "-\t-");
    else
        cmd_table_cells(table, "%.6g\t%.2f", amplitude, degrees);
}

/* Write some of the frequencies, with as many outputs as fit in a line. */
static void put_table(const cmd_response *r, const double *degrees, FILE *stream)
{
    char headings[MAX_COLUMNS][HEADING], unit[CMD_UNIT_SIZE];
    cmd_column columns[2 * MAX_COLUMNS + 1] = {{"frequency/Hz", 0, NULL, NULL}};
    cmd_table table;
    const int shown = r->n_outputs < MAX_COLUMNS ? r->n_outputs : MAX_COLUMNS, rows = r->n < SHOWN ? r->n : SHOWN;
    for (int i = 0; i < shown; i++) {
        snprintf(headings[i], HEADING, cmd_unit_is_written(write_unit(r, i, unit)) ? "|%s|/(%s)" : "|%s|",
                 get_output_name(r, i), unit);
        columns[2 * i + 1] = (cmd_column){headings[i], 0, NULL, NULL};
        columns[2 * i + 2] = (cmd_column){"phase/deg", 0, NULL, NULL};
    }
    cmd_table_init(&table, columns, 2 * shown + 1);
    for (int row = 0; row < rows; row++) {
        const int k = rows > 1 ? (int)((long)row * (r->n - 1) / (rows - 1)) : 0;
        cmd_table_cell(&table, "%.6g", r->frequency[k]);
        for (int i = 0; i < shown; i++) put_cells(&table, cmd_response_amplitude(r, k, i), degrees[(long)i * r->n + k]);
    }
    cmd_table_print(&table, 2, stream);
    if (r->n > rows) fprintf(stream, "  %d of %d frequencies; --out FILE.csv writes all\n", rows, r->n);
    if (r->n_outputs > shown) fprintf(stream, "  %d of %d outputs; --to selects\n", shown, r->n_outputs);
}

int cmd_response_text(const cmd_response *r, FILE *stream)
{
    double *degrees = compute_all_phases(r);
    if (!degrees) return cmd_no_memory();
    cmd_linear_head(r->l, stream);
    fprintf(stream, "  response to %s = exp(i 2 pi f t), with its derivatives\n", r->l->model.inputs[r->excitation]);
    put_table(r, degrees, stream);
    if (isnan(r->grows)) fputs("  stability was not checked: the modes may grow\n", stream);
    free(degrees);
    return 0;
}

static json_t *outputs_json(const cmd_response *r)
{
    json_t *object = json_object();
    for (int i = 0; i < r->n_outputs; i++) {
        const int stride = r->l->model.n_outputs;
        object = cmd_json_put(object, get_output_name(r, i),
                              CMD_OBJECT({"re", cmd_json_reals(r->re + r->output[i], r->n, stride)},
                                         {"im", cmd_json_reals(r->im + r->output[i], r->n, stride)}));
    }
    return object;
}

json_t *cmd_response_json(const cmd_response *r)
{
    const cmd_model *m = r->l->job->model;
    return CMD_OBJECT({"problem", cmd_json_text(m->cls->name)}, {"params", cmd_parameters_json(m)},
                      {"form", cmd_json_text(r->l->form)}, {"t", cmd_json_real(r->l->model.t)},
                      {"excitation", cmd_json_text(r->l->model.inputs[r->excitation])},
                      {"growth", cmd_json_real(r->grows)}, {"frequency_hz", cmd_json_reals(r->frequency, r->n, 1)},
                      {"outputs", outputs_json(r)});
}

int cmd_response_csv(const cmd_response *r, const char *path)
{
    cmd_out out;
    double *degrees = compute_all_phases(r);
    int code = degrees ? cmd_out_open(&out, path) : cmd_no_memory();
    if (code != 0) return free(degrees), code;
    FILE *f = out.stream;
    static const char *const ends[] = {".amplitude", ".phase_deg", ".re", ".im"};
    fputs("frequency_hz", f);
    for (int i = 0; i < r->n_outputs; i++)
        for (int e = 0; e < 4; e++) {
            fputc(',', f);
            cmd_csv_text(f, get_output_name(r, i), ends[e]);
        }
    fputc('\n', f);
    for (int k = 0; k < r->n; k++) {
        fprintf(f, "%.17g", r->frequency[k]);
        for (int i = 0; i < r->n_outputs; i++)
            fprintf(f, ",%.17g,%.17g,%.17g,%.17g", cmd_response_amplitude(r, k, i), degrees[(long)i * r->n + k],
                    get_number(r, r->re, k, i), get_number(r, r->im, k, i));
        fputc('\n', f);
    }
    code = ferror(f) ? cmd_out_fail(&out) : cmd_out_commit(&out);
    cmd_out_abort(&out);
    free(degrees);
    return code;
}

static void put_points(const cmd_response *r, const double *degrees, FILE *f)
{
    for (int i = 0; i < r->n_outputs; i++) {
        fprintf(f, "$response%d << END\n", i);
        for (int k = 0; k < r->n; k++)
            fprintf(f, "%.17g %.17g %.17g\n", r->frequency[k], cmd_response_amplitude(r, k, i),
                    degrees[(long)i * r->n + k]);
        fputs("END\n", f);
    }
}

static double get_logarithm(const void *self, int curve, long row)
{
    const cmd_response *r = self;
    return log(cmd_response_amplitude(r, (int)row, curve)); /* -Inf for an output that does not answer */
}

/* The outputs of a panel and their looks. */
typedef struct panel {
    int column;      /* 2: amplitude, 3: phase */
    int of;          /* output whose unit all have; -1: any */
    const int *dash; /* [n_outputs] */
} panel;

/* Return the largest amplitude of an output. */
static double find_largest(const cmd_response *r, int i)
{
    double largest = 0;
    for (int k = 0; k < r->n; k++) largest = fmax(largest, cmd_response_amplitude(r, k, i));
    return largest;
}

/* Plot the outputs of a panel. Each output has its own colour in all panels. An output that does not answer at any
 * frequency has only a name. */
static void put_plot(const cmd_response *r, const cmd_picture *picture, const panel *p)
{
    FILE *f = picture->script;
    const char *between = "plot ";
    for (int i = 0; i < r->n_outputs; i++) {
        if (p->of >= 0 && !have_same_unit(r, i, p->of)) continue;
        const int answers = find_largest(r, i) > 0;
        char name[TITLE];
        snprintf(name, sizeof name, answers ? "%.150s" : "%.150s: 0", get_output_name(r, i));
        if (answers)
            fprintf(f, "%s$response%d using 1:%d with lines lt %d lw 2 dt %d title ", between, i, p->column,
                    1 + i % CMD_PICTURE_COLOURS, p->dash[i]);
        else
            fprintf(f, "%sNaN with lines lt %d lw 2 title ", between, 1 + i % CMD_PICTURE_COLOURS);
        cmd_picture_words(picture, name);
        between = ", ";
    }
    fputc('\n', f);
}

/* Set the range of amplitudes: at most `decades` below the largest one, because rounding errors are below. */
static void put_range(const cmd_response *r, int of, FILE *f)
{
    double largest = 0, least = INFINITY;
    for (int i = 0; i < r->n_outputs; i++) {
        if (!have_same_unit(r, i, of)) continue;
        largest = fmax(largest, find_largest(r, i));
        for (int k = 0; k < r->n; k++)
            if (cmd_response_amplitude(r, k, i) > 0) least = fmin(least, cmd_response_amplitude(r, k, i));
    }
    if (!(largest > 0))
        fputs("set yrange [0.1:10]\n", f);
    else if (least < DEEPEST * largest)
        fprintf(f, "set yrange [%.3g:*]\n", DEEPEST * largest);
    else
        fputs("set yrange [*:*]\n", f);
}

/* Plot one panel for each unit. */
static void put_amplitudes(const cmd_response *r, const int *dash, const cmd_picture *picture)
{
    char label[HEADING], unit[CMD_UNIT_SIZE];
    for (int i = 0; i < r->n_outputs; i++) {
        if (!is_first_with_unit(r, i)) continue;
        fputs("set ylabel ", picture->script);
        cmd_picture_words(picture, cmd_unit_label("amplitude", write_unit(r, i, unit), label, sizeof label));
        fputc('\n', picture->script);
        put_range(r, i, picture->script);
        put_plot(r, picture, &(panel){.column = 2, .of = i, .dash = dash});
    }
}

/* Return the number of panels, one for each unit and one for the phases. */
static int count_panels(const cmd_response *r)
{
    int n = 1;
    for (int i = 0; i < r->n_outputs; i++) n += is_first_with_unit(r, i);
    return n;
}

/* Set the range of phases and its tics, at most PHASE_TICS quarters or multiples of them. */
static void put_phase_range(const cmd_response *r, const double *degrees, FILE *f)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < r->n_outputs; i++)
        for (long k = 0; find_largest(r, i) > 0 && k < r->n; k++)
            low = fmin(low, degrees[(long)i * r->n + k]), high = fmax(high, degrees[(long)i * r->n + k]);
    const double step = whole_turn / 4 * fmax(1, ceil((high - low) / (whole_turn / 4 * PHASE_TICS)));
    fprintf(f, low <= high ? "set yrange [*:*]\nset ytics %g\n" : "set yrange [-180:180]\n", step);
}

static void put_script(const cmd_response *r, const double *degrees, const int *dash, const cmd_picture *picture)
{
    FILE *f = picture->script;
    char title[TITLE];
    snprintf(title, sizeof title, "%.60s: response to %.60s = exp(i 2 pi f t), at %d frequencies",
             r->l->job->model->cls->name, r->l->model.inputs[r->excitation], r->n);
    put_points(r, degrees, f);
    fprintf(f, "set multiplot layout %d,1 title ", count_panels(r));
    cmd_picture_words(picture, title);
    fprintf(f, "\nset grid\nset tics out nomirror\nset lmargin 12\nset rmargin 3\nset xrange [%.17g:%.17g]\n",
            r->frequency[0], r->frequency[r->n - 1]);
    fputs("set logscale xy\nset format y '%.0e'\nset key below\n", f);
    put_amplitudes(r, dash, picture);
    fputs("unset logscale y\nset format y '%g'\n", f);
    put_phase_range(r, degrees, f);
    fputs("set ylabel 'phase [deg]'\nset xlabel 'frequency [Hz]'\nunset key\n", f);
    put_plot(r, picture, &(panel){.column = 3, .of = -1, .dash = dash});
    fputs("unset multiplot\n", f);
}

int cmd_response_draw(const cmd_response *r, const char *path)
{
    cmd_picture picture = {0};
    double *degrees = compute_all_phases(r);
    int *dash = calloc((size_t)r->n_outputs + 1, sizeof *dash);
    const int height = PANEL_HEIGHT * count_panels(r);
    int code =
        degrees && dash ? cmd_picture_open(&picture, path, WIDTH, height > HEIGHT ? height : HEIGHT) : cmd_no_memory();
    if (code == 0) cmd_curves_dash(&(cmd_curves){r->n_outputs, r->n, get_logarithm, r}, dash);
    if (code == 0) put_script(r, degrees, dash, &picture);
    if (code == 0) code = cmd_picture_commit(&picture);
    cmd_picture_abort(&picture);
    free(degrees);
    free(dash);
    return code;
}
