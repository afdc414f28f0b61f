/* loop.h - constraints that close loops of a tree, between two bodies of one root.
 *
 *     distance, 1 row:   g = (|d|^2 - L^2)/(2 L),   d from the place on a to that on b: a rigid link
 *     point, 3 rows:     g = d in the axes of the root: a spherical joint
 *
 * With n = d/L, or each axis in turn:  g' = n'd' = G v + gI,  and  G a + bias = n'd'' (+ |d'|^2/L for a distance). All
 * of it in closed form. */
#ifndef MB_LOOP_H
#define MB_LOOP_H

#include "force.h"

enum { MB_LOOP_DISTANCE = 1, MB_LOOP_POINT = 3 }; /* the number of rows */

typedef struct mb_loop {
    int kind;
    mb_place_on a, b;
    double length; /**< distance: L [m] */
} mb_loop;

/** Rows of all loops. */
int mb_loops_rows(int n, const mb_loop *loop);

/** The pattern of G [rows x n_q]: the joints on the paths to both bodies; those on both paths turn and move a link as
 *  one and are left out for a distance. @return 0; 1 without memory, then `why` says so */
int mb_loops_pattern(const mb_tree *tree, int n, const mb_loop *loop, mb_pattern *pattern, resida_message *why);

/** g [rows] */
void mb_loops_position(int n, const mb_loop *loop, const mb_state *state, double *g);

/** G v + gI [rows], with state at (p, v); gI with state at (p, 0). */
void mb_loops_rate(int n, const mb_loop *loop, const mb_state *state, double *rate);

/** G in the order of its pattern. */
void mb_loops_matrix(const mb_tree *tree, int n, const mb_loop *loop, const mb_state *state, const mb_pattern *pattern,
                     double *G);

/** d(G v + gI)/dt at constant v [rows], with state at (p, v). */
void mb_loops_bias(const mb_tree *tree, int n, const mb_loop *loop, const mb_state *state, double *bias);

#endif
