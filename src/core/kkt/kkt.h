/* kkt.h - the linear system of a constrained mechanism at one state,
 *
 *     [ M  A' ] [ x  ]   [ b ]      A: independent rows of G (nonholonomic ones below),
 *     [ A  0  ] [ mu ] = [ c ]      b: 0 (projections) or Psi (accelerations).
 *
 * M-orthogonal projections and accelerations are solutions of this system with different right-hand sides. If applied
 * forces depend on lam, accelerations are found by Newton's method with A' - dPsi/dlam instead of A'. A backend stores
 * and factors the matrices. Full matrices are used for small systems and for the explicit formalism, a sparse one for
 * large mechanisms:
 *
 *     rsd_kkt_full    residual formalism: M by its callback or column by column; LU of the saddle-point matrix
 *     rsd_kkt_schur   explicit formalism: M^-1 A' column by column; LU of the Schur complement A M^-1 A'
 *     rsd_kkt_sparse  residual formalism with a mass matrix, or of a large mechanism: the saddle-point matrix by its
 *                     pattern, KLU, refinement; M by its callback, or by groups of columns */
#ifndef RSD_KKT_H
#define RSD_KKT_H

#include "jacobian/pattern/colouring.h"
#include "src/core/mechanism/mechanism_impl.h"

#include <float.h>

typedef struct rsd_kkt_backend rsd_kkt_backend;

typedef struct rsd_kkt {
    rsd_mechanism *k;
    const rsd_kkt_backend *backend;
    void *self;                   /* data of the backend */
    resida_allocator alloc;       /* of everything except ls */
    struct rsd_linear_solver *ls; /* of the sparse backend, to be freed; else NULL */
    int n_v, n_l;
    int n_rows;        /* number of independent (listed) rows */
    int *rows;         /* [n_l] their indices in ascending order */
    rsd_csr rows_of_A; /* pattern of all rows; row NULL: full */
    double *A;         /* [n_A] values of all rows, row by row */
    double *metric;    /* [n_metric] M, by columns or by M_pattern; explicit formalism: columns of M^-1 A' */
    long n_A, n_metric;
    double *psi;    /* [n_v] residual formalism: Psi; explicit: M^-1 Psi */
    double *force;  /* [n_v] the same at the lam passed to rsd_kkt_force() */
    double *rhs;    /* [n_v + n_l] right-hand side */
    double *scale;  /* [n_l] scaling factors of the independent rows */
    double rcond;   /* estimate of 1/condition of the last factorisation */
    double m_scale; /* M is divided by this factor */
    double *unit;   /* [n_v] units of A, the metric, psi and D if is_scaled */
    int is_scaled;

    /* Used if applied forces depend on lam; else D has no columns and the pointers are NULL. */
    rsd_sparsity D;       /* [n_v x n_l] column j: dPsi/dlam_j, explicit formalism: M^-1 dPsi/dlam_j */
    double *D_values;     /* [nnz of D] by columns, 0 for projections */
    rsd_colouring groups; /* groups of multipliers that are displaced in one call */
    double *moved;        /* [n_l] displaced multipliers */
} rsd_kkt;

/** Create the system.
 *  @param backend  NULL: chosen by size and density
 *  @param alloc    its owner frees everything except q->ls, also after a failure */
resida_status rsd_kkt_create(rsd_kkt *q, rsd_mechanism *k, const rsd_kkt_backend *backend,
                             const resida_allocator *alloc, resida_message *why);

/** Evaluate A at (t, p). @return the verdict of the callbacks */
int rsd_kkt_eval_rows(rsd_kkt *q, double t, const double *p);

/** Evaluate M (or M^-1 A') and Psi (or M^-1 Psi) at (t, p, v) and lam = 0, with the current A. D is set to 0.
 *  Cost: 1 residual call with a mass matrix, else n_v + 1. A learnt pattern of M takes one call for each group and two
 *  more, and those of its search. The explicit formalism takes 1 + n_l calls.
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

/** Find units of the coordinates in which masses are about 1, from the current A and metric. Return 1 if they differ
 *  by more than a factor SAME_UNITS from each other, and are not yet in use. */
int rsd_kkt_find_units(rsd_kkt *q);

/** Use these units for A, the metric, psi and D (on = 1), or the model's own units, also after later evaluations. x and
 *  mu are always in the model's units, with which a start begins. */
void rsd_kkt_use_units(rsd_kkt *q, int on);

/** Write the current rows of G [n_l x n_v] as a full matrix, in the units in use. Rows of open contacts are 0. */
void rsd_kkt_full_rows(const rsd_kkt *q, double *A);

/** Compute the margin of the listed rows, which is small if another choice would avoid a loss of rank: 1/max |c|, where
 *  c are the coefficients of the other rows as combinations of the listed ones, all rows of norm one. It is 0 if the
 *  listed rows are dependent, and at most 10. Rows whose scale exceeds max_scale are ignored. Overwrites the factors.
 *  @return 0; < 0: out of memory */
int rsd_kkt_rank_margin(rsd_kkt *q, double max_scale, double *margin);

/** Replace Psi by a force f [n_v] for the next solution: M x + A' mu = f. base [n_v]: psi of the metric.
 *  Cost: 1 call in the explicit formalism.
 *  @return the verdict of the callbacks */
int rsd_kkt_set_force(rsd_kkt *q, double t, const double *p, const double *v, const double *f, const double *base);

/** Return 1/norm of row i of A, or 1 for a zero row. */
double rsd_kkt_scale_of(const rsd_kkt *q, int i);

/** Solve for x [n_v] and mu [n_l] (0 for rows that are not listed). c [n_l]; forces = 1: b = Psi, 0: b = 0. */
void rsd_kkt_solve(rsd_kkt *q, int forces, const double *c, double *x, double *mu);

/** @name For backends @{ */
/** 1/condition below which the matrix of a start is singular to working precision. */
#define RSD_KKT_MIN_RCOND DBL_EPSILON

struct rsd_kkt_backend {
    const char *name;
    int is_full; /* 1: O(n^2) memory, O(n^3) time */

    /** Create `self` and rows_of_A; set n_A and n_metric. */
    resida_status (*create)(rsd_kkt *q, const resida_allocator *alloc, resida_message *why);

    /** Rebuild the system if a learnt pattern has grown, which discards A. Return 0 or RESIDA_ERR_MEMORY. NULL: not
     *  needed */
    int (*follow)(rsd_kkt *q);
    /** Set A from the current matrices. */
    void (*rows)(rsd_kkt *q);
    /** Evaluate the metric. psi contains the value of the formalism at a = 0, f = 0. @return the verdict */
    int (*metric)(rsd_kkt *q, double t, const double *p, const double *v);

    /** Test inexpensively that the listed rows of A are independent: in any order, the component of each row orthogonal
     *  to the preceding rows is at least `tolerance` times its norm. Earlier factors are discarded.
     *  @return 1: independent; 0: not known; < 0: out of memory. NULL: no such test. */
    int (*independent)(rsd_kkt *q, double tolerance);
    /** Factor B B' for combine(). B are the listed rows, scaled to norm one. @return as factor() */
    int (*span)(rsd_kkt *q);
    /** Return the coefficients c [n_rows], in memory of q, of row i as a combination of the listed rows, by least
     *  squares. All rows have norm one. */
    const double *(*combine)(rsd_kkt *q, int i);
    /** Factor the matrix with the rows listed in q->rows.
     *  @return 1: regular; 0: singular to working precision; < 0: out of memory */
    int (*factor)(rsd_kkt *q);
    /** Solve as rsd_kkt_solve(). mu must be 0 before. x is in the units in use. */
    void (*solve)(rsd_kkt *q, int forces, const double *c, double *x, double *mu);
};

extern const rsd_kkt_backend rsd_kkt_full, rsd_kkt_schur, rsd_kkt_sparse;

/** Compute x [n_v] += s D_j, with column j of D. */
void rsd_kkt_add_D(const rsd_kkt *q, int j, double s, double *x);

/** Evaluate the formalism at a = 0, f = 0. @return the verdict of the callbacks */
int rsd_kkt_eval_at_rest(rsd_kkt *q, double t, const double *p, const double *v, const double *lam);

/** Compute answer [n_v] = M x or, in the explicit formalism, M^-1 x, as (Phi(s x) - base)/s. x in rhs is overwritten.
 *  The result is exact because Phi is linear in x; s is a power of two large enough that base hides no digits. base
 *  [n_v]: the formalism at x = 0, in units (NULL: the model's).
 *  Cost: 1 call, or several.
 *  @return the verdict */
int rsd_kkt_eval_response(rsd_kkt *q, double t, const double *p, const double *v, const double *base,
                          const double *unit, double *answer);

/** Return the power of two by which an input must grow for its response to be as large as that to a zero input. Return
 *  1 if the response has not lost digits. */
double rsd_kkt_compute_growth(double response, double at_rest);
enum { RSD_RESPONSE_TRIES = 4 }; /* max. attempts: at first a response may be lost entirely in rounding */

/** Return the values of row i of A, and their number in *n. */
const double *rsd_kkt_row(const rsd_kkt *q, int i, int *n);

/** Return 1/norm of a row, or 1 for a zero row. */
double rsd_kkt_row_scale(const double *row, long n);

/** Return the largest |value| of the metric, or 1 if all are zero. */
double rsd_kkt_metric_size(const rsd_kkt *q);

/** @name Right-hand side and result of the saddle-point system in q->rhs, with M and A scaled by m_scale and scale.
 *  Listed row r is row n_v + at[r] of the system (at NULL: r). Other rows of rhs are 0. */
void rsd_kkt_set_rhs(rsd_kkt *q, int forces, const double *c, const int *at);
void rsd_kkt_get_solution(const rsd_kkt *q, double *x, double *mu, const int *at);
/** @} */

#endif
