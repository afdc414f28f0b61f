/* build.h - put a system of beams together. Nodes, points and axes are said in space, where nothing is strained. Want
 * of memory is kept for bm_open() to tell. */
#ifndef BM_BUILD_H
#define BM_BUILD_H

#include "beam.h"

/** A line from x = 0 to 1: its point, and the directors there, as the columns of `axes`. */
typedef void bm_curve(double x, const void *data, mb_vec *r, mb_mat *axes);

/** @return the new node */
int bm_add_node(bm_system *s, mb_vec r, mb_mat axes);

/** A beam of so many elements, with nodes evenly spaced in x. @return its first node; its last is that + elements order
 */
int bm_add_curve(bm_system *s, const bm_section *section, int order, int elements, bm_curve *curve, const void *data);

/** A straight one; d1 is at right angles to it. */
int bm_add_line(bm_system *s, const bm_section *section, int order, int elements, mb_vec from, mb_vec to, mb_vec d1);

/** A mass at a node: of a rigid body with its principal moments about the directors; 0, 0, 0: of a point. */
void bm_add_lump(bm_system *s, int node, double mass, mb_vec moments);

/** A force and a moment in space; drive as in bm_load. */
void bm_add_load(bm_system *s, int node, mb_vec force, mb_vec moment, int drive);

/** @name Joints of nodes i and j, each may be BM_SPACE
 *  @{ */
/** Spherical: 3 rows. */
void bm_add_ball(bm_system *s, int i, int j, mb_vec point);
/** The point of j is where that of i is, and u[drive - 1] travel further along the directors of i. */
void bm_add_slide(bm_system *s, int i, int j, mb_vec point, mb_vec travel, int drive);
/** Revolute: 5 rows. */
void bm_add_hinge(bm_system *s, int i, int j, mb_vec point, mb_vec axis);
/** The angle of j against i about the axis (which a hinge keeps) is u[drive - 1]; 0: what it is. 1 row. */
void bm_add_turn(bm_system *s, int i, int j, mb_vec axis, int drive);
/** All held: 6 rows. */
void bm_add_weld(bm_system *s, int i, int j, mb_vec point);
/** @} */

#endif
