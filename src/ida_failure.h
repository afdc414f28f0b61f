/* ida_failure.h - why IDA came back without a step, as a status and in words. */
#ifndef RSD_IDA_FAILURE_H
#define RSD_IDA_FAILURE_H

#include "ida_newton.h"

/** What IDASolve() returned, and where. */
typedef struct rsd_ida_failure {
    int flag;
    double t;
    const double *y;  /**< [n] at t */
    const char *text; /**< what IDA would have printed */
} rsd_ida_failure;

/** The status; the guard's message says why, with the time, and with the component where there is one. */
resida_status rsd_ida_explain(const rsd_ida_failure *f, const rsd_newton *nw, const resida_solver_options *o);

#endif
