/* reproduce_convergence.c - Figure 4 of O. Bauchau, A. Epple, C. Bottasso, Scaling of Constraints and Augmented
 * Lagrangian Formulations in Multibody Dynamics Simulations, on a model that is at hand: the error of Radau IIA, of the
 * energy-decaying scheme and of HHT over the inverse of the step size, in index 3 with all fields scaled. The paper's
 * own model is a beam that buckles; its numbers cannot be read off the figure. What it shows is convergence down to the
 * smallest steps. */
#include "reproduce.h"

#include "command/base/complain.h"
#include "command/conditioning/conditioning.h"
#include "command/output/json_line.h"
#include "command/picture/log_axis.h"
#include "command/base/signals.h"

#include <math.h>
#include <string.h>

#define T_END    1.7 /* s; the period is 2 */
#define PAPER    "O. Bauchau, A. Epple, C. Bottasso, Scaling of constraints and augmented Lagrangian formulations"

#define ROUNDING 1e-12 /* errors below it say nothing of the order */

enum { N_METHODS = 4, N_STEPS = 10, FITTED = 4, WIDTH = 800, HEIGHT = 600 };

/** The methods with their orders in p. */
static const struct {
    const char *method, *words;
    double order;
} methods[N_METHODS] = {{"radau-iia-2", "Radau IIA, 2 stages", 3},
                        {"radau-iia-3", "Radau IIA, 3 stages", 5},
                        {"energy-decaying", "energy decaying", 3},
                        {"hht", "HHT", 2}};

typedef struct measured {
    double h[N_STEPS], errors[N_METHODS][N_STEPS], orders[N_METHODS];
} measured;

/** Largest error of p at T_END, where the pendulum moves: at its turning points an error of phase would not show. */
static resida_status error_at_end(const bench_job *job, resida_problem *problem, const char *method, double h,
                                  double *error, resida_message *why)
{
    const resida_model *m = &job->model->model;
    resida_solver_options o;
    resida_solver *solver;
    resida_state state;
    double p[2];
    bench_job_options(job, &o);
    o.method = method, o.step = h, o.newton_to_rounding = 1, o.t_stop = INFINITY;
    o.monitor = bench_signal_monitor;
    resida_status status = resida_solver_create(&solver, problem, &o, why);
    if (status < 0) return status;
    status = resida_solver_start(solver, m->t0, m->p0, m->v0, NULL, NULL);
    if (status >= 0) status = resida_solver_advance(solver, T_END);
    if (status < 0) snprintf(why->text, sizeof why->text, "%s", resida_solver_message(solver));
    *error = 0;
    if (status >= 0 && resida_model_reference(m, T_END, p, NULL, NULL) == 0 &&
        resida_solver_state(solver, &state) == RESIDA_OK)
        for (int i = 0; i < 2; i++) *error = fmax(*error, fabs(state.p[i] - p[i]));
    resida_solver_free(solver);
    return status;
}

/** Slope of the last errors above rounding. */
static double order(const measured *m, int k)
{
    int n = N_STEPS;
    while (n > FITTED && m->errors[k][n - 1] < ROUNDING) n--;
    return bench_slope(m->h, m->errors[k], n - FITTED, n);
}

static int measure(measured *out, const bench_job *job)
{
    resida_problem *problem;
    resida_message why = {""};
    resida_status status = bench_problem_open(job, &problem, &why);
    if (status < 0) return bench_complain(BENCH_EXIT_FAILED, "%s", why.text);
    for (int k = 0; k < N_METHODS; k++) {
        for (int i = 0; i < N_STEPS && status >= 0; i++) {
            out->h[i] = 0.1 / pow(2, i);
            status = error_at_end(job, problem, methods[k].method, out->h[i], &out->errors[k][i], &why);
        }
        out->orders[k] = order(out, k);
    }
    resida_problem_free(problem);
    if (bench_signal_caught()) return 128 + bench_signal_caught();
    return status < 0 ? bench_complain(BENCH_EXIT_FAILED, "%s", why.text) : 0;
}

static void draw(const measured *m, const bench_picture *picture)
{
    FILE *s = picture->script;
    bench_picture_log_axes(picture, "1/h [1/s]", "error of p");
    bench_log_axis x = {0}, y = {0};
    for (int i = 0; i < N_STEPS; i++) bench_log_axis_take(&x, 1 / m->h[i]);
    for (int k = 0; k < N_METHODS; k++)
        for (int i = 0; i < N_STEPS; i++) bench_log_axis_take(&y, m->errors[k][i]);
    bench_log_axis_put(&x, "x", 0, s);
    bench_log_axis_put(&y, "y", 0, s);
    fputs("set title 'pendulum, index 3, all fields scaled'\nplot ", s);
    for (int k = 0; k < N_METHODS; k++)
        fprintf(s, "%s'-' using 1:2 with linespoints lw 1.5 pt %d title '%s'", k > 0 ? ", " : "", 4 + k,
                methods[k].words);
    fputc('\n', s);
    for (int k = 0; k < N_METHODS; k++) {
        for (int i = 0; i < N_STEPS; i++) fprintf(s, "%.9g %.9g\n", 1 / m->h[i], m->errors[k][i]);
        fputs("e\n", s);
    }
}

static void print_text(const measured *m, const char *path)
{
    static const bench_column columns[] = {{"h", 0, NULL, NULL},
                                           {"2 stages", 0, NULL, "Radau IIA"},
                                           {"3 stages", 0, NULL, "Radau IIA"},
                                           {"energy decaying", 0, NULL, NULL},
                                           {"HHT", 0, NULL, NULL}};
    bench_table table;
    bench_table_init(&table, columns, sizeof columns / sizeof *columns);
    for (int i = 0; i < N_STEPS; i++) {
        bench_table_cell(&table, "%.3g", m->h[i]);
        for (int k = 0; k < N_METHODS; k++) bench_table_cell(&table, "%.1e", m->errors[k][i]);
    }
    puts("Figure 4 of " PAPER
         ",\non the pendulum in the place of the paper's beam: error of p at t = 1.7 s, over the step "
         "size.\n");
    bench_table_print(&table, 2, stdout);
    bench_table_free(&table);
    printf("\nOrders of the last %d errors above %g:", FITTED, ROUNDING);
    for (int k = 0; k < N_METHODS; k++)
        printf(" %s %.2f%s", methods[k].words, m->orders[k], k + 1 < N_METHODS ? "," : ".");
    printf(" The picture is %s\n", path);
}

static json_t *method_json(const measured *m, int k)
{
    json_t *o = json_object();
    int failed = bench_json_put(o, "problem", bench_json_text("pendulum")) |
                 bench_json_put(o, "method", bench_json_text(methods[k].method)) |
                 bench_json_put(o, "h", bench_json_reals(m->h, N_STEPS, 1)) |
                 bench_json_put(o, "errors", bench_json_reals(m->errors[k], N_STEPS, 1)) |
                 bench_json_put(o, "order", bench_json_real(m->orders[k])) |
                 bench_json_put(o, "order_of_method", bench_json_real(methods[k].order));
    if (!failed) return o;
    json_decref(o);
    return NULL;
}

static int show(const measured *m, const bench_settings *s, const char *path)
{
    if (s->format == BENCH_TEXT) print_text(m, path);
    for (int k = 0; k < N_METHODS && s->format == BENCH_JSON; k++)
        if (bench_json_line(method_json(m, k), stdout) != 0) return bench_complain_io("write", "standard output");
    return 0;
}

static int run(const bench_settings *s, bench_picture *picture, const char *path)
{
    const bench_case pendulum = {.model = "pendulum", .rtol = 1e-10, .atol = 1e-10, .t_end = NAN};
    bench_open_case open;
    bench_job job;
    measured m;
    int code = bench_case_open(&open, s, &pendulum);
    if (code != 0) return code;
    open.settings.problem.form = "index3";
    code = bench_job_make(&job, &open.model, &open.settings, 1);
    if (code == 0) code = measure(&m, &job);
    if (code == 0) {
        draw(&m, picture);
        code = bench_picture_commit(picture);
    }
    if (code == 0) code = show(&m, s, path);
    bench_case_close(&open);
    return code;
}

int bench_reproduce_convergence(const bench_settings *s)
{
    bench_picture picture = {0};
    const char *path = s->out ? s->out : "bauchau4.svg";
    int code = bench_picture_open(&picture, path, WIDTH, HEIGHT);
    if (code == 0) code = run(s, &picture, path);
    bench_picture_abort(&picture);
    return code;
}
