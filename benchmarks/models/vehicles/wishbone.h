/* wishbone.h - axles with double wishbones in Cartesian coordinates: bodies, links and forces of double_wishbone.c.
 *
 * Of each axle: upper and lower wishbones, knuckles with their wheels, left and right; of all axles one chassis. A
 * wishbone turns on the chassis (5 rows), or two bushings hold it there; ball joints hold the knuckle (3 rows each); a
 * tie rod goes to a point of the chassis which the rack moves (1 row). x forward, y left, z up, from the road below the
 * middle of the front axle. */
#ifndef BENCH_WISHBONE_H
#define BENCH_WISHBONE_H

#include <resida/model.h>

#include "benchmarks/multibody/system/free_body.h"

enum { WB_LEFT, WB_RIGHT, WB_SIDES };
enum { WB_MAX_AXLES = 2, WB_MAX_WHEELS = WB_MAX_AXLES * WB_SIDES };

/** Bodies: the chassis, then LOWER, UPPER, KNUCKLE of each wheel; wheels are front left, front right, rear left ... */
enum { WB_CHASSIS, WB_LOWER = 0, WB_UPPER, WB_KNUCKLE, WB_OF_WHEEL, WB_MAX_BODIES = 1 + WB_OF_WHEEL * WB_MAX_WHEELS };

/** The number of a body of a wheel. */
static inline int wb_body(int wheel, int which)
{
    return 1 + WB_OF_WHEEL * wheel + which;
}

/** Excitations: the rack, then the height of the road below each wheel. */
enum { WB_RACK, WB_ROAD };

/** Links of a wheel (2 x 3 of the wishbones, 2 ball joints, a tie rod), and of the guide of the chassis. */
enum { WB_LINKS = 9, WB_GUIDES = 4, WB_MAX_LINKS = WB_LINKS * WB_MAX_WHEELS + WB_GUIDES };

/** Bushings of a wheel: front and rear of both wishbones. */
enum { WB_BUSHINGS = 4, WB_MAX_BUSHINGS = WB_BUSHINGS * WB_MAX_WHEELS };

/** The way of a strut to its rebound stop [m]. */
#define WB_REBOUND 0.04

/** Points of a wheel that forces act at, in the axes of their bodies, from their centres of mass. */
typedef struct wb_wheel {
    mb_vec strut_top;       /**< on the chassis */
    mb_vec strut_foot, bar; /**< on the lower wishbone */
    double strut_length;    /**< of the design [m] */
} wb_wheel;

/** A bushing between a wishbone and the chassis. */
typedef struct wb_bushing {
    int arm;                   /**< the body of the wishbone */
    mb_vec on_chassis, on_arm; /**< its place, in the axes of either body, from the centre of mass */
    mb_vec load;               /**< force on the wishbone in the design, in the axes of the chassis [N] */
} wb_bushing;

typedef struct wb_vehicle {
    fb_system system;
    int n_axle, n_wheel;
    int has_bushings;            /**< 1: bushings hold the wishbones; 0: joints */
    double bushing_k, bushing_c; /**< stiffness and damping of each bushing [N/m], [N s/m] */
    double speed;                /**< [m/s], of the frame that x is seen from */
    double bump;                 /**< way of a strut to its bump stop [m] */
    double p0[FB_P * WB_MAX_BODIES], v0[FB_V * WB_MAX_BODIES];
    fb_body body[WB_MAX_BODIES];
    fb_link link[WB_MAX_LINKS];
    unsigned coupled[WB_MAX_BODIES];
    wb_wheel wheel[WB_MAX_WHEELS];
    int n_bushing;
    wb_bushing bushing[WB_MAX_BUSHINGS];
} wb_vehicle;

/** Put bodies and links together, with p0 where all of them meet, and the forces below. The vehicle is zero, but for
 *  n_axle and has_bushings. */
void wb_assemble(wb_vehicle *v);

/** Bushings, struts with their stops, bars, tyres, what keeps the speed. */
void wb_forces(const fb_system *s, const resida_excitation *e, const fb_pose *pose, mb_wrench *load);

/** What a tyre stands on the road with [N]. */
double wb_tyre_load(const resida_excitation *e, const fb_pose *pose, int wheel);

/** What it looks like: the parts of a wheel, with an arrow that has the name of its load, and then the chassis. Points
 *  at p, with u of the excitations. */
enum { WB_PARTS = 7, WB_MAX_PARTS = WB_PARTS * WB_MAX_WHEELS + 1 };
int wb_parts(const wb_vehicle *v, const char *const *loads, resida_part *out);
void wb_points(const wb_vehicle *v, const double *u, const double *p, double *xyz);

/** How far a strut is compressed from the design [m]. */
double wb_compression(const wb_vehicle *v, const fb_pose *pose, int wheel);

#endif
