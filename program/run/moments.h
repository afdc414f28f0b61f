/* moments.h - moments at which a run replaces its handles by new ones, so that an interrupted run can continue from the
 * same bytes. Used by `solve --checkpoint`. */
#ifndef CMD_MOMENTS_H
#define CMD_MOMENTS_H

#include "run.h"

/** The progress of a run, apart from the state in the library. */
typedef struct cmd_way {
    long k;                /**< outputs so far, without the output at the start */
    long rows;             /**< rows in the file of the trajectory */
    long happened;         /**< number of events */
    double g, gv, worst_k; /**< drift */
    double cpu_s, wall_s;
} cmd_way;

/** A saved state. */
typedef struct cmd_state_bytes {
    void *bytes; /**< [size] to be freed; NULL if there is none */
    size_t size;
    int is_due; /**< 1 if the state is to be written */
} cmd_state_bytes;

struct cmd_moments {
    long steps;          /**< number of steps between moments */
    const cmd_way *from; /**< progress from which to continue; NULL: from the start */
    void (*begin)(void *self);
    /** Replace the handles by new ones, with this monitor. If these cannot be started, or after an interruption, the
     *  old ones stay. @return 0; -1 without memory; else the exit code of a complaint, which ends the run */
    int (*pass)(void *self, const cmd_way *way, const cmd_job *job, cmd_handles *handles, resida_monitor_fn *monitor,
                void *user, cmd_state_bytes *state);
    /** Write the state, completely or not at all. @return 0; otherwise after a complaint, and the run continues */
    int (*write)(void *self, const void *bytes, size_t size);
    resida_status (*load)(void *self, const cmd_job *job, resida_run *run); /**< loads the state from which to
                                                                             *   continue */
    int (*restore)(void *self); /**< restores the rows so far. @return 0; CMD_EXIT_IO after one complaint */
    void *self;
};

#endif
