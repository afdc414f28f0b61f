/* spatial.h - inertia of a body and the bodies beyond it, 6 x 6, about a point, in the axes of a root:
 *
 *     (f, n) = I6 (a, al),    moved to a point by -d:  (f, n + d x f)  for  (a + al x d, al)
 *
 * Operations with small dense matrices for articulated and composite bodies. */
#ifndef MB_SPATIAL_H
#define MB_SPATIAL_H

#include "tree.h"

typedef struct mb_inertia {
    double x[MB_SIX][MB_SIX]; /**< symmetric, both triangles; maps (a, al) to (f, n) */
} mb_inertia;

/** Return the inertia of a body about its centre of mass. */
mb_inertia mb_inertia_of(const mb_body *b, const mb_mat *R);

/** Return I6 (lin, ang). */
mb_wrench mb_inertia_times(const mb_inertia *I, mb_vec lin, mb_vec ang);

/** Add the inertia `part`, moved from its point to the point at -arm from it, to sum. */
void mb_inertia_add_moved(mb_inertia *sum, const mb_inertia *part, mb_vec arm);

/** Compute I -= sum_k u_k u_k', with columns u [count] as wrenches. */
void mb_inertia_less(mb_inertia *I, int count, const mb_wrench *u);

#endif
