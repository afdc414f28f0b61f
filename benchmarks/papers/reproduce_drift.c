/* reproduce_drift.c - constraint drift of each formulation over a long time, an experiment for section 3 of U. Ascher,
 * L. Petzold: the pendulum over 500 periods with adaptive steps, largest |g| and |g'| at whole seconds. */
#include "reproduce.h"

#include "program/base/complain.h"
#include "program/output/json_line.h"
#include "program/process/signals.h"
#include "stability_examples.h"

#include <math.h>

/** A formulation, stabilised by gamma or by a projection after each step, or not at all. */
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
    double g[N_TIMES], gv[N_TIMES]; /**< largest values up to this time */
    resida_stats stats;
    resida_status status;
    resida_message why;
} outcome;

/* Update the largest |g|, |g'|. Store them if t [s] is a time of the table. */
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

static void integrate(const cmd_job *job, outcome *out)
{
    cmd_handles h;
    double g = 0, gv = 0;
    out->status = cmd_handles_open(&h, job, cmd_signal_monitor, NULL, &out->why);
    if (out->status >= 0) out->status = cmd_handles_start(&h, job);
    for (double t = 1; t <= times[N_TIMES - 1] && out->status >= 0; t++) {
        out->status = resida_solver_advance(h.solver, t);
        if (out->status >= 0 && note(h.problem, h.solver, t, &g, &gv, out) != 0) out->status = RESIDA_ERR_INTERNAL;
    }
    if (h.solver && out->status < 0)
        snprintf(out->why.text, sizeof out->why.text, "%s", resida_solver_message(h.solver));
    if (h.solver) resida_solver_stats(h.solver, &out->stats);
    cmd_handles_close(&h);
}

static int run(const cmd_settings *s, int line, outcome *out)
{
    const cmd_case pendulum = {.model = "pendulum", .rtol = tolerance, .atol = tolerance, .t_end = times[N_TIMES - 1]};
    cmd_settings own = *s;
    cmd_open_case open;
    *out = (outcome){{NAN, NAN, NAN}, {NAN, NAN, NAN}, {.size = sizeof out->stats}, RESIDA_OK, {{0}}};
    own.problem.form = lines[line].form;
    own.problem.gamma = lines[line].gamma;
    own.problem.step_projection = lines[line].step_projection;
    int code = cmd_case_open(&open, &own, &pendulum);
    if (code == 0) integrate(&open.job, out);
    cmd_case_close(&open);
    return code != 0 || !cmd_signal_caught() ? code : 128 + cmd_signal_caught();
}

static const char columns[] =
    "<formulation\t10 s@|g|\t100 s@|g|\t1000 s@|g|\t10 s@|g'|\t100 s@|g'|\t1000 s@|g'|\tsteps\t#fc\t<";

static void add_row(cmd_table *table, int line, const outcome *out)
{
    cmd_table_cell(table, "%s", lines[line].text);
    for (int k = 0; k < 2 * N_TIMES; k++) {
        double x = k < N_TIMES ? out->g[k] : out->gv[k - N_TIMES];
        cmd_table_cell(table, "%s", cmd_format_or_dash("%.1e", x));
    }
    cmd_table_cells(table, "%ld\t%ld\t%s", out->stats.steps, out->stats.residual_calls.total,
                    out->status < 0 ? out->why.text : "");
}

static json_t *row_json(int line, const outcome *out)
{
    return CMD_OBJECT({"problem", cmd_json_text("pendulum")}, {"form", cmd_json_text(lines[line].form)},
                      {"gamma", cmd_json_real(lines[line].gamma)},
                      {"step_projection", cmd_json_count(lines[line].step_projection)},
                      {"rtol", cmd_json_real(tolerance)}, {"status", cmd_json_text(out->status < 0 ? "failed" : "ok")},
                      {"message", cmd_json_text(out->why.text)}, {"times", cmd_json_reals(times, N_TIMES, 1)},
                      {"g", cmd_json_reals(out->g, N_TIMES, 1)}, {"gv", cmd_json_reals(out->gv, N_TIMES, 1)},
                      {"steps", cmd_json_count(out->stats.steps)},
                      {"residual_calls", cmd_json_count(out->stats.residual_calls.total)});
}

/* Make all runs; write each as a JSON line or as a row of the table. */
static int measure(const cmd_settings *s, cmd_table *table, int *failed)
{
    for (int line = 0; line < N_LINES; line++) {
        outcome out;
        int code = run(s, line, &out);
        if (code != 0) return code;
        add_row(table, line, &out);
        *failed += out.status < 0;
        if (s->format == CMD_JSON) code = cmd_json_line(row_json(line, &out), stdout);
        if (code != 0) return code;
    }
    return 0;
}

int bench_fill_drift(const cmd_settings *s, cmd_table *table)
{
    int failed = 0;
    cmd_table_begin(table, columns);
    return measure(s, table, &failed);
}

int cmd_reproduce_drift(const cmd_settings *s)
{
    cmd_table table;
    cmd_table_begin(&table, columns);
    int failed = 0, code = measure(s, &table, &failed);
    if (table.n_cells > 0 && s->format == CMD_TEXT) {
        puts("Pendulum, 500 periods of 2 s, rtol = atol = 1e-6: maximum |g| and |g'| up to each time. According to "
             "section 3 of\n" CMD_STABILITY_PAPER
             ", g drifts\nwith index1 and index2 without stabilisation, and with no other formulation.\n");
        cmd_table_print(&table, 1, stdout);
    }
    cmd_table_free(&table);
    return code == 0 && failed > 0 ? CMD_EXIT_FAILED : code;
}
