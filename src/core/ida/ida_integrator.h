/* ida_integrator.h - memory of the integrator on IDA (ida_integrator.c) between calls, and its queries
 * (ida_query.c). */
#ifndef RSD_IDA_INTEGRATOR_H
#define RSD_IDA_INTEGRATOR_H

#include "src/core/events/integrator.h"

#include "src/core/events/chatter.h"
#include "src/core/events/events.h"
#include "src/core/watch/constraint_jump.h"
#include "ida_library.h"
#include "ida_newton.h"
#include "ida_vector.h"
#include "src/core/events/order_limits.h"

/** Where IDA begins. */
typedef struct rsd_ida_start {
    N_Vector y, yp;
    double t;
    double h;                /* > 0: the first step, for which J and all else is ready */
    int is_nearby;           /* it is where the integration had come to */
    double way, longest_way; /* since the last start that was not; of a start among them */
    double number;           /* of starts since then, counted in the longest way, with this one */
} rsd_ida_start;

/** Of earlier restarts. */
typedef struct rsd_ida_before {
    long steps, error_test_fails;
    long jumps; /* times that the history was dropped */
} rsd_ida_before;

/** Accepted steps in a row that do not move t of the user, which is origin + IDA's. */
typedef struct rsd_ida_still {
    double t;
    long steps;
} rsd_ida_still;

typedef struct rsd_ida {
    rsd_owner owner; /* of all memory but the handle itself and what SUNDIALS takes */
    resida_allocator alloc;
    const resida_solver_options *o;
    rsd_guard *guard;
    resida_problem *problem;
    int n;
    SUNContext ctx;
    void *ida;
    rsd_quiet quiet;
    char ida_text[200]; /* what IDA would have printed last */
    rsd_vector_pool *pool;
    N_Vector y, yp;         /* state at the time reached */
    N_Vector y_ida, yp_ida; /* where IDA works and returns solutions */
    double t_ida;           /* time of the last one */
    N_Vector id;            /* 1 for what is in the error test */
    int n_tested;           /* so many components are */
    rsd_ida_start start;    /* the last one */
    double reached;         /* time that the user has reached */
    rsd_watched watched;    /* constraints that F does not hold */
    int begun;              /* 1: IDA holds the current state; 0: it has to be (re)initialised from the start */
    int stop_time_set;      /* IDA has been given one */
    rsd_ida_newton newton;
    rsd_events events;
    rsd_order_limits order;
    rsd_chatter chatter;
    rsd_ida_still still;
    int is_stuck;    /* the last step failed at every size: the next call begins anew, at order 1 */
    int is_to_limit; /* the order: IDASolve has come back to begin anew with low orders */
    rsd_ida_before before;
    rsd_carried *carried; /* NULL: none */
} rsd_ida;

/** Of rsd_integrator_ops. */
resida_status rsd_ida_create(void **self, const resida_solver_options *o, rsd_guard *guard, resida_jacobian *engine,
                             resida_message *why);
void rsd_ida_free(void *self);

/** An IDAEwtFn, user is the rsd_ida: error weights w [n] at y [n], before a step, and all observers of the last step.
 *  0; -1: IDASolve has to return, because the guard says so, or to limit the order. */
int rsd_ida_observe_step(N_Vector y, N_Vector w, void *user);

/** Watch constraints that F does not hold; times are those of the user. */
int rsd_ida_watch_constraints(rsd_ida *it, double t, rsd_watch_at at, const double *y);

/** Carry them over the steps that IDA has accepted since the last call. 0; < 0: the guard says why, and there
 *  still is a step to carry them over. ida_sensitivity.c */
int rsd_ida_has_to_carry(const rsd_ida *it);
int rsd_ida_carry_on(rsd_ida *it);
void rsd_ida_carry(void *self, rsd_carried *x);

/** Accepted steps since the restart. */
long rsd_ida_steps(const rsd_ida *it);

/** End of the last step, in IDA's time; where to begin when there is none. */
double rsd_ida_time(const rsd_ida *it);

/** y, yp [n] at t within the last step, in IDA's time; yp NULL: not needed. RESIDA_ERR_ARGUMENT if t is outside. */
resida_status rsd_ida_interpolate(void *self, double t, double *y, double *yp);

/** y' [n] of the corrector at the end of the last step; NULL: there is none. */
const double *rsd_ida_derivatives_at_end(const rsd_ida *it);

/** to [n] = from [n], derivatives by IDA's time and by t, in either direction. */
void rsd_ida_copy_derivatives(const rsd_ida *it, double *to, const double *from);

/** Of rsd_integrator_ops. */
rsd_reached rsd_ida_reached(void *self);
resida_status rsd_ida_interpolate_for_user(void *self, double t, double *y, double *yp);
double rsd_ida_time_for_user(void *self);
void rsd_ida_stats(const void *self, resida_stats *s);

#endif
