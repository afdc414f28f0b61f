/* start_impl.h - work space and common parts of a consistent start and of an impact. Each has a work space of its own:
 * rsd_active_rows continues with the rows that a start has chosen. */
#ifndef RSD_START_IMPL_H
#define RSD_START_IMPL_H

#include "src/core/kkt/kkt.h"
#include "base/linear/damped_newton.h"
#include "base/linear/rank.h"
#include "src/core/problem/option_impl.h"
#include "src/core/problem/problem_impl.h"

#define RSD_START_FOLLOWS                                                                                              \
    1e-7 /* times (1 + norm of a row) (1 + norm of p or v): tolerance of the residual of a dropped row */

#define RSD_RANK_TOLERANCE 1e-8 /* the default: more is the accuracy of the description, of the largest entry of G */

struct rsd_start {
    rsd_mechanism *k;
    resida_problem *problem;
    const char *task; /* its name in messages */
    rsd_kkt kkt;
    rsd_rank rank;
    double *faint; /* [n_l] > 0: the row is hardly more than rounding, and this part of the largest entry its unit */
    int n_faint;
    int min_row;                      /* the independent row with the least new part, -1: not known */
    double new_part;                  /* its new part, of the largest entry of G */
    double *p, *v, *a, *lam;          /* current values of the result */
    double *p_try, *dp, *dq, *c, *mu; /* a correction */
    double *dp_next, *dp_sum;         /* [n_p] the next one by the same matrix; work */
    double *g, *g_try;                /* [n_l] of p, p_try */
    double size;                      /* of the given position for the constraints */
    int has_moved;                    /* 1: p is not the given position */
    resida_status status;             /* that stopped an iteration */
    double *base;                     /* [n_v] Psi without friction */
    double t;
    long calls_before;          /* of the formalism */
    resida_start_options given; /* of the last start */
    const resida_start_options *o;
    resida_start_report report;
    resida_message *why;
};

/** Allocate *out, a work space of q, unless it exists. */
resida_status rsd_start_reserve_for(resida_problem *q, rsd_start **out, const char *task, resida_message *why);

/** Begin at (t, p, v), whatever was started before. */
void rsd_start_begin(rsd_start *s, double t, const double *p, const double *v, const resida_start_options *o,
                     resida_message *why);

extern const rsd_options rsd_start_table;

/** @name Functions that set s->why
 *  @{ */
/** The status for the verdict of a callback; the message names the callback. */
resida_status rsd_start_verdict(rsd_start *s, int verdict);

/** The accuracy of the description, as a part of the largest entry of G; 0: rounding. */
static inline double rsd_start_accuracy(const resida_start_options *o)
{
    return o->rank_tolerance > RSD_RANK_TOLERANCE ? o->rank_tolerance : 0;
}

/** Append what of the model's accuracy makes a row redundant that is hardly new, where there is one. */
void rsd_start_suggest_accuracy(const rsd_start *s);

/** RESIDA_ERR_NONFINITE unless x [n], computed by callbacks or from their output, is finite. */
resida_status rsd_start_finite(rsd_start *s, const char *what, const double *x, long n);

/** Evaluate G and T at p; M and Psi at s->p, s->v. */
resida_status rsd_start_rows(rsd_start *s, const double *p);
resida_status rsd_start_metric(rsd_start *s);

/** G v + gI and Gh v + gh [n_l] at s->p, s->v. */
resida_status rsd_start_velocity_level(rsd_start *s, double *w);

/** @name faint_rows.c @{ */
/** Find the faint rows of the dg/dp at hand. s->p_try, s->dp, s->c, s->mu, s->lam are work.
 *  Cost: where a row is small two calls of g */
resida_status rsd_start_find_faint_rows(rsd_start *s);

/** *are_absent 1: the redundant rows are all faint, and stay small along a motion that the others allow. s->p_try,
 *  s->a, s->dp, s->dq, s->c, s->mu are work.  Cost: where they are faint, dg/dp twice, and a factorisation */
resida_status rsd_start_are_absent(rsd_start *s, int *are_absent);
/** @} */

/** Find the independent rows, into s->kkt and s->report. RESIDA_OK; RESIDA_ERR_REDUNDANT if the options refuse them */
resida_status rsd_start_rank(rsd_start *s);

/** @return RESIDA_OK, RESIDA_ERR_SINGULAR, RESIDA_ERR_MEMORY */
resida_status rsd_start_factor(rsd_start *s);
resida_status rsd_start_singular(rsd_start *s);

/** s->a and s->lam with the active rows, for Psi(lam = 0) and -s->c [n_l], the biases of all rows. Psi is evaluated
 *  again if the velocity has changed. */
resida_status rsd_start_acceleration(rsd_start *s);

/** Decide which contacts are closed at the consistent state s->p, s->v, all rows of contacts left out, and mark them in
 *  the problem. contact_forces.c
 *  @return RESIDA_OK; RESIDA_ERR_INCONSISTENT a contact is closed and not seen to close, or closes with a speed, or no
 *  accelerations are allowed by all; RESIDA_ERR_REDUNDANT joints hold one that closes; RESIDA_ERR_SINGULAR */
resida_status rsd_start_find_closed(rsd_start *s, int *n_closed);

/** @name norm_rows.c @{ */
/** Project s->p onto the invariants: RESIDA_OK; RESIDA_ERR_INCONSISTENT. And check K T = 0 for the current K and T. */
resida_status rsd_start_find_invariants(rsd_start *s);
resida_status rsd_start_check_invariants(rsd_start *s);

/** 1: the current matrices have a null row: one of G = (dg/dp) T is zero up to rounding, and not that of dg/dp. */
int rsd_has_null_row(rsd_mechanism *k);

/** Set null rows of A [n_l x n_v] = (G, Gh) to zero. */
void rsd_clear_null_rows(rsd_mechanism *k, double *A);

/** Describe the redundant rows, as combinations of others, and those that should be invariants. s->p_try is work.
 *  @return the verdict of the callbacks */
int rsd_start_describe_redundant(rsd_start *s);
/** @} */

/** Check the ranges of the options. */
resida_status rsd_start_check_options(const resida_start_options *o, resida_message *why);
/** @} */

#endif
