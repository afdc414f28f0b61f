/* conditioning_picture.c - plots condition numbers and last corrections (in the unknowns of the scaled system) over h.
 * Each method and choice of unknowns has a panel; one legend below all panels names the lines. */
#include "conditioning_study.h"

#include "benchmarks/util/log_axis.h"

#include <math.h>

/* Line styles from unscaled to fully scaled. The colours are distinguishable with colour vision deficiency. */
static const struct {
    const char *colour;
    int point;
} styles[CMD_N_SCALINGS] = {{"#000000", 7}, {"#D55E00", 5}, {"#0072B2", 9}, {"#009E73", 11}};

enum { N_PANELS = 4, WORDS = 160 };

/** A panel: each line has one value per h; NaN: no value. */
typedef struct panel {
    const char *method, *fields, *label;
    const double *values[CMD_N_SCALINGS]; /**< [n_h]; NULL: the line does not exist */
} panel;

static int is_point(double value)
{
    return value > 0 && isfinite(value);
}

/** Write "no point: none 3, left 1 of 8" with the number of missing points of each line, or "" if none is missing. */
static void say_missing(const panel *p, int n_h, char text[WORDS])
{
    int used = 0;
    text[0] = 0;
    for (int k = 0; k < CMD_N_SCALINGS; k++) {
        int n = 0;
        for (int i = 0; i < n_h && p->values[k]; i++) n += !is_point(p->values[k][i]);
        if (n > 0)
            used += snprintf(text + used, (size_t)(WORDS - used), "%s%s %d",
                             used > 0 ? ", " : "missing points: ", cmd_scaling_names[k], n);
    }
    if (used > 0) snprintf(text + used, (size_t)(WORDS - used), " of %d", n_h);
}

static void put_data(const panel *p, const double *h, int n_h, FILE *f)
{
    cmd_log_axis axis = {0};
    for (int k = 0; k < CMD_N_SCALINGS; k++) {
        fprintf(f, "$line%d << END\n", k);
        for (int i = 0; i < n_h && p->values[k]; i++) {
            if (is_point(p->values[k][i])) fprintf(f, "%.9g %.9g\n", h[i], p->values[k][i]);
            cmd_log_axis_take(&axis, p->values[k][i]);
        }
        fputs("END\n", f);
    }
    fputs("set yrange [*:*]\n", f);
    cmd_log_axis_put(&axis, "y", 0, f);
}

static void put_panel(const panel *p, const double *h, int n_h, FILE *f)
{
    char missing[WORDS];
    const char *comma = "plot ";
    put_data(p, h, n_h, f);
    say_missing(p, n_h, missing);
    fprintf(f, "set title \"%s %s%s%s\"\nset ylabel '%s'\n", p->method, p->fields, missing[0] ? "\\n" : "", missing,
            p->label);
    for (int k = 0; k < CMD_N_SCALINGS; k++) {
        if (!p->values[k]) continue;
        fprintf(f, "%s$line%d using 1:2 with linespoints lw 1.5 lc rgb '%s' pt %d title '%s'", comma, k,
                styles[k].colour, styles[k].point, cmd_scaling_names[k]);
        comma = ", ";
    }
    fputs("\nunset key\n", f);
}

static void put_conditions(const cmd_conditioning_work *c, int s, FILE *f)
{
    panel p = {cmd_system_method(s), cmd_system_fields(s), "condition number", {NULL}};
    for (int k = 0; k < CMD_N_SCALINGS; k++)
        if (cmd_system_has(s, k)) p.values[k] = c->condition[s][k];
    put_panel(&p, c->h, c->n_h, f);
}

/* Draw the panel of corrections of method m. Scalings from .. from + n - 1 belong to one choice of unknowns; those from
 * 0 on belong to (u,v,lam). */
static void put_corrections(const cmd_conditioning_work *c, int m, int from, int n, FILE *f)
{
    double norms[CMD_N_SCALINGS][CMD_H_MAX];
    panel p = {cmd_run_methods[m], from == 0 ? "(u,v,lam)" : "(u,lam)", "last correction |z|", {NULL}};
    for (int k = 0; k < n; k++) {
        const cmd_corrections *z = c->corrections[m][from + k];
        for (int i = 0; i < c->n_h; i++) norms[k][i] = z[i].steps > 0 ? z[i].norm : NAN;
        p.values[k] = norms[k];
    }
    put_panel(&p, c->h, c->n_h, f);
}

void cmd_conditioning_draw(const cmd_conditioning_work *c, const cmd_picture *picture)
{
    static const int panels[N_PANELS] = {CMD_BDF_UVL, CMD_BDF_UL, CMD_NM_UVL, CMD_NM_UL};
    FILE *f = picture->script;
    cmd_log_axis h = {0};
    for (int i = 0; i < c->n_h; i++) cmd_log_axis_take(&h, c->h[i]);
    fputs("set logscale xy\nset grid\nset tics out nomirror\nset format '1e%L'\nset xlabel 'h [s]'\n", f);
    cmd_log_axis_put(&h, "x", 1, f);
    fprintf(f, "set multiplot layout 2,%d margins 0.065,0.99,0.15,0.87 spacing 0.066,0.21 title ", N_PANELS);
    cmd_picture_words(picture, c->job->model->cls->name);
    fputs("\nset key at screen 0.5, screen 0.03 center center horizontal maxrows 1\n", f);
    for (int i = 0; i < N_PANELS; i++) put_conditions(c, panels[i], f);
    for (int m = 0; m < CMD_N_RUN_METHODS; m++) {
        put_corrections(c, m, 0, CMD_N_SCALINGS, f);
        put_corrections(c, m, CMD_N_SCALINGS, CMD_N_RUNS - CMD_N_SCALINGS, f);
    }
    fputs("unset multiplot\n", f);
}
