/* examine.h - compares each derivative that a model gives with differences along one random direction, and checks a
 * start that is given. */
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
    double *lam_moved;                  /* [n_l] likewise */
    double *p_nearby;                   /* [n_p] where entries of dg/dp are compared */
    rsd_colouring columns;              /* of dg/dp; without groups each column is one */
    double t;
    const double *p, *v, *a, *lam; /* the state that is examined */
    const char *wrong;             /* the warning of a dg/dp that contradicts g by more than differences err; NULL */
} rsd_examiner;

/** All memory, whose owner frees it. @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_examiner_create(rsd_examiner *w, rsd_mechanism *k, rsd_warnings *warnings,
                                  const resida_allocator *alloc);

/** At the start: excitations, and the constraints' derivatives, which costs two calls of g with dg/dp, and two with gI;
 *  two of dg/dp and gI with a bias of accelerations; where the model gives dg/dp one call of that, and two of g for
 *  each group of columns that share no row; more only where something does not agree. No call of the formalism. The
 *  verdict of the callbacks. */
int rsd_examine_start(rsd_examiner *w, double t, const double *p, const double *v);

/** At an accepted step: gI, where the model gives it, beside differences of g in time; at a start at rest it is 0, and
 *  its sign is not seen. Matrices at hand and scales stay as they are.
 *  Cost: a call of gI, two of g, three of the excitation; more only where they do not agree. */
int rsd_examine_rate(rsd_examiner *w, double t, const double *p, const double *v);

/** What needs calls of the formalism: mass matrix, derivatives, potential, T. lam [n_l] */
int rsd_examine_forces(rsd_examiner *w, double t, const double *p, const double *v, const double *a, const double *lam);
int rsd_examine_kinematics(rsd_examiner *w, double t, const double *p);

/** Warn where the M that a start has left in q has v'M v < 0, without calls of the model. 0: no memory */
int rsd_examine_inertia(const rsd_kkt *q, double t, rsd_warnings *warnings);

/** A claim of a callback about rows of a function, in words: "CALLBACK: WHAT g[1] is 2 ALONG at t = 0, SOURCE 3". */
typedef struct rsd_statement {
    rsd_claim claim;
    const char *callback, *what, *along, *source;
} rsd_statement;

/** Warn that a row of this name is `given`, and another number by differences. */
void rsd_examine_warn(rsd_examiner *w, const rsd_statement *s, const char *row, double given, double found);

/** Compare n given rows of w->c with differences, and warn of the worst by its number. The verdict of the callbacks. */
int rsd_examine_rows(rsd_examiner *w, const rsd_statement *s, int n, rsd_along *x);

/** Groups of columns of A that share no row. @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_examine_groups(rsd_colouring *c, const rsd_csr *A, const resida_allocator *alloc);

/** Number j of a random direction, 0.5 .. 1.5 of either sign. */
double rsd_random_move(int j);

/** Begin at a state: matrices at hand, direction. */
int rsd_examine_at(rsd_examiner *w, double t, const double *p, const double *v);

/** 1: rounding of t, p and v is well below the increments. */
int rsd_examine_is_fine(const rsd_examiner *w);

/** Add A d to the given rows. */
void rsd_examine_add(rsd_curve *c, const rsd_csr *A, const double *values, const double *d);

/** p_moved = the place s along the direction, where T leads. */
int rsd_examine_move(rsd_examiner *w, double s);

/** A start of a general DAE, and [n] work. */
typedef struct rsd_given_start {
    double t;
    const double *y, *yp; /* [n] */
    const resida_solver_options *o;
    double *F, *F_moved, *y_moved, *yp_moved;
} rsd_given_start;

/** Warn where F is off by more than what a change of y by many tolerances, and of yp by a part of it, would make of it.
 *  Two residual calls. @return RESIDA_OK; what the guard stopped for */
resida_status rsd_examine_given_start(rsd_guard *guard, const rsd_given_start *s, rsd_warnings *warnings);

/** Warn where J(alpha) d is not the difference of F along (d, alpha d), d a random direction, for alpha = 0 and
 *  the one given. J(alpha) d by the jacobian of a general DAE; without one by differences of the entries of its
 *  pattern; by products that the model gives (resida/products.h), beside differences of the part of F that they are of.
 *  Takes memory for the time of the call. For each alpha: two residual calls, up to 57 where something does not agree,
 *  with one of the jacobian, two for each group of columns of the pattern, or eight products; where one
 *  is wrong the same again log2 n times, for the entry.
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY; what the guard stopped for */
resida_status rsd_examine_dF(rsd_guard *guard, double alpha, const resida_state *at, rsd_warnings *warnings);

#endif
