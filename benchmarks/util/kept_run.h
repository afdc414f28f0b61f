/* kept_run.h - stores finished runs in a folder, so that an interrupted command does not repeat them. */
#ifndef BENCH_KEPT_RUN_H
#define BENCH_KEPT_RUN_H

#include <stdint.h>

#include "program/run/run.h"

/** The kept runs of a command, part of the settings of its jobs. */
typedef struct bench_kept_runs {
    char *folder; /**< NULL: runs are not kept */
    uint64_t key; /**< digest of program, library and options, part of the name of a run */
    long n_kept, n_measured;
    int is_full;   /**< 1: a write error was reported; no further writes */
    double kept_s; /**< [s] original time of the kept runs */
} bench_kept_runs;

/** Create the folder, and compute the key from the files of program and library and the options of the command line,
 *  except those that select runs (`which`, terminated by NULL). Close it in any case.
 *  @return 0; CMD_EXIT_* after one error message */
int bench_kept_runs_open(bench_kept_runs *kept, const char *folder, const cmd_settings *s, const char *const *which);

void bench_kept_runs_close(bench_kept_runs *kept);

/** Return the result of cmd_run(), or a kept result of the same job: model with its file and parameters, strategy,
 *  integrator, tolerances, interval, reference, repetitions. A run that a signal ended is not kept. Jobs without kept
 *  runs and jobs with sinks are always run; data passed to sinks are not kept. */
int bench_run(const cmd_job *job, cmd_row *row);

#endif
