/* chatter.h - steps that get nowhere, because a derivative jumps to and fro with each of them. */
#ifndef RSD_CHATTER_H
#define RSD_CHATTER_H

#include "base/memory.h"

typedef struct rsd_chatter {
    int n;
    double *y, *slope, *change,
        *sum; /* [n] of the last step; the last change of slope; sum of those that alternate, weighted */
    double *lowest, *highest; /* [n] slopes in this window */
    int *turns;               /* [n] changes of slope that alternate */
    double t, h, t_window;    /* end and size of the last step; begin of this window */
    int steps, is_watched;    /* in this window; components are looked at */
    int in_a_row;             /* windows that chattered */
    long fails;               /* at the begin of this window */
} rsd_chatter;

/** n is set before. Free it in any case. RESIDA_ERR_MEMORY. */
resida_status rsd_chatter_create(rsd_chatter *c, const resida_allocator *alloc);

/** The integration starts anew, at t = 0. */
void rsd_chatter_reset(rsd_chatter *c);

/** A step has ended at t, with y [n]; attempts that failed so far. -1; the component that chatters. A step that is
 *  passed twice counts once. w [n]: weights of the error test, tested [n] 1 for what is in it.
 *  Cost: none, but O(n) while steps are short for the time since the start. */
int rsd_chatter_watch(rsd_chatter *c, double t, long fails, const double *y, const double *w, const double *tested);

#endif
