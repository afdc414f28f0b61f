/* numbers.h - numerical constants that several files use, with their reasons. A constant of one file is defined in that
 * file, with a name that no other file uses (test/house/test_numbers.c). */
#ifndef RSD_NUMBERS_H
#define RSD_NUMBERS_H

#include <float.h>
#include <limits.h>

/** Relative size of the rounding error of a few additions and multiplications. */
#define RSD_NEGLIGIBLE (4 * DBL_EPSILON)

/** Relative size of Newton corrections that are rounding errors if they no longer decrease. */
#define RSD_STALLED 1e-10

/** Relative increment eps^(1/2) of a one-sided difference. The errors by nonlinearity and by rounding are then
 *  equal. */
#define RSD_SQRT_EPS 1.4901161193847656e-08

/** Ratio of the larger to the smaller increment, if an entry is computed by two differences. The larger increment, 0.01
 *  for a component of size 1, shows whether rounding has hidden the entry. */
#define RSD_FARTHER 1e6

/** Maximum distance between two difference quotients of the same entry, relative to their rounding errors. */
#define RSD_SAME_ENTRY 10.0

/** Relative increment eps^(1/3) of a central difference, whose error is eps^(2/3). */
#define RSD_CUBE_ROOT_EPS 6.0554544523933430e-06

/** Golden ratio (sqrt(5) - 1)/2. The fractional parts of its multiples are evenly distributed in 0..1. */
#define RSD_GOLDEN 0.6180339887498949

/** Maximum number of unknowns; small multiples of it fit into an int. */
enum { RSD_MAX_UNKNOWNS = INT_MAX / 8 };

#endif
