/* test_variable_cases.c - hard cases for steps of variable size: excitations that jump, contacts, stiffness that begins
 * at an event or without one, stiff joints that rotate, units, many turns, Jacobian strategies. Oracles: motions in
 * closed form, and BDF with tight tolerances. */
#include <math.h>
#include <stdlib.h>

#include "method_fixture.h"
#include "variable_fixture.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

/* --- Jumps and contacts --- */

static int step_input(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = t < 1.234 ? 0 : 10;
    ud[0] = udd[0] = 0;
    return 0;
}

static int driven_decay(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] + y[0] - e->u[0];
    return 0;
}

CLAIM(a_jump_of_an_excitation_costs_an_error_of_the_order_of_the_tolerance)
{
    const double y0 = 1, exact = exp(-3) + 10 * (1 - exp(1.234 - 3));
    for (double tolerance = 1e-3; tolerance > 5e-9; tolerance /= 10) {
        const resida_solver_options o = variable_options(tolerance);
        resida_dae d = variable_dae(1, driven_decay);
        variable_run r;
        d.n_u = 1;
        d.excitation = step_input;
        variable_open(&r, &d, &o, &y0, NULL);
        variable_advance(r.solver, 3);
        const double error = test_state(r.solver).y[0] - exact;
        if (!(fabs(error) < 30 * tolerance)) fail_msg("%g: error %.3g", tolerance, error);
    }
}

/* A ball falls from 1 m. It bounces at t_1 = sqrt(2/g) and then after 2 t_1 e^k. The parabolas are exact. */
CLAIM(a_ball_bounces_as_in_closed_form)
{
    static const double restitution[] = {0.8}, p0[] = {1}, v0[] = {0};
    const resida_model_contacts floor_of = {.size = sizeof floor_of, .n = 1, .restitution = restitution};
    for (double tolerance = 1e-3; tolerance > 5e-9; tolerance /= 100) {
        resida_model m = {.size = sizeof m, .mechanism = test_mechanism(), .p0 = p0, .v0 = v0, .t_end = 3};
        const resida_solver_options o = variable_options(tolerance);
        double hit = sqrt(2 / 9.81), e = 1;
        int bounces = 0;
        m.mechanism.n_p = m.mechanism.n_v = m.mechanism.n_root = 1;
        m.mechanism.residual = small_mass;
        m.mechanism.root = small_p0;
        m.contacts = &floor_of;
        resida_solver *s = test_solver(&m.mechanism, NULL, &o);
        resida_run *run = test_model_run(&m, s);
        assert_int_equal(resida_run_start(run, NULL, NULL), RESIDA_OK);
        while (resida_run_advance(run, 3) == RESIDA_EVENT) {
            bench_near(test_state(s).t, hit, tolerance);
            e *= 0.8;
            hit += 2 * e * sqrt(2 / 9.81);
            bounces++;
        }
        assert_int_equal(bounces, 6);
    }
}

/* --- Stiffness --- */

static double frequency, frequency_after_100;

/* (d/dt + w)^2 (y - sin t) = 0: y = sin t + (a + b t) exp(-w t) */
static int damped(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const double w = t < 100 ? frequency : frequency_after_100;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + sin(t) + 2 * w * (y[1] - cos(t)) + w * w * (y[0] - sin(t));
    return 0;
}

static int at_one(double t, const double *y, const double *yp, const resida_excitation *e, double *root, void *user)
{
    root[0] = t - 1;
    return 0;
}

/* Integrate to t = 1, where the stiffness w^2 becomes 1e6 times as large, and to t = 3. Return the steps after 1. */
static long steps_after_stiffening(const char *method, double tolerance)
{
    const double w = 2, y0[2] = {1, 1 - w};
    resida_solver_options o = variable_options(tolerance);
    resida_dae d = variable_dae(2, damped);
    variable_run r;
    frequency = w;
    o.method = method;
    d.n_root = 1;
    d.root = at_one;
    variable_open(&r, &d, &o, y0, NULL);
    assert_int_equal(resida_solver_advance(r.solver, 3), RESIDA_EVENT);
    const resida_state now = test_state(r.solver);
    const double y1[2] = {now.y[0], now.y[1]};
    const long before = test_stats(r.solver).steps;
    bench_near(y1[0], sin(now.t) + exp(-w * now.t), 30 * tolerance);
    frequency = 1e3 * w;
    assert_int_equal(resida_solver_start_dae(r.solver, now.t, y1, NULL), RESIDA_OK);
    variable_advance(r.solver, 3);
    bench_near(test_state(r.solver).y[0], sin(3), 30 * tolerance);
    const long steps = test_stats(r.solver).steps - before;
    return steps;
}

/* At the event, y is 0.1 from its smooth motion. */
CLAIM(a_spring_that_becomes_stiff_at_an_event_takes_fewer_steps_than_with_bdf)
{
    for (double tolerance = 1e-3; tolerance > 5e-9; tolerance /= 10) {
        const long steps = steps_after_stiffening("radau-iia-3", tolerance),
                   of_bdf = steps_after_stiffening("bdf", tolerance);
        if (!(steps < of_bdf)) fail_msg("%g: %ld steps, bdf %ld", tolerance, steps, of_bdf);
    }
}

/* The motion is y = sin t throughout. After 100 s the J of w = 1 has to be replaced. */
CLAIM(stiffness_after_a_long_smooth_phase_needs_a_new_J_and_few_steps)
{
    for (double tolerance = 1e-3; tolerance > 5e-9; tolerance /= 10) {
        const double y0[2] = {0, 1};
        const resida_solver_options o = variable_options(tolerance);
        const resida_dae d = variable_dae(2, damped);
        variable_run r;
        frequency = 1;
        frequency_after_100 = 1e5;
        variable_open(&r, &d, &o, y0, NULL);
        variable_advance(r.solver, 100);
        const long steps = test_stats(r.solver).steps;
        variable_advance(r.solver, 200);
        const resida_stats s = test_stats(r.solver);
        bench_near(test_state(r.solver).y[0], sin(200), 30 * tolerance);
        if (!(s.newton_fails < 10 && s.steps - steps < 6 * steps))
            fail_msg("%g: %ld and %ld steps, %ld failures", tolerance, steps, s.steps - steps, s.newton_fails);
    }
}

/* y' = -l (y - c), c = 0 before t = 1 and 1 then */
static int relaxes(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] + 1e6 * (y[0] - (t < 1 ? 0 : 1));
    return 0;
}

CLAIM(a_stiff_component_that_jumps_takes_few_steps)
{
    for (double tolerance = 1e-3; tolerance > 5e-9; tolerance /= 10) {
        const double y0 = 0.5;
        const resida_solver_options o = variable_options(tolerance);
        const resida_dae d = variable_dae(1, relaxes);
        variable_run r;
        variable_open(&r, &d, &o, &y0, NULL);
        variable_advance(r.solver, 3);
        const long steps = test_stats(r.solver).steps, fails = test_stats(r.solver).error_test_fails;
        bench_near(test_state(r.solver).y[0], 1, 30 * tolerance);
        if (!(steps < 100 && fails < 10)) fail_msg("%g: %ld steps, %ld failed tests", tolerance, steps, fails);
    }
}

/* --- Built-in models --- */

/* Integrate a model to t. Set *p to p_0 and return the statistics. */
static resida_stats integrate(const char *model, const resida_solver_options *o, double t, double *p)
{
    bench *b = bench_make(model, NULL);
    resida_solver *s = test_solver(b->m, NULL, o);
    assert_int_equal(resida_solver_start(s, 0, b->model.p0, b->model.v0, NULL, NULL), RESIDA_OK);
    variable_advance(s, t);
    const resida_stats n = test_stats(s);
    *p = test_state(s).p[0];
    return n;
}

CLAIM(steps_that_cannot_be_solved_are_not_tried_repeatedly)
{
    for (double tolerance = 1e-3; tolerance > 5e-8; tolerance /= 10) {
        const resida_solver_options o = variable_options(tolerance);
        double p;
        const resida_stats n = integrate("bushing-pendulum", &o, 1, &p);
        if (!((double)n.step_attempts < 1.3 * (double)n.steps))
            fail_msg("%g: %ld steps, %ld attempts", tolerance, n.steps, n.step_attempts);
    }
}

/* The tolerance of y3 at the start, 6e-15, is 30 rounding errors of y1 + y2 + y3 - 1. Corrections of y3 by a few
 * rounding errors do not decrease, and end the iteration. */
CLAIM(rounding_of_an_algebraic_equation_is_no_failure_of_newton)
{
    bench *b = bench_make("robertson", NULL);
    resida_solver_options o = variable_options(1e-11);
    variable_run r;
    o.atol = 1e-17;
    o.max_steps = 5000;
    variable_open(&r, &b->model.dae, &o, b->model.y0, b->model.yp0);
    variable_advance(r.solver, 40);
    const resida_stats s = test_stats(r.solver);
    bench_near(test_state(r.solver).y[0], 0.715827068719405, 1e-11); /* reference of the model */
    if (!(s.newton_fails < s.steps)) fail_msg("%ld failures in %ld steps", s.newton_fails, s.steps);
}

/* At 1e-12 the corrections of stiff bushings are rounding errors. The steps of order 4 grow by 10^(1/5) per decade. */
CLAIM(rounding_does_not_shorten_the_steps)
{
    resida_solver_options o = variable_options(1e-11);
    double p;
    const resida_stats rough = integrate("bushing-pendulum", &o, 1, &p);
    o.rtol = o.atol = 1e-12;
    const resida_stats fine = integrate("bushing-pendulum", &o, 1, &p);
    if (!(fine.steps < 3 * rough.steps)) fail_msg("%ld steps at 1e-11, %ld at 1e-12", rough.steps, fine.steps);
}

/* The iteration converges as fast if dF/dyp is computed from two matrices, as with "dense" and "sparse". */
CLAIM(jacobian_strategies_agree_with_bdf)
{
    static const char *const strategies[] = {"auto", "dense", "sparse"};
    static const char *const models[] = {"andrews", "slider-crank", "bushing-pendulum"};
    for (int m = 0; m < 3; m++) {
        double p, reference;
        long iterations = 0;
        resida_solver_options o = variable_options(1e-9);
        o.method = "bdf";
        (void)integrate(models[m], &o, 0.03, &reference);
        for (int k = 0; k < 3; k++) {
            o = variable_options(1e-6);
            o.jacobian = strategies[k];
            const resida_stats n = integrate(models[m], &o, 0.03, &p);
            if (k == 0) iterations = n.newton_iterations;
            if (!((double)n.newton_iterations < 1.5 * (double)iterations))
                fail_msg("%s, %s: %ld iterations, auto %ld", models[m], strategies[k], n.newton_iterations, iterations);
            if (!(fabs(p - reference) < 3e-5 * fmax(1, fabs(reference))))
                fail_msg("%s, %s: %.9g, bdf %.9g", models[m], strategies[k], p, reference);
        }
    }
}

/* --- Units and many turns --- */

/* The pendulum in metres, in micrometres and in megametres. atol is in the unit of length, and also that of lam. */
CLAIM(units_of_length_keep_digits_and_steps)
{
    const double units[3] = {1, 1e6, 1e-6};
    long steps[3];
    for (int k = 0; k < 3; k++) {
        const bench_setting in_unit[] = {
            {"g", 9.81 * units[k]}, {"L", units[k]}, {"phi0", -0.7}, {"w0", 1.5}, {NULL, 0}};
        resida_solver_options o = variable_options(1e-6);
        double p[2], v[2], lam;
        o.atol *= units[k];
        bench *b = bench_make("pendulum", in_unit);
        resida_solver *s = test_solver(b->m, NULL, &o);
        assert_int_equal(resida_solver_start(s, 0, b->model.p0, b->model.v0, NULL, NULL), RESIDA_OK);
        variable_advance(s, 10);
        assert_int_equal(b->model.reference(&b->model, 10, p, v, &lam), 0);
        bench_near(test_state(s).p[0], p[0], 3e-5 * units[k]);
        bench_near(test_state(s).v[0], v[0], 1e-4 * units[k]);
        steps[k] = test_stats(s).steps;
    }
    for (int k = 1; k < 3; k++)
        if (labs(steps[k] - steps[0]) > steps[0] / 7)
            fail_msg("%ld steps, %ld with the unit %g", steps[0], steps[k], units[k]);
}

/* Error of p_0 of the pendulum after 2,500 turns. */
static double error_after_many_turns(double tolerance)
{
    const method_case c = {.method = "radau-iia-3", .form = "angle"};
    const resida_solver_options o = variable_options(tolerance);
    const double end = 5e3;
    double p[2], v[2], lam;
    method_run r;
    method_open(&r, &c, 0, &o);
    variable_advance(r.solver, end);
    method_exact(&r, end, p, v, &lam);
    const double error = fabs(test_state(r.solver).p[0] - p[0]);
    return error;
}

/* The amplitude decreases linearly, the error of the phase of a nonlinear pendulum grows quadratically. */
CLAIM(errors_after_many_turns_are_proportional_to_the_tolerance)
{
    const double y0[2] = {1, 0}, end = 2e3 * 2 * acos(-1);
    for (double tolerance = 1e-5; tolerance > 5e-7; tolerance /= 10) {
        const resida_solver_options o = variable_options(tolerance);
        const resida_dae d = variable_dae(2, variable_oscillator);
        variable_run r;
        variable_open(&r, &d, &o, y0, NULL);
        variable_advance(r.solver, end);
        const resida_state now = test_state(r.solver);
        bench_near(atan2(now.y[1], now.y[0]), 0, 200 * tolerance);
    }
    const double error = error_after_many_turns(1e-8), small_error = error_after_many_turns(1e-9);
    if (!(error < 1e-2 && small_error < error / 5)) fail_msg("%.3g at 1e-8, %.3g at 1e-9", error, small_error);
}
