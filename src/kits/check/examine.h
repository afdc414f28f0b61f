/* examine.h - compares the derivatives that a model gives with difference quotients along a random direction. */
#ifndef RSD_EXAMINE_H
#define RSD_EXAMINE_H

#include "curve.h"
#include "src/core/kkt/kkt.h"
#include "src/core/watch/guard.h"
#include "src/core/watch/warnings.h"

/** Comparison of the derivatives of a mechanism with differences. */
typedef struct rsd_examiner {
    rsd_mechanism *k;                   /* the mechanism */
    rsd_warnings *warnings;             /* destination of warnings */
    rsd_curve c;                        /* given derivative and its differences */
    double *d_v, *d_p, *d_lam;          /* [n_v], [n_p], [n_l] random direction, with d_p = T d_v */
    double *p_moved, *p_half, *v_moved; /* [n_p], [n_p], [n_v] displaced positions and velocities */
    double *lam_moved;                  /* [n_l] displaced multipliers */
    double *p_nearby;                   /* [n_p] nearby positions at which all entries of dg/dp are compared */
    rsd_colouring columns;              /* groups of columns of dg/dp without a common row; empty: each column alone */
    double t;                           /* time of the state [s] */
    const double *p, *v, *a, *lam;      /* [n_p], [n_v], [n_v], [n_l] state at which derivatives are compared */
    const char *wrong;                  /* text of the warning that dg/dp or M is wrong; NULL: no such warning */
} rsd_examiner;

/** Allocate the arrays of an examiner. The owner of alloc frees them. @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_examiner_create(rsd_examiner *w, rsd_mechanism *k, rsd_warnings *warnings,
                                  const resida_allocator *alloc);

/** Compare excitations and derivatives of constraints with difference quotients at a start. The formalism is not
 *  called. Return the value of the callbacks. Cost: two calls of g for dg/dp and two for gI; two calls of dg/dp and gI
 *  for an acceleration bias; if the model gives dg/dp, one call of dg/dp, and two calls of g for each group of columns
 *  without a common row. If a row disagrees, more calls follow. */
int rsd_examine_start(rsd_examiner *w, double t, const double *p, const double *v);

/** After an accepted step, compare gI with difference quotients of g if the model gives gI. A comparison at a start at
 *  rest would miss a wrong sign, because gI is 0 there. The matrices and scales of the state do not change. Cost: one
 *  call of gI, two of g, three of the excitation; more if a row disagrees. */
int rsd_examine_gI(rsd_examiner *w, double t, const double *p, const double *v);

/** The first function compares mass matrix, derivatives and potential with the formalism, the second one compares T. */
int rsd_examine_forces(rsd_examiner *w, double t, const double *p, const double *v, const double *a, const double *lam);
int rsd_examine_kinematics(rsd_examiner *w, double t, const double *p);

/** Compare the mass matrix that the model gives for the residual formalism with a start (a, lam) that was solved with
 *  it, after rsd_examine_start(). If M is wrong, Phi(a + d) - M d != -G' lam for a random d. Cost: one residual call */
int rsd_examine_start_mass(rsd_examiner *w, const double *a, const double *lam);

/** Warn if the mass matrix of a start, stored in q, is not positive semidefinite. The model is not called. Return 0 if
 *  memory is exhausted. */
int rsd_examine_inertia(const rsd_kkt *q, double t, rsd_warnings *warnings);

/** The texts of a warning, in its order: "CALLBACK: WHAT g[1] is 2 ALONG at t = 0, SOURCE 3". */
typedef struct rsd_statement {
    rsd_claim claim;                              /* kind of the warning */
    const char *callback, *what, *along, *source; /* words of the warning, as above */
} rsd_statement;

/** Warn that the model returned `given` for the row `row` and difference quotients returned `found`. */
void rsd_examine_warn(rsd_examiner *w, const rsd_statement *s, const char *row, double given, double found);

/** Group the columns of A such that columns of a group share no row. @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_examine_find_groups(rsd_colouring *c, const rsd_csr *A, const resida_allocator *alloc);

/** Return component j of a random direction. Its magnitude is between 0.5 and 1.5. */
double rsd_get_random_component(int j);

/** Set the state and the direction of an examiner, and evaluate the matrices. Return the value of the callbacks. */
int rsd_examine_set_state(rsd_examiner *w, double t, const double *p, const double *v);

/** Return 1 if the rounding errors of t, p and v are small compared with the increments. */
int rsd_examine_is_resolved(const rsd_examiner *w);

/** Add the product A d to the given derivative of c, and its terms to the scales. */
void rsd_curve_add_product(rsd_curve *c, const rsd_csr *A, const double *values, const double *d);

/** Evaluate the formalism at (p, v, lam), with x as accelerations or, in an explicit formalism, as additional forces.
 *  out [n_v]. Return the value of the callbacks. */
int rsd_examine_eval_formalism(rsd_examiner *w, const double *p, const double *v, const double *x, const double *lam,
                               double *out);

/** Compute p_moved, the position after motion over s along p' = T d_v. Return the value of the callbacks. */
int rsd_examine_move_position(rsd_examiner *w, double s);

/** Warn if J(alpha) d differs from difference quotients of F, for alpha = 0 and the given alpha, along a random
 *  direction d. J(alpha) d is computed by the jacobian of a general DAE, or else by differences on the given pattern,
 *  and by the products of the model (resida/products.h). Cost for each alpha: two residual calls, up to 57 if a row
 *  disagrees; and one call of the jacobian, or two residual calls for each group of columns, or eight products. Finding
 *  a wrong entry repeats this log2 n times. Memory is freed on return.
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY; the stop status of the guard */
resida_status rsd_examine_dF(rsd_guard *guard, double alpha, const resida_state *at, rsd_warnings *warnings);

/** The functions of src/core/kits.h. */
resida_status rsd_solver_create_examiner(resida_solver *s);
resida_status rsd_solver_examine_start(resida_solver *s, double t, const double *p0, const double *v0,
                                       const resida_start_options *o);
resida_status rsd_solver_examine_given_start(resida_solver *s, double t);
resida_status rsd_solver_examine_computed_start(resida_solver *s, double t, const double *y0, resida_status status);
resida_status rsd_solver_explain_failure(resida_solver *s, resida_status status);

#endif
