/* carried.h - quantities that an integrator carries along its steps with the factors of J, as sensitivities are
 * (src/kits/sensitivity). The integrator knows their functions and their counters alone. */
#ifndef RSD_CARRIED_H
#define RSD_CARRIED_H

#include <resida/start.h>

#include "jacobian/jacobian.h"
#include "src/core/watch/guard.h"

/** An accepted step, and functions of its integrator, with their argument self. */
typedef struct rsd_carried_step {
    double t, end;            /* its end, as an argument of F; in the integrator's time */
    double h, alpha;          /* its size; alpha of the BDF */
    int order;                /* k */
    double tolerance;         /* of the iteration */
    resida_jacobian *J;       /* with the factors of the step */
    const rsd_renewal *known; /* of J */
    const double *y, *yp, *F; /* [n_y] near its end, and F there */
    const double *ewt;        /* [n] error weights of y there */
    const resida_solver_options *o;
    rsd_guard *guard; /* of F at theta */
    void *self;
    int (*renew)(void *self); /* evaluate J and F at the end of the step; the verdict */
} rsd_carried_step;

/** A start, with which the histories begin. */
typedef struct rsd_carried_start {
    double t;
    const double *y0, *yp0; /* what the solver is started from: of a mechanism p, v */
    const resida_start_options *o;
    const double *y, *yp; /* [n] the start that was found */
} rsd_carried_start;

typedef struct rsd_carried rsd_carried;

struct rsd_carried {
    int n;               /* linear systems with J for each step */
    int points;          /* of the histories; 0: they have not begun */
    long steps;          /* since they began */
    long row_changes;    /* of the choice of rows of constraints, at the start */
    long residual_calls; /* for their sake */

    /** Begin the histories with those of a start of the solver. */
    resida_status (*start)(resida_solver *s, const rsd_carried_start *at);
    /** Begin them again at the end of the last step, as the integrator does. */
    void (*restart)(rsd_carried *x);
    /** Solve at the end of a step. @return 0; < 0: the guard of the step has status and message */
    int (*step)(rsd_carried *x, rsd_carried_step *step);
    /** Interpolate at t, a time of the integrator within the last step. */
    void (*reach)(rsd_carried *x, double t);
    /** The solver's tolerances have changed. */
    void (*set_tolerances)(resida_solver *s);
};

#endif
