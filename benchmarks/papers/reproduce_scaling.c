/* reproduce_scaling.c - Figures 1 to 8 of C. Bottasso, O. Bauchau, A. Cardona, Time-step-size-independent conditioning
 * and sensitivity to perturbations in the numerical solution of index three differential algebraic equations, SIAM J.
 * Sci. Comput. 29 (2007) 397-414: the pendulum (31) by BDF2 up to t = 1e-3, with Newton iterations until corrections
 * stop decreasing, (33); and the squeezing mechanism by Newmark's method, from the slides of C. Bottasso, D. Dopico, L.
 * Trainelli. Numbers can be read from one figure only. The published values are the exponents of h that the figures
 * confirm, (11) to (52). */
#include "reproduce.h"

#include "program/base/complain.h"
#include "benchmarks/conditioning/conditioning.h"
#include "program/output/json_line.h"
#include "benchmarks/util/log_axis.h"

#include <math.h>
#include <string.h>

#define PAPER  "C. Bottasso, O. Bauchau, A. Cardona, SIAM J. Sci. Comput. 29 (2007) 397-414"
#define SLIDES "C. Bottasso, D. Dopico, L. Trainelli, Optimal scaling of index three DAEs (2006)"
#define T_END  1e-3
#define LAMBDA 0.5 /* lam of the model is -1/2 times lam of (31) */

enum { LINES_MAX = 6, H_MAX = 5, WIDTH = 800, HEIGHT = 600 };

/** Quantities: condition number; norm of the corrections, and of each field, in the unknowns of the scaled system. */
typedef enum quantity { CONDITION, NORM, OF_P, OF_V, OF_LAM } quantity;
static const char *const quantity_names[] = {"condition", "|z|", "z_u", "z_v", "z_lam"};

typedef struct line {
    const char *figure;
    const char *scaling; /**< name of the library's scaling */
    quantity what;
    double exponent;   /**< published exponent of h; NaN: none */
    double saturation; /**< published value at the last h; NaN: none */
    int system, kind;  /**< iteration matrix and its scaling, for the condition number */
} line;

/* A row of a data file; NONE: a number that is not printed. */
#define ROW(...) {__VA_ARGS__},
#define NONE     NAN

static const line all_lines[] = {
#include "scaling.csv.inc"
};
enum { N_ALL_LINES = sizeof all_lines / sizeof *all_lines };

typedef struct figure {
    const char *name, *number, *source, *model, *method;
    long steps; /**< of each run; 0: the number of steps up to T_END */
} figure;

#define PENDULUM(name, number) name, "Figure " number, PAPER, "pendulum", "bdf2", 0

static const figure figures[] = {
    {PENDULUM("scaling1", "1")},
    {PENDULUM("scaling2", "2")},
    {PENDULUM("scaling3", "3")},
    {PENDULUM("scaling4", "4")},
    {PENDULUM("scaling5", "5")},
    {PENDULUM("scaling6", "6")},
    {PENDULUM("scaling7", "7")},
    {PENDULUM("scaling8", "8")},
    {"scaling-andrews", "Numerical example", SLIDES, "andrews", "newmark", 50},
};
static const double step_sizes[H_MAX] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
static const double only_step_size = 1e-7; /* step size of Figure 1 */

/** Measured values over h, and their exponents. */
typedef struct measured {
    const figure *of;
    const line *lines; /**< [n] */
    int n;
    const double *h; /**< [n_h] */
    int n_h;
    double values[LINES_MAX][H_MAX], exponents[LINES_MAX];
    cmd_corrections corrections[H_MAX]; /**< of the current scaling */
} measured;

static double pick(const cmd_corrections *c, const line *l)
{
    const int by_v = strcmp(l->scaling, "lam+v") == 0, by_lam = strstr(l->scaling, "lam") != NULL;
    return l->what == NORM   ? c->norm
           : l->what == OF_P ? c->p
           : l->what == OF_V ? (by_v ? c->scaled_v : c->v)
                             : (by_lam ? c->scaled_lam : c->lam);
}

static int run_all(measured *m, const line *l, const cmd_job *job)
{
    int code = 0;
    resida_message why;
    const figure *f = m->of;
    for (int i = 0; i < m->n_h && code == 0; i++) {
        const long steps = f->steps > 0 ? f->steps : lround(T_END / m->h[i]);
        const double lam_unit = strcmp(f->model, "pendulum") == 0 ? LAMBDA : 1;
        const cmd_rounding_run run = {f->method, l->scaling, m->h[i], steps, lam_unit};
        code = cmd_corrections_run(&m->corrections[i], job, &run, &why);
    }
    return code == CMD_EXIT_FAILED ? cmd_complain(code, "%s", why.text) : code;
}

/* Measure all lines. Consecutive lines with the same scaling share one series of runs. */
static int measure(measured *m, const cmd_job *job)
{
    cmd_blocks b;
    int code = cmd_blocks_make(&b, job);
    for (int k = 0; k < m->n && code == 0; k++) {
        const line *l = &m->lines[k];
        double *values = m->values[k];
        if (l->what == CONDITION)
            for (int i = 0; i < m->n_h; i++) values[i] = cmd_condition(&b, l->system, l->kind, m->h[i]);
        else if (k == 0 || strcmp(l->scaling, m->lines[k - 1].scaling) != 0)
            code = run_all(m, l, job);
        for (int i = 0; i < m->n_h && l->what != CONDITION; i++) values[i] = pick(&m->corrections[i], l);
        m->exponents[k] = cmd_slope(m->h, values, 1, m->n_h);
    }
    cmd_blocks_free(&b);
    return code;
}

static void draw(const void *all, const cmd_picture *picture)
{
    const measured *m = all;
    const figure *f = m->of;
    FILE *s = picture->script;
    cmd_picture_log_axes(picture, "h [s]", m->lines[0].what == CONDITION ? "condition number" : "last corrections");
    cmd_log_axis h = {0}, y = {0};
    for (int i = 0; i < m->n_h; i++) cmd_log_axis_take(&h, m->h[i]);
    for (int k = 0; k < m->n; k++)
        for (int i = 0; i < m->n_h; i++) cmd_log_axis_take(&y, m->values[k][i]);
    cmd_log_axis_put(&h, "x", 0, s);
    cmd_log_axis_put(&y, "y", 0, s);
    fprintf(s, "set title \"%s\\n%s: %s by %s\"\nplot ", f->source, f->number, f->model, f->method);
    for (int k = 0; k < m->n; k++)
        fprintf(s, "%s'-' using 1:2 with linespoints lw 1.5 pt %d title '%s, %s'", k > 0 ? ", " : "", 4 + k,
                quantity_names[m->lines[k].what], m->lines[k].scaling);
    fputc('\n', s);
    for (int k = 0; k < m->n; k++) {
        for (int i = 0; i < m->n_h; i++) fprintf(s, "%.9g %.9g\n", m->h[i], m->values[k][i]);
        fputs("e\n", s);
    }
}

static void print_text(const void *all, const char *path)
{
    const measured *m = all;
    const figure *f = m->of;
    cmd_table table;
    cmd_table_begin(&table, "<quantity\t<scaling\th\tvalue\tpublished\texponent\tpublished");
    for (int k = 0; k < m->n; k++)
        for (int i = 0; i < m->n_h; i++) {
            const int last = i + 1 == m->n_h;
            cmd_table_cells(&table, "%s\t%s\t%.0e\t%s\t%s\t%s\t%s", quantity_names[m->lines[k].what],
                            m->lines[k].scaling, m->h[i], cmd_format_or_dash("%.1e", m->values[k][i]),
                            cmd_format_or_dash("%.0e", last ? m->lines[k].saturation : NAN),
                            cmd_format_or_dash("%.2f", last ? m->exponents[k] : NAN),
                            cmd_format_or_dash("%.0f", last ? m->lines[k].exponent : NAN));
        }
    printf("%s of %s: %s by %s.\n\n", f->number, f->source, f->model, f->method);
    cmd_table_print(&table, 2, stdout);
    printf(
        "\ncondition number: iteration matrix at the start, 2-norm. last corrections: last decreasing Newton "
        "corrections in the\nunknowns of the scaled system, maximum over all steps (Figure 1 of the paper: one step). "
        "exponent: exponent of h,\nwithout the largest h; published: from the equations of the paper. Picture: %s\n",
        path);
}

static json_t *line_json(const void *all, int k)
{
    const measured *m = all;
    const figure *f = m->of;
    const line *l = &m->lines[k];
    json_t *paper = CMD_OBJECT({"source", cmd_json_text(f->source)}, {"figure", cmd_json_text(f->number)},
                               {"exponent", cmd_json_real(l->exponent)}, {"value", cmd_json_real(l->saturation)});
    return CMD_OBJECT({"problem", cmd_json_text(f->model)}, {"method", cmd_json_text(f->method)},
                      {"scaling", cmd_json_text(l->scaling)}, {"quantity", cmd_json_text(quantity_names[l->what])},
                      {"h", cmd_json_reals(m->h, m->n_h, 1)}, {"values", cmd_json_reals(m->values[k], m->n_h, 1)},
                      {"exponent", cmd_json_real(m->exponents[k])}, {"published", paper});
}

static int run(void *all, const cmd_settings *s)
{
    measured *m = all;
    const int is_pendulum = strcmp(m->of->model, "pendulum") == 0;
    const cmd_case c = {.model = m->of->model,
                        .rtol = NAN,
                        .atol = NAN,
                        .t_end = NAN,
                        .parameter_names = {is_pendulum ? "g" : NULL},
                        .values = {1}};
    cmd_settings own = *s;
    cmd_open_case open;
    own.problem.form = "index3";
    int code = cmd_case_open(&open, &own, &c);
    if (code == 0) code = measure(m, &open.job);
    cmd_case_close(&open);
    return code;
}

int cmd_reproduce_scaling(const cmd_settings *s)
{
    measured m = {.of = figures, .lines = all_lines, .h = step_sizes, .n_h = H_MAX};
    while (strcmp(m.of->name, s->words[0]) != 0) m.of++;
    while (strcmp(m.lines->figure, m.of->name) != 0) m.lines++;
    while (m.lines + m.n < all_lines + N_ALL_LINES && strcmp(m.lines[m.n].figure, m.of->name) == 0) m.n++;
    if (m.of == figures) m.h = &only_step_size, m.n_h = 1;
    const cmd_drawing drawing = {WIDTH, HEIGHT, run, draw, print_text, line_json, m.n};
    return cmd_drawing_make(&drawing, &m, s);
}
