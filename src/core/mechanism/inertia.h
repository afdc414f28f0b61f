/* inertia.h - the mass matrix M(p, u), and the response of the formalism to an input. The residual formalism is linear
 * in accelerations a, and the explicit formalism is linear in forces f:
 *
 *     Phi(a) = Phi(0) + M a,    phi(f) = phi(0) + M^-1 f
 *
 * If the model does not give M, its columns are computed from responses to groups of unit accelerations (grouped.h). */
#ifndef RSD_INERTIA_H
#define RSD_INERTIA_H

#include "grouped.h"

typedef struct rsd_inertia {
    double *values;              /* [nnz of k->M] values of the mass matrix */
    rsd_grouped groups;          /* column groups of the mass matrix, for differences */
    const double *p, *v, *Phi_0; /* point (p, v) and Phi(p, v, 0) of the current evaluation */
    double *zero;                /* [n_v + n_l] zeros, for a = 0 and lam = 0 */
    double *input;               /* [n_v] s x, the scaled input of rsd_eval_response() */
} rsd_inertia;

/** Allocate memory, after the pattern of M is set. Return 1 on success, or 0 if there is no memory. */
int rsd_inertia_create(struct rsd_mechanism *k);

/** Evaluate M at (t, p) into k->inertia.values. If the model does not give M, a learnt pattern of M may get new entries
 *  (learnt.h). Phi_0 [n_v]: Phi at (t, p, v), a = 0 and lam = 0.
 *  Cost: no call of Phi if the model gives M, else one for each column. With a learnt pattern: one call for each group,
 *  one for the check, and the calls of a search. Each enlargement of an input takes one more call.
 *  @return 0 on success, > 0 if a callback could not be evaluated, < 0 on a fatal error or if there is no memory */
int rsd_inertia_eval(struct rsd_mechanism *k, double t, const double *p, const double *v, const double *Phi_0);

/** Compute out [n_v] = M x or, in the explicit formalism, M^-1 x, as (Phi(s x) - Phi_0)/s. In the explicit formalism
 *  phi replaces Phi. The quotient has no truncation error, because Phi is linear in x. s is a power of two, and so
 *  large that the difference loses few digits.
 *  Cost: 1 call, and 1 for each enlargement of s.
 *  @return 0 on success, > 0 if a callback could not be evaluated, < 0 on a fatal error */
int rsd_eval_response(struct rsd_mechanism *k, double t, const double *p, const double *v, const double *Phi_0,
                      const double *x, double *out);

#endif
