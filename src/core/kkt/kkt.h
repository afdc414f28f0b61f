/* kkt.h - the linear system of a constrained mechanism at one state,
 *
 *     [ M  A' ] [ x  ]   [ b ]      A: independent rows of G (nonholonomic ones below),
 *     [ A  0  ] [ mu ] = [ c ]      b: 0 (projections) or Psi (accelerations).
 *
 * M-orthogonal projections and accelerations are this system with different right-hand sides. Where applied forces
 * depend on lam, accelerations are found by Newton's method with A' - dPsi/dlam in place of A'. A backend
 * stores and factors the matrices: full ones for small systems and for the explicit formalism, a sparse one for large
 * mechanisms:
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
    void *self;                   /* of the backend */
    resida_allocator alloc;       /* of all but ls */
    struct rsd_linear_solver *ls; /* of the sparse backend, to be freed; else NULL */
    int n_v, n_l;
    int n_rows;        /* independent rows */
    int *rows;         /* [n_l] their indices, rising */
    rsd_csr rows_of_A; /* their entries; row NULL: all */
    double *A;         /* [n_A] values of all rows, row by row */
    double *metric;    /* [n_metric] values of M, by columns, or by the M_pattern; explicit: columns of M^-1 A' */
    long n_A, n_metric;
    double *psi;    /* [n_v] residual: Psi; explicit: M^-1 Psi */
    double *force;  /* [n_v] the same at the lam of rsd_kkt_force() */
    double *rhs;    /* [n_v + n_l] */
    double *scale;  /* [n_l] factors of the independent rows */
    double rcond;   /* estimate of 1/condition of the last factorisation */
    double m_scale; /* M is divided by it */
    double *unit;   /* [n_v] units of A, the metric, psi and D if is_scaled */
    int is_scaled;

    /* Where applied forces depend on lam, else without columns and NULL. */
    rsd_sparsity D;       /* [n_v x n_l] column j: dPsi/dlam_j, explicit: M^-1 dPsi/dlam_j */
    double *D_values;     /* [nnz of D] by columns, 0 for projections */
    rsd_colouring groups; /* of multipliers, each perturbed in one call */
    double *moved;        /* [n_l] perturbed multipliers */
} rsd_kkt;

/** @param backend  NULL: chosen by size and density
 *  @param alloc    its owner frees all but q->ls, after a failure, too */
resida_status rsd_kkt_create(rsd_kkt *q, rsd_mechanism *k, const rsd_kkt_backend *backend,
                             const resida_allocator *alloc, resida_message *why);

/** A at (t, p). @return verdict of the callbacks */
int rsd_kkt_rows(rsd_kkt *q, double t, const double *p);

/** M (or M^-1 A') and Psi (or M^-1 Psi) at (t, p, v) and lam = 0, with the current A; D = 0.
 *  Cost: n_v + 1 residual calls, 1 with a mass matrix; of a learnt pattern of M one for each group and two more, and
 *  those of its search; explicit formalism 1 + n_l calls. @return verdict */
int rsd_kkt_metric(rsd_kkt *q, double t, const double *p, const double *v);

/** Replace Psi by Psi(lam) - D lam (or M^-1 of it) with the D at hand, and keep Psi(lam): the solution for b = Psi is
 *  then a simplified step of Newton's method for M a + A' lam = Psi(lam). Cost: 1 call. @return verdict */
int rsd_kkt_force(rsd_kkt *q, double t, const double *p, const double *v, const double *lam);

/** The same with D = dPsi/dlam at this lam [n_l], that of the last rsd_kkt_force(): a step of Newton's method.
 *  Cost: 1 call for each group of listed rows. @return verdict */
int rsd_kkt_linearise(rsd_kkt *q, double t, const double *p, const double *v, const double *lam);

/** Find units of the coordinates in which masses are about 1, from the current A and metric. 1: they differ much from
 *  the model's own, and are not yet in use. */
int rsd_kkt_find_units(rsd_kkt *q);

/** Convert A, the metric, psi and D to these units (on = 1), or back, now and after each evaluation. x and mu are in
 *  the model's own units always. A start begins with those. */
void rsd_kkt_use_units(rsd_kkt *q, int on);

/** All rows of G [n_l x n_v], full, from the current matrices, in the units in use; 0 for those of open contacts. */
void rsd_kkt_full_rows(const rsd_kkt *q, double *A);

/** The distance of the listed rows from a loss of rank that another choice of rows avoids: 1/max |c|, c the
 *  coefficients of the other rows as combinations of the listed ones, all of norm one; 0 when these are dependent, at
 *  most 10. Rows whose scale is above max_scale are left out. Overwrites the factors. @return 0; < 0: out of memory */
int rsd_kkt_rank_margin(rsd_kkt *q, double max_scale, double *margin);

/** Replace Psi by a force f [n_v] for the next solution: M x + A' mu = f. base [n_v]: psi as evaluated with the metric.
 *  Cost: explicit formalism 1 call. @return verdict */
int rsd_kkt_set_force(rsd_kkt *q, double t, const double *p, const double *v, const double *f, const double *base);

/** 1/norm of row i of A; 1 for a zero row. */
double rsd_kkt_scale_of(const rsd_kkt *q, int i);

/** x [n_v], mu [n_l] (0 for rows that are not listed); c [n_l]; forces: 1 with b = Psi, 0 with b = 0. */
void rsd_kkt_solve(rsd_kkt *q, int forces, const double *c, double *x, double *mu);

/** @name For backends @{ */
/** 1/condition below which the matrix of a start is singular to working precision. */
#define RSD_KKT_MIN_RCOND DBL_EPSILON

struct rsd_kkt_backend {
    const char *name;
    int is_full; /* 1: O(n^2) memory, O(n^3) time */

    /** Create `self` and rows_of_A; set n_A and n_metric. */
    resida_status (*create)(rsd_kkt *q, const resida_allocator *alloc, resida_message *why);

    /** Make the system again if a learnt pattern has grown: A is lost then. 0; RESIDA_ERR_MEMORY. NULL: none grows */
    int (*follow)(rsd_kkt *q);
    /** A from the current matrices. */
    void (*rows)(rsd_kkt *q);
    /** The metric; psi has the value of the formalism at a = 0, f = 0. @return verdict of the callbacks */
    int (*metric)(rsd_kkt *q, double t, const double *p, const double *v);

    /** Cheap sufficient test that the listed rows of A are independent: in any order, each row has a component of at
     *  least `tolerance` of its norm orthogonal to those before it. Called first by a start: earlier factors are
     *  dropped.
     *  @return 1: independent; 0: not known; < 0: out of memory. NULL: no such test. */
    int (*independent)(rsd_kkt *q, double tolerance);
    /** Factor B B', B the listed rows of norm one, for combine(). @return as factor() */
    int (*span)(rsd_kkt *q);
    /** The coefficients c [n_rows], in memory of q, of row i as a combination of the listed rows, all of norm one, by
     *  least squares. */
    const double *(*combine)(rsd_kkt *q, int i);
    /** Factor with the rows listed in q->rows.
     *  @return 1: regular; 0: singular to working precision; < 0: out of memory */
    int (*factor)(rsd_kkt *q);
    /** As rsd_kkt_solve(), with mu = 0 before, x in the units in use. */
    void (*solve)(rsd_kkt *q, int forces, const double *c, double *x, double *mu);
};

extern const rsd_kkt_backend rsd_kkt_full, rsd_kkt_schur, rsd_kkt_sparse;

/** x [n_v] += s D_j, column j of D. */
void rsd_kkt_add_D(const rsd_kkt *q, int j, double s, double *x);

/** The formalism at a = 0, f = 0. @return verdict */
int rsd_kkt_at_rest(rsd_kkt *q, double t, const double *p, const double *v, const double *lam);

/** answer [n_v] = M x or, of the explicit formalism, M^-1 x, for the x in rhs, which is overwritten: by
 *  (Phi(s x) - base)/s, exact because Phi is linear in x, s a power of two with which base hides no digits. base [n_v]:
 *  the formalism at x = 0, in units (NULL: the model's). Cost: 1 call, or some more. @return verdict */
int rsd_kkt_respond(rsd_kkt *q, double t, const double *p, const double *v, const double *base, const double *unit,
                    double *answer);

/** The power of two by which an input must grow so that the response along it reaches that to a zero input; 1: its
 *  digits are not lost beside that. */
double rsd_kkt_growth(double response, double at_rest);
enum { RSD_RESPONSE_TRIES = 4 }; /* a response of 1e-16 of that is lost entirely at first */

/** Values of row i of A, *n of them. */
const double *rsd_kkt_row(const rsd_kkt *q, int i, int *n);

/** 1/norm of a row; 1 for a zero row. */
double rsd_kkt_row_scale(const double *row, long n);

/** Largest |value| of the metric; 1 if all are zero. */
double rsd_kkt_metric_size(const rsd_kkt *q);

/** @name Right-hand side and result of the saddle-point system in q->rhs, M and A scaled by m_scale and scale. Listed
 *  row r is row n_v + at[r] of the system (at NULL: r); other rows of rhs are 0 */
void rsd_kkt_load(rsd_kkt *q, int forces, const double *c, const int *at);
void rsd_kkt_unload(const rsd_kkt *q, double *x, double *mu, const int *at);
/** @} */

#endif
