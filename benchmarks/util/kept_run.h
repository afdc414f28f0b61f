/* kept_run.h - runs that are finished stay in a folder, so that a command that was interrupted does not run them
 * again. */
#ifndef BENCH_KEPT_RUN_H
#define BENCH_KEPT_RUN_H

#include <stdint.h>

#include "program/run/run.h"

/** Runs of a command, in the settings of their jobs. */
typedef struct bench_kept_runs {
    char *folder; /**< NULL: none is kept */
    uint64_t key; /**< of program, library and options: a run of others is another one */
    long n_kept, n_measured;
    int is_full;   /**< 1: a file could not be written, which was said; others are not tried */
    double kept_s; /**< [s] that the kept ones took when they ran */
} bench_kept_runs;

/** Make the folder, and the key by the files of program and library and the options of the command line but for those
 *  that decide which runs there are (`which`, closed by NULL). To be closed in any case.
 *  @return 0; CMD_EXIT_* after one complaint */
int bench_kept_runs_open(bench_kept_runs *kept, const char *folder, const cmd_settings *s, const char *const *which);

void bench_kept_runs_close(bench_kept_runs *kept);

/** cmd_run(), or what it gave when the same job ran before: model with its file and parameters, strategy, integrator,
 *  tolerances, interval, reference, repetitions. A run that a signal ended is not kept. Without kept runs in the
 *  settings of the job it is cmd_run(). What a run gives to sinks is not kept: such a job runs. */
int bench_run(const cmd_job *job, cmd_row *row);

#endif
