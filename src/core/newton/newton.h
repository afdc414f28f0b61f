/* newton.h - the corrector iteration for the equations of a step, F(x) = 0, with a J that is kept:
 *
 *     x(m+1) = x(m) - c J^-1 F(x(m)),    c = 2/(1 + alpha/alpha_J)
 *
 * alpha_J is the alpha for which J was factored. The integrator evaluates F (rsd_newton_ops). jacobian/jacobian.h
 * decides when J is set up, and jacobian/convergence.h decides when the iteration ends. The norm has error weights. The
 * weights are multiplied by h for components of index 2 (lam, eta) and by h^2 for index 3, because the rounding errors
 * of these components grow like 1/h and 1/h^2. */
#ifndef RSD_NEWTON_H
#define RSD_NEWTON_H

#include <resida/solver.h>

#include "src/core/watch/blame.h"
#include "src/core/watch/guard.h"
#include "residual_norm.h"
#include "jacobian/convergence.h"
#include "jacobian/jacobian.h"

/** The equations of a step. Functions return 0 on success, > 0 if F cannot be evaluated at x, < 0 to stop the
 *  integration, with the reason in the guard. */
typedef struct rsd_newton_ops {
    /** Set x to the first iterate of a try. `tries` is the number of failed tries of the same attempt. */
    void (*begin)(void *self, int tries);
    /** Evaluate F [size] at x, and set y, yp of the attempt. */
    int (*evaluate)(void *self, double *F);
    /** Return the norm of delta [size] by which an iteration to rounding compares corrections. */
    double (*norm)(void *self, const double *delta);
    /** Return 1 if delta [size], after which corrections no longer decrease, is too large to be a rounding error. */
    int (*has_diverged)(void *self, const double *delta);
} rsd_newton_ops;

/** Equations of a step, and the objects of the solver, which the caller owns. */
typedef struct rsd_newton_system {
    const rsd_newton_ops *ops;      /* functions that evaluate F */
    void *self;                     /* integrator, the argument `self` of ops */
    const rsd_newton_rules *rules;  /* rules of the first try */
    rsd_guard *guard;               /* guard that evaluates F and keeps messages of failures */
    resida_jacobian *engine;        /* Jacobian engine */
    const resida_solver_options *o; /* options of the solver */
    int n, stages;                  /* number of unknowns of a stage; maximum number of stages */
} rsd_newton_system;

/** Counters of the Newton iteration since the creation of the solver. */
typedef struct rsd_newton_counts {
    long attempts, iterations, fails, solves; /* attempts; corrections; failed tries; solutions with the factors of J */
} rsd_newton_counts;

typedef struct rsd_newton {
    rsd_newton_system system;      /* equations of a step, and objects of the caller */
    rsd_factors *factors;          /* factors of J, owned by the engine */
    rsd_renewal *renewal;          /* decisions about J, with the current attempt */
    const rsd_newton_rules *rules; /* rules of the current try */
    rsd_iteration it;              /* current iteration */
    int size;                      /* number of unknowns in x: n times the number of stages */
    rsd_residual_norm residual;    /* norm of F before and after a correction, which detects a wrong J */
    rsd_blame blame;               /* components that dominated the last failed tries */
    rsd_newton_counts counts;      /* counters */
    double *F, *w;                 /* [size] last value of F; weights of the norm of corrections */
    double *powers, h_of_powers;   /* [n] factors of the weights for a step; size of that step [s]; 0: none */
    double *F_start;               /* [size] F at the first iterate of the first try */
    int start_is_known;            /* 1: later tries of the attempt begin at the same iterate and can use F_start */
    double *delta, *before;        /* [size] last correction; its predecessor */
    const double *last_applied;    /* [size] last correction that was added to x */
} rsd_newton;

/** Create a corrector iteration. Return RESIDA_OK or RESIDA_ERR_MEMORY. The owner of alloc frees the arrays. */
resida_status rsd_newton_create(rsd_newton *nw, const rsd_newton_system *system, const resida_allocator *alloc);

/** Record a restart. is_nearby is 1 if the restart is within the last step. A J that is renewed by its costs is then
 *  kept, and its parts without residual calls are updated. Otherwise J is discarded. */
void rsd_newton_restart(rsd_newton *nw, int is_nearby);

/** Solve F(x) = 0. @return 0 if the iteration has converged, > 0 if not, < 0 to stop the integration */
int rsd_newton_solve(rsd_newton *nw, const rsd_attempt *a);

/** Add one correction to x, and set up J if the correction requires it. The correction is not counted as an attempt.
 *  Return 0 on success, > 0 if F or J could not be evaluated, < 0 to stop the integration. */
int rsd_newton_correct_once(rsd_newton *nw, const rsd_attempt *a);

/** Evaluate F and set up J at x of the last attempt, which has converged. The caller then solves linear systems with J.
 *  @return the value of rsd_jacobian_prepare(), or the verdict of F if F could not be evaluated */
int rsd_newton_set_up_at_x(rsd_newton *nw);

/** Record a failure of an attempt that `component` dominated. If component is -1 (unknown), nothing is recorded. */
void rsd_newton_record_failure(rsd_newton *nw, int component);

/** Copy the counters of the iteration to the statistics of the solver. */
void rsd_newton_stats(const rsd_newton *nw, resida_stats *s);

#endif
