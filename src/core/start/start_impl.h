/* start_impl.h - work space and common parts of a consistent start and of an impact. Starts and impacts have separate
 * work spaces, because rsd_active_rows uses the rows selected by a start until the next start. */
#ifndef RSD_START_IMPL_H
#define RSD_START_IMPL_H

#include "src/core/kkt/kkt.h"
#include "base/linear/damped_newton.h"
#include "base/linear/rank.h"
#include "src/core/problem/option_impl.h"
#include "src/core/problem/problem_impl.h"

/* Maximum residual of a dropped constraint, relative to (1 + norm of the row) (1 + norm of p or v). */
#define RSD_START_FOLLOWS  1e-7

#define RSD_RANK_TOLERANCE 1e-8 /* default of rank_tolerance; a larger value also states the accuracy of G */

struct rsd_start {
    rsd_mechanism *k;        /* mechanism of the problem */
    resida_problem *problem; /* problem that owns the work space */
    const char *task;        /* name of the task in messages, "consistent start" or "impact" */
    rsd_kkt kkt;             /* linear system for accelerations and multipliers */
    rsd_rank rank;           /* rank of the constraint matrix */
    double *faint;   /* [n_l] minimum divisor of a faint row in the rank test, relative to max |G_ij|; other rows: 0 */
    int n_faint;     /* number of faint rows, which may consist of rounding errors (faint_rows.c) */
    int min_row;     /* independent row with the smallest component orthogonal to the preceding rows, or -1 */
    double new_part; /* norm of this component of min_row, divided by the largest entry of G */
    double *p, *v, *a, *lam;          /* [n_p], [n_v], [n_v], [n_l] current approximation of the state */
    double *p_try, *dp, *dq, *c, *mu; /* [n_p] p + lambda dp; T dq; [n_v] Newton step; [n_l] right side; multipliers */
    double *dp_next, *dp_sum;         /* [n_p] next correction of p, from g at p_try; work space */
    double *g, *g_try;                /* [n_l] g at p; g at p_try */
    double size;                      /* norm of p, then of lam; the size of corrections is relative to it */
    int has_moved;                    /* 1: p differs from the given positions */
    double *base;                     /* [n_v] applied forces Psi without friction (M^-1 Psi if explicit) */
    double t;                         /* time of the start [s] */
    long calls_before;                /* calls of the formalism before the start */
    resida_start_options given;       /* copy of the options of the last start */
    const resida_start_options *o;    /* points to `given` */
    resida_start_report report;       /* results for the caller */
    resida_message *why;              /* message for the caller */
};

/** Allocate *out, a work space for starts or impacts of q, unless it exists. task is the name used in messages. */
resida_status rsd_start_allocate_for(resida_problem *q, rsd_start **out, const char *task, resida_message *why);

/** Begin a start at (t, p, v), independently of earlier starts. */
void rsd_start_begin(rsd_start *s, double t, const double *p, const double *v, const resida_start_options *o,
                     resida_message *why);

extern const rsd_options rsd_start_table;

/** @name Functions that set s->why on failure
 *  @{ */
/** Convert the verdict of a callback to a status. The message contains the name of the callback. */
resida_status rsd_start_convert_verdict(rsd_start *s, int verdict);

/** Return the error of G relative to its largest entry, or 0 if G has only rounding errors. */
static inline double rsd_start_accuracy(const resida_start_options *o)
{
    return o->rank_tolerance > RSD_RANK_TOLERANCE ? o->rank_tolerance : 0;
}

/** Return the rounding error of constraint `row`, a multiple of eps times sum_j |(dg/dp)_ij x_j| or sum_j |Gh_ij v_j|.
 *  With x [n_p] = p it is the error of g_i. With x = p' and the velocities v [n_v] it is that of the velocity level. */
double rsd_start_get_rounding(const rsd_start *s, int row, const double *x, const double *v);

/** If s->min_row is almost redundant, append to the message a rank_tolerance with which the row is dropped. */
void rsd_start_suggest_accuracy(const rsd_start *s);

/** Return RESIDA_ERR_NONFINITE unless x [n], computed from outputs of callbacks, is finite. `what` is the name of x. */
resida_status rsd_start_check_finite(rsd_start *s, const char *what, const double *x, long n);

/** rsd_start_eval_rows() evaluates G and T at p. rsd_start_eval_metric() evaluates the mass matrix M and the forces Psi
 *  at s->p, s->v. Return RESIDA_ERR_NONFINITE if a value is not finite. */
resida_status rsd_start_eval_rows(rsd_start *s, const double *p);
resida_status rsd_start_eval_metric(rsd_start *s);

/** Evaluate the velocity constraints w [n_l] = (G v + gI, Gh v + gh) at s->p, s->v. */
resida_status rsd_start_eval_velocity_level(rsd_start *s, double *w);

/** @name faint_rows.c @{ */
/** Find the faint rows of the current dg/dp, which may consist of rounding errors (faint_rows.c). Set s->faint and
 *  s->n_faint. Overwrites s->p_try, s->dp, s->c, s->mu, s->lam.
 *  Cost: two calls of g if a row is small */
resida_status rsd_start_find_faint_rows(rsd_start *s);

/** Set *are_absent to 1 if all redundant rows are faint, and remain small along a motion that the other rows allow.
 *  Otherwise set it to 0. Overwrites s->p_try, s->a, s->dp, s->dq, s->c, s->mu.
 *  Cost: if all redundant rows are faint, two evaluations of dg/dp, and a factorization */
resida_status rsd_start_check_faint_rows(rsd_start *s, int *are_absent);
/** @} */

/** Find the independent rows, and store them in s->kkt and s->report. Return RESIDA_OK on success, or
 *  RESIDA_ERR_REDUNDANT if rows are redundant and the options do not permit to drop them. */
resida_status rsd_start_find_independent_rows(rsd_start *s);

/** Factor the matrix of the linear system s->kkt. @return RESIDA_OK, RESIDA_ERR_SINGULAR, RESIDA_ERR_MEMORY */
resida_status rsd_start_factor(rsd_start *s);
resida_status rsd_start_report_singular(rsd_start *s);

/** Solve for accelerations s->a and multipliers s->lam with the active rows and Psi(lam = 0). Psi is evaluated again if
 *  the start has changed the velocity. s->c [n_l] is set to -gamma, minus the acceleration biases of all rows. */
resida_status rsd_start_solve_acceleration(rsd_start *s);

/** Determine which contacts are closed, mark them in the problem, and set *n_closed to the number of closed contacts.
 *  s->p and s->v must be consistent without the rows of contacts. Contacts that close with a speed remain open, and
 *  have an impact at once. The function is in contact_forces.c.
 *  @return RESIDA_OK; RESIDA_ERR_INCONSISTENT if the closing of a contact was not detected, or if no accelerations
 *  satisfy all contacts; RESIDA_ERR_REDUNDANT if joints prevent the motion of a contact; RESIDA_ERR_SINGULAR */
resida_status rsd_start_find_closed_contacts(rsd_start *s, int *n_closed);

/** @name norm_rows.c @{ */
/** rsd_start_find_invariants() projects s->p onto the invariants. It returns RESIDA_ERR_INCONSISTENT if the projection
 *  fails. rsd_start_check_invariants() returns RESIDA_ERR_MODEL unless K T = 0 for the current K and T. */
resida_status rsd_start_find_invariants(rsd_start *s);
resida_status rsd_start_check_invariants(rsd_start *s);

/** Return 1 if (dg/dp) T has a null row, which is zero up to rounding although the row of dg/dp is not zero. */
int rsd_has_null_row(rsd_mechanism *k);

/** Set null rows of A [n_l x n_v] = (G, Gh) to zero. */
void rsd_clear_null_rows(rsd_mechanism *k, double *A);

/** Describe in s->why the redundant rows as combinations of the other rows, and the rows that should be invariants.
 *  Overwrites s->lam.
 *  @return 0 on success, > 0 if a callback could not be evaluated, < 0 on a fatal error */
int rsd_start_describe_redundant(rsd_start *s);
/** @} */

/** Check the ranges of the options of a start. Return RESIDA_OK or RESIDA_ERR_OPTION. */
resida_status rsd_start_check_options(const resida_start_options *o, resida_message *why);
/** @} */

#endif
