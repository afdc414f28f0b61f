/* test_dassl_start.c - starts that are found, INFO(11): what is counted of them, what is said where there is none, and
 * what goes on behind IDID = 4. */
#include "client.h"
#include "test/fixtures/file_util.h"

static void expect_failure(client *c, int idid)
{
    client_listen();
    client_call(c, 1);
    assert_int_equal(client_lines_heard(), 1);
    if (c->idid != idid) fail_msg("IDID = %d, not %d: %s", c->idid, idid, client_heard());
    assert_int_equal(c->info[0], -1);
}

/* y1 = y0^2 is 4 at the start; DASPK may move it. */
static client algebraic(das_routine routine, double y1)
{
    client c = client_create(routine);
    const double y[CLIENT_N] = {2, y1, 0, 0};
    c.res = client_algebraic;
    c.info[10] = 1;
    client_make_room(&c, 0, 0);
    memcpy(c.y, y, sizeof y);
    memset(c.yp, 0, sizeof c.yp);
    for (int i = 0; i < CLIENT_N && client_is_daspk((int)routine); i++) c.iwork[40 + i] = i == 1 ? -1 : 1;
    return c;
}

CLAIM(a_missing_consistent_start_is_reported)
{
    for (int k = 0; k < DAS_ROUTINES; k++) {
        client c = client_create((das_routine)k);
        c.res = client_singular;
        c.info[10] = 1;
        client_make_room(&c, 0, 0);
        for (int i = 0; i < CLIENT_N && client_is_daspk(k); i++) c.iwork[40 + i] = 1;
        expect_failure(&c, ID_NO_START);
    }
}

CLAIM(a_start_with_wrong_signs_is_reported)
{
    for (int sign = 0; sign >= -2; sign--) {
        client c = client_create(DAS_DDASPK);
        c.res = client_algebraic;
        c.info[9] = c.info[10] = 1;
        client_make_room(&c, 0, 0);
        for (int i = 0; i < CLIENT_N; i++) c.iwork[40 + i] = 0, c.iwork[44 + i] = i == 1 ? -1 : 1;
        for (int i = 2; i < CLIENT_N; i++) c.y[i] = c.yp[i] = 0;
        c.y[1] = -3; /* it is 1 that fits */
        c.iwork[41] = sign;
        if (sign < 0)
            expect_failure(&c, ID_NO_START);
        else
            assert_int_equal(client_call(&c, 1), ID_T_OUT);
    }
}

/* Near the start that fits, but not at it: the message has both numbers, in words of the routine that was called. */
CLAIM(a_start_that_would_change_fixed_components_is_reported)
{
    for (int k = 0; k < DAS_ROUTINES; k++) {
        client c = algebraic((das_routine)k, 4 + 1e-5);
        for (int i = 0; i < CLIENT_N && client_is_daspk(k); i++) c.iwork[40 + i] = 1;
        expect_failure(&c, ID_NO_START);
        if (!strstr(client_heard(), "Y(2), which INFO(11) = 1 keeps, from 4.00001 to 4: give a consistent Y"))
            fail_msg("%s", client_heard());
        assert_null(strstr(client_heard(), "y0"));
        assert_int_equal(c.iwork[I_RESIDUALS], client_did.res);
        assert_int_equal(c.iwork[I_STEPS], 0);
        assert_true(c.y[1] == 4 + 1e-5 && client_did.res > 0);
    }
}

/* Without INFO(11): the row and the component of a start that does not fit are those of the program. */
CLAIM(a_start_that_does_not_fit_is_told_by_rows_of_the_program)
{
    client c = algebraic(DAS_DDASSL, 9);
    c.info[10] = 0;
    c.yp[0] = -2;
    expect_failure(&c, ID_ERROR_TEST);
    if (!strstr(client_heard(), "Y and YPRIME are not consistent: DELTA(2) = 5 at T = 0"))
        fail_msg("%s", client_heard());
    assert_null(strstr(client_heard(), "F["));
}

CLAIM(calls_of_a_start_are_counted)
{
    for (int has_jac = 0; has_jac < 2; has_jac++) {
        client c = client_create(DAS_DDASPK);
        c.info[4] = has_jac;
        c.info[10] = c.info[13] = 1;
        client_make_room(&c, 0, 0);
        for (int i = 0; i < CLIENT_N; i++) c.yp[i] = 0, c.iwork[40 + i] = 1;
        assert_int_equal(client_call(&c, 1), ID_STARTED);
        assert_true(c.iwork[I_RESIDUALS] > 0 && (c.iwork[I_JACOBIANS] > 0) == has_jac);
        assert_int_equal(c.iwork[I_RESIDUALS], client_did.res);
        assert_int_equal(c.iwork[I_JACOBIANS], client_did.jac);
        assert_true(c.iwork[I_STEPS] == 0 && c.iwork[I_ERROR_FAILS] == 0 && c.iwork[I_NEWTON_FAILS] == 0);
    }
}

/* By its text the next call has INFO(1) = 0; with 1 it does the same, and nothing is said of an integration before. */
CLAIM(a_call_after_a_start_alone_begins_with_either_info_1)
{
    double y[2];
    for (int k = 0; k < 2; k++) {
        client c = algebraic(DAS_DDASPK, 3);
        c.info[13] = 1;
        assert_int_equal(client_call(&c, 1), ID_STARTED);
        assert_int_equal(c.info[0], 0);
        c.info[0] = k;
        c.info[10] = c.info[13] = 0;
        client_listen();
        client_call(&c, 1);
        assert_int_equal(client_lines_heard(), 0);
        assert_int_equal(c.idid, ID_T_OUT);
        y[k] = c.y[1];
    }
    assert_true(fabs(y[0] - 4 * exp(-2)) < 1e-5 && y[1] == y[0]);
}

/* Y(1) < 0 at the start is not put to zero: it is what was given. */
CLAIM(a_negative_start_is_returned_unchanged)
{
    for (int k = 0; k < DAS_ROUTINES; k++) {
        client c = client_create((das_routine)k);
        c.info[9] = client_is_daspk(k) ? 2 : 1;
        c.y[0] = -1;
        expect_failure(&c, ID_NEWTON);
        assert_true(c.t == 0 && c.y[0] == -1);
    }
}
