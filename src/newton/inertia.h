/* inertia.h - what an iteration has left of F, in a unit that J cannot hide.
 *
 * Corrections are J^-1 F. A J that has kept the stiffness of a contact which is open again makes them so small that
 * they look converged, where nothing holds y back any more. So F itself is looked at after the first correction, by
 * rows in the unit of their inertia terms,
 *
 *     x_i = F_i / (alpha sum_c |dF_i/dyp_c| / w_c),    |x| = sqrt(sum x_i^2 / n):
 *
 * tolerances by which y would move if inertia alone resisted. Rows without y' have no such unit and are left out. Where
 * the first correction hides more than a tolerance of F it is never enough (renewal.c). */
#ifndef RSD_INERTIA_H
#define RSD_INERTIA_H

#include <resida/jacobian.h>

typedef struct rsd_inertia {
    int n, stages;   /* rows of F; of a step, with as many rows each */
    int renews;      /* known parts of J are renewed around an old dF/dy */
    int is_known;    /* what the engine says of the unit, since the last setup: */
    int has_unit;    /* that there is one */
    double alpha;    /* of the look; 0: there is none */
    double before;   /* |x| at the predictor */
    double *per, *F; /* [n] 1 / sum_c |dF_i/dyp_c| / w_c, 0 of rows without y'; [n stages] F at the predictor */
} rsd_inertia;

resida_status rsd_inertia_create(rsd_inertia *x, int n, int stages, int renews, const resida_allocator *alloc);

/** J was set up: the unit is another one. */
void rsd_inertia_forget(rsd_inertia *x);

/** Before the first correction: F [n stages] at the predictor, w [n] error weights; the unit is made of those of the
 *  first time since J was set up. Where the engine does not keep dF/dyp apart nothing will be said. Cost: a pass over
 *  F; at that first time one over the entries of dF/dyp. */
void rsd_inertia_begin(rsd_inertia *x, const resida_jacobian *engine, int stages, double alpha, const double *w,
                       const double *F);

/** Before F is evaluated again: F [n stages] at the predictor, to be compared with. */
void rsd_inertia_keep(rsd_inertia *x, const double *F);

/** The first correction has this norm, in tolerances. 1: it hides F: there was more than a tolerance of it at the
 *  predictor, and far more than of the correction. So it is of what is stiff; and of what has been stiff until now. */
int rsd_inertia_is_hidden(const rsd_inertia *x, double norm);

/** F [n stages] after the first correction. 1: less than a tolerance of it is left, or nothing can be said. */
int rsd_inertia_is_small(const rsd_inertia *x, const double *F);

/** F [n stages] after the first correction. 1: more than a tolerance of it is where it was, though J should have
 *  removed it: J is wrong there. */
int rsd_inertia_is_unmoved(const rsd_inertia *x, const double *F);

#endif
