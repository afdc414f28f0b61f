/* ask.h - calls a callback of a mechanism: counts it, times it if somebody asks for that, and keeps how it failed. */
#ifndef RSD_ASK_H
#define RSD_ASK_H

#include "mechanism_impl.h"

/** The calls alone, on the clock of k->meter.tally->profile, which is there. ask.c */
int rsd_timed_position(rsd_mechanism *k, rsd_callback which, resida_position_fn *callback, double t, const double *p,
                       double *out);
int rsd_timed_velocity(rsd_mechanism *k, rsd_callback which, resida_velocity_fn *callback, double t, const double *p,
                       const double *v, double *out);

/** out [n] of a callback of positions, with the excitation at hand. Its verdict. */
static inline int rsd_ask_position(rsd_mechanism *k, rsd_callback which, resida_position_fn *callback, double t,
                                   const double *p, double *out, int n)
{
    rsd_tally_call(k->meter.tally, which);
    int verdict = k->meter.tally->profile ? rsd_timed_position(k, which, callback, t, p, out)
                                          : rsd_call_position(t, p, &k->e, out, k->m.user, &k->fault.thrown, callback);
    return rsd_fault_note(&k->fault, rsd_callback_names[which], t, verdict, out, n);
}

/** The same of positions and velocities. */
static inline int rsd_ask_velocity(rsd_mechanism *k, rsd_callback which, resida_velocity_fn *callback, double t,
                                   const double *p, const double *v, double *out, int n)
{
    rsd_tally_call(k->meter.tally, which);
    int verdict = k->meter.tally->profile
                      ? rsd_timed_velocity(k, which, callback, t, p, v, out)
                      : rsd_call_velocity(t, p, v, &k->e, out, k->m.user, &k->fault.thrown, callback);
    return rsd_fault_note(&k->fault, rsd_callback_names[which], t, verdict, out, n);
}

#endif
