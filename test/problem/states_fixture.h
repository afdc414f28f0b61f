/* states_fixture.h - runs of small mechanisms with first-order states. Every failure ends the test. */
#ifndef RESIDA_TEST_STATES_FIXTURE_H
#define RESIDA_TEST_STATES_FIXTURE_H

#include <resida/all.h>

#include "test/fixtures/bench_fixture.h"

/** A run from t = 0 on. */
typedef struct run {
    resida_problem *problem;
    resida_solver *solver;
} run;

/** po NULL: defaults. */
void run_open(run *r, const resida_mechanism *m, const resida_problem_options *po, const resida_solver_options *o,
              const double *p0, const double *v0);
resida_state run_to(run *r, double t);

/** In steps of h, with rtol = atol = 1e-12; h 0: of "bdf". */
resida_solver_options options(const char *method, double h);

#endif
