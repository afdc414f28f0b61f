/* profile.h - where the time of a run goes: one clock, which stands at one activity at a time. What is entered within
 * another activity is not a part of that one, so all of them add up to the whole. */
#ifndef RSD_PROFILE_H
#define RSD_PROFILE_H

#include "tally.h"

/** What a solver does, behind the callbacks of rsd_callback; in the order of resida_profile. */
typedef enum rsd_activity {
    RSD_IN_START = (int)RSD_N_CALLBACKS, /* the consistent start */
    RSD_IN_STEPS,                        /* the integrator: prediction, error test, order, output, events */
    RSD_IN_ITERATION,                    /* vectors of the corrector iteration */
    RSD_IN_ROWS,                         /* F of the iteration: constraint forces, rows */
    RSD_IN_DIFFERENCES,                  /* of F, for J */
    RSD_IN_ASSEMBLY,                     /* of J */
    RSD_IN_FACTORS,
    RSD_IN_SOLUTIONS,
    RSD_IN_REST, /* anything else within calls of the solver */
    RSD_N_PLACES
} rsd_activity;

struct rsd_profile {
    long long ns[RSD_N_PLACES]; /* so far */
    int at;                     /* what takes the time now */
    long long since;            /* when it was last looked at the clock [ns] */
};

/** The clock goes on for another place. @return where it was */
int rsd_profile_switch(rsd_profile *p, int place);

/** Begin to read the clock, at rest; and the end of it. NULL: there is no profile. */
void rsd_profile_begin(rsd_profile *p);
void rsd_profile_end(rsd_profile *p);

/** Enter an activity, and go back to where it was entered. NULL: there is no profile, and no clock is read. */
static inline int rsd_profile_enter(rsd_profile *p, rsd_activity what)
{
    return p ? rsd_profile_switch(p, (int)what) : 0;
}

static inline void rsd_profile_leave(rsd_profile *p, int back)
{
    if (p) (void)rsd_profile_switch(p, back);
}

/** The same of a callback. */
static inline int rsd_profile_enter_callback(rsd_profile *p, rsd_callback which)
{
    return p ? rsd_profile_switch(p, (int)which) : 0;
}

/** The same of a callback, which is counted, too. */
static inline int rsd_tally_enter(rsd_tally *tally, rsd_callback which)
{
    rsd_tally_call(tally, which);
    return rsd_profile_enter_callback(tally->profile, which);
}

static inline void rsd_tally_leave(rsd_tally *tally, int back)
{
    rsd_profile_leave(tally->profile, back);
}

/** Callbacks that n threads have called meanwhile: the time of all of them together, over n, was theirs and not that of
 *  the differences. */
void rsd_profile_share(rsd_profile *p, const rsd_profile *of_thread, int n);

/** As a user sees it. NULL: zeros. */
resida_profile rsd_profile_copy(const rsd_profile *p);

#endif
