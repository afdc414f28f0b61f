/* start_fixture.h - a consistent start of a built-in model with its outputs, and the same found another way: the
 * constrained linear systems of start.h solved in long double (oracle.h). */
#ifndef RESIDA_TEST_START_FIXTURE_H
#define RESIDA_TEST_START_FIXTURE_H

#include <resida/start.h>

#include "test/fixtures/bench_fixture.h"

enum { START_MAX = 64 }; /**< most coordinates, and most constraints */

/** A model, its problem, and the last start. */
typedef struct starter {
    bench b;
    resida_problem *problem;
    int n_p, n_v, n_g;
    double p[START_MAX], v[START_MAX], a[START_MAX], lam[START_MAX];
    resida_start_report report;
    resida_message why;
} starter;

void starter_open(starter *s, const char *model, const bench_setting *settings, resida_formalism formalism);

/** Fill the outputs with a pattern, start at t, check what holds after every start: inputs unchanged, outputs finite
 *  after a success and untouched after a failure. o NULL: defaults */
resida_status starter_start(starter *s, double t, const double *p0, const double *v0, const resida_start_options *o);

/** v = v0 made M-orthogonally consistent at (t, p), in long double. */
void starter_expected_velocity(starter *s, double t, const double *p, const double *v0, long double *v);

/** a and lam at (t, p, v), in long double. */
void starter_expected_acceleration(starter *s, double t, const double *p, const double *v, long double *a,
                                   long double *lam);

/** max |x - y| over max(1, |y|). */
double starter_off(int n, const double *x, const long double *y);

#endif
