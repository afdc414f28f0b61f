/* composite.h - the mass matrix of a tree by composite bodies: what hangs beyond a joint as one rigid body,
 *
 *     M_ij = S_i' (I6 of all beyond j, moved to body i) S_j      for joint i on the path to joint j, else 0
 *
 * (Featherstone, Rigid Body Dynamics Algorithms, ch. 6). */
#ifndef MB_COMPOSITE_H
#define MB_COMPOSITE_H

#include "pattern.h"

/** The pattern of M without what is zero in every position: of the entries on paths, those are left out that vanish at
 *  three generic positions; M is analytic in p, so they vanish everywhere.
 *  @return 0; 1 without memory, then `why` says so */
int mb_mass_pattern(const mb_tree *tree, int n_driven, mb_pattern *pattern, resida_message *why);

/** M in the order of a pattern; entries outside it are dropped.
 *  @param[in]  state  [n_body]
 *  @param[out] M      [pattern->row[n_q]] */
void mb_mass_matrix(const mb_tree *tree, const mb_state *state, const mb_pattern *pattern, double *M);

#endif
