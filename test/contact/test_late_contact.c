/* A contact that closes at t = 7 s, in a mechanism whose pattern was found without it: the run finishes, the pattern
 * grows once or twice, and that costs little more than the pattern known from the start. Calls are summed over nearby
 * tolerances: one run is one sample, in which the bounces fall differently. */
#include "test/fixtures/bench_fixture.h"
#include "contact_mechanism.h"
#include "test/fixtures/solver_fixture.h"

enum { N = 15, SAMPLES = 5 };
#define T_END 15.0
/* Errors of single runs scatter by a factor of about 3, so a ratio of means of five by 2, and twice as far now and
 * then. */
#define SCATTER 5

static const char *const strategies[] = {"fresh", "sparse+partitioned"};
enum { N_STRATEGIES = 2 };

/* What to run. */
typedef struct order {
    int with_constraint;
    const char *strategy;
    contact_pattern given;
    int told;   /* the residual says so when the contact closes */
    double tol; /* of the first sample */
} order;

/* Of all samples. */
typedef struct outcome {
    double calls;
    long min_growth, max_growth;
    double error; /* of positions at the end, geometric mean of the samples */
} outcome;

static void run(const order *o, int sample, const double *exact, double *p, outcome *r)
{
    contact c;
    resida_solver_options options = test_solver_options();
    contact_make(&c, N, 7, o->with_constraint);
    resida_mechanism m = contact_mechanism(&c, o->given);
    options.rtol = options.atol = o->tol * pow(10, 0.05 * sample);
    options.jacobian = o->strategy;
    resida_solver *solver = test_solver(&m, NULL, &options);
    assert_int_equal(resida_solver_start(solver, 0, c.p0, c.v0, NULL, NULL), RESIDA_OK);
    if (o->told) c.solver = solver;
    if (resida_solver_advance(solver, T_END) < 0) fail_msg("%s", resida_solver_message(solver));
    assert_true(fabs(c.first_contact - c.t_contact) < 0.1);
    resida_state state = test_state(solver);
    for (int i = 0; i < N; i++) p[i] = state.p[i];
    double error = 0;
    for (int i = 0; exact && i < N; i++) error = fmax(error, fabs(p[i] - exact[i]));
    r->error += log(error);
    resida_stats stats = test_stats(solver);
    r->calls += (double)stats.residual_calls.total;
    r->min_growth = sample == 0 || stats.pattern_updates < r->min_growth ? stats.pattern_updates : r->min_growth;
    r->max_growth = stats.pattern_updates > r->max_growth ? stats.pattern_updates : r->max_growth;
    if (o->given == CONTACT_PATTERN_WITH || stats.pattern_updates > 0)
        assert_true(contact_is_kept(&c, resida_solver_jacobian(solver)));
}

static outcome run_all(order o, const double *exact)
{
    outcome r = {0};
    double p[N];
    for (int k = 0; k < SAMPLES; k++) run(&o, k, exact, p, &r);
    r.error = exp(r.error / SAMPLES);
    return r;
}

/* With an order as with the full pattern: cost, and where the masses are at the end. */
static void compare(order o)
{
    order full = o, tight = {o.with_constraint, "dense", CONTACT_NO_PATTERN, 0, 1e-10};
    double exact[N];
    run(&tight, 0, NULL, exact, &(outcome){0});
    full.given = CONTACT_PATTERN_WITH;
    full.told = 0;
    outcome r = run_all(o, exact), best = run_all(full, exact);
    print_message("  %-18s %s, %-17s %-4s: %5.0f calls of %5.0f, ratio %.3f, grew %ld..%ld times, error %.1e of %.1e\n",
                  o.strategy, o.with_constraint ? "GGL" : "ODE",
                  o.given == CONTACT_NO_PATTERN ? "no pattern" : "pattern lacks it", o.told ? "told" : "", r.calls,
                  best.calls, r.calls / best.calls, r.min_growth, r.max_growth, r.error, best.error);
    assert_int_equal(best.max_growth, 0);
    assert_true(r.min_growth >= 1 && r.max_growth <= 2);
    assert_true(r.calls <= 1.15 * best.calls);
    assert_true(r.error <= SCATTER * best.error);
}

CLAIM(a_late_contact_costs_at_most_15_percent_more_than_the_full_pattern)
{
    for (int s = 0; s < N_STRATEGIES; s++)
        for (int k = 0; k < 2; k++) compare((order){k, strategies[s], CONTACT_NO_PATTERN, 0, 1e-6});
}

CLAIM(a_contact_that_the_residual_requests_costs_at_most_15_percent_more)
{
    for (int s = 0; s < N_STRATEGIES; s++)
        for (int k = 0; k < 2; k++) compare((order){k, strategies[s], CONTACT_NO_PATTERN, 1, 1e-6});
}

CLAIM(a_request_completes_a_given_pattern)
{
    for (int s = 0; s < N_STRATEGIES; s++)
        for (int k = 0; k < 2; k++) compare((order){k, strategies[s], CONTACT_PATTERN_WITHOUT, 1, 1e-6});
}

/* A step: evaluations of dF/dy in it, and residual calls for the pattern. */
static void step(resida_solver *s, long *evaluations, long *pattern_calls)
{
    resida_stats before = test_stats(s);
    if (resida_solver_step(s, 6) < 0) fail_msg("%s", resida_solver_message(s));
    resida_stats after = test_stats(s);
    *evaluations = after.jacobian_evaluations.dense + after.jacobian_evaluations.coloured -
                   before.jacobian_evaluations.dense - before.jacobian_evaluations.coloured;
    *pattern_calls = after.residual_calls.pattern - before.residual_calls.pattern;
}

/* Where nothing else asks for an evaluation: far from the contact, between steps that need none. */
static void request(const char *strategy, resida_request what, long evaluations, long pattern_calls)
{
    contact c;
    resida_solver_options o = test_solver_options();
    long e, calls;
    contact_make(&c, N, 7, 1);
    resida_mechanism m = contact_mechanism(&c, CONTACT_PATTERN_WITH);
    o.jacobian = strategy;
    resida_solver *solver = test_solver(&m, NULL, &o);
    assert_int_equal(resida_solver_start(solver, 0, c.p0, c.v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(solver, 3), RESIDA_OK);
    for (int quiet = 0; quiet < 3;) {
        step(solver, &e, &calls);
        quiet = e == 0 ? quiet + 1 : 0;
    }
    assert_int_equal(resida_solver_request(solver, what), RESIDA_OK);
    assert_int_equal(resida_jacobian_is_requested(resida_solver_jacobian(solver)), 1);
    step(solver, &e, &calls);
    print_message("  %-18s request %d: %ld evaluations, %ld calls for the pattern\n", strategy, (int)what, e, calls);
    assert_int_equal(e, evaluations);
    assert_int_equal(calls, pattern_calls);
    assert_int_equal(resida_jacobian_is_requested(resida_solver_jacobian(solver)), 0);
}

/* The given pattern is not checked again; a walk column by column, over p and v, is one for the pattern. */
CLAIM(a_request_takes_effect_at_the_next_step)
{
    request("fresh", RESIDA_REQUEST_EVALUATION, 1, 0);
    request("fresh", RESIDA_REQUEST_PATTERN, 0, 2 * N);
    request("sparse+partitioned", RESIDA_REQUEST_EVALUATION, 1, 0);
    request("sparse+partitioned", RESIDA_REQUEST_PATTERN, 0, 2 * N);
    request("dense+partitioned", RESIDA_REQUEST_EVALUATION, 1, 0);
    request("dense+partitioned", RESIDA_REQUEST_PATTERN, 1, 0);
}
