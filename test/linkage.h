/* linkage.h - a damped four-bar linkage of two masses a, b in Cartesian coordinates whose constraints are combinations
 * g = C (b(p) - b(start)) + offset + rate t of
 *
 *     b_0 = |a|^2,   b_1 = |a - b|^2,   b_2 = |b - (3,0)|^2   (the rods),   b_3 = x_a + y_b   (independent of them)
 *
 * so that it is known which are redundant. */
#ifndef RESIDA_TEST_LINKAGE_H
#define RESIDA_TEST_LINKAGE_H

#include <resida/mechanism.h>

enum { LINKAGE_N = 4, LINKAGE_BASE = 4, LINKAGE_MOST = 8 };

/** Rows of C, what is added to them, their names, and which of them are redundant. */
typedef struct linkage {
    int n_g, n_h; /**< nonholonomic: the velocity of b_0, once more */
    double C[LINKAGE_MOST][LINKAGE_BASE], offset[LINKAGE_MOST], rate[LINKAGE_MOST];
    const char *names[LINKAGE_MOST];
    int redundant[LINKAGE_MOST]; /**< their numbers */
    int n_redundant;
} linkage;

/** Positions at which g = offset. */
extern const double linkage_start[LINKAGE_N];

/** k is borrowed. */
resida_mechanism linkage_mechanism(linkage *k);

#endif
