/* test_reentry.c - a callback that calls its own solver is refused with RESIDA_ERR_STATE, at call k = 1..300 of every
 * callback, and nothing breaks: the run has the bits of an undisturbed one. Another solver may be called. */
#include "test/fixtures/check_contract.h"
#include "test/fixtures/mechanisms/scripted.h"
#include "test/fixtures/solver_fixture.h"

enum { LAST_CALL = 300 };
static const double tol = 1e-6, t_end = 1;

typedef struct intruder {
    resida_solver *own;
    resida_problem *problem;
    scripted_callback where;
    long at;
    long intrusions;
    resida_status worst; /* RESIDA_ERR_STATE as long as every call was refused so */
    scripted_run *other; /* or NULL */
} intruder;

static void expect_refusal(intruder *x, resida_status status)
{
    if (status != RESIDA_ERR_STATE) x->worst = status;
}

static int intrude(scripted *s, scripted_callback which, double t, double *out, int n)
{
    intruder *x = s->hook_user;
    if (which != x->where || s->calls[which] != x->at) return 0;
    double y[PENDULUM_N], yp[PENDULUM_N];
    int direction[3];
    resida_state state;
    x->intrusions++;
    expect_refusal(x, resida_solver_advance(x->own, t + 1));
    expect_refusal(x, resida_solver_step(x->own, t + 1));
    expect_refusal(x, resida_solver_start(x->own, t, pendulum_p0, pendulum_v0, NULL, NULL));
    expect_refusal(x, resida_solver_start_dae(x->own, t, pendulum_p0, NULL));
    expect_refusal(x, resida_solver_set_stop_time(x->own, t + 1));
    expect_refusal(x, resida_solver_interpolate(x->own, t, y, yp));
    expect_refusal(x, resida_solver_event(x->own, direction));
    expect_refusal(x, resida_solver_state(x->own, &state));
    if (!strstr(resida_solver_message(x->own), "in progress")) x->worst = RESIDA_ERR_INTERNAL;
    if (x->other && resida_solver_step(x->other->solver, 100) < 0) x->worst = RESIDA_ERR_INTERNAL;
    return 0;
}

static void open_model(scripted_run *r, int model)
{
    void (*const open[])(scripted_run *, const resida_solver_options *,
                         double) = {scripted_open, scripted_open_explicit, scripted_open_dae};
    resida_solver_options o = test_solver_options();
    o.t_stop = t_end;
    open[model](r, &o, tol);
}

static unsigned long long finish(scripted_run *r)
{
    assert_int_equal(scripted_start(r), RESIDA_OK);
    assert_int_equal(resida_solver_advance(r->solver, t_end), RESIDA_OK);
    assert_string_equal(resida_solver_message(r->solver), "");
    return scripted_digest(r);
}

CLAIM(a_callback_that_calls_its_solver_is_refused_and_harms_nothing)
{
    long cases = 0;
    for (int model = 0; model < 3; model++) {
        scripted_run clean;
        open_model(&clean, model);
        unsigned long long digest = finish(&clean);
        for (int w = 0; w < N_CALLBACKS; w++)
            for (long k = 1; k <= LAST_CALL && k <= clean.script.calls[w]; k++) {
                scripted_run r;
                open_model(&r, model);
                intruder x = {.own = r.solver, .where = (scripted_callback)w, .at = k, .worst = RESIDA_ERR_STATE};
                r.script.hook = intrude;
                r.script.hook_user = &x;
                unsigned long long disturbed = finish(&r);
                if (x.intrusions != 1 || x.worst != RESIDA_ERR_STATE || disturbed != digest)
                    fail_msg("call %ld of %s: %s, %s bits", k, scripted_name(x.where), resida_status_name(x.worst),
                             disturbed == digest ? "same" : "other");
                cases++;
            }
    }
    print_message("re-entry: %ld cases, 8 calls each, all refused\n", cases);
    assert_true(cases > 1000);
}

CLAIM(a_callback_may_use_another_solver)
{
    scripted_run r, other;
    open_model(&r, 0);
    unsigned long long digest = finish(&r);
    open_model(&r, 0);
    scripted_open_dae(&other, NULL, tol);
    assert_int_equal(scripted_start(&other), RESIDA_OK);
    intruder x = {.own = r.solver, .where = ON_RESIDUAL, .at = 50, .worst = RESIDA_ERR_STATE, .other = &other};
    r.script.hook = intrude;
    r.script.hook_user = &x;
    assert_true(finish(&r) == digest);
    assert_int_equal(x.worst, RESIDA_ERR_STATE);
}

static int call_from_monitor(double t, void *user)
{
    intruder *x = user;
    resida_state state;
    x->intrusions++;
    expect_refusal(x, resida_solver_advance(x->own, t + 1));
    expect_refusal(x, resida_solver_state(x->own, &state));
    return 0;
}

CLAIM(a_monitor_that_calls_its_solver_is_refused)
{
    scripted_run r;
    intruder x = {.worst = RESIDA_ERR_STATE};
    resida_solver_options o = test_solver_options();
    o.monitor = call_from_monitor;
    o.monitor_user = &x;
    scripted_open(&r, &o, tol);
    x.own = r.solver;
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    assert_int_equal(resida_solver_advance(r.solver, t_end), RESIDA_OK);
    assert_true(x.intrusions > 10);
    assert_int_equal(x.worst, RESIDA_ERR_STATE);
    assert_true(scripted_error(&r, t_end) < 100 * tol);
}

static int is_called_after_all;

static int counts(scripted *s, scripted_callback which, double t, double *out, int n)
{
    is_called_after_all++;
    return 0;
}

CLAIM(evaluations_by_the_user_are_not_counted_for_the_solver)
{
    scripted_run r;
    resida_solver_options o = test_solver_options();
    double residual[PENDULUM_N];
    o.max_residuals = 30;
    scripted_open(&r, &o, tol);
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    assert_int_equal(resida_solver_advance(r.solver, t_end), RESIDA_ERR_LIMIT_RESIDUALS);
    r.script.hook = counts;
    is_called_after_all = 0;
    resida_state at = test_state(r.solver);
    assert_int_equal(resida_problem_residual(at.t, at.y, at.yp, residual, r.problem), 0);
    assert_true(is_called_after_all > 0);
    for (int i = 0; i < 3; i++) assert_true(fabs(residual[i]) < 1e-3);
    assert_int_equal(test_stats(r.solver).residual_calls.total, 30);
}

static jmp_buf outside;

static int leaps(scripted *s, scripted_callback which, double t, double *out, int n)
{
    if (which == ON_RESIDUAL && s->calls[which] == 50) longjmp(outside, 1);
    return 0;
}

/* It can be freed alone, and says why. */
CLAIM(a_solver_that_was_left_by_longjmp_says_so)
{
    scripted_run r;
    open_model(&r, 0);
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    r.script.hook = leaps;
    if (setjmp(outside) == 0) {
        (void)resida_solver_advance(r.solver, t_end);
        fail_msg("%s", "the residual has not left");
    }
    assert_int_equal(resida_solver_advance(r.solver, t_end), RESIDA_ERR_STATE);
    assert_non_null(strstr(resida_solver_message(r.solver), "longjmp"));
}
