/* response_output.c - frequency responses as a table, JSON, CSV and a picture. */
#include "response.h"

#include "program/base/complain.h"
#include "program/output/json_line.h"
#include "program/output/row_json.h"
#include "program/output/text_table.h"
#include "command/trajectory/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1000, HEIGHT = 800, SHOWN = 20, MAX_COLUMNS = 4, HEADING = 64, DASHES = 2, TITLE = 200 };
static const double whole_turn = 360;
static const double rounding = 1e-6; /* degrees */

static double get_number(const cmd_response *r, const double *x, int k, int i)
{
    return x[(long)k * r->l->model.n_outputs + r->output[i]];
}

static const char *get_output_name(const cmd_response *r, int i)
{
    return r->l->model.outputs[r->output[i]];
}

/* Return the unit of an output; "" for positions, velocities and outputs without a unit. */
static const char *get_output_unit(const cmd_response *r, int i)
{
    static const char own[] = "out.";
    const resida_model *m = &r->l->job->model->model;
    if (strncmp(get_output_name(r, i), own, sizeof own - 1) != 0) return "";
    for (int k = 0; m->output_units && k < m->n_outputs; k++)
        if (strcmp(get_output_name(r, i) + sizeof own - 1, m->output_names[k]) == 0)
            return m->output_units[k] && strcmp(m->output_units[k], "-") != 0 ? m->output_units[k] : "";
    return "";
}

/* Return 1 if no output before the i-th has the same unit. */
static int is_first_with_unit(const cmd_response *r, int i)
{
    for (int k = 0; k < i; k++)
        if (strcmp(get_output_unit(r, k), get_output_unit(r, i)) == 0) return 0;
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
    char headings[2 * MAX_COLUMNS][HEADING];
    cmd_column columns[2 * MAX_COLUMNS + 1] = {{"frequency/Hz", 0, NULL, NULL}};
    cmd_table table;
    const int shown = r->n_outputs < MAX_COLUMNS ? r->n_outputs : MAX_COLUMNS, rows = r->n < SHOWN ? r->n : SHOWN;
    for (int i = 0; i < shown; i++) {
        snprintf(headings[2 * i], HEADING, "|%s|", get_output_name(r, i));
        columns[2 * i + 1] = (cmd_column){headings[2 * i], 0, NULL, NULL};
        columns[2 * i + 2] = (cmd_column){"phase/deg", 0, NULL, NULL};
    }
    cmd_table_init(&table, columns, 2 * shown + 1);
    for (int row = 0; row < rows; row++) {
        const int k = rows > 1 ? (int)((long)row * (r->n - 1) / (rows - 1)) : 0;
        cmd_table_cell(&table, "%.6g", r->frequency[k]);
        for (int i = 0; i < shown; i++) put_cells(&table, cmd_response_amplitude(r, k, i), degrees[(long)i * r->n + k]);
    }
    cmd_table_print(&table, 2, stream);
    if (r->n > rows) fprintf(stream, "  %d of %d frequencies; --out FILE.csv has all\n", rows, r->n);
    if (r->n_outputs > shown) fprintf(stream, "  %d of %d outputs; --to chooses\n", shown, r->n_outputs);
}

int cmd_response_text(const cmd_response *r, FILE *stream)
{
    double *degrees = compute_all_phases(r);
    if (!degrees) return cmd_no_memory();
    cmd_linear_head(r->l, stream);
    fprintf(stream, "  response to %s = exp(i 2 pi f t), with its derivatives\n", r->l->model.inputs[r->excitation]);
    put_table(r, degrees, stream);
    if (isnan(r->grows)) fputs("  whether all modes decay was not looked at\n", stream);
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

/* Plot column 2 or 3 of all outputs with this unit, or of all if unit is NULL. Each output has its own colour. */
static void put_plot(const cmd_response *r, const cmd_picture *picture, int column, const char *unit)
{
    FILE *f = picture->script;
    const char *between = "plot ";
    for (int i = 0; i < r->n_outputs; i++) {
        if (unit && strcmp(get_output_unit(r, i), unit) != 0) continue;
        fprintf(f, "%s$response%d using 1:%d with lines lt %d lw 2 dt %d title ", between, i, column, 1 + i,
                1 + i % DASHES);
        cmd_picture_words(picture, get_output_name(r, i));
        between = ", ";
    }
    fputc('\n', f);
}

/* Plot one panel for each unit. */
static void put_amplitudes(const cmd_response *r, const cmd_picture *picture)
{
    char label[HEADING];
    for (int i = 0; i < r->n_outputs; i++) {
        const char *unit = get_output_unit(r, i);
        if (!is_first_with_unit(r, i)) continue;
        snprintf(label, sizeof label, "amplitude%s%.30s", *unit ? " in " : "", unit);
        fputs("set ylabel ", picture->script);
        cmd_picture_words(picture, label);
        fputc('\n', picture->script);
        put_plot(r, picture, 2, unit);
    }
}

static void put_script(const cmd_response *r, const double *degrees, const cmd_picture *picture)
{
    FILE *f = picture->script;
    char title[TITLE];
    int panels = 1;
    for (int i = 0; i < r->n_outputs; i++) panels += is_first_with_unit(r, i);
    snprintf(title, sizeof title, "%.60s: response to %.60s = exp(i 2 pi f t), at %d frequencies",
             r->l->job->model->cls->name, r->l->model.inputs[r->excitation], r->n);
    put_points(r, degrees, f);
    fprintf(f, "set multiplot layout %d,1 title ", panels);
    cmd_picture_words(picture, title);
    fprintf(f, "\nset grid\nset tics out nomirror\nset lmargin 12\nset rmargin 3\nset xrange [%.17g:%.17g]\n",
            r->frequency[0], r->frequency[r->n - 1]);
    fputs("set logscale xy\nset format y '%.0e'\nset key below\n", f);
    put_amplitudes(r, picture);
    fputs("unset logscale y\nset format y '%g'\nset ytics 90\nset ylabel 'phase in degrees'\n"
          "set xlabel 'frequency in Hz'\nunset key\n",
          f);
    put_plot(r, picture, 3, NULL);
    fputs("unset multiplot\n", f);
}

int cmd_response_draw(const cmd_response *r, const char *path)
{
    cmd_picture picture = {0};
    double *degrees = compute_all_phases(r);
    int code = degrees ? cmd_picture_open(&picture, path, WIDTH, HEIGHT) : cmd_no_memory();
    if (code == 0) put_script(r, degrees, &picture);
    if (code == 0) code = cmd_picture_commit(&picture);
    cmd_picture_abort(&picture);
    free(degrees);
    return code;
}
