/* cmd_study.c - finds a study by name, runs it and prints its table. */
#include "benchmarks/cli/commands.h"

#include "benchmarks/papers/reproduce.h"
#include "program/base/complain.h"
#include "program/base/suggest.h"
#include "program/cli/options.h"
#include "studies.h"

#include <string.h>

const bench_study bench_studies[] = {
    {"errors", bench_fill_errors, NULL, 0, "correct digits, steps and residual calls at tolerance 1e-8"},
    {"slopes", bench_fill_slopes, NULL, 0, "slope of the error over the tolerance"},
    {"estimate", bench_fill_estimate, NULL, 0, "accuracy of the error estimate of --estimate-error"},
    {"residual-calls", bench_fill_residual_calls, NULL, 0,
     "residual calls of the Jacobian strategies on twelve models"},
    {"low-order", bench_fill_low_order, NULL, 0, "residual calls of strategy `dense` with minimum order 1"},
    {"falling-chain", bench_fill_falling_chain, NULL, 0,
     "comparison with stock IDA on a chain of 4 rods, at 1e-6 and 1e-12"},
    {"slow-chain", bench_fill_slow_chain, NULL, 0, "effect of the order limits on a slowly driven chain"},
    {"rough-car", bench_fill_rough_car, NULL, 0,
     "residual calls of a car on a rough road, with dry friction and stops"},
    {"drift", bench_fill_drift, NULL, 0, "drift off the constraint, by formulation"},
    {"stiff-constraint", bench_fill_stiff, NULL, 0, "formulations for a stiff constraint"},
    {"condition", bench_fill_condition, NULL, 0, "condition numbers of the pendulum in index 3, by scaling"},
    {"index3", bench_fill_index3, NULL, 0, "error of Andrews' mechanism in index 3"},
    {"formalisms", bench_fill_formalisms, NULL, 0,
     "comparison of the residual and the explicit formalism on three models"},
    {"groups", bench_fill_groups, NULL, 0, "entries of the Jacobian and groups of its columns, three models"},
    {"equal-error", bench_fill_equal_error, NULL, 20, "processor time at equal error, relative to the fastest peer"},
    {"overhead", bench_fill_overhead, NULL, 5, "instructions per step without the callbacks, resida and stock IDA"},
    {"ablation", bench_fill_ablation, NULL, 10,
     "residual calls with changed constants; requires a build with -Dablation=true"},
    {"many-runs", NULL, bench_study_many_runs, 2, "runs per second on one core, resida and a loop over stock IDA"},
    {"targets", NULL, bench_study_targets, 120,
     "performance targets and measured values; the arguments table1, table2, table3, extended, equal-error select "
     "parts"},
    {"train-scaling", NULL, bench_study_train_scaling, 15,
     "cost of a train of 1 .. 32 carriages; an argument N replaces 32"},
};
const int bench_n_studies = sizeof bench_studies / sizeof bench_studies[0];
enum { NAMES_MAX = 40 };

const bench_study *bench_study_find(const char *name)
{
    for (int i = 0; i < bench_n_studies; i++)
        if (strcmp(name, bench_studies[i].name) == 0) return &bench_studies[i];
    return NULL;
}

void cmd_study_items(FILE *stream)
{
    for (int i = 0; i < bench_n_studies; i++)
        fprintf(stream, "  %-16s  %s\n", bench_studies[i].name, bench_studies[i].text);
}

/** Return the name of a given option, or NULL. Studies that fill a table accept no options. */
static const char *option_of(const cmd_settings *s)
{
    for (int i = 0; i < cmd_n_options; i++)
        if (s->given[i]) return cmd_options[i].name;
    return NULL;
}

static int fill_and_print(const bench_study *study, const cmd_settings *s)
{
    cmd_table table = {0};
    const char *option = option_of(s);
    if (option) return cmd_complain(CMD_EXIT_USAGE, "study %s: has no option --%s", study->name, option);
    if (s->n_words > 0) return cmd_complain(CMD_EXIT_USAGE, "study %s: no arguments are accepted", study->name);
    const int code = study->fill(s, &table);
    if (table.n_cells > 0 && code == 0) cmd_table_print(&table, 0, stdout);
    cmd_table_free(&table);
    return code;
}

void cmd_results_items(FILE *stream)
{
    for (int i = 0; i < bench_n_studies; i++)
        if (bench_studies[i].fill) fprintf(stream, "  %-16s  %s\n", bench_studies[i].name, bench_studies[i].text);
}

int cmd_cmd_study(const cmd_settings *s)
{
    const char *names[NAMES_MAX];
    cmd_settings own = *s;
    if (s->n_words == 0)
        return cmd_complain(CMD_EXIT_USAGE, "study: NAME is missing; 'resida-bench help study' lists the studies");
    own.words++, own.n_words--;
    own.is_silent_on_events = 1;
    const bench_study *study = bench_study_find(s->words[0]);
    if (study) return study->fill ? fill_and_print(study, &own) : study->run(&own);
    for (int i = 0; i < bench_n_studies; i++) names[i] = bench_studies[i].name;
    const char *near = cmd_nearest(s->words[0], names, bench_n_studies);
    if (near) return cmd_complain(CMD_EXIT_USAGE, "unknown study '%s'; did you mean '%s'?", s->words[0], near);
    return cmd_complain(CMD_EXIT_USAGE, "unknown study '%s'; 'resida-bench help study' lists the studies", s->words[0]);
}
