/* car_rough.h - what a car meets besides on a rough drive (case 2): a road with kerbs and waves, a rack that is moved
 * by a spring and sticks. Struts with friction and near stops are in car_suspension.c, tyres at low speed in
 * car_tyre.c. */
#ifndef BENCH_CAR_ROUGH_H
#define BENCH_CAR_ROUGH_H

#include "benchmarks/multibody/tree/tree.h"

/** Excitations: where the steering wheel wants the rack, then the height of the road below each wheel. */
enum { CAR_U_RACK, CAR_U_ROAD, CAR_U_ROUGH = CAR_U_ROAD + 4 };

/** Below this speed a tyre of the rough car slips by its speed along the road, not relative to it [m/s]. */
#define CAR_CREEPING 0.3

/** Height of the road, and its derivatives by time: z, z', z'' at the place s0 + v t; right: 1 for wheels of that side.
 */
void car_road(double s0, int right, double v, double t, double z[3]);

/** Spring between rack and steering wheel, and friction of the rack in its housing on the chassis, y its way. */
void car_steer(const mb_state *chassis, const mb_state *rack, double u, double ud, mb_wrench *on_chassis,
               mb_wrench *on_rack);

#endif
