/* joint.h - a general joint: six coordinates between two frames, each of them free, driven or locked.
 *
 * The joint frame is fixed to the parent: origin at `from`, axes `mount`. The child is displaced and rotated relative
 * to it:
 *
 *     r_to = from + mount (x, y, z),     R = mount Rz(psi) Rx(phi) Ry(theta)
 *
 * with r_to a point of the child. A free coordinate is a component of p; a driven one is an excitation (a rheonomic
 * joint); a locked one is zero. A revolute joint has theta free, a prismatic one y, a universal one phi and theta, a
 * spherical one all three angles. The joint is singular at phi = +-pi/2 if theta and psi are both free.
 *
 * Angular velocity of the child in the parent, w = phi' e_phi + theta' e_theta + psi' e_psi, with the axes
 *
 *     e_psi = mount e_z,   e_phi = mount Rz e_x,   e_theta = mount Rz Rx e_y
 *     drift = phi' psi' e_psi x e_phi + theta' (psi' e_psi + phi' e_phi) x e_theta       (w' at constant rates)
 *
 * A rotor (`rotor` = 1) is axisymmetric about its y axis, therefore nothing depends on its angle theta. R does not
 * include Ry(theta), and theta is the angle minus spin * t. `to` must be on its axis, and a rotor has no child
 * bodies. */
#ifndef MB_JOINT_H
#define MB_JOINT_H

#include "vector.h"

/** The six coordinates of a joint, in this order. */
enum { MB_X, MB_Y, MB_Z, MB_PHI, MB_THETA, MB_PSI, MB_SIX };

/** Mode of a coordinate. */
enum { MB_LOCKED, MB_FREE, MB_DRIVEN };

typedef struct mb_joint {
    int mode[MB_SIX];
    mb_vec from;  /**< joint frame, from the centre of mass of the parent (or the root), parent axes [m] */
    mb_vec to;    /**< point of the child, from its centre of mass, its axes [m] */
    mb_mat mount; /**< joint frame in parent axes */
    int rotor;    /**< 1: rotates about its y axis, see above */
    double spin;  /**< rotor: constant part of its rate [rad/s] */
    int drive;    /**< driven: index of the excitation of the first driven coordinate; further ones follow */
} mb_joint;

/** @name Joints with axes parallel to those of the parent, at a point of the parent; `axis` is a unit vector @{ */
mb_joint mb_joint_fixed(mb_vec from);
mb_joint mb_joint_revolute(mb_vec from, mb_vec axis);
mb_joint mb_joint_prismatic(mb_vec from, mb_vec axis);
mb_joint mb_joint_universal(mb_vec from);
mb_joint mb_joint_spherical(mb_vec from);
mb_joint mb_joint_free(mb_vec from);
/** The axis is the y axis of the parent; rate = spin + theta'. */
mb_joint mb_joint_rotor(mb_vec from, double spin);
/** @} */

/** Return the joint with its free coordinates driven by the excitations from index `drive` on. */
mb_joint mb_joint_driven(mb_joint joint, int drive);

/** State of a joint for given values and rates of its six coordinates, in the axes in which the parent's R is given. */
typedef struct mb_joint_state {
    mb_vec shift;           /**< position of the child's joint point relative to the parent's centre of mass */
    mb_vec slide;           /**< velocity of this point relative to the parent */
    mb_mat R;               /**< axes of the child */
    mb_vec w;               /**< angular velocity of the child relative to the parent, without the spin of a rotor */
    mb_vec spin;            /**< additional angular velocity: spin of a rotor */
    mb_vec drift;           /**< derivative of w + spin relative to the parent, at constant rates */
    mb_mat move;            /**< columns: directions of x, y, z */
    mb_vec phi, theta, psi; /**< axes of the angles */
} mb_joint_state;

/** @param[in] parent  axes of the parent
 *  @param[in] q, qd   [6] values and rates (0 for locked coordinates) */
void mb_joint_place(const mb_joint *joint, const mb_mat *parent, const double *q, const double *qd, mb_joint_state *s);

#endif
