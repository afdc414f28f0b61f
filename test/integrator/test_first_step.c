/* test_first_step.c - the first step fits transients of any speed, whatever is known of the way, and a start at the
 * time reached keeps the Jacobian. */
#include "falling_mass.h"
#include "test/fixtures/mechanisms/scripted.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

#define CLOSED 1e-3

typedef struct fixture {
    resida_problem *problem;
    resida_solver *s;
    resida_stats stats;
} fixture;

static fixture open_mechanism(const resida_mechanism *m, double tol, double h_first)
{
    fixture f;
    resida_solver_options o = test_solver_options();
    o.rtol = o.atol = tol;
    o.h_first = h_first;
    o.jacobian = "fresh";
    test_solver_make(&f.problem, &f.s, m, NULL, &o);
    return f;
}

static void take(fixture *f)
{
    f->stats = (resida_stats){.size = sizeof f->stats};
    assert_int_equal(resida_solver_stats(f->s, &f->stats), RESIDA_OK);
}

/* --- oscillators: x'' = -w^2 x, of which y'' is known
 * --------------------------------------------------------------- */

typedef struct spring {
    double w; /* rad/s */
    int is_closed;
} spring;

static int swings(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                  void *user)
{
    const spring *s = user;
    r[0] = a[0] + s->w * s->w * p[0];
    return 0;
}

/* Without a mass matrix: dr/da is found by differences, at a = 0 too, where other terms of r are large. */
static resida_mechanism oscillator(spring *s)
{
    resida_mechanism m = test_mechanism();
    m.n_p = m.n_v = 1;
    m.residual = swings;
    m.user = s;
    return m;
}

/* --- fast transients at the start of a long run: y' = k (sin(w t + phase) - y), y(0) = 0 --- */

typedef struct lag {
    double k, w, phase; /* 1/s, rad/s, rad */
} lag;

static int lags(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const lag *x = user;
    r[0] = yp[0] - x->k * (sin(x->w * t + x->phase) - y[0]);
    return 0;
}

static double lagged(const lag *x, double t)
{
    const double d = x->k * x->k + x->w * x->w, s = sin(x->w * t + x->phase), c = cos(x->w * t + x->phase);
    const double begin = x->k * (x->k * sin(x->phase) - x->w * cos(x->phase)) / d;
    return x->k * (x->k * s - x->w * c) / d - begin * exp(-x->k * t);
}

/* 1 pF at 10 Ohm behind a source of 50 Hz, which IDA's first guess, a thousandth of 0.1 s, leaves behind by 10^8; and
 * kinetics that are over within 1 ns of 3,000 years, where nothing but the rounding of t limits the first step. */
CLAIM(a_transient_of_any_speed_is_resolved)
{
    static const struct {
        lag x;
        double t_end;
    } cases[] = {{{1e11, 314, 0}, 0.1}, {{1e9, 0, 1}, 1e11}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        for (const char *const *jacobian = (const char *const[]){"auto", "fresh", "dense", NULL}; *jacobian;
             jacobian++) {
            lag x = cases[k].x;
            resida_dae d = test_dae();
            resida_solver_options o = test_solver_options();
            fixture f;
            const double y0 = 0, yp0 = x.k * sin(x.phase);
            d.n = 1, d.residual = lags, d.user = &x;
            o.rtol = o.atol = 1e-9;
            o.jacobian = *jacobian;
            test_solver_make_dae(&f.problem, &f.s, &d, NULL, &o);
            assert_int_equal(resida_solver_start_dae(f.s, 0, &y0, &yp0), RESIDA_OK);
            if (resida_solver_advance(f.s, cases[k].t_end) != RESIDA_OK)
                fail_msg("k = %g, %s: %s", x.k, *jacobian, resida_solver_message(f.s));
            resida_state now = test_state(f.s);
            assert_true(fabs(now.y[0] - lagged(&x, now.t)) < 100 * o.rtol);
        }
}

static double first_step(double t_out, double t_stop, double h_first)
{
    spring s = {.w = 3};
    resida_mechanism m = oscillator(&s);
    const double p = 1, v = 1;
    fixture f = open_mechanism(&m, 1e-6, h_first);
    assert_int_equal(resida_solver_set_stop_time(f.s, t_stop), RESIDA_OK);
    assert_int_equal(resida_solver_start(f.s, 0, &p, &v, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_step(f.s, t_out), RESIDA_OK);
    test_state(f.s);
    take(&f);
    return f.stats.h;
}

/* But that it is no longer than a hundredth of the way to the stop time, without one to the first output. */
CLAIM(the_first_step_is_at_most_a_hundredth_of_the_interval)
{
    double h = first_step(1, INFINITY, 0);
    for (double t = 1e-4; t < 1e9; t *= 10) {
        const double expected = fmin(h, t / 100);
        if (fabs(first_step(t, INFINITY, 0) - expected) > 1e-2 * expected) /* trials may differ */
            fail_msg("outputs from t = %g on: %.17g instead of %.17g", t, first_step(t, INFINITY, 0), expected);
        assert_true(first_step(t, fmax(t, 1), 0) == h);
    }
}

/* --- index 3: y = sin(t + phase) given, its second derivative sought; a turn on the unit circle --- */

static int differentiates_twice(double t, const double *y, const double *yp, const resida_excitation *e, double *r,
                                void *user)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - y[2];
    r[2] = y[0] - sin(t + *(const double *)user);
    return 0;
}

/* Of y[2] = lam = -sin(t + phase), at the first outputs. */
static double error_of_second_derivative(double phase, double tol, double dt)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_DIFFERENTIAL_2, RESIDA_ALGEBRAIC_3};
    const double s = sin(phase), c = cos(phase), y0[] = {s, c, -s}, yp0[] = {c, -s, -c};
    fixture f;
    double most = 0;
    resida_dae d = test_dae();
    resida_solver_options o = test_solver_options();
    d.n = 3, d.kinds = kinds, d.residual = differentiates_twice, d.user = &phase;
    o.rtol = o.atol = tol;
    test_solver_make_dae(&f.problem, &f.s, &d, NULL, &o);
    assert_int_equal(resida_solver_start_dae(f.s, 0, y0, yp0), RESIDA_OK);
    for (int i = 1; i <= 10; i++) {
        assert_int_equal(resida_solver_advance(f.s, i * dt), RESIDA_OK);
        most = fmax(most, fabs(test_state(f.s).y[2] + sin(i * dt + phase)));
    }
    return most;
}

/* Of lam = 1, the centripetal acceleration, at the first outputs. */
static double error_of_centripetal_force(double tol, double dt, int has_stop_time)
{
    fixture f;
    double most = 0;
    resida_mechanism m = test_mechanism();
    resida_problem_options po = test_problem_options();
    resida_solver_options o = test_solver_options();
    m.n_p = m.n_v = 2, m.n_g = 1, m.residual = small_inert, m.constraint = small_rod;
    po.form = "index3";
    o.rtol = o.atol = tol;
    if (has_stop_time) o.t_stop = 100;
    test_solver_make(&f.problem, &f.s, &m, &po, &o);
    assert_int_equal(resida_solver_start(f.s, 0, (double[]){1, 0}, (double[]){0, 1}, NULL, NULL), RESIDA_OK);
    for (int i = 1; i <= 10; i++) {
        assert_int_equal(resida_solver_advance(f.s, i * dt), RESIDA_OK);
        most = fmax(most, fabs(fabs(test_state(f.s).lam[0]) - 1));
    }
    return most;
}

/* Steps that are still growing at the first output have lam wrong by up to 10^4 times itself there. */
CLAIM(multipliers_of_index_3_are_right_from_the_first_output_on)
{
    for (double tol = 1e-4; tol > 1e-9; tol /= 100)
        for (double dt = 1e-3; dt < 0.2; dt *= 10)
            for (int k = 0; k < 2; k++) {
                const double error = error_of_second_derivative(k ? asin(1) : 0, tol, dt);
                const double force = error_of_centripetal_force(tol, dt, k);
                if (!(error < 1e-2 && force < 1e-2))
                    fail_msg("tol %g, outputs each %g, case %d: lam is off by %g, %g", tol, dt, k, error, force);
            }
}

CLAIM(a_given_first_step_size_is_used)
{
    for (double h = 1e-9; h < 1e-3; h *= 10) assert_true(first_step(1, INFINITY, h) == h);
}

/* --- starts at the time reached
 * ------------------------------------------------------------------------------------- */

/* By IDA's own first step an impact takes 22 steps and 31 residual calls at 1e-6. */
CLAIM(an_impact_costs_few_calls_and_no_jacobian)
{
    enum { IMPACTS = 20 };
    const resida_mechanism m = falling_mass();
    fixture f = open_mechanism(&m, 1e-6, 0);
    assert_int_equal(resida_solver_start(f.s, 0, &(double){1}, &(double){0}, NULL, NULL), RESIDA_OK);
    for (int k = 0; k < IMPACTS; k++) {
        assert_int_equal(resida_solver_advance(f.s, 100), RESIDA_EVENT);
        resida_state at = test_state(f.s);
        const double up = -0.9 * at.v[0];
        assert_int_equal(resida_solver_start(f.s, at.t, &(double){0}, &up, NULL, NULL), RESIDA_OK);
    }
    take(&f);
    print_message("bouncing mass: %.1f steps and %.1f residual calls for each impact\n",
                  (double)f.stats.steps / IMPACTS, (double)f.stats.residual_calls.total / IMPACTS);
    assert_true(f.stats.steps < 20 * IMPACTS);
    assert_true(f.stats.residual_calls.total < 26 * IMPACTS);
    assert_int_equal(f.stats.jacobian_evaluations.dense + f.stats.jacobian_evaluations.coloured, 1);
    assert_int_equal(f.stats.error_test_fails, 0);
}

/* A contact that closes with the start makes J another one: it is found out, and the result is right. */
static int pushes(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                  void *user)
{
    const spring *s = user;
    if (!s->is_closed) return falling_residual(t, p, v, a, e, r, user);
    return swings(t, p, v, a, e, r, user);
}

CLAIM(a_jacobian_that_is_wrong_after_the_start_is_renewed)
{
    const double tol = 1e-8, w = 300, speed = GRAVITY * 0.2;
    spring s = {.w = w};
    resida_mechanism m = oscillator(&s);
    m.residual = pushes;
    fixture f = open_mechanism(&m, tol, 0);
    assert_int_equal(resida_solver_start(f.s, 0, &(double){0.5 * GRAVITY * 0.04}, &(double){0}, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(f.s, 0.2), RESIDA_OK);
    s.is_closed = 1;
    assert_int_equal(resida_solver_start(f.s, 0.2, &(double){0}, &(double){-speed}, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(f.s, 0.2 + 1 / w), RESIDA_OK);
    resida_state at = test_state(f.s);
    take(&f);
    assert_true(fabs(at.p[0] + speed / w * sin(1)) < CLOSED * speed / w);
    assert_true(f.stats.jacobian_evaluations.dense + f.stats.jacobian_evaluations.coloured >= 2);
}

/* Without one the first output decides. */
CLAIM(with_a_stop_time_steps_do_not_depend_on_the_outputs)
{
    double end[2];
    long steps[2];
    for (int k = 0; k < 2; k++) {
        scripted_run r;
        scripted_open(&r, NULL, 1e-6);
        assert_int_equal(scripted_start(&r), RESIDA_OK);
        assert_int_equal(resida_solver_set_stop_time(r.solver, 1), RESIDA_OK);
        for (int i = 1; i <= (k ? 1 : 1000); i++)
            assert_int_equal(resida_solver_advance(r.solver, k ? 1 : i / 1000.0), RESIDA_OK);
        end[k] = test_state(r.solver).p[0], steps[k] = test_stats(r.solver).steps;
    }
    assert_true(end[0] == end[1]);
    assert_int_equal(steps[0], steps[1]);
}
