/* ida_newton.h - the corrector iteration, as a SUNNonlinearSolver of our own.
 *
 * IDA hands over the predictor, its error weights and alpha; everything else is decided here: when the iteration
 * matrix is set up and why, what it is factored with, in which norm and how far the iteration goes. */
#ifndef RSD_IDA_NEWTON_H
#define RSD_IDA_NEWTON_H

#include <resida/solver.h>

#include "src/watch/blame.h"
#include "src/watch/guard.h"
#include "ida_growth.h"
#include "ida_jump.h"
#include "src/newton/inertia.h"
#include "src/linear/linear_solver.h"
#include "src/newton/scaling.h"
#include "src/newton/secant.h"
#include "sundials_compat.h"

typedef struct rsd_newton {
    struct _generic_SUNNonlinearSolver base;
    struct _generic_SUNNonlinearSolver_Ops ops;
    void *ida;
    double origin; /* t of the last start: times of IDA are counted from there on */
    rsd_guard *guard;
    resida_jacobian *engine;
    int n;
    const resida_kind *kinds; /* [n] */
    int h_weights;            /* weights of index-2 components times h, of index 3 times h^2 */
    resida_monitor_fn *monitor;
    void *monitor_user;

    rsd_growth growth; /* may the step become longer? */
    rsd_linear_solver *linear;
    rsd_scaling *scaling;                      /* of its systems; NULL: none */
    long pattern;                              /* of the matrix that the linear solver knows */
    rsd_inertia inertia;                       /* what corrections may hide of F */
    rsd_secant *secant;                        /* what the iteration tells about J; NULL: not listened to */
    double *w, *y, *yp, *F, *F_before, *delta; /* [n] */

    int has_matrix;        /* LU holds factors */
    int previous_failed;   /* the previous attempt ended without convergence */
    double alpha_matrix;   /* alpha of J */
    double alpha_previous; /* alpha of the previous attempt */
    double t_from;         /* where it began, in IDA's time */
    int renews;            /* the engine wants a setup at every attempt */
    int since_measured;    /* attempts since a rate was measured, when it renews */
    int measure_after;     /* attempts until the next measurement */
    int is_worn;           /* the last measured rate was slow, with a J kept from an attempt before: renew it */
    int diverged;          /* the last iteration went so far astray that J cannot be of that place */
    int too_long;          /* the previous attempt failed because its step was too long for any J */
    int is_stale;          /* it was slow with a J of that attempt: evaluate dF/dy */
    double slow_rate;      /* from which rate on; 0: chosen */
    long age_measured;     /* age of dF/dy when a rate was measured */
    long extra;            /* iterations after the first of an attempt, since dF/dy was evaluated */
    long age, max_age;     /* attempts since dF/dy was evaluated, and how many it may serve; 0: any number */
    double h_measured;     /* step size when a rate was measured */
    rsd_jump jump;         /* is the integration to begin anew? */
    double rate_factor;    /* rate/(1 - rate), remembered between steps; IDA's "ss" */
    int suspect;           /* what the error test will be lost by, if it is; -1: not known */
    rsd_blame blame;       /* what failed attempts were lost by */
    int singular_column;   /* of the last failed factorisation, from 1; 0: none */
    int asked;             /* the monitor has been asked about the next attempt: it is the first one of a step */
    int abandoned;         /* the first attempt of a step was broken off, and the step is to be tried again */

    long attempts, iterations, fails, factorisations, solves;
    long setups[5]; /* by resida_setup_reason */
} rsd_newton;

/** Fill in the table of functions and the work space. n, guard, engine, kinds are set before. */
resida_status rsd_newton_create(rsd_newton *nw, const resida_solver_options *o, const resida_allocator *alloc);
void rsd_newton_free(rsd_newton *nw, const resida_allocator *alloc);

/** Ask the monitor about the next attempt, from t. 1: the integration is interrupted, guard->stop says so. */
int rsd_newton_interrupted(rsd_newton *nw, double t);

/** A first step h from t that may be taken: y [n] is its predictor, yp [n] the derivative at t, weight [n] of the error
 *  test. */
typedef struct rsd_probe {
    double t, h; /**< in IDA's time */
    const double *y, *yp, *weight;
} rsd_probe;

/** The first correction [n] of such a step, about h^2 y''; J is set up there, and stays. 0; > 0 not possible here; < 0
 *  stop: guard->stop says why. Cost: one residual call, and those of J. */
int rsd_newton_probe(rsd_newton *nw, const rsd_probe *probe, double *correction);

/** What is known of F has changed, from outside: J is set up at the next attempt. */
void rsd_newton_renew(rsd_newton *nw);

/** The integration starts anew where it was: the matrix stays, but for what of it costs no residual call. */
void rsd_newton_restart(rsd_newton *nw);

/** The integration starts anew elsewhere: forget the matrix, too. */
void rsd_newton_reset(rsd_newton *nw);

#endif
