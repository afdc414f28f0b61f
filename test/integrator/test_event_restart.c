/* test_event_restart.c - events of functions of algebraic components and multipliers. The start after such an event
 * solves these again, and their errors put the function back to the side from which it came. */
#include "test/fixtures/mechanisms/small.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/claims.h"

static const char *const strategies[] = {"auto", "fresh", "dense"};

/* x' = rate, 0 = f(z) - x + lift, with a root function z - 1/2. */
typedef struct ramp {
    double rate, lift;
} ramp;

static double f(double z)
{
    return z + z * z * z + 0.3 * sin(z);
}

static int rise(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const ramp *at = user;
    r[0] = yp[0] - at->rate;
    r[1] = f(y[1]) - y[0] + at->lift;
    return 0;
}

static int half(double t, const double *y, const double *yp, const resida_excitation *e, double *out, void *user)
{
    out[0] = y[1] - 0.5;
    return 0;
}

static resida_solver *start_ramp(ramp *at, double rtol, const char *jacobian)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    resida_solver_options o = test_solver_options();
    resida_dae d = test_dae();
    d.n = 2, d.n_root = 1, d.user = at, d.kinds = kinds;
    d.residual = rise, d.root = half;
    o.rtol = o.atol = rtol, o.jacobian = jacobian;
    resida_solver *s = test_solver_dae(&d, NULL, &o);
    assert_int_equal(resida_solver_start_dae(s, 0, (double[2]){0, 0}, NULL), RESIDA_OK);
    return s;
}

/* Restart from the state reached. */
static void restart(resida_solver *s, double rate, int gives_yp)
{
    const resida_state x = test_state(s);
    const double y[] = {x.y[0], x.y[1]}, yp[] = {rate, 0};
    if (resida_solver_start_dae(s, x.t, y, gives_yp ? yp : NULL) < 0) fail_msg("%s", resida_solver_message(s));
}

CLAIM(an_event_of_an_algebraic_component_is_found_once)
{
    const double x = f(0.5), end = x + (1.2 - x) / 2;
    for (int k = 0; k < 3 * 25 * 2; k++) {
        const char *jacobian = strategies[k % 3];
        const double rtol = pow(10, -3 - 0.25 * (k / 6));
        ramp at = {1, 0};
        resida_solver *s = start_ramp(&at, rtol, jacobian);
        int n = 0;
        for (; resida_solver_advance(s, 1.2) == RESIDA_EVENT; n++) restart(s, at.rate /= 2, k / 3 % 2);
        const resida_state reached = test_state(s);
        if (n != 1 || !(fabs(reached.y[0] - end) <= 20 * rtol))
            fail_msg("%s, rtol %g: %d events, x = %.9g, not %.9g", jacobian, rtol, n, reached.y[0], end);
    }
}

CLAIM(a_step_that_fails_after_a_restart_names_values_that_are_not_consistent)
{
    for (int k = 0; k < 3; k++) {
        ramp at = {1, 0};
        resida_solver *s = start_ramp(&at, 1e-9, strategies[k]);
        assert_int_equal(resida_solver_advance(s, 0.2), RESIDA_OK);
        const double y[] = {test_state(s).y[0] + 1, test_state(s).y[1]}, yp[] = {1, 0};
        assert_int_equal(resida_solver_start_dae(s, 0.2, y, yp), RESIDA_OK);
        assert_true(resida_solver_advance(s, 1) < 0);
        if (strncmp(resida_solver_message(s), "start: y0 and yp0 are not consistent: F[1] = -1 at t = 0.2", 58) != 0)
            fail_msg("%s", resida_solver_message(s));
        assert_int_equal(resida_solver_start_dae(s, 0.2, y, NULL), RESIDA_OK); /* Newton's method corrects z */
        assert_true(resida_solver_advance(s, 0.3) >= 0);
    }
}

/* x' = 1, 0 = z, with root functions x - 1/2, sqrt(z) - 1/10 and sqrt(-z) - 1/10, which are defined at z = 0 only. */
static int rest_at_edge(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - 1;
    r[1] = y[1];
    return 0;
}

static int edge_of_domain(double t, const double *y, const double *yp, const resida_excitation *e, double *out,
                          void *user)
{
    out[0] = y[0] - 0.5;
    out[1] = sqrt(y[1]) - 0.1;
    if (*(const int *)user > 2) out[2] = sqrt(-y[1]) - 0.1;
    return 0;
}

CLAIM(functions_at_the_edge_of_their_domain_at_an_event_do_not_end_the_run)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    for (int n_root = 2; n_root <= 3; n_root++) {
        resida_dae d = test_dae();
        d.n = 2, d.n_root = n_root, d.kinds = kinds, d.residual = rest_at_edge, d.root = edge_of_domain,
        d.user = &n_root;
        resida_solver *s = test_solver_dae(&d, NULL, NULL);
        assert_int_equal(resida_solver_start_dae(s, 0, (double[2]){0, 0}, NULL), RESIDA_OK);
        assert_int_equal(resida_solver_advance(s, 1), RESIDA_EVENT);
        restart(s, 1, 0);
        if (resida_solver_advance(s, 1) != RESIDA_OK) fail_msg("%s", resida_solver_message(s));
        assert_true(fabs(test_state(s).y[0] - 1) < 1e-6);
    }
}

/* x' = rate, 0 = f(z_1) - x, 0 = f(1 - z_2) - x, with a root function z_1 - z_2 that is zero at z = 1/2. */
static int approach(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - *(const double *)user;
    r[1] = f(y[1]) - y[0];
    r[2] = f(1 - y[2]) - y[0];
    return 0;
}

static int distance(double t, const double *y, const double *yp, const resida_excitation *e, double *out, void *user)
{
    out[0] = y[1] - y[2];
    return 0;
}

/* Errors of z_1 and z_2 with the same sign cancel in this function. */
CLAIM(an_event_of_a_difference_of_components_is_found_once)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC, RESIDA_ALGEBRAIC};
    for (int k = 0; k < 25; k++) {
        const double rtol = pow(10, -3 - 0.25 * k);
        double rate = 1;
        resida_solver_options o = test_solver_options();
        resida_dae d = test_dae();
        int n = 0;
        d.n = 3, d.n_root = 1, d.user = &rate, d.kinds = kinds, d.residual = approach, d.root = distance;
        o.rtol = o.atol = rtol;
        resida_solver *s = test_solver_dae(&d, NULL, &o);
        assert_int_equal(resida_solver_start_dae(s, 0, (double[3]){0, 0, 1}, NULL), RESIDA_OK);
        for (; resida_solver_advance(s, 1.2) == RESIDA_EVENT; n++) {
            const resida_state x = test_state(s);
            rate /= 2;
            assert_int_equal(resida_solver_start_dae(s, x.t, (double[3]){x.y[0], x.y[1], x.y[2]}, NULL), RESIDA_OK);
        }
        if (n != 1) fail_msg("rtol %g: %d events", rtol, n);
    }
}

/* Each event lifts the ramp by 0.02, and z falls back; the next one follows when x has risen by 0.02. */
CLAIM(a_function_that_falls_back_by_a_jump_is_found_again)
{
    for (int k = 0; k < 3 * 25; k++) {
        const char *jacobian = strategies[k % 3];
        const double rtol = pow(10, -3 - 0.25 * (k / 3));
        ramp at = {1, 0};
        resida_solver *s = start_ramp(&at, rtol, jacobian);
        for (int n = 0; n < 10; n++) {
            const double expected = f(0.5) + 0.02 * n;
            if (resida_solver_advance(s, 2) != RESIDA_EVENT) fail_msg("rtol %g: %s", rtol, resida_solver_message(s));
            const double t = test_state(s).t;
            if (!(fabs(t - expected) <= 20 * rtol))
                fail_msg("%s, rtol %g: %.9g, not %.9g", jacobian, rtol, t, expected);
            at.lift += 0.02;
            restart(s, at.rate, 0);
        }
    }
}

/* A pendulum of 1 m and 1 kg with damping, which an event halves when the multiplier rises to 8. Forces and multiplier
 * do not jump by more than 4 %. */
static int swing(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                 void *user)
{
    const double damping = *(const double *)user;
    r[0] = a[0] + damping * v[0];
    r[1] = a[1] + damping * v[1] + 9.81;
    return 0;
}

static int strength(double t, const double *p, const double *v, const double *lam, const resida_excitation *e,
                    double *out, void *user)
{
    out[0] = lam[0] - 8;
    return 0;
}

static void count_events_of_lam(const char *form, double rtol)
{
    double damping = 0.5;
    resida_problem_options po = test_problem_options();
    resida_solver_options o = test_solver_options();
    resida_mechanism m = test_mechanism();
    int n = 0;
    m.n_p = m.n_v = 2, m.n_g = m.n_root = 1, m.user = &damping;
    m.residual = swing, m.constraint = small_circle;
    po.form = form, po.root_lam = strength, o.rtol = o.atol = rtol;
    resida_solver *s = test_solver(&m, &po, &o);
    assert_int_equal(resida_solver_start(s, 0, (double[2]){1, 0}, (double[2]){0, 0}, NULL, NULL), RESIDA_OK);
    for (; resida_solver_advance(s, 0.45) == RESIDA_EVENT; n++) {
        const resida_state x = test_state(s);
        const double p[] = {x.p[0], x.p[1]}, v[] = {x.v[0], x.v[1]};
        damping /= 2;
        assert_int_equal(resida_solver_start(s, x.t, p, v, NULL, NULL), RESIDA_OK);
    }
    if (n != 1) fail_msg("%s, rtol %g: %d events: %s", form, rtol, n, resida_solver_message(s));
}

CLAIM(an_event_of_a_multiplier_is_found_once)
{
    static const char *const forms[] = {"ggl",        "index2",     "index1",      "baumgarte",
                                        "projected1", "projected2", "state-space", "hiller-anantharaman"};
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 13; k++) count_events_of_lam(forms[i], pow(10, -3 - 0.5 * k));
}
