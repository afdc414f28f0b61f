/* engine.h - queries of the engine, and how it takes differences. */
#ifndef RSD_ENGINE_H
#define RSD_ENGINE_H

#include <resida/jacobian.h>

#include "base/profile.h"

/** Replace the costs of calls by the members cost_... of `costs`. */
void rsd_engine_set_costs(resida_jacobian *jac, const resida_system *costs);

/** Residual calls of an evaluation of all columns of dF/dy, as far as known; 0 for "user". */
int rsd_engine_cost(const resida_jacobian *jac);

/** 1: the model gives dF/dy; nothing is differenced. */
int rsd_engine_has_user_jacobian(const resida_jacobian *jac);

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

/** Brings the system up to date before each setup, by rsd_engine_take_lists(); *is_new 1: it did.
 *  @return 0; > 0 not possible at the point; < 0 stop, a resida_status */
typedef int rsd_refresh_fn(const resida_jacobian_point *at, int *is_new, void *user);
void rsd_engine_refresh_by(resida_jacobian *jac, rsd_refresh_fn *refresh, void *user);

/** Take over a system with other lists of known entries, of the same size. J is lost, counters and costs of iterations
 *  are kept. 0; RESIDA_ERR_MEMORY */
int rsd_engine_take_lists(resida_jacobian *jac, const resida_system *s);

/** Multiply the increments of y by factor [n] from now on, borrowed; NULL: 1. */
void rsd_engine_scale_increments(resida_jacobian *jac, const double *factor);

/** The increment of y_c at a point, of differences of the formalism. */
double rsd_engine_increment(const resida_jacobian *jac, const resida_jacobian_point *at, int c);

#endif
