/* ascher_petzold.h - the projections D of Example 3 of U. Ascher, L. Petzold, Stability of computational methods for
 * constrained dynamics systems, for equations (4.14) and (4.15): p' = v + D mu. */
#ifndef BENCH_ASCHER_PETZOLD_H
#define BENCH_ASCHER_PETZOLD_H

#include <resida/mechanism.h>

/** D = B as it is printed, ((4 - t^2) nu, (nu - 1)(t + 2)). The printed M gives M^-1 C' = B/(2 + t)^2 instead: the same
 *  direction, so that mu is another and p, v are not. D [2], user: that of the model */
resida_position_fn bench_projection_B;

/** D = C'. */
resida_position_fn bench_projection_C;

/** D = (0, 1)', "unit". */
resida_position_fn bench_projection_unit;

/** The acceleration bias with 4 C' v in the place of 2 C' v, at rest on the exact solution all the same: with it the
 *  figures of Table 4.7 for (4.14) come out as they are printed. */
resida_velocity_fn bench_doubled_bias;

#endif
