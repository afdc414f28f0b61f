/* composite.h - the mass matrix of a tree by composite bodies: all bodies beyond a joint form one rigid body, */
#ifndef MB_COMPOSITE_H
#define MB_COMPOSITE_H

#include "pattern.h"

/** Create the pattern of M without entries that are zero in every position. Among the entries on paths, those that
 *  vanish at three generic positions are omitted. M is analytic in p, therefore they vanish everywhere.
 *  @return 0; 1 if memory is exhausted, with a message in `why` */
int mb_mass_pattern(const mb_tree *tree, int n_driven, mb_pattern *pattern, resida_message *why);

/** Compute M in the order of a pattern; entries outside the pattern are omitted.
 *  @param[in]  state  [n_body]
 *  @param[out] M      [pattern->row[n_q]] */
void mb_mass_matrix(const mb_tree *tree, const mb_state *state, const mb_pattern *pattern, double *M);

#endif
