/* chatter.h - detects chattering: steps that advance t very little because a derivative alternates. */
#ifndef RSD_CHATTER_H
#define RSD_CHATTER_H

#include "base/memory.h"

typedef struct rsd_chatter {
    int n;                    /* number of components of y */
    double *y, *slope;        /* [n] y at the end of the last step; slopes over the last step */
    double *change, *sum;     /* [n] last change of each slope; sum of its counted changes */
    double *lowest, *highest; /* [n] smallest and largest slope in the window */
    int *turns;               /* [n] number of alternating changes of each slope in the window */
    double t, h, t_window;    /* end and size of the last step [s]; start of the window [s] */
    int steps, is_counting;   /* number of steps in the window; 1: slope changes are counted */
    int num_consecutive;      /* number of consecutive chattering windows */
    long fails;               /* number of failed attempts before the window */
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
