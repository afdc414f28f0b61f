/* work_precision_picture.c - the diagram: error over cpu time, and over residual calls, both axes logarithmic. The
 * lines join the runs of a method from one tolerance to the next, as they were measured; runs without a known error
 * have no point. */
#include "work_precision.h"

#include "command/base/complain.h"

#include <stdlib.h>

/** Can be told apart by people who see colours in other ways: M. Okabe, K. Ito, Color Universal Design (2008). */
static const struct {
    const char *colour;
    int point;
} styles[] = {{"#000000", 7}, {"#D55E00", 5}, {"#0072B2", 9}, {"#009E73", 11}, {"#CC79A7", 13},
              {"#E69F00", 4}, {"#56B4E9", 6}, {"#7F7F7F", 8}, {"#8B4513", 10}};

enum { N_STYLES = sizeof styles / sizeof styles[0] };

static const char *const labels[BENCH_N_DRAWN] = {"cpu time [ms]", "residual calls"};

/* The names of the lines stand once, to the right of both panels. */
static const double left[BENCH_N_DRAWN] = {0.09, 0.48}, width = 0.34;
static const char *const key = "set key at screen 0.85, screen 0.9 left top Left reverse";

/** @return points with a known error */
static int data(FILE *f, const bench_method *method, int k)
{
    int n = 0;
    fprintf(f, "$method%d << END\n", k);
    for (int i = 0; i < method->n_rows; i++) {
        const bench_row *row = &method->rows[i];
        if (row->outcome != BENCH_OK || !(row->error.p > 0)) continue;
        fprintf(f, "%.9g %ld %.9g\n", 1e3 * row->cpu_s.median, row->stats.residual_calls.total, row->error.p);
        n++;
    }
    fputs("END\n", f);
    return n;
}

/** The lines of all methods over this work. */
static void lines(const bench_study *study, const bench_picture *picture, int which, const int *n_points)
{
    char name[BENCH_METHOD_SIZE];
    const char *comma = "plot ";
    FILE *f = picture->script;
    fprintf(f, "set xlabel '%s'\n", labels[which]);
    for (int k = 0; k < study->n_methods; k++) {
        if (n_points[k] == 0) continue;
        fprintf(f, "%s$method%d using %d:3 with linespoints lw %s lc rgb '%s' pt %d ps 0.9 title ", comma, k, which + 1,
                k == 0 ? "2.5" : "1.5", styles[k % N_STYLES].colour, styles[k % N_STYLES].point);
        bench_picture_words(picture, bench_method_name(&study->methods[k], name));
        comma = ", ";
    }
    fputc('\n', f);
}

static void panel(const bench_study *study, const bench_picture *picture, int which, const int *n_points)
{
    FILE *f = picture->script;
    fprintf(f, "set lmargin at screen %g\nset rmargin at screen %g\n", left[which], left[which] + width);
    fprintf(f, "%s\n", which == 0 ? "unset key" : key);
    if (which > 0) fputs("unset ylabel\n", f);
    lines(study, picture, which, n_points);
}

/** Data of all methods and axes. @return [n_methods] points of each, to be freed; NULL after one complaint */
static int *begin(const bench_study *study, const bench_picture *picture)
{
    FILE *f = picture->script;
    int *n_points = calloc((size_t)study->n_methods, sizeof *n_points), drawn = 0;
    for (int k = 0; n_points && k < study->n_methods; k++) {
        n_points[k] = data(f, &study->methods[k], k);
        drawn += n_points[k];
    }
    fputs("set logscale xy\nset grid\nset tics out nomirror\nset format y '1e%L'\n", f);
    fprintf(f, "set ylabel 'error of %s'\n", study->reference.model.model.is_dae ? "y" : "p");
    if (n_points && drawn > 0) return n_points;
    bench_complain(BENCH_EXIT_FAILED, n_points ? "nothing to draw: no run has a known error" : "out of memory");
    free(n_points);
    return NULL;
}

int bench_study_draw(const bench_study *study, const bench_picture *picture)
{
    FILE *f = picture->script;
    int *n_points = begin(study, picture);
    if (!n_points) return BENCH_EXIT_FAILED;
    fprintf(f, "set multiplot layout 1,%d title ", BENCH_N_DRAWN);
    bench_picture_words(picture, study->reference.model.cls->name);
    fputc('\n', f);
    for (int w = 0; w < BENCH_N_DRAWN; w++) panel(study, picture, w, n_points);
    fputs("unset multiplot\n", f);
    free(n_points);
    return 0;
}

int bench_study_draw_one(const bench_study *study, const bench_picture *picture, int which)
{
    int *n_points = begin(study, picture);
    if (!n_points) return BENCH_EXIT_FAILED;
    fputs("set key below left Left reverse maxcols 3\n", picture->script);
    lines(study, picture, which, n_points);
    free(n_points);
    return 0;
}
