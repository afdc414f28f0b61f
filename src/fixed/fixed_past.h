/* fixed_past.h - the back values of steps of fixed size, their extrapolation and interpolation. */
#ifndef RSD_FIXED_PAST_H
#define RSD_FIXED_PAST_H

#include "method.h"

/** Allocate the vectors; problem and o are set before. RESIDA_OK; RESIDA_ERR_MEMORY. */
resida_status rsd_past_create(rsd_past *past, const resida_allocator *alloc);

/** Begin with one value y, yp [n]. */
void rsd_past_begin(rsd_past *past, const double *y, const double *yp);

/** Keep b, which is for steps of size h, for tries of the next step. */
void rsd_past_keep(rsd_past *past, double h);

/** Add the end y, yp [n] of an accepted step of size h; b [n] is set already. */
void rsd_past_push(rsd_past *past, double h, const double *y, const double *yp);

/** Extrapolate y [n] to t_n + h x by the polynomial of at most this degree through the back values; through y_n and
 *  y'_n if there is one value. */
void rsd_past_extrapolate(const rsd_past *past, double h, double x, int degree, double *y);

/** Interpolate y, yp [n] at t_n - h[0] (1 - x), 0 <= x <= 1: differential components by Hermite's cubic, the rest
 *  linearly; yp may be NULL. */
void rsd_past_interpolate(const rsd_past *past, double x, double *y, double *yp);

#endif
