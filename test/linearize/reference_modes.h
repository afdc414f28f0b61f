/* reference_modes.h - eigenvalues of a pencil, lambda E x = A x, found without the library: by inverse iteration with
 * KLU's complex factors, residuals and Rayleigh quotients in quadruple precision. */
#ifndef RESIDA_TEST_REFERENCE_MODES_H
#define RESIDA_TEST_REFERENCE_MODES_H

#include <complex.h>

#include <resida/linearize.h>

/** The eigenvalue nearest to `near`.
 *  @param[out] change  in the last iteration, a part of it */
double complex reference_eigenvalue(const resida_linear_model *model, double complex near, double *change);

/** How many eigenvalues, with their multiplicities, are nearer to `near` than `part` of its size; most + 1: more than
 *  `most` are. Others that are not much farther take more iterations, and room for them in `most`. */
int reference_multiplicity(const resida_linear_model *model, double complex near, double part, int most,
                           int iterations);

#endif
