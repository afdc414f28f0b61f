/* ida_first_step.h - the size of the first step. */
#ifndef RSD_IDA_FIRST_STEP_H
#define RSD_IDA_FIRST_STEP_H

#include "ida_newton.h"

/** A start, and which of its n components are in the error test: 1 or 0. */
typedef struct rsd_first_state {
    int n;
    double number;                 /**< of the start, from 1 on, among those that go on where the last steps ended */
    double t;                      /**< counted from nw->origin on */
    const double *y, *yp, *tested; /**< [n] */
    double *w, *predictor, *off;   /**< [n] scratch */
} rsd_first_state;

/** The first step h: the user's; where J outlives a change of the step, as long as order 1 allows; else IDA's rule, a
 *  thousandth of the way, less if y would change by more than half a tolerance. The way is that to the stop time when
 *  there is one, else to t_out. nw holds J afterwards, if it was needed.
 *  @return RESIDA_OK; what ends the integration, with its message
 *  Cost: a residual call or some, and an evaluation of J if nw has none. */
resida_status rsd_first_step(rsd_ida_newton *nw, const rsd_first_state *s, const resida_solver_options *o, double t_out,
                             double t_stop, double *h);

/** 1: a way from s->t that is no more than rounding, and on which nothing changes; or a way whose inverse would
 *  overflow. */
int rsd_is_too_close_to_begin(const rsd_ida_newton *nw, const rsd_first_state *s, const resida_solver_options *o,
                              double way);

#endif
