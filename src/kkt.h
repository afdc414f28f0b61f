/* kkt.h - the linear system of a constrained mechanism at one state,
 *
 *     [ M  A' ] [ x  ]   [ b ]      A: independent rows of G (nonholonomic ones below),
 *     [ A  0  ] [ mu ] = [ c ]      b: 0 (projections) or Psi (accelerations).
 *
 * M-orthogonal projections and accelerations are this system with different right-hand sides. */
#ifndef RSD_KKT_H
#define RSD_KKT_H

#include "mechanism_impl.h"

typedef struct rsd_kkt {
    rsd_mechanism *k;
    int n_v, n_l;
    int n_rows;     /* independent rows */
    int *rows;      /* [n_l] their numbers */
    double *A;      /* [n_l x n_v] all rows, row by row */
    double *metric; /* residual formalism: M [n_v x n_v]; explicit formalism: M^-1 A' [n_v x n_l]; by columns */
    double *psi;    /* [n_v] residual: Psi; explicit: M^-1 Psi */
    double *K;      /* factors, by columns */
    int size;       /* of K */
    double *rhs, *work, *scale; /* [size], [4 size], [n_l] */
    int *pivots, *iwork;
    double m_scale; /* M is divided by it */
} rsd_kkt;

resida_status rsd_kkt_create(rsd_kkt *q, rsd_mechanism *k, const resida_allocator *alloc, resida_message *why);
void rsd_kkt_free(rsd_kkt *q, const resida_allocator *alloc);

/** A at (t, p). @return verdict of the callbacks */
int rsd_kkt_rows(rsd_kkt *q, double t, const double *p);

/** M (or M^-1 A') and Psi (or M^-1 Psi) at (t, p, v), with the A at hand.
 *  Cost: n_v + 1 residual calls, 1 with a mass matrix; explicit formalism 1 + n_l calls. @return verdict */
int rsd_kkt_metric(rsd_kkt *q, double t, const double *p, const double *v);

/** Factor with the rows listed in q->rows. @return 1 regular, 0 singular to working precision */
int rsd_kkt_factor(rsd_kkt *q);

/** x [n_v], mu [n_l] (0 for rows that are not listed); c [n_l]; forces: 1 with b = Psi, 0 with b = 0. */
void rsd_kkt_solve(rsd_kkt *q, int forces, const double *c, double *x, double *mu);

#endif
