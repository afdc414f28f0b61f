/* carried.h - quantities that an integrator advances along its steps with the factors of J, such as sensitivities
 * (src/kits/sensitivity). The integrator calls their functions and reads their counters, but not the quantities. */
#ifndef RSD_CARRIED_H
#define RSD_CARRIED_H

#include <resida/start.h>

#include "jacobian/jacobian.h"
#include "src/core/watch/guard.h"

/** An accepted step. The member `self` is the argument of the function renew. */
typedef struct rsd_carried_step {
    double t, end;                  /* [s] end of the step: the user's t; the same instant in the integrator's time */
    double h, alpha;                /* [s] step size; coefficient of dF/dyp in J */
    int order;                      /* order k of the BDF */
    double tolerance;               /* tolerance of the Newton iteration */
    resida_jacobian *J;             /* Jacobian engine, with the factors of the step */
    const rsd_renewal *known;       /* renewal strategy of J */
    const double *y, *yp, *F;       /* [n_y] a point (y, yp) near the end of the step, and F at (y, yp) */
    const double *ewt;              /* [n] error weights of y at the point (y, yp) */
    const resida_solver_options *o; /* options of the solver */
    rsd_guard *guard;               /* evaluates F with given parameters theta */
    void *self;                     /* argument of renew */
    int (*renew)(void *self);       /* evaluates J and F at the end of the step; returns 0 or an error */
} rsd_carried_step;

/** The start of an integration, at which the histories begin. */
typedef struct rsd_carried_start {
    double t;                      /* time of the start */
    const double *y0, *yp0;        /* initial values that the user passed to the solver: p, v for a mechanism */
    const resida_start_options *o; /* options of the start */
    const double *y, *yp;          /* [n] consistent initial values that the solver has found */
} rsd_carried_start;

typedef struct rsd_carried rsd_carried;

struct rsd_carried {
    int n;               /* number of linear systems with J that are solved in each step */
    int points;          /* number of points in the histories; 0: the histories have not begun */
    long steps;          /* number of steps since the histories began */
    long row_changes;    /* number of changes of the chosen constraint rows up to the start */
    long residual_calls; /* number of calls of F for the carried quantities */

    /** Begin the histories at a start of the solver. */
    resida_status (*start)(resida_solver *s, const rsd_carried_start *at);
    /** Begin the histories again at the end of the last step, when the integrator restarts. */
    void (*restart)(rsd_carried *x);
    /** Advance the carried quantities over a step. Return 0, or < 0 on a fatal error, with a message in the guard of
     *  the step. */
    int (*step)(rsd_carried *x, rsd_carried_step *step);
    /** Interpolate the quantities at t, a time of the integrator within the last step. */
    void (*reach)(rsd_carried *x, double t);
    /** Adopt changed tolerances of the solver. */
    void (*set_tolerances)(resida_solver *s);
};

#endif
