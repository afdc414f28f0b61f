/* commands.h - what `resida-bench` can do; each returns its exit code, after at most one complaint. */
#ifndef BENCH_COMMANDS_H
#define BENCH_COMMANDS_H

#include "program/cli/settings.h"

int cmd_cmd_work_precision(const cmd_settings *s);
int cmd_cmd_conditioning(const cmd_settings *s);
int cmd_cmd_reproduce(const cmd_settings *s);
/** What it can reproduce, a line each. */
void cmd_reproduce_items(FILE *stream);
int cmd_cmd_report(const cmd_settings *s);
int cmd_cmd_results(const cmd_settings *s);
/** The studies that a page can quote, a line each. */
void cmd_results_items(FILE *stream);
int cmd_cmd_study(const cmd_settings *s);
/** What there is, a line each. */
void cmd_study_items(FILE *stream);

#endif
