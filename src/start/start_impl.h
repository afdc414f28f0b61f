/* start_impl.h - work space and common parts of a consistent start and of an impact. Each has a work space of its own:
 * rsd_active_rows continues with the rows that a start has chosen. */
#ifndef RSD_START_IMPL_H
#define RSD_START_IMPL_H

#include "src/kkt/kkt.h"
#include "src/linear/rank.h"
#include "src/problem/problem_impl.h"

#define RSD_START_FOLLOWS                                                                                              \
    1e-7 /* of 1 and the norm of a row, of 1 and the size of p, v: what a dropped row may be off */

struct rsd_start {
    rsd_mechanism *k;
    const char *task; /* in words */
    rsd_kkt kkt;
    rsd_rank rank;
    double *p, *v, *a, *lam;          /* the result so far */
    double *p_try, *dp, *dq, *c, *mu; /* a correction */
    double t;
    const resida_start_options *o;
    resida_start_report report;
    resida_message *why;
};

/** Make the work space of impacts now. */
resida_status rsd_impact_reserve(resida_problem *q, resida_message *why);

/** @name With a message in s->why
 *  @{ */
/** A verdict of a callback as a status, with the callback named. */
resida_status rsd_start_verdict(rsd_start *s, int verdict);

/** What callbacks gave, or was made of it. */
resida_status rsd_start_finite(rsd_start *s, const char *what, const double *x, long n);

/** G, T at p; then M and Psi at s->p, s->v. */
resida_status rsd_start_rows(rsd_start *s, const double *p);
resida_status rsd_start_metric(rsd_start *s);

/** Which rows are independent, into s->kkt and s->report. RESIDA_OK; RESIDA_ERR_REDUNDANT where the options refuse */
resida_status rsd_start_rank(rsd_start *s);

/** @return RESIDA_OK, RESIDA_ERR_SINGULAR, RESIDA_ERR_MEMORY */
resida_status rsd_start_factor(rsd_start *s);
resida_status rsd_start_singular(rsd_start *s);

/** Options as such. */
resida_status rsd_start_check_options(const resida_start_options *o, resida_message *why);
/** @} */

#endif
