/* pattern.h - sparsity patterns of the matrices of a tree with force elements, for the patterns of a resida_mechanism:
 * CSR with increasing columns. */
#ifndef MB_PATTERN_H
#define MB_PATTERN_H

#include <resida/mechanism.h>

#include "tree.h"

/** A pattern that owns its memory. */
typedef struct mb_pattern {
    int *row; /**< [rows + 1] */
    int *col; /**< [row[rows]] */
} mb_pattern;

/** Two bodies coupled by forces. */
typedef struct mb_coupling {
    int a, b;
} mb_coupling;

void mb_pattern_free(mb_pattern *pattern);

/** Return a view as resida_pattern; the arrays belong to `pattern`. */
resida_pattern mb_pattern_view(const mb_pattern *pattern);

/** Return the index of entry (i, j), or -1 if there is none. */
int mb_pattern_find(const mb_pattern *pattern, int i, int j);

/** Keep the marked entries of a pattern with this number of rows. keep [row[rows]] */
void mb_pattern_keep(mb_pattern *pattern, int rows, const char *keep);

/** Create the pattern of dPhi/dp and dPhi/dv, [n_q x n_q]: the row of a joint contains the forces on all bodies beyond
 *  it, which depend on the joints of their own paths and of the paths of all coupled bodies. Blocks are full: entries
 *  outside are zero, some entries inside may be zero in every state.
 *  @return 0; 1 if memory is exhausted, with a message in `why` */
int mb_pattern_forces(const mb_tree *tree, int n_couplings, const mb_coupling *coupling, mb_pattern *pattern,
                      resida_message *why);

/** Create the pattern of M: coordinates of joints on one path. @return as mb_pattern_forces() */
int mb_pattern_paths(const mb_tree *tree, mb_pattern *pattern, resida_message *why);

#endif
