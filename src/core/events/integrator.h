/* integrator.h - an integration as the solver sees it, and the table of functions by which an integrator takes its
 * steps. One is the variable-order BDF of SUNDIALS IDA (ida_integrator.c), of which no type shows here; the other takes
 * steps of fixed size by any of the methods of src/core/fixed, which nothing else includes. Outputs, events and times
 * of the user are the same for both (integration.c). */
#ifndef RSD_INTEGRATOR_H
#define RSD_INTEGRATOR_H

#include <resida/solver.h>

#include "carried.h"
#include "events.h"
#include "src/core/watch/constraint_jump.h"

/** The order to which the detection of the stability limit goes back. */
enum { RSD_STABLE_ORDER = 2 };

typedef struct rsd_integration rsd_integration;

/** The last step since the start, in the integrator's time; when there is none, both its ends are the start. */
typedef struct rsd_last_step {
    int is_there;
    double begin, end;
    double h_next;        /* size of the next one, or of the last that failed */
    const double *y, *yp; /* [n] the state that step() has left at its end, derivatives by the integrator's time */
} rsd_last_step;

typedef struct rsd_integrator_ops {
    int has_outputs; /* 1: without root functions step() integrates to t_out and interpolates there */

    /** All memory is taken here. `o` (with o->atol_each [n] set), `guard` and `engine` are borrowed until freed. *it is
     *  NULL on failure. */
    resida_status (*create)(rsd_integration **it, const resida_solver_options *o, rsd_guard *guard,
                            resida_jacobian *engine, resida_message *why);
    void (*free)(rsd_integration *it);

    /** Begin at time 0 of its own from y, yp [n] (copied), at order 1. is_within: the start is within the last step. */
    void (*restart)(rsd_integration *it, const double *y, const double *yp, int is_within);

    /** A call begins, to t_out: complete what the last one has left undone. RESIDA_OK; < 0: the message says why. */
    resida_status (*begin_call)(rsd_integration *it, double t_out, int one_step);

    /** Take a step, not over t_stop. After a failure reached, y, yp are the last accepted state. */
    resida_status (*step)(rsd_integration *it, double t_out, double t_stop, int one_step);

    rsd_last_step (*last_step)(const rsd_integration *it);

    /** y and yp at t within the last step, in its own time. RESIDA_ERR_ARGUMENT if t is outside. */
    rsd_dense_fn *interpolate;

    /** y' [n] of the corrector at the end of the last step. NULL: there is none; NULL itself: interpolate() gives
     *  it. */
    const double *(*derivatives_at_end)(const rsd_integration *it);

    /** The next step begins at the state reached, with size h; 0: it is chosen. */
    void (*shorten)(rsd_integration *it, double h);

    /** The call ends with this status. @return the status */
    resida_status (*end_call)(rsd_integration *it, resida_status status);

    /** Carry these along, which are borrowed; NULL: none. NULL itself: it cannot. */
    void (*carry)(rsd_integration *it, rsd_carried *x);

    /** Options have changed, `tightened` the largest quotient of old and new tolerances. NULL itself: they are read at
     *  each step. */
    void (*change)(rsd_integration *it, double tightened);

    /** After a restart: t grows from now on, way = 1, or falls, way = -1, and times are compared in that direction.
     *  NULL itself: it grows. */
    void (*turn)(rsd_integration *it, int way);

    /** Fill in what the integrator knows. */
    void (*stats)(const rsd_integration *it, resida_stats *stats);
} rsd_integrator_ops;

/** What all integrators have; the first member of the state of each. Its time counts from the last start on, so that
 *  steps may be shorter than the rounding of t: t = origin + way * time. */
struct rsd_integration {
    const rsd_integrator_ops *ops;
    const resida_solver_options *o;
    rsd_guard *guard;
    resida_problem *problem;
    int n;
    double origin;  /* [s] t of the last start */
    double way;     /* 1; -1: t falls */
    double reached; /* the time that the user has reached */
    double *y, *yp; /* [n] the state there */
    rsd_events events;
    int is_watched;      /* steps may pass a jump of g .. */
    rsd_watched watched; /* .. which is looked for, at times t */
};

/** Set all up but what create() adds, with memory of alloc. RESIDA_OK; RESIDA_ERR_MEMORY. */
resida_status rsd_integration_create(rsd_integration *it, const rsd_integrator_ops *ops, const resida_solver_options *o,
                                     rsd_guard *guard, const resida_allocator *alloc);

/** Begin at t0 from y0, yp0 [n] (copied). */
void rsd_integration_restart(rsd_integration *it, double t0, const double *y0, const double *yp0);

/** Integrate to t_out > t, not over t_stop, and interpolate; one_step: one internal step at the most. y, yp are the
 *  state at *t afterwards, the last accepted one after a failure. The guard's message says why. */
resida_status rsd_integration_advance(rsd_integration *it, double t_out, double t_stop, int one_step, double *t);

/** The state that the user sees becomes y, yp [n] at a time, derivatives by the integrator's time. */
void rsd_integration_take(rsd_integration *it, double time, const double *y, const double *yp);

/** Look for jumps of g up to t, where y [n] is the state. 0; < 0 stop: the guard's message says why. */
int rsd_integration_watch(rsd_integration *it, double t, rsd_watch_at at, const double *y);

/** y and yp at t within the last step. RESIDA_ERR_ARGUMENT if t is outside. */
resida_status rsd_integration_interpolate(rsd_integration *it, double t, double *y, double *yp);

/** t at a time of the integrator. */
static inline double rsd_integration_t(const rsd_integration *it, double time)
{
    return it->origin + it->way * time;
}

/** End of the last internal step, which may lie beyond the time reached. */
static inline double rsd_integration_end(const rsd_integration *it)
{
    return rsd_integration_t(it, it->ops->last_step(it).end);
}

extern const rsd_integrator_ops rsd_integrator_ida, rsd_integrator_fixed;

/** Traits of methods; an option is for methods with one of its traits (src/core/solver/solver_options.c). */
enum {
    RSD_METHOD_VARIABLE = 1,  /* "bdf", whose steps are IDA's */
    RSD_METHOD_FIXED = 2,     /* of a fixed size, by src/core/fixed */
    RSD_METHOD_ADAPTIVE = 4,  /* knows its error */
    RSD_METHOD_MULTISTEP = 8, /* takes more than one back value */
    RSD_METHOD_WITH_RHO = 16, /* takes rho_infinity; this and the next are said by the method */
    RSD_METHOD_WITH_BETA = 32 /* takes newmark_beta, newmark_gamma */
};

/** All traits of the method of that name, also of "bdf"; 0: there is none. */
unsigned rsd_method_traits(const char *name);

/** RESIDA_ERR_VERSION when the SUNDIALS at run time is not the one compiled against. */
resida_status rsd_check_sundials_version(resida_message *why);

#endif
