/* test_dassl_roots.c - root functions of ddasrt_ and ddaskr_: times in closed form in both directions, IDID and JROOT,
 * functions of YPRIME, functions that change after a root, restarts at a root. */
#include "client.h"
#include "test/fixtures/file_util.h"

static const double accurate = 1e-4; /* tolerances of 1e-7, errors of some hundred of them in 10 s */

static const das_routine routines[] = {DAS_DDASRT, DAS_DDASKR};

static client create(int k, int ng)
{
    client c = client_create(routines[k]);
    c.ng = ng;
    client_make_room(&c, 0, 0);
    return c;
}

static int is_root(const client *c)
{
    return c->idid == (c->routine == DAS_DDASKR ? 5 : 4);
}

/* JROOT for a sign change in the direction of integration, +1 or -1, or 0. DASRT has no signs. */
static void expect_jroot(const client *c, int i, int direction)
{
    assert_int_equal(c->jroot[i], c->routine == DAS_DDASKR ? direction : direction != 0);
}

/* y0 = cos t and y1 = -sin t: y0 falls first, y1 rises next in t > 0 and falls in t < 0. */
static void find_and_name(int k, int way)
{
    client c = create(k, 2);
    int found = 0;
    c.info[3] = 1;
    c.rwork[R_T_STOP] = 10 * way;
    while (client_call(&c, 10 * way), is_root(&c)) {
        const int i = found % 2, sign = found / 2 % 2 ? 1 : -1;
        const double root = acos(-1) / 2 * ++found;
        assert_true(fabs(c.t - way * root) < accurate);
        expect_jroot(&c, i, i == 0 ? sign : -sign * way);
        expect_jroot(&c, 1 - i, 0);
        assert_int_equal(c.iwork[k == 1 ? 35 : 15], client_did.g);
        assert_int_equal(c.info[0], 1);
    }
    assert_int_equal(found, 6);
    assert_int_equal(c.idid, c.routine == DAS_DDASKR ? ID_T_STOP : ID_T_OUT);
    assert_true(c.jroot[0] == 0 && c.jroot[1] == 0 && client_error(&c) < accurate);
}

CLAIM(roots_are_found_and_named)
{
    for (int k = 0; k < 2; k++) find_and_name(k, 1), find_and_name(k, -1);
}

/* y0' - y0 = -sin t - cos t. */
static void slope_is_value(const int *neq, const double *t, const double *y, const double *yp, const int *nrt,
                           double *rval, double *rpar, int *ipar)
{
    assert_true(*neq == CLIENT_N && *nrt == 1);
    rval[0] = yp[0] - y[0];
}

CLAIM(functions_of_daskr_have_yprime_of_the_program)
{
    for (int way = -1; way <= 1; way += 2) {
        client c = create(1, 1);
        const double pi = acos(-1);
        c.rt = slope_is_value;
        assert_int_equal(client_call(&c, 10 * way), 5);
        assert_true(fabs(c.t - (way > 0 ? 0.75 * pi : -0.25 * pi)) < accurate);
        assert_int_equal(c.jroot[0], 1);
        assert_int_equal(client_call(&c, 10 * way), 5);
        assert_true(fabs(c.t - (way > 0 ? 1.75 * pi : -1.25 * pi)) < accurate);
        assert_int_equal(c.jroot[0], -1);
    }
}

static double level;

static void reach_level(const int *neq, const double *t, const double *y, const int *ng, double *gout, double *rpar,
                        int *ipar)
{
    client_did.g++;
    gout[0] = y[0] - level;
}

/* The prologues allow it without a restart. */
CLAIM(functions_may_change_after_a_root)
{
    for (int k = 0; k < 2; k++) {
        client c = create(k, 1);
        c.g = reach_level;
        const double levels[] = {0.9, 0.5, -0.5, -0.9};
        for (int i = 0; i < 4; i++) {
            level = levels[i];
            client_call(&c, 3);
            assert_true(is_root(&c) && fabs(c.t - acos(level)) < accurate);
            expect_jroot(&c, 0, -1);
            assert_int_equal(c.iwork[k == 1 ? 35 : 15], client_did.g);
            assert_int_equal(c.iwork[I_RESIDUALS], client_did.res);
        }
        assert_int_equal(client_call(&c, 3), ID_T_OUT);
    }
}

/* y0: height, y1: speed. */
static void flight(const double *t, const double *y, const double *yp, double *delta, int *ires, double *rpar,
                   int *ipar)
{
    delta[0] = yp[0] - y[1];
    delta[1] = yp[1] + 9.81;
    delta[2] = yp[2];
    delta[3] = yp[3];
}

static void bounce_ball(int k)
{
    const double g = 9.81, e = 0.8;
    client c = create(k, 1);
    const double y[CLIENT_N] = {1}, yp[CLIENT_N] = {0, -g};
    double t = sqrt(2 / g), v = g * t;
    c.res = flight;
    memcpy(c.y, y, sizeof y);
    memcpy(c.yp, yp, sizeof yp);
    for (int i = 0; i < 8; i++) {
        client_call(&c, 10);
        if (!is_root(&c)) fail_msg("IDID = %d at T = %g, not at %g", c.idid, c.t, t);
        assert_true(fabs(c.t - t) < 1e-5 && fabs(c.y[1] + v) < accurate);
        expect_jroot(&c, 0, -1);
        v *= e;
        t += 2 * v / g;
        c.y[0] = 0;
        c.yp[0] = c.y[1] *= -e;
        c.info[0] = 0;
    }
}

CLAIM(a_program_bounces_a_ball_by_restarts_at_roots)
{
    for (int k = 0; k < 2; k++) bounce_ball(k);
}

static void no_root_function(const int *neq, const double *t, const double *y, const double *yp, const int *nrt,
                             double *rval, double *rpar, int *ipar)
{
    fail_msg("RT was called with NRT = 0");
}

CLAIM(daskr_without_root_functions_does_not_call_rt)
{
    client c = create(1, 0);
    c.rt = no_root_function;
    assert_int_equal(client_call(&c, 1), ID_T_OUT);
    assert_true(client_error(&c) < accurate && c.iwork[35] == 0);
}
