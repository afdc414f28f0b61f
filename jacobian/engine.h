/* engine.h - the engine as the policy and the iteration see it: facts, costs, and a setup by a plan (src/newton/
 * policy.h). */
#ifndef RSD_ENGINE_H
#define RSD_ENGINE_H

#include <resida/jacobian.h>

#include "jacobian/parts/plan.h"
#include "src/base/profile.h"

/** What was spent under evaluations of dF/dy, or under repairs: sums over the time from one renewal to the next, with
 *  less weight of earlier ones. */
typedef struct rsd_spent {
    double calls; /* residual calls, of the renewal and of iterations behind it */
    double time;  /* [s] steps whose iteration converged */
} rsd_spent;

/** Memory of setups. Only the policy writes it. */
typedef struct rsd_setup_history {
    int failures;                       /* iterations that failed with a current J, each soon after the other */
    int setups;                         /* since the last one that failed */
    int is_repaired;                    /* 1: the last renewal of dF/dy was a repair */
    int failed_repairs;                 /* since the last attempt that converged */
    long evaluations;                   /* of dF/dy */
    double factorisation;               /* in residual calls; 0: unknown, or calls alone count */
    double evaluation;                  /* mean residual calls of one */
    double of_dFdy;                     /* sum of evaluated.calls that evaluations took */
    rsd_spent evaluated, repaired, now; /* now: since the last renewal */
} rsd_setup_history;

/** The facts that the engine knows at a point. */
typedef struct rsd_engine_facts {
    int has_J;          /* the last setup succeeded */
    int is_partitioned; /* the strategy updates J for another alpha */
    int by_costs;       /* the strategy renews parts of J whenever that pays */
    int learns;         /* the strategy learns the pattern, and no pattern was given */
    int request;        /* resida_request bits that no setup has fulfilled yet */
    int was_evaluated;  /* the last setup was an evaluation or a repair */
    int was_repaired;   /* the last setup was a repair */
    int was_current;    /* no setup at its point can be better */
    int was_partial;    /* the last evaluation left columns out */
    int is_incomplete;  /* likewise, or took dF/dyp as it was */
    int is_same_time;   /* the last evaluation was at this time, .. */
    int is_moved;       /* .. 1: and at another y */
    int has_history;    /* columns were evaluated before */
    int can_repair;     /* dF/dy can be repaired */
    int is_repaired;    /* the last repair was at this time */
    long calls;         /* residual calls of the engine */
    long updates;       /* setups since the last evaluation */
} rsd_engine_facts;

/** Get the facts at a point. */
void rsd_engine_get_facts(const resida_jacobian *jac, const resida_jacobian_point *at, rsd_engine_facts *facts);

/** The history of setups, in memory of the engine. */
rsd_setup_history *rsd_engine_history(resida_jacobian *jac);

/** Set J up by a plan. @return as resida_jacobian_setup() */
int rsd_engine_set_up(resida_jacobian *jac, const rsd_plan *plan, const resida_jacobian_point *at, int *current);

/** Let the engine solve linear systems with J, by which it repairs dF/dy; without a solver it does not. repair.h */
struct rsd_engine_solver;
void rsd_engine_set_solver(resida_jacobian *jac, const struct rsd_engine_solver *solver);

/** Set the profiler charged for finite differences; may be NULL. */
void rsd_engine_set_profile(resida_jacobian *jac, rsd_profile *profile);

/** 1: the strategy renews parts of J whenever that pays. 0: it keeps J until the iteration fails. */
int rsd_engine_decides_by_costs(const resida_jacobian *jac);

/** Costs of J, in operations. */
typedef struct rsd_engine_costs {
    double F;          /* of a call of F */
    double assembly;   /* of the sum of the parts */
    double blocks;     /* of all parts that cost no residual call */
    double evaluation; /* of all columns of dF/dy, besides */
    int calls;         /* residual calls in that */
    int has_blocks;    /* 1: there are parts without residual calls */
    int has_dFdy;      /* 1: there are columns to be evaluated */
    int by_calls;      /* 1: residual calls alone count (strategy "fresh") */
} rsd_engine_costs;

/** Get the costs, as far as pattern and groups are known. */
void rsd_engine_get_costs(const resida_jacobian *jac, rsd_engine_costs *c);

/** Replace the costs of calls by the members cost_... of `costs`. */
void rsd_engine_set_costs(resida_jacobian *jac, const resida_system *costs);

/** Residual calls of an evaluation of all columns of dF/dy, as far as known; 0 for "user". */
int rsd_engine_cost(const resida_jacobian *jac);

/** Residual calls since create. */
long rsd_engine_calls(const resida_jacobian *jac);

/** 1: the model gives dF/dy; nothing is differenced. */
int rsd_engine_has_user_jacobian(const resida_jacobian *jac);

/** 1: the last setup evaluated or repaired dF/dy. 0: it was an update, or failed. */
int rsd_engine_was_evaluated(const resida_jacobian *jac);

/** 1: the last setup repaired dF/dy. */
int rsd_engine_was_repaired(const resida_jacobian *jac);

/** Sum the inertia of each row, sum over c of |dF_i/dyp_c| / w_c: the change of F_i if every y' changes by 1/w.
 *  @param[in]  w     [n] weights, > 0
 *  @param[out] sums  [n] 0 in a row without y'
 *  @return RESIDA_OK; RESIDA_ERR_STATE before the first setup, and where dF/dyp is not kept apart ("dense", "sparse",
 *          "user")
 *  Cost: no residual call. */
resida_status rsd_engine_inertia(const resida_jacobian *jac, const double *w, double *sums);

/** dF/dyp [nnz] at the entries of J, in memory of the engine; NULL before the first setup, and where dF/dyp is not kept
 *  apart ("dense", "sparse", "user"). */
const double *rsd_engine_dFdyp(const resida_jacobian *jac);

/** Multiply the increments of y by factor [n] from now on, borrowed; NULL: 1. */
void rsd_engine_scale_increments(resida_jacobian *jac, const double *factor);

/** The increment of y_c at a point, of differences of the formalism. */
double rsd_engine_increment(const resida_jacobian *jac, const resida_jacobian_point *at, int c);

#endif
