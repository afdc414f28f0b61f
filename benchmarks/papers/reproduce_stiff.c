/* reproduce_stiff.c - tests the advice of U. Ascher, L. Petzold with adaptive steps: Example 3 with nu = 1000 in the
 * stabilised index-2 form (4.15) and in projected invariants (4.14), with steps and errors side by side. The paper has
 * fixed steps only; if a fixed-step solution blows up, an adaptive integrator reduces the step size. */
#include "reproduce.h"

#include "program/base/complain.h"
#include "program/output/json_line.h"
#include "program/process/signals.h"
#include "stability_examples.h"

#include <math.h>

/** A formulation of Example 3. */
static const struct {
    const char *form, *projection, *text;
} forms[] = {
    {"ggl", "G", "stabilised index 2, D = C'"},         {"ggl", "B", "stabilised index 2, D = B"},
    {"projected1", "B", "projected invariants, D = B"}, {"projected1", "G", "projected invariants, D = C'"},
    {"projected2", "G", "of p and v, D = C'"},
};
enum { N_FORMS = sizeof forms / sizeof forms[0], N_FORCES = 3, N_TOLERANCES = 4, MAX_STEPS = 100000 };

static const double tolerances[N_TOLERANCES] = {1e-3, 1e-4, 1e-5, 1e-6};
static const int forces[N_FORCES] = {1, 0, 2};
static const char *const force_names[N_FORCES] = {"(2 + t)/nu v2", "0", "2 (2 + t)/nu v2"};

typedef struct outcome {
    long steps, calls;
    double error_p, error_v;
    resida_status status;
    resida_message why;
} outcome;

static void integrate(const cmd_job *job, outcome *out)
{
    cmd_handles h;
    resida_stats stats = {.size = sizeof stats};
    resida_state state;
    out->status = cmd_handles_open(&h, job, cmd_signal_monitor, NULL, &out->why);
    if (out->status >= 0) out->status = cmd_handles_start(&h, job);
    if (out->status >= 0) out->status = resida_solver_advance(h.solver, job->t_end);
    if (h.solver && out->status < 0)
        snprintf(out->why.text, sizeof out->why.text, "%s", resida_solver_message(h.solver));
    if (h.solver && resida_solver_stats(h.solver, &stats) == RESIDA_OK)
        out->steps = stats.steps, out->calls = stats.residual_calls.total;
    if (out->status >= 0 && resida_solver_state(h.solver, &state) == RESIDA_OK)
        out->error_p = cmd_linear_error(state.p), out->error_v = cmd_linear_error(state.v);
    cmd_handles_close(&h);
}

static int run(const cmd_settings *s, int form, int force, double tolerance, outcome *out)
{
    const cmd_case stiff = {.model = "ascher-petzold",
                            .rtol = tolerance,
                            .atol = tolerance,
                            .t_end = 1,
                            .parameter_names = {"nu", "force"},
                            .values = {1000, forces[force]}};
    cmd_settings own = *s;
    cmd_open_case open;
    *out = (outcome){-1, -1, NAN, NAN, RESIDA_OK, {{0}}};
    own.problem.form = forms[form].form;
    own.problem.projection = forms[form].projection;
    if (s->max_steps == 0) own.max_steps = MAX_STEPS;
    int code = cmd_case_open(&open, &own, &stiff);
    if (code == 0) integrate(&open.job, out);
    cmd_case_close(&open);
    return code != 0 || !cmd_signal_caught() ? code : 128 + cmd_signal_caught();
}

static void add_row(cmd_table *table, int form, int force, double tolerance, const outcome *out)
{
    cmd_table_cells(table, "%s\t%s\t%.0e\t%ld\t%ld\t%s\t%s\t%s", force_names[force], forms[form].text, tolerance,
                    out->steps, out->calls, cmd_format_or_dash("%.1e", out->error_p),
                    cmd_format_or_dash("%.1e", out->error_v), out->status < 0 ? out->why.text : "");
}

static json_t *row_json(int form, int force, double tolerance, const outcome *out)
{
    return CMD_OBJECT({"problem", cmd_json_text("ascher-petzold")}, {"nu", cmd_json_real(1000)},
                      {"force", cmd_json_count(forces[force])}, {"form", cmd_json_text(forms[form].form)},
                      {"projection", cmd_json_text(forms[form].projection)}, {"rtol", cmd_json_real(tolerance)},
                      {"status", cmd_json_text(out->status < 0 ? "failed" : "ok")},
                      {"message", cmd_json_text(out->why.text)}, {"steps", cmd_json_count(out->steps)},
                      {"residual_calls", cmd_json_count(out->calls)}, {"error_p", cmd_json_real(out->error_p)},
                      {"error_v", cmd_json_real(out->error_v)});
}

/* Make all runs; write each as a JSON line or as a row of the table. */
static int measure(const cmd_settings *s, cmd_table *table)
{
    for (int force = 0; force < N_FORCES; force++)
        for (int k = 0; k < N_TOLERANCES; k++)
            for (int form = 0; form < N_FORMS; form++) {
                outcome out;
                int code = run(s, form, force, tolerances[k], &out);
                if (code == 0) add_row(table, form, force, tolerances[k], &out);
                if (code == 0 && s->format == CMD_JSON)
                    code = cmd_json_line(row_json(form, force, tolerances[k], &out), stdout);
                if (code != 0) return code;
            }
    return 0;
}

int bench_fill_stiff(const cmd_settings *s, cmd_table *table)
{
    cmd_table_begin(table, "<f\t<formulation\ttolerance\tsteps\t#fc\terror p\terror v\t<");
    return measure(s, table);
}

int cmd_reproduce_stiff(const cmd_settings *s)
{
    cmd_table table;
    int code = bench_fill_stiff(s, &table);
    if (table.n_cells > 0 && s->format == CMD_TEXT) {
        puts("Example 3 of " CMD_STABILITY_PAPER
             "\nwith nu = 1000, integrated with adaptive steps to t = 1, rtol = atol:\n");
        cmd_table_print(&table, 2, stdout);
        puts("\n#fc: all residual calls. The paper recommends projected invariants with D = C'.");
    }
    cmd_table_free(&table);
    return code;
}
