/* When IDA may make its step longer: who counts, and an integration in which IDA alone doubles the step and fails the
 * error test by turns. */
#include "src/core/ida/ida_impl.h"

#include "test/fixtures/run_model.h"

#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

#include <math.h>

#define H 0.1

/* Attempts, by the steps that they belong to. */
typedef struct course {
    rsd_growth g;
    double t;
    int sign; /* of h */
} course;

static course begin(int sign)
{
    course c = {.t = 5, .sign = sign};
    rsd_growth_reset(&c.g, NULL);
    return c;
}

/* An attempt where the last one began, or where that led to. */
static void attempt(course *c, int converges)
{
    rsd_growth_begin(&c->g, NULL, c->t, c->sign * H);
    rsd_growth_end(&c->g, converges);
}

/* So many steps, at their first attempt. */
static void go(course *c, int steps)
{
    for (int k = 0; k < steps; k++) {
        attempt(c, 1);
        c->t += c->sign * H;
    }
}

/* A step whose first attempt converges and fails its error test; it ends at the second one. */
static void stumble(course *c)
{
    attempt(c, 1);
    attempt(c, 1);
    c->t += c->sign * H;
}

/* How many steps there are from now on without growth. */
static int wait_of(const course *now)
{
    course c = *now;
    int steps = 0;
    while (c.g.left > 0 && steps < 1000) {
        go(&c, 1);
        steps++;
    }
    return steps;
}

CLAIM(a_failure_now_and_then_never_waits)
{
    for (int apart = 3; apart < 20; apart++) {
        course c = begin(1);
        for (int k = 0; k < 30; k++) {
            stumble(&c);
            assert_int_equal(c.g.left, 0);
            go(&c, apart - 1);
        }
    }
}

/* The third one that comes soon after the one before, and twice as long each time, 64 steps at the most. */
CLAIM(failures_again_and_again_wait_4_8_16_up_to_64_steps)
{
    static const int waits[] = {0, 0, 0, 4, 8, 16, 32, 64, 64, 64};
    for (int sign = -1; sign <= 1; sign += 2)
        for (int late = 0; late <= 1; late++) {
            course c = begin(sign);
            for (int k = 0; k < 10; k++) {
                stumble(&c);
                assert_int_equal(wait_of(&c), waits[k]);
                go(&c, waits[k] + late); /* the next failure is in the first step with growth, or in the second */
            }
        }
}

CLAIM(a_step_that_fails_twice_counts_twice)
{
    course c = begin(1);
    attempt(&c, 1);
    for (int k = 0; k < 3; k++) {
        attempt(&c, 1);
        assert_int_equal(wait_of(&c), 0);
    }
    attempt(&c, 1);
    assert_int_equal(c.g.left, 4);
}

/* The step was cut because the iteration failed: that says nothing of the error. */
CLAIM(iterations_that_fail_are_not_counted)
{
    course c = begin(1);
    for (int k = 0; k < 20; k++) {
        attempt(&c, 0);
        attempt(&c, 0);
        attempt(&c, 1);
        c.t += H;
        assert_int_equal(c.g.left, 0);
    }
}

static void wait_64_steps(course *c)
{
    for (int k = 0; k < 8; k++) {
        stumble(c);
        go(c, wait_of(c));
    }
    assert_int_equal(c->g.wait, 64);
}

CLAIM(a_quiet_time_after_the_wait_begins_the_count_anew)
{
    static const int waits[] = {0, 0, 0, 4};
    for (int quiet = 0; quiet < 200; quiet = 2 * quiet + 1) {
        course c = begin(1);
        wait_64_steps(&c);
        go(&c, quiet);
        for (int k = 0; k < 4; k++) {
            stumble(&c);
            assert_int_equal(wait_of(&c), quiet < 2 ? 64 : waits[k]);
            go(&c, wait_of(&c));
        }
    }
}

CLAIM(a_new_start_forgets)
{
    course c = begin(1);
    wait_64_steps(&c);
    stumble(&c);
    assert_int_equal(c.g.left, 64);
    rsd_growth_reset(&c.g, NULL);
    assert_int_equal(c.g.left, 0);
    go(&c, 1); /* from where the last attempt began: not a failure */
    assert_int_equal(c.g.in_a_row, 0);
    for (int k = 0; k < 3; k++) {
        stumble(&c);
        assert_int_equal(c.g.left, 0);
    }
    stumble(&c);
    assert_int_equal(c.g.left, 4);
}

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
        run_free(&r);
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
    assert_int_equal(resida_solver_stats(s, &before), RESIDA_OK);
    assert_int_equal(resida_solver_start(s, 0, b->model.p0, b->model.v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(s, t), RESIDA_OK);
    assert_int_equal(resida_solver_stats(s, &after), RESIDA_OK);
    return after.steps - before.steps;
}

/* The most steps of the beginning, after integrations that were given up at many times; at first: `first`. */
static long most_again(double rtol, long *first)
{
    enum { ENDS = 20 };
    bench b;
    resida_problem *problem;
    resida_solver *solver;
    resida_solver_options o = test_solver_options();
    long most = 0;
    bench_open(&b, "rear-axle", NULL);
    o.rtol = rtol;
    o.atol = rtol / 100;
    o.jacobian = "fresh";
    test_solver_make(&problem, &solver, b.m, NULL, &o);
    *first = steps_to(solver, &b, 0.3);
    for (int k = 0; k < ENDS; k++) {
        steps_to(solver, &b, 0.6 + 0.08 * k);
        long again = steps_to(solver, &b, 0.3);
        if (again > most) most = again;
    }
    test_solver_free(solver, problem);
    bench_close(&b);
    return most;
}

/* Whenever an integration is given up, in a wait or not, the next one grows its steps from the small ones of its
 * start. */
CLAIM(steps_grow_again_after_a_new_start)
{
    static const double rtol[] = {3e-3, 2e-3, 1.1e-3, 6e-4};
    for (int k = 0; k < 4; k++) {
        long first, most = most_again(rtol[k], &first);
        print_message("  rtol %.1e: %ld steps to t = 0.3 at first, at most %ld later\n", rtol[k], first, most);
        assert_true(most < 2 * first);
    }
}
