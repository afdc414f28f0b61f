/* integrator.h - an integrator as the solver sees it: a table of functions on a state of its own, `self`. One is the
 * variable-order BDF of SUNDIALS IDA (ida_integrator.c), of which no type shows here; the other takes steps of fixed
 * size by any of the methods of src/core/fixed, which nothing else includes. */
#ifndef RSD_INTEGRATOR_H
#define RSD_INTEGRATOR_H

#include <resida/solver.h>

#include "carried.h"
#include "events.h"

/** The order to which the detection of the stability limit goes back. */
enum { RSD_STABLE_ORDER = 2 };

/** What an integrator has reached, in arrays of its own. */
typedef struct rsd_reached {
    double *y, *yp; /* [n] */
    const rsd_events *events;
} rsd_reached;

typedef struct rsd_integrator_ops {
    /** All memory is taken here. `o` (with o->atol_each [n] set), `guard` and `engine` are borrowed until freed. *self
     *  is NULL on failure. */
    resida_status (*create)(void **self, const resida_solver_options *o, rsd_guard *guard, resida_jacobian *engine,
                            resida_message *why);
    void (*free)(void *self);

    /** Begin at t0 from y0, yp0 [n] (copied), at order 1. */
    resida_status (*restart)(void *self, double t0, const double *y0, const double *yp0);

    /** Integrate to t_out > t, not over t_stop, and interpolate; one_step: one internal step at the most.
     *  y, yp are the state at *t afterwards, the last accepted one after a failure. The guard's message says why. */
    resida_status (*advance)(void *self, double t_out, double t_stop, int one_step, double *t);

    rsd_reached (*reached)(void *self);

    /** y and yp at t within the last step. RESIDA_ERR_ARGUMENT if t is outside. */
    resida_status (*interpolate)(void *self, double t, double *y, double *yp);

    /** End of the last internal step, which may lie beyond the time reached. */
    double (*internal_time)(void *self);

    /** Carry these along, which are borrowed; NULL: none. NULL itself: it cannot. */
    void (*carry)(void *self, rsd_carried *x);

    /** Options have changed, `tightened` the largest quotient of old and new tolerances. NULL itself: they are read at
     *  each step. */
    void (*change)(void *self, double tightened);

    /** Behind a restart: t grows from now on, way = 1, or falls, way = -1, and times are compared in that direction.
     *  NULL itself: it grows. */
    void (*turn)(void *self, int way);

    /** Fill in what the integrator knows. */
    void (*stats)(const void *self, resida_stats *stats);
} rsd_integrator_ops;

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
