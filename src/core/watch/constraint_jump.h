/* constraint_jump.h - detects jumps of the constraints g in time. Steps can pass a jump if F or the error test does not
 * contain g = 0. */
#ifndef RSD_CONSTRAINT_JUMP_H
#define RSD_CONSTRAINT_JUMP_H

#include <resida/solver.h>

#include "blame.h"
#include "guard.h"

/** Record of the checks of constraints for jumps. */
typedef struct rsd_watched {
    double t;        /* time up to which the constraints are checked [s] */
    int steps, wait; /* number of steps since t; number of steps after which the next check is due */
} rsd_watched;

/** Occasion of a check of constraints for jumps. */
typedef enum rsd_watch_at {
    RSD_AT_STEP,   /* the end of a step */
    RSD_AT_OUTPUT, /* an output */
    RSD_AT_STOP    /* an event or stop time; the check ends some roundings before t */
} rsd_watch_at;

/** Check for a jump of a position constraint between x->t and t, at the positions of y [n]. If the constraints are
 *  enforced at acceleration level, also check for a kink. Return 0 if no jump exceeds the tolerances and there is no
 *  kink, if g could not be evaluated, or if no check is due; < 0 to stop, with row and time in the message of
 *  guard->stop. Cost: 2 calls of g at every eighth step, and at outputs that are at least a step apart. If g depends on
 *  t, the cost is 5 calls at every fourth step and at such outputs. A row that is not a cubic function of t within the
 *  tolerances takes 5 more calls, and 4 for each halving of the interval. */
int rsd_watch_constraints(rsd_watched *x, rsd_guard *guard, const resida_solver_options *o, double t, rsd_watch_at at,
                          const double *y);

/** Find a position constraint that jumps near t, at the positions of y [n]: within RSD_JUMP_DISTANCE steps h or
 *  increments of differences by t. Return 1 if a row jumps, with row, time and a remedy in text [RSD_CAUSE_TEXT].
 *  Cost: 5 calls of g; for each row that is not cubic within the tolerances 5, and 4 for each halving. */
int rsd_find_constraint_jump(resida_problem *q, const resida_solver_options *o, double t, double h, const double *y,
                             char *text);

#endif
