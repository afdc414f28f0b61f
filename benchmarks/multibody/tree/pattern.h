/* pattern.h - which entries the matrices of a tree with force elements can have, ready for the patterns of a
 * resida_mechanism: CSR, columns rising. */
#ifndef MB_PATTERN_H
#define MB_PATTERN_H

#include <resida/mechanism.h>

#include "tree.h"

/** A pattern that owns its memory. */
typedef struct mb_pattern {
    int *row; /**< [rows + 1] */
    int *col; /**< [row[rows]] */
} mb_pattern;

/** Two bodies between which forces act. */
typedef struct mb_coupling {
    int a, b;
} mb_coupling;

void mb_pattern_free(mb_pattern *pattern);

/** As a resida_pattern, whose arrays stay with `pattern`. */
resida_pattern mb_pattern_view(const mb_pattern *pattern);

/** Position of (i, j) among the entries; -1 when it is not one. */
int mb_pattern_find(const mb_pattern *pattern, int i, int j);

/** Keep the entries that are marked, in a pattern of so many rows. keep [row[rows]] */
void mb_pattern_keep(mb_pattern *pattern, int rows, const char *keep);

/** dPhi/dp and dPhi/dv, [n_q x n_q]: the row of a joint holds the forces on all bodies beyond it, and these depend on
 *  the joints of their own path and of the path of every body they are coupled with. Blocks are full: no entry can
 *  appear outside, some inside may be zero in every state.
 *  @return 0; 1 without memory, then `why` says so */
int mb_pattern_forces(const mb_tree *tree, int n_couplings, const mb_coupling *coupling, mb_pattern *pattern,
                      resida_message *why);

/** M: coordinates of joints on one path. @return as mb_pattern_forces() */
int mb_pattern_paths(const mb_tree *tree, mb_pattern *pattern, resida_message *why);

#endif
