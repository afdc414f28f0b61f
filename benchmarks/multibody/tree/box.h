/* box.h - a box as the drawing of a rigid body with known mass and inertia: the homogeneous box with these values,
 * aligned with the axes of the body. With sides a, b, c: I_x = m (b^2 + c^2)/12, ... */
#ifndef MB_BOX_H
#define MB_BOX_H

#include "vector.h"

enum { MB_CORNERS = 8 };

/** Return the half sides of the box. If no rigid body has these moments (I_x > I_y + I_z), a side is 0. */
mb_vec mb_box(double mass, mb_vec inertia);

/** Write the corners, xyz [3 MB_CORNERS] ordered as in resida/model.h, about r with axes R. @return pointer after
 *  them */
double *mb_box_corners(mb_vec half, mb_vec r, const mb_mat *R, double *xyz);

#endif
