/* learnt.h - finds the patterns of dg/dp and M of a large mechanism that gives neither these matrices nor their
 * patterns. No full matrix is stored, and no evaluation proceeds column by column. The first evaluation finds the
 * pattern by bisection of the columns. It uses nearby points, at which no entry is zero by symmetry. Each evaluation of
 * dg/dp or M ends with a check (grouped.h). If the check fails, entries are searched at that point. */
#ifndef RSD_LEARNT_H
#define RSD_LEARNT_H

#include "base/linear/csr.h"

/** Accelerations of the differences for M. They are large, so that M a of a light body exceeds the rounding errors of
 *  large forces. */
#define RSD_LARGE_ACCELERATION 0x1p+20

struct rsd_mechanism;
struct rsd_function;

/** k->G_number and k->M_number count the versions of the learnt patterns of dg/dp and M. Each addition of entries makes
 *  a new version. An array is outdated if it was made for another version. */

/** Return 1 if the mechanism is large, uses the residual formalism, and gives neither dg/dp nor products with dg/dp. */
int rsd_needs_learnt_G(const struct rsd_mechanism *k);

/** Return 1 if the mechanism is large, and its residual formalism gives no M. */
int rsd_needs_learnt_M(const struct rsd_mechanism *k);

/** Use a full dg/dp instead of a learnt pattern, before the first evaluation. Return RESIDA_ERR_MEMORY on failure. */
resida_status rsd_use_full_G(struct rsd_mechanism *k, resida_message *why);

/** Evaluate dg/dp at (t, p) into k->gp_values, and extend its pattern if the check fails. Return 0 on success, > 0 if g
 *  could not be evaluated, < 0 on a fatal error or if there is no memory.
 *  Cost: the calls of rsd_difference_matrix(). A search adds those of rsd_find_dependence() at one or two points. */
int rsd_eval_learnt_G(struct rsd_mechanism *k, const struct rsd_function *g, double t, const double *p);

/** Evaluate M at the point stored in k->inertia into k->inertia.values, and extend its pattern if the check fails. Phi
 *  contains the function that computes M x. Return as rsd_eval_learnt_G(). */
int rsd_eval_learnt_M(struct rsd_mechanism *k, const struct rsd_function *Phi, double t);

/** Copy the learnt pattern of dg/dp from `from` if it has changed. Return RESIDA_ERR_MEMORY if there is no memory. */
resida_status rsd_learnt_copy_state(struct rsd_mechanism *k, const struct rsd_mechanism *from);

#endif
