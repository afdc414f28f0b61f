/* newton.h - the corrector iteration for the equations of a step, F(x) = 0, with a J that is kept:
 *
 *     x(m+1) = x(m) - c J^-1 F(x(m)),    c = 2/(1 + alpha/alpha_J)
 *
 * The integrator evaluates F by a table of functions (rsd_newton_ops); J decides about itself (jacobian/jacobian.h),
 * convergence.h about the iteration. The weights of the norm are error weights, times h for components of index 2 (lam,
 * eta), times h^2 for index 3, because their rounding grows like 1/h, 1/h^2. */
#ifndef RSD_NEWTON_H
#define RSD_NEWTON_H

#include <resida/solver.h>

#include "src/core/watch/blame.h"
#include "src/core/watch/guard.h"
#include "convergence.h"
#include "residual_norm.h"
#include "jacobian/jacobian.h"

/** The equations of a step. Functions return 0; > 0 not possible at x; < 0 stop, the guard has the reason. */
typedef struct rsd_newton_ops {
    /** Set x to the start of the iteration; tries: failed ones of this attempt. */
    void (*begin)(void *self, int tries);
    /** Evaluate F [size] at x, and set y, yp of the attempt. */
    int (*evaluate)(void *self, double *F);
    /** The norm of delta [size] that has to decrease in an iteration to rounding. */
    double (*norm)(void *self, const double *delta);
    /** 1: corrections delta [size], which decrease no more, are too large to be rounding. */
    int (*is_far)(void *self, const double *delta);
} rsd_newton_ops;

/** The system to be solved. All pointers are borrowed. */
typedef struct rsd_newton_system {
    const rsd_newton_ops *ops;
    void *self; /* of the integrator, for ops */
    const rsd_newton_rules *rules;
    rsd_guard *guard;
    resida_jacobian *engine;
    const resida_solver_options *o;
    int n, stages; /* unknowns of F; stages of a step at most */
} rsd_newton_system;

/** Counters since creation. */
typedef struct rsd_newton_counts {
    long attempts, iterations, fails, solves;
} rsd_newton_counts;

typedef struct rsd_newton {
    rsd_newton_system system;
    rsd_factors *factors;          /* of J */
    rsd_renewal *J;                /* what is known of J, and the attempt */
    const rsd_newton_rules *rules; /* of the present try */
    rsd_iteration it;
    int size;                   /* of x: stages of the attempt times n */
    rsd_residual_norm residual; /* of F in units of inertia */
    rsd_blame blame;            /* components by which tries failed */
    rsd_newton_counts counts;
    double *F, *w;          /* [size] last F; weights of the norm */
    double *F_start;        /* [size] F at the start of the attempt, where .. */
    int start_is_known;     /* .. 1: it is known for a retry */
    double *delta, *before; /* [size] last two corrections */
    const double *taken;    /* [size] of these the last one that was added to x */
} rsd_newton;

/** Create a solver. RESIDA_OK; RESIDA_ERR_MEMORY: the owner of alloc frees its arrays. */
resida_status rsd_newton_create(rsd_newton *nw, const rsd_newton_system *system, const resida_allocator *alloc);

/** Restart at the same point: J stays, but its parts that cost no residual call are renewed. */
void rsd_newton_restart(rsd_newton *nw);

/** Restart elsewhere: forget J. */
void rsd_newton_forget(rsd_newton *nw);

/** Solve F(x) = 0. @return 0 converged; > 0 not converged; < 0 stop */
int rsd_newton_solve(rsd_newton *nw, const rsd_attempt *a);

/** Add one correction to x, with a setup of J if it has to be. No attempt is counted. */
int rsd_newton_correct_once(rsd_newton *nw, const rsd_attempt *a);

/** Prepare J at the x of the last attempt, which has converged, for other linear systems. F is evaluated there, too.
 *  @return as rsd_jacobian_prepare() */
int rsd_newton_set_up_at_x(rsd_newton *nw);

/** Count a failure by this component; -1: unknown, not counted. */
void rsd_newton_blame(rsd_newton *nw, int component);

/** Copy the counters to statistics. */
void rsd_newton_stats(const rsd_newton *nw, resida_stats *s);

#endif
