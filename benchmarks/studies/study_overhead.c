/* study_overhead.c - what a step costs beside the callbacks of the model, in instructions: the table of
 * measure_overhead (benchmarks/peers), a program of its own, which valgrind counts. It is looked for beside this one,
 * in peers/. */
#include "studies.h"

#include "program/base/complain.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4096, LINE = 300, HEADINGS = 2 };

static int find(char path[PATH])
{
    static const char program[] = "/peers/measure_overhead";
    const ssize_t n = readlink("/proc/self/exe", path, PATH - sizeof program);
    if (n <= 0) return -1;
    path[n] = 0;
    strcpy(strrchr(path, '/'), program);
    return access(path, X_OK);
}

static int add(cmd_table *table, char *line)
{
    char name[64], number[16], time[16], strategy[32], stock[32];
    long steps, stock_steps;
    double own, others, ratio;
    if (sscanf(line, "%63s %15s %15s %31s %ld %lf %31s %ld %lf %lf", name, number, time, strategy, &steps, &own, stock,
               &stock_steps, &others, &ratio) != 10)
        return cmd_complain(CMD_EXIT_FAILED, "overhead: not a row: %.*s", (int)strcspn(line, "\n"), line);
    cmd_table_cells(table, "%s, %s, %s\t%s\t%ld\t%.0f\t%s\t%ld\t%.0f\t%.2f", name, number, time, strategy, steps, own,
                    stock, stock_steps, others, ratio);
    return 0;
}

int bench_fill_overhead(const cmd_settings *s, cmd_table *table)
{
    char path[PATH], line[LINE];
    int code = 0, n = 0;
    (void)s;
    cmd_table_begin(table, "<model, n, time [s]\t<strategy\tsteps@resida\ta step@resida\t<stock IDA\tsteps@stock\t"
                           "a step@stock\tratio");
    if (find(path) != 0)
        return cmd_complain(CMD_EXIT_FAILED,
                            "overhead: %s is not there; the build needs valgrind, KLU and SUNDIALS' solver for it",
                            path);
    FILE *f = popen(path, "r");
    if (!f) return cmd_complain_io("run", path);
    while (code == 0 && fgets(line, sizeof line, f))
        if (n++ >= HEADINGS) code = add(table, line);
    if (pclose(f) != 0 && code == 0) code = cmd_complain(CMD_EXIT_FAILED, "overhead: %s failed", path);
    return code;
}
