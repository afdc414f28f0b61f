/* ida_failure.h - why IDA came back without a step, as a status and in words. */
#ifndef RSD_IDA_FAILURE_H
#define RSD_IDA_FAILURE_H

#include "ida_newton.h"
#include "ida_vector.h"

/** What IDASolve() returned, and where. */
typedef struct rsd_ida_failure {
    int flag;
    double t;
    const double *y;       /**< [n] at t */
    const double *tested;  /**< [n] 1: in the error test */
    rsd_vector_pool *pool; /**< for scratch */
    const char *text;      /**< what IDA would have printed */
} rsd_ida_failure;

/** The status; the guard's message says why, with the time, and with the component where there is one. */
resida_status rsd_ida_explain(const rsd_ida_failure *f, const rsd_ida_newton *nw, const resida_solver_options *o);

/** RESIDA_ERR_STEP_TOO_SMALL, for a step of size h to t, the last of so many steps in a row that do not move t;
 *  RESIDA_ERR_CHATTERING, of a component at t. */
resida_status rsd_ida_step_is_too_small(const rsd_ida_newton *nw, double t, double h, long steps);
resida_status rsd_ida_chatters(const rsd_ida_newton *nw, double t, double h, int component);

#endif
