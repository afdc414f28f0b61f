/* constraint_jump.h - jumps of g in time, which steps pass where F does not hold g, or where no error is tested. */
#ifndef RSD_CONSTRAINT_JUMP_H
#define RSD_CONSTRAINT_JUMP_H

#include <resida/solver.h>

#include "blame.h"
#include "guard.h"

typedef struct rsd_watched {
    double t;        /* of the user: constraints have been watched up to there */
    int steps, wait; /* since then; until the next look, as long as g does not change with t. 0: begin */
} rsd_watched;

typedef enum rsd_watch_at {
    RSD_AT_STEP,   /* a step has ended there */
    RSD_AT_OUTPUT, /* the caller gets the state */
    RSD_AT_STOP    /* so does he, at an event or a stop time: what lies within the rounding of t is left out */
} rsd_watch_at;

/** Does a position constraint jump between the times x->t and t, at the positions of y [n]? 0: not above the
 *  tolerances, or it is too early to look; < 0 stop: guard->stop and the message name row and time.
 *  Cost: 2 calls of g at every eighth step, and at outputs that are a step apart; where g changes with t, 5 at every
 *  fourth step and at such outputs, and 4 for each halving where it is no cubic to the tolerances. */
int rsd_watch_constraints(rsd_watched *x, rsd_guard *guard, const resida_solver_options *o, double t, rsd_watch_at at,
                          const double *y);

/** 1: a position constraint jumps within a few steps of size h of t, or within the increments of its differences by t,
 *  at the positions of y [n]: text [RSD_CAUSE_TEXT] says which, where, and what to do.
 *  Cost: 5 calls of g, and for each row that is no cubic to the tolerances 5 and 4 for each halving. */
int rsd_constraint_jumps(resida_problem *q, const resida_solver_options *o, double t, double h, const double *y,
                         char *text);

#endif
