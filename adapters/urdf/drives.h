/* drives.h - what the drives of moved joints give: inverse dynamics of the whole mechanism, without its multipliers.
 * Those are interpolated between the ends of steps, and the error test does not look at them: where all that moves is
 * known, steps are long and multipliers coarse. With F = ID(q, v, a) + d v + c tanh(v / v_s) - stops - torques along
 * the joints,
 *
 *     drive_k = F_k + m F_j                joint j mimics k, q_j = m q_k + c: its transmission takes m F_j from joint k
 *     0 = F_i + (G' lam)_i                 joint i that is not moved: lam of loops, by least squares
 *     drive_k = F_k + (G' lam)_k           joint k that is moved */
#ifndef URD_DRIVES_H
#define URD_DRIVES_H

#include "robot.h"

/** Of the moved joints, in their order, behind urd_bodies::inverse() at this point, whose forces are in robot.forces;
 *  NaN without accelerations. Where loops and drives hold each other in more than one way, one of them. */
void urd_find_drives(urd_robot &robot, const resida_model_point &at, double *out);

#endif
