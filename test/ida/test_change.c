/* test_change.c - resida_solver_change(): what is changed before the first step is as if it had been so from the
 * beginning, bit for bit; within a run the history stays; every other option is refused by its name. */
#include "test/fixtures/check_contract.h"
#include "test/fixtures/claims.h"
#include "test/fixtures/mechanisms/scripted.h"
#include "test/fixtures/mechanisms/small.h"
#include "test/fixtures/solver_fixture.h"

static const double loose = 1e-4, tight = 1e-9, each[PENDULUM_N] = {1e-9, 1e-9, 1e-9, 1e-8, 1e-8, 1e-8, 1e-7, 1e-7};
static const char *const methods[] = {"bdf", "bdf2", "newmark", "hht"};

typedef void edit(resida_solver_options *o);

static void tolerances(resida_solver_options *o)
{
    o->rtol = o->atol = tight;
}

static void tolerances_of_each(resida_solver_options *o)
{
    o->rtol_each = o->atol_each = each;
    o->rtol = o->atol = 1e-6;
}

static void longest_step(resida_solver_options *o)
{
    o->h_max = 2e-3;
}

static void budget(resida_solver_options *o)
{
    o->max_steps = 20;
}

static resida_solver_options options_of(const char *method)
{
    resida_solver_options o = test_solver_options();
    o.method = method;
    if (strcmp(method, "bdf") != 0) o.step = 5e-3;
    o.adaptive = resida_option_fits(resida_option_find("adaptive"), NULL, method);
    if (strcmp(method, "newmark") == 0) o.newmark_gamma = 0.6, o.newmark_beta = 0.3025;
    o.rtol = o.atol = loose;
    return o;
}

/* State and steps at the end of a run whose options are edited: before the creation, or behind the start. */
static unsigned long long edited(const char *method, edit *change, int is_changed)
{
    static double p0[3], v0[3];
    scripted script = {.total = 0};
    resida_mechanism m;
    resida_solver_options o = options_of(method);
    scripted_pendulum(&m, &script, 0);
    if (!is_changed) change(&o);
    resida_solver *solver = test_solver(&m, NULL, &o);
    memcpy(p0, pendulum_p0, sizeof p0), memcpy(v0, pendulum_v0, sizeof v0);
    assert_int_equal(resida_solver_start(solver, 0, p0, v0, NULL, NULL), RESIDA_OK);
    if (is_changed) {
        change(&o);
        assert_int_equal(resida_solver_change(solver, &o), RESIDA_OK);
    }
    (void)resida_solver_advance(solver, 1);
    const resida_state s = test_state(solver);
    const long steps = test_stats(solver).steps;
    unsigned long long hash = fnv(fnv(FNV_BEGIN, s.y, PENDULUM_N * sizeof *s.y), &steps, sizeof steps);
    return hash;
}

CLAIM(a_change_before_the_first_step_is_as_a_creation_with_it)
{
    edit *const edits[] = {tolerances, tolerances_of_each, longest_step, budget};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
            if (edits[i] == longest_step && !options_of(methods[k]).adaptive && strcmp(methods[k], "bdf") != 0)
                continue;
            if (edited(methods[k], edits[i], 0) != edited(methods[k], edits[i], 1)) fail_msg("%s, %zu", methods[k], i);
        }
}

/* Steps from here to t, the first and the longest one. */
typedef struct walk {
    long steps;
    int first_order;
    double first, longest;
} walk;

static walk walk_to(resida_solver *s, double t)
{
    walk w = {.steps = 0};
    while (test_state(s).t < t) {
        if (resida_solver_step(s, t) != RESIDA_OK) fail_msg("%s", resida_solver_message(s));
        const resida_stats now = test_stats(s);
        if (w.steps++ == 0) w.first = now.h, w.first_order = now.order;
        w.longest = fmax(w.longest, now.h);
    }
    return w;
}

/* Change to these options at the end of a step; the first step behind it, and all to t. */
static walk changed_walk(resida_solver *s, const resida_solver_options *o, double t)
{
    const resida_stats before = test_stats(s);
    if (resida_solver_change(s, o) != RESIDA_OK) fail_msg("%s", resida_solver_message(s));
    assert_int_equal(test_stats(s).residual_calls.total, before.residual_calls.total);
    const walk w = walk_to(s, t);
    assert_int_equal(test_stats(s).restarts, 0);
    assert_true(w.first_order >= before.order - 1); /* a start begins with order 1 */
    return w;
}

/* To the end of the first step behind t. */
static void to_end_of_step(resida_solver *s, double t)
{
    while (test_state(s).t < t) assert_int_equal(resida_solver_step(s, 100), RESIDA_OK);
}

CLAIM(tolerances_change_within_a_run_and_the_history_stays)
{
    scripted_run r, whole;
    resida_solver_options o = test_solver_options();
    scripted_open(&r, NULL, 1e-6);
    scripted_open(&whole, NULL, 1e-8);
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    assert_int_equal(scripted_start(&whole), RESIDA_OK);
    to_end_of_step(r.solver, 1);
    to_end_of_step(whole.solver, 1);
    o.rtol = o.atol = 1e-8;
    const walk changed = changed_walk(r.solver, &o, 2), right = walk_to(whole.solver, 2);
    assert_int_equal(test_stats(r.solver).jumps, 0);
    assert_true(changed.first > 0.1 * right.longest); /* a start begins with 1e-4 of these */
    assert_true(5 * changed.steps < 6 * right.steps && 5 * changed.steps > 4 * right.steps);
    to_end_of_step(r.solver, 2.01);
    o.rtol = o.atol = 1e-5; /* and back */
    assert_true(changed_walk(r.solver, &o, 3).steps < right.steps * 3 / 5);
    assert_true(scripted_error(&r, 3) < 1e-3);
}

/* The history is off the constraints by up to a million of the new tolerances. */
CLAIM(tolerances_may_become_a_million_times_smaller_in_each_form)
{
    for (int k = 0; resida_form_at(k); k++) {
        if (strcmp(resida_form_at(k), "ode") == 0) continue;
        scripted script = {.total = 0};
        resida_mechanism m;
        resida_problem_options po = test_problem_options();
        resida_solver_options o = test_solver_options();
        po.form = resida_form_at(k);
        o.rtol = o.atol = 1e-4;
        scripted_pendulum(&m, &script, 0);
        resida_solver *s = test_solver(&m, &po, &o);
        assert_int_equal(resida_solver_start(s, 0, pendulum_p0, pendulum_v0, NULL, NULL), RESIDA_OK);
        assert_int_equal(resida_solver_advance(s, 1), RESIDA_OK);
        o.rtol = o.atol = 1e-10;
        assert_int_equal(resida_solver_change(s, &o), RESIDA_OK);
        if (resida_solver_advance(s, 2) != RESIDA_OK) fail_msg("%s: %s", po.form, resida_solver_message(s));
    }
}

/* Nothing of the past is of use then: a start from the state, which is consistent. */
CLAIM(tolerances_may_become_a_thousand_million_times_smaller)
{
    scripted_run r;
    resida_solver_options o = test_solver_options();
    scripted_open(&r, NULL, 1e-3);
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    to_end_of_step(r.solver, 1);
    o.rtol = o.atol = 1e-12;
    assert_int_equal(resida_solver_change(r.solver, &o), RESIDA_OK);
    assert_int_equal(test_stats(r.solver).restarts, 1);
    if (resida_solver_advance(r.solver, 2) != RESIDA_OK) fail_msg("%s", resida_solver_message(r.solver));
}

CLAIM(no_step_is_longer_than_a_new_h_max_and_the_order_stays)
{
    scripted_run r;
    resida_solver_options o = test_solver_options();
    scripted_open(&r, NULL, 1e-6);
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    to_end_of_step(r.solver, 1);
    const double h = test_stats(r.solver).h;
    o.rtol = o.atol = 1e-6;
    o.h_max = h / 7;
    const walk held = changed_walk(r.solver, &o, test_state(r.solver).t + 3 * h);
    assert_true(held.longest < 1.002 * o.h_max && held.first > 0.9 * o.h_max);
    to_end_of_step(r.solver, 1.2);
    o.h_max = INFINITY;
    assert_true(changed_walk(r.solver, &o, 3).longest > h / 2);
    assert_true(scripted_error(&r, 3) < 1e-4);
}

CLAIM(steps_of_newmark_that_adapt_hold_a_new_h_max_too)
{
    scripted_run r;
    resida_solver_options o = options_of("newmark");
    scripted_open(&r, &o, loose);
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    to_end_of_step(r.solver, 1);
    o.h_max = test_stats(r.solver).h / 7;
    assert_int_equal(resida_solver_change(r.solver, &o), RESIDA_OK);
    assert_true(walk_to(r.solver, 1.1).longest <= o.h_max);
}

CLAIM(a_spent_budget_is_raised_and_the_run_goes_on_with_the_same_bits)
{
    scripted_run r, free_run;
    resida_solver_options o = test_solver_options();
    o.max_steps = 30;
    scripted_open(&r, &o, 1e-6);
    scripted_open(&free_run, NULL, 1e-6);
    o.rtol = o.atol = 1e-6;
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    assert_int_equal(scripted_start(&free_run), RESIDA_OK);
    assert_int_equal(resida_solver_advance(r.solver, 2), RESIDA_ERR_LIMIT_STEPS);
    o.max_steps = 1000000;
    assert_int_equal(resida_solver_change(r.solver, &o), RESIDA_OK);
    assert_int_equal(resida_solver_advance(r.solver, 2), RESIDA_OK);
    assert_int_equal(resida_solver_advance(free_run.solver, 2), RESIDA_OK);
    assert_true(scripted_digest(&r) == scripted_digest(&free_run));
    o.max_residuals = test_stats(r.solver).residual_calls.total + 5;
    assert_int_equal(resida_solver_change(r.solver, &o), RESIDA_OK);
    assert_int_equal(resida_solver_advance(r.solver, 3), RESIDA_ERR_LIMIT_RESIDUALS);
    o.max_residuals = 1000000, o.time_limit_s = 1e-9;
    assert_int_equal(resida_solver_change(r.solver, &o), RESIDA_OK);
    assert_int_equal(resida_solver_advance(r.solver, 3), RESIDA_ERR_LIMIT_TIME);
    o.time_limit_s = INFINITY;
    assert_int_equal(resida_solver_change(r.solver, &o), RESIDA_OK);
    assert_int_equal(resida_solver_advance(r.solver, 3), RESIDA_OK);
    assert_true(scripted_error(&r, 3) < 1e-4);
}

/* --- root functions --- */

static int of_time(double t, const double *y, const double *yp, const resida_excitation *e, double *out, void *user)
{
    out[0] = sin(10 * t);
    return 0;
}

/* Zeros of sin 10 t up to t, with these signs of their slopes. */
static void expect_events(resida_solver *s, double t, int direction)
{
    const double half = acos(-1) / 10;
    for (int k = (int)floor(test_state(s).t / half + 1.001); k * half < t; k++) {
        const int way = k % 2 ? -1 : 1;
        int found = 0;
        if (direction && way != direction) continue;
        assert_int_equal(resida_solver_advance(s, t), RESIDA_EVENT);
        assert_true(fabs(test_state(s).t - k * half) < 1e-9);
        assert_int_equal(resida_solver_event(s, &found), RESIDA_OK);
        assert_int_equal(found, way);
    }
    assert_int_equal(resida_solver_advance(s, t), RESIDA_OK);
}

CLAIM(crossings_of_the_other_direction_are_no_events)
{
    static const int directions[] = {1, -1, 0};
    for (int parts = 0; parts < 2; parts++)
        for (int is_fixed = 0; is_fixed < 2; is_fixed++) {
            resida_dae d = test_dae();
            resida_solver_options o = options_of(is_fixed ? "bdf2" : "bdf");
            d.n = d.n_root = 1;
            d.residual = small_decay;
            d.root = of_time;
            o.event_parts = parts;
            o.h_max = is_fixed ? INFINITY : 0.1; /* a third of the way between two zeros */
            resida_solver *s = test_solver_dae(&d, NULL, &o);
            assert_int_equal(resida_solver_start_dae(s, 0, &(double){1}, &(double){-1}), RESIDA_OK);
            expect_events(s, 2, 0);
            for (int i = 0; i < 3; i++) {
                o.root_directions = &directions[i];
                assert_int_equal(resida_solver_change(s, &o), RESIDA_OK);
                expect_events(s, 4 + 2 * i, directions[i]);
            }
            o.root_directions = NULL;
            assert_int_equal(resida_solver_change(s, &o), RESIDA_OK);
            expect_events(s, 11, 0);
        }
}

/* --- sensitivities --- */

static int decays(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] + *(double *)user * y[0];
    return 0;
}

/* s at t = 1 of y' = -theta y, by theta, of a run that is tight from its creation on, or from behind its start. */
static double sensitivity(int is_changed)
{
    double theta[] = {2, 2 + 1e-6};
    const double dyp0 = -1;
    resida_problem *problem, *moved;
    resida_solver *s;
    resida_dae d = test_dae();
    resida_solver_options o = test_solver_options();
    resida_sensitivity by;
    d.n = 1;
    d.residual = decays;
    d.user = &theta[1];
    moved = test_problem_dae(&d, NULL);
    d.user = &theta[0];
    if (!is_changed) tolerances(&o);
    test_solver_make_dae(&problem, &s, &d, NULL, &o);
    resida_sensitivity_init(&by);
    by.moved = moved, by.delta = theta[1] - theta[0], by.dyp0 = &dyp0;
    assert_int_equal(resida_solver_set_sensitivities(s, 1, &by), RESIDA_OK);
    assert_int_equal(resida_solver_start_dae(s, 0, &(double){1}, &(double){-2}), RESIDA_OK);
    tolerances(&o);
    if (is_changed) assert_int_equal(resida_solver_change(s, &o), RESIDA_OK);
    assert_int_equal(resida_solver_advance(s, 1), RESIDA_OK);
    resida_state state;
    assert_int_equal(resida_solver_sensitivity(s, 0, &state), RESIDA_OK);
    const double out = state.y[0];
    return out;
}

CLAIM(sensitivities_follow_the_tolerances)
{
    const double s = sensitivity(1);
    assert_true(s == sensitivity(0));
    assert_true(fabs(s + exp(-2)) < 1e-6); /* -t e^(-theta t) */
}

/* --- refusals --- */

static void refused(scripted_run *r, const resida_solver_options *o, resida_status right, const char *says)
{
    contract c;
    contract_begin(&c, r->solver);
    const resida_status status = resida_solver_change(r->solver, o);
    check_contract(&c, status, CONTRACT_SAME_STATE, NULL);
    assert_int_equal(status, right);
    if (!strstr(resida_solver_message(r->solver), says)) fail_msg("%s: %s", says, resida_solver_message(r->solver));
}

static int never(double t, void *user)
{
    return 0;
}

CLAIM(a_change_of_a_fixed_option_is_refused_by_name_without_effect)
{
    scripted_run r, same;
    const int up[] = {1, 2};
    scripted_open(&r, NULL, 1e-6);
    scripted_open(&same, NULL, 1e-6);
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    assert_int_equal(scripted_start(&same), RESIDA_OK);
    assert_int_equal(resida_solver_advance(r.solver, 1), RESIDA_OK);
    assert_int_equal(resida_solver_advance(same.solver, 1), RESIDA_OK);
    resida_solver_options o = test_solver_options();
    o.rtol = o.atol = 1e-6;
    const resida_solver_options good = o;
    char method[] = "bdf"; /* equal by its letters */
    o.method = method;
    assert_int_equal(resida_solver_change(r.solver, &o), RESIDA_OK);
    o = good, o.rtol = 1e-9;
#define WITH(member, value, status, says)                                                                              \
    {                                                                                                                  \
        resida_solver_options odd = o;                                                                                 \
        odd.member = value;                                                                                            \
        refused(&r, &odd, status, says);                                                                               \
    }
    WITH(method, "bdf2", RESIDA_ERR_OPTION, "step = 0, must be > 0")
    WITH(jacobian, "dense", RESIDA_ERR_OPTION, "jacobian cannot be changed by this call: create another solver")
    WITH(max_order, 3, RESIDA_ERR_OPTION, "max_order cannot be changed")
    WITH(t_stop, 9, RESIDA_ERR_OPTION, "t_stop cannot be changed")
    WITH(monitor, never, RESIDA_ERR_OPTION, "monitor cannot be changed")
    WITH(atol, -1, RESIDA_ERR_OPTION, "atol = -1, must be")
    WITH(root_directions, up, RESIDA_ERR_OPTION, "root_directions[1] = 2, must be in -1..1")
    WITH(rtol_each, each, RESIDA_ERR_OPTION, "rtol = 1e-09 has no effect here")
    WITH(size, 1, RESIDA_ERR_ARGUMENT, "size")
    assert_int_equal(resida_solver_advance(r.solver, 2), RESIDA_OK);
    assert_int_equal(resida_solver_advance(same.solver, 2), RESIDA_OK);
    assert_true(scripted_digest(&r) == scripted_digest(&same));
}
