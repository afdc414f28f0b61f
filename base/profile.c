/* profile.c - see profile.h. Times are integers in nanoseconds, so that the sum over the activities is exact. */
#include "profile.h"

#include <string.h>
#include <time.h>

#define NS_PER_S 1000000000LL
#define S_PER_NS 1e-9

static long long read_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * NS_PER_S + t.tv_nsec;
}

int rsd_profile_switch(rsd_profile *p, int place)
{
    const int was = p->at;
    const long long then = p->since;
    p->since = read_clock();
    p->ns[was] += p->since - then;
    p->at = place;
    return was;
}

void rsd_profile_begin(rsd_profile *p)
{
    if (!p) return;
    p->at = RSD_IN_REST;
    p->since = read_clock();
}

void rsd_profile_end(rsd_profile *p)
{
    if (p) (void)rsd_profile_switch(p, RSD_IN_REST);
}

void rsd_profile_add_threads(rsd_profile *p, const rsd_profile *of_thread, int n)
{
    for (int i = 0; i < RSD_N_CALLBACKS; i++) {
        const long long part = of_thread->ns[i] / n;
        p->ns[i] += part;
        p->ns[RSD_IN_DIFFERENCES] -= part;
    }
}

_Static_assert(sizeof(resida_profile) == (1 + RSD_N_PLACES) * sizeof(double), "the total, and a time for each place");
_Static_assert(offsetof(resida_profile, rest) == (1 + RSD_IN_REST) * sizeof(double), "in the same order");

resida_profile rsd_profile_get_times(const rsd_profile *p)
{
    resida_profile copy;
    double s[1 + RSD_N_PLACES] = {0};
    long long total = 0;
    for (int i = 0; p && i < RSD_N_PLACES; i++) {
        s[1 + i] = S_PER_NS * (double)p->ns[i];
        total += p->ns[i];
    }
    s[0] = S_PER_NS * (double)total;
    memcpy(&copy, s, sizeof copy);
    return copy;
}

#define NAME(name, member) #member,
const char *const rsd_callback_names[RSD_N_CALLBACKS] = {RSD_CALLBACKS(NAME)};
#undef NAME

_Static_assert(sizeof(resida_callback_calls) == sizeof((rsd_tally *)0)->calls, "one count for each callback");
_Static_assert(offsetof(resida_callback_calls, residual_times) == RSD_CALL_RESIDUAL_TIMES * sizeof(long),
               "in the same order");

const char *resida_callback_at(int i)
{
    return i >= 0 && i < RSD_N_CALLBACKS ? rsd_callback_names[i] : NULL;
}

void rsd_tally_add(rsd_tally *tally, const rsd_tally *more)
{
    for (int i = 0; i < RSD_N_CALLBACKS; i++) tally->calls[i] += more->calls[i];
}
