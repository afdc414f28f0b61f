/* projection.h - the directions D along which invariants are enforced: the matrices B_j of (3.27) of Ascher, Petzold,
 * Stability of Computational Methods for Constrained Dynamics Systems, TR 91-3, University of British Columbia, 1991;
 * and the projection after a step, (4.16)-(4.20), along the same directions.
 *
 * D1 [n_p x n_g] acts on p' = T v - D1 eta, D2 [n_v x n_l] on v' = a - D2 tau:
 *
 *     G        D1 = (dg/dp)',  D2 = (G', Gh')
 *     B        D1 = T M^-1 G', D2 = M^-1 (G', Gh')
 *     own      D1 = T D,       D2 = (D, Gh'), D [n_v x n_g] of a callback
 *     frozen   as G, at a reference point: R D = 0 for a constant R, the coordinates R p of (3.24) */
#ifndef RSD_PROJECTION_H
#define RSD_PROJECTION_H

#include "mechanism_impl.h"

typedef enum rsd_projection_kind {
    RSD_PROJECTION_G,
    RSD_PROJECTION_B,
    RSD_PROJECTION_OWN,
    RSD_PROJECTION_FROZEN
} rsd_projection_kind;

typedef struct rsd_projection {
    rsd_projection_kind kind;
    resida_position_fn *matrix; /* own: callback for D */
    int in_rows;                /* 1: D is part of F */
    double *gp, *T, *Gh;        /* frozen: values at the reference point */
    double *D;                  /* B, own: column i of D2 begins at D + i n_v */
    double *given;              /* own: [n_v x n_g] row by row */
    double *M, *M_values;       /* B: [n_v x n_v] factors, and values */
    int *M_pivots;
    double *x, *x_step; /* [n_v] D times a vector; the same after a step */
    double *S, *mu; /* after a step: factors of G D2 [n_l x n_l], multipliers [n_l]; frozen: work space for the angle */
    int *S_pivots;  /* [n_l] pivots of S */
    double *Q, *Q_frozen; /* frozen: orthonormal bases of the rows of G now, at the reference point [n_l x n_v] */
    double *P, *P_frozen; /* the same bases of K and dg/dp [n_k + n_g x n_p]; NULL: not needed */
    double *x_p;          /* [n_p or n_v] work */
    long changes;         /* number of changes of the reference point during the run */
} rsd_projection;

/** Allocate work space for *D, whose kind, matrix and flags are set. If after_steps is 1, also allocate it for
 *  rsd_project_step().
 *  @return RESIDA_OK; RESIDA_ERR_MODEL: B needs a mass matrix; RESIDA_ERR_MEMORY */
resida_status rsd_projection_create(rsd_projection *D, rsd_mechanism *k, int after_steps, resida_message *why);

/** Evaluate D at (t, p), with the current matrices. Return the verdict of the callbacks, or > 0 if M is singular. */
int rsd_projection_eval(rsd_projection *D, rsd_mechanism *k, double t, const double *p);

/** Add D1 eta to r [n_p]. */
void rsd_project_position(rsd_projection *D, rsd_mechanism *k, const double *eta, double *r);

/** Add D2 tau to a [n_v], tau [n_l]. */
void rsd_project_velocity(rsd_projection *D, rsd_mechanism *k, const double *tau, double *a);

/** Set the reference point of a frozen D to that of the current matrices. The caller increments `changes`. */
void rsd_projection_freeze(rsd_projection *D, const rsd_mechanism *k);

/** Check the reference point of a frozen D. The matrices are evaluated at (t, p). Return 1 if the angle between the
 *  rows of G here and at the reference point is too large, and 0 if it is not. Return < 0 or 2 if a callback failed. */
int rsd_projection_is_outdated(rsd_projection *D, rsd_mechanism *k, double t, const double *p);

/** Copy the frozen values of the original. */
void rsd_projection_copy_state(rsd_projection *D, const rsd_projection *original, const rsd_mechanism *k);

/** Project (p, v) onto the constraints along D. Return the verdict of the callbacks, or > 0 if the projection fails. */
int rsd_project_step(rsd_projection *D, rsd_mechanism *k, double t, double *p, double *v);

#endif
