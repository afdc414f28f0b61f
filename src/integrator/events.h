/* events.h - events within steps that were taken: where root functions change their signs on the interpolated
 * solution. */
#ifndef RSD_EVENTS_H
#define RSD_EVENTS_H

#include <resida/solver.h>

#include <float.h>
#include <math.h>

#include "src/watch/guard.h"

/** y and yp [n] at a time within the last step; yp NULL: not needed. RESIDA_OK, or not possible. */
typedef resida_status rsd_dense_fn(void *self, double t, double *y, double *yp);

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
    double *band;         /* [n_root] |g| above which the function is armed; < 0: it is armed */
    int *direction;       /* [n_root] of the event found last, wanted or not */
    int *unseen;          /* [n_root] 1: it had not been armed on the side from which it crossed */
    int is_behind;        /* the last start was at that event, .. */
    int is_exact;         /* signs at the last start are certain */
    int is_same;          /* .. with the same state, .. */
    double rates_jump;    /* .. or nearly so, and jumps of y' by so many tolerances in a second: then functions stay on
                             the sides to which they have crossed */
    int is_begun;         /* functions have been evaluated at it, .. */
    double *y_0, *yp_0;   /* [n] .. the state there */
    double flight;        /* from `past` to the event before it */
    int *given_up;        /* [n_root] 1: no more followed within this step, as its looks were spent */
    int *held;            /* [n_root] parts of this step that the function made shorter, or kept from growing */
    double *y, *yp;       /* [n] */
    long looks, turn;     /* since the last step or event; since the start */
    long in_doubt;        /* times that functions were given up */
    double *kept_values;  /* [3 n_root] value, past, band before a search, which may fail; .. */
    int *kept_sides;      /* [3 n_root] .. side, direction, unseen */
} rsd_events;

/** A band of a function that is armed. */
#define RSD_ARMED (-1.0)

static inline int rsd_sign_of(double x)
{
    return (x > 0) - (x < 0);
}

static inline void rsd_swap_values(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

#define RSD_T_ROUNDINGS 16.0 /* roundings of t: how well an event is known */

/** How well a time t is known. */
static inline double rsd_events_rounding(const rsd_events *e, double t)
{
    return RSD_T_ROUNDINGS * DBL_EPSILON * fmax(fabs(t), e->h);
}

/** guard, o, dense and self are set before. RESIDA_ERR_MEMORY. */
resida_status rsd_events_create(rsd_events *e, const resida_allocator *alloc);

/** What an integration has reached where another begins. */
typedef struct rsd_events_state {
    const double *y, *yp; /* [n] */
    int is_at_event;      /* it is the event found last */
} rsd_events_state;

/** An integration begins with y, yp [n] at `origin`. */
void rsd_events_restart(rsd_events *e, double origin, const rsd_events_state *reached, const double *y,
                        const double *yp);

/** Sides and bands after a restart; its first step, of size e->h, has been taken. 0; < 0 stop, guard->stop says why. */
int rsd_events_begin(rsd_events *e);

/** The first event after e->t and the last one, within a step from t_0 to t_1: *t_event; or *t_event = INFINITY: there
 *  is none up to t_1. 0; < 0 stop, guard->stop says why: all is as before, and the search can be repeated. */
int rsd_events_find(rsd_events *e, double t_0, double t_1, double *t_event);

/** Signs of the functions of the event found last that cross in a direction that is asked for, [n_root]. 0: none */
int rsd_events_directions(const rsd_events *e, int *direction);

/** F could not be evaluated within a step of size h from e->t, where y, yp [n] is the state: is there an event? Then
 *  steps that end before it lead so near to it that the rest is on a straight line. RESIDA_OK: take a step of half of
 *  *way. RESIDA_EVENT: it is at e->t, further by *way. Else the failure that there was, or < 0 stop */
resida_status rsd_events_approach(rsd_events *e, resida_status failed, double h, const double *y, const double *yp,
                                  double *way);

#endif
