/* study_overhead.c - the cost of a step without the callbacks of the model, in instructions: runs of the separate
 * program measure_overhead (benchmarks/peers), counted by valgrind. The program is expected in peers/ next to this
 * one. */
#include "studies.h"

#include "benchmarks/peers/counted_process.h"
#include "program/base/complain.h"

#include <stdio.h>

enum { PATH = 4096, WORDS = 80 };

/** Model, its parameter n (0: none), time [s]; strategies of resida and of stock IDA. */
static const struct {
    const char *model;
    int n;
    double time;
    const char *ours, *stock;
} cases[] = {
    {"chain", 14, 200, "sparse+partitioned", "ida-dense"},
    {"chain", 14, 200, "auto", "ida-dense"},
    {"pendulum", 0, 30, "auto", "ida-dense"},
    {"slider-crank", 0, 10, "auto", "ida-dense"},
    {"car-axis", 0, 3, "auto", "ida-dense"},
    {"chain-cartesian", 14, 20, "auto", "ida-klu"},
    {"chain-cartesian", 100, 1, "auto", "ida-klu"},
    {"chain-cartesian", 1000, 1, "auto", "ida-klu"},
    {"chain-cartesian", 10000, 1, "auto", "ida-klu"},
};
enum { N_CASES = sizeof cases / sizeof *cases };

static int add(cmd_table *table, const char *path, int i)
{
    const char *kinds[2] = {cases[i].ours, cases[i].stock};
    char what[WORDS];
    double each[2];
    long steps[2];
    snprintf(what, sizeof what, "%s %d %g", cases[i].model, cases[i].n, cases[i].time);
    for (int k = 0; k < 2; k++) {
        counted_process p = counted_begin(path, what, kinds[k]);
        each[k] = counted_end(&p, &steps[k]);
        if (!(each[k] > 0)) return cmd_complain(CMD_EXIT_FAILED, "overhead: %s %s %s failed", path, what, kinds[k]);
    }
    cmd_table_cells(table, "%s, %d, %g\t%s\t%ld\t%.0f\t%s\t%ld\t%.0f\t%.2f", cases[i].model, cases[i].n, cases[i].time,
                    kinds[0], steps[0], each[0], kinds[1], steps[1], each[1], each[0] / each[1]);
    return 0;
}

int bench_fill_overhead(const cmd_settings *s, cmd_table *table)
{
    char path[PATH];
    int code = 0;
    (void)s;
    cmd_table_begin(table, "<model, n, time [s]\t<strategy\tsteps@resida\ta step@resida\t<stock IDA\tsteps@stock\t"
                           "a step@stock\tratio");
    if (counted_find(path, sizeof path) != 0)
        return cmd_complain(CMD_EXIT_FAILED,
                            "overhead: %s is missing; install valgrind, KLU and SUNDIALS with KLU, and build again",
                            path);
    for (int i = 0; i < N_CASES && code == 0; i++) code = add(table, path, i);
    return code;
}
