/* test_sensitivity_turns.c - derivatives where something else happens: a callback fails once and the run goes on, what
 * was set is taken back, starts are far from consistent. */
#include "sensitivity_fixture.h"
#include "test/fixtures/solver_fixture.h"

#define DELTA 1e-7

/* --- y' = -theta y, 0 = z^3 + z - 2 theta y: y = exp(-theta t) --- */

enum { N = 2, FOREVER = 1 << 30, GIVES_NAN = 2 };

typedef struct decay {
    double theta;
    int calls, fails_at, verdict; /* from one call on, for so many */
    int times;
} decay;

static int residual(double t, const double *y, const double *yp, const resida_excitation *x, double *r, void *user)
{
    decay *d = user;
    d->calls++;
    const int fails = d->calls >= d->fails_at && d->calls < d->fails_at + d->times;
    if (fails && d->verdict != GIVES_NAN) return d->verdict;
    r[0] = yp[0] + d->theta * y[0];
    r[1] = fails ? NAN : y[1] * y[1] * y[1] + y[1] - 2 * d->theta * y[0];
    return 0;
}

typedef struct world {
    decay own, moved;
    resida_problem *q;
    resida_sensitivity by;
    resida_solver *s;
} world;

static void open_world(world *w, double theta)
{
    resida_solver_options o = test_solver_options();
    resida_sensitivity_init(&w->by);
    o.rtol = o.atol = 1e-8;
    w->own = (decay){.theta = theta, .fails_at = FOREVER};
    w->moved = (decay){.theta = theta + DELTA, .fails_at = FOREVER};
    w->by.delta = w->moved.theta - theta;
    w->q = dae_of(N, residual, &w->own);
    w->by.moved = dae_of(N, residual, &w->moved);
    w->s = test_solver_of(w->q, &o);
    assert_int_equal(resida_solver_set_sensitivities(w->s, 1, &w->by), RESIDA_OK);
}

static void expect_decay(const world *w, double t, double most)
{
    resida_state d, at;
    at = test_state(w->s);
    assert_int_equal(resida_solver_sensitivity(w->s, 0, &d), RESIDA_OK);
    const double theta = w->own.theta, y = exp(-theta * t), z = at.y[1], dy = -t * y;
    const double dz = 2 * (y + theta * dy) / (3 * z * z + 1);
    if (!(fabs(d.y[0] - dy) < most && fabs(d.y[1] - dz) < most))
        fail_msg("t = %g: %.9g, %.9g, not %.9g, %.9g", t, d.y[0], d.y[1], dy, dz);
}

/* The moved F, or F, says no in the middle of a step of theirs; the next call goes on from there. */
CLAIM(a_run_continues_after_a_failure_of_its_sensitivities)
{
    const double y0[N] = {1, 1}, yp0[N] = {-1, -0.5};
    int failed = 0;
    for (int of_moved = 0; of_moved < 2; of_moved++)
        for (int call = 20; call < 120; call++) {
            world w;
            open_world(&w, 1);
            assert_int_equal(resida_solver_start_dae(w.s, 0, y0, yp0), RESIDA_OK);
            decay *d = of_moved ? &w.moved : &w.own;
            d->fails_at = call;
            d->verdict = -1;
            d->times = 1;
            resida_status status = resida_solver_advance(w.s, 1);
            failed += status < 0;
            for (int i = 0; status < 0 && i < 2; i++) status = resida_solver_advance(w.s, 1);
            if (status != RESIDA_OK) fail_msg("call %d: %s", call, resida_solver_message(w.s));
            expect_decay(&w, 1, 1e-6);
        }
    assert_true(failed > 50);
}

CLAIM(what_the_moved_model_refuses_is_named)
{
    const double y0[N] = {1, 1}, yp0[N] = {-1, -0.5};
    for (int verdict = 1; verdict <= GIVES_NAN; verdict++) {
        world w;
        open_world(&w, 1);
        assert_int_equal(resida_solver_start_dae(w.s, 0, y0, yp0), RESIDA_OK);
        w.moved.fails_at = 30;
        w.moved.verdict = verdict;
        w.moved.times = FOREVER;
        const resida_status status = resida_solver_advance(w.s, 1);
        assert_int_equal(status, verdict == GIVES_NAN ? RESIDA_ERR_NONFINITE : RESIDA_ERR_USER_REPEATED);
        const char *words = verdict == GIVES_NAN
                                ? "by parameter 0: callback residual, component 1 (y[1]) is NaN or Inf near the end"
                                : "by parameter 0: callback residual cannot be evaluated near the end";
        if (!strstr(resida_solver_message(w.s), words)) fail_msg("%s", resida_solver_message(w.s));
    }
}

CLAIM(algebraic_starts_are_found_for_both)
{
    const double y0[N] = {1, 0.2}; /* z is 1 */
    for (int given = 0; given < 2; given++) {
        world w;
        open_world(&w, 1);
        const resida_status status = resida_solver_start_dae(w.s, 0, y0, NULL);
        if (status < 0) fail_msg("%s", resida_solver_message(w.s));
        expect_decay(&w, 0, 1e-5);
        assert_int_equal(resida_solver_advance(w.s, 1), RESIDA_OK);
        expect_decay(&w, 1, 1e-5);
    }
}

/* --- What was set is taken back --- */

static void make_model(decay *d, resida_model *m, const double *y0)
{
    *m = (resida_model){.size = sizeof *m, .is_dae = 1, .t_end = 1, .user = d, .y0 = y0};
    resida_dae_init(&m->dae);
    m->dae.n = N;
    m->dae.user = d;
    m->dae.residual = residual;
}

CLAIM(moved_models_are_of_the_sensitivities_that_are_set)
{
    const double y0[N] = {1, 1};
    for (int n = 0; n < 2; n++) {
        world w;
        resida_model own, moved;
        const resida_model *const models[1] = {&moved};
        resida_state d;
        open_world(&w, 1);
        make_model(&w.own, &own, y0);
        make_model(&w.moved, &moved, y0);
        resida_run *run = test_model_run(&own, w.s);
        assert_int_equal(resida_run_set_moved(run, 1, models), RESIDA_OK);
        assert_int_equal(resida_solver_set_sensitivities(w.s, n, &w.by), RESIDA_OK);
        assert_int_equal(resida_run_start(run, NULL, NULL), n > 0 ? RESIDA_ERR_STATE : RESIDA_OK);
        if (n > 0) {
            assert_non_null(strstr(resida_solver_message(w.s), "set again: call resida_run_set_moved()"));
            assert_int_equal(resida_run_set_moved(run, 1, models), RESIDA_OK);
            assert_int_equal(resida_run_start(run, NULL, NULL), RESIDA_OK);
        }
        assert_int_equal(resida_run_advance(run, 1), RESIDA_OK);
        if (n > 0)
            expect_decay(&w, 1, 1e-6);
        else
            assert_int_equal(resida_solver_sensitivity(w.s, 0, &d), RESIDA_ERR_ARGUMENT);
    }
}
