/* ida_first_step.h - the size of the first step. */
#ifndef RSD_IDA_FIRST_STEP_H
#define RSD_IDA_FIRST_STEP_H

#include <resida/solver.h>

/** A start, and which of its n components are in the error test: 1 or 0. */
typedef struct rsd_first_state {
    int n;
    double t;
    const double *y, *yp, *tested; /**< [n] */
    const double *atol;            /**< [n] */
} rsd_first_state;

/** The first step as IDA chooses it: a thousandth of the way, less if y would change by more than half a tolerance. The
 *  way is that to the stop time when there is one, so that the trajectory does not depend on the first output. */
double rsd_first_step(const rsd_first_state *s, const resida_solver_options *o, double t_out, double t_stop);

/** IDA refuses to begin for a time that differs from t by rounding only; and 1/h must not overflow. */
int rsd_is_too_close_to_begin(double t, double t_out);

#endif
