/* projection.h - the directions D along which invariants are held: the matrices B_j of (3.27) of Ascher, Petzold,
 * Stability of Computational Methods for Constrained Dynamics Systems, TR 91-3, University of British Columbia, 1991;
 * and the projection after a step, (4.16)-(4.20), along the same directions.
 *
 * D1 [n_p x n_g] acts on p' = T v - D1 eta, D2 [n_v x n_l] on v' = a - D2 tau:
 *
 *     G        D1 = (dg/dp)',  D2 = (G', Gh')
 *     B        D1 = T M^-1 G', D2 = M^-1 (G', Gh')
 *     own      D1 = T D,       D2 = (D, Gh'), D [n_v x n_g] of a callback
 *     frozen   as G, but of a reference point: R D = 0 for a constant R, the coordinates R p of (3.24) */
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
    resida_position_fn *matrix; /* own */
    int in_rows;                /* D is part of F */
    double *gp, *T, *Gh;        /* frozen: values at the reference point */
    double *D;                  /* B, own: column i of D2 from D + i n_v on */
    double *given;              /* own: [n_v x n_g] row by row */
    double *M, *M_values;       /* B: [n_v x n_v] factors */
    int *M_pivots;
    double *x, *x_step;   /* [n_v] */
    double *S, *mu;       /* after a step: factors of G D2 [n_l x n_l], [n_l]; frozen: work space for the angle */
    int *S_pivots;        /* [n_l] */
    double *Q, *Q_frozen; /* frozen: orthonormal bases of the rows of G, now and then [n_l x n_v] */
    double *P, *P_frozen; /* and of K and dg/dp [n_k + n_g x n_p]; NULL: they are the same */
    double *x_p;          /* [n_p or n_v] work */
    long changes;         /* of the reference point */
} rsd_projection;

/** Work space for *D, whose kind, matrix and flags are set. after_steps: for rsd_project_step() too.
 *  @return RESIDA_OK; RESIDA_ERR_MODEL: B needs a mass matrix; RESIDA_ERR_MEMORY */
resida_status rsd_projection_create(rsd_projection *D, rsd_mechanism *k, int after_steps, resida_message *why);

/** D at (t, p), with the matrices at hand. The verdict of the callbacks; > 0 also when M is singular. */
int rsd_projection_eval(rsd_projection *D, rsd_mechanism *k, double t, const double *p);

/** r [n_p] += D1 eta */
void rsd_project_position(rsd_projection *D, rsd_mechanism *k, const double *eta, double *r);

/** a [n_v] += D2 tau, tau [n_l] */
void rsd_project_velocity(rsd_projection *D, rsd_mechanism *k, const double *tau, double *a);

/** Frozen: the reference point becomes that of the matrices at hand; a caller that changes it on the way counts it. */
void rsd_projection_freeze(rsd_projection *D, const rsd_mechanism *k);

/** Frozen: 1 when the rows of G at (t, p) have turned so far away from those of the reference point that it should be a
 *  new one, with the matrices at (t, p) at hand; 0 not; < 0, or 2: a callback failed. */
int rsd_projection_is_outdated(rsd_projection *D, rsd_mechanism *k, double t, const double *p);

/** What the original froze since. */
void rsd_projection_follow(rsd_projection *D, const rsd_projection *original, const rsd_mechanism *k);

/** Move (p, v) onto the constraints along D. The verdict of the callbacks; > 0 also when that does not succeed. */
int rsd_project_step(rsd_projection *D, rsd_mechanism *k, double t, double *p, double *v);

#endif
