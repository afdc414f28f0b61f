/* events.h - events within steps that were taken: where root functions change their signs on the interpolated
 * solution. A search works on a copy of what is known, and replaces it when it has ended; one that fails changes
 * nothing and can be repeated. */
#ifndef RSD_EVENTS_H
#define RSD_EVENTS_H

#include <resida/solver.h>

#include <float.h>
#include <math.h>

#include "src/core/watch/guard.h"

/** y and yp [n] at a time within the last step; yp NULL: not needed. RESIDA_OK, or not possible. */
typedef resida_status rsd_dense_fn(void *self, double t, double *y, double *yp);

/** A root function, as far as it is known. */
typedef struct rsd_root {
    double value, past; /* at the end of the known part, and before it */
    double band;        /* |g| above which the function is armed; < 0: it is armed */
    int side;           /* its sign; 0: zero from the start on */
    int direction;      /* of the last event, wanted or not */
    int is_return;      /* 1: it was not armed on the side from which it crossed */
} rsd_root;

/** All crossings up to t are found. */
typedef struct rsd_known_events {
    int is_begun;     /* the functions were evaluated since the start */
    double t, before; /* times of value and past; before = -INFINITY: there is no past */
    double reach;     /* length of the next part of a step; 0: not known */
    long parts;       /* since the start */
    long in_doubt;    /* times that functions were given up */
    rsd_root *root;   /* [n_root] */
} rsd_known_events;

/** The last start. */
typedef struct rsd_event_start {
    int is_at_event;   /* it is at the last event, .. */
    int is_same;       /* .. with the same state, .. */
    double rates_jump; /* .. or nearly so, and jumps of y' by so many tolerances in a second: then functions stay on the
                          sides to which they have crossed */
    int is_exact;      /* signs are certain */
    double flight;     /* time from `past` to the event before the start */
    double *y, *yp;    /* [n] */
} rsd_event_start;

typedef struct rsd_events {
    rsd_guard *guard;
    const resida_solver_options *o;
    rsd_dense_fn *dense; /* of `self` */
    void *self;
    double origin; /* times here are counted from this t on */
    int n_root;
    double h;                     /* of the step */
    rsd_known_events known, next; /* next: of the search under way */
    rsd_event_start start;
    double t_event;               /* the next event, not yet returned to the user; INFINITY: none */
    double *inside, *end, *other; /* [n_root] scratch: values within a part, at its end, elsewhere */
    int *given_up;                /* [n_root] 1: the function is followed no more within this step */
    int *held;                    /* [n_root] parts of this step that the function shortened */
    double *y, *yp;               /* [n] scratch */
    long looks;                   /* since the step began, or since the last event in it */
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
    double t;
} rsd_events_state;

/** An integration begins with y, yp [n] at `origin`. */
void rsd_events_restart(rsd_events *e, double origin, const rsd_events_state *reached, const double *y,
                        const double *yp);

/** Sides and bands after a restart, into e->next. is_stepped: the first step, of size e->h, has been taken; 0: it has
 *  failed. 0; < 0 stop, guard->stop says why. */
int rsd_events_begin(rsd_events *e, int is_stepped);

/** A search begins: e->next is a copy of e->known. And it ends: e->known is replaced. */
void rsd_events_open_search(rsd_events *e);
void rsd_events_close_search(rsd_events *e);

/** Find the first event after the known part in the step from t_0 to t_1, unless one is known. RESIDA_EVENT: it is at
 *  *t, not after t_out and not before `from`; RESIDA_OK: there is none up to t_out; < 0 stop, guard->stop says why. */
resida_status rsd_events_next(rsd_events *e, double t_0, double t_1, double from, double t_out, double *t);

/** 1: an event up to t was found before and not returned. It is returned now. */
int rsd_events_is_due(rsd_events *e, double t);

/** Signs of the functions of the event found last that cross in a direction that is asked for, [n_root]. 0: none */
int rsd_events_directions(const rsd_events *e, int *direction);

/** F could not be evaluated within a step of size h from the end of the known part, where y, yp [n] is the state: is
 *  there an event? Then steps that end before it lead so near to it that the rest is on a straight line. RESIDA_OK:
 *  take a step of half of *way. RESIDA_EVENT: it is further by *way. Else the failure that there was, or < 0 stop */
resida_status rsd_events_approach(rsd_events *e, resida_status failed, double h, const double *y, const double *yp,
                                  double *way);

#endif
