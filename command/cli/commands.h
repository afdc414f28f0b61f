/* commands.h - what the command can do; each returns its exit code, after at most one complaint. */
#ifndef BENCH_COMMANDS_H
#define BENCH_COMMANDS_H

#include "settings.h"

int bench_cmd_models(const bench_settings *s);
int bench_cmd_solve(const bench_settings *s);
int bench_cmd_resume(const bench_settings *s);
int bench_cmd_compare(const bench_settings *s);
int bench_cmd_work_precision(const bench_settings *s);
int bench_cmd_check(const bench_settings *s);
int bench_cmd_pattern(const bench_settings *s);
int bench_cmd_reproduce(const bench_settings *s);
/** What it can reproduce, a line each. */
void bench_reproduce_items(FILE *stream);
int bench_cmd_conditioning(const bench_settings *s);
int bench_cmd_linearize(const bench_settings *s);
int bench_cmd_equilibrium(const bench_settings *s);
int bench_cmd_report(const bench_settings *s);
int bench_cmd_sweep(const bench_settings *s);

#endif
