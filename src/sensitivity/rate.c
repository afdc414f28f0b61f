/* rate.c - see rate.h. */
#include "rate.h"

#include <math.h>

enum {
    MOST_UNSEEN = 16
};                 /* steps until a rate is measured again: while y is constant, nothing else detects an outdated J */
#define LEAST 1e-4 /* least expected rate, and rate/(1 - rate) */

static double expected_for_y(const rsd_tangent_J *J)
{
    return fmax(rsd_policy_expected_rate(J->policy, J->facts), LEAST);
}

static double scaled_factor(const rsd_tangent_rate *r, const rsd_tangent_J *J)
{
    return fmax(r->factor * expected_for_y(J) / r->expected, LEAST);
}

double rsd_tangent_rate_expect(const rsd_tangent_rate *r, const rsd_tangent_J *J)
{
    const rsd_policy *of_J = J->policy;
    if (!of_J->renews || of_J->rate_unknown || !(r->factor > 0) || r->unseen >= MOST_UNSEEN) return RSD_RATE_NOT_KNOWN;
    const double of_y = of_J->factor < RSD_RATE_NOT_KNOWN ? of_J->factor : 0;
    return fmin(fmax(scaled_factor(r, J), of_y), RSD_RATE_NOT_KNOWN);
}

void rsd_tangent_rate_see(rsd_tangent_rate *r, const rsd_tangent_J *J, double rate)
{
    const double factor = rate < 1 ? fmin(rate / (1 - rate), RSD_RATE_NOT_KNOWN) : RSD_RATE_NOT_KNOWN;
    r->unseen = 0;
    r->factor = fmax(factor, LEAST);
    r->expected = expected_for_y(J);
}
