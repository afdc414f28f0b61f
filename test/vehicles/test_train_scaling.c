/* test_train_scaling.c - a train of K carriages costs K times what one costs: entries and bytes by count, and nothing
 * that is counted in calls grows with K: those of the start, the groups of columns, the search for entries that are
 * missing. */
#include "benchmarks/models/vehicles/train/train_model.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/rationed.h"
#include "test/fixtures/solver_fixture.h"

typedef struct journey {
    resida_model model;
    resida_problem *problem;
    resida_solver *solver;
} journey;

static void start(journey *x, int carriages)
{
    resida_message why = {""};
    resida_problem_options po = test_problem_options();
    resida_solver_options o = test_solver_options();
    const resida_allocator measured = measured_memory();
    const char *const name = "carriages";
    if (resida_model_create(&bench_train.cls, 1, &name, &(double){carriages}, &x->model, &why) < 0)
        fail_msg("%s", why.text);
    po.allocator = &measured;
    o.rtol = x->model.rtol, o.atol = x->model.atol;
    test_solver_make(&x->problem, &x->solver, &x->model.mechanism, &po, &o);
    assert_int_equal(resida_solver_start(x->solver, 0, x->model.p0, x->model.v0, NULL, NULL), RESIDA_OK);
}

static void end(journey *x)
{
    test_solver_free(x->solver, x->problem);
    assert_true(memory_in_use == 0);
    resida_model_destroy(&bench_train.cls, &x->model);
}

CLAIM(a_start_takes_as_many_calls_for_32_carriages_as_for_one)
{
    long known[5] = {0};
    for (int carriages = 1; carriages <= 32; carriages *= 2) {
        journey x;
        start(&x, carriages);
        const resida_callback_calls calls = test_stats(x.solver).callback_calls;
        const long now[5] = {calls.residual_lam, calls.constraint, calls.constraint_matrix, calls.velocity_bias,
                             calls.excitation};
        print_message("%2d carriages: %ld of the formalism, %ld of g, %ld of G\n", carriages, now[0], now[1], now[2]);
        for (int i = 0; i < 5; i++) {
            assert_true(now[i] > 0);
            if (carriages > 1) assert_true(now[i] <= known[i] + 2); /* a pass more, for rounding */
        }
        if (carriages == 1) memcpy(known, now, sizeof known);
        end(&x);
    }
}

/* An evaluation of J takes the groups, the first one some once more, as stiff contacts may be jumps; and entries are
 * those of each carriage and of its coupling. */
CLAIM(groups_are_bounded_and_entries_are_those_of_the_carriages)
{
    resida_stats before = {0}, first = {0};
    for (int carriages = 4; carriages <= 32; carriages *= 2) {
        journey x;
        start(&x, carriages);
        assert_true(resida_solver_step(x.solver, 1) >= 0);
        const resida_stats now = test_stats(x.solver);
        assert_int_equal(now.n, 98 * carriages);
        const long found = now.residual_calls.jacobian + now.residual_calls.pattern;
        if (carriages == 4) first = now;
        assert_true(2 * found <= 3 * now.groups);
        assert_int_equal(found, first.residual_calls.jacobian + first.residual_calls.pattern);
        assert_int_equal(now.groups, first.groups);
        const long each = 2 * (now.nnz - before.nnz) / carriages; /* of those that were added */
        print_message("%2d carriages: %d groups, %ld entries, %ld for each one more\n", carriages, now.groups, now.nnz,
                      carriages > 4 ? each : 0);
        if (carriages > 4) assert_int_equal(2 * (now.nnz - before.nnz), each * carriages);
        if (carriages == 8) first.nnz = each;
        if (carriages > 8) assert_int_equal(each, first.nnz);
        before = now;
        end(&x);
    }
}

CLAIM(memory_grows_with_the_number_of_carriages)
{
    double each = 0;
    for (int carriages = 4; carriages <= 64; carriages *= 2) {
        journey x;
        start(&x, carriages);
        for (int i = 0; i < 3; i++) assert_true(resida_solver_step(x.solver, 1) >= 0);
        const double now = (double)max_memory_in_use / carriages;
        print_message("%2d carriages: %.0f bytes for each\n", carriages, now);
        if (carriages == 4) each = now;
        assert_true(now < 1.1 * each);
        end(&x);
    }
}

/* In the first curve much of J changes at once, and columns that were left out explain little. That is no reason to
 * search all columns of the train for entries that the model's pattern might lack. */
CLAIM(columns_that_have_changed_are_not_taken_for_missing_entries)
{
    journey x;
    start(&x, 2);
    assert_true(resida_solver_advance(x.solver, 13) >= 0);
    const resida_stats s = test_stats(x.solver);
    print_message("%ld evaluations, %ld of them in part; %ld calls for the pattern\n", s.jacobian_evaluations.coloured,
                  s.jacobian_evaluations.partial, s.residual_calls.pattern);
    assert_true(s.jacobian_evaluations.partial > 0);
    assert_true(s.residual_calls.pattern > 0); /* it was checked */
    assert_true(s.residual_calls.pattern <= s.jacobian_evaluations.coloured);
    assert_int_equal(s.pattern_updates, 0);
    end(&x);
}
