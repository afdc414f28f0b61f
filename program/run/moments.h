/* moments.h - moments at which a run leaves its handles and goes on with new ones, so that one that was interrupted can
 * go on from the same bytes: what `solve --checkpoint` has a run do. */
#ifndef CMD_MOMENTS_H
#define CMD_MOMENTS_H

#include "run.h"

/** How far a run has come, besides what the library keeps. */
typedef struct cmd_way {
    long k;                /**< outputs so far, besides that of the start */
    long rows;             /**< in the file of the trajectory */
    long happened;         /**< events */
    double g, gv, worst_k; /**< drift */
    double cpu_s, wall_s;
} cmd_way;

/** A state. */
typedef struct cmd_state_bytes {
    void *bytes; /**< [size] free() it; NULL: none */
    size_t size;
    int is_due; /**< to be written */
} cmd_state_bytes;

struct cmd_moments {
    long steps;          /**< from moment to moment */
    const cmd_way *from; /**< where it goes on; NULL: from the start */
    void (*begin)(void *self);
    /** Leave the handles and go on with new ones, with this monitor. Where they cannot be started the old ones stay, in
     *  an interrupted run as well. @return 0; -1 without memory; else the exit code of a complaint: the run ends */
    int (*pass)(void *self, const cmd_way *way, const cmd_job *job, cmd_handles *handles, resida_monitor_fn *monitor,
                void *user, cmd_state_bytes *state);
    /** Write it, whole or not at all. @return 0; else a complaint was made, and the run goes on */
    int (*write)(void *self, const void *bytes, size_t size);
    resida_status (*load)(void *self, const cmd_job *job, resida_run *run); /**< the state where it goes on */
    int (*restore)(void *self); /**< the rows until there. @return 0; CMD_EXIT_IO after one complaint */
    void *self;
};

#endif
