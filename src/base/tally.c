/* tally.c - see tally.h. */
#include "tally.h"

#include <string.h>

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

resida_callback_calls rsd_tally_calls(const rsd_tally *tally)
{
    resida_callback_calls calls;
    memcpy(&calls, tally->calls, sizeof calls);
    return calls;
}
