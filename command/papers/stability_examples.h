/* stability_examples.h - Examples 1 and 2 of U. Ascher, L. Petzold, Stability of computational methods for constrained
 * dynamics systems: x' = A x + B y + q, 0 = C x + r with two components of x, in the formulations of Tables 4.1 and
 * 4.2. */
#ifndef BENCH_STABILITY_EXAMPLES_H
#define BENCH_STABILITY_EXAMPLES_H

#include <resida/dae.h>

typedef enum bench_linear_form {
    BENCH_LINEAR_BAUMGARTE,  /**< g' + gamma g = 0 in the place of g = 0, (3.2) */
    BENCH_LINEAR_INDEX2,     /**< as it is, (4.1); "gamma = infinity" */
    BENCH_LINEAR_PROJECTED,  /**< projected invariants, (4.7) */
    BENCH_LINEAR_STATE_SPACE /**< u = (1, 0) x, (3.17) */
} bench_linear_form;

/** One of the two in one formulation. */
typedef struct bench_linear {
    int example; /**< 1 or 2 */
    bench_linear_form form;
    double nu, gamma;
} bench_linear;

enum { BENCH_LINEAR_MAX = 3 }; /* unknowns: x, and y, or mu, or nothing */

/** The DAE; `linear` must outlive it. */
void bench_linear_dae(const bench_linear *linear, resida_dae *d);

/** A consistent start at t = 0, [BENCH_LINEAR_MAX] each: the exact solution x = e^t (1, 1), y = -e^t/(2 - t). */
void bench_linear_start(const bench_linear *linear, double *y, double *yp);

/** Largest error of x [2] at t = 1, in all three examples. */
double bench_linear_error(const double *x);

/** |C x + r| at t. */
double bench_linear_drift(const bench_linear *linear, double t, const double *x);

#endif
