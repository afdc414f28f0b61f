/* turning_rows.h - a chain of points in a plane whose constraints are combinations, which turn as it moves, of fewer
 * ones: every choice of independent rows is a bad one somewhere. */
#ifndef RESIDA_TEST_TURNING_ROWS_H
#define RESIDA_TEST_TURNING_ROWS_H

#include <resida/all.h>

enum { TURNING_MAX = 40, TURNING_IN_PAIR = 3 };

/** n points of mass 1, joined by rods of length 1 from the origin on, with weight and damping:
 *
 *     b_i = (|r_i - r_(i-1)|^2 - 1)/2,   g = cos(psi) b_(2j) + sin(psi) b_(2j+1),   psi = phase + w (x_(2j) - x_(2j-1))
 *
 *  three rows g for each pair of rods, of which two are independent everywhere. plain: the rows b themselves. */
typedef struct turning {
    int n, plain;
    double phase[TURNING_MAX / 2][TURNING_IN_PAIR], w[TURNING_MAX / 2][TURNING_IN_PAIR];
    double unit; /* of length in g, such that the rows are g/unit */
    double p0[2 * TURNING_MAX], v0[2 * TURNING_MAX];
    int G_row[2 * TURNING_MAX], G_col[12 * TURNING_MAX], M_row[2 * TURNING_MAX + 1], M_col[2 * TURNING_MAX];
} turning;

/** n <= TURNING_MAX, even, with random phases and speeds of turning; begins at rest, spread out. */
void turning_make(turning *k, int n, unsigned seed);

/** The mechanism, with patterns; of k, which must not move. */
resida_mechanism turning_mechanism(turning *k);

#endif
