/* When IDA may make its step longer: an integration in which IDA alone doubles the step and fails the error test by
 * turns. */
#include "test/fixtures/run_model.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

/* Over some tolerances and both formalisms. */
typedef struct outcome {
    long steps, attempts, fails;
} outcome;

static outcome drive(const char *strategy, int min_order)
{
    static const double rtol[] = {2e-3, 1.1e-3, 6e-4};
    outcome all = {0, 0, 0};
    for (int k = 0; k < 6; k++) {
        run_result r = run_model((run_order){.model = "rear-axle",
                                             .formalism = k % 2 ? RESIDA_FORMALISM_EXPLICIT : RESIDA_FORMALISM_RESIDUAL,
                                             .jacobian = strategy,
                                             .min_order = min_order,
                                             .rtol = rtol[k / 2],
                                             .atol = rtol[k / 2] / 100});
        assert_int_equal(r.status, RESIDA_OK);
        all.steps += r.stats.steps;
        all.attempts += r.stats.step_attempts;
        all.fails += r.stats.error_test_fails;
    }
    print_message("  %-18s %ld steps, %ld attempts, %ld failures of the error test\n", strategy, all.steps,
                  all.attempts, all.fails);
    return all;
}

/* Steps of strategies that do not renew J grow as in DASSL, with whose orders three of ten attempts fail here. */
CLAIM(the_rear_axle_does_not_stumble_on_and_on)
{
    outcome counted = drive("fresh", 2), alone = drive("dense", 1);
    assert_true(counted.fails * 8 < counted.attempts);
    assert_true(alone.fails * 5 > alone.attempts);    /* the drive is one where it matters */
    assert_true(5 * counted.steps < 4 * alone.steps); /* steps do become longer after a wait */
}

/* Steps that a solver takes to t, from a new start. */
static long steps_to(resida_solver *s, const bench *b, double t)
{
    resida_stats before = {.size = sizeof before}, after = {.size = sizeof after};
    before = test_stats(s);
    assert_int_equal(resida_solver_start(s, 0, b->model.p0, b->model.v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(s, t), RESIDA_OK);
    after = test_stats(s);
    return after.steps - before.steps;
}

/* The most steps of the beginning, after integrations that were given up at many times; at first: `first`. */
static long max_again(double rtol, long *first)
{
    enum { ENDS = 20 };
    bench b;
    resida_solver_options o = test_solver_options();
    long most = 0;
    bench_open(&b, "rear-axle", NULL);
    o.rtol = rtol;
    o.atol = rtol / 100;
    o.jacobian = "fresh";
    resida_solver *solver = test_solver(b.m, NULL, &o);
    *first = steps_to(solver, &b, 0.3);
    for (int k = 0; k < ENDS; k++) {
        steps_to(solver, &b, 0.6 + 0.08 * k);
        long again = steps_to(solver, &b, 0.3);
        if (again > most) most = again;
    }
    return most;
}

/* Whenever an integration is given up, in a wait or not, the next one grows its steps from the small ones of its
 * start. */
CLAIM(steps_grow_again_after_a_new_start)
{
    static const double rtol[] = {3e-3, 2e-3, 1.1e-3, 6e-4};
    for (int k = 0; k < 4; k++) {
        long first, most = max_again(rtol[k], &first);
        print_message("  rtol %.1e: %ld steps to t = 0.3 at first, at most %ld later\n", rtol[k], first, most);
        assert_true(most < 2 * first);
    }
}
