/* conditioning_picture.c - condition numbers, and last corrections in the unknowns of the scaled system, over h; a
 * panel for each method and choice of unknowns. */
#include "conditioning_study.h"

/* Can be told apart by people who see colours in other ways, from none to all scaled. */
static const struct {
    const char *colour;
    int point;
} styles[BENCH_N_SCALINGS] = {{"#000000", 7}, {"#D55E00", 5}, {"#0072B2", 9}, {"#009E73", 11}};

static void begin_panel(FILE *f, const char *method, const char *fields, const char *label)
{
    fprintf(f, "set title '%s %s'\nset ylabel '%s'\nplot ", method, fields, label);
}

static void line(FILE *f, int k, const char *comma)
{
    fprintf(f, "%s'-' using 1:2 with linespoints lw 1.5 lc rgb '%s' pt %d title '%s'", comma, styles[k].colour,
            styles[k].point, bench_scaling_names[k]);
}

static void draw_conditions(const bench_conditioning *c, int s, FILE *f)
{
    begin_panel(f, bench_system_method(s), bench_system_fields(s), "condition number");
    for (int k = 0; k < BENCH_N_SCALINGS; k++)
        if (bench_system_has(s, k)) line(f, k, k > 0 ? ", " : "");
    fputc('\n', f);
    for (int k = 0; k < BENCH_N_SCALINGS; k++) {
        if (!bench_system_has(s, k)) continue;
        for (int i = 0; i < c->n_h; i++) fprintf(f, "%.9g %.9g\n", c->h[i], c->condition[s][k][i]);
        fputs("e\n", f);
    }
}

/* Runs of the three-field form are the first ones. */
static void draw_corrections(const bench_conditioning *c, int m, int from, int n, FILE *f)
{
    begin_panel(f, bench_run_methods[m], from == 0 ? "(u,v,lam)" : "(u,lam)", "last correction |z|");
    for (int k = 0; k < n; k++) line(f, k, k > 0 ? ", " : "");
    fputc('\n', f);
    for (int k = from; k < from + n; k++) {
        for (int i = 0; i < c->n_h; i++)
            if (c->corrections[m][k][i].norm > 0) fprintf(f, "%.9g %.9g\n", c->h[i], c->corrections[m][k][i].norm);
        fputs("e\n", f);
    }
}

void bench_conditioning_draw(const bench_conditioning *c, const bench_picture *picture)
{
    static const int panels[] = {BENCH_BDF_UVL, BENCH_BDF_UL, BENCH_NM_UVL, BENCH_NM_UL};
    FILE *f = picture->script;
    fputs("set logscale xy\nset grid\nset tics out nomirror\nset format '1e%L'\nset xlabel 'h [s]'\n", f);
    fputs("set xrange [1e-1:1e-8]\nset multiplot layout 2,4 title ", f);
    bench_picture_words(picture, c->job->model->cls->name);
    fputc('\n', f);
    fputs("set key top left\n", f);
    for (int i = 0; i < 4; i++) draw_conditions(c, panels[i], f);
    fputs("set key bottom left\n", f);
    for (int m = 0; m < BENCH_N_RUN_METHODS; m++) {
        draw_corrections(c, m, 0, BENCH_N_SCALINGS, f);
        draw_corrections(c, m, BENCH_N_SCALINGS, BENCH_N_RUNS - BENCH_N_SCALINGS, f);
    }
    fputs("unset multiplot\n", f);
}
