/* reproduce_convergence.c - Figure 4 of O. Bauchau, A. Epple, C. Bottasso, Scaling of Constraints and Augmented
 * Lagrangian Formulations in Multibody Dynamics Simulations, for the strip whose tip is bent by a crank: the error of
 * Radau IIA, of the energy-decaying scheme and of HHT over the inverse of the step size, in index 3 with all fields
 * scaled. Numbers cannot be read from the figure. The figure shows convergence down to the smallest steps.
 *
 * The paper takes Radau IIA with steps of 5 us over 1.6 s as reference. Here the strip has two elements, crank, link
 * and connector have one each, and the interval ends before the strip buckles. The energy-decaying scheme requires a
 * regular mass matrix and smaller steps than the other methods (src/core/fixed/method_energy.c). */
#include "reproduce.h"

#include "program/base/complain.h"
#include "benchmarks/conditioning/conditioning.h"
#include "program/output/json_line.h"
#include "benchmarks/util/log_axis.h"
#include "program/process/signals.h"

#include <math.h>
#include <string.h>

#define MODEL     "tip-crank"
#define T_END     0.04 /* s */
#define LONGEST   4e-3 /* largest step size [s]; the others are this one divided by powers of 2 */
#define REFERENCE "radau-iia-3"
#define PAPER     "O. Bauchau, A. Epple, C. Bottasso, Scaling of constraints and augmented Lagrangian formulations"

#define ROUNDING  3e-12 /* m: errors below this value do not show the order */

enum { N_METHODS = 4, N_STEPS = 8, REFERENCE_HALVES = 5, FITTED = 3, N_PLACES = 3, WIDTH = 800, HEIGHT = 600 };

/** Coordinates of the middle node of the strip with two cubic elements. */
static const char *const coordinates[N_PLACES] = {"x4", "y4", "z4"};

/** The methods, their orders in p for index 3, and the indices first .. last of the step sizes of their runs. */
static const struct {
    const char *method, *words;
    double order;
    int first, last;
} methods[N_METHODS] = {{"radau-iia-2", "Radau IIA, 2 stages", 3, 0, 5},
                        {"radau-iia-3", "Radau IIA, 3 stages", 5, 0, 3},
                        {"energy-decaying", "energy decaying", 2, 4, 7},
                        {"hht", "HHT", 2, 0, 6}};

typedef struct measured {
    double h[N_STEPS], errors[N_METHODS][N_STEPS], orders[N_METHODS]; /* NaN: not run */
} measured;

/* --- measurement --- */

/** Integrate with step size h and return the position of the midspan at T_END. */
static resida_status place_at_end(const cmd_job *job, resida_problem *problem, const char *method, double h,
                                  double *place, resida_message *why)
{
    const resida_model *m = &job->model->model;
    resida_solver_options o;
    resida_solver *solver;
    resida_state state;
    int at[N_PLACES];
    if (cmd_places_find(&m->mechanism, N_PLACES, coordinates, at) != 0) {
        snprintf(why->text, sizeof why->text, "%s has no %s", MODEL, coordinates[0]);
        return RESIDA_ERR_MODEL;
    }
    cmd_job_options(job, &o);
    o.method = method, o.step = h, o.t_stop = INFINITY;
    o.monitor = cmd_signal_monitor;
    resida_status status = resida_solver_create(&solver, problem, &o, why);
    if (status < 0) return status;
    status = resida_solver_start(solver, m->t0, m->p0, m->v0, NULL, NULL);
    if (status >= 0) status = resida_solver_advance(solver, T_END);
    if (status >= 0) status = resida_solver_state(solver, &state);
    if (status < 0) snprintf(why->text, sizeof why->text, "%s", resida_solver_message(solver));
    for (int k = 0; k < N_PLACES && status >= 0; k++) place[k] = state.p[at[k]];
    resida_solver_free(solver);
    return status;
}

/** Return the slope of the last errors above rounding. */
static double order(const measured *m, int k)
{
    int n = methods[k].last + 1;
    while (n > methods[k].first + FITTED && m->errors[k][n - 1] < ROUNDING) n--;
    return cmd_slope(m->h, m->errors[k], n - FITTED, n);
}

static resida_status measure_method(measured *out, int k, const cmd_job *job, resida_problem *problem,
                                    const double *reference, resida_message *why)
{
    for (int i = 0; i < N_STEPS; i++) {
        double place[N_PLACES];
        out->h[i] = LONGEST / pow(2, i);
        out->errors[k][i] = NAN;
        if (i < methods[k].first || i > methods[k].last) continue;
        const resida_status status = place_at_end(job, problem, methods[k].method, out->h[i], place, why);
        if (status < 0) return status;
        out->errors[k][i] = 0;
        for (int c = 0; c < N_PLACES; c++) out->errors[k][i] = fmax(out->errors[k][i], fabs(place[c] - reference[c]));
    }
    out->orders[k] = order(out, k);
    return RESIDA_OK;
}

static int measure(measured *out, const cmd_job *job)
{
    resida_problem *problem;
    resida_message why = {""};
    double reference[N_PLACES];
    resida_status status = cmd_problem_open(job, &problem, &why);
    if (status < 0) return cmd_complain(CMD_EXIT_FAILED, "%s", why.text);
    status = place_at_end(job, problem, REFERENCE, LONGEST / pow(2, REFERENCE_HALVES), reference, &why);
    for (int k = 0; k < N_METHODS && status >= 0; k++) status = measure_method(out, k, job, problem, reference, &why);
    resida_problem_free(problem);
    if (cmd_signal_caught()) return 128 + cmd_signal_caught();
    return status < 0 ? cmd_complain(CMD_EXIT_FAILED, "%s", why.text) : 0;
}

/* --- output --- */

static void draw(const void *all, const cmd_picture *picture)
{
    const measured *m = all;
    FILE *s = picture->script;
    cmd_picture_log_axes(picture, "1/h [1/s]", "error of the midspan [m]");
    cmd_log_axis x = {0}, y = {0};
    for (int i = 0; i < N_STEPS; i++) cmd_log_axis_take(&x, 1 / m->h[i]);
    for (int k = 0; k < N_METHODS; k++)
        for (int i = methods[k].first; i <= methods[k].last; i++) cmd_log_axis_take(&y, m->errors[k][i]);
    cmd_log_axis_put(&x, "x", 0, s);
    cmd_log_axis_put(&y, "y", 0, s);
    fputs("set title 'a strip bent at its tip, index 3, all fields scaled'\nplot ", s);
    for (int k = 0; k < N_METHODS; k++)
        fprintf(s, "%s'-' using 1:2 with linespoints lw 1.5 pt %d title '%s'", k > 0 ? ", " : "", 4 + k,
                methods[k].words);
    fputc('\n', s);
    for (int k = 0; k < N_METHODS; k++) {
        for (int i = methods[k].first; i <= methods[k].last; i++)
            fprintf(s, "%.9g %.9g\n", 1 / m->h[i], m->errors[k][i]);
        fputs("e\n", s);
    }
}

static void print_text(const void *all, const char *path)
{
    const measured *m = all;
    cmd_table table;
    cmd_table_begin(&table, "h\t2 stages@Radau IIA\t3 stages@Radau IIA\tenergy decaying\tHHT");
    for (int i = 0; i < N_STEPS; i++) {
        cmd_table_cell(&table, "%.3g", m->h[i]);
        for (int k = 0; k < N_METHODS; k++) cmd_table_cell(&table, "%s", cmd_format_or_dash("%.1e", m->errors[k][i]));
    }
    printf(
        "Figure 4 of " PAPER
        ":\nerror of the midspan [m] of a strip bent by a crank at its tip, at t = %g s, over the step size. The strip "
        "has two\nelements; crank, link and connector have one element each. The reference is Radau IIA with 3 stages "
        "and steps of\n%g s. The paper integrates to 1.6 s, and its reference is Radau IIA with steps of 5 us.\n\n",
        T_END, LONGEST / pow(2, REFERENCE_HALVES));
    cmd_table_print(&table, 2, stdout);
    printf("\nOrders from the last %d errors above %g m:", FITTED, ROUNDING);
    for (int k = 0; k < N_METHODS; k++)
        printf(" %s %.2f%s", methods[k].words, m->orders[k], k + 1 < N_METHODS ? "," : ".");
    printf(" Picture: %s\n", path);
}

static json_t *method_json(const void *all, int k)
{
    const measured *m = all;
    return CMD_OBJECT({"problem", cmd_json_text(MODEL)}, {"method", cmd_json_text(methods[k].method)},
                      {"h", cmd_json_reals(m->h, N_STEPS, 1)}, {"errors", cmd_json_reals(m->errors[k], N_STEPS, 1)},
                      {"order", cmd_json_real(m->orders[k])}, {"order_of_method", cmd_json_real(methods[k].order)});
}

static int run(void *all, const cmd_settings *s)
{
    const cmd_case strip = {.model = MODEL,
                            .rtol = 1e-10,
                            .atol = 1e-10,
                            .t_end = T_END,
                            .parameter_names = {"elements", "links", "thickness"},
                            .values = {2, 1, 0.1}};
    cmd_settings own = *s;
    cmd_open_case open;
    own.problem.form = "index3";
    int code = cmd_case_open(&open, &own, &strip);
    if (code == 0) code = measure(all, &open.job);
    cmd_case_close(&open);
    return code;
}

int cmd_reproduce_convergence(const cmd_settings *s)
{
    const cmd_drawing drawing = {WIDTH, HEIGHT, run, draw, print_text, method_json, N_METHODS};
    measured m;
    return cmd_drawing_make(&drawing, &m, s);
}
