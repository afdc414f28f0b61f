/* falling_mass.h - a mass above the ground: p'' = -GRAVITY, with the root p. */
#ifndef RESIDA_TEST_FALLING_MASS_H
#define RESIDA_TEST_FALLING_MASS_H

#include <resida/all.h>

#define GRAVITY 9.81

resida_mechanism falling_mass(void);

/** Its residual: r = a + GRAVITY. */
resida_residual_fn falling_residual;

#endif
