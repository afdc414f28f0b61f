/* car_tyre.h - where a wheel meets a level road, and the forces of its tyre. */
#ifndef BENCH_CAR_TYRE_H
#define BENCH_CAR_TYRE_H

#include "benchmarks/multibody/tree/tree.h"

/** Contact of a wheel with the road, in the axes of the root, z up. */
typedef struct car_contact {
    mb_vec arm;    /**< contact point from the centre of the wheel */
    mb_vec P;      /**< contact point */
    mb_vec v;      /**< its velocity, without the spin of the wheel */
    mb_vec el, et; /**< rolling direction and the one across, in the road */
    double radius; /**< centre to road, in the plane of the wheel [m] */
} car_contact;

/** @param[in] wheel   a rotor
 *  @param[in] height  of the road in the root [m] */
car_contact car_tyre_contact(const mb_state *wheel, double height);

/** Vertical force [N]; rate: of the contact point against the road [m/s]. Stiffness and radius: BMW 320i of CommonRoad
 *  (radius) and chosen. */
double car_tyre_load(double radius, double rate);

/** Rolling radius, and the width of what is drawn [m]. */
#define CAR_ROLLING_RADIUS 0.318
#define CAR_WHEEL_WIDTH    0.2

/** Two points for the arrow of a load: where the wheel meets the road, and 1 m above. xyz [6] */
void car_tyre_arrow(const mb_state *wheel, double height, double *xyz);

/** Force of a rolling tyre at the contact point, and moment: magic formula with combined slip.
 *  @param[in] c      contact, with c.v absolute
 *  @param[in] spin   of the wheel [rad/s]
 *  @param[in] load   vertical force [N]
 *  @param[in] slow   0, or [m/s]: slips are relative to sqrt(speed^2 + slow^2), so that a tyre that stands sticks, and
 *                    slides when it is pulled
 *  @param[out] on    added to the wrench of the wheel */
void car_tyre_add(const car_contact *c, double spin, double load, double slow, mb_wrench *on);

#endif
