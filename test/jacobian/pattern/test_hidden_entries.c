/* test_hidden_entries.c - entries that the terms beside them hide, because F is looked at where they are large: heat
 * that flows through layers of steel, in SI units, with the fluxes as unknowns. Beside conductances of 5e6 W/(m^2 K) at
 * 300 K the entry of a flux is 1, and the first look is at a predictor some kelvins away. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

enum { LAYERS = 200, N = 2 * LAYERS - 1 };
static const double dx = 1e-5, conductivity = 50, capacity = 3.6e6; /* m, W/(m K), J/(m^3 K) */
static const double t_end = 1e-2, power = 1e6, w = 1e4, start_K = 300;

/* y: temperatures u, then the fluxes between layers. */
static int flow(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const double *u = y, *q = y + LAYERS;
    for (int i = 0; i < LAYERS; i++) {
        const double in = i > 0 ? q[i - 1] : power * (1 + sin(w * t)), out = i < LAYERS - 1 ? q[i] : 0;
        r[i] = capacity * dx * yp[i] - (in - out);
        if (i < LAYERS - 1) r[LAYERS + i] = q[i] - conductivity * (u[i] - u[i + 1]) / dx;
    }
    return 0;
}

/* The heat that is there is the heat that came in: power (t + (1 - cos w t)/w). */
static void run(const char *strategy, double rtol)
{
    resida_dae d = test_dae();
    resida_solver_options o = test_solver_options();
    double y0[N] = {0}, heat = 0;
    d.n = N;
    d.residual = flow;
    for (int i = 0; i < LAYERS; i++) y0[i] = start_K;
    o.rtol = rtol;
    o.atol = 100 * rtol;
    o.jacobian = strategy;
    o.max_steps = 20000;
    resida_solver *s = test_solver_dae(&d, NULL, &o);
    assert_int_equal(resida_solver_start_dae(s, 0, y0, NULL), RESIDA_OK);
    if (resida_solver_advance(s, t_end) != RESIDA_OK) fail_msg("%s, %g: %s", strategy, rtol, resida_solver_message(s));
    resida_state now = test_state(s);
    for (int i = 0; i < LAYERS; i++) heat += capacity * dx * (now.y[i] - start_K);
    const double came = power * (t_end + (1 - cos(w * t_end)) / w);
    print_message("%s, %g: %.1e of the heat is missing\n", strategy, rtol, 1 - heat / came);
    bench_near(heat, came, LAYERS * capacity * dx * 10 * rtol * (100 + start_K));
}

CLAIM(a_flux_beside_large_conductances_is_found)
{
    static const char *const strategies[] = {"auto", "fresh", "sparse", "dense"};
    for (int k = 0; k < 4; k++)
        for (double rtol = 1e-3; rtol > 5e-7; rtol /= 10) run(strategies[k], rtol);
}
