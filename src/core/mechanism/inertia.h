/* inertia.h - M(p, u), and the response of the formalism to an input. The residual formalism is linear in accelerations
 * a, the explicit one in forces f:
 *
 *     Phi(a) = Phi(0) + M a,    phi(f) = phi(0) + M^-1 f
 *
 * If the model does not give M, its columns are responses to groups of unit accelerations (grouped.h). */
#ifndef RSD_INERTIA_H
#define RSD_INERTIA_H

#include "grouped.h"

typedef struct rsd_inertia {
    double *values;              /* [nnz of k->M] M */
    rsd_grouped groups;          /* groups of its columns, if the model does not give it */
    const double *p, *v, *Phi_0; /* the point, and Phi at a = 0, set during an evaluation */
    double *zero;                /* [n_v + n_l] the point a = 0, and multipliers of 0 */
    double *input;               /* [n_v] work space: an enlarged input */
} rsd_inertia;

/** Allocate memory, after the pattern of M is set. Return 0 if there is no memory. */
int rsd_inertia_create(struct rsd_mechanism *k);

/** Evaluate M at (t, p) into k->inertia.values. If the model does not give it, its pattern may grow (learnt.h).
 *  Phi_0 [n_v]: Phi at (t, p, v), a = 0 and lam = 0.
 *  Cost: no call of Phi if the model gives M, else one for each column. A learnt pattern takes one call for each group
 *  and one more, and those of its search. An input that must grow takes one more each time.
 *  @return the verdict of the callbacks, or RESIDA_ERR_MEMORY */
int rsd_inertia_eval(struct rsd_mechanism *k, double t, const double *p, const double *v, const double *Phi_0);

/** Compute out [n_v] = M x or, in the explicit formalism, M^-1 x, as (Phi(s x) - Phi_0)/s. The result is exact because
 *  Phi is linear in x. s is a power of two large enough that Phi_0 hides no digits.
 *  Cost: 1 call, or several.
 *  @return 0 on success, > 0 if a callback could not be evaluated, < 0 on a fatal error */
int rsd_eval_response(struct rsd_mechanism *k, double t, const double *p, const double *v, const double *Phi_0,
                      const double *x, double *out);

#endif
