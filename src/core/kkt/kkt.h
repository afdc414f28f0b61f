/* kkt.h - the linear system of a constrained mechanism at one state:
 *
 *     [ M  A' ] [ x  ]   [ b ]      A: independent rows of G, then of Gh
 *     [ A  0  ] [ mu ] = [ c ]      b: 0 (projections) or Psi (accelerations).
 *
 * Projections onto the constraints that are orthogonal in the norm of M, and accelerations, are solutions of this
 * system with different right-hand sides. M is the mass matrix, Psi the applied and gyroscopic forces. In the explicit
 * formalism, the first row is multiplied by M^-1. If forces depend on lam, accelerations are computed by Newton's
 * method, with A' - dPsi/dlam instead of A'. kkt.c evaluates the matrices, kkt_matrix.c factors the system. */
#ifndef RSD_KKT_H
#define RSD_KKT_H

#include "jacobian/pattern/colouring.h"
#include "src/core/mechanism/mechanism_impl.h"

#include <float.h>

/** The scaled matrix K of the linear system above (kkt_matrix.c), and its factors. */
typedef struct rsd_kkt_matrix {
    rsd_sparsity K;               /* pattern of K */
    double *values;               /* [nnz of K] values of K */
    struct rsd_linear_solver *ls; /* sparse solver, freed by the owner of the rsd_kkt; NULL: full factors */
    double *full;                 /* [n_full x n_full] full factors, by columns */
    int n_full, *pivots;          /* size of `full`, the matrix of the last n_full unknowns; its row pivots */
    int *diagonal;                /* [n_v + n_l] positions of the diagonal in K; the arrays at_... follow in memory */
    int *at_metric;               /* [n_metric] positions in K of M, or of M^-1 A' in the explicit formalism */
    int *at_A, *at_A_across;      /* [nnz of A] positions in K of the entries of A; of the same entries in A' */
    int *at_D;                    /* [nnz of D] positions in K of D = dPsi/dlam */
    long G_number, M_number;      /* versions of the learnt patterns (learnt.h) from which K was made */
    double m_scale, w_scale;      /* divisors m of M and w of M^-1 A' in K, which scale these blocks to order one */
    double *work, *x;             /* [n_v + n_l] scaled right-hand side; correction of a solution */
    long double *r;               /* [n_v + n_l] residual of a solution */
} rsd_kkt_matrix;

typedef struct rsd_kkt {
    rsd_mechanism *k;       /* the mechanism */
    resida_allocator alloc; /* allocator of all memory except that of the linear solver */
    rsd_kkt_matrix matrix;  /* matrix of the system, and its factors */
    int n_v, n_l;           /* number of velocities; number of multipliers */
    int is_large;           /* 1: the system is large and sparse, and has sparse factors and no array [n_v x n_l] */
    int n_rows;             /* number of listed rows */
    int *rows;              /* [n_l] listed rows: indices of the rows of (G, Gh) that K contains, ascending */
    rsd_csr rows_of_A;      /* pattern of the constraint matrix A; full in small systems of the residual formalism */
    double *A;              /* [nnz of rows_of_A] values of A */
    double *metric;         /* [n_metric] values of M, owned by k; in the explicit formalism M^-1 A' by columns */
    long n_metric;          /* number of elements of metric */
    double *psi;            /* [n_v] applied forces Psi; explicit formalism: M^-1 Psi */
    double *force;          /* [n_v] Psi (or M^-1 Psi) at the multipliers of rsd_kkt_eval_force() */
    double *rhs;            /* [n_v + n_l] right-hand side */
    double *scale;          /* [n_l] scale[r] is 1/norm of the listed row rows[r] of A */
    double *row;            /* [n_v] work space: a row of A */
    double rcond;           /* estimated reciprocal condition number of the factored matrix */
    double *unit;           /* [n_v] units of the coordinates in the factored matrix, powers of two */
    int is_scaled;          /* 1: units of coordinates differ from 1 */

    /* These members are used if applied forces depend on lam. Otherwise D has no columns, and the pointers are NULL. */
    rsd_sparsity D;       /* [n_v x n_l] dPsi/dlam by columns; explicit formalism: M^-1 dPsi/dlam */
    double *D_values;     /* [nnz of D] values of D by columns; 0 for projections */
    rsd_colouring groups; /* groups of multipliers without a common force, which one call displaces together */
    double *moved;        /* [n_l] displaced multipliers, the argument of that call */
} rsd_kkt;

/** Create the linear system q. The owner of alloc frees all memory except q->matrix.ls, also after a failure. */
resida_status rsd_kkt_create(rsd_kkt *q, rsd_mechanism *k, const resida_allocator *alloc, resida_message *why);

/** Evaluate the constraint rows A = (G, Gh) at (t, p). @return 0 on success, > 0 if a callback could not be evaluated,
 *  < 0 on a fatal error */
int rsd_kkt_eval_rows(rsd_kkt *q, double t, const double *p);

/** Evaluate the mass matrix M and the forces Psi at (t, p, v) and lam = 0. In the explicit formalism, evaluate M^-1 A'
 *  with the current A, and M^-1 Psi. Set D = dPsi/dlam to 0.
 *  Cost: 1 call of the formalism, and the calls of rsd_inertia_eval(). The explicit formalism takes 1 + n_l calls.
 *  @return 0 on success, > 0 if a callback could not be evaluated, < 0 on a fatal error */
int rsd_kkt_eval_metric(rsd_kkt *q, double t, const double *p, const double *v);

/** Evaluate Psi(lam), and replace Psi by Psi(lam) - D lam with D = dPsi/dlam. Explicit formalism: both are multiplied
 *  by M^-1. The solution for b = Psi is then a simplified Newton step for M a + A' lam = Psi(lam).
 *  Cost: 1 call.
 *  @return 0 on success, > 0 if a callback could not be evaluated, < 0 on a fatal error */
int rsd_kkt_eval_force(rsd_kkt *q, double t, const double *p, const double *v, const double *lam);

/** Evaluate D = dPsi/dlam at the lam [n_l] of the last rsd_kkt_eval_force(), and replace Psi by Psi(lam) - D lam. The
 *  solution for b = Psi is then a full Newton step.
 *  Cost: 1 call for each group of listed rows.
 *  @return 0 on success, > 0 if a callback could not be evaluated, < 0 on a fatal error */
int rsd_kkt_linearise(rsd_kkt *q, double t, const double *p, const double *v, const double *lam);

/** Replace the forces Psi by a force f [n_v], for the next solution of M x + A' mu = f. base [n_v] is the q->psi
 *  computed by rsd_kkt_eval_metric().
 *  Cost: 1 call in the explicit formalism.
 *  @return 0 on success, > 0 if a callback could not be evaluated, < 0 on a fatal error */
int rsd_kkt_set_force(rsd_kkt *q, double t, const double *p, const double *v, const double *f, const double *base);

/** Evaluate the formalism with a = 0 or f = 0 at (t, p, v, lam) into q->k->work.out. Return as rsd_kkt_eval_rows(). */
int rsd_kkt_eval_at_rest(rsd_kkt *q, double t, const double *p, const double *v, const double *lam);

/** Choose units of the coordinates in which masses are about 1, from the current A and metric. Return 1 if the units
 *  have changed. Return 0 if they would differ by at most SAME_UNITS (kkt.c), or are already in use. */
int rsd_kkt_change_units(rsd_kkt *q);

/** Return to the units of coordinates of the model. */
void rsd_kkt_reset_units(rsd_kkt *q);

/** Write G and Gh to a full matrix A [n_l x n_v], in the current units of coordinates. Rows of open contacts are 0. */
void rsd_kkt_write_full_rows(const rsd_kkt *q, double *A);

/** Return the entries of row i of A in the current units of coordinates, in q->row. *n is set to their number. */
const double *rsd_kkt_get_row(const rsd_kkt *q, int i, int *n);

/** Return 1/norm of row i of A (1 for a zero row), or the largest |entry| of A, in the current units of coordinates. */
double rsd_kkt_get_row_scale(const rsd_kkt *q, int i);
double rsd_kkt_get_max_entry(const rsd_kkt *q);

/** @name kkt_matrix.c @{ */
/** Reciprocal condition number up to which K is singular to working precision. */
#define RSD_KKT_MIN_RCOND DBL_EPSILON

/** Create the pattern rows_of_A of the constraint rows and the pattern of K. @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_kkt_create_matrix(rsd_kkt *q);

/** Rebuild the patterns if a learnt pattern has grown. If the pattern of A has grown, the values of A are discarded.
 *  Return 0 on success, or RESIDA_ERR_MEMORY if there is no memory. */
int rsd_kkt_update_patterns(rsd_kkt *q);

/** Set the values of A from the current dg/dp, T and Gh of the mechanism. */
void rsd_kkt_set_rows(rsd_kkt *q);

/** Test without QR factors whether the listed rows of A are independent. Rows are independent if, in any order, the
 *  component of each row orthogonal to the preceding rows is at least `tolerance` times the norm of the row. The
 *  factors are overwritten.
 *  @return 1 if the rows are independent, 0 if the test cannot decide, < 0 if there is no memory */
int rsd_kkt_test_independence(rsd_kkt *q, double tolerance);

/** Compute *margin = 1/max |c| of the listed rows. c are the coefficients of the other rows as combinations of the
 *  listed rows, after all rows are divided by their norms. A small margin means that another choice of rows would be
 *  better conditioned. The margin is 0 if the listed rows are dependent, and at most 10. Rows whose scale exceeds
 *  max_scale are ignored. The factors are overwritten.
 *  @return 0 on success, < 0 if there is no memory */
int rsd_kkt_compute_margin(rsd_kkt *q, double max_scale, double *margin);

/** Factor the matrix with the rows listed in q->rows.
 *  @return 1 if the matrix is regular, 0 if it is singular to working precision, < 0 if there is no memory */
int rsd_kkt_factor(rsd_kkt *q);

/** Solve K (x, mu) = (b, c) with the current factors for x [n_v] and mu [n_l], c [n_l]. The force b is Psi if forces is
 *  1, and 0 if forces is 0. mu is 0 in rows that are not listed. */
void rsd_kkt_solve(rsd_kkt *q, int forces, const double *c, double *x, double *mu);
/** @} */

#endif
