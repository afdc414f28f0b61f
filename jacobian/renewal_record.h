/* renewal_record.h - records the events that change the facts of renewal.h: restarts, attempts, setups, iterations. */
#ifndef RSD_RENEWAL_RECORD_H
#define RSD_RENEWAL_RECORD_H

#include "renewal.h"

/** Record a restart of the integration within the last step: J is kept, and its blocks are updated at the next attempt.
 *  */
void rsd_renewal_restart(rsd_renewal *r);

/** Record another restart of the integration: J is discarded. */
void rsd_renewal_discard_J(rsd_renewal *r);

/** Record the beginning of an attempt. r->attempt must be set. */
void rsd_renewal_begin_attempt(rsd_renewal *r);

/** Record the beginning of a setup. If the reason of the setup is a failure, the failure is counted for the last J. */
void rsd_renewal_begin_setup(rsd_renewal *r, const rsd_plan *plan);

/** Record that the engine has set J up by a plan, with `calls` residual calls. Calls of a planned repair are charged to
 *  the repair even if it failed and dF/dy was evaluated. */
void rsd_renewal_record_calls(rsd_renewal *r, const rsd_plan *plan, long calls);

/** Record that J was set up and factored. */
void rsd_renewal_record_J(rsd_renewal *r);

/** Count a residual call of the iteration. */
static inline void rsd_renewal_record_call(rsd_renewal *r)
{
    r->repair.now.calls++;
}

/** Count a correction that has not converged and is followed by another one. */
static inline void rsd_renewal_record_continuation(rsd_renewal *r)
{
    r->events.wasted_iterations++;
}

/** Record the measured convergence rate of a correction. */
void rsd_renewal_record_rate(rsd_renewal *r, double rate);

/** Record the end of an iteration: it converged, it failed, or F could not be evaluated. */
void rsd_renewal_end_iteration(rsd_renewal *r, const rsd_iteration *it);

/** Record the end of the iteration and the projection. A later rejection of the step, by the error test of IDA or by an
 *  additional rule, is not recorded. verdict is 0 if the iteration has converged, > 0 if it has not converged, and < 0
 *  on a fatal error. */
void rsd_renewal_end_attempt(rsd_renewal *r, int verdict);

/* Events of the model of the rate, in this order:
 * - init: reset the model;
 * - an attempt begins; is_other_alpha is 1 if its alpha differs from that of the last attempt;
 * - a level was renewed in this attempt;
 * - a rate was measured;
 * - an iteration has ended; rate: its convergence rate, 0 if unknown; first: norm of its first correction. */
void rsd_rate_model_init(rsd_rate_model *m);
void rsd_rate_model_begin_attempt(rsd_renewal *r, int is_other_alpha);
void rsd_rate_model_mark_renewed(rsd_renewal *r);
void rsd_rate_model_record_rate(rsd_renewal *r, double rate);
void rsd_rate_model_charge(rsd_renewal *r, double rate, double first);

#endif
