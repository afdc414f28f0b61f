/* carried.h - quantities that an integrator advances along its steps with the factors of J, such as sensitivities
 * (src/kits/sensitivity). The integrator calls their functions and reads their counters, but not the quantities. */
#ifndef RSD_CARRIED_H
#define RSD_CARRIED_H

#include <resida/start.h>

#include "jacobian/jacobian.h"
#include "src/core/watch/guard.h"

/** An accepted step of the integrator, along which the quantities are advanced. */
typedef struct rsd_carried_step {
    double t, end;                  /* end of the step [s]: in the user's time; in the integrator's time */
    double h, alpha;                /* step size [s]; alpha of J = dF/dy + alpha dF/dyp */
    int order;                      /* order k of the BDF */
    double tolerance;               /* tolerance of the Newton iteration */
    resida_jacobian *J;             /* Jacobian engine, with the factors of the step */
    const rsd_renewal *known;       /* state of J, from which a renewal is decided */
    const double *y, *yp, *F;       /* [n] y and y' at a point near the end of the step; F at this point */
    const double *ewt;              /* [n] error weights at the point (y, yp) */
    const resida_solver_options *o; /* options of the solver */
    rsd_guard *guard;               /* guard that evaluates F */
    void *self;                     /* argument of renew */
    int (*renew)(void *self);       /* evaluates J and F at the end of the step; returns 0 or an error */
} rsd_carried_step;

/** Start of an integration. */
typedef struct rsd_carried_start {
    double t;                      /* time of the start [s] */
    const double *y0, *yp0;        /* the user's initial values: y and y', or p and v of a mechanism */
    const resida_start_options *o; /* options of the start */
    const double *y, *yp;          /* [n] consistent initial values */
} rsd_carried_start;

typedef struct rsd_carried rsd_carried;

struct rsd_carried {
    int n;               /* number of linear systems with J in each step */
    int points;          /* number of points in the histories; 0: not started */
    long steps;          /* number of steps since a start or restart */
    long row_changes;    /* number of times that the dropped redundant rows had changed at the start */
    long residual_calls; /* number of residual calls for the quantities */

    /** Begin the histories at a start of the solver. */
    resida_status (*start)(resida_solver *s, const rsd_carried_start *at);
    /** Begin the histories again at the end of the last step, when the integrator restarts. */
    void (*restart)(rsd_carried *x);
    /** Advance the carried quantities over a step. Return 0, or < 0 on a fatal error, with a message in the guard of
     *  the step. */
    int (*step)(rsd_carried *x, rsd_carried_step *step);
    /** Interpolate the quantities at the integrator's time t, which is within the last step. */
    void (*reach)(rsd_carried *x, double t);
    /** Adopt changed tolerances of the solver. */
    void (*set_tolerances)(resida_solver *s);
};

#endif
