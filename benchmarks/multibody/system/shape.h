/* shape.h - geometry for drawings of a system: a box for each body with mass (box.h), a cylinder for each rotor, and a
 * line or a spring for each two-point element. */
#ifndef MB_SHAPE_H
#define MB_SHAPE_H

#include <resida/model.h>

#include "system.h"

/** Words for the two-point elements, and the size of rotors in drawings. */
typedef struct mb_look {
    const char *link, *strut;
    double radius, width; /**< of rotors [m] */
} mb_look;

/** List the parts, named as the bodies [n_body].
 *  @param[out] parts  NULL: only count the parts
 *  @return number of parts */
int mb_shape_parts(const mb_system *s, const char *const *names, const mb_look *look, resida_part *parts);

/** Write the points of these parts at p, in root axes; u: driven coordinates. @return pointer after the points */
double *mb_shape_points(const mb_system *s, const mb_look *look, double t, const double *p, const double *u,
                        double *xyz);

/** Write the points of one body; a rotor is rotated by spin t, too. @return pointer after the points */
double *mb_shape_body(const mb_body *body, const mb_state *there, double t, double *xyz);

/** Write the points of a cylinder about the axis of a rotor, including its rotation; `aside`: offset from the centre.
 *  @return pointer after the points */
double *mb_shape_rotor(const mb_body *body, const mb_state *there, double t, double aside, const mb_look *look,
                       double *xyz);

#endif
