/* cmd_reproduce.c - finds what is to be reproduced. The papers' machines and compilers are not ours. */
#include "commands.h"

#include "complain.h"
#include "reproduce.h"
#include "suggest.h"

#include <string.h>

typedef struct target {
    const char *name;
    int (*run)(const bench_settings *s);
    int draws; /**< a picture */
} target;

static const target targets[] = {
    {"table1", bench_reproduce_table, 0},
    {"table2", bench_reproduce_table, 0},
    {"table3", bench_reproduce_table, 0},
    {"fig3", bench_reproduce_pattern, 1},
    {"fig4", bench_reproduce_pattern, 1},
    {"fig5", bench_reproduce_pattern, 1},
    {"fig7", bench_reproduce_fig7, 1},
    {"table4.1", bench_reproduce_stability, 0},
    {"table4.2", bench_reproduce_stability, 0},
    {"table4.3", bench_reproduce_stability, 0},
    {"table4.4", bench_reproduce_stability, 0},
    {"table4.5", bench_reproduce_stability, 0},
    {"table4.6", bench_reproduce_stability, 0},
    {"table4.7", bench_reproduce_stability, 0},
    {"table4.8", bench_reproduce_stability, 0},
    {"stiff-constraint", bench_reproduce_stiff, 0},
    {"drift", bench_reproduce_drift, 0},
    {"scaling1", bench_reproduce_scaling, 1},
    {"scaling2", bench_reproduce_scaling, 1},
    {"scaling3", bench_reproduce_scaling, 1},
    {"scaling4", bench_reproduce_scaling, 1},
    {"scaling5", bench_reproduce_scaling, 1},
    {"scaling6", bench_reproduce_scaling, 1},
    {"scaling7", bench_reproduce_scaling, 1},
    {"scaling8", bench_reproduce_scaling, 1},
    {"scaling-andrews", bench_reproduce_scaling, 1},
    {"bauchau1", bench_reproduce_bauchau, 0},
    {"bauchau2", bench_reproduce_bauchau, 0},
    {"bauchau35", bench_reproduce_five_digits, 0},
    {"bauchau4", bench_reproduce_convergence, 1},
};
enum { N_TARGETS = sizeof targets / sizeof targets[0], NAMES_SIZE = 24 * N_TARGETS };

/* "table1, table2 ... or fig7" */
static const char *all_names(char text[NAMES_SIZE])
{
    char *end = text;
    for (int i = 0; i < N_TARGETS; i++) {
        const char *before = i == 0 ? "" : i + 1 < N_TARGETS ? ", " : " or ";
        end += snprintf(end, (size_t)(text + NAMES_SIZE - end), "%s%s", before, targets[i].name);
    }
    return text;
}

static int run(const target *t, const bench_settings *s)
{
    if (s->out && !t->draws)
        return bench_complain(BENCH_EXIT_USAGE, "reproduce %s: draws no picture, --out belongs to figures", t->name);
    return t->run(s);
}

int bench_cmd_reproduce(const bench_settings *s)
{
    const char *names[N_TARGETS];
    char text[NAMES_SIZE];
    if (s->n_words != 1) return bench_complain(BENCH_EXIT_USAGE, "reproduce: which one, %s?", all_names(text));
    for (int i = 0; i < N_TARGETS; i++) {
        names[i] = targets[i].name;
        if (strcmp(s->words[0], names[i]) == 0) return run(&targets[i], s);
    }
    const char *near = bench_nearest(s->words[0], names, N_TARGETS);
    if (near) return bench_complain(BENCH_EXIT_USAGE, "cannot reproduce '%s'; did you mean '%s'?", s->words[0], near);
    return bench_complain(BENCH_EXIT_USAGE, "cannot reproduce '%s', only %s", s->words[0], all_names(text));
}
