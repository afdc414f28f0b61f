/* inertias.h - is there an acceleration along each joint? By articulated bodies (Featherstone 2008, section 7.2)
 *
 *     I_l^A = I_l + sum over i on l of X (I_i^A - U U'/D) X',     U = I_i^A S_i,  D = S_i . U,
 *
 * M of a tree is singular where D = 0 at some joint. With joints that mimic others the same elimination is that of
 * T' M T, where q of all joints is T times q of those that lead. Of more than 300 joints it is left out, and joints
 * that move together count as held. */
#ifndef URD_INERTIAS_H
#define URD_INERTIAS_H

#include "robot.h"

/** Not of a robot with loops, whose constraints may give an acceleration; a free base is looked at without a turn.
 *  @throws std::runtime_error, one line: the joint along which nothing resists, or the root */
void urd_check_inertias(const urd_robot &robot);

#endif
