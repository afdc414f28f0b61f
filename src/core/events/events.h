/* events.h - finds events, the sign changes of root functions, on the interpolated solution of a completed step. A
 * search works on a copy of the known events. On success this copy replaces them. A failed search can be repeated. */
#ifndef RSD_EVENTS_H
#define RSD_EVENTS_H

#include <resida/solver.h>

#include <float.h>
#include <math.h>

#include "src/core/watch/guard.h"

/** A function that interpolates y and yp [n] at a time t within the last step. yp may be NULL if it is not needed.
 *  Return RESIDA_OK, or an error status if t cannot be interpolated. */
typedef resida_status rsd_dense_fn(void *self, double t, double *y, double *yp);

/** Root function at the end of the searched part of the motion. */
typedef struct rsd_root {
    double value, past; /* values at the end of the searched part and at an earlier time (rsd_known_events) */
    double band;        /* limit of |value| that a crossing must exceed to count; RSD_ARMED: any crossing counts */
    int side;           /* last sign of a value outside the band; 0: there was none since the start */
    int direction;      /* direction of the crossing at the last event, selected or not; 0: none */
    int is_return;      /* 1: at the last event the function crossed zero before it was armed (RSD_ARMED) */
} rsd_root;

/** Root functions at the end of the searched part of the motion. */
typedef struct rsd_known_events {
    int is_begun;              /* 1: root functions were evaluated since the start */
    double t, before;          /* end of the searched part [s]; an earlier time [s], -INFINITY: no past value */
    double reach;              /* length of the next part of a step [s]; 0: unknown */
    long parts;                /* number of searched parts of steps since the start */
    long num_stopped_searches; /* number of times that the search for functions was stopped in a step */
    rsd_root *root;            /* [n_root] root functions */
} rsd_known_events;

/** Last start or restart of the integration. */
typedef struct rsd_event_start {
    int is_at_event;      /* 1: the start is at the time of the last event */
    int is_same;          /* 1: the start did not change the state */
    double rates_jump;    /* largest jump of y' at the start [tolerances/s]; 0: none, or y jumped. After a large jump of
                          y', root functions keep the sides to which they crossed */
    int is_exact;         /* 1: the signs of the root functions at the start are exact */
    double last_interval; /* time between rsd_root.past and rsd_root.value before the start [s] */
    double *y, *yp;       /* [n] state after the start */
    double *rate;         /* [n] y' at the event before the start */
} rsd_event_start;

/** Search for events of an integration. */
typedef struct rsd_events {
    rsd_guard *guard;               /* guard that evaluates root functions */
    const resida_solver_options *o; /* options of the solver */
    rsd_dense_fn *dense;            /* function that interpolates the solution, called with `self` */
    void *self;                     /* integrator, the first argument of dense */
    double origin;                  /* user's time at the integrator's time 0 [s] */
    int n_root;                     /* number of root functions */
    double h;                       /* size of the searched step [s] */
    rsd_known_events known, next;   /* known: found by completed searches; next: copy that a search changes */
    rsd_event_start start;          /* last start or restart */
    double t_event;                 /* time of a found event that the user has not received yet [s]; INFINITY: none */
    double *inside, *end, *other;   /* [n_root] values of root functions within a part; at its end; elsewhere */
    double *unchanged, *error;      /* [n_root] values after a start along the old y'; at a start with errors of y */
    int *search_stopped;            /* [n_root] 1: only values at both ends of the step are compared */
    int *num_shortened;             /* [n_root] number of parts of the step shortened for the function */
    double *y, *yp;                 /* [n] interpolated state */
    long num_evaluations;           /* number of evaluations since the start of the step or the last event */
} rsd_events;

/** Value of rsd_root.band after |value| has exceeded the band. The function is then armed: its next crossing counts. */
#define RSD_ARMED (-1.0)

static inline int rsd_get_sign(double x)
{
    return (x > 0) - (x < 0);
}

static inline void rsd_swap_values(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

#define RSD_T_ROUNDINGS 16.0 /* accuracy of the time of an event, in roundings of t */

/** Return the accuracy [s] with which the events can resolve a time t. */
static inline double rsd_events_get_rounding(const rsd_events *e, double t)
{
    return RSD_T_ROUNDINGS * DBL_EPSILON * fmax(fabs(t), e->h);
}

/** Allocate the vectors of *e. The caller has set guard, o, dense and self. Return RESIDA_OK or RESIDA_ERR_MEMORY. */
resida_status rsd_events_create(rsd_events *e, const resida_allocator *alloc);

/** State of the integration before a restart. */
typedef struct rsd_events_state {
    const double *y, *yp; /* [n] state and derivatives */
    double t;             /* time [s] */
} rsd_events_state;

/** Record a start from y, yp [n] at the user's time `origin`. `reached` is the state before the start. */
void rsd_events_restart(rsd_events *e, double origin, const rsd_events_state *reached, const double *y,
                        const double *yp);

/** Set the sides and bands of e->next after a restart. is_stepped is 1 if the first step, of size e->h, was completed,
 *  and 0 if it failed. Return 0, or < 0 on a fatal error, whose status is in guard->stop. */
int rsd_events_set_sides(rsd_events *e, int is_stepped);

/** begin_search() copies e->known to e->next, on which a search works. end_search() replaces e->known by e->next. */
void rsd_events_begin_search(rsd_events *e);
void rsd_events_end_search(rsd_events *e);

/** Find the first event after the searched part in the step from t_0 to t_1, unless an event is pending. Return
 *  RESIDA_EVENT if there is an event up to t_out, with its time *t >= `from`. Return RESIDA_OK if there is no such
 *  event, or < 0 on a fatal error, whose status is in guard->stop. */
resida_status rsd_events_find_next(rsd_events *e, double t_0, double t_1, double from, double t_out, double *t);

/** Compare the root functions at an event at t, within the last step, with their values when the event was found. A
 *  function that the user has changed since then, for example by a new threshold, begins on the side of its new value.
 *  Return 0, or < 0 on a fatal error.
 *  Cost: one evaluation of the root functions after each event, otherwise none. */
int rsd_events_compare_values(rsd_events *e, double t);

/** If an event at a time up to t is pending, remove it from the pending events and return 1. Otherwise return 0. */
int rsd_events_take_event(rsd_events *e, double t);

/** Set direction [n_root] to the signs of the selected crossings at the last event. Return 1, or 0 if no crossing is
 *  selected. */
int rsd_events_get_directions(const rsd_events *e, int *direction);

/** Search for an event beyond the searched part after F could not be evaluated in a step of size h from y, yp [n]. The
 *  motion is extrapolated along a straight line. Return RESIDA_EVENT if an event at a time *way after y is reached.
 *  Return RESIDA_OK if the next step must have the size *way/2. Otherwise return `failed` or another status < 0. */
resida_status rsd_events_search_ahead(rsd_events *e, resida_status failed, double h, const double *y, const double *yp,
                                      double *way);

#endif
