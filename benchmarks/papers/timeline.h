/* timeline.h - times at which a run evaluated the Jacobian, and times at which it only updated the Jacobian. */
#ifndef CMD_TIMELINE_H
#define CMD_TIMELINE_H

#include "program/run/run.h"

/** Nondecreasing times; a step with several evaluations has one entry for each. Free with cmd_times_free(). */
typedef struct cmd_times {
    double *t;
    long n;
} cmd_times;

typedef struct cmd_timeline {
    cmd_times evaluations, updates; /**< the end of the step that required them */
    resida_stats stats;
    double t_reached;
    char message[RESIDA_MESSAGE_SIZE]; /**< error message of a failure */
} cmd_timeline;

/** Run a job step by step. @return 0; CMD_EXIT_FAILED with the message set, nothing is printed; 128 + signal number */
int cmd_timeline_run(cmd_timeline *line, const cmd_job *job);

void cmd_timeline_free(cmd_timeline *line);

#endif
