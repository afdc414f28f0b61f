/* test_budgets.c - no run is endless: budgets of residual calls, steps and wall-clock time hold exactly and everywhere,
 * and a monitor can interrupt and go on with the same bits. */
#include <time.h>

#include "test/fixtures/check_contract.h"
#include "test/fixtures/mechanisms/scripted.h"
#include "test/fixtures/solver_fixture.h"

static const double tol = 1e-6, t_end = 1;

enum { N_MODELS = 3 };
static void (*const open_model[N_MODELS])(scripted_run *, const resida_solver_options *,
                                          double) = {scripted_open, scripted_open_explicit, scripted_open_dae};

static resida_solver_options options(void)
{
    resida_solver_options o = test_solver_options();
    o.jacobian = "dense"; /* a setup is then short, and no call is one of a pattern */
    o.t_stop = t_end;
    return o;
}

static long formalism_calls(const scripted_run *r)
{
    return r->script.calls[ON_RESIDUAL] + r->script.calls[ON_ACCELERATION];
}

/* Start and advance to t_end under the contract, as far as it goes. */
static resida_status run(scripted_run *r)
{
    contract c;
    contract_begin(&c, r->solver);
    resida_status status = scripted_start(r);
    if (status < 0) {
        check_contract(&c, status, CONTRACT_SAME_STATE, NULL);
        return status;
    }
    contract_end(&c);
    contract_begin(&c, r->solver);
    status = resida_solver_advance(r->solver, t_end);
    if (status < 0)
        check_contract(&c, status, CONTRACT_STEPPED, NULL);
    else
        contract_end(&c);
    return status;
}

/* Ends of the internal steps of a run without budgets, and how much it takes. */
typedef struct free_run {
    double t[1000], y[1000][PENDULUM_N];
    long steps, residual_calls;
    unsigned long long digest;
} free_run;

static const free_run *without_budget(int model)
{
    static free_run known[N_MODELS];
    free_run *k = &known[model];
    if (k->steps) return k;
    scripted_run r;
    resida_solver_options o = options();
    open_model[model](&r, &o, tol);
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    resida_status status;
    do {
        resida_state at = test_state(r.solver);
        k->t[k->steps] = at.t;
        memcpy(k->y[k->steps], at.y, (size_t)(r.is_dae ? SCRIPTED_DAE_N : PENDULUM_N) * sizeof *at.y);
        status = resida_solver_step(r.solver, t_end);
        assert_true(++k->steps < 1000);
    } while (status == RESIDA_OK && test_state(r.solver).t < t_end);
    assert_int_equal(status, RESIDA_OK);
    k->residual_calls = formalism_calls(&r);
    k->digest = scripted_digest(&r);
    return k;
}

/* The state is the end of a step of the free run: the one after `steps` steps. */
static void is_accepted_state(const scripted_run *r, const free_run *k, long steps)
{
    resida_state at = test_state(r->solver);
    assert_true(at.t == k->t[steps]);
    for (int i = 0; i < (r->is_dae ? SCRIPTED_DAE_N : PENDULUM_N); i++)
        assert_true(fabs(at.y[i] - k->y[steps][i]) <= 1e-13 * (1 + fabs(at.y[i])));
}

CLAIM(a_budget_of_residual_calls_is_spent_to_the_last_one)
{
    long cases = 0, in_start = 0;
    for (int model = 0; model < N_MODELS; model++) {
        const free_run *k = without_budget(model);
        for (long K = 1; K <= k->residual_calls; K++) {
            scripted_run r;
            resida_solver_options o = options();
            o.max_residuals = K;
            open_model[model](&r, &o, tol);
            resida_status status = run(&r);
            if (status != (K < k->residual_calls ? RESIDA_ERR_LIMIT_RESIDUALS : RESIDA_OK))
                fail_msg("budget of %ld: %s", K, resida_solver_message(r.solver));
            assert_int_equal(formalism_calls(&r), K);
            assert_int_equal(test_stats(r.solver).residual_calls.total, K);
            resida_state at;
            if (resida_solver_state(r.solver, &at) != RESIDA_OK)
                in_start++;
            else if (status < 0)
                is_accepted_state(&r, k, test_stats(r.solver).steps);
            if (status < 0) { /* and nothing more of it is spent */
                assert_true(scripted_start(&r) < 0 || resida_solver_advance(r.solver, t_end) < 0);
                assert_int_equal(formalism_calls(&r), K);
            }
            cases++;
        }
    }
    print_message("budgets of residual calls: %ld cases, all spent exactly, %ld of them in the start\n", cases,
                  in_start);
    assert_true(in_start > 0);
}

CLAIM(a_budget_of_steps_is_spent_to_the_last_one)
{
    for (int model = 0; model < N_MODELS; model++) {
        const free_run *k = without_budget(model);
        for (long S = 1; S <= k->steps; S++) {
            scripted_run r;
            resida_solver_options o = options();
            o.max_steps = S;
            open_model[model](&r, &o, tol);
            assert_int_equal(run(&r), S < k->steps ? RESIDA_ERR_LIMIT_STEPS : RESIDA_OK);
            assert_int_equal(test_stats(r.solver).steps, S);
            if (S < k->steps) {
                is_accepted_state(&r, k, S);
                long calls = formalism_calls(&r);
                assert_int_equal(resida_solver_advance(r.solver, t_end), RESIDA_ERR_LIMIT_STEPS);
                assert_int_equal(formalism_calls(&r), calls);
            }
        }
        print_message("budgets of steps: %ld cases, all spent exactly\n", k->steps);
    }
}

CLAIM(the_budget_of_steps_is_one_over_all_starts)
{
    const free_run *k = without_budget(0);
    scripted_run r;
    resida_solver_options o = options();
    o.max_steps = k->steps + 5;
    scripted_open(&r, &o, tol);
    assert_int_equal(run(&r), RESIDA_OK);
    assert_int_equal(run(&r), RESIDA_ERR_LIMIT_STEPS);
    assert_int_equal(test_stats(r.solver).steps, k->steps + 5);
    is_accepted_state(&r, k, 5);
}

/* The clock of this program, the library in it too: it stands still but for sleep_ms(), so that nothing depends on how
 * busy the machine is. */
static long long now_ns;

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *t)
{
    *t = (struct timespec){now_ns / 1000000000, now_ns % 1000000000};
    return 0;
}

static double now(void)
{
    return 1e-9 * (double)now_ns;
}

static void sleep_ms(long ms)
{
    now_ns += ms * 1000000;
}

static scripted_callback sleeper;
static int never_settles; /* g falls slowly, but Newton's method never gets there */

static int sleeps(scripted *s, scripted_callback which, double t, double *out, int n)
{
    if (which == ON_CONSTRAINT && never_settles) out[0] += 1e-3 * pow(0.7, (double)s->calls[ON_CONSTRAINT]);
    if (which == sleeper) sleep_ms(1);
    return 0;
}

CLAIM(a_time_limit_holds_whatever_callback_is_slow)
{
    const double limit_s = 0.02, late_s = 0.1;
    double worst = 0;
    for (int model = 0; model < N_MODELS; model++)
        for (int w = 0; w < N_CALLBACKS; w++) {
            scripted_run r;
            resida_solver_options o = options();
            o.time_limit_s = limit_s;
            open_model[model](&r, &o, 1e-8);
            sleeper = (scripted_callback)w;
            never_settles = 0;
            assert_int_equal(scripted_start(&r), RESIDA_OK);
            if (w != ON_ACCELERATION_BIAS && w != ON_MASS_MATRIX && r.script.calls[w] > 0) {
                r.script.hook = sleeps;
                contract c;
                contract_begin(&c, r.solver);
                double before = now();
                resida_status status = resida_solver_advance(r.solver, t_end);
                double late = now() - before - limit_s;
                check_contract(&c, status, CONTRACT_STEPPED, NULL);
                assert_int_equal(status, RESIDA_ERR_LIMIT_TIME);
                assert_true(late > 0);
                worst = fmax(worst, late);
            }
        }
    print_message("time limit of %g s in the integration: kept to %.4f s\n", limit_s, worst);
    assert_true(worst < late_s);
}

CLAIM(a_time_limit_holds_in_the_start)
{
    const double limit_s = 0.02, late_s = 0.1;
    static const scripted_callback slow[] = {ON_CONSTRAINT, ON_CONSTRAINT_MATRIX};
    double worst = 0;
    for (int i = 0; i < 2; i++) {
        scripted_run r;
        resida_solver_options o = options();
        o.time_limit_s = limit_s;
        scripted_open(&r, &o, tol);
        r.script.hook = sleeps;
        sleeper = slow[i];
        never_settles = 1;
        contract c;
        contract_begin(&c, r.solver);
        double before = now();
        resida_status status = scripted_start(&r);
        double late = now() - before - limit_s;
        check_contract(&c, status, CONTRACT_SAME_STATE, NULL);
        assert_int_equal(status, RESIDA_ERR_LIMIT_TIME);
        worst = fmax(worst, late);
    }
    print_message("time limit of %g s in the start: kept to %.4f s\n", limit_s, worst);
    assert_true(worst < late_s);
}

CLAIM(a_run_cut_by_time_limits_goes_on_with_the_right_result)
{
    scripted_run r;
    resida_solver_options o = options();
    o.time_limit_s = 0.015;
    scripted_open(&r, &o, tol);
    r.script.hook = sleeps;
    sleeper = ON_RESIDUAL;
    never_settles = 0;
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    int cuts = 0;
    resida_status status;
    while ((status = resida_solver_advance(r.solver, 0.2)) == RESIDA_ERR_LIMIT_TIME && cuts < 1000) cuts++;
    assert_int_equal(status, RESIDA_OK);
    assert_true(cuts > 5);
    assert_true(scripted_error(&r, 0.2) < 100 * tol);
}

static int sleeps_at_times(scripted *s, scripted_callback which, double t, double *out, int n)
{
    if (which == ON_RESIDUAL && s->calls[which] % 10 == 0) sleep_ms(3);
    return 0;
}

/* The formula stays right when a step is broken off and tried again: the error test does not fail more often. */
CLAIM(cuts_within_steps_do_not_spoil_the_formula)
{
    long fails[2];
    int cuts = 0;
    for (int cut = 0; cut < 2; cut++) {
        scripted_run r;
        resida_solver_options o = options();
        o.t_stop = 2;
        if (cut) o.time_limit_s = 0.002;
        scripted_open(&r, &o, 1e-7);
        while (scripted_start(&r) == RESIDA_ERR_LIMIT_TIME) continue;
        if (cut) r.script.hook = sleeps_at_times;
        resida_status status;
        while ((status = resida_solver_advance(r.solver, 2)) == RESIDA_ERR_LIMIT_TIME && cuts < 5000) cuts++;
        assert_int_equal(status, RESIDA_OK);
        assert_true(scripted_error(&r, 2) < 100 * 1e-7);
        fails[cut] = test_stats(r.solver).error_test_fails;
    }
    print_message("run cut %d times within steps: %ld failed error tests, %ld without cuts\n", cuts, fails[1],
                  fails[0]);
    assert_true(cuts > 50);
    assert_true(fails[1] <= fails[0] + 20);
}

/* Stops once, then refuses what lies beyond a wall until a step ends before it. */
typedef struct wall {
    int stops, refuses, refused;
    double from, to; /* a step from here has to end there at last */
} wall;

static int stands_in_the_way(scripted *s, scripted_callback which, double t, double *out, int n)
{
    wall *w = s->hook_user;
    if (which != ON_RESIDUAL) return 0;
    if (w->stops) return -1;
    if (t > w->from && t <= w->to) w->refuses = 0;
    w->refused += w->refuses;
    return w->refuses;
}

/* The step that is tried again is made a little smaller; one that is refused after it, by as much as ever. */
CLAIM(step_sizes_are_controlled_as_usual_after_an_interrupted_step)
{
    scripted_run r;
    wall w = {.stops = 1};
    scripted_open(&r, NULL, 1e-7);
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    assert_int_equal(resida_solver_advance(r.solver, 1), RESIDA_OK);
    r.script.hook = stands_in_the_way;
    r.script.hook_user = &w;
    assert_int_equal(resida_solver_advance(r.solver, 2), RESIDA_ERR_USER);
    resida_state at = test_state(r.solver);
    w = (wall){.refuses = 1, .from = at.t, .to = at.t + 1e-4};
    assert_int_equal(resida_solver_advance(r.solver, 2), RESIDA_OK);
    assert_false(w.refuses);
    print_message("refused %d times\n", w.refused);
    assert_in_range(w.refused, 2, 6);
}

/* --- the monitor -------------------------------------------------------------------------------------------------- */

/* Interrupts at its calls number from..to. */
typedef struct watch {
    long calls, from, to;
    double t_last;
    int went_back;
    int on_retry; /* interrupted between two attempts of one step */
} watch;

static int monitor(double t, void *user)
{
    watch *w = user;
    w->calls++;
    w->went_back |= t < w->t_last;
    int interrupts = w->calls >= w->from && w->calls <= w->to;
    w->on_retry |= w->calls == w->from && w->calls > 1 && t == w->t_last;
    w->t_last = t;
    return interrupts;
}

static void open_watched(scripted_run *r, int model, watch *w)
{
    resida_solver_options o = options();
    o.monitor = monitor;
    o.monitor_user = w;
    open_model[model](r, &o, tol);
    assert_int_equal(scripted_start(r), RESIDA_OK);
}

CLAIM(the_monitor_is_asked_before_every_attempt)
{
    for (int model = 0; model < N_MODELS; model++) {
        watch w = {0};
        scripted_run r;
        open_watched(&r, model, &w);
        assert_int_equal(resida_solver_advance(r.solver, t_end), RESIDA_OK);
        assert_int_equal(w.calls, test_stats(r.solver).step_attempts);
        assert_false(w.went_back);
    }
}

/* Between two attempts of one step IDA forgets how often the error test has failed: the same bits are not promised
 * there, the right result is. */
CLAIM(an_interrupted_run_goes_on_with_the_same_bits)
{
    long same = 0, on_retry = 0;
    for (int model = 0; model < N_MODELS; model++) {
        const free_run *k = without_budget(model);
        for (long call = 1; call <= k->steps; call++)
            for (int times = 1; times <= 7; times += 3) { /* several times at the same place, too */
                watch w = {.from = call, .to = call + times - 1};
                scripted_run r;
                open_watched(&r, model, &w);
                int interruptions = 0;
                resida_status status;
                while ((status = resida_solver_advance(r.solver, t_end)) == RESIDA_INTERRUPTED) {
                    assert_true(resida_solver_message(r.solver)[0] != 0);
                    if (!w.on_retry) is_accepted_state(&r, k, test_stats(r.solver).steps);
                    assert_true(++interruptions <= times);
                }
                assert_int_equal(status, RESIDA_OK);
                assert_int_equal(interruptions, times);
                int equal = scripted_digest(&r) == k->digest && formalism_calls(&r) == k->residual_calls;
                if (!equal && !w.on_retry) fail_msg("interrupted %d times at call %ld: other bits", times, call);
                assert_true(scripted_error(&r, t_end) < 100 * tol);
                same += equal;
                on_retry += w.on_retry;
            }
    }
    print_message("interrupted runs: %ld with the same bits, %ld were interrupted within a step\n", same, on_retry);
    assert_true(same > 3 * on_retry);
}

CLAIM(a_monitor_that_always_interrupts_costs_no_residual)
{
    watch w = {.from = 1, .to = 1000000};
    scripted_run r;
    open_watched(&r, 0, &w);
    long calls = r.script.total;
    for (int i = 0; i < 100; i++) assert_int_equal(resida_solver_advance(r.solver, t_end), RESIDA_INTERRUPTED);
    assert_int_equal(r.script.total, calls);
    assert_true(test_state(r.solver).t == 0);
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    w.to = 0;
    assert_int_equal(resida_solver_advance(r.solver, t_end), RESIDA_OK);
    assert_true(scripted_error(&r, t_end) < 100 * tol);
}
