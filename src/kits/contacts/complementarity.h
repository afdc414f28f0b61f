/* complementarity.h - forces of contacts, with Coulomb's friction or without, for accelerations or for the speeds after
 * an impact. */
#ifndef RSD_COMPLEMENTARITY_H
#define RSD_COMPLEMENTARITY_H

#include "base/memory.h"

/** n contacts. Rows and columns of D are those of gaps, then, with friction, of sliding, scaled so that the diagonal is
 *  about 1. N = 2 n with friction, n without. */
typedef struct rsd_complementarity {
    int n;
    const double *D, *q; /* [N x N], [N] */
    const double *mu;    /* [n] in the same units, 0: this contact is without friction; NULL: there is none */
    const int *slides;   /* [n] 1, -1 the sign of the speed; 0: the force decides; not read without friction */
    const double *base;  /* [n] N that is there besides; NULL: 0 */
    double rounding;     /* of q */
    double *force;       /* [N] N with that, T */
    int *result;         /* [n] as slides, decided: 0 sticks; not written without friction */
    int culprit;         /* a contact that excludes a solution */
} rsd_complementarity;

/** Memory is taken from a and left to its owner. *found: 1; 0: there is no solution, x->culprit is one of the contacts
 *  that exclude it; < 0: none was found, because rounding decides.
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_complementarity_solve(rsd_complementarity *x, const resida_allocator *a, int *found);

#endif
