/* cmd_reproduce.c - finds what is to be reproduced, and sets up what the runs of section 4.2.1 of the paper have in common:
 * the chain of N pendulums over 200 s with ATOL = 1e-6 and RTOL = 1e-4. Its "omega = 0.05 Hz" can be read in two ways, so
 * both are run. The paper's integrator was DASSL; machine and compiler are not ours. */
#include "commands.h"

#include "complain.h"
#include "reproduce.h"
#include "suggest.h"

#include <string.h>

const double bench_omega[BENCH_READINGS] = {0.3141592653589793, 0.05};
const char *const bench_omega_name[BENCH_READINGS] = {"2 pi 0.05", "0.05"};

int bench_chain_case_open(bench_chain_case *c, const bench_settings *s, int n, double omega)
{
    static const char *const words[] = {"chain"};
    *c = (bench_chain_case){.settings = *s, .n_name = "n", .omega_name = "omega", .values = {n, omega}};
    c->names[0] = c->n_name;
    c->names[1] = c->omega_name;
    c->settings.n_parameters = 2;
    c->settings.parameter_names = c->names;
    c->settings.parameter_values = c->values;
    c->settings.parameter_used = c->used;
    c->settings.rtol = 1e-4;
    c->settings.atol = 1e-6;
    c->settings.t_end = 200;
    return bench_models_open(&c->model, 1, words, &c->settings);
}

void bench_chain_case_close(bench_chain_case *c)
{
    bench_models_close(&c->model, 1);
}

typedef struct target {
    const char *name;
    int (*run)(const bench_settings *s);
} target;

static const target targets[] = {
    {"table1", bench_reproduce_vehicle}, {"table2", bench_reproduce_table2}, {"table3", bench_reproduce_vehicle},
    {"fig3", bench_reproduce_pattern},   {"fig4", bench_reproduce_pattern},  {"fig5", bench_reproduce_pattern},
    {"fig7", bench_reproduce_fig7},
};
enum { N_TARGETS = sizeof targets / sizeof targets[0] };
#define NAMES "table1, table2, table3, fig3, fig4, fig5 or fig7"

int bench_cmd_reproduce(const bench_settings *s)
{
    const char *names[N_TARGETS];
    if (s->n_words != 1) return bench_complain(BENCH_EXIT_USAGE, "reproduce: which one, " NAMES "?");
    for (int i = 0; i < N_TARGETS; i++) {
        names[i] = targets[i].name;
        if (strcmp(s->words[0], names[i]) == 0) return targets[i].run(s);
    }
    const char *near = bench_nearest(s->words[0], names, N_TARGETS);
    if (near) return bench_complain(BENCH_EXIT_USAGE, "cannot reproduce '%s'; did you mean '%s'?", s->words[0], near);
    return bench_complain(BENCH_EXIT_USAGE, "cannot reproduce '%s', only " NAMES, s->words[0]);
}
