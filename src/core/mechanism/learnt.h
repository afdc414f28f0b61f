/* learnt.h - the patterns of dg/dp and of M of a large mechanism that gives neither these matrices nor patterns: no
 * array is as large as a full matrix, and no evaluation goes column by column. A pattern is found by bisection at the
 * first evaluation, at places near by in which no entry is zero by symmetry. Each evaluation of dg/dp, and of M, ends
 * with a check (grouped.h); if that fails, the pattern is searched again there, and may grow. */
#ifndef RSD_LEARNT_H
#define RSD_LEARNT_H

#include "base/linear/csr.h"

/** Shows the inertia of light bodies beside the terms of forces that cancel: Phi is linear in accelerations. */
#define RSD_LARGE_ACCELERATION 0x1p+20

struct rsd_mechanism;
struct rsd_function;

/** Learnt patterns, counted from 1: k->G_number, k->M_number. Arrays that were made for another number are outdated. */

/** 1: the mechanism is large, and gives neither dg/dp nor products with it nor its pattern. */
int rsd_learns_G(const struct rsd_mechanism *k);

/** 1: the mechanism is large, and gives no M, which does not depend on lam. */
int rsd_learns_M(const struct rsd_mechanism *k);

/** A learnt pattern becomes a full one, before anything is evaluated. RESIDA_ERR_MEMORY, with a message */
resida_status rsd_take_full_G(struct rsd_mechanism *k, resida_message *why);

/** dg/dp at (t, p) into k->gp_values. The verdict of g; RESIDA_ERR_MEMORY.  Cost: as rsd_difference_matrix(); if the
 *  pattern is searched, rsd_find_dependence() at two places, or at one, more */
int rsd_learnt_G(struct rsd_mechanism *k, const struct rsd_function *g, double t, const double *p);

/** Search the pattern of M at (t, p, v). *grows 1: k->M has new places, symmetric ones. The verdict of the formalism;
 *  RESIDA_ERR_MEMORY. */
int rsd_learn_M(struct rsd_mechanism *k, double t, const double *p, const double *v, int *grows);

/** The pattern of `from`, if it is another one. RESIDA_ERR_MEMORY */
resida_status rsd_learnt_follow(struct rsd_mechanism *k, const struct rsd_mechanism *from);

#endif
