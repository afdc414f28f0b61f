/* car_suspension.h - the two axles of a passenger car as bodies and force elements: five links, strut and anti-roll bar
 * at each axle, the rear one on a subframe. Shared by the whole car and the rear axle on its test rig.
 *
 * Axes: x forward, y left, z up. Links, struts and bars are described in the design position, in which all bodies are
 * aligned; z = 0 is the ground. */
#ifndef BENCH_CAR_SUSPENSION_H
#define BENCH_CAR_SUSPENSION_H

#include "benchmarks/multibody/system/system.h"

enum { CAR_LEFT, CAR_RIGHT, CAR_SIDES };

/** @name Masses and lengths. Wheel base, tracks, total mass and inertia: BMW 320i, DOT vehicle model of CommonRoad
 *  (Althoff). Their distribution among the bodies is chosen. @{ */
#define CAR_TO_FRONT        1.156  /**< from the centre of mass to the front axle [m] */
#define CAR_TO_REAR         1.423  /**< from the centre of mass to the rear axle [m] */
#define CAR_HALF_TRACK      0.6935 /**< front [m] */
#define CAR_HALF_TRACK_REAR 0.682  /**< [m] */
#define CAR_SPRUNG          965.7  /**< chassis, subframe and rack [kg] */
#define CAR_SUBFRAME        22.0   /**< [kg] */
#define CAR_RACK            4.0    /**< [kg] */
#define CAR_CENTRE          0.575  /**< height of the centre of mass of the chassis [m] */
#define CAR_WHEEL_CENTRE    0.310  /**< height of the wheels [m] */
#define CAR_GRAVITY         9.81   /**< [m/s^2] */
/** @} */

enum { CAR_MAX_BODIES = 16 };

/** A vehicle during construction. */
typedef struct car_design {
    mb_system *system;
    mb_vec centre[CAR_MAX_BODIES]; /**< centres of mass of its bodies in the design position */
    int rough;                     /**< 1: struts have dry friction and short stops */
} car_design;

/** Allocate memory for bodies and elements of both axles. @return 0; 1 if memory is exhausted, with a message in
 *  `why` */
int car_design_open(car_design *d, mb_system *system, resida_message *why);

/** @name Add a body and return its index; joint coordinates are zero in the design position @{ */
int car_add_body(car_design *d, int parent, double mass, mb_vec inertia, mb_vec centre); /**< six coordinates */
int car_add_carrier(car_design *d, int parent, double axle_x, double half_track, int side);
int car_add_wheel(car_design *d, int carrier, int side, double spin); /**< one coordinate */
int car_add_subframe(car_design *d, int parent, double axle_x);
/** @} */

/** Add links, struts and bar of an axle at x. Front: links on the chassis, tie rods on the rack. Rear: links on the
 *  subframe, which is mounted on the chassis. The last link, tie rod or toe link, is elastic or, if `rigid`, a loop
 *  constraint. carrier [CAR_SIDES]. */
void car_front_axle(car_design *d, double axle_x, int chassis, int rack, const int *carrier, int rigid);
void car_rear_axle(car_design *d, double axle_x, int chassis, int subframe, const int *carrier, int rigid);

#endif
