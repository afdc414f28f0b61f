/* shape.h - what a system looks like: a box for each body that has mass (box.h), and a line for each element between
 * two points. For models whose bodies hang on one root; x, y, z are its axes. */
#ifndef MB_SHAPE_H
#define MB_SHAPE_H

#include <resida/model.h>

#include "system.h"

/** Parts of the bodies in their order, then one line for each axial element.
 *  @param[in]  names  [n_body], of those with mass
 *  @param[in]  axial  name of the lines
 *  @param[out] parts  [n_body + n_axial]; NULL: they are counted
 *  @return their number */
int mb_shape_parts(const mb_system *s, const char *const *names, const char *axial, resida_part *parts);

/** Their points at t, p, u. @return behind them */
double *mb_shape_points(const mb_system *s, double t, const double *p, const double *u, double *xyz);

/** The box of body i, which is there; a rotor has turned by its angle and its spin. */
double *mb_shape_body(const mb_body *body, const mb_state *there, double t, double *xyz);

#endif
