/* integrator.h - the interface between solver and integrator: common data and a table of functions. There are two
 * integrators: the variable-order BDF of SUNDIALS IDA (ida_integrator.c), and the methods with steps of a fixed size in
 * src/core/fixed. Both share outputs, events and user times (integration.c). */
#ifndef RSD_INTEGRATOR_H
#define RSD_INTEGRATOR_H

#include <resida/solver.h>

#include "carried.h"
#include "events.h"
#include "src/core/watch/constraint_jump.h"

/** Highest order at which the BDF is A-stable. The order is limited to it while stability limits the step. */
enum { RSD_STABLE_ORDER = 2 };

typedef struct rsd_integration rsd_integration;

/** Last step since the start, in the integrator's time. Without a step, begin and end are the time of the start. */
typedef struct rsd_last_step {
    int has_step;         /* 1: there was a step since the start */
    double begin, end;    /* start and end of the step [s] */
    double h_next;        /* size of the next step; after a failure, size of the failed step [s] */
    const double *y, *yp; /* [n] state at the end of the step; derivative by the integrator's time there */
} rsd_last_step;

typedef struct rsd_integrator_ops {
    int has_outputs; /* 1: step() itself stops and interpolates at t_out if there are no root functions */

    /** Allocate the integrator and all its memory. `o` (with o->atol_each [n] set), `guard` and `engine` are borrowed
     *  until free(). On failure *it is NULL. */
    resida_status (*create)(rsd_integration **integration, const resida_solver_options *o, rsd_guard *guard,
                            resida_jacobian *engine, resida_message *why);
    void (*free)(rsd_integration *integration); /* frees all memory of the integrator */

    /** Restart at the integrator's time 0 from y, yp [n] (copied) at order 1. is_within is 1 if the start is within the
     *  last step. */
    void (*restart)(rsd_integration *integration, const double *y, const double *yp, int is_within);

    /** Begin an integration to t_out. Complete the work that the last call left unfinished. Return RESIDA_OK or a
     *  status < 0. */
    resida_status (*begin_call)(rsd_integration *integration, double t_out, int one_step);

    /** Take one step that does not pass t_stop. After a failure `reached`, y, yp are the last accepted state. */
    resida_status (*step)(rsd_integration *integration, double t_out, double t_stop, int one_step);

    rsd_last_step (*last_step)(const rsd_integration *integration); /* returns the last step since the start */

    /** Interpolate y, yp at the integrator's time t; return RESIDA_ERR_ARGUMENT if t is outside the last step. */
    rsd_dense_fn *interpolate;

    /** Return y' [n] of the corrector at the end of the last step, or NULL if it is unknown. The member is NULL if
     *  interpolate() returns the same y'. */
    const double *(*derivatives_at_end)(const rsd_integration *integration);

    /** Restart at the state that was reached, with the step size h. If h is 0, the integrator chooses the step size. */
    void (*shorten)(rsd_integration *integration, double h);

    /** End a call of the user that returns `status`. Return `status`, or < 0 if the integrator cannot end the call. */
    resida_status (*end_call)(rsd_integration *integration, resida_status status);

    /** Advance the quantities x (borrowed, NULL: none) along the steps. NULL: the integrator carries no quantities. */
    void (*carry)(rsd_integration *integration, rsd_carried *x);

    /** Adopt changed options. `tightened` is the largest ratio of an old to a new tolerance. NULL: the integrator reads
     *  options at each step. */
    void (*change)(rsd_integration *integration, double tightened);

    /** Set the direction of integration after a restart, 1 if t increases and -1 if t decreases. NULL: t can only
     *  increase. */
    void (*turn)(rsd_integration *integration, int direction);

    /** Set the statistics of the integrator. */
    void (*stats)(const rsd_integration *integration, resida_stats *stats);
} rsd_integrator_ops;

/** The data common to all integrators, the first member of the state of each integrator. The integrator's time is zero
 *  at the last start, t = origin + direction * time, so that steps can be smaller than the rounding of t. */
struct rsd_integration {
    const rsd_integrator_ops *ops;  /* functions of the integrator */
    const resida_solver_options *o; /* options of the solver */
    rsd_guard *guard;               /* guard that evaluates F and root functions, and keeps messages of failures */
    resida_problem *problem;        /* the problem, borrowed */
    int n;                          /* number of unknowns */
    double origin;                  /* user's time at the last start [s] */
    double direction;               /* direction of integration: 1 if t increases, -1 if t decreases */
    double reached;                 /* time that the user has reached, in the integrator's time [s] */
    double *y, *yp;                 /* [n] state at the time `reached` */
    rsd_events events;              /* search for events */
    int is_watched;                 /* 1: constraints are checked for jumps in time */
    rsd_watched watched;            /* record of the checks for jumps (constraint_jump.h) */
};

/** Set all members of *integration that create() does not set. Return RESIDA_OK or RESIDA_ERR_MEMORY. */
resida_status rsd_integration_create(rsd_integration *integration, const rsd_integrator_ops *ops,
                                     const resida_solver_options *o, rsd_guard *guard, const resida_allocator *alloc);

/** Restart the integration at t0 from the state y0, yp0 [n] (copied). */
void rsd_integration_restart(rsd_integration *integration, double t0, const double *y0, const double *yp0);

/** Integrate to t_out, in the direction of the run, without passing t_stop, and interpolate there. If one_step is 1,
 *  take at most one internal step, more if t_out is the rounded end of a step. *t is the time reached, and y, yp of the
 *  integration are the state at *t. After a failure this is the last accepted state, and the guard has a message. */
resida_status rsd_integration_advance(rsd_integration *integration, double t_out, double t_stop, int one_step,
                                      double *t);

/** Set `reached` to the integrator's time `time`, and the state that the user gets to y, yp [n]. yp are derivatives
 *  with respect to the integrator's time. */
void rsd_integration_set_state(rsd_integration *integration, double time, const double *y, const double *yp);

/** Check g for jumps up to t, where y [n] is the state. Return 0, or < 0 on a fatal error, with the guard's message. */
int rsd_integration_check_jumps(rsd_integration *integration, double t, rsd_watch_at at, const double *y);

/** Interpolate y and yp at t within the last step. Return RESIDA_ERR_ARGUMENT if t is outside. */
resida_status rsd_integration_interpolate(rsd_integration *integration, double t, double *y, double *yp);

/** Return the user's t at an integrator's time. */
static inline double rsd_integration_t(const rsd_integration *integration, double time)
{
    return integration->origin + integration->direction * time;
}

/** Return the end of the last internal step, which may be beyond the time reached. */
static inline double rsd_integration_get_end(const rsd_integration *integration)
{
    return rsd_integration_t(integration, integration->ops->last_step(integration).end);
}

extern const rsd_integrator_ops rsd_integrator_ida, rsd_integrator_fixed;

/** Traits of methods. An option applies to a method that has one of the traits of the option
 *  (src/core/solver/solver_options.c). */
enum {
    RSD_METHOD_VARIABLE = 1,   /* method "bdf", by IDA */
    RSD_METHOD_FIXED = 2,      /* method of src/core/fixed */
    RSD_METHOD_ADAPTIVE = 4,   /* method that estimates its local error */
    RSD_METHOD_MULTISTEP = 8,  /* method with more than one previous value */
    RSD_METHOD_WITH_RHO = 16,  /* method with the parameter rho_infinity */
    RSD_METHOD_WITH_BETA = 32, /* method with the parameters newmark_beta, newmark_gamma */
    RSD_METHOD_EMBEDDED = 64   /* method with variable steps if the option `step` is 0 */
};

/** Return all traits of the method called `name`, which may be "bdf", or 0 if there is no method `name`. */
unsigned rsd_method_traits(const char *name);

/** Return RESIDA_ERR_VERSION if the SUNDIALS version at run time differs from that at compile time. */
resida_status rsd_check_sundials_version(resida_message *why);

#endif
