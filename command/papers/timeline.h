/* timeline.h - when in a run the Jacobian was evaluated, and when it was only updated. */
#ifndef BENCH_TIMELINE_H
#define BENCH_TIMELINE_H

#include "command/run/run.h"

/** Times, rising; a step that needed several has its time as often. Free with bench_times_free(). */
typedef struct bench_times {
    double *t;
    long n;
} bench_times;

typedef struct bench_timeline {
    bench_times evaluations, updates; /**< at the ends of the steps they were needed for */
    resida_stats stats;
    double t_reached;
    char message[RESIDA_MESSAGE_SIZE]; /**< of a failure */
} bench_timeline;

/** Run a job step by step. @return 0; BENCH_EXIT_FAILED with the message set, nothing is printed; 128 + signal */
int bench_timeline_run(bench_timeline *line, const bench_job *job);

void bench_timeline_free(bench_timeline *line);

#endif
