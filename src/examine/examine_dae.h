/* examine_dae.h - does the start that is given for a general DAE fulfil F = 0? */
#ifndef RSD_EXAMINE_DAE_H
#define RSD_EXAMINE_DAE_H

#include <resida/solver.h>

#include "src/watch/guard.h"
#include "src/watch/warnings.h"

/** A start, and [n] work. */
typedef struct rsd_given_start {
    double t;
    const double *y, *yp; /* [n] */
    const resida_solver_options *o;
    double *F, *F_moved, *y_moved, *yp_moved;
} rsd_given_start;

/** Warn where F is off by more than what a change of y by many tolerances, and of yp by a part of it, would make of it.
 *  Two residual calls. @return RESIDA_OK; what the guard stopped for */
resida_status rsd_examine_given_start(rsd_guard *guard, const rsd_given_start *s, rsd_warnings *warnings);

#endif
