/* profile.c - see profile.h. Whole nanoseconds, so that parts add up to the last one. */
#include "profile.h"

#include <string.h>
#include <time.h>

#define NS_PER_S 1000000000LL
#define S_PER_NS 1e-9

static long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * NS_PER_S + t.tv_nsec;
}

int rsd_profile_switch(rsd_profile *p, int place)
{
    const int was = p->at;
    const long long then = p->since;
    p->since = now();
    p->ns[was] += p->since - then;
    p->at = place;
    return was;
}

void rsd_profile_begin(rsd_profile *p)
{
    if (!p) return;
    p->at = RSD_IN_REST;
    p->since = now();
}

void rsd_profile_end(rsd_profile *p)
{
    if (p) (void)rsd_profile_switch(p, RSD_IN_REST);
}

void rsd_profile_share(rsd_profile *p, const rsd_profile *of_thread, int n)
{
    for (int i = RSD_N_ACTIVITIES; i < RSD_N_PLACES; i++) {
        const long long part = of_thread->ns[i] / n;
        p->ns[i] += part;
        p->ns[RSD_IN_DIFFERENCES] -= part;
    }
}

_Static_assert(sizeof(resida_callback_seconds) == RSD_N_CALLBACKS * sizeof(double), "a time for each callback");

resida_profile rsd_profile_told(const rsd_profile *p)
{
    resida_profile told = {.total = 0};
    double s[RSD_N_PLACES] = {0};
    long long total = 0;
    for (int i = 0; p && i < RSD_N_PLACES; i++) {
        s[i] = S_PER_NS * (double)p->ns[i];
        total += p->ns[i];
    }
    told.total = S_PER_NS * (double)total;
    told.start = s[RSD_IN_START];
    told.steps = s[RSD_IN_STEPS];
    told.iteration = s[RSD_IN_ITERATION];
    told.rows = s[RSD_IN_ROWS];
    told.differences = s[RSD_IN_DIFFERENCES];
    told.assembly = s[RSD_IN_ASSEMBLY];
    told.factors = s[RSD_IN_FACTORS];
    told.solutions = s[RSD_IN_SOLUTIONS];
    told.rest = s[RSD_IN_REST];
    memcpy(&told.callbacks, s + RSD_N_ACTIVITIES, sizeof told.callbacks);
    return told;
}
