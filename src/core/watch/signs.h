/* signs.h - signs that components must have (option sign_each). */
#ifndef RSD_SIGNS_H
#define RSD_SIGNS_H

#include <resida/problem.h>

#include "base/message.h"

/** Return 1 if y has the sign 0: any; 1: y >= 0; 2: y > 0; -1: y <= 0; -2: y < 0. */
int rsd_has_sign(int sign, double y);

/** Correct the signs of interpolated y [n] between two steps that have their signs: a component with a wrong sign
 *  becomes the nearest number with its sign, 0 or DBL_MIN. sign NULL: no change. */
void rsd_clip_signs(const int *sign, int n, double *y);

/** Check the signs of y0 + e [n]. If the weighted norm *missed of all wrong components, with weights w [n], is at most
 *  the tolerance, they are set to zero by changing e. A component that must not be zero makes the norm infinite.
 *  @return a component whose sign is not sign [n], or -1 */
int rsd_keep_signs(const int *sign, int n, const double *y0, double *e, const double *w, double tolerance,
                   double *missed);

/** Report that component i, with value y, has a wrong sign at t. where: end of the message. Return RESIDA_ERR_SIGN. */
resida_status rsd_wrong_sign(const resida_problem *problem, int i, int sign, double y, double t, const char *where,
                             resida_message *why);

#endif
