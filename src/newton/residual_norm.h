/* residual_norm.h - the norm of the residual in units of inertia, which J cannot hide.
 *
 * Corrections are J^-1 F. A J that has kept the stiffness of a contact which is open again makes them so small that
 * they look converged, where nothing holds y back any more. So the residual itself is measured before a
 * correction and compared after it, by rows in the unit of their inertia terms,
 *
 *     x_i = F_i / (alpha sum_c |dF_i/dyp_c| / w_c),    |x| = sqrt(sum x_i^2 / n):
 *
 * tolerances by which y would move if inertia alone resisted. Rows without y' have no such unit and are left out. A
 * first correction that hides more than a tolerance of F is never enough (convergence.c). */
#ifndef RSD_RESIDUAL_NORM_H
#define RSD_RESIDUAL_NORM_H

#include "attempt.h"

typedef struct rsd_residual_norm {
    int n, stages; /* rows of F; of a step, with as many rows each */
    int by_costs;  /* known parts of J are renewed around an old dF/dy */
    int is_known;  /* 1: the unit was taken from the engine since the last setup, ... */
    int has_unit;  /* ... 1: and there is one */
    double alpha;  /* of the measured F; 0: none is measured */
    double before; /* |x| before the correction */
    double *per;   /* [n] 1 / sum_c |dF_i/dyp_c| / w_c, 0 of rows without y' */
    double *F;     /* [n stages] F before the correction */
} rsd_residual_norm;

/** Allocate the arrays. RESIDA_OK; RESIDA_ERR_MEMORY. */
resida_status rsd_residual_norm_create(rsd_residual_norm *rn, int n, int stages, int by_costs,
                                       const resida_allocator *alloc);

/** J was set up: forget the unit. */
void rsd_residual_norm_forget(rsd_residual_norm *rn);

/** Measure F [n stages] before a correction. The unit takes the weights of the first attempt since J was set up. Where
 *  the engine does not keep dF/dyp apart, nothing is measured. Cost: a pass over F; the first time one over the entries
 *  of dF/dyp. */
void rsd_residual_norm_measure(rsd_residual_norm *rn, const resida_jacobian *engine, const rsd_newton_attempt *a,
                               const double *F);

/** Keep F [n stages], before it is evaluated again, to compare with. */
void rsd_residual_norm_keep(rsd_residual_norm *rn, const double *F);

/** 1: F was above a tolerance, and far larger than the correction, whose norm is in tolerances: J is or was stiff. */
int rsd_residual_norm_is_large(const rsd_residual_norm *rn, double norm);

/** 1: less than a tolerance of F [n stages] is left after the correction, or nothing is measured. */
int rsd_residual_norm_is_small(const rsd_residual_norm *rn, const double *F);

/** 1: more than a tolerance of F [n stages] is where it was before the correction, which should have removed it: J is
 *  wrong there. */
int rsd_residual_norm_is_the_same(const rsd_residual_norm *rn, const double *F);

#endif
