/* states_fixture.c - see states_fixture.h. */
#include "states_fixture.h"
#include "test/fixtures/solver_fixture.h"

void run_open(run *r, const resida_mechanism *m, const resida_problem_options *po, const resida_solver_options *o,
              const double *p0, const double *v0)
{
    test_solver_make(&r->problem, &r->solver, m, po, o);
    if (resida_solver_start(r->solver, 0, p0, v0, NULL, NULL) < 0)
        fail_msg("%s: %s", o->method, resida_solver_message(r->solver));
}

resida_state run_to(run *r, double t)
{
    if (resida_solver_advance(r->solver, t) < 0) fail_msg("%s", resida_solver_message(r->solver));
    resida_state at = test_state(r->solver);
    return at;
}

resida_solver_options options(const char *method, double h)
{
    resida_solver_options o = test_solver_options();
    o.method = method;
    o.step = h;
    if (h > 0) o.rtol = o.atol = 1e-12;
    return o;
}
