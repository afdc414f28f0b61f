/* test_variable_steps.c - Radau IIA with steps of variable size: order 5, errors that follow the tolerances, events,
 * restarts, stiff problems, and steps whose F cannot be evaluated. Oracles: exact motions in closed form, the
 * reference value of Hairer and Wanner for Van der Pol's equation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "method_fixture.h"
#include "variable_fixture.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

#define RADAU "radau-iia-3"

/* Largest errors of p and v [2] of the pendulum at the ends of steps up to t = 2, and their number. */
static double pendulum_errors(const char *form, double tolerance, double *error)
{
    const method_case c = {.method = RADAU, .form = form};
    resida_solver_options o = variable_options(tolerance);
    const int n = strcmp(form, "angle") == 0 ? 1 : 2;
    method_run r;
    o.t_stop = 2;
    method_open(&r, &c, 0, &o);
    error[0] = error[1] = 0;
    for (resida_status status = RESIDA_OK; status != RESIDA_STOP_TIME;) {
        double p[2], v[2], lam;
        status = resida_solver_step(r.solver, 3);
        if (status < 0) fail_msg("%s, %g: %s", form, tolerance, resida_solver_message(r.solver));
        const resida_state now = test_state(r.solver);
        method_exact(&r, now.t, p, v, &lam);
        for (int i = 0; i < n; i++) {
            error[0] = fmax(error[0], fabs(now.p[i] - p[i]));
            error[1] = fmax(error[1], fabs(now.v[i] - v[i]));
        }
    }
    const double steps = (double)test_stats(r.solver).steps;
    return steps;
}

/* From 1e-5 to 1e-11 errors fall like the power 5 of the number of steps: those of Newton's method do not dominate. */
CLAIM(positions_and_velocities_have_order_5)
{
    static const char *const forms[] = {"angle", "ggl", "index2", "index1", "projected2", "state-space"};
    for (int f = 0; f < 6; f++) {
        double rough[2], fine[2];
        const double few = pendulum_errors(forms[f], 1e-5, rough), many = pendulum_errors(forms[f], 1e-11, fine);
        for (int i = 0; i < 2; i++) {
            const double order = log(rough[i] / fine[i]) / log(many / few);
            if (!(order > 4.9 && order < 6.5))
                fail_msg("%s: order %.2f in %s, errors %.3g, %.3g, steps %g, %g", forms[f], order, i ? "v" : "p",
                         rough[i], fine[i], few, many);
        }
    }
}

/* Over eight decades the ratio of error and tolerance stays within a factor of 40 of one value. */
CLAIM(errors_are_proportional_to_the_tolerance)
{
    static const char *const forms[] = {"angle", "ggl"};
    for (int f = 0; f < 2; f++) {
        double least = INFINITY, most = 0;
        for (double tolerance = 1e-3; tolerance > 3e-12; tolerance /= 10) {
            double error[2];
            pendulum_errors(forms[f], tolerance, error);
            least = fmin(least, error[0] / tolerance);
            most = fmax(most, error[0] / tolerance);
        }
        if (!(most < 40 * least && most < 100)) fail_msg("%s: %.3g to %.3g tolerances", forms[f], least, most);
    }
}

/* A formula of the same order as BDF5 with twice the steps would fail this. */
CLAIM(radau_with_variable_steps_takes_fewer_steps_than_bdf)
{
    double error[2], of_bdf;
    const double steps = pendulum_errors("ggl", 1e-8, error);
    const method_case c = {.method = "bdf", .form = "ggl"};
    resida_solver_options o = test_solver_options();
    method_run r;
    o.rtol = o.atol = 1e-8;
    o.t_stop = 2;
    method_open(&r, &c, 0, &o);
    variable_advance(r.solver, 2);
    of_bdf = (double)test_stats(r.solver).steps;
    if (!(steps < 0.5 * of_bdf)) fail_msg("%g steps, bdf %g", steps, of_bdf);
}

/* --- Restarts --- */

/* A start at each tenth of a second, from the state reached. The order stays 5, so that the error grows little. */
CLAIM(restarts_keep_the_order)
{
    double error[2], whole[2];
    for (int i = 0; i < 2; i++) {
        const double tolerance = i == 0 ? 1e-6 : 1e-9, steps = pendulum_errors("ggl", tolerance, whole);
        const method_case c = {.method = RADAU, .form = "ggl"};
        const resida_solver_options o = variable_options(tolerance);
        double p[2], v[2], lam;
        method_run r;
        method_open(&r, &c, 0, &o);
        for (int k = 1; k <= 20; k++) {
            variable_advance(r.solver, 0.1 * k);
            const resida_state now = test_state(r.solver);
            if (k < 20) assert_int_equal(resida_solver_start(r.solver, now.t, now.p, now.v, NULL, NULL), RESIDA_OK);
        }
        method_exact(&r, 2, p, v, &lam);
        error[i] = fabs(test_state(r.solver).p[0] - p[0]);
        if (!((double)test_stats(r.solver).steps < steps + 20 * 5))
            fail_msg("%ld steps with restarts, %g without", test_stats(r.solver).steps, steps);
        if (!(error[i] < 30 * tolerance)) fail_msg("error %.3g at %g", error[i], tolerance);
    }
}

/* --- Events --- */

/* y = cos t crosses zero at pi/2 + k pi. */
CLAIM(each_event_is_found_once_and_in_time)
{
    const double pi = acos(-1), y0[2] = {1, 0};
    for (double tolerance = 1e-3; tolerance > 1e-10; tolerance /= 100) {
        variable_run r;
        resida_dae d = variable_dae(2, variable_oscillator);
        const resida_solver_options o = variable_options(tolerance);
        int events = 0;
        d.n_root = 1;
        d.root = small_y0;
        variable_open(&r, &d, &o, y0, NULL);
        for (resida_status status; (status = resida_solver_advance(r.solver, 100)) != RESIDA_OK;) {
            assert_int_equal(status, RESIDA_EVENT);
            const double wanted = pi / 2 + events++ * pi, t = test_state(r.solver).t;
            if (!(fabs(t - wanted) < 300 * tolerance)) fail_msg("%g: event at %.9g, not %.9g", tolerance, t, wanted);
        }
        assert_int_equal(events, 32);
    }
}

/* Errors of outputs between the ends of steps have order 5, those of their slopes order 4, and h is proportional to the
 * fifth root of the tolerance. */
CLAIM(outputs_within_steps_follow_the_tolerance)
{
    const double y0[2] = {1, 0};
    for (double tolerance = 1e-4; tolerance > 1e-10; tolerance /= 100) {
        variable_run r;
        resida_dae d = variable_dae(2, variable_oscillator);
        const resida_solver_options o = variable_options(tolerance);
        variable_open(&r, &d, &o, y0, NULL);
        double worst = 0, worst_slope = 0;
        for (int k = 1; k <= 1000; k++) {
            variable_advance(r.solver, 0.01 * k);
            const resida_state now = test_state(r.solver);
            worst = fmax(worst, fabs(now.y[0] - cos(now.t)));
            worst_slope = fmax(worst_slope, fabs(now.yp[0] + sin(now.t)));
        }
        if (!(worst < 3 * tolerance && worst_slope < 3 * pow(tolerance, 0.8)))
            fail_msg("%g: error %.3g, of the slope %.3g", tolerance, worst, worst_slope);
    }
}

/* y' = z, z = sin(10 t) - y, with z(0) = -1 */
static int driven_filter(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - y[1];
    r[1] = y[1] + y[0] - sin(10 * t);
    return 0;
}

static double driven_filter_z(double t)
{
    return sin(10 * t) - (sin(10 * t) - 10 * cos(10 * t)) / 101 - (1 + 10.0 / 101) * exp(-t);
}

/* Errors have order 5, also of algebraic components, whose fourth derivative is not that of y. */
CLAIM(algebraic_components_within_steps_follow_the_tolerance)
{
    static const resida_kind kinds[2] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    const double y0[2] = {1, -1};
    for (double tolerance = 1e-4; tolerance > 1e-11; tolerance /= 100) {
        variable_run r;
        resida_dae d = variable_dae(2, driven_filter);
        const resida_solver_options o = variable_options(tolerance);
        d.kinds = kinds;
        variable_open(&r, &d, &o, y0, NULL);
        double worst = 0;
        for (int k = 1; k <= 500; k++) {
            variable_advance(r.solver, 0.006 * k);
            const resida_state now = test_state(r.solver);
            worst = fmax(worst, fabs(now.y[1] - driven_filter_z(now.t)));
        }
        if (!(worst < 5 * tolerance)) fail_msg("%g: error %.3g", tolerance, worst);
    }
}

/* y' = z, z = 0 for t < 1, and then 1 */
static int switched(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - y[1];
    r[1] = y[1] - (t > 1);
    return 0;
}

/* The steps after a jump of z grow from very small ones. The values before the jump do not change z within them. */
CLAIM(a_jump_of_an_algebraic_component_leaves_later_steps_unchanged)
{
    static const resida_kind kinds[2] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    const double y0[2] = {0, 0};
    variable_run r;
    resida_dae d = variable_dae(2, switched);
    const resida_solver_options o = variable_options(1e-6);
    d.kinds = kinds;
    variable_open(&r, &d, &o, y0, y0);
    int later = 0;
    for (double before = 0; before < 2; before = test_state(r.solver).t) {
        double y[2], yp[2];
        const resida_status status = resida_solver_step(r.solver, 3);
        if (status < 0) fail_msg("%s", resida_solver_message(r.solver));
        const double h = test_state(r.solver).t - before;
        for (double x = 0.125; before > 1 && x < 1; x += 0.125) {
            assert_int_equal(resida_solver_interpolate(r.solver, before + x * h, y, yp), RESIDA_OK);
            if (!(fabs(y[1] - 1) < 1e-6)) fail_msg("t = %.17g: z = %.9g", before + x * h, y[1]);
        }
        later += before > 1;
    }
    assert_true(later > 3);
}

/* --- Stiff problems --- */

/* Van der Pol, eps = 1e-6. Reference at t = 2: Hairer, Wanner, IV.10. */
static int van_der_pol(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - y[1];
    r[1] = 1e-6 * yp[1] - ((1 - y[0] * y[0]) * y[1] - y[0]);
    return 0;
}

CLAIM(van_der_pols_equation_is_right_with_few_steps_rejected)
{
    const double y0[2] = {2, 0}, yp0[2] = {0, -2e6};
    for (double tolerance = 1e-4; tolerance > 1e-9; tolerance /= 10) {
        variable_run r;
        resida_dae d = variable_dae(2, van_der_pol);
        const resida_solver_options o = variable_options(tolerance);
        variable_open(&r, &d, &o, y0, yp0);
        variable_advance(r.solver, 2);
        const double y1 = test_state(r.solver).y[0];
        const long steps = test_stats(r.solver).steps;
        if (!(fabs(y1 - 0.1706167732170483e1) < 30 * tolerance) || steps > 3000)
            fail_msg("%g: y1 = %.12g, %ld steps", tolerance, y1, steps);
        variable_advance(r.solver, 11);
        const resida_stats n = test_stats(r.solver);
        if (!((double)n.error_test_fails < 0.12 * (double)n.steps))
            fail_msg("%g: %ld steps, %ld failed tests", tolerance, n.steps, n.error_test_fails);
    }
}

/* --- Steps that fail --- */

/* y' = -sqrt(y) from 1: y = (1 - t/2)^2. F cannot be evaluated for y < 0, which long steps reach. */
static int square_root(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    ++*(long *)user;
    if (y[0] < 0) return 1;
    r[0] = yp[0] + sqrt(y[0]);
    return 0;
}

CLAIM(a_residual_that_refuses_shortens_the_step)
{
    variable_run r;
    resida_dae d = variable_dae(1, square_root);
    const resida_solver_options o = variable_options(1e-6);
    const double y0 = 1;
    long calls = 0;
    d.user = &calls;
    variable_open(&r, &d, &o, &y0, NULL);
    variable_advance(r.solver, 1.99);
    bench_near(test_state(r.solver).y[0], 0.005 * 0.005, 1e-5);
}

/* --- Drift --- */

CLAIM(constraints_stay_satisfied_for_many_turns)
{
    static const char *const forms[] = {"ggl", "index3", "projected2"};
    for (int f = 0; f < 3; f++) {
        const method_case c = {.method = RADAU, .form = forms[f]};
        const resida_solver_options o = variable_options(1e-6);
        method_run r;
        method_open(&r, &c, 0, &o);
        variable_advance(r.solver, 300);
        const resida_state now = test_state(r.solver);
        const double g = (now.p[0] * now.p[0] + now.p[1] * now.p[1] - 1) / 2;
        if (!(fabs(g) < 1e-5)) fail_msg("%s: g = %.3g after 300 s", forms[f], g);
    }
}

/* --- Cost, stop times --- */

/* Each iteration takes three residuals. Beyond these, evaluations of J and repeated error estimates take some; a new h
 * takes none. */
CLAIM(a_new_step_size_costs_no_residual)
{
    const method_case c = {.method = RADAU, .form = "ggl"};
    const resida_solver_options o = variable_options(1e-6);
    method_run r;
    method_open(&r, &c, 0, &o);
    variable_advance(r.solver, 10);
    const resida_stats s = test_stats(r.solver);
    assert_true(s.factorisations > 20);
    assert_true(s.residual_calls.newton <= 3 * (s.newton_iterations + s.newton_fails) + 2 * s.error_test_fails + 3);
}

/* The size of most steps differs from that of the step before. On a smooth motion the factors are valid for several
 * steps, because iterations with an old size are cheaper than a factorization. */
CLAIM(smooth_steps_keep_their_factors)
{
    const method_case c = {.method = RADAU, .form = "ggl"};
    const resida_solver_options o = variable_options(1e-9);
    method_run r;
    method_open(&r, &c, 0, &o);
    while (test_state(r.solver).t < 2)
        if (resida_solver_step(r.solver, 3) < 0) fail_msg("%s", resida_solver_message(r.solver));
    const resida_stats s = test_stats(r.solver);
    if (!((double)s.factorisations < 0.6 * (double)s.steps))
        fail_msg("%ld factorizations in %ld steps", s.factorisations, s.steps);
}

CLAIM(stop_times_are_reached_exactly_and_do_not_reduce_the_steps)
{
    double error[2];
    const double whole = pendulum_errors("ggl", 1e-6, error);
    const method_case c = {.method = RADAU, .form = "ggl"};
    resida_solver_options o = variable_options(1e-6);
    method_run r;
    o.t_stop = 0.1;
    method_open(&r, &c, 0, &o);
    for (int k = 1; k <= 40; k++) { /* at 0.1, 0.101, 0.2, 0.201 .. */
        assert_int_equal(resida_solver_advance(r.solver, 3), RESIDA_STOP_TIME);
        assert_true(test_state(r.solver).t == o.t_stop);
        o.t_stop = 0.1 * ((k + 2) / 2) + (k % 2 ? 0.001 : 0);
        assert_int_equal(resida_solver_set_stop_time(r.solver, o.t_stop), RESIDA_OK);
    }
    const long steps = test_stats(r.solver).steps; /* with two shortened steps for each 0.1 s */
    if (!((double)steps <= whole + 40)) fail_msg("%ld steps, %g without stops", steps, whole);
}

CLAIM(a_given_first_step_is_taken)
{
    const method_case c = {.method = RADAU, .form = "ggl"};
    resida_solver_options o = variable_options(1e-6);
    method_run r;
    o.h_first = 1e-4;
    method_open(&r, &c, 0, &o);
    assert_true(resida_solver_step(r.solver, 2) >= 0);
    assert_true(test_state(r.solver).t == 1e-4);
}

CLAIM(a_longest_step_is_respected)
{
    const method_case c = {.method = RADAU, .form = "ggl"};
    resida_solver_options o = variable_options(1e-3);
    method_run r;
    o.h_max = 0.01;
    method_open(&r, &c, 0, &o);
    for (double before = 0; before < 1;) {
        assert_true(resida_solver_step(r.solver, 2) >= 0);
        const double t = test_state(r.solver).t;
        assert_true(t - before < 0.01 * (1 + 1e-9));
        before = t;
    }
}

/* All components in the error test: those of index 2 count times h. */
CLAIM(multipliers_can_be_tested)
{
    double error[2];
    const double steps = pendulum_errors("ggl", 1e-6, error);
    const method_case c = {.method = RADAU, .form = "ggl"};
    resida_solver_options o = variable_options(1e-6);
    double p[2], v[2], lam;
    method_run r;
    o.t_stop = 2;
    o.error_test = RESIDA_ERROR_TEST_ALL;
    method_open(&r, &c, 0, &o);
    variable_advance(r.solver, 2);
    method_exact(&r, 2, p, v, &lam);
    bench_near(test_state(r.solver).lam[0], lam, 1e-3);
    assert_true((double)test_stats(r.solver).steps < 3 * steps);
}
