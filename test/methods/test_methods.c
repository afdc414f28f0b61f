/* test_methods.c - what methods with steps of a fixed size promise besides their order: the grid, the stop time,
 * outputs and events between grid points, energy, all strategies for J, steps that adapt. */
#include <math.h>
#include <string.h>

#include "method_fixture.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

static double time_of(resida_solver *s)
{
    return test_state(s).t;
}

CLAIM(steps_lie_on_the_grid_without_adding_up_rounding)
{
    for (int m = 1; resida_method_at(m); m++) {
        const method_case c = {.method = resida_method_at(m), .form = "index3"};
        method_run r;
        method_open(&r, &c, 0.003, NULL); /* summed up, 0.003 is off after 6 steps */
        for (int k = 1; k <= 300; k++) {
            assert_int_equal(resida_solver_step(r.solver, 10), RESIDA_OK);
            assert_true(time_of(r.solver) == k * 0.003);
        }
    }
}

/* 1 is not on the grid of 0.03: the step before it is shorter, and the order is as ever. */
CLAIM(the_last_step_ends_at_the_stop_time)
{
    for (int m = 1; resida_method_at(m); m++) {
        const method_case c = {.method = resida_method_at(m), .form = "index3"};
        resida_solver_options o = method_options(&c, 0.003);
        resida_stats stats = {.size = sizeof stats};
        double p[2], v[2], lam;
        method_run r;
        resida_state now;
        o.t_stop = 1;
        method_open(&r, &c, 0, &o);
        assert_int_equal(resida_solver_advance(r.solver, 2), RESIDA_STOP_TIME);
        resida_solver_state(r.solver, &now);
        resida_solver_stats(r.solver, &stats);
        assert_true(now.t == 1);
        assert_int_equal(stats.steps, 334);
        assert_true(fabs(stats.h - 0.001) < 1e-12);
        method_exact(&r, 1, p, v, &lam);
        bench_all_near(2, now.p, p, strcmp(c.method, "bdf1") == 0 ? 2e-2 : 5e-4); /* order 1, order 2 and more */
        assert_int_equal(resida_solver_set_stop_time(r.solver, 2), RESIDA_OK);    /* the grid goes on from here */
        assert_int_equal(resida_solver_step(r.solver, 2), RESIDA_OK);
        assert_true(time_of(r.solver) == 1 + 0.003);
    }
}

/* A stop time that is a grid point but for rounding takes no step of its own. */
CLAIM(a_stop_time_on_the_grid_takes_no_short_step)
{
    const method_case c = {.method = "bdf2", .form = "index3"};
    const double stops[] = {0.3, nextafter(3 * 0.1, 1)}; /* 3 * 0.1 is 0.30000000000000004 */
    for (int i = 0; i < 2; i++) {
        resida_solver_options o = method_options(&c, 0.1);
        resida_stats stats = {.size = sizeof stats};
        method_run r;
        o.t_stop = stops[i];
        method_open(&r, &c, 0, &o);
        assert_int_equal(resida_solver_advance(r.solver, 1), RESIDA_STOP_TIME);
        resida_solver_stats(r.solver, &stats);
        assert_true(time_of(r.solver) == stops[i]);
        assert_int_equal(stats.steps, 3);
        assert_true(stats.h == 0.1);
    }
}

/* The polynomial through the stages of a step; lam has order 4 in it, where a straight line has an error of 2e-3. */
CLAIM(outputs_between_grid_points_are_interpolated)
{
    const method_case c = {.method = "radau-iia-3", .form = "ggl"};
    method_run r;
    resida_state now;
    double p[2], v[2], lam, y[6], yp[6];
    method_open(&r, &c, 0.01, NULL);
    assert_int_equal(resida_solver_advance(r.solver, 0.255), RESIDA_OK);
    resida_solver_state(r.solver, &now);
    assert_true(now.t == 0.255);
    method_exact(&r, 0.255, p, v, &lam);
    bench_all_near(2, now.p, p, 1e-7);
    bench_all_near(2, now.v, v, 1e-6);
    bench_near(now.lam[0], lam, 2e-5);
    assert_int_equal(resida_solver_interpolate(r.solver, 0.2525, y, yp), RESIDA_OK);
    method_exact(&r, 0.2525, p, v, &lam);
    bench_all_near(2, y, p, 1e-7);
    bench_all_near(2, yp, v, 1e-4);
    assert_int_equal(resida_solver_interpolate(r.solver, 0.2699, y, yp), RESIDA_ERR_ARGUMENT);
    assert_int_equal(resida_solver_interpolate(r.solver, 0.2499, y, yp), RESIDA_ERR_ARGUMENT);
}

/* y' = -1e6 (y - cos t) - sin t, 0 = z - y^2, from y = 2: y becomes cos t within 1e-5 s. */
static int transient(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] + 1e6 * (y[0] - cos(t)) + sin(t);
    r[1] = y[1] - y[0] * y[0];
    return 0;
}

static int integrate_y(const resida_state *at, double *rate, void *user)
{
    rate[0] = at->y[0];
    rate[1] = at->y[1];
    return 0;
}

CLAIM(quadratures_over_a_fast_transient_use_the_stages_of_radau)
{
    static const resida_kind kinds[2] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    static const double y0[2] = {2, 4};
    resida_dae d = {.size = sizeof d, .n = 2, .residual = transient, .kinds = kinds};
    resida_solver_options o = test_solver_options();
    double q[2];
    o.method = "radau-iia-3", o.step = 0.01;
    o.rtol = o.atol = 1e-9;
    resida_solver *s = test_solver_of(test_problem_dae(&d, NULL), &o);
    assert_int_equal(resida_solver_set_quadratures(s, 2, integrate_y, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_start_dae(s, 0, y0, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(s, 2), RESIDA_OK);
    assert_int_equal(resida_solver_quadratures(s, q), RESIDA_OK);
    bench_near(q[0], sin(2), 2e-6); /* the transient adds 1e-6 */
    bench_near(q[1], 1 + sin(4) / 4, 4e-6);
}

/* Energy of the pendulum over many steps: the largest gain of one step, and the whole loss. */
static void measure_energy(const method_case *c, double h, long steps, double *gain, double *loss)
{
    method_run r;
    resida_solver_options o = method_options(c, h);
    o.rtol = o.atol = 1e-13;
    method_open(&r, c, h, &o);
    double first = method_energy(&r), before = first;
    *gain = -INFINITY;
    for (long k = 0; k < steps; k++) {
        if (resida_solver_step(r.solver, 1e9) != RESIDA_OK) fail_msg("%s", resida_solver_message(r.solver));
        double now = method_energy(&r);
        *gain = fmax(*gain, now - before);
        before = now;
    }
    *loss = first - before;
}

CLAIM(energy_decaying_never_gains_energy)
{
    const struct {
        method_case c;
        double h;
        long steps;
    } runs[] = {{{.method = "energy-decaying", .form = "index3", .rho = 0.5}, 0.02, 100000},
                {{.method = "energy-decaying", .form = "index3", .rho = 0.01}, 0.1, 2000},
                {{.method = "energy-decaying", .form = "angle", .rho = 0.5}, 0.05, 20000}};
    for (int i = 0; i < 3; i++) {
        double gain, loss;
        measure_energy(&runs[i].c, runs[i].h, runs[i].steps, &gain, &loss);
        if (gain > 1e-12 || loss < 1e-3) fail_msg("run %d: gain %.3g, loss %.3g", i, gain, loss);
    }
}

/* rho = 1: the same scheme loses nothing either. */
CLAIM(energy_is_kept_where_nothing_is_damped)
{
    const method_case c = {.method = "energy-decaying", .form = "index3", .rho = 1};
    const method_case angle = {.method = "energy-decaying", .form = "angle", .rho = 1};
    double gain, loss;
    measure_energy(&c, 0.05, 2000, &gain, &loss);
    assert_true(gain < 1e-12 && fabs(loss) < 1e-10);
    measure_energy(&angle, 0.05, 2000, &gain, &loss);
    assert_true(gain < 1e-12 && fabs(loss) < 1e-10);
}

/* The midpoint rule keeps the energy of the pendulum, whose constraint is of second degree: (9) of Bauchau, Epple,
 * Bottasso. */
CLAIM(midpoint_keeps_the_energy_of_the_pendulum)
{
    const method_case c = {.method = "midpoint", .form = "index3"};
    double gain, loss;
    measure_energy(&c, 0.05, 2000, &gain, &loss);
    assert_true(gain < 1e-12 && fabs(loss) < 1e-10);
}

/* All strategies solve the same equations. */
CLAIM(the_strategy_for_J_does_not_matter)
{
    static const char *const strategies[] = {"fresh", "dense", "sparse", "dense+partitioned", "sparse+partitioned"};
    for (int m = 1; resida_method_at(m); m++) {
        double p[2] = {0, 0};
        for (int j = 0; j < 5; j++) {
            const method_case c = {.method = resida_method_at(m), .form = "index3", .jacobian = strategies[j]};
            method_run r;
            resida_state now;
            method_open(&r, &c, 0.01, NULL);
            if (resida_solver_advance(r.solver, 0.5) != RESIDA_OK)
                fail_msg("%s, %s: %s", resida_method_at(m), strategies[j], resida_solver_message(r.solver));
            resida_solver_state(r.solver, &now);
            if (j == 0) memcpy(p, now.p, sizeof p);
            bench_all_near(2, now.p, p, 1e-9);
        }
    }
}

CLAIM(events_are_found_between_grid_points)
{
    const bench_setting settings[] = {{"g", 9.81}, {"phi0", -0.7}, {"w0", 1.5}, {NULL, 0}};
    bench *b = bench_make("pendulum", settings);
    resida_mechanism m = *b->m;
    m.n_root = 1;
    m.root = small_p0; /* x is 0 where it hangs down */
    resida_problem *problem;
    resida_solver *solver;
    const method_case c = {.method = "radau-iia-3", .form = "ggl"};
    resida_solver_options o = method_options(&c, 0.01);
    resida_state now;
    int direction, events = 0;
    test_solver_make(&problem, &solver, &m, NULL, &o);
    assert_int_equal(resida_solver_start(solver, 0, b->model.p0, b->model.v0, NULL, NULL), RESIDA_OK);
    for (resida_status status; (status = resida_solver_advance(solver, 3)) != RESIDA_OK; events++) {
        double p[2], v[2], lam;
        assert_int_equal(status, RESIDA_EVENT);
        assert_int_equal(resida_solver_state(solver, &now), RESIDA_OK);
        assert_int_equal(resida_solver_event(solver, &direction), RESIDA_OK);
        assert_int_equal(b->model.reference(&b->model, now.t, p, v, &lam), 0);
        bench_near(p[0], 0, 1e-6);
        bench_near(now.p[0], 0, 1e-12);
        assert_int_equal(direction, v[0] > 0 ? 1 : -1);
    }
    double before = b->model.p0[0];
    for (int k = 1; k <= 300; k++) {
        double p[2], v[2], lam;
        b->model.reference(&b->model, 0.01 * k, p, v, &lam);
        events -= p[0] * before < 0;
        before = p[0];
    }
    assert_int_equal(events, 0); /* as many as the exact motion has */
    test_solver_free(solver, problem);
    bench_close(b);
}

/* To rounding: the matrix and the corrections of each step are shown, and get smaller than any tolerance would ask. */
typedef struct observed {
    long calls;
    double t, largest;
    int unknowns;
} observed;

static void observe(const resida_newton_end *end, void *user)
{
    observed *x = user;
    x->calls++;
    x->t = end->t;
    x->unknowns = end->matrix.n;
    for (int i = 0; i < 2; i++) x->largest = fmax(x->largest, fabs(end->correction[i]));
}

CLAIM(newton_to_rounding_shows_its_last_corrections)
{
    const method_case c = {.method = "bdf2", .form = "index3"};
    resida_solver_options o = method_options(&c, 0.01);
    resida_stats stats = {.size = sizeof stats};
    observed x = {0, 0, 0, 0};
    method_run r;
    o.newton_to_rounding = 1;
    o.observer = observe;
    o.observer_user = &x;
    method_open(&r, &c, 0, &o);
    assert_int_equal(resida_solver_advance(r.solver, 0.5), RESIDA_OK);
    resida_solver_stats(r.solver, &stats);
    assert_int_equal(x.calls, 50);
    assert_int_equal(x.unknowns, 5);
    bench_near(x.t, 0.5, 1e-15);
    assert_true(x.largest == stats.last_correction.p);
    assert_true(stats.last_correction.p < 1e-13 && stats.last_correction.v < 1e-10 && stats.last_correction.lam < 1e-8);
    assert_true(stats.last_correction.norm >= stats.last_correction.lam);
}

/* In large steps the second correction is 0.9 to 1.4 times the first, and the iteration then converges. */
CLAIM(newton_to_rounding_solves_large_steps_of_radau)
{
    for (double step = 0.01; step < 0.15; step *= 2) {
        const method_case c = {.method = "radau-iia-3", .form = "ggl"};
        resida_solver_options o = method_options(&c, step);
        double p[2], v[2], lam;
        method_run r;
        o.newton_to_rounding = 1;
        method_open(&r, &c, 0, &o);
        assert_int_equal(resida_solver_advance(r.solver, 3), RESIDA_OK);
        method_exact(&r, 3, p, v, &lam);
        bench_near(test_state(r.solver).p[0], p[0], 100 * pow(step, 4));
    }
}

/* The local error is h^3 times something, and kept at the tolerance; so the error at the end falls like its power 2/3:
 * by 100 from 1e-5 to 1e-8. */
CLAIM(adaptive_steps_follow_the_tolerances)
{
    static const char *const methods[] = {"newmark", "hht", "generalized-alpha"};
    for (int m = 1; m < 3; m++) {
        const method_case c = {.method = methods[m], .form = m == 0 ? "angle" : "index3"};
        double error[2] = {0, 0};
        for (int i = 0; i < 2; i++) {
            resida_solver_options o = method_options(&c, 1e-4);
            resida_stats stats = {.size = sizeof stats};
            resida_state now;
            double p[2], v[2], lam;
            method_run r;
            o.adaptive = 1;
            o.rtol = o.atol = i == 0 ? 1e-5 : 1e-8;
            o.t_stop = 2;
            method_open(&r, &c, 0, &o);
            if (resida_solver_advance(r.solver, 2) != RESIDA_OK) fail_msg("%s", resida_solver_message(r.solver));
            resida_solver_state(r.solver, &now);
            resida_solver_stats(r.solver, &stats);
            assert_true(now.t == 2);
            assert_true(stats.steps > 50 && stats.steps < 5000);
            method_exact(&r, 2, p, v, &lam);
            error[i] = fabs(now.p[0] - p[0]);
        }
        if (!(error[0] / error[1] > 40 && error[0] / error[1] < 250))
            fail_msg("%s: errors %.3g, %.3g", methods[m], error[0], error[1]);
    }
}
