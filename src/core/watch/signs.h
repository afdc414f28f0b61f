/* signs.h - signs that components must have (option sign_each). */
#ifndef RSD_SIGNS_H
#define RSD_SIGNS_H

#include <resida/problem.h>

#include "base/message.h"

/** Return 1 if y has the required sign: y >= 0 for sign 1, y > 0 for 2, y <= 0 for -1, y < 0 for -2, any y for 0. */
int rsd_has_sign(int sign, double y);

/** Correct the signs of y [n], interpolated between two steps whose signs are correct. A component with a wrong sign
 *  becomes the nearest number with the required sign, 0 or DBL_MIN. sign NULL: no change. */
void rsd_clip_signs(const int *sign, int n, double *y);

/** Check the signs of y0 + e [n]. *missed is the norm of the components with a wrong sign, with weights w [n]. If
 *  *missed is at most the tolerance, e is changed so that components with a wrong sign become zero. *missed is infinite
 *  if a component with a wrong sign must not be zero.
 *  @return a component whose wrong sign was not corrected, or -1 */
int rsd_correct_signs(const int *sign, int n, const double *y0, double *e, const double *w, double tolerance,
                      double *missed);

/** Report the wrong sign of component i = y at t. `where` ends the message. Return RESIDA_ERR_SIGN. */
resida_status rsd_report_wrong_sign(const resida_problem *problem, int i, int sign, double y, double t,
                                    const char *where, resida_message *why);

#endif
