/* car_rough.h - a rough drive (case 2): a road with kerbs and waves, and a rack that is moved by a spring and has dry
 * friction. Struts with friction and short stops are in car_suspension.c, tyres at low speed in car_tyre.c. */
#ifndef BENCH_CAR_ROUGH_H
#define BENCH_CAR_ROUGH_H

#include "benchmarks/multibody/tree/tree.h"

/** Excitations: the rack displacement requested by the steering wheel, then the height of the road below each wheel. */
enum { CAR_U_RACK, CAR_U_ROAD, CAR_U_ROUGH = CAR_U_ROAD + 4 };

/** Below this speed [m/s] the slip of a tyre of the rough car is regularised, see car_tyre_add(). */
#define CAR_CREEPING 0.3

/** Compute the height of the road at s0 + v t and its time derivatives: z, z', z''; right: 1 for wheels on the
 *  right. */
void car_road(double s0, int right, double v, double t, double z[3]);

/** Add the force of the spring between rack and steering wheel, and of the friction between rack and chassis. */
void car_steer(const mb_state *chassis, const mb_state *rack, double u, double ud, mb_wrench *on_chassis,
               mb_wrench *on_rack);

#endif
