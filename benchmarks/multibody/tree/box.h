/* box.h - what a rigid body looks like when only its mass and inertia are known: the box of even density that has
 * them, with its axes in those of the body. With sides a, b, c: I_x = m (b^2 + c^2)/12, ... */
#ifndef MB_BOX_H
#define MB_BOX_H

#include "vector.h"

enum { MB_CORNERS = 8 };

/** Its half sides. Where no body has such moments (I_x > I_y + I_z) a side is 0. */
mb_vec mb_box(double mass, mb_vec inertia);

/** Its corners, xyz [3 MB_CORNERS] in the order of resida/model.h, about r with the axes R. @return behind them */
double *mb_box_corners(mb_vec half, mb_vec r, const mb_mat *R, double *xyz);

#endif
