/* ida_newton.h - IDA's steps solved by our own iteration (newton.h), as a SUNNonlinearSolver.
 *
 * IDA hands over the predictor, its error weights and alpha; everything else is decided here: with which J its steps
 * are solved and factored, in which norm and how far the iteration goes. */
#ifndef RSD_IDA_NEWTON_H
#define RSD_IDA_NEWTON_H

#include <resida/solver.h>

#include "src/core/newton/newton.h"
#include "src/core/newton/scaling.h"
#include "ida_growth.h"
#include "ida_jump.h"
#include "src/core/events/min_order.h"
#include "sundials_compat.h"

typedef struct rsd_ida_newton {
    struct _generic_SUNNonlinearSolver base;
    struct _generic_SUNNonlinearSolver_Ops ops;
    void *ida;
    double origin;       /* t of the last start: times of IDA are counted from there on */
    double way_of_t;     /* 1; -1: t falls while IDA's time grows, y' and alpha here are of t */
    double first_origin; /* that of the first start; NaN: none yet */
    rsd_guard *guard;
    N_Vector tested; /* components in the error test */
    const resida_solver_options *o;
    const resida_kind *kinds; /* [n] */
    int n;

    rsd_newton newton;
    rsd_attempt attempt;    /* the current one; x [n]: the correction so far */
    double from;            /* where its step begins, in IDA's time */
    const double *y0, *yp0; /* [n] predictor, its derivative */
    double *y, *yp;         /* [n] where F is evaluated */
    double *yp_back;        /* [n] predictor's derivative by t, where t falls */
    resida_jacobian *J;
    rsd_scaling *scaling; /* of its systems; NULL: none */

    rsd_growth growth;   /* may the step become longer? */
    rsd_min_order least; /* the order of its steps */
    rsd_jump jump;       /* must the integration restart? */
    double *inputs;      /* [3 n_u] excitations at the end of a step (ida_rest.c) */
    double way;          /* from the start to the end of the run, or to the first output */
    double t_from;       /* where the last attempt began, in IDA's time */
    double t_monitor;    /* that the monitor was last called with */
    long repeated_fails; /* error tests that failed again from the same place */
    double failed_from;  /* where the last one failed */
    int worst_component; /* in the error test of the last retry; -1: unknown */
    int monitor_called;  /* for the next attempt, which is the first one of a step */
    int failed_tests;    /* attempts at this step that converged, but failed the error test */
    int abandoned;       /* the first attempt of a step was broken off; the step has to be tried again */
    double put_before;   /* steps before this one, in a row, were put to zero by so many tolerances .. */
    double put;          /* .. and with the last attempt */
    int wrong_sign;      /* a component by whose sign the last attempt failed; -1: none */
    double wrong_y;      /* that component */
    int is_changed;      /* the step after a failure is not IDA's own choice */
} rsd_ida_newton;

/** Memory and the table of functions. RESIDA_ERR_MEMORY: what there is belongs to the owner of alloc. */
resida_status rsd_ida_newton_create(rsd_ida_newton *nw, rsd_guard *guard, resida_jacobian *engine,
                                    const resida_solver_options *o, const resida_allocator *alloc);

/** Attach to an IDA. @return its nonlinear solver */
SUNNonlinearSolver rsd_ida_newton_attach(rsd_ida_newton *nw, SUNContext context, void *ida);

/** Forces of contacts in the error test, of a step h with weights w [n]; h = 0: for the choice of a first one, as in a
 *  shorter step they are no more exact. */
void rsd_ida_test_forces(rsd_ida_newton *nw, double h, const double *w);

/** Ask the monitor about the next attempt, from t. 1: the integration is interrupted, guard->stop says so. */
int rsd_ida_newton_interrupted(rsd_ida_newton *nw, double t);

/** A first step h from t that may be taken: y [n] is its predictor, yp [n] the derivative at t, weight [n] of the error
 *  test. */
typedef struct rsd_probe {
    double t, h; /**< in IDA's time */
    const double *y, *yp, *weight;
} rsd_probe;

/** The first correction [n] of such a step, about h^2 y''; J is set up there, and stays. 0; > 0 not possible here; < 0
 *  stop: guard->stop says why. Cost: one residual call, and those of J. */
int rsd_ida_newton_probe(rsd_ida_newton *nw, const rsd_probe *probe, double *correction);

/** The last solved attempt has been through the error test: note its result for the profile. */
void rsd_ida_newton_judged(rsd_ida_newton *nw);

/** t at IDA's time. */
static inline double rsd_ida_t(const rsd_ida_newton *nw, double t_ida)
{
    return nw->origin + nw->way_of_t * t_ida;
}

/** Times are counted from t0 on. */
void rsd_ida_newton_set_origin(rsd_ida_newton *nw, double t0);

/** IDA begins: none of its steps has been tried. */
void rsd_ida_newton_begin(rsd_ida_newton *nw);

/** The integration restarts. is_nearby: where it was, and J stays without the parts that cost no residual call; else
 *  J is forgotten. */
void rsd_ida_newton_restart(rsd_ida_newton *nw, int is_nearby);

#endif
