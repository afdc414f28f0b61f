/* kkt_backend.h - storage and factorisation of the constrained system: a table of functions on an rsd_kkt.
 *
 *     rsd_kkt_full    residual formalism: M by its callback or column by column; LU of the saddle-point matrix
 *     rsd_kkt_schur   explicit formalism: M^-1 A' column by column; LU of the Schur complement A M^-1 A'
 *     rsd_kkt_sparse  residual formalism with a mass matrix: the saddle-point matrix by its pattern, KLU, refinement */
#ifndef RSD_KKT_BACKEND_H
#define RSD_KKT_BACKEND_H

#include "kkt.h"

#include <float.h>

/** 1/condition below which the matrix of a start is singular to working precision. */
#define RSD_KKT_LEAST_RCOND DBL_EPSILON

struct rsd_kkt_backend {
    const char *name;
    int is_full;

    /** Create `self`; set n_A and n_metric. */
    resida_status (*create)(rsd_kkt *q, const resida_allocator *alloc, resida_message *why);

    /** A from the current matrices. */
    void (*rows)(rsd_kkt *q);
    /** The metric; psi has the value of the formalism at a = 0, f = 0. @return verdict of the callbacks */
    int (*metric)(rsd_kkt *q, double t, const double *p, const double *v);

    /** Masses of the coordinates, at least by order of magnitude; 0: not known. */
    void (*masses)(const rsd_kkt *q, double *m);
    /** Convert A, and the metric, to units [n_v]. */
    void (*scale_A)(rsd_kkt *q, const double *unit);
    void (*scale_metric)(rsd_kkt *q, const double *unit);

    /** As rsd_kkt_independent(). NULL: no such test. */
    int (*independent)(rsd_kkt *q, double tolerance);
    /** Values of row i of A, *n of them. */
    const double *(*row)(const rsd_kkt *q, int i, int *n);
    /** Factor B B', B the listed rows of norm one, for combine(). @return as factor() */
    int (*span)(rsd_kkt *q);
    /** The coefficients c [n_rows], in memory of q, of row i as a combination of the listed rows, all of norm one, by
     *  least squares. */
    const double *(*combine)(rsd_kkt *q, int i);
    int (*factor)(rsd_kkt *q);
    void (*solve)(rsd_kkt *q, int forces, const double *c, double *x, double *mu);
};

extern const rsd_kkt_backend rsd_kkt_full, rsd_kkt_schur, rsd_kkt_sparse;

/** Allocate D and its groups, if applied forces depend on lam. RESIDA_ERR_MEMORY. */
resida_status rsd_kkt_create_forces(rsd_kkt *q, const resida_allocator *alloc, resida_message *why);

/** x [n_v] += s D_j, row j of D. */
void rsd_kkt_add_D(const rsd_kkt *q, int j, double s, double *x);

/** The formalism at a = 0, f = 0. @return verdict */
int rsd_kkt_at_rest(rsd_kkt *q, double t, const double *p, const double *v, const double *lam);

/** Convert the metric, psi and D, just evaluated, to the units in use. */
void rsd_kkt_scale_metric(rsd_kkt *q);

/** Convert psi and D alone. */
void rsd_kkt_scale_forces(rsd_kkt *q);

/** 1/norm of a row; 1 for a zero row. */
double rsd_kkt_row_scale(const double *row, long n);

/** Largest |value| of the metric; 1 if all are zero. */
double rsd_kkt_metric_size(const rsd_kkt *q);

/** @name Right-hand side and result of the saddle-point system in q->rhs, M and A scaled by m_scale and scale. Listed
 *  row r is row n_v + at[r] of the system (at NULL: r); other rows of rhs are 0 @{ */
void rsd_kkt_load(rsd_kkt *q, int forces, const double *c, const int *at);
void rsd_kkt_unload(const rsd_kkt *q, double *x, double *mu, const int *at);
/** @} */

#endif
