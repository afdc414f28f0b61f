/* invariant.h - invariants k(p) = 0 of positions, which no velocity changes: K T = 0 for K = dk/dp. The norms of Euler
 * parameters are such. They are held like position constraints, by a multiplier of their own that is zero for the exact
 * solution,
 *
 *     p' = T v - K' eta_k,   0 = k(p),
 *
 * which by K T = 0 has no part in velocities or forces. */
#ifndef RSD_INVARIANT_H
#define RSD_INVARIANT_H

#include "grouped.h"

struct rsd_mechanism;

typedef struct rsd_invariants {
    rsd_csr K;
    double *values;         /* of K */
    rsd_grouped groups;     /* of K, where the model does not give it */
    double *r, *z, *s, *Kw; /* [n_k] work of a projection */
    double *w, *dp;         /* [n_p] */
} rsd_invariants;

/** Memory, and the pattern of K. RESIDA_ERR_MODEL (the pattern), RESIDA_ERR_MEMORY */
resida_status rsd_invariants_create(struct rsd_mechanism *k, const resida_mechanism *m, resida_message *why);

/** k(p) [n_k]; K at p into k->invariants.values. The verdict of the callbacks. */
int rsd_eval_invariant(struct rsd_mechanism *k, double t, const double *p, double *out);
int rsd_eval_invariant_matrix(struct rsd_mechanism *k, double t, const double *p);

/** p [n_p] becomes a point near by with k(p) = 0, by Gauss-Newton steps of least |dp|. The verdict of the callbacks; >
 *  0 also when there is none. */
int rsd_hold_invariants(struct rsd_mechanism *k, double t, double *p);

#endif
