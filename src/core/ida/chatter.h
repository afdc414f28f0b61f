/* chatter.h - detects chattering: steps that advance t very little because a derivative alternates. */
#ifndef RSD_CHATTER_H
#define RSD_CHATTER_H

#include "base/memory.h"

typedef struct rsd_chatter {
    int n;                    /* number of components of y */
    double *y, *slope;        /* [n] y at the end of the last step; [n] difference quotients of y over that step */
    double *change, *sum;     /* [n] last large change of each slope; [n] sum of its counted changes, in tolerances */
    double *lowest, *highest; /* [n] smallest and [n] largest slope of each component in the window of steps */
    int *turns;               /* [n] number of changes of each slope in the window that have alternating signs */
    double t, h, t_window;    /* end and size of the last step [s]; start of the window [s] */
    int steps, is_counting;   /* number of steps so far in the window; 1: slope changes are counted in this window */
    int num_consecutive;      /* number of consecutive chattering windows */
    long fails;               /* number of failed attempts from the start to the beginning of the window */
} rsd_chatter;

/** Allocate the arrays of *c. The caller has set c->n, and frees the arrays even after a failure. Return
 *  RESIDA_ERR_MEMORY on failure. */
resida_status rsd_chatter_create(rsd_chatter *c, const resida_allocator *alloc);

/** Reset the detection of chattering at a start, where t = 0. */
void rsd_chatter_reset(rsd_chatter *c);

/** Examine a step that has ended at t with y [n]. A step that is reported twice counts once.
 *  @param fails   number of failed attempts since the start
 *  @param w       [n] weights of the error test
 *  @param tested  [n] 1 for components in the error test
 *  @return the component that chatters, or -1 if there is none
 *  Cost: O(n) per step while steps are short compared with t, else O(1). */
int rsd_chatter_add_step(rsd_chatter *c, double t, long fails, const double *y, const double *w, const double *tested);

#endif
