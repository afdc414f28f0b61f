/* shape.h - what a system looks like: a box for each body that has mass (box.h), a cylinder for one that is a rotor,
 * and a line or a spring for each element between two points. */
#ifndef MB_SHAPE_H
#define MB_SHAPE_H

#include <resida/model.h>

#include "system.h"

/** Words for the elements between two points, and how large rotors are drawn. */
typedef struct mb_look {
    const char *link, *strut;
    double radius, width; /**< of rotors [m] */
} mb_look;

/** Parts with the names of bodies [n_body].
 *  @param[out] parts  NULL: only their number is wanted
 *  @return their number */
int mb_shape_parts(const mb_system *s, const char *const *names, const mb_look *look, resida_part *parts);

/** Points of these parts at p, in the axes of the roots; u: values of the driven coordinates. @return behind them */
double *mb_shape_points(const mb_system *s, const mb_look *look, double t, const double *p, const double *u,
                        double *xyz);

/** Those of one body; a rotor has turned by spin t besides. @return behind them */
double *mb_shape_body(const mb_body *body, const mb_state *there, double t, double *xyz);

/** Those of a cylinder about the axis of a rotor, which has turned, too; `aside`: from its centre. @return behind
 *  them */
double *mb_shape_rotor(const mb_body *body, const mb_state *there, double t, double aside, const mb_look *look,
                       double *xyz);

#endif
