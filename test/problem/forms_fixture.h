/* forms_fixture.h - runs of random mechanisms in all formulations, and how far their ends are apart. */
#ifndef RESIDA_TEST_FORMS_FIXTURE_H
#define RESIDA_TEST_FORMS_FIXTURE_H

#include <resida/option.h>
#include <resida/solver.h>

#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/mechanisms/with_states.h"

/** How many formulations of mechanisms with constraints the library knows, and the names of them, "ggl" first. */
int forms_count(void);
const char *forms_name(int i);

/** The end of a run, at t = 0.5 with rtol = atol = 1e-8. */
typedef struct ending {
    double p[WS_MAX], v[WS_MAX], a[WS_MAX], lam[2 * CM_MAX];
} ending;

/** Redundant rows are dropped; jacobian: a strategy. */
void forms_integrate(const resida_mechanism *m, const resida_problem_options *po, const double *p0, const double *v0,
                     const char *jacobian, int threads, ending *end);

/** The ends agree: positions to 1e-6, those of the index-3 formulations, whose velocities have no error test, to 1e-4;
 *  a and lam 100 times less. */
void forms_compare(const resida_mechanism *m, const char *form, const ending *x, const ending *y);

/** With gamma = 2 and a penalty of 3 where the form has them. */
resida_problem_options forms_options(const char *form, resida_formalism formalism);

#endif
