/* test_bounces.c - a body that bounces without loss, by a root function and a start at each bounce: what starts leave
 * in the states all goes the same way, and adds up. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

static const double g = 9.81, height = 1,
                    later = 0.3; /* m/s^2, m; end after the last bounce but the apex, times fall */

/* How far the position is off after so many bounces; *energy: the part of it that is lost. */
static double error_after(int bounces, const char *strategy, double tol, double *energy)
{
    const double down = sqrt(2 * height / g), t_end = (2 * bounces + later) * down;
    double p = height, v = 0;
    int n = 0;
    resida_mechanism m = test_mechanism();
    resida_solver_options o = test_solver_options();
    resida_state now;
    resida_status status;
    m.n_p = m.n_v = m.n_root = 1;
    m.residual = small_mass;
    m.root = small_p0;
    o.rtol = o.atol = tol;
    o.jacobian = strategy;
    resida_solver *s = test_solver(&m, NULL, &o);
    assert_int_equal(resida_solver_start(s, 0, &p, &v, NULL, NULL), RESIDA_OK);
    while ((status = resida_solver_advance(s, t_end)) == RESIDA_EVENT) {
        now = test_state(s);
        p = 0, v = fabs(now.v[0]), n++;
        assert_int_equal(resida_solver_start(s, now.t, &p, &v, NULL, NULL), RESIDA_OK);
    }
    assert_int_equal(status, RESIDA_OK);
    assert_int_equal(n, bounces);
    now = test_state(s);
    *energy = 1 - (now.p[0] + now.v[0] * now.v[0] / (2 * g)) / height;
    const double error = fabs(now.p[0] - height * (1 - later * later));
    return error;
}

/* H_n = 1 + 1/2 + ... + 1/n */
static double harmonic(int n)
{
    double sum = 0;
    for (int k = 1; k <= n; k++) sum += 1.0 / k;
    return sum;
}

CLAIM(errors_of_starts_add_up_like_a_logarithm)
{
    enum { FEW = 20, MANY = 5000 };
    for (double tol = 1e-5; tol > 5e-9; tol /= 10) {
        double few, many;
        error_after(FEW, "auto", tol, &few);
        const double error = error_after(MANY, "auto", tol, &many);
        print_message("%g: %.1e of the energy after %d bounces, %.1e after %d, off by %.1e\n", tol, few, FEW, many,
                      MANY, error);
        /* Each start leaves up to twice what the others do, as the number of doublings has it. */
        bench_near(many, 0, 2 * few * harmonic(MANY) / harmonic(FEW));
    }
}

CLAIM(five_thousand_bounces_keep_three_digits)
{
    double energy;
    static const char *const strategies[] = {"auto", "fresh", "dense"};
    for (int k = 0; k < 3; k++) assert_true(error_after(5000, strategies[k], 1e-6, &energy) < 1e-3 * height);
}
