/* equilibrium_impl.h - the equations of an equilibrium, r(x) = 0: some rows of F(t, y, yp) in some components of y,
 * with the other components fixed. A mechanism is in the form "index3" or "ode", y = (p, v, lam, eta_k):
 *
 *     x = (p, z, lam)     r = (Phi + G'lam with z' - f, g, Gh v + gh)     fixed: v = 0, yp = 0, eta_k = 0
 *
 * Corrections of positions are dp = T dq; each is followed by a projection of p onto the invariants k(p) = 0.
 *
 * In steady motion, a position on which no equation depends is fixed, and its velocity is an unknown instead. Of a
 * general DAE x = y and r = F. Load steps follow the solutions of r(x) = (1 - s) r(x0), s the load factor. */
#ifndef RSD_EQUILIBRIUM_IMPL_H
#define RSD_EQUILIBRIUM_IMPL_H

#include <resida/equilibrium.h>

#include "base/numbers.h"
#include "base/linear/damped_newton.h"
#include "base/linear/dense.h"
#include "base/linear/linear_solver.h"
#include "src/core/solver/solver_impl.h"

typedef struct rsd_equilibrium {
    rsd_owner owner; /* of all arrays */
    resida_allocator alloc;
    resida_problem *problem; /* owned copy in the form above */
    resida_solver *solver;   /* owned: guard and Jacobian engine */
    const resida_equilibrium_options *options;
    resida_equilibrium_report *report;
    resida_message *why;
    const double *p0, *v0;                /* the caller's guess; of a general DAE y0 and NULL */
    double t, t_from, t_to;               /* t = t_to - (1 - s) (t_to - t_from) */
    int n;                                /* components of y */
    double *y, *yp, *F;                   /* [n] current point, one behind the other */
    double *y_trial, *yp_trial, *F_trial; /* [n] trial point, likewise */
    double *accelerations;                /* [n_v] of the last consistent start */
    double *increment_factor;             /* [n] times the default increments of differences */
    double *min_size;                     /* [n] of a component */
    int n_x, n_r;                         /* unknowns, equations */
    int *column_of, *row_of;              /* [n_x] column of an unknown, [n_r] row of an equation, in J */
    int *unknown_of, *equation_of;        /* [n] the inverse; -1: fixed, no equation */
    double *size;                         /* [n_x] scale: size of a component; of lam 1 over its largest scaled entry */
    double *turn_size;                    /* [n_w] scale of q, with dp = T dq */
    double *weight;                       /* [n_r] scale of the equations */
    double *terms;                        /* [n_r] of a mechanism: sizes by which residuals are judged */
    double min_weight[3];                 /* floor of the weights of forces, constraints, states; 0: a general DAE */
    double *inertia;                      /* [n_r] largest |dr/dyp|, for equations without an unknown */
    double *load_residual, *r;            /* [n_r] r(x0); r - (1 - s) r(x0) */
    double *dx;                           /* [n_x] correction */
    double *d, *d_next;                   /* [n] it and the next one by the same matrix, scaled: n_d are used */
    double part, step;                    /* of dx, and its size, in the last attempt */
    int is_small, is_last;                /* 1: dx is small; and the residual was within the tolerance */
    resida_status status;                 /* that stopped an iteration */
    double *tangent, *dx_ds;              /* [n_x] unit tangent of the path x(s); dx/ds */
    int is_interrupted;                   /* 1: by the monitor */
    double load_factor;                   /* s */
    double limited_step;                  /* > 0: part of max_step without a monotonicity test; 0: with it */
    int n_d;                              /* unknowns of a correction: n_x, with dq in place of dp */
    rsd_linear_solver *linear;            /* sparse; NULL: not created yet */
    int is_sparse;                        /* 1: the last matrix was factored by it */
    double *A, *A_work;                   /* [n_r x n_d] full scaled matrix; NULL: not allocated yet */
    double *work;                         /* [n_d n_d + n_d] */
    int *perm;                            /* [n_d] pivots */
    double rank_tolerance;                /* of the last factorisation */
    int has_inertia, has_J;               /* 1: inertia is known; the engine had a setup */
    int is_exact;                         /* 1: derivatives are the model's, .. */
    int is_nested;                        /* .. but for dg/dp, which is differenced, and so those of G'lam twice */
    int n_free;                           /* dimension of the null space */
    int n_uncertain;                      /* directions in which errors of the derivatives exceed the stiffness */
} rsd_equilibrium;

/** Create all but the unknowns. After a failure, too, it is to be freed. */
resida_status rsd_equilibrium_create(rsd_equilibrium *eq, const resida_problem *problem, double t);
void rsd_equilibrium_free(rsd_equilibrium *eq);

/** Number the unknowns, all positions among them. RESIDA_ERR_MEMORY */
resida_status rsd_equilibrium_number(rsd_equilibrium *eq);

/** Replace positions on which no equation depends by their velocities. The engine has J. */
void rsd_equilibrium_find_steady(rsd_equilibrium *eq);

/** F at the current (trial = 0) or trial point. @return as rsd_guard_residual() */
int rsd_equilibrium_evaluate(rsd_equilibrium *eq, int trial);

/** dF/dy at the current point, F known, and from it the scales of unknowns and equations. @return likewise */
int rsd_equilibrium_linearize(rsd_equilibrium *eq, resida_jacobian_matrix *J);

/** Set r = F - (1 - s) r(x0). @return max |r_i|/weight_i */
double rsd_equilibrium_residual(rsd_equilibrium *eq, const double *F);

/** 1: components of r above the tolerance are rounding errors of equations of the least weight. */
int rsd_equilibrium_is_rounding(const rsd_equilibrium *eq, double tolerance);

/** dx = -(dr/dx)^+ r of least scaled norm, and d. RESIDA_ERR_MEMORY; RESIDA_ERR_SINGULAR (rank-deficient, and too large
 *  for a full matrix) */
resida_status rsd_equilibrium_correct(rsd_equilibrium *eq, const resida_jacobian_matrix *J);

/** d_next for the current r, with the matrix of the last correction. */
void rsd_equilibrium_correct_next(rsd_equilibrium *eq);

/** z = dx/ds [n_x] of r(x, t(s)) = (1 - s) r(x0), F known, with the matrix of the last correction. Overwrites r, d
 *  and F_trial. @return as rsd_guard_residual(); > 0 also where r(x0) is not in the range of the matrix */
int rsd_equilibrium_path_derivative(rsd_equilibrium *eq, double *z);

/** dx to the solution of A dx = -r nearest to y0 [n], with the last full matrix, without T. Overwrites r and d. */
void rsd_equilibrium_correct_drift(rsd_equilibrium *eq, const double *y0);

/** The full scaled matrix A [n_r x n_d], column by column. */
void rsd_equilibrium_matrix(const rsd_equilibrium *eq, const resida_jacobian_matrix *J, double *A);

/** max(|y_c|, least size); the least size is 1, or that of a small mechanism. */
double rsd_equilibrium_full_size(const rsd_equilibrium *eq, int c);

/** The same; of a position at most max(100, cbrt(|y|)), of which rounding of y is a part of eps^(2/3) where it is far
 *  away. */
double rsd_equilibrium_size(const rsd_equilibrium *eq, int c);

/** Components x [n_x] of scaled ones d [n_d]. */
void rsd_equilibrium_unscale(const rsd_equilibrium *eq, const double *d, double *out);

/** Set y and yp at t from the caller's guess. @return as resida_problem_start() */
resida_status rsd_equilibrium_start_from_guess(rsd_equilibrium *eq);

/** Set y and accelerations by a consistent start from p0 [n_p], v0 [n_v]. @return as resida_problem_start() */
resida_status rsd_equilibrium_start(rsd_equilibrium *eq, const double *p0, const double *v0,
                                    resida_start_report *report);

/** The current point after a step along the motion from rest, and its F. @return RESIDA_OK; RESIDA_ERR_NEWTON: there is
 *  no start, or it does not move; RESIDA_ERR_MEMORY; a status of the guard */
resida_status rsd_equilibrium_relax(rsd_equilibrium *eq);

/** Solve from the current point. RESIDA_OK; RESIDA_ERR_NEWTON; RESIDA_INTERRUPTED; a status of the guard. */
resida_status rsd_equilibrium_search(rsd_equilibrium *eq);

/** Find the null vectors at the solution, and name the unknowns in them in the report. RESIDA_ERR_MEMORY */
resida_status rsd_equilibrium_find_free(rsd_equilibrium *eq, const resida_jacobian_matrix *J);

/** Classify the stability by the modes of the linearised system. RESIDA_ERR_MEMORY; a status of the guard */
resida_status rsd_equilibrium_judge_stability(rsd_equilibrium *eq);

/** Names of the equations with the largest residuals, into the report. */
void rsd_equilibrium_name_worst(rsd_equilibrium *eq);

/** < 0: the status of the guard or, if it has none, why F could not be evaluated. */
resida_status rsd_equilibrium_failure(rsd_equilibrium *eq);

/** Relative error of the derivatives, of the largest entry of a row: differences, or the model's. */
double rsd_equilibrium_rounding(const rsd_equilibrium *eq);

#endif
