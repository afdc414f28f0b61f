/* ascher_petzold.h - the projections D of Example 3 of U. Ascher, L. Petzold, Stability of computational methods for
 * constrained dynamics systems, for equations (4.14) and (4.15): p' = v + D mu. */
#ifndef BENCH_ASCHER_PETZOLD_H
#define BENCH_ASCHER_PETZOLD_H

#include <resida/mechanism.h>

/** D = B as printed, ((4 - t^2) nu, (nu - 1)(t + 2)). For the printed M, M^-1 C' = B/(2 + t)^2 has the same direction;
 *  this changes mu but neither p nor v. D [2], user: that of the model */
resida_position_fn bench_projection_B;

/** D = C'. */
resida_position_fn bench_projection_C;

/** D = (0, 1)', "unit". */
resida_position_fn bench_projection_unit;

/** The acceleration bias with 4 C' v instead of 2 C' v. Both vanish on the exact solution. With this bias the values
 *  printed in Table 4.7 for (4.14) are reproduced. */
resida_velocity_fn bench_doubled_bias;

#endif
