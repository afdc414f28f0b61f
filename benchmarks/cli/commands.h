/* commands.h - what `resida-bench` can do; each returns its exit code, after at most one complaint. */
#ifndef BENCH_COMMANDS_H
#define BENCH_COMMANDS_H

#include "program/cli/settings.h"

cmd_command_fn cmd_cmd_work_precision, cmd_cmd_conditioning, cmd_cmd_reproduce, cmd_cmd_report, cmd_cmd_results,
    cmd_cmd_study;

/** What it can reproduce, a line each. */
void cmd_reproduce_items(FILE *stream);
/** The studies that a page can quote, a line each. */
void cmd_results_items(FILE *stream);
/** What there is, a line each. */
void cmd_study_items(FILE *stream);

#endif
