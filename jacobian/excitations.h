/* excitations.h - computes sum D_i (u_i - u_old_i), the change of J by excitations u, eq. (26) of Arnold et al. */
#ifndef RSD_EXCITATIONS_H
#define RSD_EXCITATIONS_H

#include "jacobian/differences/jumps.h"

typedef struct rsd_excitations {
    double *u, *u_old; /* [n_inputs] u: current inputs; u_old: inputs at the last evaluation of dF_a/dy */
    int n_live, *live; /* number and indices of the inputs on which F depends */
    int refused;       /* number of consecutive attempts to compute D in which F could not be evaluated */
} rsd_excitations;

/** Allocate the arrays of inputs. @return 0 if there is no memory */
int rsd_excitations_create(rsd_excitations *exc, const rsd_frame *f);

/** Discard the list of live inputs and the derivatives D of A by the inputs. */
void rsd_excitations_reset(rsd_excitations *exc, const rsd_frame *f, rsd_parts *p);

/** Record the inputs at time t, at which A was evaluated. @return the result of the callback `inputs` */
int rsd_excitations_store_inputs(rsd_excitations *exc, const rsd_frame *f, double t);

/** Compute D_i = dA/du_i by differences, unless D is known. @return 0 on success; else the result of a failed callback
 *  Cost: n_inputs + 1 evaluations of A at most, once. */
int rsd_excitations_compute_D(rsd_excitations *exc, rsd_differences *d, rsd_parts *p, rsd_jumps *jumps,
                              const resida_jacobian_point *at);

/** Add sum D_i (u_i - u_old_i) to J at time t. @return the result of the callback `inputs` */
int rsd_excitations_add_to_J(rsd_excitations *exc, const rsd_frame *f, rsd_parts *p, double t);

#endif
