/* norm_runs.h - runs of a heavy body with a fixed point, gyro.h, whose Euler parameters have a norm of 1: an invariant,
 * or none. */
#ifndef RESIDA_TEST_NORM_RUNS_H
#define RESIDA_TEST_NORM_RUNS_H

#include "gyro.h"
#include "test/fixtures/file_util.h"

/** The forms for constraints. */
enum { NORM_FORMS = 10 };
extern const char *const norm_forms[NORM_FORMS];

/** What differs between runs; zero: the default. */
typedef struct norm_variant {
    gyro g;
    const char *form, *jacobian, *method;
    resida_formalism formalism;
    double tol, step;
    int step_projection, threads;
} norm_variant;

typedef struct norm_run {
    gyro g;
    resida_problem *problem;
    resida_solver *solver;
    double p0[GYRO_MAX], v0[GYRO_MAX];
} norm_run;

/** Up to the start. @return its status, or that of the creation that failed, in why */
resida_status norm_open(norm_run *r, const norm_variant *x, const resida_start_options *so, resida_start_report *report,
                        resida_message *why);

/** The same, and the test ends where it fails. */
void norm_open_fine(norm_run *r, const norm_variant *x);

/** k at the state; without the invariant what it would be. */
double norm_off(norm_run *r);

/** Largest |k| at the ends of steps and at outputs between them, to t_end. */
double norm_worst(const norm_variant *x, double t_end, int outputs);

/** The end at t = 1 into end [7]: q, then lam. */
void norm_end(const norm_variant *x, double *end);

/** Largest difference; infinite where x is not finite. */
double norm_apart(const double *x, const double *y, int n);

#endif
