/* residual_norm.h - the norm of the residual in units that J cannot hide.
 *
 * Corrections are J^-1 F. A J that has kept the stiffness of a contact which is open again, or that was evaluated far
 * up the exponential of a diode, makes them so small that they look converged, while F is not solved. So the residual
 * itself is measured before a correction and compared after it, by rows in a unit,
 *
 *     x_i = F_i / (alpha sum_c |dF_i/dyp_c| / w_c)   rows with y',
 *     x_i = F_i / max_c |J_ic| / w_c                 all rows of a system with algebraic unknowns of index 1,
 *     |x| = sqrt(sum x_i^2 / n):
 *
 * tolerances by which y would move if inertia alone resisted, and tolerances by which an unknown has to move. The
 * second unit is that of a J which was evaluated where its row was nearly solved, |x_i| <= RSD_RESIDUAL_TRUST by the
 * unit before. Any other J may only make it smaller.
 *
 * A correction that hides more than a tolerance of F is never enough, nor one after which a row is where it was
 * (convergence.c). No J is evaluated where |x| is above RSD_RESIDUAL_FAR: there differences of a row are rounding. */
#ifndef RSD_RESIDUAL_NORM_H
#define RSD_RESIDUAL_NORM_H

#include "attempt.h"

typedef struct rsd_residual_norm {
    int n, stages;   /* rows of F; of a step, with as many rows each */
    int by_costs;    /* known parts of J are renewed around an old dF/dy */
    int is_known;    /* 1: the unit was taken from the engine since the last setup, ... */
    int has_unit;    /* ... 1: and there is one */
    int n_algebraic; /* algebraic unknowns of index 1; 0: the unit of J is not used */
    int is_measured; /* 1: a residual was measured */
    double alpha;    /* of the measured F; 0: by the unit of J alone */
    double before;   /* |x| before the correction */
    double *per;     /* [n] 1 / sum_c |dF_i/dyp_c| / w_c, 0 of rows without y' */
    double *size;    /* [n] max_c |J_ic| / w_c, as far as it is trusted; 0: unknown */
    double *latest;  /* [n] the same, of the last evaluation */
    double *F;       /* [n stages] F before the correction */
} rsd_residual_norm;

/** Allocate the arrays. kinds [n] of the unknowns; NULL: the unit of J is not used. RESIDA_OK; RESIDA_ERR_MEMORY. */
resida_status rsd_residual_norm_create(rsd_residual_norm *rn, int n, int stages, int by_costs, const resida_kind *kinds,
                                       const resida_allocator *alloc);

/** J was set up: forget the unit of inertia. */
void rsd_residual_norm_forget(rsd_residual_norm *rn);

/** The integration restarts elsewhere: forget the units of all rows. */
void rsd_residual_norm_restart(rsd_residual_norm *rn);

/** dF/dy was evaluated where F [n] is known: learn the unit of J. Cost: a pass over J. */
void rsd_residual_norm_learn(rsd_residual_norm *rn, const resida_jacobian *engine, const rsd_newton_attempt *a,
                             const double *F);

/** 1: F [n] is too far from zero for a J of this place. */
int rsd_residual_norm_is_far(const rsd_residual_norm *rn, const double *F);

/** Measure F [n stages] before a correction, with_inertia 0: by the unit of J alone. The unit of inertia takes the
 *  weights of the first attempt since J was set up. Where the engine does not keep dF/dyp apart, there is none. Cost: a
 *  pass over F; the first time one over the entries of dF/dyp. */
void rsd_residual_norm_measure(rsd_residual_norm *rn, const resida_jacobian *engine, const rsd_newton_attempt *a,
                               const double *F, int with_inertia);

/** Keep F [n stages], before it is evaluated again, to compare with. */
void rsd_residual_norm_keep(rsd_residual_norm *rn, const double *F);

/** 1: F was above a tolerance, and far larger than the correction, whose norm is in tolerances: J is or was stiff. */
int rsd_residual_norm_is_large(const rsd_residual_norm *rn, double norm);

/** 1: less than a tolerance of F [n stages] is left after the correction, or nothing is measured. */
int rsd_residual_norm_is_small(const rsd_residual_norm *rn, const double *F);

/** 1: more than a tolerance of F [n stages] is where it was before the correction, which should have removed it: J is
 *  wrong there. The kept F is lost. */
int rsd_residual_norm_is_the_same(const rsd_residual_norm *rn, const double *F);

/** 1: the correction, which should have removed F [n], has left half of a row: J is wrong there. */
int rsd_residual_norm_leaves_row(const rsd_residual_norm *rn, const double *F);

#endif
