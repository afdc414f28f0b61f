/* timeline.h - when in a run the Jacobian was evaluated, and when it was only updated. */
#ifndef CMD_TIMELINE_H
#define CMD_TIMELINE_H

#include "program/run/run.h"

/** Times, rising; a step that needed several has its time as often. Free with cmd_times_free(). */
typedef struct cmd_times {
    double *t;
    long n;
} cmd_times;

typedef struct cmd_timeline {
    cmd_times evaluations, updates; /**< at the ends of the steps they were needed for */
    resida_stats stats;
    double t_reached;
    char message[RESIDA_MESSAGE_SIZE]; /**< of a failure */
} cmd_timeline;

/** Run a job step by step. @return 0; CMD_EXIT_FAILED with the message set, nothing is printed; 128 + signal */
int cmd_timeline_run(cmd_timeline *line, const cmd_job *job);

void cmd_timeline_free(cmd_timeline *line);

#endif
