/* study_ablation.c - sensitivity to constants: runs with each constant at a quarter, half, twice and four times its
 * value, compared with runs at the default values. For a constant between 0.5 and 1, the factor applies to 1 minus the
 * value. A build with -Dablation=true reads the constants from the environment (tuned.c). */
#include "studies.h"

#include "benchmarks/cli/commands.h"
#include "program/base/complain.h"
#include "run_line.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef RSD_ABLATION
enum { IS_TUNED = 1 };
#else
enum { IS_TUNED = 0 };
#endif

#define ROW(name, value) {name, value},
static const struct {
    const char *name, *words;
} models[] = {
#include "residual-calls.csv.inc"
};
static const struct {
    const char *name;
    double value;
} constants[] = {
#include "tuned_names.sed.inc"
};

static const double factors[] = {0.25, 0.5, 2, 4};
static const char *const tolerances[] = {"", " --rtol 1e-7"}; /* in addition to the model's tolerances */

enum {
    N_MODELS = sizeof models / sizeof *models,
    N_CONSTANTS = sizeof constants / sizeof *constants,
    N_FACTORS = sizeof factors / sizeof *factors,
    N_TOLERANCES = sizeof tolerances / sizeof *tolerances,
    N_RUNS = N_MODELS * N_TOLERANCES,
    LINE = 200
};

/* Count the residual calls of all runs with "NAME=VALUE"; 0: the run failed. */
static int run_all(const char *tuned, double calls[N_RUNS])
{
    int code = 0;
    if (setenv("RESIDA_TUNED", tuned, 1) != 0) return cmd_complain(CMD_EXIT_FAILED, "ablation: no memory");
    for (int i = 0; i < N_RUNS && code == 0; i++) {
        char words[LINE];
        cmd_row row;
        snprintf(words, sizeof words, "%s%s", models[i / N_TOLERANCES].words, tolerances[i % N_TOLERANCES]);
        code = bench_run_line(words, NULL, NULL, &row);
        calls[i] = row.outcome == CMD_OK ? (double)row.stats.residual_calls.total : 0;
    }
    unsetenv("RESIDA_TUNED");
    return code;
}

/* Add "+1.2 % (+9.8 %)": increase of the calls in the geometric mean, and in the worst run; ", 1 fails" if runs
 * failed. */
static void add(cmd_table *table, const double with[N_RUNS], const double calls[N_RUNS])
{
    double sum = 0, most = 0;
    int n = 0, fail = 0;
    for (int i = 0; i < N_RUNS; i++) {
        fail += with[i] > 0 && calls[i] == 0;
        if (with[i] == 0 || calls[i] == 0) continue;
        sum += log(calls[i] / with[i]);
        most = fmax(most, calls[i] / with[i]);
        n++;
    }
    const double mean = n > 0 ? 100 * (exp(sum / n) - 1) : NAN;
    if (fail > 0)
        cmd_table_cell(table, "%+.1f (%+.0f), %d fail", mean, 100 * (most - 1), fail);
    else
        cmd_table_cell(table, "%+.1f (%+.0f)", mean, 100 * (most - 1));
}

static double scaled(double value, double factor)
{
    return value > 0.5 && value < 1 ? 1 - factor * (1 - value) : factor * value;
}

int bench_fill_ablation(const cmd_settings *s, cmd_table *table)
{
    static double with[N_RUNS], calls[N_RUNS];
    (void)s;
    if (!IS_TUNED)
        return cmd_complain(
            CMD_EXIT_FAILED,
            "ablation: this build cannot change the constants; configure with meson setup -Dablation=true");
    cmd_table_begin(table, "<constant\tvalue\tx 1/4\tx 1/2\tx 2\tx 4");
    int code = run_all("", with);
    for (int c = 0; c < N_CONSTANTS && code == 0; c++) {
        cmd_table_cell(table, "%s", constants[c].name);
        cmd_table_cell(table, "%g", constants[c].value);
        for (int k = 0; k < N_FACTORS && code == 0; k++) {
            char tuned[LINE];
            snprintf(tuned, sizeof tuned, "%s=%.17g", constants[c].name, scaled(constants[c].value, factors[k]));
            code = run_all(tuned, calls);
            if (code == 0) add(table, with, calls);
        }
    }
    return code;
}
