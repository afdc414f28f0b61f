/* method_fixture.h - the pendulum in steps of a fixed size, and how far it is from its exact motion. */
#ifndef RESIDA_TEST_METHOD_FIXTURE_H
#define RESIDA_TEST_METHOD_FIXTURE_H

#include <resida/all.h>

#include "test/fixtures/bench_fixture.h"

/** What to run. form "angle": the same pendulum in its angle, an ODE. */
typedef struct method_case {
    const char *method, *form;
    resida_start_up start_up;
    double rho;           /**< 0: default */
    double gamma;         /**< of newmark; 0: default */
    int in_middle;        /**< multipliers are those of the middle of a step: the mean of two is that of the grid point
                               between */
    const char *jacobian; /**< NULL: default */
} method_case;

/** The pendulum, a problem and a solver on it; started at t = 0. */
typedef struct method_run {
    bench b;
    resida_mechanism angle;
    resida_problem *problem;
    resida_solver *solver;
} method_run;

/** Options for a case with steps of size h; rtol = atol = 1e-12. */
resida_solver_options method_options(const method_case *c, double h);

/** Open and start; o NULL: method_options(). Every failure ends the test. */
void method_open(method_run *r, const method_case *c, double h, const resida_solver_options *o);

/** Exact p (or angle), v, lam at t. */
void method_exact(const method_run *r, double t, double *p, double *v, double *lam);

/** Largest errors of p, v, lam [3] at t = 0.5, 0.55 .. 1 in steps of 1/n, n a multiple of 20. */
void method_errors(const method_case *c, int n, double *error);

/** Energy of a state of the pendulum, per mass. */
double method_energy(const method_run *r);

#endif
