/* run_end.h - where a run has come to: what an error is measured by, and what is told of the end. */
#ifndef CMD_RUN_END_H
#define CMD_RUN_END_H

#include <resida/model.h>
#include <resida/solver.h>

/** Positions or y, velocities, multipliers at one time. Zeroed: none. */
typedef struct cmd_run_end {
    int n_p, n_v, n_lam;
    double t, *p, *v, *lam;          /**< one block, owned by p; what is not known is NaN */
    double *p_max, *v_max, *lam_max; /**< the largest sizes so far, in that block; 0 before */
    double reached;                  /**< time of the state that is kept, NaN: none */
} cmd_run_end;

/** Room for the end at t, nothing known; t = -INFINITY: for each state, the last one stays.
 *  @return 0; -1 without memory */
int cmd_run_end_make(cmd_run_end *e, const resida_model *m, double t);

/** Keep the sizes of a state, and the state if it is not before t. */
void cmd_run_end_keep(cmd_run_end *e, const resida_state *state);

/** The same by arrays, NULL: not wanted. */
void cmd_run_end_give(const cmd_run_end *e, double *p, double *v, double *lam);

void cmd_run_end_free(cmd_run_end *e);

#endif
