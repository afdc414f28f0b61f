/* kkt.h - the linear system of a constrained mechanism at one state,
 *
 *     [ M  A' ] [ x  ]   [ b ]      A: independent rows of G (nonholonomic ones below),
 *     [ A  0  ] [ mu ] = [ c ]      b: 0 (projections) or Psi (accelerations).
 *
 * M-orthogonal projections and accelerations are this system with different right-hand sides. Where applied forces
 * depend on lam, accelerations are this system with A' - dPsi/dlam for A', again and again. How its matrices are
 * stored and factored is up to a backend (kkt_backend.h): full ones for small systems and where M^-1 or M come from
 * calls of the formalism, a sparse one for large mechanisms that give their mass matrix. */
#ifndef RSD_KKT_H
#define RSD_KKT_H

#include "src/mechanism/mechanism_impl.h"

typedef struct rsd_kkt_backend rsd_kkt_backend;

typedef struct rsd_kkt {
    rsd_mechanism *k;
    const rsd_kkt_backend *backend;
    void *self;                   /* of the backend */
    struct rsd_linear_solver *ls; /* of the sparse one, to be freed; else NULL */
    int n_v, n_l;
    int n_rows;     /* independent rows */
    int *rows;      /* [n_l] their numbers */
    double *A;      /* [n_A] values of all rows, row by row */
    double *metric; /* [n_metric] values of M, or of M^-1 A' for the explicit formalism */
    long n_A, n_metric;
    double *psi;    /* [n_v] residual: Psi; explicit: M^-1 Psi */
    double *rhs;    /* [n_v + n_l] */
    double *scale;  /* [n_l] factors of the independent rows */
    double rcond;   /* an estimate of 1/condition of what was factored last */
    double m_scale; /* M is divided by it */
    double *unit;   /* [n_v] A, the metric, psi and D are in these units where is_scaled says so; kkt_units.c */
    int is_scaled;

    /* Where applied forces depend on lam, else without rows and NULL. kkt_forces.c */
    rsd_csr D;            /* [n_l x n_v] row j: dPsi/dlam_j, explicit: M^-1 dPsi/dlam_j */
    double *D_values;     /* [nnz of D] 0 for projections */
    int *group, n_groups; /* [n_l] multipliers of one group are moved in one call */
    double *moved;        /* [n_l] work */
} rsd_kkt;

/** @param backend  NULL: the one that suits the mechanism
 *  @param alloc    its owner frees all but q->ls, after a failure, too */
resida_status rsd_kkt_create(rsd_kkt *q, rsd_mechanism *k, const rsd_kkt_backend *backend,
                             const resida_allocator *alloc, resida_message *why);

/** 1: full matrices, O(n^2) memory and O(n^3) time anyway. */
int rsd_kkt_is_full(const rsd_kkt *q);

/** A at (t, p). @return verdict of the callbacks */
int rsd_kkt_rows(rsd_kkt *q, double t, const double *p);

/** M (or M^-1 A') and Psi (or M^-1 Psi) at (t, p, v) and lam = 0, with the A at hand; D = 0.
 *  Cost: n_v + 1 residual calls, 1 with a mass matrix; explicit formalism 1 + n_l calls. @return verdict */
int rsd_kkt_metric(rsd_kkt *q, double t, const double *p, const double *v);

/** D and Psi - D lam (or M^-1 of both) in the place of Psi at lam [n_l]: the solution for b = Psi is then a step of
 *  Newton's method towards the a and lam with M a + A' lam = Psi(lam).
 *  Cost: 1 call, and 1 for each group of listed rows. @return verdict */
int rsd_kkt_linearise(rsd_kkt *q, double t, const double *p, const double *v, const double *lam);

/** Find units of the coordinates in which masses are about 1, with A and the metric at hand. 1: they differ by much
 *  from the model's own, and are not yet in use. */
int rsd_kkt_find_units(rsd_kkt *q);

/** Change to these units, or back to the model's own, what is at hand and what will be evaluated. x and mu are in the
 *  model's units always. A start begins with those. */
void rsd_kkt_use_units(rsd_kkt *q, int on);

/** All rows of G [n_l x n_v], full, from the matrices at hand, in the units in use. */
void rsd_kkt_full_rows(const rsd_kkt *q, double *A);

/** Are all rows of the A at hand independent beyond doubt, so that no row has less than `tolerance` of it new, in
 *  whatever order they are taken? For where that is found out cheaply. The first question of a start: afterwards there
 *  are no factors, and nothing is left of earlier ones.
 *  @return 1 yes; 0 not known; < 0 out of memory */
int rsd_kkt_independent(rsd_kkt *q, double tolerance);

/** How far the listed rows are from a loss of rank that another choice would not have: 1/|c| with the largest
 *  coefficient c by which a row that is not listed follows from them, all rows of norm one, with the A at hand; 0 when
 *  they are dependent, at most 10. Factors are lost.
 *  @return 0; < 0 out of memory */
int rsd_kkt_room(rsd_kkt *q, double *room);

/** A force f [n_v] in the place of Psi, for the next solution: M x + A' mu = f. base [n_v]: psi before, with the
 *  metric. Cost: explicit formalism 1 call. @return verdict */
int rsd_kkt_set_force(rsd_kkt *q, double t, const double *p, const double *v, const double *f, const double *base);

/** 1/norm of row i of the A at hand; 1 for a zero row. */
double rsd_kkt_scale_of(const rsd_kkt *q, int i);

/** Factor with the rows listed in q->rows.
 *  @return 1 regular; 0 singular to working precision; < 0 out of memory */
int rsd_kkt_factor(rsd_kkt *q);

/** x [n_v], mu [n_l] (0 for rows that are not listed); c [n_l]; forces: 1 with b = Psi, 0 with b = 0. */
void rsd_kkt_solve(rsd_kkt *q, int forces, const double *c, double *x, double *mu);

#endif
