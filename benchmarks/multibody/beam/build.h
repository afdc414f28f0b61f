/* build.h - functions that add nodes, beams, loads and joints to a system. Nodes, points and axes are given in space,
 * in the unstrained configuration. Failed allocations are reported by bm_open(). */
#ifndef BM_BUILD_H
#define BM_BUILD_H

#include "beam.h"

/** A curve over x in 0 .. 1: its point and its directors, the columns of `axes`. */
typedef void bm_curve(double x, const void *data, mb_vec *r, mb_mat *axes);

/** @return index of the new node */
int bm_add_node(bm_system *s, mb_vec r, mb_mat axes);

/** Add a beam of this number of elements, with nodes evenly spaced in x. @return its first node; its last node is that
 *  + elements order */
int bm_add_curve(bm_system *s, const bm_section *section, int order, int elements, bm_curve *curve, const void *data);

/** Add a straight beam; d1 is perpendicular to it. */
int bm_add_line(bm_system *s, const bm_section *section, int order, int elements, mb_vec from, mb_vec to, mb_vec d1);

/** Add a rigid body at a node, with principal moments about the directors. Moments 0, 0, 0: a point mass. */
void bm_add_lump(bm_system *s, int node, double mass, mb_vec moments);

/** Add a force and a moment with directions fixed in space; drive as in bm_load. */
void bm_add_load(bm_system *s, int node, mb_vec force, mb_vec moment, int drive);

/** @name Joints of nodes i and j, each of which may be BM_SPACE
 *  @{ */
/** Spherical: 3 rows. */
void bm_add_ball(bm_system *s, int i, int j, mb_vec point);
/** Prismatic, 3 rows: the point of j is that of i displaced by u[drive - 1] travel along the directors of i. */
void bm_add_slide(bm_system *s, int i, int j, mb_vec point, mb_vec travel, int drive);
/** Revolute: 5 rows. */
void bm_add_hinge(bm_system *s, int i, int j, mb_vec point, mb_vec axis);
/** Prescribe the angle of j relative to i about a hinge axis, 1 row: u[drive - 1]; drive 0: the present angle. */
void bm_add_turn(bm_system *s, int i, int j, mb_vec axis, int drive);
/** Rigid connection: 6 rows. */
void bm_add_weld(bm_system *s, int i, int j, mb_vec point);
/** @} */

#endif
