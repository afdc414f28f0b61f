/* reproduce_impact.c - Figures 9 to 11 of C. Bottasso, O. Bauchau, A. Cardona, Time-step-size-independent conditioning
 * and sensitivity to perturbations in the numerical solution of index three differential algebraic equations, SIAM J.
 * Sci. Comput. 29 (2007) 397-414: cam and beam, step size and scaling s = k_ave + m_ave/h^2 over time, through the
 * impact. Each run is made with two Newton tests: the library's test, whose weights of the multipliers depend on h, and
 * a test whose tolerance for all unknowns is so small, regardless of h, that rounding decides whether it is
 * satisfied. */
#include "reproduce.h"

#include "program/base/complain.h"
#include "program/output/json_line.h"
#include "benchmarks/util/log_axis.h"
#include "impact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAPER       "C. Bottasso, O. Bauchau, A. Cardona, SIAM J. Sci. Comput. 29 (2007) 397-414"

#define STRICT_TEST 2e-4 /* factor of the tolerance */
enum { N_RUNS = 4, N_DRAWN = 3, WIDTH = 800, HEIGHT = 720, SHAPES_HEIGHT = 360 };

static const double local_error = 1e-7;
static const double usual_end = 0.51;                     /* s; the paper's is 1 */
static const double published_touch = 0.494;              /* s */
static const double zoom[2] = {0.4935, 0.498};            /* s */
static const double lower_part = 0.05, upper_part = 0.95; /* quantiles of the steps after the impact */

/** The runs, and the results stated in the paper. */
static const struct {
    double m_ave, newton, largest, min_later, max_later;
    const char *end;
} cases[N_RUNS] = {{0, 0, NAN, NAN, NAN, "fails"},
                   {1, 0, 1e13, 1e8, 1e11, "passes"},
                   {0, STRICT_TEST, NAN, NAN, NAN, "fails"},
                   {1, STRICT_TEST, 1e13, 1e8, 1e11, "passes"}};

typedef struct figure {
    const char *name, *number, *axis;
} figure; /* axis NULL: the configuration, drawn from the one run that passes */
static const figure figures[] = {
    {"scaling9", "Figure 9", NULL}, {"scaling10", "Figure 10", "h [s]"}, {"scaling11", "Figure 11", "s"}};

typedef struct measured {
    const figure *of;
    int n_runs;
    double t_end;
    cmd_impact runs[N_RUNS];
} measured;

/** Summary of the steps of a run; NaN: not reached. */
typedef struct digest {
    double touch, min_h, largest, later[2];
} digest;

/* Compute the range of s over the steps after the impact, without the lowest and the highest twentieth. */
static void range_later(double range[2], const cmd_impact *run)
{
    long first = 0;
    while (first < run->n && run->t[first] <= zoom[1]) first++;
    const long n = run->n - first;
    double *sorted = n > 0 ? malloc((size_t)n * sizeof *sorted) : NULL;
    range[0] = range[1] = NAN;
    if (!sorted) return;
    memcpy(sorted, run->s + first, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, cmd_by_value);
    range[0] = sorted[(long)(lower_part * (double)(n - 1))];
    range[1] = sorted[(long)(upper_part * (double)(n - 1))];
    free(sorted);
}

static digest digest_of(const cmd_impact *run)
{
    digest d = {run->shapes[CMD_IMPACT_TOUCH].t, NAN, NAN, {NAN, NAN}};
    for (long i = 0; i < run->n; i++) {
        d.min_h = fmin(d.min_h, run->h[i]);
        d.largest = fmax(d.largest, run->s[i]);
    }
    range_later(d.later, run);
    return d;
}

/* --- pictures --- */

static void panel(const cmd_impact *runs, const figure *f, double from, double to, FILE *s)
{
    static const char *const looks[N_DRAWN] = {"lw 4 dt 2 lc rgb '#e0a090'", "lw 1 dt 1 lc rgb '#3060a0'",
                                               "lw 1.5 dt 3 lc rgb '#c03020'"};
    const int is_h = strcmp(f->axis, "s") != 0;
    fprintf(s, "set xrange [%.9g:%.9g]\nplot ", from, to);
    for (int k = 0; k < N_DRAWN; k++)
        fprintf(s, "%s$run%d using 1:%d with lines %s title 'm_ave = %g%s%s'", k > 0 ? ", " : "", k, is_h ? 2 : 3,
                looks[k], runs[k].m_ave, runs[k].newton > 0 ? ", strict test" : "",
                runs[k].status < 0 ? ", fails" : "");
    fputc('\n', s);
}

/* Draw the whole run in the upper panel and the impact in the lower panel. */
static void draw_steps(const void *all, const cmd_picture *picture)
{
    const measured *m = all;
    const cmd_impact *runs = m->runs;
    const figure *f = m->of;
    const double t_end = m->t_end;
    FILE *s = picture->script;
    cmd_log_axis y = {0};
    for (int k = 0; k < N_DRAWN; k++) {
        fprintf(s, "$run%d << END\n", k);
        for (long i = 0; i < runs[k].n; i++) {
            fprintf(s, "%.9g %.9g %.9g\n", runs[k].t[i], runs[k].h[i], runs[k].s[i]);
            cmd_log_axis_take(&y, strcmp(f->axis, "s") == 0 ? runs[k].s[i] : runs[k].h[i]);
        }
        fputs("END\n", s);
    }
    cmd_picture_log_axes(picture, "t [s]", f->axis);
    fputs("unset logscale x\nset format x '%g'\n", s);
    cmd_log_axis_put(&y, "y", 0, s);
    fprintf(s, "set multiplot layout 2,1\nset title \"" PAPER "\\n%s: cam-contact by generalized-alpha\"\n", f->number);
    panel(runs, f, 0, t_end, s);
    fputs("set title 's at the impact'\n", s);
    panel(runs, f, t_end > zoom[0] ? zoom[0] : 0, fmin(zoom[1], t_end), s);
    fputs("unset multiplot\n", s);
}

static void draw_shapes(const void *all, const cmd_picture *picture)
{
    const measured *m = all;
    const cmd_impact *run = m->runs;
    const figure *f = m->of;
    static const char *const looks[] = {"dt 3 lc rgb '#808080'", "dt 1 lc rgb '#3060a0'", "dt 2 lc rgb '#c03020'"};
    FILE *s = picture->script;
    const char *comma = "";
    fprintf(s, "set title \"" PAPER "\\n%s: cam, and beam with bodies at its midspan and its end\"\n", f->number);
    fputs("set size ratio -1\nset xlabel 'x [m]'\nset ylabel 'y [m]'\nset key below\nset xrange [-0.1:2.5]\nset yrange "
          "[-0.4:0.15]\nset ytics 0.1\nplot ",
          s);
    for (int k = 0; k < CMD_IMPACT_SHAPES; k++)
        if (!isnan(run->shapes[k].t)) {
            fprintf(s, "%s'-' using 1:2 with linespoints lw 2 pt 7 ps 0.4 %s title 't = %.4g s'", comma, looks[k],
                    run->shapes[k].t);
            comma = ", ";
        }
    fputc('\n', s);
    for (int k = 0; k < CMD_IMPACT_SHAPES; k++) {
        const cmd_impact_shape *shape = &run->shapes[k];
        for (int i = 0; i < CMD_IMPACT_NODES && !isnan(shape->t); i++)
            fprintf(s, "%s%.9g %.9g\n", i == CMD_IMPACT_BEAM ? "\n" : "", shape->x[i], shape->y[i]);
        if (!isnan(shape->t)) fputs("e\n", s);
    }
}

/* --- numbers --- */

static const char *range(double least, double most)
{
    return isnan(least) ? "-" : cmd_number("%.0e .. %.0e", least, most);
}

static void add_row(cmd_table *table, const cmd_impact *run, int k)
{
    const digest d = digest_of(run);
    cmd_table_cells(table, "%g\t%s\t%s\t%ld\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", run->m_ave,
                    run->newton > 0 ? cmd_number("%g", run->newton) : "aware of h", cmd_format_or_dash("%.6f", d.touch),
                    run->n, cmd_format_or_dash("%.0e", d.min_h), cmd_format_or_dash("%.0e", d.largest),
                    range(d.later[0], d.later[1]),
                    cmd_number(run->status < 0 ? "fails at %.6f" : "%g", run->n > 0 ? run->t[run->n - 1] : 0),
                    cmd_format_or_dash("%.3f", published_touch), cmd_format_or_dash("%.0e", cases[k].largest),
                    range(cases[k].min_later, cases[k].max_later), cases[k].end);
}

static void print_text(const void *all, const char *path)
{
    const measured *m = all;
    const figure *f = m->of;
    cmd_table table;
    cmd_table_begin(&table, "m_ave\t<Newton test\tcontact\tsteps\tmin h\tmax s\ts later\tend\tcontact@paper\tmax "
                            "s@paper\ts later@paper\t<end@paper");
    for (int k = 0; k < m->n_runs; k++) add_row(&table, &m->runs[k], f->axis ? k : 1);
    printf("%s of " PAPER ":\ncam-contact in index 3 by generalized-alpha. h = 1e-2 s up to 0.4 s, then error control "
           "with tolerance 1e-7.\ns = %g + m_ave/h^2. Times in s.\n\n",
           f->number, cmd_impact_k_ave);
    cmd_table_print(&table, 2, stdout);
    printf("\nThe column contact is not a result. The paper does not state the position of the hinge of the cam. The "
           "model places\nit so that rigid bodies touch at the published time, %g s.\n",
           published_touch);
    if (f->axis)
        puts("\nNewton test: \"aware of h\" is the test of the library, which scales the weights of multipliers by h "
             "and does not need\nm_ave. A number is a strict tolerance for all unknowns in the units of the scaling, "
             "2e-4 of the tolerance. It is close\nto the rounding errors, which decide if a run fails; m_ave = 0 may "
             "fail or succeed. s later: range over the steps\nafter 0.498 s, without the smallest and the largest 5 %. "
             "The paper ends at 1 s; use --t-end 1 for the same end time.");
    printf("%sPicture%s: %s\n", f->axis ? "" : "\n", f->axis ? ", without the last run" : "", path);
}

static json_t *paper_json(int k, const figure *f)
{
    const double later[] = {cases[k].min_later, cases[k].max_later};
    return CMD_OBJECT({"source", cmd_json_text(PAPER)}, {"figure", cmd_json_text(f->number)},
                      {"contact", cmd_json_real(published_touch)}, {"contact_places_hinge", json_true()},
                      {"largest_s", cmd_json_real(cases[k].largest)}, {"later_s", cmd_json_reals(later, 2, 1)},
                      {"end", cmd_json_text(cases[k].end)});
}

static json_t *run_json(const void *all, int i)
{
    const measured *m = all;
    const cmd_impact *run = &m->runs[i];
    const figure *f = m->of;
    const digest d = digest_of(run);
    return CMD_OBJECT({"problem", cmd_json_text("cam-contact")}, {"method", cmd_json_text("generalized-alpha")},
                      {"m_ave", cmd_json_real(run->m_ave)}, {"k_ave", cmd_json_real(cmd_impact_k_ave)},
                      {"newton_tolerance", cmd_json_real(run->newton > 0 ? run->newton : NAN)},
                      {"status", cmd_json_text(run->status < 0 ? "failed" : "ok")},
                      {"message", cmd_json_text(run->why.text)},
                      {"t_reached", cmd_json_real(run->shapes[CMD_IMPACT_END].t)}, {"contact", cmd_json_real(d.touch)},
                      {"min_h", cmd_json_real(d.min_h)}, {"largest_s", cmd_json_real(d.largest)},
                      {"later_s", cmd_json_reals(d.later, 2, 1)}, {"impulse", cmd_json_real(run->impulse)},
                      {"t", cmd_json_reals(run->t, run->n, 1)}, {"h", cmd_json_reals(run->h, run->n, 1)},
                      {"s", cmd_json_reals(run->s, run->n, 1)}, {"published", paper_json(f->axis ? i : 1, f)});
}

/* --- */

static int measure(void *all, const cmd_settings *s)
{
    measured *m = all;
    const cmd_case cam = {.model = "cam-contact",
                          .rtol = local_error,
                          .atol = local_error,
                          .t_end = cmd_value_or(s->t_end, usual_end),
                          .parameter_names = {"elements", "order"},
                          .values = {cmd_impact_elements, cmd_impact_order}};
    cmd_settings own = *s;
    cmd_open_case open;
    own.problem.form = "index3";
    int code = cmd_case_open(&open, &own, &cam);
    for (int i = 0; i < m->n_runs && code == 0; i++) {
        const int k = m->of->axis ? i : 1;
        m->runs[i].m_ave = cases[k].m_ave, m->runs[i].newton = cases[k].newton;
        code = cmd_impact_run(&m->runs[i], &open.job);
    }
    m->t_end = open.job.t_end;
    cmd_case_close(&open);
    return code;
}

int cmd_reproduce_impact(const cmd_settings *s)
{
    measured m = {.of = figures};
    while (strcmp(m.of->name, s->words[0]) != 0) m.of++;
    m.n_runs = m.of->axis ? N_RUNS : 1;
    const cmd_drawing drawing = {WIDTH,      m.of->axis ? HEIGHT : SHAPES_HEIGHT,
                                 measure,    m.of->axis ? draw_steps : draw_shapes,
                                 print_text, run_json,
                                 m.n_runs};
    const int code = cmd_drawing_make(&drawing, &m, s);
    for (int i = 0; i < N_RUNS; i++) cmd_impact_free(&m.runs[i]);
    return code;
}
