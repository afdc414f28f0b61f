/* test_quadratures.c - integrals along the solution: energy dissipated and work against their closed forms, with the
 * accuracy of the tolerances, at outputs within steps, over starts behind events, back in time, and with steps of a
 * fixed size; what f says wrong ends the call in words. */
#include "test/fixtures/claims.h"
#include "test/fixtures/mechanisms/small.h"
#include "test/fixtures/solver_fixture.h"

#define DAMPING 0.7

/* m = 1: a + d v = cos t. */
static int damped(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                  void *user)
{
    r[0] = a[0] + DAMPING * v[0] - cos(t);
    return 0;
}

static int verdict;
static double factor = 1;
static long calls;

/* Power that is dissipated, and that of the force; the way. */
static int powers(const resida_state *at, double *rate, void *user)
{
    rate[0] = DAMPING * at->v[0] * at->v[0] * factor;
    rate[1] = cos(at->t) * at->v[0];
    rate[2] = at->v[0];
    calls++;
    return verdict;
}

/* v = A e^(-d t) + B cos t + C sin t from v(0) = 0:  B = d/(1 + d^2), C = 1/(1 + d^2), A = -B. */
static void exact(double t, double *q, double *v)
{
    const double d = DAMPING, B = d / (1 + d * d), C = 1 / (1 + d * d), E = exp(-d * t);
    *v = -B * E + B * cos(t) + C * sin(t);
    q[2] = -B * (1 - E) / d + B * sin(t) + C * (1 - cos(t));
    /* integral of e^(-d t) cos t: (d + e^(-d t)(sin t - d cos t))/(1 + d^2) */
    q[1] = -B * (d + E * (sin(t) - d * cos(t))) / (1 + d * d) + B * (t / 2 + sin(2 * t) / 4) + C * sin(t) * sin(t) / 2;
    q[0] = q[1] - *v * *v / 2; /* energy */
}

typedef struct run {
    resida_problem *problem;
    resida_solver *solver;
} run;

static run begin(const char *method, double step, double tol)
{
    static const double p0 = 0, v0 = 0;
    run r;
    resida_mechanism m = test_mechanism();
    resida_solver_options o = test_solver_options();
    m.n_p = m.n_v = 1;
    m.residual = damped, m.mass_matrix = small_unit_mass;
    o.method = method, o.step = step;
    o.rtol = o.atol = tol;
    verdict = 0, factor = 1, calls = 0;
    test_solver_make(&r.problem, &r.solver, &m, NULL, &o);
    assert_int_equal(resida_solver_set_quadratures(r.solver, 3, powers, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_start(r.solver, 0, &p0, &v0, NULL, NULL), RESIDA_OK);
    return r;
}

static double off(const run *r)
{
    double q[3], right[3], v, most = 0;
    exact(test_state(r->solver).t, right, &v);
    assert_int_equal(resida_solver_quadratures(r->solver, q), RESIDA_OK);
    for (int i = 0; i < 3; i++) most = fmax(most, fabs(q[i] - right[i]));
    return most;
}

CLAIM(energy_dissipated_and_work_are_as_accurate_as_the_solution)
{
    double before = INFINITY;
    for (double tol = 1e-4; tol > 1e-11; tol /= 100) {
        const run r = begin("bdf", 0, tol);
        double most = 0;
        for (int k = 1; k <= 70; k++) {
            assert_int_equal(resida_solver_advance(r.solver, 0.0731 * k), RESIDA_OK);
            most = fmax(most, off(&r));
        }
        const resida_stats stats = test_stats(r.solver);
        if (most > 30 * tol || most > before / 10) fail_msg("%g: off by %g, %g before", tol, most, before);
        assert_true(calls <= 10 * (stats.steps + 70));
        before = most;
    }
}

/* Path and upward path of a ball that is thrown up at 5 m/s: 5^2/(2 g) up, then down; steps pass over the kink of |v|
 * at the top. The last integrand is noise about 0. */
static int paths(const resida_state *at, double *rate, void *user)
{
    rate[0] = fabs(at->v[0]);
    rate[1] = fmax(0, at->v[0]);
    rate[2] = sin(1e9 * at->v[0]) * 1e-14;
    calls++;
    return 0;
}

CLAIM(integrals_over_kinks_have_the_tolerance)
{
    static const double p0 = 0, v0 = 5;
    for (double tol = 1e-4; tol > 1e-11; tol /= 10) {
        resida_mechanism m = test_mechanism();
        resida_solver_options o = test_solver_options();
        double q[3];
        m.n_p = m.n_v = 1, m.residual = small_mass, m.mass_matrix = small_unit_mass;
        o.rtol = o.atol = tol;
        resida_solver *s = test_solver(&m, NULL, &o);
        calls = 0;
        assert_int_equal(resida_solver_set_quadratures(s, 3, paths, NULL), RESIDA_OK);
        assert_int_equal(resida_solver_start(s, 0, &p0, &v0, NULL, NULL), RESIDA_OK);
        assert_int_equal(resida_solver_advance(s, 2), RESIDA_OK);
        assert_int_equal(resida_solver_quadratures(s, q), RESIDA_OK);
        const double up = 25 / (2 * 9.81), down = 9.81 / 2 * (2 - 5 / 9.81) * (2 - 5 / 9.81);
        if (!(fabs(q[1] - up) <= 10 * tol && fabs(q[0] - up - down) <= 100 * tol && fabs(q[2]) <= 1e-13))
            fail_msg("%g: %.12g, %.12g, not %.12g, %.12g", tol, q[1], q[0], up, up + down);
        assert_true(calls <= 7 * test_stats(s).steps + 700);
    }
}

/* A free rotor at 20 rad/s: its few steps contain many periods of sin^2, and outputs divide them. */
static int load(const resida_state *at, double *rate, void *user)
{
    rate[0] = sin(at->p[0]) * sin(at->p[0]);
    rate[1] = at->p[0] < 100 ? 1 : -1;
    calls++;
    return 0;
}

static int free_rotor(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                      double *r, void *user)
{
    r[0] = a[0];
    return 0;
}

CLAIM(integrals_of_oscillations_and_jumps_have_the_tolerance_at_each_output)
{
    static const double p0 = 0, v0 = 20;
    static const char *const methods[] = {"bdf", "radau-iia-3"};
    for (int i = 0; i < 2; i++)
        for (double tol = 1e-4; tol > 1e-11; tol /= 100) {
            resida_mechanism m = test_mechanism();
            resida_solver_options o = test_solver_options();
            double before = 0;
            m.n_p = m.n_v = 1, m.residual = free_rotor, m.mass_matrix = small_unit_mass;
            o.rtol = o.atol = tol, o.method = methods[i];
            resida_solver *s = test_solver(&m, NULL, &o);
            calls = 0;
            assert_int_equal(resida_solver_set_quadratures(s, 2, load, NULL), RESIDA_OK);
            assert_int_equal(resida_solver_start(s, 0, &p0, &v0, NULL, NULL), RESIDA_OK);
            for (int k = 1; k <= 400; k++) {
                const double t = 0.025 * k;
                double q[2];
                assert_int_equal(resida_solver_advance(s, t), RESIDA_OK);
                assert_int_equal(resida_solver_quadratures(s, q), RESIDA_OK);
                if (fabs(q[0] - t / 2 + sin(40 * t) / 80) > 20 * tol || q[0] < before - 20 * tol)
                    fail_msg("%s, %g: q(%g) = %.12g, not %.12g", methods[i], tol, t, q[0], t / 2 - sin(40 * t) / 80);
                if (fabs(q[1] - fmin(t, 10 - t)) > 20 * tol)
                    fail_msg("%s, %g: jump, q(%g) = %g", methods[i], tol, t, q[1]);
                before = q[0];
            }
            assert_int_equal(test_stats(s).n_warnings, 0);
            assert_true(calls < 150000); /* an output does not repeat the integral from the start of the step */
        }
}

static int rough(const resida_state *at, double *rate, void *user)
{
    rate[0] = sin(1e12 * at->t);
    return 0;
}

CLAIM(integrals_of_noise_are_warned_of)
{
    static const double p0 = 0, v0 = 20;
    resida_mechanism m = test_mechanism();
    resida_solver_options o = test_solver_options();
    m.n_p = m.n_v = 1, m.residual = free_rotor, m.mass_matrix = small_unit_mass;
    resida_solver *s = test_solver(&m, NULL, &o);
    assert_int_equal(resida_solver_set_quadratures(s, 1, rough, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_start(s, 0, &p0, &v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(s, 1), RESIDA_OK);
    assert_int_equal(test_stats(s).n_warnings, 1);
    assert_non_null(strstr(test_stats(s).warnings[0], "quadratures: 10000 parts"));
}

CLAIM(quadratures_do_not_change_steps)
{
    const run with = begin("bdf", 0, 1e-6), without = begin("bdf", 0, 1e-6);
    assert_int_equal(resida_solver_set_quadratures(without.solver, 0, NULL, NULL), RESIDA_OK);
    for (int k = 1; k <= 20; k++) {
        assert_int_equal(resida_solver_advance(with.solver, 0.3 * k), RESIDA_OK);
        assert_int_equal(resida_solver_advance(without.solver, 0.3 * k), RESIDA_OK);
        assert_true(test_state(with.solver).v[0] == test_state(without.solver).v[0]);
    }
    assert_int_equal(test_stats(with.solver).residual_calls.total, test_stats(without.solver).residual_calls.total);
}

/* The cubic between grid points is of order 3, and so is the method. */
CLAIM(quadratures_with_fixed_steps_have_the_order_of_the_method)
{
    double before = INFINITY;
    for (double h = 0.1; h > 0.02; h /= 2) {
        const run r = begin("radau-iia-2", h, 1e-11);
        assert_int_equal(resida_solver_advance(r.solver, 3.05), RESIDA_OK);
        if (off(&r) > before / 6) fail_msg("h = %g: off by %g, %g before", h, off(&r), before);
        before = off(&r);
    }
    assert_true(before < 1e-5);
}

CLAIM(starts_at_the_present_time_continue_quadratures_and_others_reset_them)
{
    const run r = begin("bdf", 0, 1e-8);
    double q[3] = {7, 7, 7};
    for (int k = 1; k <= 5; k++) {
        assert_int_equal(resida_solver_advance(r.solver, 0.77 * k), RESIDA_OK);
        const double p = test_state(r.solver).p[0], v = test_state(r.solver).v[0];
        assert_int_equal(resida_solver_start(r.solver, 0.77 * k, &p, &v, NULL, NULL), RESIDA_OK);
        assert_true(off(&r) < 1e-6);
    }
    const double t = test_state(r.solver).t, p = test_state(r.solver).p[0], v = test_state(r.solver).v[0];
    while (test_state(r.solver).t < t + 1) assert_int_equal(resida_solver_step(r.solver, t + 1), RESIDA_OK);
    assert_true(off(&r) < 1e-6);
    assert_int_equal(resida_solver_start(r.solver, t, &p, &v, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_quadratures(r.solver, q), RESIDA_OK);
    assert_true(q[0] == 0 && q[1] == 0 && q[2] == 0);
    assert_int_equal(resida_solver_advance(r.solver, 0), RESIDA_OK); /* back to the first start */
    double right[3], v_right;
    exact(t, right, &v_right);
    assert_int_equal(resida_solver_quadratures(r.solver, q), RESIDA_OK);
    for (int i = 0; i < 3; i++) assert_true(fabs(q[i] + right[i]) < 1e-4);
}

/* a = force cos p, whose force is another one after p = 1/2; its power. */
static double force;

static int pushed(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                  void *user)
{
    r[0] = a[0] - force * cos(p[0]);
    return 0;
}

static int power(const resida_state *at, double *rate, void *user)
{
    rate[0] = force * cos(at->p[0]) * at->v[0];
    return 0;
}

static int triples_the_force(const resida_model *m, resida_model_event *e)
{
    if (e->kind == RESIDA_AT_ROOT) force = 3, e->changed = 1;
    return 0;
}

/* The work is the kinetic energy; asked 1: at the event, too. */
static void expect_work(resida_solver *s, resida_run *events, int asked)
{
    double q;
    for (int k = 1; k <= 30; k++) {
        resida_status status;
        while ((status = events ? resida_run_advance(events, 0.1 * k) : resida_solver_advance(s, 0.1 * k)) ==
               RESIDA_EVENT) {
            if (events) continue;
            if (asked) assert_int_equal(resida_solver_quadratures(s, &q), RESIDA_OK);
            force = 3;
            const double p = test_state(s).p[0], v = test_state(s).v[0];
            assert_int_equal(resida_solver_start(s, test_state(s).t, &p, &v, NULL, NULL), RESIDA_OK);
        }
        assert_int_equal(status, RESIDA_OK);
    }
    const double v = test_state(s).v[0];
    assert_true(force == 3);
    assert_int_equal(resida_solver_quadratures(s, &q), RESIDA_OK);
    if (fabs(q - v * v / 2) > 1e-7) fail_msg("work %.12g, energy %.12g", q, v * v / 2);
}

CLAIM(quadratures_up_to_an_event_use_the_model_before_the_event)
{
    static const double zero = 0;
    for (int k = 0; k < 6; k++) {
        const int by_run = k == 2 || k == 5, is_fixed = k >= 3;
        resida_model m = {.size = sizeof m, .mechanism = test_mechanism(), .event = triples_the_force, .t_end = 3};
        resida_solver_options o = test_solver_options();
        run r;
        m.p0 = m.v0 = &zero;
        m.mechanism.n_p = m.mechanism.n_v = m.mechanism.n_root = 1;
        m.mechanism.residual = pushed, m.mechanism.root = small_half;
        o.rtol = o.atol = 1e-9;
        if (is_fixed) o.method = "radau-iia-3", o.step = 0.01, o.rtol = o.atol = 1e-11;
        force = 1;
        test_solver_make(&r.problem, &r.solver, &m.mechanism, NULL, &o);
        assert_int_equal(resida_solver_set_quadratures(r.solver, 1, power, NULL), RESIDA_OK);
        resida_run *events = by_run ? test_model_run(&m, r.solver) : NULL;
        assert_int_equal(by_run ? resida_run_start(events, NULL, NULL)
                                : resida_solver_start(r.solver, 0, &zero, &zero, NULL, NULL),
                         RESIDA_OK);
        expect_work(r.solver, events, k % 3);
    }
}

/* Up to there no step is taken. */
CLAIM(a_start_within_roundings_of_t_keeps_quadratures)
{
    for (int roundings = 1; roundings <= 8; roundings *= 2) {
        const run r = begin("bdf", 0, 1e-8);
        double t = 1;
        assert_int_equal(resida_solver_advance(r.solver, t), RESIDA_OK);
        double p = test_state(r.solver).p[0], v = test_state(r.solver).v[0];
        assert_int_equal(resida_solver_start(r.solver, t, &p, &v, NULL, NULL), RESIDA_OK);
        for (int i = 0; i < roundings; i++) t = nextafter(t, 2);
        assert_int_equal(resida_solver_advance(r.solver, t), RESIDA_OK);
        assert_true(off(&r) < 1e-6);
        p = test_state(r.solver).p[0], v = test_state(r.solver).v[0];
        assert_int_equal(resida_solver_start(r.solver, t, &p, &v, NULL, NULL), RESIDA_OK);
        assert_int_equal(resida_solver_advance(r.solver, 2), RESIDA_OK);
        assert_true(off(&r) < 1e-6);
    }
}

/* In the middle of a run, also within a step. */
CLAIM(quadratures_set_after_a_start_begin_at_the_time_reached)
{
    for (int k = 0; k < 6; k++) {
        static const double first[] = {0, 0.5, 1.7};
        double from[3], to[3], q[3], v;
        const run r = k % 2 ? begin("bdf", 0, 1e-8) : begin("radau-iia-3", 0.1, 1e-8);
        const double t_0 = first[k / 2], t = t_0 + 2;
        assert_int_equal(resida_solver_advance(r.solver, t_0), RESIDA_OK);
        assert_int_equal(resida_solver_set_quadratures(r.solver, 3, powers, NULL), RESIDA_OK);
        assert_int_equal(resida_solver_quadratures(r.solver, q), RESIDA_OK);
        assert_true(q[0] == 0 && q[1] == 0 && q[2] == 0);
        assert_int_equal(resida_solver_advance(r.solver, t), RESIDA_OK);
        assert_int_equal(resida_solver_quadratures(r.solver, q), RESIDA_OK);
        exact(t_0, from, &v), exact(t, to, &v);
        for (int i = 0; i < 3; i++) assert_true(fabs(q[i] - (to[i] - from[i])) < 1e-6);
    }
}

static int asks(const resida_state *at, double *rate, void *user)
{
    rate[0] = 0;
    assert_int_equal(resida_solver_quadratures(user, rate), RESIDA_ERR_STATE);
    assert_int_equal(resida_solver_set_quadratures(user, 0, NULL, NULL), RESIDA_ERR_STATE);
    return 0;
}

CLAIM(invalid_quadratures_are_refused_with_a_message)
{
    double q[3] = {0};
    run r = begin("bdf", 0, 1e-6);
    verdict = 3;
    assert_int_equal(resida_solver_advance(r.solver, 1), RESIDA_ERR_USER);
    assert_non_null(strstr(resida_solver_message(r.solver), "callback of quadratures returned 3 at t = "));
    r = begin("bdf", 0, 1e-6);
    factor = INFINITY;
    assert_int_equal(resida_solver_advance(r.solver, 1), RESIDA_ERR_NONFINITE);
    assert_non_null(strstr(resida_solver_message(r.solver), "callback of quadratures returned rate[0] = "));
    assert_int_equal(resida_solver_set_quadratures(r.solver, 1, asks, r.solver), RESIDA_OK);
    assert_int_equal(resida_solver_quadratures(r.solver, q), RESIDA_OK);
    assert_int_equal(resida_solver_advance(r.solver, 1), RESIDA_OK);
    assert_int_equal(resida_solver_set_quadratures(r.solver, 0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_quadratures(r.solver, q), RESIDA_ERR_STATE);
}
