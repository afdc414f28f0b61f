/* rate.c - see rate.h. */
#include "rate.h"

#include <math.h>

enum { SEEN_AFTER = 16 }; /* steps a rate is seen anew: nothing else tells of a J that was broken where y rests */
#define LEAST 1e-4        /* rate, and rate/(1 - rate), that is expected of anything */

static double expected(const rsd_tangent_J *J)
{
    return fmax(rsd_policy_expected_rate(J->policy, J->facts), LEAST);
}

static double in_ratio(const rsd_tangent_rate *r, const rsd_tangent_J *J)
{
    return fmax(r->factor * expected(J) / r->expected, LEAST);
}

double rsd_tangent_rate_expect(const rsd_tangent_rate *r, const rsd_tangent_J *J)
{
    const rsd_policy *of_J = J->policy;
    if (!of_J->renews || of_J->rate_unknown || !(r->factor > 0) || r->unseen >= SEEN_AFTER) return RSD_RATE_NOT_KNOWN;
    const double of_y = of_J->factor < RSD_RATE_NOT_KNOWN ? of_J->factor : 0;
    return fmin(fmax(in_ratio(r, J), of_y), RSD_RATE_NOT_KNOWN);
}

void rsd_tangent_rate_see(rsd_tangent_rate *r, const rsd_tangent_J *J, double rate)
{
    const double factor = rate < 1 ? fmin(rate / (1 - rate), RSD_RATE_NOT_KNOWN) : RSD_RATE_NOT_KNOWN;
    r->unseen = 0;
    r->factor = fmax(factor, LEAST);
    r->expected = expected(J);
}
