/* ask.c - see ask.h: calls on the clock, which are out of the way of those that are not. */
#include "ask.h"

#include "src/base/profile.h"

int rsd_timed_position(rsd_mechanism *k, rsd_callback which, resida_position_fn *callback, double t, const double *p,
                       double *out)
{
    rsd_profile *profile = k->meter.tally->profile;
    const int back = rsd_profile_enter_callback(profile, which);
    const int verdict = rsd_call_position(t, p, &k->e, out, k->m.user, &k->fault.thrown, callback);
    rsd_profile_leave(profile, back);
    return verdict;
}

int rsd_timed_velocity(rsd_mechanism *k, rsd_callback which, resida_velocity_fn *callback, double t, const double *p,
                       const double *v, double *out)
{
    rsd_profile *profile = k->meter.tally->profile;
    const int back = rsd_profile_enter_callback(profile, which);
    const int verdict = rsd_call_velocity(t, p, v, &k->e, out, k->m.user, &k->fault.thrown, callback);
    rsd_profile_leave(profile, back);
    return verdict;
}
