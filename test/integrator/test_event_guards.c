/* test_event_guards.c - a square root behind a switch: F cannot be evaluated beyond the event that turns the switch.
 *
 *     x' = -2,  y = sqrt(x) while the switch is on, then 0,  w' = y;  x(0) = 1: the event is at t = 1/2, w(1) = 1/3 */
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/claims.h"

typedef struct guarded {
    int is_on, gives_nan;
} guarded;

static int flows(double t, const double *y, const double *yp, const resida_excitation *u, double *r, void *user)
{
    const guarded *m = user;
    if (m->is_on && !m->gives_nan && y[0] < 0) return 1;
    r[0] = yp[0] + 2;
    r[1] = y[1] - (m->is_on ? sqrt(y[0]) : 0);
    r[2] = yp[2] - y[1];
    return 0;
}

static int x(double t, const double *y, const double *yp, const resida_excitation *u, double *out, void *user)
{
    out[0] = y[0];
    out[1] = 1;
    return 0;
}

static const struct {
    const char *method;
    double step, off; /* off: what the method leaves at the square root, which has no derivative there */
} ways[] = {{"bdf", 0, 1e-4},
            {"bdf2", 0.0037, 3e-4},
            {"radau-iia-3", 0.0037, 1e-4},
            {"midpoint", 0.0037, 1e-4},
            {"radau-iia-3", 0, 1e-4}};
enum { N_WAYS = sizeof ways / sizeof *ways };

static resida_solver *open_guarded_at(guarded *m, int way, double x_0, resida_problem **problem)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC, RESIDA_DIFFERENTIAL};
    resida_dae d = test_dae();
    resida_solver_options o = test_solver_options();
    resida_solver *s;
    d.n = 3;
    d.kinds = kinds;
    d.residual = flows;
    d.n_root = 2;
    d.root = x;
    d.user = m;
    o.method = ways[way].method;
    o.step = ways[way].step;
    o.rtol = o.atol = 1e-6;
    test_solver_make_dae(problem, &s, &d, NULL, &o);
    const double y = sqrt(x_0);
    assert_int_equal(resida_solver_start_dae(s, 0, (double[]){x_0, y, 0}, (double[]){-2, -1 / y, y}), RESIDA_OK);
    return s;
}

static resida_solver *open_guarded(guarded *m, int way, resida_problem **problem)
{
    return open_guarded_at(m, way, 1, problem);
}

CLAIM(an_event_is_found_where_F_cannot_be_evaluated_beyond)
{
    for (int way = 0; way < N_WAYS; way++)
        for (int nan = 0; nan < 2; nan++) {
            guarded m = {1, nan};
            int direction[2];
            resida_problem *problem;
            resida_solver *s = open_guarded(&m, way, &problem);
            const resida_status status = resida_solver_advance(s, 1);
            if (status != RESIDA_EVENT) fail_msg("%s: %s", ways[way].method, resida_solver_message(s));
            assert_true(fabs(test_state(s).t - 0.5) < 1e-6);
            assert_int_equal(resida_solver_event(s, direction), RESIDA_OK);
            assert_true(direction[0] == -1 && direction[1] == 0);
            m.is_on = 0;
            const resida_state at = test_state(s);
            assert_int_equal(resida_solver_start_dae(s, at.t, (double[]){0, 0, at.y[2]}, NULL), RESIDA_OK);
            assert_int_equal(resida_solver_advance(s, 1), RESIDA_OK);
            const double off = fabs(test_state(s).y[2] - 1.0 / 3);
            if (!(off < ways[way].off)) fail_msg("%s: w(1) is off by %g", ways[way].method, off);
        }
}

CLAIM(where_the_event_changes_nothing_the_message_names_the_root_function)
{
    for (int way = 0; way < N_WAYS; way++) {
        guarded m = {1, way % 2};
        resida_problem *problem;
        resida_solver *s = open_guarded(&m, way, &problem);
        assert_int_equal(resida_solver_advance(s, 1), RESIDA_EVENT);
        assert_true(resida_solver_advance(s, 1) < 0);
        if (!strstr(resida_solver_message(s), "root function 0 crosses zero there"))
            fail_msg("%s: %s", ways[way].method, resida_solver_message(s));
        assert_true(fabs(test_state(s).t - 0.5) < 1e-6);
    }
}

/* The step of the methods with fixed steps is longer than the way to the event. */
CLAIM(an_event_within_the_first_step_is_found_where_F_cannot_be_evaluated_beyond)
{
    static const double starts[] = {5e-3, 1e-3, 1e-6, 1e-9};
    for (int way = 0; way < N_WAYS; way++)
        for (int k = 0; k < 8; k++) {
            guarded m = {1, k % 2};
            int direction[2];
            resida_problem *problem;
            const double x_0 = starts[k / 2];
            resida_solver *s = open_guarded_at(&m, way, x_0, &problem);
            const resida_status status = resida_solver_advance(s, 1);
            if (status != RESIDA_EVENT) fail_msg("%s, x = %g: %s", ways[way].method, x_0, resida_solver_message(s));
            assert_true(fabs(test_state(s).t - x_0 / 2) < 1e-6);
            assert_int_equal(resida_solver_event(s, direction), RESIDA_OK);
            assert_true(direction[0] == -1 && direction[1] == 0);
        }
}

CLAIM(where_a_start_is_at_such_an_event_the_message_names_the_root_function)
{
    for (int way = 0; way < N_WAYS; way++) {
        guarded m = {1, way % 2};
        resida_problem *problem;
        resida_solver *s = open_guarded(&m, way, &problem);
        assert_int_equal(resida_solver_start_dae(s, 0, (double[]){0, 0, 0}, (double[]){-2, 0, 0}), RESIDA_OK);
        assert_true(resida_solver_advance(s, 1) < 0);
        if (!strstr(resida_solver_message(s), "root function 0 crosses zero there"))
            fail_msg("%s: %s", ways[way].method, resida_solver_message(s));
        assert_true(test_state(s).t == 0);
    }
}
