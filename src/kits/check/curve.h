/* curve.h - compares a given derivative x' [n] of x(s) at s = 0 with differences of x. */
#ifndef RSD_CURVE_H
#define RSD_CURVE_H

#include "base/memory.h"

enum { RSD_PLACES = 5 }; /* points of a difference: s, -s, 0, 2s, -2s */

/** How far a row may be off. */
typedef struct rsd_closeness {
    double agrees;   /* of the terms of the row */
    double floor;    /* part of the largest row: what is below is rounding */
    double rounding; /* of the values of x, in eps */
} rsd_closeness;

typedef struct rsd_curve {
    rsd_closeness close;
    double *given, *scale; /* [n] x' as it is given; the size of its terms */
    double *off, *found;   /* [n] the smallest disagreement, and what differences were there */
    double *x[RSD_PLACES]; /* [n] */
} rsd_curve;

/** x(s) [n], s = 0 at the state. The verdict of the callbacks. */
typedef int rsd_along(double s, double *x, void *context);

/** Arrays [n], whose owner frees them. 0: no memory */
int rsd_curve_reserve(rsd_curve *c, int n, const resida_allocator *alloc);

/** Set n given rows to 0. Add a term to row i, and its size to the scale. */
void rsd_curve_clear(rsd_curve *c, int n);
void rsd_curve_add(rsd_curve *c, int i, double term);

/** Compare n rows. *row: the one that disagrees most; -1: none, or x cannot be had. The verdict of the callbacks where
 *  it is < 0. Cost: x at 2 places, at up to 57 where a row does not agree. */
int rsd_curve_compare(rsd_curve *c, int n, rsd_along *x, void *context, int *row);

/** The row of n from `first` on that disagrees most; -1: none. */
int rsd_curve_worst(const rsd_curve *c, int first, int n);

#endif
