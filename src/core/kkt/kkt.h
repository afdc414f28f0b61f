/* kkt.h - the linear system of a constrained mechanism at one state,
 *
 *     [ M  A' ] [ x  ]   [ b ]      A: independent rows of G (nonholonomic ones below),
 *     [ A  0  ] [ mu ] = [ c ]      b: 0 (projections) or Psi (accelerations).
 *
 * M-orthogonal projections and accelerations are solutions of this system with different right-hand sides. In the
 * explicit formalism, the first row is multiplied by M^-1. If applied forces depend on lam, accelerations are found by
 * Newton's method with A' - dPsi/dlam instead of A'. kkt.c evaluates the matrices, kkt_matrix.c factors the system. */
#ifndef RSD_KKT_H
#define RSD_KKT_H

#include "jacobian/pattern/colouring.h"
#include "src/core/mechanism/mechanism_impl.h"

#include <float.h>

/** The matrix of the system, and its factors. */
typedef struct rsd_kkt_matrix {
    rsd_sparsity K;
    double *values;               /* [nnz of K] */
    struct rsd_linear_solver *ls; /* to be freed; NULL: full factors are used */
    double *full;                 /* [n_full x n_full] full factors, by columns */
    int n_full, *pivots;          /* number of unknowns in them, the last ones of K; pivots */
    int *diagonal;                /* [n_v + n_l] positions in K of its diagonal; in the same array follow .. */
    int *at_metric;               /* [n_metric] .. those of the metric, .. */
    int *at_A, *at_A_across;      /* [nnz of A] .. of A below and to the right of M, .. */
    int *at_D;                    /* [nnz of D] .. and of D to the right of M */
    long G_number, M_number;      /* numbers of the patterns used, learnt.h */
    double m_scale, w_scale;      /* M is divided by m_scale, M^-1 A' by w_scale */
    double *work, *x;             /* [n_v + n_l] */
    long double *r;               /* [n_v + n_l] */
} rsd_kkt_matrix;

typedef struct rsd_kkt {
    rsd_mechanism *k;
    resida_allocator alloc; /* of everything except the linear solver */
    rsd_kkt_matrix matrix;
    int n_v, n_l;
    int is_large; /* 1: large and sparse; no array of n_v n_l numbers is kept, and sparse factors decide on ranks */
    int n_rows;   /* number of independent (listed) rows */
    int *rows;    /* [n_l] their indices in ascending order */
    rsd_csr rows_of_A; /* pattern of all rows; full if K is */
    double *A;         /* [nnz of rows_of_A] values of all rows */
    double *metric;    /* [n_metric] values of M, owned by k; explicit formalism: the columns of M^-1 A' [n_v x n_l] */
    long n_metric;
    double *psi;   /* [n_v] residual formalism: Psi; explicit: M^-1 Psi */
    double *force; /* [n_v] the same at the lam passed to rsd_kkt_force() */
    double *rhs;   /* [n_v + n_l] right-hand side */
    double *scale; /* [n_l] scaling factors of the independent rows */
    double *row;   /* [n_v] work space: the entries of a row */
    double rcond;  /* estimate of 1/condition of the last factorisation */
    double *unit;  /* [n_v] units of the coordinates in which the matrix is scaled and factored, powers of two */
    int is_scaled; /* 1: they are not all 1 */

    /* Used if applied forces depend on lam; else D has no columns and the pointers are NULL. */
    rsd_sparsity D;       /* [n_v x n_l] column j: dPsi/dlam_j, explicit formalism: M^-1 dPsi/dlam_j */
    double *D_values;     /* [nnz of D] by columns, 0 for projections */
    rsd_colouring groups; /* groups of multipliers that are displaced in one call */
    double *moved;        /* [n_l] displaced multipliers */
} rsd_kkt;

/** Create the system. The owner of alloc frees everything except q->matrix.ls, also after a failure. */
resida_status rsd_kkt_create(rsd_kkt *q, rsd_mechanism *k, const resida_allocator *alloc, resida_message *why);

/** Evaluate A at (t, p). @return the verdict of the callbacks */
int rsd_kkt_eval_rows(rsd_kkt *q, double t, const double *p);

/** Evaluate M (or M^-1 A') and Psi (or M^-1 Psi) at (t, p, v) and lam = 0, with the current A. D is set to 0.
 *  Cost: 1 residual call, and those of rsd_inertia_eval(). The explicit formalism takes 1 + n_l calls.
 *  @return the verdict of the callbacks */
int rsd_kkt_eval_metric(rsd_kkt *q, double t, const double *p, const double *v);

/** Replace Psi by Psi(lam) - D lam (or M^-1 times it) with the current D, and store Psi(lam). The solution for b = Psi
 *  is then a simplified Newton step for M a + A' lam = Psi(lam).
 *  Cost: 1 call.
 *  @return the verdict of the callbacks */
int rsd_kkt_force(rsd_kkt *q, double t, const double *p, const double *v, const double *lam);

/** Evaluate D = dPsi/dlam at the lam [n_l] of the last rsd_kkt_force(), and do the same: a full Newton step.
 *  Cost: 1 call for each group of listed rows.
 *  @return the verdict of the callbacks */
int rsd_kkt_linearise(rsd_kkt *q, double t, const double *p, const double *v, const double *lam);

/** Replace Psi by a force f [n_v] for the next solution: M x + A' mu = f. base [n_v]: psi of the metric.
 *  Cost: 1 call in the explicit formalism.
 *  @return the verdict of the callbacks */
int rsd_kkt_set_force(rsd_kkt *q, double t, const double *p, const double *v, const double *f, const double *base);

/** Evaluate the formalism at a = 0, f = 0. @return the verdict of the callbacks */
int rsd_kkt_eval_at_rest(rsd_kkt *q, double t, const double *p, const double *v, const double *lam);

/** Use units of the coordinates in which masses are about 1, from the current A and metric. Return 0, and change
 *  nothing, if they differ by less than a factor SAME_UNITS from each other, or are already in use. */
int rsd_kkt_change_units(rsd_kkt *q);

/** Use the units of the model. */
void rsd_kkt_reset_units(rsd_kkt *q);

/** Write the current rows of G [n_l x n_v] as a full matrix, in the units in use. Rows of open contacts are 0. */
void rsd_kkt_full_rows(const rsd_kkt *q, double *A);

/** Return the entries of row i of A in the units in use, in memory of q, and their number in *n. */
const double *rsd_kkt_row(const rsd_kkt *q, int i, int *n);

/** Return 1/norm of row i of A, or 1 for a zero row. Return the largest entry of A. Both are in the units in use. */
double rsd_kkt_scale_of(const rsd_kkt *q, int i);
double rsd_kkt_max_entry(const rsd_kkt *q);

/** @name kkt_matrix.c @{ */
/** 1/condition below which the matrix of a start is singular to working precision. */
#define RSD_KKT_MIN_RCOND DBL_EPSILON

/** Create rows_of_A and the pattern of K. @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_kkt_create_matrix(rsd_kkt *q);

/** Rebuild the patterns if a learnt pattern has grown, which discards A. Return 0 or RESIDA_ERR_MEMORY. */
int rsd_kkt_update_patterns(rsd_kkt *q);

/** Set A from the current matrices. */
void rsd_kkt_set_rows(rsd_kkt *q);

/** Test inexpensively that the listed rows of A are independent: in any order, the component of each row orthogonal to
 *  the preceding rows is at least `tolerance` times its norm. Overwrites the factors.
 *  @return 1: independent; 0: not known; < 0: out of memory */
int rsd_kkt_test_independence(rsd_kkt *q, double tolerance);

/** Compute the margin of the listed rows, which is small if another choice would avoid a loss of rank: 1/max |c|, where
 *  c are the coefficients of the other rows as combinations of the listed ones, all rows of norm one. It is 0 if the
 *  listed rows are dependent, and at most 10. Rows whose scale exceeds max_scale are ignored. Overwrites the factors.
 *  @return 0; < 0: out of memory */
int rsd_kkt_rank_margin(rsd_kkt *q, double max_scale, double *margin);

/** Factor the matrix with the rows listed in q->rows.
 *  @return 1: regular; 0: singular to working precision; < 0: out of memory */
int rsd_kkt_factor(rsd_kkt *q);

/** Solve for x [n_v] and mu [n_l] (0 for rows that are not listed). c [n_l]; forces = 1: b = Psi, 0: b = 0. */
void rsd_kkt_solve(rsd_kkt *q, int forces, const double *c, double *x, double *mu);
/** @} */

#endif
