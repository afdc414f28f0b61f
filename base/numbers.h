/* numbers.h - the numbers by which several files decide. Each stands here once, with its reason; a number of one file
 * stands in that file, under a name that no other file has (test/house/test_numbers.c). */
#ifndef RSD_NUMBERS_H
#define RSD_NUMBERS_H

#include <float.h>
#include <limits.h>

/** Of a size: a smaller change of it is none. What some additions and multiplications leave. */
#define RSD_NEGLIGIBLE (4 * DBL_EPSILON)

/** Of a size: a correction that no longer falls, and is as small, is the rounding of the function, not a failure. Six
 *  digits of it may have been lost in terms that cancel. */
#define RSD_STALLED 1e-10

/** eps^(1/2): increment of a difference to one side, of a size of 1, where its bend and its rounding are alike. */
#define RSD_SQRT_EPS 1.4901161193847656e-08

/** Times an increment: a second look, which tells an entry from the rounding that may have hidden it. A hundredth of a
 *  component that counts as 1. */
#define RSD_FARTHER 1e6

/** Times their rounding: two differences of one entry, with increments of different size, are not further apart. */
#define RSD_SAME_ENTRY 10.0

/** eps^(1/3): the same of a central difference, whose error is then eps^(2/3). */
#define RSD_CUBE_ROOT_EPS 6.0554544523933430e-06

/** (sqrt(5) - 1)/2: the fractions of its multiples fill 0..1 evenly, however many are taken, and repeat no pattern. */
#define RSD_GOLDEN 0.6180339887498949

/** Unknowns of a problem, at most: sums and products of a few such numbers do not leave an int. */
enum { RSD_MAX_UNKNOWNS = INT_MAX / 8 };

#endif
