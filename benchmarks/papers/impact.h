/* impact.h - the run of section 5 of C. Bottasso, O. Bauchau, A. Cardona, SIAM J. Sci. Comput. 29 (2007) 397-414:
 * impact of a cam on a beam. */
#ifndef CMD_IMPACT_H
#define CMD_IMPACT_H

#include "program/run/run.h"

/** Positions of the nodes of beam and cam at one time. */
enum { CMD_IMPACT_BEAM = 13, CMD_IMPACT_CAM = 4, CMD_IMPACT_NODES = CMD_IMPACT_BEAM + CMD_IMPACT_CAM };
typedef struct cmd_impact_shape {
    double t; /**< NaN: not reached */
    double x[CMD_IMPACT_NODES], y[CMD_IMPACT_NODES];
} cmd_impact_shape;

enum { CMD_IMPACT_START, CMD_IMPACT_TOUCH, CMD_IMPACT_END, CMD_IMPACT_SHAPES };

/** A run. Initialize with zeros. */
typedef struct cmd_impact {
    double m_ave;
    double newton; /**< tolerance of the iteration in the units of the scaling; 0: default, with weights by h */
    long n;
    double *t, *h, *s; /**< [n] ends of steps, step sizes, and s = k_ave + m_ave/h^2 */
    cmd_impact_shape shapes[CMD_IMPACT_SHAPES];
    double impulse; /**< impulse of the contact up to the end */
    resida_status status;
    resida_message why;
} cmd_impact;

extern const double cmd_impact_k_ave;

/** Number of elements and order that give this number of nodes: the parameters "elements" and "order". */
extern const double cmd_impact_elements, cmd_impact_order;

/** Run the model with run->m_ave and run->newton: fixed steps of 1e-2 s up to 0.4 s, then adaptive steps. Free the run
 *  in any case.
 *  @param[in] job  a job of "cam-contact" in the form "index3"; its tolerances apply to the local error
 *  @return 0, also if the run failed; CMD_EXIT_FAILED without memory or problem, after one error message; 128 + signal
 *  number */
int cmd_impact_run(cmd_impact *run, const cmd_job *job);
void cmd_impact_free(cmd_impact *run);

#endif
