/* test_late_starts.c - where the time is counted from changes nothing: an autonomous model started at t0 runs as at 0,
 * bit for bit, however many roundings of t0 a step is shorter than.
 *
 * The model is an oscillator of period 2 pi T, y = (cos, -sin) (t - t0)/T, as a general DAE, and a pendulum as a
 * mechanism. */
#include "test/fixtures/claims.h"
#include "test/fixtures/solver_fixture.h"

static const double starts[] = {0, 1, -1e3, 1e6, 1e9, -1e12, 1e15};
enum { N_STARTS = sizeof starts / sizeof *starts };

typedef struct clockwork {
    double T, t0;
    int is_driven; /* by a force that depends on t */
} clockwork;

/* y1' = -y2/T, y2' = y1/T; driven: y1' = (cos((t - t0)/T) - y1)/T instead. */
static int turns(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const clockwork *c = user;
    r[0] = yp[0] - (c->is_driven ? cos((t - c->t0) / c->T) - y[0] : -y[1]) / c->T;
    r[1] = yp[1] - y[0] / c->T;
    return 0;
}

typedef struct run {
    resida_problem *problem;
    resida_solver *solver;
} run;

static void open_clockwork(run *r, clockwork *c, const resida_solver_options *o)
{
    resida_dae d = test_dae();
    d.n = 2;
    d.residual = turns;
    d.user = c;
    const double y0[2] = {c->is_driven ? 0.5 : 1, 0}, yp0[2] = {c->is_driven ? 0.5 / c->T : 0, y0[0] / c->T};
    r->problem = test_problem_dae(&d, NULL);
    r->solver = test_solver_of(r->problem, o);
    assert_int_equal(resida_solver_start_dae(r->solver, c->t0, y0, yp0), RESIDA_OK);
}

/* To t0 + way in several calls: y there. */
static void follow(run *r, double t0, double way, double *y)
{
    enum { CALLS = 4 };
    for (int k = 1; k <= CALLS; k++) {
        resida_status status = resida_solver_advance(r->solver, t0 + way * k / CALLS);
        if (status != RESIDA_OK) fail_msg("t0 = %g: %s", t0, resida_solver_message(r->solver));
    }
    resida_state at = test_state(r->solver);
    assert_true(at.t == t0 + way);
    memcpy(y, at.y, 2 * sizeof *y);
}

static resida_solver_options options(const char *jacobian, double tol)
{
    resida_solver_options o = test_solver_options();
    o.jacobian = jacobian;
    o.rtol = o.atol = tol;
    return o;
}

/* The ways are multiples of the rounding of 1e15; the oscillator turns as fast as roundings of t0 allow it to be looked
 * at, and much faster. */
CLAIM(an_autonomous_model_runs_bit_for_bit_as_at_0)
{
    static const char *const jacobians[] = {"auto", "dense", "sparse+partitioned"};
    static const double tolerances[] = {1e-4, 1e-6, 1e-10}, periods[] = {1, 1e-2};
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++)
            for (int p = 0; p < 2; p++) {
                double first[2], y[2];
                const resida_solver_options o = options(jacobians[j], tolerances[k]);
                for (int i = 0; i < N_STARTS; i++) {
                    run r;
                    clockwork c = {periods[p], starts[i], 0};
                    open_clockwork(&r, &c, &o);
                    follow(&r, c.t0, 1, y);
                    if (i == 0) memcpy(first, y, sizeof y);
                    assert_memory_equal(y, first, sizeof y);
                }
            }
}

/* What the caller names as t0 + 10 ms is a time that is rounded; the solution is that of this time. */
CLAIM(fast_motion_late_is_followed_to_the_tolerances)
{
    static const double firsts[] = {0, 1e-9, 1e-12};
    for (int i = 0; i < 3; i++)
        for (int is_driven = 0; is_driven < 2; is_driven++) {
            run r;
            double y[2];
            clockwork c = {1e-3, 1e9, is_driven};
            resida_solver_options o = options("auto", 1e-6);
            o.h_first = firsts[i];
            open_clockwork(&r, &c, &o);
            const double t_end = c.t0 + 0.01, x = (t_end - c.t0) / c.T, rounding = 1.2e-7 / c.T;
            follow(&r, c.t0, t_end - c.t0, y);
            const double exact =
                is_driven ? (cos(x) + sin(x)) / 2 : cos(x); /* y1' = cos x - y1 from 1/2: no transient */
            assert_true(fabs(y[0] - exact) < (is_driven ? rounding : 1e-4)); /* F itself sees a rounded t */
        }
}

static int hangs(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                 void *user)
{
    r[0] = a[0];
    r[1] = a[1] + 9.81;
    return 0;
}

static int rod(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = (p[0] * p[0] + p[1] * p[1] - 1) / 2;
    return 0;
}

/* Not bit for bit: the time that has passed, and with it the age of parts of J, is a difference of rounded times. */
CLAIM(a_mechanism_runs_late_as_at_0)
{
    double first[2], y[2];
    for (int i = 0; i < N_STARTS; i++) {
        run r;
        resida_mechanism m = test_mechanism();
        const double p0[2] = {1, 0}, v0[2] = {0, 0};
        const resida_solver_options o = options("auto", 1e-6);
        m.n_p = m.n_v = 2;
        m.n_g = 1;
        m.residual = hangs;
        m.constraint = rod;
        r.problem = test_problem(&m, NULL);
        r.solver = test_solver_of(r.problem, &o);
        if (resida_solver_start(r.solver, starts[i], p0, v0, NULL, NULL) < 0)
            fail_msg("%s", resida_solver_message(r.solver));
        follow(&r, starts[i], 2, y);
        if (i == 0) memcpy(first, y, sizeof y);
        for (int c = 0; c < 2; c++) assert_true(fabs(y[c] - first[c]) < 100 * o.rtol);
    }
}

/* Calls that go on by little more than a rounding of t: the times that come back rise, and interpolation within the
 * last step has both its ends. */
CLAIM(times_rise_and_the_last_step_can_be_asked)
{
    const resida_solver_options o = options("auto", 1e-8);
    for (int i = 0; i < N_STARTS; i++) {
        run r;
        double y[2], yp[2];
        resida_state at, before = {.t = starts[i]};
        resida_stats stats = {.size = sizeof stats};
        clockwork c = {1e-3, starts[i], 0};
        open_clockwork(&r, &c, &o);
        for (int k = 0; k < 200; k++) {
            assert_int_equal(resida_solver_step(r.solver, starts[i] + 10), RESIDA_OK);
            at = test_state(r.solver);
            stats = test_stats(r.solver);
            assert_true(at.t >= before.t);
            assert_int_equal(stats.steps, k + 1);
            assert_int_equal(resida_solver_interpolate(r.solver, at.t, y, yp), RESIDA_OK);
            assert_int_equal(resida_solver_interpolate(r.solver, before.t, y, yp), RESIDA_OK);
            before = at;
        }
    }
}
