/* projection.h - the directions D along which constraints are enforced: the matrices B_j of (3.27) of Ascher, Petzold,
 * Stability of Computational Methods for Constrained Dynamics Systems, TR 91-3, University of British Columbia, 1991;
 * and the projection after a step, (4.16)-(4.20), along the same directions.
 *
 * D1 [n_p x n_g] occurs in p' = T v - D1 eta, and D2 [n_v x n_l] in v' = a - D2 tau. The kinds of D are:
 *
 *     G        D1 = (dg/dp)',  D2 = (G', Gh')
 *     B        D1 = T M^-1 G', D2 = M^-1 (G', Gh')
 *     own      D1 = T D,       D2 = (D, Gh'), D [n_v x n_g] of a callback
 *     frozen   as G, but at a reference point. Then R D = 0 for a constant R, and R p are coordinates (3.24) */
#ifndef RSD_PROJECTION_H
#define RSD_PROJECTION_H

#include "mechanism_impl.h"

/** Kinds of projection directions D, in the order of the table above. */
typedef enum rsd_projection_kind {
    RSD_PROJECTION_G,
    RSD_PROJECTION_B,
    RSD_PROJECTION_OWN,
    RSD_PROJECTION_FROZEN
} rsd_projection_kind;

typedef struct rsd_projection {
    rsd_projection_kind kind;   /* kind of the directions */
    resida_position_fn *matrix; /* own: callback of the model that evaluates D */
    int in_rows;                /* 1: D occurs in F (rows.h) */
    double *gp, *T, *Gh;        /* frozen: values of dg/dp, T, Gh at the reference point */
    double *D;                  /* B, own: [n_v x n_l] directions D2 of velocities, by columns */
    double *given;              /* own: [n_v x n_g] output of the callback, by rows */
    double *M, *M_values;       /* B: [n_v x n_v] LU factors of the mass matrix; its values */
    int *M_pivots;              /* B: [n_v] pivots of the mass matrix */
    double *x, *x_step;         /* [n_v] product of D2 with a vector; correction in rsd_project_step() */
    double *S, *mu;             /* [n_l x n_l] LU factors of (G, Gh) D2; [n_l] multipliers; frozen: work space */
    int *S_pivots;              /* [n_l] pivots of S */
    double *Q, *Q_frozen; /* frozen: [n_l x n_v] basis of the rows of G at the current point; at the reference point */
    double *P, *P_frozen; /* frozen: [n_k + n_g x n_p] basis of the rows of K and dg/dp at both points; or NULL */
    double *x_p;          /* [max(n_p, n_v)] work space */
    long changes;         /* frozen: number of changes of the reference point */
} rsd_projection;

/** Allocate the memory of the directions *D. The members kind, matrix and in_rows must be set. If after_steps is 1,
 *  also allocate the work space of rsd_project_step().
 *  @return RESIDA_OK; RESIDA_ERR_MODEL if the kind is B and the model gives no mass matrix; RESIDA_ERR_MEMORY */
resida_status rsd_projection_create(rsd_projection *D, rsd_mechanism *k, int after_steps, resida_message *why);

/** Evaluate the directions D at (t, p), with the current matrices. Return the verdict, or > 0 if M is singular. */
int rsd_projection_eval(rsd_projection *D, rsd_mechanism *k, double t, const double *p);

/** Add the product D1 eta, eta [n_g], to r [n_p]. */
void rsd_project_position(rsd_projection *D, rsd_mechanism *k, const double *eta, double *r);

/** Add the product D2 tau, tau [n_l], to a [n_v]. */
void rsd_project_velocity(rsd_projection *D, rsd_mechanism *k, const double *tau, double *a);

/** Set the reference point of frozen directions D to the point of the current dg/dp. The caller increments changes. */
void rsd_projection_freeze(rsd_projection *D, const rsd_mechanism *k);

/** Evaluate the matrices and the angle between the rows of G at (t, p) and at the reference point of frozen directions
 *  D. Return 1 if the angle exceeds 60 degrees, 0 if not, 2 if a callback failed, < 0 on a fatal error. */
int rsd_projection_is_outdated(rsd_projection *D, rsd_mechanism *k, double t, const double *p);

/** Copy the values at the reference point of frozen directions D from `original`; other directions have none. */
void rsd_projection_copy_state(rsd_projection *D, const rsd_projection *original, const rsd_mechanism *k);

/** Project (p, v) onto the constraints along the directions D. Return 0 on success, > 0 if a callback could not be
 *  evaluated or a matrix is singular, < 0 on a fatal error. */
int rsd_project_step(rsd_projection *D, rsd_mechanism *k, double t, double *p, double *v);

#endif
