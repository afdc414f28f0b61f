/* rate.h - the expected convergence rate of the iteration for s with the J of y.
 *
 * The equation for s is linear: its rate depends on J alone, on its alpha and on the age of its parts. Where the
 * account of J (src/newton/account.h) predicts a rate for y, the rate for s, along other directions, is assumed to keep
 * the ratio to it that was measured last. Where J is always evaluated as a whole, the rate is measured at each step. */
#ifndef RSD_SENSITIVITY_RATE_H
#define RSD_SENSITIVITY_RATE_H

#include "src/newton/policy.h"

/** rate/(1 - rate) where no rate is known, as in DASSL. */
#define RSD_RATE_NOT_KNOWN 20.0

/** The rate for one parameter. All 0: none was measured. */
typedef struct rsd_tangent_rate {
    double factor;   /* rate/(1 - rate) of the last measured rate; 0: none */
    double expected; /* rate for y that the account of J predicted then */
    long unseen;     /* steps since then */
} rsd_tangent_rate;

/** The policy of J and the facts of the engine at the step. */
typedef struct rsd_tangent_J {
    const rsd_policy *policy;
    const rsd_newton_facts *facts;
} rsd_tangent_J;

/** The expected rate/(1 - rate). */
double rsd_tangent_rate_expect(const rsd_tangent_rate *r, const rsd_tangent_J *J);

/** Record a measured rate. */
void rsd_tangent_rate_see(rsd_tangent_rate *r, const rsd_tangent_J *J, double rate);

#endif
