/* test_backward.c - runs back in time: there and back again leads to the start, closed forms hold at negative times
 * with each strategy for J, and what goes forward only is refused by name. */
#include "test/fixtures/check_contract.h"
#include "test/fixtures/claims.h"
#include "test/fixtures/mechanisms/scripted.h"
#include "test/fixtures/mechanisms/small.h"
#include "test/fixtures/solver_fixture.h"

/* y0' = y1, y1' = -y2, 0 = y2 - y0 + (t - 1)/10: y0 = sin t + c, with the derivative of c left to the algebra:
 *
 *     y0'' = -y0 + (t - 1)/10,   y0 = sin t + (t - 1)/10 */
static int oscillates(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[2];
    r[2] = y[2] - y[0] + (t - 1) / 10;
    return 0;
}

static int slopes(double t, double alpha, const double *y, const double *yp, const resida_excitation *e, double *J,
                  void *user)
{
    const double rows[] = {alpha, -1, 0, 0, alpha, 1, -1, 0, 1};
    memcpy(J, rows, sizeof rows);
    return 0;
}

static double error_at(const resida_state *s)
{
    const double t = s->t, y0 = sin(t) + (t - 1) / 10, y1 = cos(t) + 0.1;
    return fmax(fmax(fabs(s->y[0] - y0), fabs(s->y[1] - y1)), fmax(fabs(s->y[2] - sin(t)), fabs(s->yp[0] - y1)));
}

typedef struct run {
    resida_problem *problem;
    resida_solver *solver;
} run;

static run open_oscillator(int has_J, const resida_solver_options *o, double t0)
{
    run r;
    resida_dae d = test_dae();
    d.n = 3;
    d.residual = oscillates;
    if (has_J) d.jacobian = slopes;
    test_solver_make_dae(&r.problem, &r.solver, &d, NULL, o);
    const double y0[] = {sin(t0) + (t0 - 1) / 10, cos(t0) + 0.1, sin(t0)}, yp0[] = {y0[1], -y0[2], cos(t0)};
    assert_int_equal(resida_solver_start_dae(r.solver, t0, y0, yp0), RESIDA_OK);
    return r;
}

CLAIM(a_dae_goes_back_in_time_with_each_strategy)
{
    static const char *const strategies[] = {"auto", "dense", "sparse", "fresh", "dense+partitioned", "user"};
    for (size_t k = 0; k < sizeof strategies / sizeof *strategies; k++) {
        resida_solver_options o = test_solver_options();
        o.jacobian = strategies[k];
        o.rtol = o.atol = 1e-8;
        o.t_stop = -7;
        const run r = open_oscillator(strcmp(strategies[k], "user") == 0, &o, 0.5);
        for (double t = 0.25; t > -6; t -= 0.25) {
            if (resida_solver_advance(r.solver, t) != RESIDA_OK) fail_msg("%s", resida_solver_message(r.solver));
            const resida_state s = test_state(r.solver);
            assert_true(s.t == t);
            if (error_at(&s) > 1e-5) fail_msg("%s: %g at t = %g", strategies[k], error_at(&s), t);
        }
        assert_int_equal(resida_solver_advance(r.solver, -5), RESIDA_ERR_ARGUMENT); /* not forth again */
        assert_int_equal(resida_solver_advance(r.solver, -9), RESIDA_STOP_TIME);
        assert_true(test_state(r.solver).t == -7);
        const resida_state s = test_state(r.solver);
        assert_true(error_at(&s) < 1e-5);
    }
}

CLAIM(a_stop_time_against_the_direction_of_the_run_is_refused)
{
    resida_status (*const calls[])(resida_solver *, double) = {resida_solver_advance, resida_solver_step};
    for (int k = 0; k < 4; k++) {
        const double way = k & 1 ? -1 : 1;
        resida_solver_options o = test_solver_options();
        o.t_stop = 0.5 - way;
        const run r = open_oscillator(0, &o, 0.5);
        contract c;
        contract_begin(&c, r.solver);
        const resida_status status = calls[k >> 1](r.solver, 0.5 + 2 * way);
        check_contract(&c, status, CONTRACT_SAME_STATE, NULL);
        assert_int_equal(status, RESIDA_ERR_ARGUMENT);
        assert_non_null(strstr(resida_solver_message(r.solver), " is not between 0.5 and "));
        assert_int_equal(resida_solver_advance(r.solver, 0.5 - 2 * way), RESIDA_STOP_TIME); /* on its way */
        const resida_state s = test_state(r.solver);
        assert_true(s.t == o.t_stop && error_at(&s) < 1e-3);
    }
}

CLAIM(steps_and_interpolation_go_back_too)
{
    resida_solver_options o = test_solver_options();
    o.rtol = o.atol = 1e-8;
    const run r = open_oscillator(0, &o, 100.1);
    double y[3], yp[3];
    for (int k = 0; k < 60; k++) {
        const double before = test_state(r.solver).t;
        assert_int_equal(resida_solver_step(r.solver, 90), RESIDA_OK);
        const resida_state s = test_state(r.solver);
        assert_true(s.t < before && error_at(&s) < 1e-5);
        assert_true(test_stats(r.solver).h > 0);
        const resida_state middle = {.t = (s.t + before) / 2, .y = y, .yp = yp};
        assert_int_equal(resida_solver_interpolate(r.solver, middle.t, y, yp), RESIDA_OK);
        assert_true(error_at(&middle) < 1e-5);
        assert_int_equal(resida_solver_interpolate(r.solver, s.t - 1e-3, y, yp), RESIDA_ERR_ARGUMENT);
        assert_int_equal(resida_solver_interpolate(r.solver, s.t, y, yp), RESIDA_OK);
        assert_int_equal(resida_solver_interpolate(r.solver, before, y, yp), RESIDA_OK);
    }
    const double t = test_state(r.solver).t, from = t + 0.4 * test_stats(r.solver).h;
    assert_int_equal(resida_solver_start_dae(r.solver, from, y, NULL) < 0, 0); /* another start goes either way */
    assert_int_equal(resida_solver_advance(r.solver, from + 1), RESIDA_OK);
}

/* A pendulum that its support moves, without drag, in all forms: there and back again. */
static int inert(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                 void *user)
{
    r[0] = a[0] + sin(3 * t);
    r[1] = a[1] + 9.81;
    return 0;
}

CLAIM(a_mechanism_returns_to_its_start_by_backward_integration_in_each_form)
{
    for (int k = 0; resida_form_at(k); k++) {
        const char *form = resida_form_at(k);
        if (strcmp(form, "ode") == 0 || strcmp(form, "baumgarte") == 0) continue;
        run r;
        double p[] = {1, 0}, v[] = {0, 0.5};
        resida_mechanism m = test_mechanism();
        resida_problem_options po = test_problem_options();
        resida_solver_options o = test_solver_options();
        m.n_p = m.n_v = 2, m.n_g = 1;
        m.residual = inert, m.constraint = small_circle;
        po.form = form;
        o.rtol = o.atol = 1e-8;
        test_solver_make(&r.problem, &r.solver, &m, &po, &o);
        for (int back = 0; back < 2; back++) {
            assert_int_equal(resida_solver_start(r.solver, back, p, v, NULL, NULL), RESIDA_OK);
            if (resida_solver_advance(r.solver, 1 - back) != RESIDA_OK)
                fail_msg("%s: %s", form, resida_solver_message(r.solver));
            const resida_state s = test_state(r.solver);
            memcpy(p, s.p, sizeof p), memcpy(v, s.v, sizeof v);
            const double f = 2 * s.lam[0]; /* a + 2 lam p = f */
            assert_true(fabs(s.a[1] + 9.81 + f * s.p[1]) < 1e-2 && fabs(s.a[0] + sin(3 * s.t) + f * s.p[0]) < 1e-2);
        }
        const double off = fmax(hypot(p[0] - 1, p[1]), hypot(v[0], v[1] - 0.5));
        if (off > 1e-4) fail_msg("%s: off by %g", form, off);
    }
}

/* --- refusals --- */

static void refused(resida_solver *s, const char *says)
{
    contract c;
    contract_begin(&c, s);
    const resida_status status = resida_solver_advance(s, -1);
    check_contract(&c, status, CONTRACT_SAME_STATE, NULL);
    assert_int_equal(status, RESIDA_ERR_ARGUMENT);
    if (!strstr(resida_solver_message(s), says)) fail_msg("%s: %s", says, resida_solver_message(s));
    assert_int_equal(resida_solver_advance(s, 0.5), RESIDA_OK); /* it goes forward */
}

CLAIM(features_without_backward_integration_are_refused_by_name)
{
    const double p0[] = {1, 0}, v0[] = {0, 0};
    resida_solver_options o = test_solver_options();
    o.method = "bdf2", o.step = 1e-2;
    const run fixed = open_oscillator(0, &o, 0);
    refused(fixed.solver, "steps of a fixed size are taken forward in time only");
    run carried = open_oscillator(0, NULL, 0);
    resida_dae d = test_dae();
    resida_sensitivity by;
    d.n = 3;
    d.residual = oscillates;
    resida_problem *moved = test_problem_dae(&d, NULL);
    resida_sensitivity_init(&by);
    by.moved = moved, by.delta = 1e-6;
    assert_int_equal(resida_solver_set_sensitivities(carried.solver, 1, &by), RESIDA_OK);
    const double y0[] = {-0.1, 1.1, 0}, yp0[] = {1.1, 0, 1};
    assert_int_equal(resida_solver_start_dae(carried.solver, 0, y0, yp0), RESIDA_OK);
    refused(carried.solver, "sensitivities are computed forward in time only");
    scripted_run r;
    scripted_open(&r, NULL, 1e-6);
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    refused(r.solver, "root functions are checked forward in time only");
    for (int k = 0; k < 2; k++) {
        run g;
        resida_mechanism m = test_mechanism();
        resida_problem_options po = test_problem_options();
        m.n_p = m.n_v = 2, m.n_g = 1;
        m.residual = small_particle, m.constraint = small_circle;
        po.form = k ? "baumgarte" : "index2";
        if (k == 0) po.gamma = 1;
        test_solver_make(&g.problem, &g.solver, &m, &po, NULL);
        assert_int_equal(resida_solver_start(g.solver, 0, p0, v0, NULL, NULL), RESIDA_OK);
        refused(g.solver, "gamma damps constraint violations forward in time only");
    }
}
