/* engine.h - declares queries of the Jacobian engine, and settings of its differences. */
#ifndef RSD_ENGINE_H
#define RSD_ENGINE_H

#include <resida/jacobian.h>

#include "base/profile.h"

/** Replace the engine's estimates of the costs of calls by the members cost_... of the system `costs`. */
void rsd_engine_set_costs(resida_jacobian *jac, const resida_system *costs);

/** Return the number of residual calls of an evaluation of all columns of dF/dy; 0 for the strategy "user". */
int rsd_engine_get_call_count(const resida_jacobian *jac);

/** Return 1 if the model computes dF/dy; it is then not differenced. */
int rsd_engine_has_user_jacobian(const resida_jacobian *jac);

/** Compute the inertia of each row, sum over c of |dF_i/dyp_c| / w_c. This is the change of F_i if each y'_c changes by
 *  1/w_c.
 *  @param[in]  w     [n] weights, > 0
 *  @param[out] sums  [n] 0 in a row without y'
 *  @return RESIDA_OK; RESIDA_ERR_STATE before the first setup, or if dF/dyp is not stored separately ("dense",
 *          "sparse", "user")
 *  Cost: no residual call. */
resida_status rsd_engine_compute_inertia(const resida_jacobian *jac, const double *w, double *sums);

/** Return dF/dyp [nnz] on the pattern of J, owned by the engine. Return NULL before the first setup, or if dF/dyp is
 *  not stored separately ("dense", "sparse", "user"). */
const double *rsd_engine_get_dFdyp(const resida_jacobian *jac);

/** A function of the caller that updates the system before a setup is planned. If the lists of known entries of J have
 *  changed, the function calls rsd_engine_set_lists().
 *  @return 0 on success; > 0 if the system cannot be updated at the point; < 0 on a fatal error, a resida_status */
typedef int rsd_refresh_fn(const resida_jacobian_point *at, void *user);
void rsd_engine_set_refresh(resida_jacobian *jac, rsd_refresh_fn *refresh, void *user);

/** Replace the system by a system of equal size with different lists of known entries of J. J is discarded; counters
 *  and costs of iterations are kept. @return 0 on success; RESIDA_ERR_MEMORY */
int rsd_engine_set_lists(resida_jacobian *jac, const resida_system *s);

/** Multiply all later increments of y by factor [n], an array of the caller. NULL resets all factors to 1. */
void rsd_engine_scale_increments(resida_jacobian *jac, const double *factor);

/** Return the absolute value of the increment of y_c in difference quotients of F_a (parts.h) at a point. */
double rsd_engine_get_increment(const resida_jacobian *jac, const resida_jacobian_point *at, int c);

#endif
