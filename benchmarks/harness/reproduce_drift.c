/* reproduce_drift.c - how far each formulation drifts off the constraint in a long time, section 3 of U. Ascher, L. Petzold by
 * experiment: the pendulum, 500 periods, largest |g| and |g'| at the ends of seconds, adaptive steps. */
#include "reproduce.h"

#include "complain.h"
#include "json_line.h"
#include "models.h"
#include "stability_tables.h"

#include <math.h>

/** A formulation, stabilised by gamma or by a projection after each step. */
static const struct {
    const char *form, *text;
    double gamma;
    int step_projection;
} lines[] = {
    {"index1", "index1", 0, 0},
    {"index1", "index1, steps projected", 0, 1},
    {"baumgarte", "baumgarte, gamma = 1", 1, 0},
    {"baumgarte", "baumgarte, gamma = 10", 10, 0},
    {"index2", "index2", 0, 0},
    {"index2", "index2, gamma = 1", 1, 0},
    {"index2", "index2, steps projected", 0, 1},
    {"index3", "index3", 0, 0},
    {"ggl", "ggl", 0, 0},
    {"projected1", "projected1", 0, 0},
    {"projected2", "projected2", 0, 0},
    {"state-space", "state-space", 0, 0},
    {"hiller-anantharaman", "hiller-anantharaman", 0, 0},
};
enum { N_LINES = sizeof lines / sizeof lines[0], N_TIMES = 3 };

static const double tolerance = 1e-6, times[N_TIMES] = {10, 100, 1000};

typedef struct outcome {
    double g[N_TIMES], gv[N_TIMES]; /**< largest until then */
    resida_stats stats;
    resida_status status;
    resida_message why;
} outcome;

/* The largest |g|, |g'| so far after t seconds, which is a time of the table or not. */
static int note(resida_problem *problem, resida_solver *solver, double t, double *g, double *gv, outcome *out)
{
    resida_state at;
    double now, rate;
    if (resida_solver_state(solver, &at) < 0) return -1;
    if (resida_problem_constraints(problem, at.t, at.p, at.v, &now, &rate) < 0) return -1;
    *g = fmax(*g, fabs(now));
    *gv = fmax(*gv, fabs(rate));
    for (int k = 0; k < N_TIMES; k++)
        if (t == times[k]) out->g[k] = *g, out->gv[k] = *gv;
    return 0;
}

static void integrate(resida_problem *problem, const resida_model *model, outcome *out)
{
    resida_solver_options o;
    resida_solver *solver = NULL;
    double g = 0, gv = 0;
    resida_solver_options_init(&o);
    o.rtol = o.atol = tolerance;
    out->status = resida_solver_create(&solver, problem, &o, &out->why);
    if (out->status >= 0) out->status = resida_solver_start(solver, 0, model->p0, model->v0, NULL, NULL);
    for (double t = 1; t <= times[N_TIMES - 1] && out->status >= 0; t++) {
        out->status = resida_solver_advance(solver, t);
        if (out->status >= 0 && note(problem, solver, t, &g, &gv, out) != 0) out->status = RESIDA_ERR_INTERNAL;
    }
    if (solver && out->status < 0) snprintf(out->why.text, sizeof out->why.text, "%s", resida_solver_message(solver));
    if (solver) resida_solver_stats(solver, &out->stats);
    resida_solver_free(solver);
}

static outcome run(int line)
{
    outcome out = {{NAN, NAN, NAN}, {NAN, NAN, NAN}, {.size = sizeof out.stats}, RESIDA_OK, {{0}}};
    resida_problem_options o;
    resida_problem *problem = NULL;
    resida_model model;
    out.status = resida_model_create(bench_model_find("pendulum"), 0, NULL, NULL, &model, &out.why);
    if (out.status < 0) return out;
    resida_problem_options_init(&o);
    o.form = lines[line].form;
    o.gamma = lines[line].gamma;
    o.step_projection = lines[line].step_projection;
    out.status = resida_problem_create(&problem, &model.mechanism, &o, &out.why);
    if (out.status >= 0) integrate(problem, &model, &out);
    resida_problem_free(problem);
    resida_model_destroy(bench_model_find("pendulum"), &model);
    return out;
}

static const bench_column columns[] = {
    {"formulation", 1, NULL, NULL},  {"10 s", 0, "10 s", "|g|"},
    {"100 s", 0, "100 s", "|g|"},    {"1000 s", 0, "1000 s", "|g|"},
    {"10 s", 0, "10 s", "|g'|"},     {"100 s", 0, "100 s", "|g'|"},
    {"1000 s", 0, "1000 s", "|g'|"}, {"steps", 0, NULL, NULL},
    {"#fc", 0, NULL, NULL},          {"", 1, NULL, NULL},
};

static void add_row(bench_table *table, int line, const outcome *out)
{
    bench_table_cell(table, "%s", lines[line].text);
    for (int k = 0; k < 2 * N_TIMES; k++) {
        double x = k < N_TIMES ? out->g[k] : out->gv[k - N_TIMES];
        bench_table_cell(table, isnan(x) ? "-" : "%.1e", x);
    }
    bench_table_cell(table, "%ld", out->stats.steps);
    bench_table_cell(table, "%ld", out->stats.residual_calls.total);
    bench_table_cell(table, "%s", out->status < 0 ? out->why.text : "");
}

static json_t *reals(const double *x)
{
    json_t *list = json_array();
    for (int k = 0; k < N_TIMES; k++) json_array_append_new(list, bench_json_real(x[k]));
    return list;
}

static json_t *row_json(int line, const outcome *out)
{
    json_t *object = json_object();
    int failed = bench_json_put(object, "problem", bench_json_text("pendulum")) |
                 bench_json_put(object, "form", bench_json_text(lines[line].form)) |
                 bench_json_put(object, "gamma", bench_json_real(lines[line].gamma)) |
                 bench_json_put(object, "step_projection", bench_json_count(lines[line].step_projection)) |
                 bench_json_put(object, "rtol", bench_json_real(tolerance)) |
                 bench_json_put(object, "status", bench_json_text(out->status < 0 ? "failed" : "ok")) |
                 bench_json_put(object, "message", bench_json_text(out->why.text)) |
                 bench_json_put(object, "times", reals(times)) | bench_json_put(object, "g", reals(out->g)) |
                 bench_json_put(object, "gv", reals(out->gv)) |
                 bench_json_put(object, "steps", bench_json_count(out->stats.steps)) |
                 bench_json_put(object, "residual_calls", bench_json_count(out->stats.residual_calls.total));
    if (!failed) return object;
    json_decref(object);
    return NULL;
}

/* Each run in turn, as a line or into the table. */
static int measure(const bench_settings *s, bench_table *table)
{
    for (int line = 0; line < N_LINES; line++) {
        const outcome out = run(line);
        add_row(table, line, &out);
        if (s->format == BENCH_JSON && bench_json_line(row_json(line, &out), stdout) != 0)
            return bench_complain_io("write", "standard output");
    }
    return 0;
}

int bench_reproduce_drift(const bench_settings *s)
{
    bench_table table;
    bench_table_init(&table, columns, sizeof columns / sizeof columns[0]);
    int code = measure(s, &table);
    if (code == 0 && s->format == BENCH_TEXT) {
        puts("Pendulum, 500 periods of 2 s, rtol = atol = 1e-6: largest |g| until then, largest |g'|. What section 3 "
             "of\n" BENCH_STABILITY_PAPER "\nsays: g drifts off with index1 and index2 as they are, with no other.\n");
        bench_table_print(&table, 1, stdout);
    }
    bench_table_free(&table);
    return code;
}
