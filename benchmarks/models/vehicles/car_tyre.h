/* car_tyre.h - contact of a wheel with a level road, and the forces of its tyre. */
#ifndef BENCH_CAR_TYRE_H
#define BENCH_CAR_TYRE_H

#include "benchmarks/multibody/tree/tree.h"

/** Contact of a wheel with the road, in the axes of the root, z up. */
typedef struct car_contact {
    mb_vec arm;    /**< vector from the wheel's centre to the contact point */
    mb_vec P;      /**< contact point */
    mb_vec v;      /**< velocity of this point, without the spin of the wheel */
    mb_vec el, et; /**< longitudinal and lateral direction in the road plane */
    double radius; /**< distance of centre and road in the wheel plane [m] */
} car_contact;

/** Compute the contact. @param[in] wheel  a rotor
 *  @param[in] height  of the road in the root [m] */
car_contact car_tyre_contact(const mb_state *wheel, double height);

/** Return the vertical force [N]; rate: velocity of the contact point relative to the road [m/s]. The radius is that of
 *  the BMW 320i of CommonRoad, the stiffness is chosen. */
double car_tyre_load(double radius, double rate);

/** Rolling radius, and width of the drawn wheel [m]. */
#define CAR_ROLLING_RADIUS 0.318
#define CAR_WHEEL_WIDTH    0.2

/** Write the points of an arrow for a load: the contact point and the point 1 m above it. xyz [6] */
void car_tyre_arrow(const mb_state *wheel, double height, double *xyz);

/** Add the force of a rolling tyre at the contact point, and its moment: magic formula with combined slip.
 *  @param[in] c      contact, with c.v absolute
 *  @param[in] spin   of the wheel [rad/s]
 *  @param[in] load   vertical force [N]
 *  @param[in] slow   0, or a speed [m/s]: slips are relative to sqrt(speed^2 + slow^2), therefore a standing tyre
 *  sticks and slides when pulled
 *  @param[out] on    wrench of the wheel */
void car_tyre_add(const car_contact *c, double spin, double load, double slow, mb_wrench *on);

#endif
