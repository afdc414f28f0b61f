/* wishbone.h - axles with double wishbones in Cartesian coordinates: bodies, links and forces of double_wishbone.c.
 *
 * Each axle has upper and lower wishbones and knuckles with their wheels, left and right; there is one chassis. A
 * wishbone is connected to the chassis by a revolute joint (5 rows) or two bushings, to the knuckle by a ball joint (3
 * rows). A tie rod connects the knuckle to a point of the chassis that the rack displaces (1 row). x forward, y left, z
 * up, from the road below the middle of the front axle. */
#ifndef BENCH_WISHBONE_H
#define BENCH_WISHBONE_H

#include <resida/model.h>

#include "benchmarks/multibody/system/free_body.h"

enum { WB_LEFT, WB_RIGHT, WB_SIDES };
enum { WB_MAX_AXLES = 2, WB_MAX_WHEELS = WB_MAX_AXLES * WB_SIDES };

/** Bodies: the chassis, then LOWER, UPPER, KNUCKLE of each wheel; wheels are front left, front right, rear left ... */
enum { WB_CHASSIS, WB_LOWER = 0, WB_UPPER, WB_KNUCKLE, WB_OF_WHEEL, WB_MAX_BODIES = 1 + WB_OF_WHEEL * WB_MAX_WHEELS };

/** Return the index of a body of a wheel. */
static inline int wb_body(int wheel, int which)
{
    return 1 + WB_OF_WHEEL * wheel + which;
}

/** Excitations: the rack, then the height of the road below each wheel. */
enum { WB_RACK, WB_ROAD };

/** Numbers of links of a wheel (2 x 3 of the wishbones, 2 ball joints, a tie rod), and of the guide of the chassis. */
enum { WB_LINKS = 9, WB_GUIDES = 4, WB_MAX_LINKS = WB_LINKS * WB_MAX_WHEELS + WB_GUIDES };

/** Number of bushings of a wheel: front and rear of both wishbones. */
enum { WB_BUSHINGS = 4, WB_MAX_BUSHINGS = WB_BUSHINGS * WB_MAX_WHEELS };

/** Distance of a strut to its rebound stop [m]. */
#define WB_REBOUND 0.04

/** Points of a wheel at which forces act, in the axes of their bodies, from their centres of mass. */
typedef struct wb_wheel {
    mb_vec strut_top;       /**< on the chassis */
    mb_vec strut_foot, bar; /**< on the lower wishbone */
    double strut_length;    /**< length in the design position [m] */
} wb_wheel;

/** A bushing between a wishbone and the chassis. */
typedef struct wb_bushing {
    int arm;                   /**< index of the body of the wishbone */
    mb_vec on_chassis, on_arm; /**< its point on either body, from the centre of mass in body axes */
    mb_vec load;               /**< force on the wishbone in the design position, in chassis axes [N] */
} wb_bushing;

typedef struct wb_vehicle {
    fb_system system;
    int n_axle, n_wheel;
    int has_bushings;            /**< 1: wishbones are held by bushings; 0: by joints */
    double bushing_k, bushing_c; /**< stiffness and damping of each bushing [N/m], [N s/m] */
    double speed;                /**< [m/s], speed of the frame in which x is measured */
    double bump;                 /**< distance of a strut to its bump stop [m] */
    double p0[FB_P * WB_MAX_BODIES], v0[FB_V * WB_MAX_BODIES];
    fb_body body[WB_MAX_BODIES];
    fb_link link[WB_MAX_LINKS];
    unsigned coupled[WB_MAX_BODIES];
    wb_wheel wheel[WB_MAX_WHEELS];
    int n_bushing;
    wb_bushing bushing[WB_MAX_BUSHINGS];
} wb_vehicle;

/** Create bodies and links, with p0 in the design position, and the data of forces. All members except n_axle and
 *  has_bushings must be zero. */
void wb_assemble(wb_vehicle *v);

/** Add the forces of bushings, struts with stops, bars and tyres, and of the speed control. */
void wb_forces(const fb_system *s, const resida_excitation *e, const fb_pose *pose, mb_wrench *load);

/** Return the vertical load of a tyre [N]. */
double wb_tyre_load(const resida_excitation *e, const fb_pose *pose, int wheel);

/** Create the drawing: the parts of each wheel, with an arrow named as its load, then the chassis. Compute the points
 *  at p and excitations u. */
enum { WB_PARTS = 7, WB_MAX_PARTS = WB_PARTS * WB_MAX_WHEELS + 1 };
int wb_parts(const wb_vehicle *v, const char *const *loads, resida_part *out);
void wb_points(const wb_vehicle *v, const double *u, const double *p, double *xyz);

/** Return the compression of a strut relative to the design position [m]. */
double wb_compression(const wb_vehicle *v, const fb_pose *pose, int wheel);

#endif
