/* engine.h - the engine as the policy and the iteration see it: costs, and a setup as it is needed. */
#ifndef RSD_ENGINE_H
#define RSD_ENGINE_H

#include <resida/jacobian.h>

#include "renewal.h"
#include "base/profile.h"

/** Set J up as needed, by a plan of renewal.h. @return as resida_jacobian_setup() */
int rsd_engine_renew(resida_jacobian *jac, rsd_renewal renewal, const resida_jacobian_point *at, int *current);

/** Set J up by a plan. @return as resida_jacobian_setup() */
int rsd_engine_set_up(resida_jacobian *jac, const rsd_plan *plan, const resida_jacobian_point *at, int *current);

/** The history of setups, in memory of the engine. */
rsd_setup_history *rsd_engine_history(resida_jacobian *jac);

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
