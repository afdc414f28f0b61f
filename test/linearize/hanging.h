/* hanging.h - rigid rods in absolute coordinates that hang one from the other, and the pendulum in angles that they
 * are.
 *
 *     m r'' + m g e_z - f = 0,   J w' + w x J w = 0 with w in the body,   r_i + R_i (0, 0, l_i/2) = end of rod i - 1
 *
 * Balls join them, or hinges about y: two more rows, e_y of one rod normal to e_x and e_z of the next. In a plane: x, z
 * and the angle. */
#ifndef RESIDA_TEST_HANGING_H
#define RESIDA_TEST_HANGING_H

#include <resida/mechanism.h>

typedef enum { HANGING_PLANE, HANGING_HINGES, HANGING_BALLS } hanging_kind;

enum { HANGING_MAX = 16 };

typedef struct hanging {
    hanging_kind kind;
    int n;                                         /**< rods */
    double mass[HANGING_MAX], length[HANGING_MAX]; /**< [kg], [m] */
    double x;                                      /**< [m] where the first one hangs */
    double spin;                                   /**< [rad] from rod to rod about z; balls */
} hanging;

/** The mechanism, all derivatives by differences; h is borrowed.
 *  @param[out] p  [7 n], or [3 n] in the plane, the rods at rest */
resida_mechanism hanging_mechanism(hanging *h, double *p);

/** M [n x n] and K [n x n] of small angles. */
void hanging_small(const hanging *h, double *M, double *K);

#endif
