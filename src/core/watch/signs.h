/* signs.h - signs that components must have (option sign_each). */
#ifndef RSD_SIGNS_H
#define RSD_SIGNS_H

#include <resida/problem.h>

#include "base/message.h"

/** 0: any; 1: y >= 0; 2: y > 0; -1: y <= 0; -2: y < 0. */
int rsd_has_sign(int sign, double y);

/** y [n] of a polynomial between two steps that have their signs: what has not its own becomes the nearest number that
 *  has, 0 or DBL_MIN. sign NULL: nothing. */
void rsd_clip_signs(const int *sign, int n, double *y);

/** Of y0 + e [n]: what misses zero by no more than the tolerance, weighted by w [n], is put there by e, where it may be
 *  zero. *missed: by so much, all together.
 *  @return a component that has another sign than sign [n] says; -1: none */
int rsd_keep_signs(const int *sign, int n, const double *y0, double *e, const double *w, double tolerance,
                   double *missed);

/** RESIDA_ERR_SIGN: component i, y, has not its sign at t; `where` says the rest. */
resida_status rsd_wrong_sign(const resida_problem *problem, int i, int sign, double y, double t, const char *where,
                             resida_message *why);

#endif
