/* articulated.h - the explicit formalism of a tree: articulated bodies, forward dynamics in O(n).
 *
 *     U = I6 S,  D = S'U,  A' = A_P moved + bias
 *     q'' = D^-1 (f - S'(pA + I6 A')),   I6_P += moved (I6 - U D^-1 U'),
 *     pA_P += moved (pA + Ia bias + U D^-1 (f - S'pA))
 *
 * (eq. (2) of Arnold, Fuchs, Fuehrer; Featherstone, Rigid Body Dynamics Algorithms, ch. 7). */
#ifndef MB_ARTICULATED_H
#define MB_ARTICULATED_H

#include "tree.h"

/** Compute a = M^-1 (Psi + f), the inverse of mb_inverse_dynamics().
 *  @param[in]  f  [n_q] generalised forces
 *  @param[out] a  [n_q]
 *  @return 0; 1 if some D is not positive definite (a joint in its singular position) */
int mb_forward_dynamics(const mb_tree *tree, const mb_motion *motion, const mb_state *state, const double *f,
                        const mb_wrench *wrench, double *a);

#endif
