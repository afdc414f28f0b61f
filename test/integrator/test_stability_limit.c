/* test_stability_limit.c - where stability and not accuracy holds the step down, the order is limited to 2, and only
 * there; and it is set free again. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

enum { MODES = 8, MAX_P = 32 };

/* Oscillators on a support, q'' + 2 d w q' + w^2 (q - u) = 0 with w = 1 .. 20 rad/s, hardly damped. The support moves
 * slowly, u = 0.03 m sin(0.05 rad/s t); from t_shaken on it also shakes, ever more during 10 s, by up to 0.02 m with
 * 2 rad/s, which real vibrations follow. */
typedef struct support {
    double t_shaken;
} support;

static const double damping = 1e-4, slow = 0.05, amplitude = 0.03;

static double position(const support *s, double t)
{
    double since = fmax(t - s->t_shaken, 0), part = fmin(since / 10, 1);
    return amplitude * sin(slow * t) + 0.02 * part * part * sin(since) * sin(since);
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    const support *s = user;
    for (int i = 0; i < MODES; i++) {
        double w = pow(20, i / (MODES - 1.0));
        a[i] = f[i] - 2 * damping * w * v[i] - w * w * (p[i] - position(s, t));
    }
    return 0;
}

/* A run, or several parts of it. */
typedef struct run {
    resida_problem *problem;
    resida_solver *solver;
    resida_stats stats;
    double p[MAX_P];
    int n_p;
} run;

/* What differs from run to run. */
typedef struct settings {
    double rtol, atol;
    int detection, max_order;
    double h_max;
    resida_monitor_fn *monitor;
    void *user;
} settings;

static const settings as_chain = {1e-4, 1e-6, 1, 5, INFINITY, NULL, NULL};

static run open_run(const resida_mechanism *m, const resida_dae *dae, settings how)
{
    run r = {.n_p = m ? m->n_p : dae->n};
    resida_solver_options o = test_solver_options();
    assert_int_equal(o.stability_detection, 1);
    o.rtol = how.rtol;
    o.atol = how.atol;
    o.stability_detection = how.detection;
    o.max_order = how.max_order;
    o.h_max = how.h_max;
    o.monitor = how.monitor;
    o.monitor_user = how.user;
    assert_true(r.n_p <= MAX_P);
    r.solver = m ? test_solver(m, NULL, &o) : test_solver_dae(dae, NULL, &o);
    return r;
}

static void take(run *r)
{
    resida_state state = test_state(r->solver);
    memcpy(r->p, state.p ? state.p : state.y, (size_t)r->n_p * sizeof *r->p);
    r->stats = (resida_stats){.size = sizeof r->stats};
    assert_int_equal(resida_solver_stats(r->solver, &r->stats), RESIDA_OK);
}

/* To t, over interruptions. */
static void go_to(run *r, double t)
{
    resida_status status;
    while ((status = resida_solver_advance(r->solver, t)) == RESIDA_INTERRUPTED) continue;
    assert_int_equal(status, RESIDA_OK);
    take(r);
}

static double distance(const run *a, const double *p)
{
    double most = 0;
    for (int i = 0; i < a->n_p; i++) most = fmax(most, fabs(a->p[i] - p[i]));
    return most;
}

/* The chain of 14 rods, its support at `speed` rad/s, after 200 s. */
static run chain(double speed, settings how, double *error)
{
    const bench_setting speeds[] = {{"omega", speed}, {NULL, 0}};
    double reference[MAX_P];
    bench *b = bench_make("chain", speeds);
    run r = open_run(b->m, NULL, how);
    assert_int_equal(resida_solver_start(r.solver, 0, b->model.p0, b->model.v0, NULL, NULL), RESIDA_OK);
    go_to(&r, 200);
    assert_int_equal(b->model.reference(&b->model, 200, reference, NULL, NULL), 0);
    *error = distance(&r, reference);
    return r;
}

/* So that nothing hangs on the luck of one run. */
enum { NEARBY = 17 };

static settings nearby(int k, double rtol, int detection)
{
    rtol *= pow(1.04, k - NEARBY / 2);
    return (settings){rtol, 1e-2 * rtol, detection, 5, INFINITY, NULL, NULL};
}

CLAIM(the_slow_chain_takes_a_tenth_of_the_steps_and_errs_less)
{
    double steps_off = 0, steps_on = 0;
    for (int k = 0; k < NEARBY; k++) {
        double error_off, error_on;
        run with = chain(slow, nearby(k, 1e-4, 1), &error_on), without = chain(slow, nearby(k, 1e-4, 0), &error_off);
        assert_true(with.stats.order_limits.set > 0);
        assert_true(with.stats.order_limits.steps > 0 && with.stats.order_limits.steps < with.stats.steps);
        assert_int_equal(without.stats.order_limits.set + without.stats.order_limits.freed, 0);
        assert_int_equal(without.stats.order_limits.steps, 0);
        assert_true(4 * with.stats.steps < without.stats.steps);
        assert_true(error_on <= error_off);
        steps_on += (double)with.stats.steps;
        steps_off += (double)without.stats.steps;
    }
    assert_true(10 * steps_on < steps_off);
}

/* Then the detection is not even felt: the same bits. */
CLAIM(the_order_is_not_limited_for_a_swinging_chain)
{
    for (int tolerance = 3; tolerance <= 5; tolerance++)
        for (int k = 0; k < NEARBY; k++) {
            double error_off, error_on, rtol = pow(10, -tolerance);
            run with = chain(0.3141592653589793, nearby(k, rtol, 1), &error_on);
            assert_int_equal(with.stats.order_limits.set, 0);
            if (k != NEARBY / 2) continue;
            run without = chain(0.3141592653589793, nearby(k, rtol, 0), &error_off);
            assert_int_equal(with.stats.steps, without.stats.steps);
            assert_memory_equal(with.p, without.p, (size_t)with.n_p * sizeof *with.p);
        }
}

enum { BY_CHANCE = 1 }; /* of the nearby runs in which a limit comes at the wrong time */

static void dae_is_left_alone(const char *name, double t_end, double atol)
{
    for (int i = 3; i <= 8; i++) {
        bench *b = bench_make(name, NULL);
        run r = open_run(NULL, &b->model.dae, (settings){pow(10, -i), atol * pow(10, -i), 1, 5, INFINITY, NULL, NULL});
        assert_int_equal(resida_solver_start_dae(r.solver, 0, b->model.y0, b->model.yp0), RESIDA_OK);
        go_to(&r, t_end);
        assert_true(r.stats.steps > 20);
        assert_int_equal(r.stats.order_limits.set, 0);
    }
}

CLAIM(the_order_is_not_limited_for_stiff_chemistry)
{
    dae_is_left_alone("akzo", 180, 1);
    dae_is_left_alone("robertson", 1e11, 1e-6);
}

static resida_mechanism oscillators(support *s)
{
    resida_mechanism m = test_mechanism();
    m.n_p = m.n_v = MODES;
    m.acceleration = acceleration;
    m.user = s;
    return m;
}

static void start_oscillators(run *r)
{
    double p[MODES] = {0}, v[MODES];
    for (int i = 0; i < MODES; i++) v[i] = amplitude * slow;
    assert_int_equal(resida_solver_start(r->solver, 0, p, v, NULL, NULL), RESIDA_OK);
}

enum { END = 400 }; /* s */

/* Their positions at the end, by one call, or many. */
static run swing_by(support s, settings how, int outputs)
{
    resida_mechanism m = oscillators(&s);
    run r = open_run(&m, NULL, how);
    assert_int_equal(resida_solver_set_stop_time(r.solver, END), RESIDA_OK);
    start_oscillators(&r);
    for (int k = 1; k <= outputs; k++) go_to(&r, (double)END * k / outputs);
    return r;
}

static run swing(support s, settings how)
{
    return swing_by(s, how, 1);
}

static const support never_shaken = {.t_shaken = INFINITY};

/* From 200 s on the vibrations are real, and accuracy is what limits the step. */
CLAIM(the_limit_of_the_order_ends_when_vibrations_are_resolved)
{
    const support shaken = {.t_shaken = 200};
    settings off = as_chain, low = as_chain, exact = {1e-10, 1e-12, 0, 5, INFINITY, NULL, NULL};
    off.detection = 0;
    low.max_order = 2;
    run with = swing(shaken, as_chain), without = swing(shaken, off);
    run damped = swing(shaken, low), reference = swing(shaken, exact);
    assert_true(with.stats.order_limits.set > 0);
    assert_true(with.stats.order_limits.freed > 0);
    assert_true(with.stats.order > 2);
    assert_true(with.stats.steps < without.stats.steps);
    assert_true(distance(&with, reference.p) <= 1.2 * distance(&without, reference.p));
    assert_true(distance(&damped, reference.p) > 4 * distance(&without, reference.p));
}

static void are_same(const run *a, const run *b)
{
    assert_true(a->stats.order_limits.set > 0);
    assert_int_equal(a->stats.steps, b->stats.steps);
    assert_int_equal(a->stats.order_limits.set, b->stats.order_limits.set);
    assert_int_equal(a->stats.order_limits.steps, b->stats.order_limits.steps);
    assert_memory_equal(a->p, b->p, MODES * sizeof *a->p);
}

/* After a start the first one is forgotten, whether it left a limit or half of what is collected for one. */
CLAIM(a_restart_begins_as_the_first_start)
{
    support s = never_shaken;
    resida_mechanism m = oscillators(&s);
    const double until[] = {0.07 * END, 0.2 * END, END};
    run plain = swing(never_shaken, as_chain);
    for (int k = 0; k < 3; k++) {
        run r = open_run(&m, NULL, as_chain);
        assert_int_equal(resida_solver_set_stop_time(r.solver, END), RESIDA_OK);
        start_oscillators(&r);
        go_to(&r, until[k]);
        resida_stats first = r.stats;
        start_oscillators(&r);
        go_to(&r, END);
        r.stats.steps -= first.steps;
        r.stats.order_limits.set -= first.order_limits.set;
        r.stats.order_limits.steps -= first.order_limits.steps;
        are_same(&plain, &r);
    }
}
