/* commands.h - the commands of `resida-bench`. Each returns its exit code and prints at most one error message. */
#ifndef BENCH_COMMANDS_H
#define BENCH_COMMANDS_H

#include "program/cli/settings.h"

cmd_command_fn cmd_cmd_work_precision, cmd_cmd_conditioning, cmd_cmd_reproduce, cmd_cmd_report, cmd_cmd_results,
    cmd_cmd_study;

/** Print the items that `reproduce` accepts, one per line. */
void cmd_reproduce_items(FILE *stream);
/** Print the studies that `results` can quote in a page, one per line. */
void cmd_results_items(FILE *stream);
/** Print the studies, one per line. */
void cmd_study_items(FILE *stream);

#endif
