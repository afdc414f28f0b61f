/* ask.h - calls a callback of a mechanism: counts it, times it if somebody asks for that, and keeps how it failed. */
#ifndef RSD_ASK_H
#define RSD_ASK_H

#include "mechanism_impl.h"

#include "src/base/profile.h"

/** out [n] of a callback of positions, with the excitation at hand. Its verdict. */
static inline int rsd_ask_position(rsd_mechanism *k, rsd_callback which, resida_position_fn *callback, double t,
                                   const double *p, double *out, int n)
{
    const int back = rsd_tally_enter(k->meter.tally, which);
    const int verdict = rsd_call_position(t, p, &k->e, out, k->m.user, &k->fault.thrown, callback);
    rsd_tally_leave(k->meter.tally, back);
    return rsd_fault_note(&k->fault, rsd_callback_names[which], t, verdict, out, n);
}

/** The same of positions and velocities. */
static inline int rsd_ask_velocity(rsd_mechanism *k, rsd_callback which, resida_velocity_fn *callback, double t,
                                   const double *p, const double *v, double *out, int n)
{
    const int back = rsd_tally_enter(k->meter.tally, which);
    const int verdict = rsd_call_velocity(t, p, v, &k->e, out, k->m.user, &k->fault.thrown, callback);
    rsd_tally_leave(k->meter.tally, back);
    return rsd_fault_note(&k->fault, rsd_callback_names[which], t, verdict, out, n);
}

#endif
