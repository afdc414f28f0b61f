/* force.h - force elements between two bodies. Each adds its force and moment to the wrenches of both bodies, about the
 * centres of mass, in the axes of the roots.
 *
 * Elements depend on relative motion only. For bodies of different roots, the relative pose of the roots is an input.
 * It is small, and it is never computed as the difference of two large positions. */
#ifndef MB_FORCE_H
#define MB_FORCE_H

#include "benchmarks/multibody/tree/pattern.h"

/** Pose and motion of root B relative to root A, in the axes of A. */
typedef struct mb_relation {
    mb_vec d;  /**< origin of B */
    mb_mat R;  /**< axes of B */
    mb_vec dd; /**< velocity of the origin of B relative to A */
    mb_vec w;  /**< angular velocity of B relative to A */
} mb_relation;

/** A point fixed to a body. */
typedef struct mb_place_on {
    int body;
    mb_vec at; /**< from the centre of mass, body axes [m] */
} mb_place_on;

/** A moving point, in the axes of a root. */
typedef struct mb_point {
    mb_vec arm;  /**< from the centre of mass */
    mb_vec r, v; /**< position and velocity relative to the root */
} mb_point;

/** Return the point at `at` of a body; for a rotor, the point does not rotate with the spin. */
mb_point mb_point_of(const mb_state *b, mb_vec at);

/** Add the force f, applied at `arm` from the centre of mass, to w. */
void mb_push(mb_wrench *w, mb_vec arm, mb_vec f);

/** Two-point element with tension T(e, e'), where e = length - L0. */
typedef struct mb_axial mb_axial;
struct mb_axial {
    mb_place_on a, b;
    double L0;                 /**< reference length [m] */
    double k, c;               /**< stiffness [N/m], damping at rest [N s/m] */
    double preload;            /**< compression at e = 0 [N] */
    double v0, r;              /**< blow-off [m/s, -], see mb_blow_off() */
    double rebound;            /**< relative increase of the damping in rebound over that in bump [-] */
    double bump, droop;        /**< distances to the stops [m] */
    double friction, sticking; /**< dry friction [N], viscous below this speed [m/s] */
    double (*tension)(const mb_axial *x, double e, double ed); /**< force law: one of the functions below */
};

/** Return T = k e + c e'. */
double mb_link_tension(const mb_axial *x, double e, double ed);

/** Return T = k e - preload + damper with blow-off + stops. */
double mb_strut_tension(const mb_axial *x, double e, double ed);

/** mb_strut_tension() plus dry friction, friction tanh(e'/sticking). */
double mb_sticking_strut_tension(const mb_axial *x, double e, double ed);

/** Spring and damper in three directions of body a, and an optional lateral force law. */
typedef struct mb_bushing mb_bushing;
struct mb_bushing {
    mb_place_on a, b;
    int relation;      /**< index of the relation of b's root to a's root; -1: the same root */
    mb_vec K, C;       /**< [N/m], [N s/m] in the axes of a */
    mb_vec F0;         /**< force on a in the reference position [N] */
    int at_b;          /**< 1: both forces act at the place on b; 0: each acts at its own place */
    double c, v0, r;   /**< lateral damper with blow-off */
    double gap, k, e0; /**< lateral stop */
    double (*lateral)(const mb_bushing *x, double y, double yd); /**< law: force on a along its y; or NULL */
};

/** @name Laws for `lateral` @{ */
double mb_lateral_damper(const mb_bushing *x, double y, double yd);
double mb_lateral_stop(const mb_bushing *x, double y, double yd);
/** @} */

/** Torsion spring: moment K th on a in the axes of a, th = vee(R - R')/2 with R the axes of b in those of a. */
typedef struct mb_torsion {
    int a, b, relation;
    mb_vec K; /**< [N m/rad] */
} mb_torsion;

/** Anti-roll bar on `base`: force k (z_left - z_right) along the z axis of base, downwards at the left place. */
typedef struct mb_stabiliser {
    int base;
    mb_place_on left, right;
    double k; /**< [N/m] */
} mb_stabiliser;

/** All force elements of a mechanism, [n_*] each. */
typedef struct mb_forces {
    int n_axial, n_bushing, n_torsion, n_stabiliser;
    mb_axial *axial;
    mb_bushing *bushing;
    mb_torsion *torsion;
    mb_stabiliser *stabiliser;
} mb_forces;

/** Add the forces of all elements. relation is NULL if all bodies have the same root. */
void mb_forces_add(const mb_forces *forces, const mb_relation *relation, const mb_state *state, mb_wrench *wrench);

/** Append the pairs of bodies that elements couple to coupling, unless it is NULL. @return number of pairs */
int mb_forces_couplings(const mb_forces *forces, mb_coupling *coupling);

#endif
