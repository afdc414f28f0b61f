/* sensitivity_fixture.h - a built-in model with sensitivities by its parameters, integrated to one time. */
#ifndef RESIDA_TEST_SENSITIVITY_FIXTURE_H
#define RESIDA_TEST_SENSITIVITY_FIXTURE_H

#include <resida/all.h>

#include "test/fixtures/claims.h"

enum { MAX_BY = 4, MAX_Y = 240 };

/** What to run. Zero fields mean defaults. */
typedef struct carried_order {
    const char *model, *form, *jacobian;
    resida_formalism formalism;
    const char *by[MAX_BY]; /**< parameters; closed by NULL where there are fewer */
    const char *set;        /**< a parameter that is set, or NULL */
    double value;
    double rtol, atol, t_end;
} carried_order;

/** p (of a general DAE y), v, lam, and the derivatives of them. */
typedef struct carried {
    int n;
    double y[MAX_Y], s[MAX_BY][MAX_Y];
    long calls, steps;
    resida_sensitivity_counts counts;
} carried;

/** A general DAE of n unknowns by itself. */
resida_problem *dae_of(int n, resida_dae_residual_fn *residual, void *user);

/** Integrate; every failure ends the test. */
carried carry(carried_order order);

/** Derivatives of the end by one parameter, by central differences of two runs at tolerances that are small. */
void differ(carried_order order, const char *parameter, double value, double step, double *d);

/** The largest |x - y| of n, by the largest |y| or `least`. */
double apart(int n, const double *x, const double *y, double least);

#endif
