/* numbers.h - numerical constants that several files use, with their reasons. A constant of one file is defined in that
 * file, with a name that no other file uses (test/house/test_numbers.c). */
#ifndef RSD_NUMBERS_H
#define RSD_NUMBERS_H

#include <float.h>
#include <limits.h>

/** Relative size below which a change is rounding: the error of a few additions and multiplications. */
#define RSD_NEGLIGIBLE (4 * DBL_EPSILON)

/** Relative size of corrections below which corrections that no longer decrease are rounding errors. */
#define RSD_STALLED 1e-10

/** eps^(1/2): increment of a one-sided difference for a component of size 1. The errors by nonlinearity and by rounding
 *  are then of equal size. */
#define RSD_SQRT_EPS 1.4901161193847656e-08

/** Ratio of the increment of a repeated difference to that of the first difference. The repeated difference shows
 *  whether rounding has hidden an entry. The repeated increment is 0.01 for a component of size 1. */
#define RSD_FARTHER 1e6

/** Maximum difference of two quotients for one entry with different increments, in units of their rounding errors. */
#define RSD_SAME_ENTRY 10.0

/** eps^(1/3): increment of a central difference for a component of size 1. The error of the difference is eps^(2/3). */
#define RSD_CUBE_ROOT_EPS 6.0554544523933430e-06

/** (sqrt(5) - 1)/2: fractional parts of multiples of the number fill 0..1 evenly, for any number of multiples. */
#define RSD_GOLDEN 0.6180339887498949

/** Maximum number of unknowns of a problem. Sums and small multiples of numbers of unknowns fit into an int. */
enum { RSD_MAX_UNKNOWNS = INT_MAX / 8 };

#endif
