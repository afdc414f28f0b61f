/* residual_norm.h - a norm of the residual that detects a wrong J.
 *
 * Corrections are J^-1 F. J may contain the stiffness of a contact that has opened, or may have been evaluated far up
 * the exponential of a diode. The corrections are then so small that the iteration seems to converge although F is not
 * small. The residual is therefore measured before a correction and compared with the residual after the correction.
 * The unit u_i of a row is the change of F_i that corresponds to the tolerances. Symbols: c column, w_c error weight, n
 * rows.
 *
 *     u_i = |alpha| sum_c |dF_i/dyp_c| / w_c   a row with y': every y' changes by a tolerance, only inertia counts
 *     u_i = max_c |J_ic| / w_c                 another row of a system with algebraic unknowns of index 1
 *     |x| = sqrt(sum (F_i/u_i)^2 / n)
 *
 * The second unit is taken from a J that was evaluated where its row was solved, |F_i| <= u_i with the previous unit. A
 * J that was evaluated elsewhere can only decrease this unit.
 *
 * A correction is not accepted as the last one in three cases: if |x| exceeds 1 after the correction; if an algebraic
 * row has not changed; and if it is the first correction of a system with algebraic unknowns, and F was not small. In
 * the last case only the rate of earlier steps is known (jacobian/convergence.c). J is not evaluated where |x| of the
 * algebraic rows exceeds RSD_RESIDUAL_FAR, since rounding dominates differences of such rows. */
#ifndef RSD_RESIDUAL_NORM_H
#define RSD_RESIDUAL_NORM_H

#include "jacobian/renewal.h"

typedef struct rsd_residual_norm {
    int n, stages;     /* number of equations of a stage; number of stages */
    int by_costs;      /* 1: J is renewed by costs; its known parts can then be newer than dF/dy */
    int has_algebraic; /* 1: there are algebraic unknowns of index 1 */
    int is_known;      /* 1: the units u_i were computed after the last setup of J */
    int has_inertia;   /* 1: the units contain inertia, because the engine stores dF/dyp */
    int is_measured;   /* 1: `before` was computed */
    double before;     /* norm |x| of the residual before the correction */
    double alpha;      /* alpha with which the units u_i were computed; 0: rows with y' are not measured */
    double *inertia;   /* [n] sum_c |dF_i/dyp_c| / w_c with weights w; 0 for rows without y' */
    double *size;      /* [n] max_c |J_ic| / w_c, from a J that was evaluated where row i was solved; 0: unknown */
    double *per;       /* [n] 1/u_i of each row; 0: the row is not measured */
    double *F;         /* [n stages] F before the correction */
} rsd_residual_norm;

/** Allocate the arrays of *rn. kinds [n]: kinds of the unknowns; NULL: rows without y' are not measured. Return
 *  RESIDA_OK or RESIDA_ERR_MEMORY. */
resida_status rsd_residual_norm_create(rsd_residual_norm *rn, int n, int stages, int by_costs, const resida_kind *kinds,
                                       const resida_allocator *alloc);

/** Discard the units u_i of all rows, because the integration restarts at another point, where J may be different. */
void rsd_residual_norm_restart(rsd_residual_norm *rn);

/** Update rn->size after an evaluation of dF/dy at a point with the residual F [n]. The stored F is overwritten. Cost:
 *  O(nnz(J)). */
void rsd_residual_norm_update_sizes(rsd_residual_norm *rn, const resida_jacobian *engine, const rsd_attempt *a,
                                    const double *F);

/** Return |x| of the rows of F [n] without y', or 0 if the system has no algebraic unknowns of index 1. */
double rsd_residual_norm_get_algebraic(const rsd_residual_norm *rn, const double *F);

/** Measure F [n stages] before a correction. If with_inertia is 0, measure only rows without y'. The inertia is
 *  computed with the weights of the first attempt after a setup of J. Rows with y' are not measured if the engine does
 *  not store dF/dyp separately. Cost: a pass over F, and over the entries of dF/dyp the first time after a setup. */
void rsd_residual_norm_measure(rsd_residual_norm *rn, const resida_jacobian *engine, const rsd_attempt *a,
                               const double *F, int with_inertia);

/** Store a copy of F [n stages], which is compared with the next F. */
void rsd_residual_norm_store_F(rsd_residual_norm *rn, const double *F);

/** Return 1 if the norm of F before the correction exceeded both 1 and RSD_RESIDUAL_RATIO times `norm`, the norm of the
 *  correction. J then contains a stiffness that F does not have. */
int rsd_residual_norm_is_large(const rsd_residual_norm *rn, double norm);

/** Return 1 if the norm of F [n stages] after the correction is at most 1 and rsd_residual_norm_has_unsolved_row()
 *  returns 0. Return 1 also if the residual before the correction was not measured. */
int rsd_residual_norm_is_solved(const rsd_residual_norm *rn, const double *F);

/** Return 1 if the norm of F [n stages] after the correction exceeds 1 and the correction has not reduced F
 *  sufficiently. J is then wrong at the iterate. The stored F is overwritten. */
int rsd_residual_norm_is_unchanged(const rsd_residual_norm *rn, const double *F);

/** Return 1 if more than half of F [n] remains in a row without y' of a system with algebraic unknowns, although the
 *  correction should have removed it. J is then wrong at the iterate. */
int rsd_residual_norm_has_unsolved_row(const rsd_residual_norm *rn, const double *F);

/** Return 1 if every row of F [n stages] is at most its rounding error, estimated as the rounding error of J y. */
int rsd_residual_norm_is_rounding(rsd_residual_norm *rn, const resida_jacobian *engine, const rsd_attempt *a,
                                  const double *F);

#endif
