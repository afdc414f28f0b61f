/* loop.h - constraints that close loops of a tree, between two bodies of one root.
 *
 *     distance, 1 row:   g = (|d|^2 - L^2)/(2 L),   d from the place on a to the place on b: a rigid link
 *     point, 3 rows:     g = d in the axes of the root: a spherical joint
 *
 * With n = d/L, or each axis in turn:  g' = n'd' = G v + gI,  and  G a + bias = n'd'' (+ |d'|^2/L for a distance). All
 * terms are in closed form. */
#ifndef MB_LOOP_H
#define MB_LOOP_H

#include "force.h"

enum { MB_LOOP_DISTANCE = 1, MB_LOOP_POINT = 3 }; /* values: number of rows */

typedef struct mb_loop {
    int kind;
    mb_place_on a, b;
    double length; /**< distance: L [m] */
} mb_loop;

/** Return the number of rows of all loops. */
int mb_loops_rows(int n, const mb_loop *loop);

/** Create the pattern of G [rows x n_q]: the joints on the paths to both bodies. Joints on both paths move a rigid link
 *  as a whole and are omitted for a distance. @return 0; 1 if memory is exhausted, with a message in `why` */
int mb_loops_pattern(const mb_tree *tree, int n, const mb_loop *loop, mb_pattern *pattern, resida_message *why);

/** Compute g [rows]. */
void mb_loops_position(int n, const mb_loop *loop, const mb_state *state, double *g);

/** Compute G v + gI [rows] from state at (p, v), or gI from state at (p, 0). */
void mb_loops_rate(int n, const mb_loop *loop, const mb_state *state, double *rate);

/** Compute G in the order of its pattern. */
void mb_loops_matrix(const mb_tree *tree, int n, const mb_loop *loop, const mb_state *state, const mb_pattern *pattern,
                     double *G);

/** Compute d(G v + gI)/dt at constant v [rows] from state at (p, v). */
void mb_loops_bias(const mb_tree *tree, int n, const mb_loop *loop, const mb_state *state, double *bias);

#endif
