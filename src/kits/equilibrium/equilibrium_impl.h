/* equilibrium_impl.h - the equations of an equilibrium, r(x) = 0: some rows of F(t, y, yp) in some components of y,
 * with the other components fixed. A mechanism is in the form "index3" or "ode", y = (p, v, lam, eta_k):
 *
 *     x = (p, z, lam)     r = (Phi + G'lam with z' - f, g, Gh v + gh)     fixed: v = 0, yp = 0, eta_k = 0
 *
 * Corrections of positions are dp = T dq; each is followed by a projection of p onto the invariants k(p) = 0.
 *
 * In steady motion, a position on which no equation depends is fixed, and its velocity is an unknown instead. For a
 * general DAE, x = y and r = F. Load steps follow the path of solutions of r(x) = (1 - s) r(x0) from s = 0 to s = 1. x0
 * is the start of the path, and s is the load factor. */
#ifndef RSD_EQUILIBRIUM_IMPL_H
#define RSD_EQUILIBRIUM_IMPL_H

#include <resida/equilibrium.h>

#include "base/numbers.h"
#include "base/linear/damped_newton.h"
#include "base/linear/dense.h"
#include "base/linear/linear_solver.h"
#include "src/core/solver/solver_impl.h"

typedef struct rsd_equilibrium {
    rsd_owner owner;                           /* owner of all arrays */
    resida_allocator alloc;                    /* allocator whose blocks `owner` frees */
    resida_problem *problem;                   /* owned copy of the problem; mechanism: form "index3" or "ode" */
    resida_solver *solver;                     /* solver, owned, for its guard and Jacobian engine */
    const resida_equilibrium_options *options; /* options of the caller */
    resida_equilibrium_report *report;         /* report for the caller */
    resida_message *why;                       /* message for the caller */
    const double *p0, *v0;                     /* guess of the caller, p0 and v0; of a general DAE y0 and NULL */
    double t, t_from, t_to;                    /* time [s], t = t_to - (1 - s) (t_to - t_from) with the load factor s */
    int n;                                     /* number of unknowns of F */
    double *y, *yp, *F;                        /* [n] current point (y, yp) and F there, in one block */
    double *y_trial, *yp_trial, *F_trial;      /* [n] trial point (y, yp) and F there, in one block */
    double *accelerations;                     /* [n_v] accelerations of the last consistent start */
    double *increment_factor;                  /* [n] factors of the default difference increments */
    double *min_size;                          /* [n] lower limit of the scale `size` of each component of y */
    double *column_scale;          /* [n] scales of the components of a general DAE from its J; 1 for a mechanism */
    double unit;                   /* lower limit of the scale of a component without constraints, at most 1 */
    int n_x, n_r;                  /* number of unknowns x; number of equations r */
    int *column_of, *row_of;       /* [n_x] column in J of each unknown; [n_r] row in J of each equation */
    int *unknown_of, *equation_of; /* [n] inverse maps; -1: fixed component, or no equation */
    int *is_cyclic;                /* [n] 1: the entries of the column of J are rounding errors */
    double *size;              /* [n_x] scales of the unknowns: about |x_j|; for lam 1/(largest entry of the column) */
    double *turn_size;         /* [n_w] scales of the coordinates q, dp = T dq */
    double *weight;            /* [n_r] weights of the equations */
    double *terms;             /* [n_r] scales of the equations in the convergence test of a mechanism */
    double min_weight[3];      /* minimum weights of equations of forces, constraints, states; 0 for a general DAE */
    double *inertia;           /* [n_r] largest |dr/dyp| of each equation, the weight of an equation without unknowns */
    double *load_residual, *r; /* [n_r] residual r(x0) of the guess; [n_r] residual of the path, r(x) - (1 - s) r(x0) */
    double *dx;                /* [n_x] last correction */
    double *d, *d_next;        /* [n] scaled correction; [n] next one, with the same matrix. n_d elements are used */
    double part, step;         /* damping factor of the last attempt; scaled norm of the correction */
    int is_small, is_last;     /* 1: the correction is below SMALL_STEP; 1: the residual is then also small */
    resida_status status;      /* status with which the iteration was stopped */
    double *tangent, *dx_ds;   /* [n_x] unit tangent of the path x(s); dx/ds */
    int is_interrupted;        /* 1: the monitor has interrupted the search */
    double load_factor;        /* load factor s of the current point */
    int is_untested;           /* 1: Newton steps are accepted without the monotonicity test */
    int n_d;                   /* number of components of d: n_x, but with the coordinates q in place of positions */
    rsd_linear_solver *linear; /* sparse solver; NULL: none yet */
    int is_sparse;             /* 1: the last matrix was factored by `linear` */
    double *A, *A_work;        /* [n_r x n_d] full scaled matrix dr/dx; [n_r x n_d] its factors; NULL: none yet */
    double *work;              /* [n_d n_d + n_d] work space of rsd_solve_least_norm() */
    int *perm;                 /* [n_d] pivots of the full factors */
    double rank_tolerance;     /* rank tolerance of the last factorisation */
    int has_inertia, has_J;    /* 1: `inertia` is known; 1: J was set up */
    int has_scales;            /* 1: `column_scale` is known */
    int is_exact;              /* 1: the model gives all derivatives, perhaps except dg/dp */
    int is_nested;             /* 1: dg/dp is differenced, and derivatives of G'lam are second differences */
    int n_free;                /* dimension of the null space at the solution */
    int n_uncertain;           /* number of directions with a stiffness below the errors of derivatives */
} rsd_equilibrium;

/** Create all data except the maps of the unknowns. Call rsd_equilibrium_free() even after a failure. */
resida_status rsd_equilibrium_create(rsd_equilibrium *eq, const resida_problem *problem, double t);
void rsd_equilibrium_free(rsd_equilibrium *eq);

/** Select the unknowns, which include all positions, and the equations. @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_equilibrium_set_unknowns(rsd_equilibrium *eq);

/** Replace positions on which no equation depends at the current point by their velocities as unknowns, and others by
 *  positions. *n_changes: number of replacements. @return RESIDA_OK; as rsd_equilibrium_get_failure() */
resida_status rsd_equilibrium_find_steady(rsd_equilibrium *eq, int *n_changes);

/** Evaluate F at the current point (trial = 0) or at the trial point (trial = 1). @return as rsd_guard_eval_part() */
int rsd_equilibrium_evaluate(rsd_equilibrium *eq, int trial);

/** Evaluate dF/dy at the current point, and set the scales of unknowns and equations. F must be known.
 *  @return as rsd_guard_eval_part() */
int rsd_equilibrium_linearize(rsd_equilibrium *eq, resida_jacobian_matrix *J);

/** Compute r = F - (1 - s) r(x0). Return its maximum norm, scaled by `terms` for a mechanism and by `weight` for a
 *  general DAE. */
double rsd_equilibrium_residual(rsd_equilibrium *eq, const double *F);

/** Return 1 if each component of the residual r is within the tolerance or is a rounding error. Rounding errors are
 *  accepted only in equations with the minimum weight of their kind. */
int rsd_equilibrium_is_rounding(const rsd_equilibrium *eq, double tolerance);

/** Compute the correction dx of minimum scaled norm, and the scaled correction d. @return RESIDA_OK; RESIDA_ERR_MEMORY;
 *  RESIDA_ERR_SINGULAR: dr/dx is singular, and too large to be stored as a full matrix */
resida_status rsd_equilibrium_correct(rsd_equilibrium *eq, const resida_jacobian_matrix *J);

/** Reduce the unit if the correction at the solution depends on it, because the forces are then nonlinear over a
 *  shorter distance, or if the correction is larger than the solution and than rounding errors. The new unit is the
 *  size of the solution and of its correction. Overwrites x [n_x]. @return RESIDA_OK; as rsd_equilibrium_correct(); a
 *  status of the guard */
resida_status rsd_equilibrium_reduce_unit(rsd_equilibrium *eq, double *x, int *is_reduced);

/** Compute the scaled correction d [n_d] for the current r, with the matrix of the last correction. Return the rank. */
int rsd_equilibrium_solve(rsd_equilibrium *eq, double *d);

/** Compute z = dx/ds [n_x] of r(x, t(s)) = (1 - s) r(x0), with F known and the matrix of the last correction.
 *  Overwrites r, d and F_trial.
 *  @return as rsd_guard_eval_part(); > 0 also if r(x0) is not in the range of the matrix */
int rsd_equilibrium_path_derivative(rsd_equilibrium *eq, double *z);

/** Compute dx such that x + dx is the solution of A dx = -r closest to y0 [n]. Uses the last full matrix. Overwrites r,
 *  d. */
void rsd_equilibrium_correct_drift(rsd_equilibrium *eq, const double *y0);

/** Compute the scaled matrix as a full matrix A [n_r x n_d], stored by columns. */
void rsd_equilibrium_scaled_matrix(const rsd_equilibrium *eq, const resida_jacobian_matrix *J, double *A);

/** Return max(|y_c|, minimum size). The minimum size is `unit`, or the size of a small mechanism. */
double rsd_equilibrium_full_size(const rsd_equilibrium *eq, int c);

/** Return size = rsd_equilibrium_full_size(), or min(size, max(100, cbrt(size))) for a position. The cube root keeps
 *  the size above the rounding errors of large positions. */
double rsd_equilibrium_size(const rsd_equilibrium *eq, int c);

/* --- Scales: equilibrium_scales.c --- */

/** Set the sizes of the unknowns and the weights of the equations from J. */
void rsd_equilibrium_set_scales(rsd_equilibrium *eq, const resida_jacobian_matrix *J);

/** Set column_scale of a general DAE from J at the guess. */
void rsd_equilibrium_find_column_scales(rsd_equilibrium *eq, const resida_jacobian_matrix *J);

/** Return 1 if a component of y is a multiplier. */
int rsd_equilibrium_is_multiplier(const rsd_equilibrium *eq, int column);

/** Return the kind of equation i: 0 force, 1 constraint, 2 state. The equations of a kind have the same unit. */
int rsd_equilibrium_get_kind(const rsd_equilibrium *eq, int i);

/** Return the largest scaled entry of column c of J. */
double rsd_equilibrium_column_maximum(const rsd_equilibrium *eq, const resida_jacobian_matrix *J, int c);

/** Convert scaled changes d [n_d] to changes of the unknowns, out [n_x]. */
void rsd_equilibrium_unscale(const rsd_equilibrium *eq, const double *d, double *out);

/** Set y and yp at t to the caller's guess, made consistent. @return as resida_problem_start() */
resida_status rsd_equilibrium_start_from_guess(rsd_equilibrium *eq);

/** Compute a consistent start from p0 [n_p], v0 [n_v], and set y and the accelerations.
 *  @return as resida_problem_start() */
resida_status rsd_equilibrium_start(rsd_equilibrium *eq, const double *p0, const double *v0,
                                    resida_start_report *report);

/** Move the current point by a step along the motion from rest, and evaluate F. @return RESIDA_OK; RESIDA_ERR_NEWTON:
 *  there is no consistent start, or no motion; RESIDA_ERR_MEMORY; a status of the guard */
resida_status rsd_equilibrium_relax(rsd_equilibrium *eq);

/** Solve from the current point. @return RESIDA_OK; RESIDA_ERR_NEWTON; RESIDA_INTERRUPTED; a status of the guard */
resida_status rsd_equilibrium_search(rsd_equilibrium *eq);

/** Solve r(x) = 0 from the current point, and open and close contacts until their gaps and forces have the right signs.
 *  @return as rsd_equilibrium_search(); RESIDA_ERR_INCONSISTENT: no set of closed contacts was found */
resida_status rsd_equilibrium_search_contacts(rsd_equilibrium *eq);

/** Compute the null vectors at the solution, and report their nonzero unknowns. @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_equilibrium_find_null(rsd_equilibrium *eq, const resida_jacobian_matrix *J);

/** Determine the stability from the eigenvalues of the linearised system. @return RESIDA_OK; RESIDA_ERR_MEMORY; a
 *  status of the guard */
resida_status rsd_equilibrium_find_stability(rsd_equilibrium *eq);

/** Report the names of the equations with the largest residuals. */
void rsd_equilibrium_report_worst(rsd_equilibrium *eq);

/** Return the stop status of the guard or, if it is RESIDA_OK, the reason why F could not be evaluated. */
resida_status rsd_equilibrium_get_failure(rsd_equilibrium *eq);

/** Return the error of the derivatives relative to the largest entry of a row. */
double rsd_equilibrium_get_error(const rsd_equilibrium *eq);

#endif
