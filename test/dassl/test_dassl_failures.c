/* test_dassl_failures.c - calls of ddassl_, ddaspk_, ddasrt_ and ddaskr_ that cannot be served, or end early: each
 * returns the IDID of the prologues, INFO(1) = -1, the last good state and one line on stderr. Nothing ends the
 * process, and no memory is lost when a program leaves by longjmp. */
#include "client.h"
#include "test/fixtures/file_util.h"

static const char *const names[DAS_ROUTINES] = {"DDASSL: ", "DDASPK: ", "DDASRT: ", "DDASKR: "};

static void expect_end(client *c, double t_out, int idid)
{
    client_listen();
    client_call(c, t_out);
    const int lines = client_lines_heard();
    if (c->idid != idid) fail_msg("IDID = %d, not %d: %s", c->idid, idid, client_heard());
    assert_int_equal(c->info[0], -1);
    assert_int_equal(lines, idid == ID_MUCH_WORK ? 0 : 1);
    assert_true(idid == ID_MUCH_WORK || strncmp(client_heard(), names[c->routine], strlen(names[0])) == 0);
}

/* --- illegal input --- */

/** One thing that is illegal. */
typedef struct mistake {
    const char *name;
    int place, value; /* of INFO, 1 .., if place > 0 */
    void (*spoil)(client *c);
    int but_daspk;
} mistake;

static void no_equations(client *c)
{
    c->n = 0;
}
static void short_rwork(client *c)
{
    c->lrw--;
}
static void short_iwork(client *c)
{
    c->liw--;
}
static void negative_rtol(client *c)
{
    c->rtol[0] = -1;
}
static void negative_atol(client *c)
{
    c->atol[0] = -1;
}
static void nan_rtol(client *c)
{
    c->rtol[0] = NAN;
}
static void no_tolerance(client *c)
{
    c->rtol[0] = c->atol[0] = 0;
}
static void zero_weight(client *c)
{
    c->atol[0] = 0;
}
static void at_t_out(client *c)
{
    c->t = 1;
}
static void near_t_out(client *c)
{
    c->t = 1 - 1e-16;
}
static void nan_t(client *c)
{
    c->t = NAN;
}
static void nan_y(client *c)
{
    c->y[1] = NAN;
}
static void zero_h_max(client *c)
{
    c->info[6] = 1, c->rwork[R_H_MAX] = 0;
}
static void zero_h(client *c)
{
    c->info[7] = 1, c->rwork[R_H] = 0;
}
static void backward_h(client *c)
{
    c->info[7] = 1, c->rwork[R_H] = -1;
}
static void order_zero(client *c)
{
    c->info[8] = 1, c->iwork[2] = 0;
}
static void order_six(client *c)
{
    c->info[8] = 1, c->iwork[2] = 6;
}
static void wide_below(client *c)
{
    c->info[5] = 1, client_make_room(c, CLIENT_N, 0);
}
static void wide_above(client *c)
{
    c->info[5] = 1, client_make_room(c, 0, CLIENT_N);
}
static void stop_behind_t(client *c)
{
    c->info[3] = 1, c->rwork[R_T_STOP] = -1;
}
static void stop_before_t_out(client *c)
{
    c->info[3] = 1, c->rwork[R_T_STOP] = 0.5;
}
static void negative_max(client *c)
{
    c->info[11] = 1, c->iwork[20] = -1;
}

static const mistake mistakes[] = {
    {"INFO(2)", 2, 2, NULL, 0},
    {"INFO(6)", 6, -1, NULL, 0},
    {"INFO(11)", 11, 3, NULL, 0},
    {"INFO(1)", 1, 2, NULL, 0},
    {"after a correction", 1, -1, NULL, 0},
    {"NEQ", 0, 0, no_equations, 0},
    {"LRW", 0, 0, short_rwork, 0},
    {"LIW", 0, 0, short_iwork, 0},
    {"RTOL(1)", 0, 0, negative_rtol, 0},
    {"ATOL(1)", 0, 0, negative_atol, 0},
    {"RTOL(1) = nan", 0, 0, nan_rtol, 0},
    {"all 0", 0, 0, no_tolerance, 0},
    {"Y(2) and its ATOL", 0, 0, zero_weight, 0},
    {"TOUT = T", 0, 0, at_t_out, 0},
    {"too close", 0, 0, near_t_out, 0},
    {"T = nan", 0, 0, nan_t, 0},
    {"Y(2) = nan", 0, 0, nan_y, 0},
    {"HMAX", 0, 0, zero_h_max, 0},
    {"H0 = 0", 0, 0, zero_h, 0},
    {"H0 = -1", 0, 0, backward_h, 0},
    {"MAXORD = 0", 0, 0, order_zero, 0},
    {"MAXORD = 6", 0, 0, order_six, 0},
    {"ML", 0, 0, wide_below, 0},
    {"MU", 0, 0, wide_above, 0},
    {"TSTOP = -1", 0, 0, stop_behind_t, 0},
    {"TSTOP = 0.5", 0, 0, stop_before_t_out, 0},
    {"MXSTEP", 0, 0, negative_max, 1},
};

static void refuse(das_routine routine, const mistake *m)
{
    client c = client_create(routine);
    if (m->place > 0) c.info[m->place - 1] = m->value;
    if (m->spoil) m->spoil(&c);
    const client before = c;
    expect_end(&c, 1, ID_ILLEGAL);
    if (!strstr(client_heard(), m->name)) fail_msg("%s: %s", m->name, client_heard());
    assert_memory_equal(&c.t, &before.t, sizeof c.t);
    assert_memory_equal(c.y, before.y, sizeof c.y);
    assert_memory_equal(c.yp, before.yp, sizeof c.yp);
}

CLAIM(illegal_input_is_refused_by_name)
{
    for (int k = 0; k < DAS_ROUTINES; k++)
        for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
            if (!client_is_daspk(k) || !mistakes[i].but_daspk) refuse((das_routine)k, &mistakes[i]);
}

/* INFO(1) = 1 without a first call: DASSL would read what was never written. */
CLAIM(a_call_that_goes_on_from_nothing_begins_where_it_says)
{
    for (int k = 0; k < DAS_ROUTINES; k++) {
        client c = client_create((das_routine)k);
        const int lrw = c.lrw, n = c.n;
        c.info[0] = 1;
        c.lrw = 5;
        expect_end(&c, 1, ID_ILLEGAL);
        c.info[0] = 1;
        c.lrw = lrw;
        c.n = -3;
        expect_end(&c, 1, ID_ILLEGAL);
        c.info[0] = 1;
        c.n = n;
        assert_int_equal(client_call(&c, 1), ID_T_OUT);
        assert_true(client_error(&c) < 1e-5);
    }
}

/* INFO(1) = 1 with the RWORK of another system, and without any: the cause is named, and the right call goes on. */
CLAIM(a_call_that_cannot_go_on_is_refused_by_what_differs)
{
    for (int k = 0; k < DAS_ROUTINES; k++) {
        client c = client_create((das_routine)k);
        assert_int_equal(client_call(&c, 1), ID_T_OUT);
        c.n = CLIENT_N / 2;
        expect_end(&c, 2, ID_ILLEGAL);
        assert_non_null(strstr(client_heard(), "has another NEQ"));
        c.n = CLIENT_N;
        c.info[0] = 1;
        assert_int_equal(client_call(&c, 2), ID_T_OUT);
        assert_true(client_error(&c) < 1e-5);
        c = client_create((das_routine)k);
        c.info[0] = 1;
        memset(c.iwork, 0, (size_t)c.liw * sizeof *c.iwork);
        expect_end(&c, 1, ID_ILLEGAL);
        assert_non_null(strstr(client_heard(), "there is no integration in this RWORK"));
    }
}

CLAIM(options_of_daspk_alone_are_refused_by_name)
{
    static const mistake of_daspk[] = {{"Krylov", 12, 1, NULL, 0},
                                       {"INFO(10)", 10, 4, NULL, 0},
                                       {"INFO(18)", 18, 3, NULL, 0},
                                       {"INFO(19)", 19, 1, NULL, 0}};
    for (int i = 0; i < 4; i++) refuse(DAS_DDASPK, &of_daspk[i]);
    for (int i = 0; i < 3; i++) refuse(DAS_DDASKR, &of_daspk[i]); /* it does not read INFO(19) */
    client c = client_create(DAS_DDASPK);
    c.info[9] = 1;
    c.info[15] = 1;
    client_make_room(&c, 0, 0);
    c.lrw--;
    expect_end(&c, 1, ID_ILLEGAL);
    assert_int_equal(c.iwork[I_LENRW], c.lrw + 1);
    assert_int_equal(c.iwork[I_LENIW], c.liw);
    c.lrw++;
    const int wrong[][3] = {{3, 1, 41}, {-1, 1, 1}, {0, 0, 45}}; /* sign of Y(1), kind of Y(1), what is named */
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < CLIENT_N; i++) c.iwork[40 + i] = 0, c.iwork[44 + i] = 1;
        c.iwork[40] = wrong[k][0];
        c.iwork[44] = wrong[k][1];
        c.info[0] = 0;
        expect_end(&c, 1, ID_ILLEGAL);
    }
}

static void refuse_root(das_routine routine, const char *at_start, const char *count)
{
    client c = client_create(routine);
    c.ng = 1;
    c.res = client_decay;
    client_make_room(&c, 0, 0);
    for (int i = 0; i < CLIENT_N; i++) c.y[i] = c.yp[i] = 0;
    expect_end(&c, 1, ID_ILLEGAL);
    assert_non_null(strstr(client_heard(), at_start));
    c.ng = -1;
    c.info[0] = 0;
    expect_end(&c, 1, ID_ILLEGAL);
    assert_non_null(strstr(client_heard(), count));
}

CLAIM(a_root_that_stays_from_the_start_on_is_refused)
{
    refuse_root(DAS_DDASRT, "a component of G has a root", " NG = -1");
    refuse_root(DAS_DDASKR, "a component of RT has a root", " NRT = -1");
}

/* --- on the way --- */

static void go_wrong_later(das_routine routine)
{
    client c = client_create(routine);
    assert_int_equal(client_call(&c, 1), ID_T_OUT);
    expect_end(&c, 0.5, ID_ILLEGAL); /* back in time */
    assert_true(c.t == 1);
    c.info[0] = 1;
    assert_int_equal(client_call(&c, 2), ID_T_OUT);
    assert_true(client_error(&c) < 1e-5);
}

CLAIM(an_integration_outlives_illegal_input)
{
    for (int k = 0; k < DAS_ROUTINES; k++) go_wrong_later((das_routine)k);
}

static void say_no(das_routine routine)
{
    client c = client_create(routine);
    client_did.refuses = 2;
    assert_int_equal(client_call(&c, 1), ID_T_OUT); /* twice not possible: shorter steps are */
    assert_true(client_error(&c) < 1e-5);
    client_did.refuses = -1;
    expect_end(&c, 100, ID_REFUSED);
    assert_true(c.t >= 1 && client_error(&c) < 1e-5);
    client_did.refuses = 0;
    c.info[0] = 1;
    assert_int_equal(client_call(&c, c.t + 1), ID_T_OUT);
    assert_true(client_error(&c) < 1e-5);
    client_did.stops = 1;
    expect_end(&c, 100, ID_STOPPED);
}

CLAIM(ires_has_the_documented_effects)
{
    for (int k = 0; k < DAS_ROUTINES; k++) say_no((das_routine)k);
}

static void end_by(das_routine routine, das_res *res, int idid, double t_min)
{
    client c = client_create(routine);
    c.res = res;
    for (int i = 0; i < CLIENT_N; i++) c.y[i] = 0, c.yp[i] = 1;
    if (res == client_not_a_number)
        for (int i = 0; i < CLIENT_N; i++) c.y[i] = 1, c.yp[i] = -1;
    for (int i = 1; i < CLIENT_N && res == client_kinked; i++) c.yp[i] = 0;
    do {
        client_listen();
        client_call(&c, 10);
        client_lines_heard();
        if (c.idid == ID_MUCH_WORK) c.info[0] = 1;
    } while (c.idid == ID_MUCH_WORK);
    if (c.idid != idid) fail_msg("IDID = %d, not %d: %s", c.idid, idid, client_heard());
    assert_true(c.info[0] == -1 && c.t >= t_min && c.t <= 1.1);
    for (int i = 0; i < CLIENT_N; i++) assert_true(isfinite(c.y[i]) && isfinite(c.yp[i]));
}

/* Names and indices of a Fortran program, its T, and what it can do. */
CLAIM(messages_name_arguments_of_the_program)
{
    static const struct {
        das_res *res;
        const char *words[3];
    } ends[] = {
        {client_not_a_number, {"RES, component 1 (Y(1)) is NaN or Inf at T = 1.", "", ""}},
        {client_kinked,
         {"largest corrections: Y(1) (", "raise its RTOL and ATOL (INFO(2) = 1)", "set TSTOP and TOUT there"}},
        {client_singular, {"column of Y(", "at T = 0", ""}},
    };
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        end_by(DAS_DDASSL, ends[k].res, ends[k].res == client_singular ? ID_SINGULAR : ID_NEWTON, 0);
        for (int i = 0; i < 3; i++)
            if (!strstr(client_heard(), ends[k].words[i])) fail_msg("%s: %s", ends[k].words[i], client_heard());
        assert_null(strstr(client_heard(), "callback"));
        assert_null(strstr(client_heard(), "y["));
        assert_null(strstr(client_heard(), "kinds"));
        assert_null(strstr(client_heard(), "root function"));
    }
    client c = client_create(DAS_DDASSL);
    assert_int_equal(client_call(&c, -1), ID_T_OUT);
    client_did.stops = 1;
    expect_end(&c, -100, ID_STOPPED);
    assert_non_null(strstr(client_heard(), ": RES has set IRES = -2 at T = -"));
}

CLAIM(nan_singular_matrices_and_solutions_that_end_have_their_idid)
{
    for (int k = 0; k < DAS_ROUTINES; k++) {
        end_by((das_routine)k, client_not_a_number, ID_NEWTON, 0.9);
        end_by((das_routine)k, client_singular, ID_SINGULAR, 0);
        end_by((das_routine)k, client_kinked, ID_NEWTON, 0.45);
    }
}

/* y1 = y0' jumps at T = 1: its error there is the same for every step size, and the corrector has no trouble. */
static void jumping(const double *t, const double *y, const double *yp, double *delta, int *ires, double *rpar,
                    int *ipar)
{
    delta[0] = yp[0] - y[1];
    delta[1] = y[0] - (*t < 1 ? 0 : *t - 1);
    delta[2] = yp[2] - y[3];
    delta[3] = yp[3] + y[2];
}

static void fail_by_error_test(das_routine routine)
{
    for (int each_step = 0; each_step < 2; each_step++) {
        client c = client_create(routine);
        const double y[CLIENT_N] = {0, 0, 1, 0}, yp[CLIENT_N] = {0, 0, 0, -1};
        c.res = jumping;
        c.info[2] = each_step;
        memcpy(c.y, y, sizeof y);
        memcpy(c.yp, yp, sizeof yp);
        do {
            client_listen();
            client_call(&c, 2);
            client_lines_heard();
        } while (c.idid == ID_STEP);
        if (c.idid != ID_ERROR_TEST) fail_msg("IDID = %d: %s", c.idid, client_heard());
        assert_true(fabs(c.t - 1) < 1e-6 && c.iwork[I_STEPS] > 20);
    }
}

CLAIM(an_error_test_that_fails_at_every_step_size_has_its_idid)
{
    for (int k = 0; k < DAS_ROUTINES; k++) fail_by_error_test((das_routine)k);
}

CLAIM(tolerances_that_are_too_tight_are_returned_increased)
{
    for (int k = 0; k < DAS_ROUTINES; k++) {
        client c = client_create((das_routine)k);
        c.rtol[0] = c.atol[0] = 1e-17;
        expect_end(&c, 1, ID_STRINGENT);
        assert_non_null(strstr(client_heard(), "RTOL and ATOL were below the rounding error of Y"));
        assert_true(c.rtol[0] > 5e-15 && c.atol[0] > 5e-15 && c.rtol[0] < 1e-13);
        c.info[0] = 1;
        while (client_call(&c, 1) == ID_MUCH_WORK) c.info[0] = 1;
        assert_int_equal(c.idid, ID_T_OUT);
        assert_true(client_error(&c) < 1e-8);
    }
}

CLAIM(a_component_that_becomes_zero_without_atol_is_reported)
{
    client c = client_create(DAS_DDASSL);
    assert_int_equal(client_call(&c, 1), ID_T_OUT);
    c.y[0] = 0;
    c.atol[0] = 0;
    c.info[0] = 1;
    expect_end(&c, 2, ID_NO_TOLERANCE);
    assert_non_null(strstr(client_heard(), "a component of Y became 0"));
}

/* --- leaving --- */

static jmp_buf outside;
static long until_leap;

static void leap(const double *t, const double *y, const double *yp, double *delta, int *ires, double *rpar, int *ipar)
{
    if (until_leap-- == 0) longjmp(outside, 1);
    client_oscillators(t, y, yp, delta, ires, rpar, ipar);
}

CLAIM(longjmp_out_of_a_residual_leaks_nothing)
{
    for (volatile int i = 0; i < 300; i++) {
        static client c;
        c = client_create((das_routine)(i % DAS_ROUTINES));
        c.res = leap;
        until_leap = i;
        if (setjmp(outside) == 0) {
            client_call(&c, 10);
            fail();
        }
        until_leap = -1;
        client_begin_oscillators(&c);
        c.info[0] = i % 2; /* 1: it goes on from T = 0 */
        assert_int_equal(client_call(&c, 0.1), ID_T_OUT);
        assert_true(client_error(&c) < 1e-5);
    }
}
