/* cmd_reproduce.c - finds what is to be reproduced. The paper's integrator was DASSL; machine and compiler are not ours. */
#include "commands.h"

#include "complain.h"
#include "reproduce.h"
#include "suggest.h"

#include <string.h>

typedef struct target {
    const char *name;
    int (*run)(const bench_settings *s);
} target;

static const target targets[] = {
    {"table1", bench_reproduce_table}, {"table2", bench_reproduce_table}, {"table3", bench_reproduce_table},
    {"fig3", bench_reproduce_pattern}, {"fig4", bench_reproduce_pattern}, {"fig5", bench_reproduce_pattern},
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
