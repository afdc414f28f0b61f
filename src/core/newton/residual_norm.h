/* residual_norm.h - the norm of the residual in a unit that J cannot hide.
 *
 * Corrections are J^-1 F. A J that has kept the stiffness of a contact which is open again, or that was evaluated far
 * up the exponential of a diode, makes them so small that they look converged, while F is not solved. So the residual
 * itself is measured before a correction and compared after it. Each row has one unit u_i, the change of F_i that a
 * tolerance makes:
 *
 *     u_i = |alpha| sum_c |dF_i/dyp_c| / w_c   a row with y': every y' changes by a tolerance, inertia alone resists
 *     u_i = max_c |J_ic| / w_c                 another row of a system with algebraic unknowns of index 1
 *     |x| = sqrt(sum (F_i/u_i)^2 / n)
 *
 * The second unit is trusted of a J that was evaluated where its row was solved, |F_i| <= u_i by the unit before. Any
 * other J may only make it smaller.
 *
 * A correction that hides more than a tolerance of F is not enough, nor one after which an algebraic row is where it
 * was, nor a first correction of a system with algebraic unknowns whose F was not small before: of it only an earlier
 * rate is known (convergence.c). No J is evaluated where |x| of the other rows is above RSD_RESIDUAL_FAR: there
 * differences of a row are rounding. */
#ifndef RSD_RESIDUAL_NORM_H
#define RSD_RESIDUAL_NORM_H

#include "jacobian/renewal.h"

typedef struct rsd_residual_norm {
    int n, stages;     /* rows of F; of a step, with as many rows each */
    int by_costs;      /* known parts of J are renewed around an old dF/dy */
    int has_algebraic; /* 1: there are algebraic unknowns of index 1 */
    int is_known;      /* 1: the units were taken since the last setup of J, ... */
    int has_inertia;   /* ... 1: with inertia, which the engine keeps apart */
    int is_measured;   /* 1: a residual was measured */
    double before;     /* |x| before the correction */
    double alpha;      /* of the units; 0: rows with y' are not measured */
    double *inertia;   /* [n] sum_c |dF_i/dyp_c| / w_c; 0 of rows without y' */
    double *size;      /* [n] max_c |J_ic| / w_c, as far as it is trusted; 0: unknown, or not used */
    double *per;       /* [n] 1 / u_i of the measured F; 0: the row is not measured */
    double *F;         /* [n stages] F before the correction */
} rsd_residual_norm;

/** Allocate the arrays. kinds [n] of the unknowns; NULL: rows without y' are not measured. RESIDA_OK;
 *  RESIDA_ERR_MEMORY. */
resida_status rsd_residual_norm_create(rsd_residual_norm *rn, int n, int stages, int by_costs, const resida_kind *kinds,
                                       const resida_allocator *alloc);

/** The integration restarts elsewhere: forget the units of all rows. */
void rsd_residual_norm_restart(rsd_residual_norm *rn);

/** dF/dy was evaluated where F [n] is known: learn max_c |J_ic| / w_c. The kept F is lost. Cost: a pass over J. */
void rsd_residual_norm_learn(rsd_residual_norm *rn, const resida_jacobian *engine, const rsd_attempt *a,
                             const double *F);

/** |x| of the rows of F [n] without y' in a system with algebraic unknowns of index 1; else 0. */
double rsd_residual_norm_of_algebraic(const rsd_residual_norm *rn, const double *F);

/** Measure F [n stages] before a correction; with_inertia 0: of rows without y' alone. The inertia takes the weights of
 *  the first attempt since J was set up. Where the engine does not keep dF/dyp apart, there is none. Cost: a pass over
 *  F; the first time one over the entries of dF/dyp. */
void rsd_residual_norm_measure(rsd_residual_norm *rn, const resida_jacobian *engine, const rsd_attempt *a,
                               const double *F, int with_inertia);

/** Keep F [n stages], before it is evaluated again, to compare with. */
void rsd_residual_norm_keep(rsd_residual_norm *rn, const double *F);

/** 1: F was above a tolerance, and far larger than the correction, whose norm is in tolerances: J is or was stiff. */
int rsd_residual_norm_is_large(const rsd_residual_norm *rn, double norm);

/** 1: after the correction less than a tolerance of F [n stages] is left, and no row where it was; or nothing is
 *  measured. */
int rsd_residual_norm_is_solved(const rsd_residual_norm *rn, const double *F);

/** 1: more than a tolerance of F [n stages] is where it was before the correction, which should have removed it: J is
 *  wrong there. The kept F is lost. */
int rsd_residual_norm_is_the_same(const rsd_residual_norm *rn, const double *F);

/** 1: the correction, which should have removed F [n], has left half of a row without y' in a system with algebraic
 *  unknowns: J is wrong there. */
int rsd_residual_norm_leaves_row(const rsd_residual_norm *rn, const double *F);

#endif
