/* test_dassl_calls.c - calls of ddassl_, ddaspk_, ddasrt_ and ddaskr_ that are served: every option of INFO, outputs
 * and calls after them, counts, many integrations at a time. Solutions are known. */
#include "client.h"
#include "test/fixtures/file_util.h"

static const double accurate = 1e-4; /* tolerances of 1e-7, errors of some hundred of them in 10 s */

static void all_routines(void (*claim)(das_routine))
{
    for (int k = 0; k < DAS_ROUTINES; k++) claim((das_routine)k);
}

static void expect(client *c, double t_out, int idid)
{
    assert_int_equal(client_call(c, t_out), idid);
    assert_int_equal(c->info[0], 1);
}

static void solve(das_routine routine)
{
    for (int way = -1; way <= 1; way += 2) {
        client c = client_create(routine);
        for (int k = 1; k <= 10; k++) {
            expect(&c, way * k, ID_T_OUT);
            assert_true(c.t == way * k);
            assert_true(client_error(&c) < accurate);
            assert_true(way * c.rwork[R_T] >= k && way * c.rwork[R_H] > 0);
            assert_int_equal(c.iwork[I_RESIDUALS], client_did.res);
            assert_true(c.iwork[I_STEPS] > 0 && c.iwork[I_JACOBIANS] > 0 && c.iwork[I_ORDER_LAST] >= 1);
        }
    }
}

CLAIM(outputs_are_right_in_both_directions_of_time)
{
    all_routines(solve);
}

static void solve_by_component(das_routine routine)
{
    double error[2];
    for (int k = 0; k < 2; k++) {
        client c = client_create(routine);
        c.info[1] = 1;
        for (int i = 0; i < CLIENT_N; i++) c.rtol[i] = 0, c.atol[i] = i < 2 ? 1e-8 : 1e8;
        if (k) c.rtol[0] = c.rtol[1] = 1e-2, c.atol[0] = c.atol[1] = 1e-6;
        while (client_call(&c, 10) == ID_MUCH_WORK) c.info[0] = 1;
        assert_int_equal(c.idid, ID_T_OUT);
        error[k] = hypot(c.y[0] - cos(10), c.y[1] + sin(10));
    }
    assert_true(error[0] < 1e-5 && error[1] > 1e-4 && error[1] < 1);
}

/* u' = -p u of a program for DASPK 3.1, with p in SENPAR. */
static void decay_3(const double *t, const double *y, const double *yp, const double *cj, double *delta, int *ires,
                    double *rpar, int *ipar, double *senpar)
{
    delta[0] = yp[0] + senpar[0] * y[0];
}

static void decay_3_jac(const double *t, const double *y, const double *yp, double *pd, const double *cj, double *rpar,
                        int *ipar, double *senpar, const int *ijac)
{
    client_did.jac++;
    pd[0] = *ijac == 0 ? senpar[0] + *cj : NAN;
}

CLAIM(functions_of_daspk_3_have_its_parameters)
{
    const int n = 1, lrw = 200, liw = 60;
    const double t_out = 1;
    double rtol = 1e-8, atol = 1e-10, p = 2, rpar = 0, rwork[200];
    for (int has_jac = 0; has_jac < 2; has_jac++) {
        double t = 0, u = 1, up = -p;
        int info[30] = {0}, iwork[60] = {0}, idid = 0, ipar = 0;
        info[INFO_JACOBIAN] = has_jac;
        client_did = (client_calls){0};
        ddaspk_(decay_3, &n, &t, &u, &up, &t_out, info, &rtol, &atol, &idid, rwork, &lrw, iwork, &liw, &rpar, &ipar,
                (das_jac *)(void (*)(void))decay_3_jac, NULL, &p, NULL);
        assert_int_equal(idid, ID_T_OUT);
        assert_true(fabs(u - exp(-p)) < 1e-6 && has_jac == (client_did.jac > 0));
    }
}

CLAIM(tolerances_hold_by_component)
{
    all_routines(solve_by_component);
}

static void step(das_routine routine)
{
    client c = client_create(routine);
    c.info[2] = 1;
    double t = 0;
    for (long k = 1; client_call(&c, 10) == ID_STEP; k++) {
        assert_true(c.t > t && c.t < 10);
        assert_true(c.rwork[R_T] == c.t && fabs(c.rwork[R_H_LAST] - (c.t - t)) < 1e-9);
        assert_int_equal(c.iwork[I_STEPS], k);
        assert_true(client_error(&c) < accurate);
        t = c.t;
    }
    assert_int_equal(c.idid, ID_T_OUT);
    assert_true(c.t == 10 && client_error(&c) < accurate);
    const double ahead = c.rwork[R_T];
    assert_int_equal(client_call(&c, 11), ID_STEP); /* the end of the step that went beyond 10 */
    assert_true(fabs(c.t - ahead) < 1e-9 && client_error(&c) < accurate);
}

CLAIM(each_step_is_returned_on_request)
{
    all_routines(step);
}

static void stop(das_routine routine)
{
    client c = client_create(routine);
    c.info[3] = 1;
    c.rwork[R_T_STOP] = 2;
    expect(&c, 1, ID_T_OUT);
    expect(&c, 2, routine == DAS_DDASKR ? ID_T_STOP : ID_T_OUT); /* DASKR tests TSTOP before TOUT, the others after */
    assert_true(c.t == 2 && client_did.t_last <= 2);
    c.info[3] = 0;
    expect(&c, 3, ID_T_OUT);
    assert_true(client_error(&c) < accurate);
}

CLAIM(no_residual_is_asked_for_beyond_tstop)
{
    all_routines(stop);
}

static void use_jacobian(das_routine routine)
{
    long calls[4];
    for (int k = 0; k < 4; k++) {
        client c = client_create(routine);
        c.info[4] = k % 2;
        c.info[5] = k / 2;
        c.jac = k == 3 ? client_band : client_full;
        client_make_room(&c, 1, 1);
        expect(&c, k == 1 ? -5 : 5, ID_T_OUT);
        assert_true(client_error(&c) < accurate);
        assert_true(client_did.jac == (k % 2 ? c.iwork[I_JACOBIANS] : 0));
        assert_true(k % 2 == 0 || client_did.jac > 0);
        calls[k] = client_did.res;
    }
    assert_true(calls[1] <= calls[0] && calls[3] <= calls[2]);
}

CLAIM(jacobians_full_and_banded_are_used)
{
    all_routines(use_jacobian);
}

static const double mu = 5;

/* Two oscillators of van der Pol. */
static void van_der_pol(const double *t, const double *y, const double *yp, double *delta, int *ires, double *rpar,
                        int *ipar)
{
    client_did.res++;
    for (int i = 0; i < CLIENT_N; i += 2) {
        delta[i] = yp[i] - y[i + 1];
        delta[i + 1] = yp[i + 1] - mu * (1 - y[i] * y[i]) * y[i + 1] + y[i];
    }
}

static void of_van_der_pol(const double *t, const double *y, const double *yp, double *pd, const double *cj,
                           double *rpar, int *ipar)
{
    client_did.jac++;
    for (int i = 0; i < CLIENT_N; i += 2) {
        pd[i + CLIENT_N * i] = *cj;
        pd[i + CLIENT_N * (i + 1)] = -1;
        pd[i + 1 + CLIENT_N * i] = 2 * mu * y[i] * y[i + 1] + 1;
        pd[i + 1 + CLIENT_N * (i + 1)] = *cj - mu * (1 - y[i] * y[i]);
    }
}

/* DASSL's own bound of alpha lets a J serve for many steps; here it is what a call of JAC is taken to cost. */
CLAIM(a_jacobian_of_the_program_serves_for_several_steps)
{
    client c = client_create(DAS_DDASSL);
    const double y[CLIENT_N] = {2, 0, 1, 0}, yp[CLIENT_N] = {0, -2, 0, -1};
    memcpy(c.y, y, sizeof y);
    memcpy(c.yp, yp, sizeof yp);
    c.res = van_der_pol;
    c.jac = of_van_der_pol;
    c.rtol[0] = c.atol[0] = 1e-3;
    c.info[4] = 1;
    while (client_call(&c, 20) == ID_MUCH_WORK) c.info[0] = 1;
    assert_int_equal(c.idid, ID_T_OUT);
    print_message("%d steps, %ld calls of RES, %ld of JAC\n", c.iwork[I_STEPS], client_did.res, client_did.jac);
    assert_true(2 * client_did.jac < c.iwork[I_STEPS]);
}

static void limit_steps(das_routine routine)
{
    client c = client_create(routine);
    c.info[6] = c.info[7] = c.info[8] = 1;
    c.iwork[2] = 1;
    c.rwork[R_H_MAX] = 0.02;
    c.rwork[R_H] = 1e-5;
    c.rtol[0] = c.atol[0] = 1e-3;
    c.info[2] = 1;
    assert_int_equal(client_call(&c, 1), ID_STEP);
    assert_true(c.t > 0.9e-5 && c.t < 1.1e-5);
    while (client_call(&c, 1) == ID_STEP) assert_true(c.rwork[R_H_LAST] <= 0.02 + 1e-9 && c.iwork[I_ORDER_LAST] == 1);
    assert_int_equal(c.idid, ID_T_OUT);
    assert_true(c.iwork[I_STEPS] >= 50);
}

CLAIM(first_step_largest_step_and_order_are_kept)
{
    all_routines(limit_steps);
}

static void much_work(das_routine routine)
{
    client c = client_create(routine);
    int returns = 0;
    while (client_call(&c, 200) == ID_MUCH_WORK) {
        assert_int_equal(c.iwork[I_STEPS], 500 * ++returns);
        assert_int_equal(c.info[0], -1);
        assert_true(c.t < 200 && client_error(&c) < 100 * accurate);
        c.info[0] = 1;
    }
    assert_true(returns > 1 && c.idid == ID_T_OUT);
}

CLAIM(a_call_ends_after_five_hundred_steps_and_can_be_continued)
{
    all_routines(much_work);
    client c = client_create(DAS_DDASSL);
    c.info[11] = 1;
    c.iwork[20] = 7;
    assert_int_equal(client_call(&c, 200), ID_MUCH_WORK);
    assert_int_equal(c.iwork[I_STEPS], 7);
}

static void find_derivatives(das_routine routine)
{
    client c = client_create(routine);
    c.info[10] = 1;
    client_make_room(&c, 0, 0);
    for (int i = 0; i < CLIENT_N; i++) c.yp[i] = 0;
    for (int i = 0; i < CLIENT_N && client_is_daspk((int)routine); i++) c.iwork[40 + i] = 1;
    expect(&c, 5, ID_T_OUT);
    assert_true(client_error(&c) < accurate);
}

CLAIM(initial_derivatives_are_found)
{
    all_routines(find_derivatives);
}

static client algebraic(int how)
{
    client c = client_create(DAS_DDASPK);
    const double y[CLIENT_N] = {2, 3, 0, 0}, yp[CLIENT_N] = {-1, 0, 0, 0};
    c.res = client_algebraic;
    c.info[10] = how;
    c.info[13] = 1;
    client_make_room(&c, 0, 0);
    memcpy(c.y, y, sizeof y);
    memcpy(c.yp, yp, sizeof yp);
    for (int i = 0; i < CLIENT_N && how == 1; i++) c.iwork[40 + i] = i == 1 ? -1 : 1;
    return c;
}

CLAIM(daspk_finds_either_part_of_a_start_and_stops_there)
{
    client c = algebraic(1);
    assert_int_equal(client_call(&c, 1), ID_STARTED);
    assert_int_equal(c.info[0], 0);
    assert_true(c.t == 0 && c.y[0] == 2 && fabs(c.y[1] - 4) < 1e-6 && fabs(c.yp[0] + 2) < 1e-6);
    c.info[10] = 0;
    expect(&c, 1, ID_T_OUT);
    assert_true(fabs(c.y[1] - 4 * exp(-2)) < accurate);

    c = algebraic(2); /* y3, y4 are not in F with yp fixed: the system of those two has to be regular */
    c.res = client_decay;
    for (int i = 0; i < CLIENT_N; i++) c.yp[i] = -1 - i;
    assert_int_equal(client_call(&c, 1), ID_STARTED);
    for (int i = 0; i < CLIENT_N; i++) assert_true(fabs(c.y[i] - 1 - i) < 1e-6 && c.yp[i] == -1 - i);
}

CLAIM(components_excluded_from_the_error_test_of_daspk_cost_no_steps)
{
    int steps[2];
    for (int k = 0; k < 2; k++) {
        client c = client_create(DAS_DDASPK);
        c.info[15] = k;
        client_make_room(&c, 0, 0);
        for (int i = 0; i < CLIENT_N && k; i++) c.iwork[40 + i] = i < 2 ? 1 : -1;
        while (client_call(&c, 10) == ID_MUCH_WORK) c.info[0] = 1;
        assert_int_equal(c.idid, ID_T_OUT);
        steps[k] = c.iwork[I_STEPS];
    }
    assert_true(steps[1] < 0.8 * steps[0]);
}

static void stay_above_zero(das_routine routine)
{
    for (int is_asked = 0; is_asked < 2; is_asked++) {
        client c = client_create(routine);
        c.res = client_falling;
        c.info[9] = is_asked ? (client_is_daspk((int)routine) ? 2 : 1) : 0;
        for (int i = 0; i < CLIENT_N; i++) c.y[i] = 1, c.yp[i] = -1;
        c.rtol[0] = c.atol[0] = 1e-3;
        client_listen();
        const int idid = client_call(&c, 2);
        client_lines_heard();
        assert_int_equal(idid, is_asked ? ID_NEWTON : ID_T_OUT); /* it ends where it would get below */
        assert_true(is_asked ? fabs(c.t - 1) < 0.01 : fabs(c.y[0] + 1) < 0.01);
        for (int i = 0; i < CLIENT_N && is_asked; i++) assert_true(c.y[i] >= 0 && c.y[i] < 0.01);
    }
}

CLAIM(y_stays_above_zero_on_request)
{
    all_routines(stay_above_zero);
}

CLAIM(simultaneous_integrations_do_not_affect_each_other)
{
    enum { MANY = 3000, CALLS = 3 };
    static client c[MANY];
    double alone[CALLS][CLIENT_N];
    client one = client_create(DAS_DDASSL);
    for (int k = 0; k < CALLS; k++) {
        expect(&one, 0.3 * (k + 1), ID_T_OUT);
        memcpy(alone[k], one.y, sizeof alone[k]);
    }
    const int residuals = one.iwork[I_RESIDUALS];
    for (int i = 0; i < MANY; i++) c[i] = client_create(DAS_DDASSL);
    for (int k = 0; k < CALLS; k++)
        for (int i = 0; i < MANY; i++) {
            expect(&c[i], 0.3 * (k + 1), ID_T_OUT);
            assert_memory_equal(c[i].y, alone[k], sizeof alone[k]);
        }
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(c[i].iwork[I_RESIDUALS], residuals); /* its own */
    }
}

/* What an array held is done when a new one begins in it. */
CLAIM(repeated_starts_do_not_displace_other_integrations)
{
    client c = client_create(DAS_DDASSL), d = client_create(DAS_DDASSL);
    expect(&c, 1, ID_T_OUT);
    for (int i = 0; i < 200; i++) {
        client_begin_oscillators(&d);
        d.info[0] = 0;
        expect(&d, 0.01, ID_T_OUT);
    }
    client_did.res = 0;
    expect(&c, 1.001, ID_T_OUT);
    assert_true(client_did.res < 6 && client_error(&c) < accurate);
}

CLAIM(new_tolerances_and_times_apply_to_later_steps)
{
    for (int k = 0; k < 2; k++) {
        client c = client_create(DAS_DDASSL);
        c.rtol[0] = k ? 1e-3 : 1e-9;
        c.atol[0] = k ? 1e-9 : 1e-3;
        while (client_call(&c, 1) == ID_MUCH_WORK) c.info[0] = 1;
        const int coarse = c.iwork[I_STEPS];
        c.rtol[0] = c.atol[0] = 1e-9;
        while (client_call(&c, 2) == ID_MUCH_WORK) c.info[0] = 1;
        assert_true(c.idid == ID_T_OUT && c.iwork[I_STEPS] > 3 * coarse);
        assert_int_equal(c.iwork[I_RESIDUALS], client_did.res);
        client_begin_oscillators(&c);
        while (client_call(&c, 0.5) == ID_MUCH_WORK) c.info[0] = 1;
        assert_true(c.idid == ID_T_OUT && client_error(&c) < 1e-6);
    }
}

static void from_within(const double *t, const double *y, const double *yp, double *delta, int *ires, double *rpar,
                        int *ipar)
{
    const client_calls kept = client_did;
    client inner = client_create(DAS_DDASPK);
    assert_int_equal(client_call(&inner, 0.01), ID_T_OUT);
    client_did = kept;
    client_oscillators(t, y, yp, delta, ires, rpar, ipar);
}

CLAIM(a_residual_may_integrate_itself)
{
    client c = client_create(DAS_DDASSL);
    c.res = from_within;
    expect(&c, 1, ID_T_OUT);
    expect(&c, 2, ID_T_OUT);
    assert_true(client_error(&c) < accurate);
}
