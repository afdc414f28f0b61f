/* friction.h - forces of contacts with friction, for accelerations or for the speeds behind an impact. */
#ifndef RSD_FRICTION_H
#define RSD_FRICTION_H

#include "src/base/memory.h"

/** n contacts. Rows and columns of D are those of gaps, then of sliding, scaled so that the diagonal is about 1. */
typedef struct rsd_friction {
    int n;
    const double *D, *q; /* [2 n x 2 n], [2 n] */
    const double *mu;    /* [n] in the same units; 0: without friction */
    const int *slides;   /* [n] 1, -1 the sign of the speed; 0: the force decides */
    const double *base;  /* [n] N that is there besides; NULL: 0 */
    double rounding;     /* of q */
    double *force;       /* [2 n] N with that, T */
    int *result;         /* [n] as slides, decided: 0 sticks */
} rsd_friction;

/** Memory is taken from a and left to its owner. *found: 0: there is no solution, or it is not found.
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_friction_solve(const rsd_friction *x, const resida_allocator *a, int *found);

#endif
