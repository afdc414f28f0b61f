/* three_bodies.h - three bodies of two coordinates each, {0, 3}, {1, 4}, {2, 5}, which M couples; with all patterns and
 * both formalisms. Forces are between the second and the third one, constraints between the first and the second one,
 * and within the second one; so nothing goes between the first and the third one. */
#ifndef RESIDA_TEST_THREE_BODIES_H
#define RESIDA_TEST_THREE_BODIES_H

#include <resida/mechanism.h>

enum { THREE_BODIES = 3, THREE_BODIES_N = 2 * THREE_BODIES, THREE_BODIES_N_G = 2 };

/** friction: the second constraint rubs on the first body. */
resida_mechanism three_bodies(int friction);

#endif
