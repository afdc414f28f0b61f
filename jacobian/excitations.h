/* excitations.h - the part of J that moves with the excitations, eq. (26) of Arnold, Fuchs, Fuehrer: sum D_i (u_i -
 * u_old_i). */
#ifndef RSD_EXCITATIONS_H
#define RSD_EXCITATIONS_H

#include "jacobian/differences/jumps.h"

typedef struct rsd_excitations {
    double *u, *u_old; /* [n_inputs] now, and at A */
    int n_live, *live; /* inputs that J depends on */
    int refused;       /* evaluations in a row at which F was not possible at other excitations */
} rsd_excitations;

/** 0: no memory. */
int rsd_excitations_create(rsd_excitations *x, const rsd_frame *f);

/** Nothing is known of them. */
void rsd_excitations_forget(rsd_excitations *x);

/** A is that of time t. The verdict of the inputs. */
int rsd_excitations_note(rsd_excitations *x, const rsd_frame *f, double t);

/** D by differences of A over the inputs; nothing to do when it is known. The verdict of the functions.
 *  Cost: n_inputs + 1 evaluations of A, at most, once. */
int rsd_excitations_find(rsd_excitations *x, rsd_differences *d, rsd_parts *p, rsd_jumps *jumps,
                         const resida_jacobian_point *at);

/** Add it to J at time t. The verdict of the inputs. */
int rsd_excitations_add(rsd_excitations *x, const rsd_frame *f, rsd_parts *p, double t);

#endif
