/* fixed_past.h - the back values of steps of fixed size: kept, extrapolated from, interpolated between. */
#ifndef RSD_FIXED_PAST_H
#define RSD_FIXED_PAST_H

#include "method.h"

/** Vectors for n unknowns; problem and o are set before. RESIDA_ERR_MEMORY. */
resida_status rsd_past_create(rsd_past *past, const resida_allocator *alloc);

/** One value alone: a start. */
void rsd_past_begin(rsd_past *past, const double *y, const double *yp);

/** Keep b, which is for steps of size h, for tries of the next step. */
void rsd_past_keep(rsd_past *past, double h);

/** A step of size h is accepted: its end y, yp [n]; b [n] is there already. */
void rsd_past_push(rsd_past *past, double h, const double *y, const double *yp);

/** y at t_n + h x by the polynomial through the back values of at most this degree; through y_n and y'_n when there is
 *  no other value. */
void rsd_past_extrapolate(const rsd_past *past, double h, double x, int degree, double *y);

/** y and yp at t_n - h[0] (1 - x), 0 <= x <= 1: differential components by Hermite's cubic, the rest by a straight
 *  line; yp NULL: not needed. */
void rsd_past_interpolate(const rsd_past *past, double x, double *y, double *yp);

#endif
