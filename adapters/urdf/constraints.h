/* constraints.h - what holds coordinates of a robot together: constraints g = 0 and G = dg/dp, which is sparse.
 *
 *     q_k - u_k(t)                        joints that a file moves
 *     q_k - multiplier q_l - offset       joints that mimic others
 *     (R_a' (r_b - r_a) - x_a)_i          loops of a file, along axes i of link a: r_b of its point, x_a of that of a
 *     R_a' (r_b - r_a), vex(R_a' R_b)     halves of a link that is cut (bodies.h); vex R = (R - R')/2 as a vector
 *     (q'q - 1)/2                         Euler parameters of the halves
 *
 * A row of G is the work of a wrench on body b and of the opposite one on body a, by the same recursion as forces. */
#ifndef URD_CONSTRAINTS_H
#define URD_CONSTRAINTS_H

#include "robot.h"

/** A loop as a tie of these bodies. */
urd_tie urd_tie_of(const urd_loop &loop, const urd_bodies &bodies);

/** Add to the wrenches on the bodies, as they are placed, those of a tie by the multipliers of its rows.
 *  @return behind these */
const double *urd_pull(const urd_bodies &bodies, const urd_tie &tie, const double *lam,
                       std::vector<KDL::Wrench> &wrenches);

/** Names, callbacks and patterns of the mechanism. */
void urd_list_constraints(urd_robot &robot, resida_mechanism &mechanism);

#endif
