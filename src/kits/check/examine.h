/* examine.h - compares derivatives that a model gives with differences along a random direction; checks given
 * starts. */
#ifndef RSD_EXAMINE_H
#define RSD_EXAMINE_H

#include "curve.h"
#include "src/core/kkt/kkt.h"
#include "src/core/watch/guard.h"
#include "src/core/watch/warnings.h"

typedef struct rsd_examiner {
    rsd_mechanism *k;
    rsd_warnings *warnings;
    rsd_curve c;
    double *d_v, *d_p, *d_lam;          /* [n_v], [n_p], [n_l] direction: d_p = T d_v */
    double *p_moved, *p_half, *v_moved; /* [n_p], [n_p], [n_v] work */
    double *lam_moved;                  /* [n_l] work */
    double *p_nearby;                   /* [n_p] state at which entries of dg/dp are compared */
    rsd_colouring columns;              /* groups of columns of dg/dp; without groups each column is separate */
    double t;
    const double *p, *v, *a, *lam; /* the state that is examined */
    const char *wrong;             /* the warning if dg/dp contradicts g by more than errors of differences, or NULL */
} rsd_examiner;

/** Allocate all memory; its owner frees it. @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_examiner_create(rsd_examiner *w, rsd_mechanism *k, rsd_warnings *warnings,
                                  const resida_allocator *alloc);

/** Examine excitations and derivatives of constraints at a start, without the formalism. Return the verdict of the
 *  callbacks. Cost: two calls of g for dg/dp and two for gI; two of dg/dp and gI for a bias of accelerations; if the
 *  model gives dg/dp, one call of it and two of g for each group of columns without a common row; more without
 *  agreement. */
int rsd_examine_start(rsd_examiner *w, double t, const double *p, const double *v);

/** Examine gI, if the model gives it, at an accepted step: at a start at rest it is 0, and a wrong sign is missed. The
 *  current matrices and scales are not changed. Cost: one call of gI, two of g, three of the excitation; more without
 *  agreement. */
int rsd_examine_rate(rsd_examiner *w, double t, const double *p, const double *v);

/** Examine, with calls of the formalism, mass matrix, derivatives and potential; T. lam [n_l] */
int rsd_examine_forces(rsd_examiner *w, double t, const double *p, const double *v, const double *a, const double *lam);
int rsd_examine_kinematics(rsd_examiner *w, double t, const double *p);

/** Warn if the M of a start, kept in q, has v'M v < 0; the model is not called. Return 0 without memory. */
int rsd_examine_inertia(const rsd_kkt *q, double t, rsd_warnings *warnings);

/** What a callback claims about rows of a function: "CALLBACK: WHAT g[1] is 2 ALONG at t = 0, SOURCE 3". */
typedef struct rsd_statement {
    rsd_claim claim;
    const char *callback, *what, *along, *source;
} rsd_statement;

/** Warn that the row of this name is `given` by the model, but `found` by differences. */
void rsd_examine_warn(rsd_examiner *w, const rsd_statement *s, const char *row, double given, double found);

/** Compare n given rows of w->c with differences; name the worst by its number. Return the verdict of the callbacks. */
int rsd_examine_rows(rsd_examiner *w, const rsd_statement *s, int n, rsd_along *x);

/** Find groups of columns of A that share no row. @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_examine_groups(rsd_colouring *c, const rsd_csr *A, const resida_allocator *alloc);

/** Return component j of a random direction, 0.5 .. 1.5 with either sign. */
double rsd_random_move(int j);

/** Set the state, evaluate its matrices, and set the direction. Return the verdict of the callbacks. */
int rsd_examine_at(rsd_examiner *w, double t, const double *p, const double *v);

/** Return 1 if rounding of t, p and v is small in comparison with the increments. */
int rsd_examine_is_fine(const rsd_examiner *w);

/** Add A d to the given rows. */
void rsd_examine_add(rsd_curve *c, const rsd_csr *A, const double *values, const double *d);

/** Set p_moved to the position at s along the direction, p' = T d_v. */
int rsd_examine_move(rsd_examiner *w, double s);

/** A start of a general DAE, and work [n]. */
typedef struct rsd_given_start {
    double t;
    const double *y, *yp; /* [n] */
    const resida_solver_options *o;
    double *F, *F_moved, *y_moved, *yp_moved;
} rsd_given_start;

/** Warn if F exceeds its change when y changes by many tolerances and yp by a part of it. Cost: two residual calls.
 *  @return RESIDA_OK; the status with which the guard stopped */
resida_status rsd_examine_given_start(rsd_guard *guard, const rsd_given_start *s, rsd_warnings *warnings);

/** Warn if J(alpha) d is not the difference of F along (d, alpha d), d a random direction, for alpha = 0 and the given
 *  alpha. J(alpha) d comes from the jacobian of a general DAE; without a jacobian, from differences of the entries of
 *  its pattern; and from products of the model (resida/products.h), compared with the part of F that they
 *  differentiate. Cost for each alpha: two residual calls, up to 57 if a row does not agree; one call of the jacobian,
 *  or two residual calls for each group of columns of the pattern, or eight products; the same log2 n times to find a
 *  wrong entry. Memory is used during the call only.
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY; the status with which the guard stopped */
resida_status rsd_examine_dF(rsd_guard *guard, double alpha, const resida_state *at, rsd_warnings *warnings);

#endif
