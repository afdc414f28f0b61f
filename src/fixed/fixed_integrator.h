/* fixed_integrator.h - the state of the integrator with steps of a fixed size.
 *
 * Times count from the last start; those of the table of functions (fixed_integrator.c) and of callbacks are the
 * user's. */
#ifndef RSD_FIXED_INTEGRATOR_H
#define RSD_FIXED_INTEGRATOR_H

#include "src/integrator/integrator.h"

#include "fixed_newton.h"
#include "fixed_past.h"
#include "src/integrator/events.h"
#include "src/watch/constraint_jump.h"

#define RSD_SAME_TIME 1e-9 /* of h: a time as near to a grid point is that grid point */

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
    double *X, *k;          /* [s n] stages of a step; constant part of their derivatives */
    double *y_end, *yp_end; /* [n] end of the present step */
    double *y, *yp;         /* [n] at `reached` */
    double origin;          /* [s] user's time of the last start */
    double t_origin, t;     /* [s] start of the grid, t_0; end of the last step */
    double reached;         /* [s] time that the user has reached */
    rsd_watched watched;    /* constraints */
    long on_grid;           /* steps since t_0 */
    double t_event;         /* [s] event that was found and not yet returned; INFINITY: none */
    double step_from;       /* [s] start of the last step */
    int is_begun;           /* 1: the method has made its first step's values */
    int order;              /* of the last step */
    long steps, error_test_fails;
    int is_rough;     /* 1: the last try failed the error test */
    double h, h_next; /* [s] step size of the grid; adaptive: of the next grid */
} rsd_fixed;

/** The user's time of t. */
double rsd_fixed_time(const rsd_fixed *it, double t);

/** Stages of the method or of its start-up method, at most. */
int rsd_fixed_most_stages(const rsd_fixed *it);

/** Begin a grid of steps h at t_n. */
void rsd_fixed_begin_grid(rsd_fixed *it, double h);

/** Take one step, not beyond t_stop. @return RESIDA_OK; the status that ends the integration, with its message */
resida_status rsd_fixed_take_step(rsd_fixed *it, double t_stop);

#endif
