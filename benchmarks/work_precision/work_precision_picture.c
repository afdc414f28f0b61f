/* work_precision_picture.c - the diagram: error over cpu time and over residual calls, with logarithmic axes. Lines
 * connect the measured runs of a method in the order of tolerances. Runs without a known error have no point; their
 * number is shown. */
#include "work_precision.h"

#include "program/base/complain.h"
#include "benchmarks/util/log_axis.h"

#include <stdlib.h>

/** Styles that are distinguishable with colour vision deficiency: M. Okabe, K. Ito, Color Universal Design (2008). */
static const struct {
    const char *colour;
    int point;
} styles[] = {{"#000000", 7}, {"#D55E00", 5}, {"#0072B2", 9}, {"#009E73", 11}, {"#CC79A7", 13},
              {"#E69F00", 4}, {"#56B4E9", 6}, {"#7F7F7F", 8}, {"#8B4513", 10}};

enum { N_STYLES = sizeof styles / sizeof styles[0], PER_LINE = 3 };

static const char *const labels[CMD_N_DRAWN] = {"cpu time [ms]", "residual calls"};
static const char *const formats[CMD_N_DRAWN] = {"%g", "1e%L"};

/* One legend to the right of both panels. */
static const double left[CMD_N_DRAWN] = {0.09, 0.465}, width = 0.295;
static const char *const key = "set key at screen 0.78, screen 0.9 left top Left reverse";

/** Numbers of points of each method, and ranges of the axes. */
typedef struct drawing {
    int *n_points; /**< [n_methods] */
    cmd_log_axis works[CMD_N_DRAWN], errors;
} drawing;

/** Write the data of a method. @return the number of points with a known error */
static int data(FILE *f, const cmd_method *method, int k, drawing *d)
{
    int n = 0;
    fprintf(f, "$method%d << END\n", k);
    for (int i = 0; i < method->n_rows; i++) {
        const cmd_row *row = &method->rows[i];
        const double ms = 1e3 * row->cpu_s.median, calls = (double)row->stats.residual_calls.total;
        if (row->outcome != CMD_OK || !(row->error.p > 0)) continue;
        fprintf(f, "%.9g %.0f %.9g\n", ms, calls, row->error.p);
        cmd_log_axis_take(&d->works[CMD_CPU], ms);
        cmd_log_axis_take(&d->works[CMD_CALLS], calls);
        cmd_log_axis_take(&d->errors, row->error.p);
        n++;
    }
    fputs("END\n", f);
    return n;
}

/** Write the number of runs of each method that failed or have no known error, "radau5 2/7"; per_line in a line. */
static void put_missing(const cmd_study *study, const cmd_picture *picture, const drawing *d, int per_line)
{
    int n = 0;
    char name[CMD_METHOD_SIZE], words[2 * CMD_METHOD_SIZE];
    for (int k = 0; k < study->n_methods; k++) {
        const cmd_method *method = &study->methods[k];
        int missing = method->n_rows - d->n_points[k];
        if (missing == 0) continue;
        snprintf(words, sizeof words, "%s %d/%d", cmd_method_name(method, name), missing, method->n_rows);
        fputs(n % per_line == 0 ? ".\"\\n\"." : ".\", \".", picture->script);
        cmd_picture_words(picture, words);
        n++;
    }
}

static int has_missing(const cmd_study *study, const drawing *d)
{
    int n = 0;
    for (int k = 0; k < study->n_methods; k++) n += study->methods[k].n_rows - d->n_points[k];
    return n > 0;
}

/** Draw the lines of all methods over this measure of work. */
static void lines(const cmd_study *study, const cmd_picture *picture, int which, const drawing *d)
{
    char name[CMD_METHOD_SIZE];
    const char *comma = "plot ";
    FILE *f = picture->script;
    fprintf(f, "set xlabel '%s' offset 0,0.3\nset format x '%s'\n", labels[which], formats[which]);
    cmd_log_axis_put(&d->works[which], "x", 0, f);
    cmd_log_axis_put(&d->errors, "y", 0, f);
    for (int k = 0; k < study->n_methods; k++) {
        if (d->n_points[k] == 0) continue;
        fprintf(f, "%s$method%d using %d:3 with linespoints lw %s lc rgb '%s' pt %d ps 0.9 title ", comma, k, which + 1,
                k == 0 ? "2.5" : "1.5", styles[k % N_STYLES].colour, styles[k % N_STYLES].point);
        cmd_picture_words(picture, cmd_method_name(&study->methods[k], name));
        comma = ", ";
    }
    fputc('\n', f);
}

static void panel(const cmd_study *study, const cmd_picture *picture, int which, const drawing *d)
{
    FILE *f = picture->script;
    fprintf(f, "set lmargin at screen %g\nset rmargin at screen %g\n", left[which], left[which] + width);
    fprintf(f, "%s\n", which == 0 ? "unset key" : key);
    if (which > 0) fputs("unset ylabel\nunset label\n", f); /* drawn by the first panel */
    lines(study, picture, which, d);
}

/** Write the data of all methods and collect the axes. @return 0, d->n_points to be freed; CMD_EXIT_FAILED after one
 *  error message */
static int begin(const cmd_study *study, const cmd_picture *picture, drawing *d)
{
    FILE *f = picture->script;
    int drawn = 0;
    *d = (drawing){.n_points = calloc((size_t)study->n_methods, sizeof *d->n_points)};
    for (int k = 0; d->n_points && k < study->n_methods; k++) {
        d->n_points[k] = data(f, &study->methods[k], k, d);
        drawn += d->n_points[k];
    }
    fputs("set logscale xy\nset grid\nset tics out nomirror\nset format y '1e%L'\n", f);
    fprintf(f, "set ylabel 'error of %s'\n", study->reference.model.model.is_dae ? "y" : "p");
    if (d->n_points && drawn > 0) return 0;
    cmd_complain(CMD_EXIT_FAILED, d->n_points ? "no picture: no run has a known error" : "out of memory");
    free(d->n_points);
    return CMD_EXIT_FAILED;
}

int cmd_study_draw(const cmd_study *study, const cmd_picture *picture)
{
    FILE *f = picture->script;
    drawing d;
    if (begin(study, picture, &d) != 0) return CMD_EXIT_FAILED;
    if (has_missing(study, &d)) {
        fputs("set label \"runs without a point\"", f);
        put_missing(study, picture, &d, 1);
        fputs(" at screen 0.785, screen 0.42 left font ',11'\n", f);
    }
    fprintf(f, "set multiplot layout 1,%d title ", CMD_N_DRAWN);
    cmd_picture_words(picture, study->reference.model.cls->name);
    fputc('\n', f);
    for (int w = 0; w < CMD_N_DRAWN; w++) panel(study, picture, w, &d);
    fputs("unset multiplot\n", f);
    free(d.n_points);
    return 0;
}

int cmd_study_draw_one(const cmd_study *study, const cmd_picture *picture, int which)
{
    drawing d;
    if (begin(study, picture, &d) != 0) return CMD_EXIT_FAILED;
    fputs("set key below left Left reverse maxcols 3\n", picture->script);
    if (has_missing(study, &d)) {
        fputs("set title \"runs without a point\"", picture->script);
        put_missing(study, picture, &d, PER_LINE);
        fputs(" font ',11'\n", picture->script);
    }
    lines(study, picture, which, &d);
    free(d.n_points);
    return 0;
}
