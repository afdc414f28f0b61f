/* inertias.h - checks that each joint can be accelerated, with articulated body inertias (Featherstone 2008, section
 * 7.2)
 *
 *     I_l^A = I_l + sum over children i of l of X (I_i^A - U U'/D) X',     U = I_i^A S_i,  D = S_i . U,
 *
 * The mass matrix M of a tree is singular if D = 0 at a joint. If joints mimic others, the elimination is applied to T'
 * M T, with q of all joints = T times q of the independent joints. With more than 300 independent joints T' M T is not
 * formed, and joints that move together are treated as locked. */
#ifndef URD_INERTIAS_H
#define URD_INERTIAS_H

#include "robot.h"

/** Check the inertias. Robots with loops are not checked, because the loop constraints may provide the missing
 *  equations. A free base is checked at zero rotation.
 *  @throws std::runtime_error, one line: the joints, or the root, that move no inertia */
void urd_check_inertias(const urd_robot &robot);

#endif
