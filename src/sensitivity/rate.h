/* rate.h - how fast the iteration for s converges with the J of y, as far as one correction can be trusted.
 *
 * The equation for s is linear: its rate depends on J alone, on its alpha and on how old its parts are. Where J is
 * renewed as it pays, its account (src/newton/account.h) has a rate for y that follows both; that for s, which goes
 * along other directions, is taken to stay in the same ratio to it as when it was seen last. Where J is kept whole, a
 * rate is seen at each step. */
#ifndef RSD_SENSITIVITY_RATE_H
#define RSD_SENSITIVITY_RATE_H

#include "src/newton/policy.h"

/** rate/(1 - rate) where no rate is known, as in DASSL. */
#define RSD_RATE_NOT_KNOWN 20.0

/** Of one parameter. All 0: no rate was seen. */
typedef struct rsd_tangent_rate {
    double factor;   /* rate/(1 - rate) of the last rate seen; 0: none was */
    double expected; /* rate for y, as the account of J had it then */
    long unseen;     /* steps since */
} rsd_tangent_rate;

/** J, and the step that it serves. */
typedef struct rsd_tangent_J {
    const rsd_policy *policy;
    const rsd_newton_facts *facts;
} rsd_tangent_J;

/** rate/(1 - rate) to be expected. */
double rsd_tangent_rate_expect(const rsd_tangent_rate *r, const rsd_tangent_J *J);

/** A rate was seen. */
void rsd_tangent_rate_see(rsd_tangent_rate *r, const rsd_tangent_J *J, double rate);

#endif
