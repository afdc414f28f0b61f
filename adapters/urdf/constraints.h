/* constraints.h - the constraints g = 0 of a robot, and the sparse matrix G = dg/dp.
 *
 *     q_k - u_k(t)                        joints with prescribed motion
 *     q_k - multiplier q_l - offset       joints that mimic others
 *     side (q - limit), z_C - r - z_0     contacts that hold: limits, spheres on a rigid ground
 *     (R_a' (r_b - r_a) - x_a)_i          loops, along axes i of link a: r_b of the point on b, x_a of the point on a
 *     (|R_a' (r_b - r_a) - x_a|^2/L - L)/2   rods of length L; the multiplier is the tensile force
 *     vex(R_a' R_b C')                    welds, besides a loop: C = R_a' R_b at the start, vex R = (R - R')/2 as a
 *                                         vector
 *     R_a' (r_b - r_a), vex(R_a' R_b)     halves of a link that is cut (bodies.h)
 *     (q'q - 1)/2                         Euler parameters of the halves
 *
 * A row of G is the work of a wrench on body b and of the opposite wrench on body a, computed by the recursion for
 * forces. */
#ifndef URD_CONSTRAINTS_H
#define URD_CONSTRAINTS_H

#include <functional>

#include "robot.h"

/** Set what a loop takes from the start of the robot: the length of a rod without a length, the relative orientation of
 *  a weld.
 *  @throws std::runtime_error, one line: the ends of a rod coincide */
void urd_set_loop_starts(urd_robot &robot);

/** Call take(row, column, entry) for the rows of the loops in dg/dq of the whole tree, from row 0 on, with its bodies
 *  at the positions of the last place(). */
void urd_each_loop_entry(const urd_robot &robot, const double *p, const std::function<void(int, int, double)> &take);

/** Set names, callbacks and patterns of the constraints. */
void urd_list_constraints(urd_robot &robot, resida_mechanism &mechanism);

#endif
