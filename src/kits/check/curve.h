/* curve.h - compares a given derivative x' [n] of x(s) at s = 0 with differences of x. */
#ifndef RSD_CURVE_H
#define RSD_CURVE_H

#include "base/memory.h"

enum { RSD_PLACES = 5 }; /* number of points s, -s, 0, 2s, -2s of a difference quotient */

/** Tolerances of the comparison of a row. */
typedef struct rsd_closeness {
    double agrees;   /* maximum error of a row, relative to the size of the row */
    double floor;    /* part of the largest row that is added to the size of each row */
    double rounding; /* rounding error of the values x, relative to eps |x| */
} rsd_closeness;

/** Derivative given by the model, and differences with which it is compared. */
typedef struct rsd_curve {
    rsd_closeness close;   /* tolerances */
    double *given, *scale; /* [n] given derivative; [n] sum of the absolute values of its terms */
    double *off, *found;   /* [n] distance of the given derivative from the nearest quotient; [n] this quotient */
    double *x[RSD_PLACES]; /* [n] values of x at each point of a difference quotient */
} rsd_curve;

/** A function that evaluates x(s) [n]; s = 0 is the state. It returns the value of the callbacks. */
typedef int rsd_eval_along_fn(double s, double *x, void *context);

/** Allocate the arrays [n] of c. The owner of alloc frees them. Return 1 on success, 0 if memory is exhausted. */
int rsd_curve_allocate(rsd_curve *c, int n, const resida_allocator *alloc);

/** Set n given rows and their scales to 0, or add a term to given row i and its absolute value to scale i. */
void rsd_curve_clear(rsd_curve *c, int n);
void rsd_curve_add_term(rsd_curve *c, int i, double term);

/** Compare n given rows with difference quotients. *row is the row with the largest error, or -1 if all rows agree or x
 *  cannot be evaluated. Return the value of the callbacks if it is < 0, else 0. Cost: 2 evaluations of x; up to 57 if a
 *  row disagrees. */
int rsd_curve_compare(rsd_curve *c, int n, rsd_eval_along_fn *x, void *context, int *row);

/** Return the row with the largest error among n rows from `first` on, or -1 if all rows agree. */
int rsd_curve_find_worst(const rsd_curve *c, int first, int n);

#endif
