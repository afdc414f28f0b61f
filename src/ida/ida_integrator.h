/* ida_integrator.h - what the integrator on IDA (solver_ida.c) keeps between calls, and what it can be asked
 * (ida_query.c). */
#ifndef RSD_IDA_INTEGRATOR_H
#define RSD_IDA_INTEGRATOR_H

#include "src/integrator/integrator.h"

#include "src/integrator/chatter.h"
#include "src/integrator/events.h"
#include "ida_library.h"
#include "ida_newton.h"
#include "ida_order.h"
#include "ida_vector.h"

typedef struct rsd_ida {
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
    N_Vector y0, yp0, id;   /* state of the last restart; 1 for what is in the error test */
    double t0, reached;     /* its time; the time reached */
    int begun;              /* 1: IDA holds the current state; 0: it has to be (re)initialised from y0, yp0 */
    int stop_time_set;      /* IDA has been given one */
    rsd_ida_newton newton;
    rsd_events events;
    double t_event; /* of the last step, which the user has not been told of; INFINITY: none */
    int has_looked; /* root functions were asked for at the last start */
    rsd_order order;
    rsd_chatter chatter;
    double h_begin;               /* > 0: first step of the next begin, for which J and all else is ready */
    int is_nearby;                /* the last restart was where the integration had come to */
    int is_limited;               /* only low orders are allowed since the last begin, or will be */
    int is_to_limit;              /* the order: IDASolve has come back to begin anew with low orders */
    long steps, error_test_fails; /* of earlier restarts */
    long jumps;                   /* times that the history was dropped */
} rsd_ida;

/** End of the last step, in IDA's time; where to begin when there is none. */
double rsd_ida_time(const rsd_ida *it);

/** y, yp [n] at t within the last step, in IDA's time; yp NULL: not needed. RESIDA_ERR_ARGUMENT if t is outside. */
resida_status rsd_ida_interpolate(rsd_ida *it, double t, double *y, double *yp);

/** The same, for events.h. */
int rsd_ida_dense(void *self, double t, double *y, double *yp);

/** Of rsd_integrator_ops. */
double *rsd_ida_y(void *self);
double *rsd_ida_yp(void *self);
resida_status rsd_ida_interpolate_for_user(void *self, double t, double *y, double *yp);
void rsd_ida_event(void *self, int *direction);
double rsd_ida_time_for_user(void *self);
void rsd_ida_stats(const void *self, resida_stats *s);

#endif
