/* test_min_order.c - the order of the BDF stays at 2 or above, and what it is good for. Two rods with
 * a stiff bushing as elbow move as smoothly as with a joint; at order 1 each growth of the step fails. */
#include "src/core/ida/ida_impl.h"
#include "src/core/solver/solver_impl.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

enum { START = 10 }; /* attempts in which the order may be 1 */

typedef struct rods {
    double k, c;
    int root; /* the first rod hangs on a bushing, too */
} rods;

typedef struct run {
    resida_status status;
    resida_stats stats;
    int least; /* order behind the first START steps */
    double error;
    char message[RESIDA_MESSAGE_SIZE];
} run;

static int note_order(const resida_step *step, void *user)
{
    run *r = user;
    if (++r->stats.n > 2 * START && step->order < r->least) r->least = step->order;
    return 0;
}

static run fall(rods what, double tolerance, const char *strategy, int min_order)
{
    const bench_setting settings[] = {{"k", what.k}, {"c", what.c}, {"root", what.root}, {NULL, 0}};
    run r = {.least = 9};
    resida_solver_options o = test_solver_options();
    double p[6];
    bench *b = bench_make("bushing-pendulum", settings);
    assert_int_equal(o.min_order, 2);
    o.rtol = o.atol = tolerance, o.jacobian = strategy, o.min_order = min_order, o.max_steps = 5000;
    o.accepted = note_order, o.accepted_user = &r;
    resida_solver *solver = test_solver(b->m, NULL, &o);
    assert_int_equal(resida_solver_start(solver, 0, b->model.p0, b->model.v0, NULL, NULL), RESIDA_OK);
    r.status = resida_solver_advance(solver, 1.5);
    snprintf(r.message, sizeof r.message, "%s", resida_solver_message(solver));
    resida_state end = test_state(solver);
    assert_int_equal(b->model.reference(&b->model, 1.5, p, NULL, NULL), 0);
    for (int i = 0; i < 6; i++) r.error = fmax(r.error, fabs(end.p[i] - p[i]));
    r.stats = (resida_stats){.size = sizeof r.stats};
    assert_int_equal(resida_solver_stats(solver, &r.stats), RESIDA_OK);
    return r;
}

static const rods all[] = {{1e7, 1e4, 0}, {1e9, 1e5, 0}, {1e10, 3e5, 0}, {1e11, 1e6, 0}, {1e9, 1e3, 0},
                           {1e7, 1e4, 1}, {1e9, 1e5, 1}, {1e10, 3e5, 1}, {1e11, 1e6, 1}, {1e9, 1e3, 1}};

/* The motion takes some 300 steps at 1e-5, the double pendulum 200; they differ by 60/k. Each run is tested for digits,
 * all runs together for steps. */
CLAIM(stiff_bushings_take_the_steps_of_the_motion)
{
    for (int tenth = 3; tenth <= 5; tenth++) {
        long steps = 0;
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            const double tolerance = pow(10, -tenth);
            run r = fall(all[i], tolerance, "auto", 2);
            print_message("  k %.0e c %.0e root %d, 1e-%d: %ld steps, %ld calls, error %.1e\n", all[i].k, all[i].c,
                          all[i].root, tenth, r.stats.steps, r.stats.residual_calls.total, r.error);
            if (r.status != RESIDA_OK) fail_msg("%s", r.message);
            assert_true(r.error < 100 * tolerance + 60 / all[i].k);
            assert_true(r.stats.steps < 1500);
            assert_true(r.stats.order_limits.steps < 500);
            assert_int_equal(r.stats.min_order, 2);
            steps += r.stats.steps;
        }
        assert_true(steps < 500 * (long)(sizeof all / sizeof *all));
    }
}

CLAIM(stiff_bushings_do_not_reach_the_end_with_orders_as_in_DASSL)
{
    run caught = fall(all[1], 1e-5, "dense", 1), free = fall(all[1], 1e-5, "dense", 2);
    assert_int_equal(caught.status, RESIDA_ERR_LIMIT_STEPS);
    assert_int_equal(caught.least, 1);
    assert_int_equal(caught.stats.min_order, 1);
    assert_true(caught.stats.error_test_fails > 4000);
    assert_int_equal(free.status, RESIDA_OK);
    assert_true(free.stats.steps < 2000);
}

CLAIM(orders_are_2_or_above)
{
    const char *const strategies[] = {"auto", "fresh", "sparse+partitioned"};
    for (int k = 0; k < 3; k++) {
        run r = fall(all[0], 1e-5, strategies[k], 2);
        assert_int_equal(r.status, RESIDA_OK);
        assert_true(r.least >= 2);
    }
}

CLAIM(min_order_has_no_effect_if_max_order_is_1)
{
    resida_solver *solver;
    resida_message why;
    resida_solver_options o = test_solver_options();
    bench *b = bench_make("pendulum", NULL);
    resida_problem *problem = test_problem(b->m, NULL);
    o.max_order = 1, o.min_order = 1;
    assert_int_equal(resida_solver_create(&solver, problem, &o, &why), RESIDA_ERR_OPTION);
    assert_non_null(strstr(why.text, "min_order = 1 has no effect here"));
}
