/* plugin_flaws.h - what callbacks of plugins do wrong on purpose. */
#ifndef RESIDA_TEST_PLUGIN_FLAWS_H
#define RESIDA_TEST_PLUGIN_FLAWS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/** -1 .. 1, others at each call. */
static inline double noise(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

/** Write into what is only to be read: another bit of the same number. */
static inline void spoil(const double *x)
{
    double *there;
    memcpy(&there, &x, sizeof there);
    *there += 1e-9 * (1 + fabs(*there));
}

static inline void crash(void)
{
    static volatile uintptr_t nowhere = 8;
    *(volatile int *)nowhere = 1;
}

#endif
