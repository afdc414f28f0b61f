/* newton_euler.h - the residual formalism of a tree: recursive Newton-Euler, inverse dynamics in O(n).
 *
 * An outward pass computes the accelerations of all bodies. An inward pass computes the forces through the joints:
 *
 *     f = m (a + a_root) - F,   n = I al + w x I w - M,   f_P += f,   n_P += n + (r - r_P) x f,
 *     r_i = lin_i'f + ang_i'n
 *
 * (eq. (3) of Arnold, Fuchs, Fuehrer; Featherstone, Rigid Body Dynamics Algorithms, ch. 5). */
#ifndef MB_NEWTON_EULER_H
#define MB_NEWTON_EULER_H

#include "tree.h"

/** Compute r = M a - Psi.
 *  @param[in]  state   [n_body] of mb_place() at (p, v)
 *  @param[in]  a       [n_q]
 *  @param[in]  wrench  [n_body] applied forces in the axes of the roots, without gravity
 *  @param[out] r       [n_q] */
void mb_inverse_dynamics(const mb_tree *tree, const mb_motion *motion, const mb_state *state, const double *a,
                         const mb_wrench *wrench, double *r);

/** Compute acceleration and angular acceleration of each body relative to its root, as a pair (f, m).
 *  @param[in] a  [n_q]; NULL: 0 */
void mb_accelerations(const mb_tree *tree, const mb_state *state, const double *a, mb_wrench *acceleration);

/** Return the wrench that produces the given accelerations: inertial minus applied wrench. */
mb_wrench mb_inertia_wrench(const mb_body *b, const mb_root *root, const mb_state *s, mb_vec lin, mb_vec ang,
                            const mb_wrench *applied);

#endif
