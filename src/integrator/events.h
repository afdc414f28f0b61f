/* events.h - events within steps that were taken: where root functions change their signs on the interpolated
 * solution. */
#ifndef RSD_EVENTS_H
#define RSD_EVENTS_H

#include <resida/solver.h>

#include "src/watch/guard.h"

/** y and yp [n] at a time within the last step; yp NULL: not needed. 0; < 0 not possible. */
typedef int rsd_dense_fn(void *self, double t, double *y, double *yp);

typedef struct rsd_events {
    rsd_guard *guard;
    const resida_solver_options *o;
    rsd_dense_fn *dense; /* of `self` */
    void *self;
    double origin; /* times here are counted from this t on */
    int n_root;
    double t, before;     /* all crossings up to t are found; where `past` was looked at, or -INFINITY */
    double h;             /* of the step */
    double reach;         /* length of the next part of a step that is looked at as a whole; 0: not known */
    double *value, *past; /* [n_root] at t, and before it */
    double after;         /* where `beyond` was looked at, after that part; INFINITY: nowhere */
    double *beyond;       /* [n_root] */
    double *checked;      /* [n_root] at a point besides */
    double *inside, *end; /* [n_root] within that part, and at its end */
    int *side;            /* [n_root] sign of each function where it was looked at last; 0: zero from the start on */
    int *at_zero;         /* [n_root] 1: exactly zero there */
    int *direction;       /* [n_root] of the event found last */
    int *given_up;        /* [n_root] 1: no more followed within this step, as its looks were spent */
    int *held;            /* [n_root] parts of this step that the function made shorter, or kept from growing */
    double *y, *yp;       /* [n] */
    long looks, turn;     /* since the last step or event; since the start */
    long in_doubt;        /* times that functions were given up */
    double *kept_values;  /* [2 n_root] value and past before a search, which may fail; .. */
    int *kept_sides;      /* [3 n_root] .. side, at_zero, direction */
} rsd_events;

/** guard, o, dense and self are set before. RESIDA_ERR_MEMORY. */
resida_status rsd_events_create(rsd_events *e, const resida_allocator *alloc);

/** The integration begins at origin + t with y, yp, and a step h. 0; < 0 stop, guard->stop says why. */
int rsd_events_begin(rsd_events *e, double t, double h, const double *y, const double *yp);

/** The first event after e->t and the last one, within a step from t_0 to t_1: *t_event; or *t_event = INFINITY: there
 *  is none up to t_1. 0; < 0 stop, guard->stop says why: all is as before, and the search can be repeated. */
int rsd_events_find(rsd_events *e, double t_0, double t_1, double *t_event);

#endif
