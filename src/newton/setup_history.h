/* setup_history.h - what earlier setups led to: failures behind a current J, and the residual calls that the motion
 * took under evaluations and under repairs of dF/dy. Of that follows whether a repair pays.
 *
 * The history lies with the engine (jacobian/engine.h), as callers of resida_jacobian_setup() have one, too. It changes
 * by the events below, and is read by policy.c. */
#ifndef RSD_SETUP_HISTORY_H
#define RSD_SETUP_HISTORY_H

#include "jacobian/engine.h"

/** 1: a repair of dF/dy is expected to take fewer residual calls for the same motion than an evaluation. */
int rsd_history_repair_pays(const rsd_setup_history *history, resida_setup_reason reason, const rsd_engine_facts *e);

/* --- Events --- */

/** A setup begins. Behind a failure: J, as the last setup left it, did not serve. */
void rsd_history_begin_setup(rsd_setup_history *history, resida_setup_reason reason, const rsd_engine_facts *e);

/** A setup by a plan took residual calls. They are charged to what was planned: to a repair also where the engine gave
 *  it up and evaluated. */
void rsd_history_record_setup(rsd_setup_history *history, rsd_action planned, long calls);

/** A factorisation costs as much as so many residual calls; a repair takes one more than an evaluation. */
void rsd_history_record_factorisation(rsd_setup_history *history, double calls);

/** An iteration took a residual call. */
void rsd_history_record_iteration(rsd_setup_history *history);

/** An attempt with a step of size h converged. */
void rsd_history_record_step(rsd_setup_history *history, double h);

#endif
