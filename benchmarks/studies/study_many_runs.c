/* study_many_runs.c - runs per second on one core: a loop that creates a solver for each run, by resida and by stock
 * IDA, and RADAU5. The loops are runs of the separate program measure_overhead (benchmarks/peers). They alternate, and
 * the median of the rounds counts, so that all of them see the same machine.
 *
 * resida computes the consistent start of each run. Stock IDA and RADAU5 get it without cost, and the time of RADAU5 is
 * that of its integration alone. No column includes the creation of the model. All have the tolerances of the model. */
#include "studies.h"

#include "benchmarks/peers/counted_process.h"
#include "program/base/complain.h"
#include "program/base/number.h"
#include "program/output/row_text.h"
#include "program/run/run_peer.h"
#include "run_line.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 5, OURS = 0, STOCK = 1, PATH = 4096 };

/** Model, end time [s], number of runs of a round; the words of RADAU5. */
static const struct {
    const char *model;
    double time;
    int runs;
    const char *words;
} cases[] = {
    {"pendulum", 2, 2000, "pendulum --t-end 2 --repeat 20"},
    {"pendulum", 30, 100, "pendulum --t-end 30 --repeat 5"},
    {"car", 10, 20, "car --repeat 3"},
};
enum { N_CASES = sizeof cases / sizeof *cases };

/** Run a loop. @return the processor time of a run [s]; NaN if it failed */
static double loop(const char *path, int i, int kind, double *error)
{
    static const char *const kinds[] = {"auto", "ida-dense"};
    char command[PATH + 100];
    double seconds = NAN;
    snprintf(command, sizeof command, "'%s' %s 0 %g %s %d", path, cases[i].model, cases[i].time, kinds[kind],
             cases[i].runs);
    fflush(NULL);
    FILE *f = popen(command, "r");
    if (f && fscanf(f, "%*d %*d %*d %*d %lf %lf", error, &seconds) != 2) seconds = NAN;
    return f && pclose(f) == 0 ? seconds : NAN;
}

static int add(cmd_table *table, const char *path, int i)
{
    double seconds[2][ROUNDS], errors[2];
    cmd_row row;
    for (int k = 0; k < ROUNDS; k++)
        for (int kind = OURS; kind <= STOCK; kind++) {
            seconds[kind][k] = loop(path, i, kind, &errors[kind]);
            if (!(seconds[kind][k] > 0)) return cmd_complain(CMD_EXIT_FAILED, "many-runs: %s failed", path);
        }
    const int has_radau = rsd_peer_find("radau5") != NULL;
    const int code = has_radau ? bench_run_line(cases[i].words, NULL, "radau5", &row) : 0;
    for (int kind = OURS; kind <= STOCK; kind++) qsort(seconds[kind], ROUNDS, sizeof(double), cmd_by_value);
    const double ours = seconds[OURS][ROUNDS / 2], stock = seconds[STOCK][ROUNDS / 2];
    const double radau = has_radau && row.outcome == CMD_OK ? row.cpu_s.median : NAN;
    cmd_table_cells(table, "%s, %g\t%.0f\t%.0f\t%s\t%.2f\t%s\t%s\t%s\t%s", cases[i].model, cases[i].time, 1 / ours,
                    1 / stock, cmd_format_or_dash("%.0f", 1 / radau), stock / ours,
                    cmd_format_or_dash("%.2f", radau / ours), cmd_format_error(errors[OURS]),
                    cmd_format_error(errors[STOCK]), cmd_format_error(has_radau ? row.error.p : NAN));
    return code;
}

int bench_study_many_runs(const cmd_settings *s)
{
    char path[PATH];
    cmd_table table = {0};
    int code = 0;
    if (s->n_words > 0) return cmd_complain(CMD_EXIT_USAGE, "study many-runs: no arguments are accepted");
    if (counted_find(path, sizeof path) != 0)
        return cmd_complain(CMD_EXIT_FAILED, "many-runs: %s is missing; install valgrind and KLU and build again",
                            path);
    cmd_table_begin(&table, "<model, time [s]\truns/s@resida\truns/s@stock IDA\truns/s@RADAU5\tratio@stock IDA\t"
                            "ratio@RADAU5\terror of p@resida\terror of p@stock IDA\terror of p@RADAU5");
    for (int i = 0; i < N_CASES && code == 0; i++) code = add(&table, path, i);
    if (code == 0) cmd_table_print(&table, 0, stdout);
    cmd_table_free(&table);
    return code;
}
