/* pencil.h - eigenvalues of a built-in model at its start: those of the pencil s dF/dyp + dF/dy, by LAPACK's QZ. */
#ifndef RESIDA_TEST_PENCIL_H
#define RESIDA_TEST_PENCIL_H

#include <resida/start.h>

#include "test/fixtures/bench_fixture.h"

/** A model as a problem, at a point (t, y, yp). */
typedef struct pencil {
    resida_problem *problem;
    resida_layout layout;
    int n;
    double t, *y, *yp;
} pencil;

/** The problem of a mechanism at its consistent start. */
void pencil_open(pencil *k, bench *b);

/** J [n x n] by rows: dF/dy (of_rate 0) or dF/dyp (1), by central differences with increment h. */
void pencil_jacobian(pencil *k, int of_rate, double h, double *J);

/** Eigenvalues s with |s| < most, by their imaginary part from below, conjugates left out.
 *  @return their number; re, im [n] */
int pencil_eigenvalues(pencil *k, double most, double *re, double *im);

/** The test ends unless one of the eigenvalues has this frequency [Hz] and damping ratio, each as far as printed:
 *  within half a unit of the last digit, `unit` and `unit_damping`. */
void pencil_has(int count, const double *re, const double *im, double hertz, double unit, double damping,
                double unit_damping);

#endif
