/* variable_fixture.h - small general DAEs, solved by Radau IIA with steps of variable size. */
#ifndef RESIDA_TEST_VARIABLE_FIXTURE_H
#define RESIDA_TEST_VARIABLE_FIXTURE_H

#include <resida/all.h>

/** radau-iia-3 without a given step; rtol = atol = tolerance. */
resida_solver_options variable_options(double tolerance);

/** A DAE and its solver, started at t = 0 in y0, yp0 (NULL: computed). Every failure ends the test. */
typedef struct variable_run {
    resida_problem *problem;
    resida_solver *solver;
} variable_run;

void variable_open(variable_run *r, const resida_dae *d, const resida_solver_options *o, const double *y0,
                   const double *yp0);

/** Advance to t, which is reached without an event. */
void variable_advance(resida_solver *s, double t);

/** A DAE with n components, all differential. */
resida_dae variable_dae(int n, resida_dae_residual_fn *residual);

/** y'' = -y as y_0' = y_1, y_1' = -y_0 */
resida_dae_residual_fn variable_oscillator;

#endif
