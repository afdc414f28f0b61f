/* newton.h - the corrector iteration for the equations of a step, F(x) = 0, with a J that is kept:
 *
 *     x(m+1) = x(m) - c J^-1 F(x(m)),    c = 2/(1 + alpha/alpha_J)
 *
 * The integrator evaluates F, J and its factors by a table of functions (rsd_newton_ops); policy.h decides about J,
 * convergence.h about the iteration. The weights of the norm are error weights, times h for components of index 2 (lam,
 * eta), times h^2 for index 3, because their rounding grows like 1/h, 1/h^2. */
#ifndef RSD_NEWTON_H
#define RSD_NEWTON_H

#include <resida/solver.h>

#include "src/core/watch/blame.h"
#include "src/core/watch/guard.h"
#include "convergence.h"
#include "residual_norm.h"
#include "base/linear/linear_solver.h"

/** The equations of a step. Functions return 0; > 0 not possible at x; < 0 stop, the guard has the reason. */
typedef struct rsd_newton_ops {
    /** Set x to the start of the iteration; tries: failed ones of this attempt. */
    void (*begin)(void *self, int tries);
    /** Evaluate F [size] at x, and set y, yp of the attempt. */
    int (*evaluate)(void *self, double *F);
    /** Set J up at x, by rsd_newton_engine_setup(). NULL: at the point of the attempt. */
    int (*set_up)(void *self, rsd_renewal renewal, rsd_setup_facts *J);
    /** Factor J. > 0: singular. */
    int (*factor)(void *self);
    /** Solve b [size] = J^-1 b. */
    void (*solve)(void *self, double *b);
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
    int n, stages;             /* unknowns of F; stages of a step at most */
    rsd_linear_solver *linear; /* gives the costs of factors; may be NULL */
} rsd_newton_system;

/** Counters since creation. */
typedef struct rsd_newton_counts {
    long attempts, iterations, fails, solves;
    long setups[RESIDA_SETUP_AGE + 1]; /* by resida_setup_reason */
} rsd_newton_counts;

typedef struct rsd_newton {
    rsd_newton_system system;
    rsd_policy policy;
    rsd_newton_facts facts;     /* of the attempt */
    rsd_costs costs;            /* as of the last setup */
    int size;                   /* of x: stages of the attempt times n */
    rsd_residual_norm residual; /* of F in units of inertia */
    rsd_blame blame;            /* components by which tries failed */
    rsd_newton_counts counts;
    int n_sensitivities;    /* linear systems that are iterated with J after each accepted attempt */
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

/** F was changed from outside: set J up at the next attempt. */
void rsd_newton_renew(rsd_newton *nw);

/** Solve F(x) = 0. @return 0 converged; > 0 not converged; < 0 stop */
int rsd_newton_solve(rsd_newton *nw, const rsd_newton_attempt *a);

/** Add one correction to x, with a setup of J if it has to be. No attempt is counted. */
int rsd_newton_correct_once(rsd_newton *nw, const rsd_newton_attempt *a);

/** Set J up and factor it at the x of the last attempt, which has converged, for other linear systems: as behind a
 *  failure, by dF/dy or an update of its blocks where that is of just before. F is evaluated there, too.
 *  @return as set_up() */
int rsd_newton_set_up_at_x(rsd_newton *nw);

/** Count a failure by this component; -1: unknown, not counted. */
void rsd_newton_blame(rsd_newton *nw, int component);

/** Report the end of an attempt, with the tests after the iteration. */
void rsd_newton_end(rsd_newton *nw, int verdict);

/** Set J up by the engine at this point, count the setup, and set the facts of J, for set_up() of the table.
 *  @return as resida_jacobian_setup() */
int rsd_newton_engine_setup(rsd_newton *nw, rsd_renewal renewal, const resida_jacobian_point *at, rsd_setup_facts *J);

/** Stop the integration: the guard takes this status, < 0, which is returned. */
int rsd_newton_stop(rsd_newton *nw, resida_status status);

/** Copy the counters to statistics. */
void rsd_newton_stats(const rsd_newton *nw, resida_stats *s);

#endif
