/* test_tiny_pendulum.c - corrections of multipliers that are rounding: a pendulum of 1e-9 m as a general DAE in SI
 * units (GGL; multipliers of 1e10 N/(kg m), positions of 1e-9 m, times of 1e-5 s). What rounding of positions makes in
 * eta is as large as eta, at every step size, and entries 2 y for the multipliers begin at zero. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/oracle.h"
#include "test/fixtures/solver_fixture.h"

enum { X, Y, U, V, LAM, ETA, N };
static const double L = 1e-9, g = 9.81, t_end = 2e-5;

static int swing(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[X] - y[U] + 2 * y[X] * y[ETA];
    r[1] = yp[Y] - y[V] + 2 * y[Y] * y[ETA];
    r[2] = yp[U] - 2 * y[X] * y[LAM];
    r[3] = yp[V] + g - 2 * y[Y] * y[LAM];
    r[4] = y[X] * y[U] + y[Y] * y[V];
    r[5] = y[X] * y[X] + y[Y] * y[Y] - L * L;
    return 0;
}

/* Released level: phi'' = (g/L) cos(phi). */
static void fall(double t, const double *x, double *rates, const void *user)
{
    rates[0] = x[1], rates[1] = cos(x[0]);
}

static void run(const char *strategy, double rtol)
{
    static const resida_kind kinds[N] = {[LAM] = RESIDA_ALGEBRAIC_2, [ETA] = RESIDA_ALGEBRAIC_2};
    const double y0[N] = {[X] = L}, yp0[N] = {[V] = -g};
    double x[2] = {0, 0};
    resida_dae d = test_dae();
    resida_solver_options o = test_solver_options();
    d.n = N;
    d.kinds = kinds;
    d.residual = swing;
    o.rtol = rtol;
    o.atol = 1e-12 * rtol;
    o.jacobian = strategy;
    o.max_steps = 1500; /* 1e-10 takes 1,000 */
    resida_solver *s = test_solver_dae(&d, NULL, &o);
    assert_int_equal(resida_solver_start_dae(s, 0, y0, yp0), RESIDA_OK);
    if (resida_solver_advance(s, t_end) != RESIDA_OK) fail_msg("%s, %g: %s", strategy, rtol, resida_solver_message(s));
    resida_state now = test_state(s);
    oracle_integrate(fall, NULL, 2, 0, t_end * sqrt(g / L), 10000, x);
    bench_near(now.y[X], L * cos(x[0]), 30 * rtol * L); /* of up to 1,000 steps, each within rtol */
    bench_near(now.y[Y], -L * sin(x[0]), 30 * rtol * L);
}

CLAIM(rounding_of_multipliers_ends_no_step)
{
    static const char *const strategies[] = {"auto", "fresh", "sparse", "dense"};
    for (int k = 0; k < 4; k++)
        for (int digits = 4; digits <= 10; digits++) run(strategies[k], pow(10, -digits));
}
