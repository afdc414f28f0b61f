/* fixed_events.h - events within a step that was taken: where root functions change their signs on the interpolating cubic. */
#ifndef RSD_FIXED_EVENTS_H
#define RSD_FIXED_EVENTS_H

#include "fixed_past.h"
#include "guard.h"

typedef struct rsd_events {
    rsd_guard *guard;
    const rsd_past *past;
    int n_root;
    double *value;  /* [n_root] */
    int *side;      /* [n_root] sign of each function where it was looked at last; 0: zero from the start on */
    int *at_zero;   /* [n_root] 1: exactly zero there */
    int *direction; /* [n_root] of the event found last */
    double *y, *yp; /* [n] */
} rsd_events;

/** guard and past are set before. RESIDA_ERR_MEMORY. */
resida_status rsd_events_create(rsd_events *e, const resida_allocator *alloc);
void rsd_events_free(rsd_events *e, const resida_allocator *alloc);

/** The integration begins at t with y, yp. 0; < 0 stop, guard->stop says why. */
int rsd_events_begin(rsd_events *e, double t, const double *y, const double *yp);

/** The first event after t0 in the last step, which ended at t1: *t_event; or *t_event = INFINITY: there is none.
 *  0; < 0 stop, guard->stop says why. */
int rsd_events_find(rsd_events *e, double t0, double t1, double *t_event);

#endif
