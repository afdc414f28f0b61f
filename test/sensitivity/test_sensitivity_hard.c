/* test_sensitivity_hard.c - derivatives where the J of y does not fit: of what rests while its equation turns stiff,
 * with J renewed as it pays and with one that is kept whole; and where the steps of y grow as fast as they can. */
#include "sensitivity_fixture.h"
#include "test/fixtures/solver_fixture.h"

enum { N = 3 };
#define TURN 1.0 /* s */

/* y0'' = -100 y0 holds the steps down; y2' = -K (y2 - theta sin wt), theta = 0: y2 rests. */
typedef struct stiffens {
    double theta, w;
    double before, K; /* before t = 1, and from there on */
} stiffens;

static int residual(double t, const double *y, const double *yp, const resida_excitation *x, double *r, void *user)
{
    const stiffens *s = user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + 100 * y[0];
    r[2] = yp[2] + (t < TURN ? s->before : s->K) * (y[2] - s->theta * sin(s->w * t));
    return 0;
}

/* s' = -K (s - sin wt) from s at t0. */
static double follow(double w, double K, double t0, double s0, double t)
{
    const double at[2] = {t0, t};
    double forced[2];
    for (int i = 0; i < 2; i++) forced[i] = K * (K * sin(w * at[i]) - w * cos(w * at[i])) / (K * K + w * w);
    return forced[1] + (s0 - forced[0]) * exp(-K * (t - t0));
}

/* Return 1 if a warning of the run says that sensitivities are inaccurate. */
static int is_warned(const resida_solver *s)
{
    const resida_stats stats = test_stats(s);
    for (int i = 0; i < stats.n_warnings; i++)
        if (strncmp(stats.warnings[i], "sensitivities: ", strlen("sensitivities: ")) == 0) return 1;
    return 0;
}

/* Within `most`; or a warning says that they are not. */
static void expect_derivatives(const char *jacobian, double w, double before, double K, double most)
{
    stiffens own = {.theta = 0, .w = w, .before = before, .K = K}, moved = own;
    resida_sensitivity by;
    resida_solver_options o = test_solver_options();
    resida_state d;
    const double y0[N] = {1, 0, 0}, yp0[N] = {0, -100, 0}, turned = follow(w, before, 0, 0, TURN);
    resida_sensitivity_init(&by);
    o.jacobian = jacobian;
    o.rtol = o.atol = 1e-6;
    by.delta = moved.theta = 1e-7;
    resida_problem *q = dae_of(N, residual, &own);
    by.moved = dae_of(N, residual, &moved);
    resida_solver *s = test_solver_of(q, &o);
    assert_int_equal(resida_solver_set_sensitivities(s, 1, &by), RESIDA_OK);
    assert_int_equal(resida_solver_start_dae(s, 0, y0, yp0), RESIDA_OK);
    for (double t = 0.3; t < 3; t += 0.3) {
        if (resida_solver_advance(s, t) != RESIDA_OK)
            fail_msg("%s, w = %g, K = %g: %s", jacobian, w, K, resida_solver_message(s));
        assert_int_equal(resida_solver_sensitivity(s, 0, &d), RESIDA_OK);
        const double expected = t < TURN ? follow(w, before, 0, 0, t) : follow(w, K, TURN, turned, t);
        if (!(fabs(d.y[2] - expected) < most) && !(most > 2e-3 && is_warned(s)))
            fail_msg("%s, w = %g, K = %g, %g, t = %g: %g, not %g", jacobian, w, before, K, t, d.y[2], expected);
        assert_true(d.y[0] == 0 && d.y[1] == 0);
    }
}

CLAIM(a_mass_at_rest_is_sensitive_to_a_change_of_stiffness)
{
    static const char *const strategies[] = {"auto", "dense", "sparse", "sparse+partitioned"};
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        for (double w = 1; w < 31; w += 29)
            for (double K = 20; K < 1e7; K *= 50) {
                expect_derivatives(strategies[i], w, 1, K, 2e-3);
                expect_derivatives(strategies[i], w, K, 1, 2e-2);
            }
    }
}

enum { N_GROWS = 2 };

/* y0' = theta, y1 = y0^2: of order 2 and more all steps are right, and each is twice as long as the one before. */
static int parabola(double t, const double *y, const double *yp, const resida_excitation *x, double *r, void *user)
{
    r[0] = yp[0] - *(const double *)user;
    r[1] = y[1] - y[0] * y[0];
    return 0;
}

/* What an iteration leaves in s is not carried away by a BDF of order 3, which such steps make unstable. */
CLAIM(the_remaining_error_does_not_grow_with_the_steps)
{
    static const char *const strategies[] = {"auto", "dense", "sparse", "fresh"};
    static const resida_kind kinds[N_GROWS] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    const double theta = 1.3, begin = 1e-3, s_0 = 0.8, delta = 1e-7, t_end = 0.8;
    const double y0[N_GROWS] = {begin, begin * begin}, yp0[N_GROWS] = {theta, 2 * begin * theta};
    const double dy0[N_GROWS] = {s_0, 2 * begin * s_0}, dyp0[N_GROWS] = {1, 2 * (begin + theta * s_0)};
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        double own = theta, moved = theta + delta;
        resida_dae dae = test_dae();
        resida_problem *q[2];
        resida_solver_options o = test_solver_options();
        resida_sensitivity by;
        resida_state d;
        resida_sensitivity_init(&by);
        dae.n = N_GROWS, dae.kinds = kinds, dae.residual = parabola;
        o.rtol = o.atol = 1e-9, o.jacobian = strategies[i];
        for (int k = 0; k < 2; k++) {
            dae.user = k ? &moved : &own;
            q[k] = test_problem_dae(&dae, NULL);
        }
        by.moved = q[1], by.delta = delta, by.dy0 = dy0, by.dyp0 = dyp0;
        resida_solver *s = test_solver_of(q[0], &o);
        assert_int_equal(resida_solver_set_sensitivities(s, 1, &by), RESIDA_OK);
        assert_int_equal(resida_solver_start_dae(s, 0, y0, yp0), RESIDA_OK);
        assert_int_equal(resida_solver_advance(s, t_end), RESIDA_OK);
        assert_int_equal(resida_solver_sensitivity(s, 0, &d), RESIDA_OK);
        print_message("%s: s is wrong by %.1e\n", strategies[i], d.y[0] - s_0 - t_end);
        if (!(fabs(d.y[0] - s_0 - t_end) < 1e-6)) fail_msg("%s: %g", strategies[i], d.y[0]);
    }
}

/* A damped double pendulum of lengths 1 m and 0.7 m, in units of 1/unit m; m: mass of the lower bob. */
typedef struct double_pendulum {
    double unit, m;
} double_pendulum;

enum { N_BOBS = 4 };

static int bobs(double t, const double *p, const double *v, const double *a, const resida_excitation *x, double *r,
                void *user)
{
    const double_pendulum *d = user;
    for (int i = 0; i < N_BOBS; i++) r[i] = (i < 2 ? 1 : d->m) * (a[i] + (i % 2 ? 9.81 * d->unit : 0)) + 0.1 * v[i];
    return 0;
}

static int rods(double t, const double *p, const resida_excitation *x, double *out, void *user)
{
    const double unit = ((const double_pendulum *)user)->unit, dx = p[2] - p[0], dy = p[3] - p[1];
    out[0] = p[0] * p[0] + p[1] * p[1] - unit * unit;
    out[1] = dx * dx + dy * dy - 0.49 * unit * unit;
    return 0;
}

static int rods_matrix(double t, const double *p, const resida_excitation *x, double *out, void *user)
{
    const double dx = 2 * (p[2] - p[0]), dy = 2 * (p[3] - p[1]);
    const double all[2 * N_BOBS] = {2 * p[0], 2 * p[1], 0, 0, -dx, -dy, dx, dy};
    memcpy(out, all, sizeof all);
    return 0;
}

/* Compute the derivatives of p by the mass at t = 1.3 s, in m/kg, with the formulation `form`. */
static void differentiate_bobs(const char *form, double unit, double *dp)
{
    double_pendulum own = {unit, 2}, moved = {unit, 2 * (1 + 1e-7)};
    const double p0[N_BOBS] = {0.6 * unit, -0.8 * unit, 1.3 * unit, -0.8 * unit}, v0[N_BOBS] = {0};
    resida_mechanism m = test_mechanism();
    resida_problem_options po = test_problem_options();
    resida_solver_options o = test_solver_options();
    resida_sensitivity by;
    resida_state d;
    resida_sensitivity_init(&by);
    m.n_p = m.n_v = N_BOBS, m.n_g = 2, m.residual = bobs, m.constraint = rods, m.constraint_matrix = rods_matrix;
    po.form = form;
    o.rtol = 1e-9, o.atol = 1e-9 * unit;
    m.user = &own;
    resida_problem *q = test_problem(&m, &po);
    m.user = &moved;
    by.moved = test_problem(&m, &po), by.delta = moved.m - own.m, by.scale = own.m;
    resida_solver *s = test_solver_of(q, &o);
    assert_int_equal(resida_solver_set_sensitivities(s, 1, &by), RESIDA_OK);
    assert_int_equal(resida_solver_start(s, 0, p0, v0, NULL, NULL), RESIDA_OK);
    if (resida_solver_advance(s, 1.3) != RESIDA_OK) fail_msg("%s, %g: %s", form, unit, resida_solver_message(s));
    if (is_warned(s)) fail_msg("%s, %g: a warning", form, unit);
    assert_int_equal(resida_solver_sensitivity(s, 0, &d), RESIDA_OK);
    for (int i = 0; i < N_BOBS; i++) dp[i] = d.p[i] / unit;
}

/* eta is an error in units of 1/s. Tolerances of lengths are not its tolerances. Oracle: index2, without eta. */
CLAIM(derivatives_do_not_depend_on_units_of_length)
{
    double expected[N_BOBS], dp[N_BOBS];
    differentiate_bobs("index2", 1, expected);
    for (double unit = 1; unit > 1e-7; unit /= 1000) {
        differentiate_bobs("ggl", unit, dp);
        for (int i = 0; i < N_BOBS; i++)
            if (!(fabs(dp[i] - expected[i]) < 1e-6)) fail_msg("%g: %.9g, not %.9g", unit, dp[i], expected[i]);
    }
}

/* y' = -theta y; the terms of 1000 round F to 1e-13. */
static int decay(double t, const double *y, const double *yp, const resida_excitation *x, double *r, void *user)
{
    r[0] = (yp[0] + 1000) + *(const double *)user * y[0] - 1000;
    return 0;
}

CLAIM(increments_of_the_size_of_rounding_give_a_warning)
{
    for (int k = 4; k <= 14; k += 2) {
        double own = 1, moved = 1 + pow(2, -3.3219 * k), y0 = 1, yp0 = -1;
        resida_sensitivity by;
        resida_state d;
        resida_solver_options o = test_solver_options();
        resida_sensitivity_init(&by);
        o.rtol = o.atol = 1e-8;
        by.delta = moved - own;
        by.moved = dae_of(1, decay, &moved);
        resida_solver *s = test_solver_of(dae_of(1, decay, &own), &o);
        assert_int_equal(resida_solver_set_sensitivities(s, 1, &by), RESIDA_OK);
        assert_int_equal(resida_solver_start_dae(s, 0, &y0, &yp0), RESIDA_OK);
        assert_int_equal(resida_solver_advance(s, 1), RESIDA_OK);
        assert_int_equal(resida_solver_sensitivity(s, 0, &d), RESIDA_OK);
        const double error = fabs(d.y[0] + exp(-1.0));
        print_message("1e-%d: s is wrong by %.1e, %d\n", k, error, is_warned(s));
        if (!(error < 1e-4) && !is_warned(s))
            fail_msg("delta = %g: s is wrong by %g, without a warning", by.delta, error);
        assert_true(k < 14 || is_warned(s));
        assert_true(k > 8 || !is_warned(s));
    }
}
