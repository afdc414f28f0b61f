/* rows.h - the rows of F of the formulations of a mechanism. Equation numbers are those of Arnold, Fuchs, Fuehrer.
 *
 * rsd_rows_eval_common() evaluates the common terms at (t, p) and must be called first. Functions of type int return 0
 * on success, > 0 if a callback could not be evaluated, < 0 on a fatal error.
 *
 * The arguments select a part of F = F_a + F_c. F_a is the formalism part: Phi, or a - phi including the constraint
 * force. F_c is the remaining constraint part. Rows must be 0 before the call, and remain 0 without the part. */
#ifndef RSD_ROWS_H
#define RSD_ROWS_H

#include <resida/problem.h>

#include "src/core/mechanism/projection.h"

/** Parts of F, in this order: all of F; the formalism part F_a; the constraint part F_c; F_c without g, whose
 *  derivatives are known. */
typedef enum rsd_rows_part { RSD_ROWS_ALL, RSD_ROWS_FORMALISM, RSD_ROWS_CONSTRAINT, RSD_ROWS_CURVATURE } rsd_rows_part;

/** Level at which lam enforces g. Nonholonomic constraints are enforced at velocity level or higher. */
typedef enum rsd_level { RSD_NO_LAM, RSD_POSITION, RSD_VELOCITY, RSD_ACCELERATION } rsd_level;

/** Equations of a mechanism in a formulation, with parameters and work space. */
typedef struct rsd_rows {
    rsd_mechanism *k;      /* the mechanism */
    double gamma, penalty; /* gamma [1/s], (3.10) of Ascher, Petzold; penalty, (7) of Bauchau, Epple, Bottasso */
    int by_products;       /* 1: G' lam and G v are computed by callbacks of the model, without the matrix dg/dp */
    rsd_projection D;      /* directions D1 of eta and D2 of tau */
    double *level;         /* [n_l] work space for g, G v + gI and Gh v + gh, or G a */
    double *lam_star;      /* [n_l] multipliers of the augmented formulation, lam + penalty g */
} rsd_rows;

/** Create the rows of k with gamma, penalty and projection D as in *what. after_steps is 1 if steps are projected. k
 *  owns the memory, even if this function fails.
 *  @return RESIDA_OK; RESIDA_ERR_MODEL if projection B is selected without a mass matrix; RESIDA_ERR_MEMORY */
resida_status rsd_rows_create(rsd_rows **x, rsd_mechanism *k, const rsd_rows *what, int after_steps,
                              resida_message *why);

/** Point (t, y, yp) at which F is evaluated, and the part of F. */
typedef struct rsd_F_arguments {
    rsd_rows *x;            /* equations of the mechanism */
    const resida_layout *l; /* offsets of the unknowns in y */
    rsd_rows_part part;     /* part of F to be evaluated */
    double t;               /* time [s] */
    const double *yp;       /* [n] derivatives of the unknowns */
    const double *p, *v;    /* [n_p] positions and [n_v] velocities, parts of y */
} rsd_F_arguments;

/** rsd_rows_eval_common_with_G() evaluates the excitation, dg/dp, T and Gh at (t, p). rsd_rows_eval_common() omits
 *  matrices that the part does not need, and dg/dp if products are used. */
int rsd_rows_eval_common_with_G(rsd_rows *x, double t, const double *p);
static inline int rsd_rows_eval_common(const rsd_F_arguments *at)
{
    const int is_formalism_alone = at->part == RSD_ROWS_FORMALISM && !at->x->k->is_explicit;
    if (!is_formalism_alone && !at->x->by_products) return rsd_rows_eval_common_with_G(at->x, at->t, at->p);
    const int verdict = rsd_eval_excitation(at->x->k, at->t);
    return verdict || is_formalism_alone ? verdict : rsd_eval_matrices_except_G(at->x->k, at->t, at->p);
}

/** Evaluate the kinematic rows (7a), r [n_p] = p' - T v. */
void rsd_rows_eval_kinematic(const rsd_F_arguments *at, double *r);

/** Add the terms of eta to the kinematic rows (7a), r [n_p] += D1 eta. The default is D1 = (dg/dp)' (projection.h). */
int rsd_rows_add_D1(const rsd_F_arguments *at, const double *eta, double *r);

/** Evaluate the dynamic rows (7b). Residual formalism, (9): r [n_v] = M a - Psi + G' lam;
 *         explicit formalism, (10):  r [n_v] = a - M^-1 (Psi - G' lam);
 *  Psi may depend on lam. If lam is NULL, the terms with lam are omitted. */
int rsd_rows_eval_dynamic(const rsd_F_arguments *at, const double *a, const double *lam, double *r);

/** Evaluate the constraint equations r [n_l] at a level, with the gamma of x. A dropped row i is replaced by lam_i = 0,
 *  or by the equation of a decaying lam_i (active_rows.h). With w = Gh v + gh:
 *
 *      position      r = g, w                                         (5b)
 *      velocity      r = G v + gI + gamma g, w                        (7c); (3.11) with (3.14) of Ascher, Petzold
 *      acceleration  r = g'' + 2 gamma g' + gamma^2 g, w' + gamma w   (3.2) with (3.10) of Ascher, Petzold */
int rsd_rows_eval_lam(const rsd_F_arguments *at, rsd_level level, const double *a, const double *lam, double *r);

/** Evaluate the rows of eta, (7d), or of tau, at a level. A dropped row i is replaced by eta_i = 0 or tau_i = 0:
 *
 *       position   r [n_g] = g
 *       velocity   r [n_l] = G v + gI, Gh v + gh */
int rsd_rows_eval_eta(const rsd_F_arguments *at, rsd_level level, const double *eta, double *r);

/** Compute x->lam_star [n_l] = lam + penalty g, (7) of Bauchau, Epple, Bottasso. Return 0 on success, > 0 if a callback
 *  could not be evaluated, < 0 on a fatal error. */
int rsd_eval_penalised_lam(rsd_rows *x, double t, const double *p, const double *lam);

/** Add the terms of invariants, r_p [n_p] += K' eta_k, and set r_k [n_k] = k(p). */
int rsd_rows_add_invariant(const rsd_F_arguments *at, const double *eta_k, double *r_p, double *r_k);

/** Evaluate the projected rows (3.27b), r [n_v] = v' - a + D2 tau. */
void rsd_rows_eval_projected(const rsd_F_arguments *at, const double *a, const double *tau, double *r);

#endif
