/* drives.h - forces of the drives at joints with prescribed motion: inverse dynamics of the whole mechanism, without
 * the multipliers of the solver. The multipliers are interpolated between the ends of steps and are not subject to the
 * error test. If the whole motion is prescribed, steps are long and multipliers inaccurate. With F = ID(q, v, a) + d v
 * + c tanh(v / v_s) - stops - torques along the joints,
 *
 *     drive_k = F_k + m F_j                joint j mimics k, q_j = m q_k + c: its transmission loads joint k with m F_j
 *     0 = F_i + (G' lam)_i                 joint i without prescribed motion: lam of loops, by least squares
 *     drive_k = F_k + (G' lam)_k           joint k with prescribed motion */
#ifndef URD_DRIVES_H
#define URD_DRIVES_H

#include "robot.h"

/** Compute the drive forces of the joints with prescribed motion, in their order. Call urd_bodies::inverse() at this
 *  point before, with the forces in robot.forces less those of the ground. Without accelerations the result is NaN. If
 *  the forces of loops and drives are not unique, one solution is returned. */
void urd_compute_drives(urd_robot &robot, const resida_model_point &at, double *out);

#endif
