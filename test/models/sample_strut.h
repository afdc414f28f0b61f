/* sample_strut.h - a strut with all that one may have: preload, a damper that blows off, stops. */
#ifndef RESIDA_TEST_SAMPLE_STRUT_H
#define RESIDA_TEST_SAMPLE_STRUT_H

#include "benchmarks/multibody/system/force.h"

static inline mb_axial sample_strut(void)
{
    return (mb_axial){.L0 = 1,
                      .k = 50,
                      .c = 3,
                      .preload = 20,
                      .v0 = 0.3,
                      .r = 0.25,
                      .rebound = 0.3,
                      .bump = 0.01,
                      .droop = 0.02,
                      .tension = mb_strut_tension};
}

#endif
