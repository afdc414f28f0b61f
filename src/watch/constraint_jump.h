/* constraint_jump.h - jumps of g in time, which steps pass where F does not hold g, or where no error is tested. */
#ifndef RSD_CONSTRAINT_JUMP_H
#define RSD_CONSTRAINT_JUMP_H

#include <resida/solver.h>

#include "guard.h"

typedef struct rsd_watched {
    double t;        /* of the user: constraints have been watched up to there */
    int steps, wait; /* since then; until the next look, as long as g does not change with t */
} rsd_watched;

/** The integration begins at t. */
void rsd_watched_begin(rsd_watched *x, double t);

/** Where the integration is, with y [n]. */
typedef struct rsd_watched_end {
    double t;
    int is_step;  /* 1: a step has ended there; 0: the caller gets it */
    int may_jump; /* 1: at an event or a stop time, so that what lies within the rounding of t is left out */
    const double *y;
} rsd_watched_end;

/** Does a position constraint jump at these positions, between the times x->t and end->t? 0: not above the tolerances,
 *  or it is too early to look; < 0 stop: guard->stop and the message name row and time.
 *  Cost: 2 calls of g at every eighth step and at the end; where g changes with t, 5 at each step and 4 for each
 *  halving where it is no cubic to the tolerances. */
int rsd_watch_constraints(rsd_watched *x, rsd_guard *guard, const resida_solver_options *o, const rsd_watched_end *end);

#endif
