#include "variable_fixture.h"

#include "test/fixtures/claims.h"
#include "test/fixtures/solver_fixture.h"

resida_solver_options variable_options(double tolerance)
{
    resida_solver_options o = test_solver_options();
    o.method = "radau-iia-3";
    o.rtol = o.atol = tolerance;
    return o;
}

resida_dae variable_dae(int n, resida_dae_residual_fn *residual)
{
    resida_dae d = test_dae();
    d.n = n;
    d.residual = residual;
    return d;
}

void variable_open(variable_run *r, const resida_dae *d, const resida_solver_options *o, const double *y0,
                   const double *yp0)
{
    test_solver_make_dae(&r->problem, &r->solver, d, NULL, o);
    assert_int_equal(resida_solver_start_dae(r->solver, 0, y0, yp0), RESIDA_OK);
}

void variable_advance(resida_solver *s, double t)
{
    const resida_status status = resida_solver_advance(s, t);
    if (status != RESIDA_OK) fail_msg("t = %g: %s %s", t, resida_status_name(status), resida_solver_message(s));
}

int variable_oscillator(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0];
    return 0;
}
