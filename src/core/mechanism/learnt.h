/* learnt.h - finds the patterns of dg/dp and M of a large mechanism that gives neither these matrices nor their
 * patterns. No array is as large as a full matrix, and no evaluation proceeds column by column. The first evaluation
 * finds the pattern by bisection, at nearby points at which no entry is zero by symmetry. Each evaluation of dg/dp, and
 * of M, ends with a check (grouped.h). If the check fails, the pattern is searched again at that point, and may
 * grow. */
#ifndef RSD_LEARNT_H
#define RSD_LEARNT_H

#include "base/linear/csr.h"

/** An acceleration that makes the inertia of light bodies visible beside large forces. Phi is linear in
 *  accelerations. */
#define RSD_LARGE_ACCELERATION 0x1p+20

struct rsd_mechanism;
struct rsd_function;

/** Learnt patterns are numbered from 1: k->G_number, k->M_number. An array made for another number is outdated. */

/** Return 1 if the mechanism is large, and gives neither dg/dp nor products with it nor its pattern. */
int rsd_needs_learnt_G(const struct rsd_mechanism *k);

/** Return 1 if the mechanism is large, and its residual formalism gives no M. */
int rsd_needs_learnt_M(const struct rsd_mechanism *k);

/** Use a full dg/dp instead of a learnt pattern, before the first evaluation. Return RESIDA_ERR_MEMORY on failure. */
resida_status rsd_use_full_G(struct rsd_mechanism *k, resida_message *why);

/** Evaluate dg/dp at (t, p) into k->gp_values, and extend its pattern if the check fails. Return the verdict of g, or
 *  RESIDA_ERR_MEMORY. Cost: as rsd_difference_matrix(). A search adds rsd_find_dependence() at one or two points. */
int rsd_eval_learnt_G(struct rsd_mechanism *k, const struct rsd_function *g, double t, const double *p);

/** The same for M, into k->inertia.values, at the point stored in k->inertia. Phi has the product M x. */
int rsd_eval_learnt_M(struct rsd_mechanism *k, const struct rsd_function *Phi, double t);

/** Copy the learnt patterns of `from` if they have changed. Return RESIDA_ERR_MEMORY if there is no memory. */
resida_status rsd_learnt_copy_state(struct rsd_mechanism *k, const struct rsd_mechanism *from);

#endif
