/* fixed_integrator.h - what the integrator with steps of a fixed size keeps between calls.
 *
 * Times are counted from the last start on, but for those that come in and go out by the table of functions
 * (fixed_integrator.c), and by callbacks. */
#ifndef RSD_FIXED_INTEGRATOR_H
#define RSD_FIXED_INTEGRATOR_H

#include "src/integrator/integrator.h"

#include "fixed_newton.h"
#include "fixed_past.h"
#include "src/integrator/events.h"
#include "src/watch/constraint_jump.h"

#define RSD_SAME_TIME 1e-9 /* of h: a time so near to the grid is taken for a grid point */

typedef struct rsd_fixed {
    rsd_owner owner; /* of all memory but the handle itself */
    resida_allocator alloc;
    const resida_solver_options *o;
    rsd_guard *guard;
    resida_problem *problem;
    const rsd_method *method;
    int n;
    rsd_past past;
    rsd_fixed_newton newton;
    rsd_events events;
    double *X, *k;          /* [s n] of a step */
    double *y_end, *yp_end; /* [n] its end in the making */
    double *y, *yp;         /* [n] at the time reached */
    double origin;          /* t of the last start */
    double t_origin, t;     /* of the grid, t_0; end of the last step */
    double reached;         /* time that the user has reached */
    rsd_watched watched;    /* constraints */
    long on_grid;           /* steps from there on */
    double t_event;         /* found but not yet told; INFINITY: none */
    double step_from;       /* where the last step began */
    int is_begun;           /* the method's own beginning is done */
    int order;              /* of the last step */
    long steps, error_test_fails;
    int is_rough;     /* the last try failed the error test */
    double h, h_next; /* of the grid; where steps adapt, of the next one */
} rsd_fixed;

/** As the user counts it. */
double rsd_fixed_time(const rsd_fixed *it, double t);

/** Stages of the method, and of the one that it begins with. */
int rsd_fixed_most_stages(const rsd_fixed *it);

/** From now on the grid of steps h from t_n. */
void rsd_fixed_begin_grid(rsd_fixed *it, double h);

/** One step, not beyond t_stop. RESIDA_OK; what ends the integration, with its message. */
resida_status rsd_fixed_take_step(rsd_fixed *it, double t_stop);

#endif
