/* run_end.h - the end state of a run, for computing errors and for output. */
#ifndef CMD_RUN_END_H
#define CMD_RUN_END_H

#include <resida/model.h>
#include <resida/solver.h>

/** Positions or y, velocities, multipliers at one time. A zeroed struct has none. */
typedef struct cmd_run_end {
    int n_p, n_v, n_lam;
    double t, *p, *v, *lam;          /**< one block, owned by p; NaN if unknown */
    double *p_max, *v_max, *lam_max; /**< max. absolute values so far, in the same block; initially 0 */
    double reached;                  /**< time of the stored state; NaN if there is none */
} cmd_run_end;

/** Allocate the end state at t, which is unknown at first. With t = -INFINITY each state replaces the previous one.
 *  @return 0; -1 if memory is exhausted */
int cmd_run_end_allocate(cmd_run_end *e, const resida_model *m, double t);

/** Update the maxima with a state, and store the state if its time is not before t. */
void cmd_run_end_store(cmd_run_end *e, const resida_state *state);

/** Copy the stored arrays; an argument may be NULL. */
void cmd_run_end_copy(const cmd_run_end *e, double *p, double *v, double *lam);

void cmd_run_end_free(cmd_run_end *e);

#endif
