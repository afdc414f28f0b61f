/* test_four_bars.c - N four-bar loops in a row (IFToMM A02), bars of 1 m and 1 kg, no dg/dp: twice in each turn
 * all bars lie on a line, where the constraints lose rank and multipliers are noise. All bars stay parallel, as one
 * pendulum whose angle has phi'' = -(g/L) c cos(phi), c = ((N + 1)/2 + N)/((N + 1)/3 + N). */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/oracle.h"
#include "test/fixtures/solver_fixture.h"

enum { MOST = 40, MAX_P = 2 * (MOST + 1) };
static const double g = 9.81, t_end = 10;

/* The rod from one point to another, of which the first may be fixed (NULL). */
static void add_rod(const double *a, const double *b, double *fa, double *fb)
{
    for (int k = 0; k < 2; k++) {
        fb[k] += (2 * b[k] + (a ? a[k] : 0)) / 6 + (k ? g / 2 : 0);
        if (a) fa[k] += (2 * a[k] + b[k]) / 6 + (k ? g / 2 : 0);
    }
}

static int inertia(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *out,
                   void *user)
{
    const int n = *(const int *)user;
    memset(out, 0, 2 * (size_t)(n + 1) * sizeof *out);
    for (int i = 0; i <= n; i++) {
        add_rod(NULL, a + 2 * i, NULL, out + 2 * i);
        if (i > 0) add_rod(a + 2 * i - 2, a + 2 * i, out + 2 * i - 2, out + 2 * i);
    }
    return 0;
}

static int lengths(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const int n = *(const int *)user;
    for (int i = 0; i <= n; i++) {
        const double x = p[2 * i] - i, y = p[2 * i + 1];
        out[i] = (x * x + y * y - 1) / 2;
        if (i == n) break;
        const double dx = p[2 * i + 2] - p[2 * i], dy = p[2 * i + 3] - y;
        out[n + 1 + i] = (dx * dx + dy * dy - 1) / 2;
    }
    return 0;
}

/* phi'' of the first bar with n loops. */
static void swing(double t, const double *x, double *rates, const void *user)
{
    const int n = *(const int *)user;
    rates[0] = x[1], rates[1] = -g * ((n + 1) / 2.0 + n) / ((n + 1) / 3.0 + n) * cos(x[0]);
}

static void run(int n, double tol)
{
    resida_mechanism m = test_mechanism();
    resida_solver_options o = test_solver_options();
    double p[MAX_P], v[MAX_P];
    m.n_p = m.n_v = 2 * (n + 1);
    m.n_g = 2 * n + 1;
    m.user = &n;
    m.residual = inertia;
    m.constraint = lengths;
    for (int i = 0; i <= n; i++) p[2 * i] = i, p[2 * i + 1] = v[2 * i] = 1, v[2 * i + 1] = 0;
    o.rtol = o.atol = tol;
    o.max_steps = 20000;
    resida_solver *s = test_solver(&m, NULL, &o);
    assert_int_equal(resida_solver_start(s, 0, p, v, NULL, NULL), RESIDA_OK);
    if (resida_solver_advance(s, t_end) != RESIDA_OK) fail_msg("%d loops, %g: %s", n, tol, resida_solver_message(s));
    resida_state now = test_state(s);
    double phi[2] = {asin(1), -1};
    oracle_integrate(swing, &n, 2, 0, t_end, 200000, phi);
    bench_near(now.p[0], cos(phi[0]), 5000 * tol); /* 2,500 steps, each within tol; twice that in the phase */
    for (int i = 1; i <= n; i++) bench_near(now.p[2 * i + 1], now.p[1], 100 * tol);
}

CLAIM(loops_pass_the_line_where_constraints_lose_rank)
{
    for (int digits = 5; digits <= 9; digits++) run(1, pow(10, -digits)), run(MOST, pow(10, -digits));
}
