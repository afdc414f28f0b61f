/* test_edges.c - what happens just at an edge: of the domain of F, of a budget of steps, of an event, of a first
 * step. */
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"
#include "test/fixtures/claims.h"

enum { N = 14 };

/* y' = -y, not a number for y < 0 when `user` says so; or a right-hand side that no step size follows. */
enum { PLAIN, HALF_LINE, ROUGH };

static int decay(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    int kind = *(const int *)user;
    for (int i = 0; i < N; i++) {
        r[i] = yp[i] + (kind == HALF_LINE && y[i] < 0 ? NAN : y[i]);
        if (kind == ROUGH) r[i] = yp[i] - (t > 0 ? 1e8 * sin(1e9 * t) : 0);
    }
    return 0;
}

typedef struct world {
    int kind;
    resida_problem *problem;
    resida_solver *solver;
} world;

static void open_world(world *w, int kind, const resida_solver_options *o, double y0)
{
    resida_dae d = test_dae();
    double y[N], yp[N];
    d.n = N;
    d.user = &w->kind;
    d.residual = decay;
    d.n_root = 1;
    d.root = small_half;
    w->kind = kind;
    for (int i = 0; i < N; i++) {
        y[i] = y0;
        yp[i] = kind == ROUGH ? 0 : -y0;
    }
    test_solver_make_dae(&w->problem, &w->solver, &d, NULL, o);
    assert_int_equal(resida_solver_start_dae(w->solver, 0, y, yp), RESIDA_OK);
}

static resida_solver_options options(void)
{
    resida_solver_options o = test_solver_options();
    o.jacobian = "dense";
    return o;
}

/* Every increment of y = 1e-13 goes beyond 0; the other side is fine. There are more columns than non-finite
 * evaluations in a row are endured. */
CLAIM(differences_at_the_edge_of_the_domain_take_the_other_side)
{
    world w;
    resida_solver_options o = options();
    o.rtol = o.atol = 1e-3;
    open_world(&w, HALF_LINE, &o, 1e-13);
    assert_int_equal(resida_solver_advance(w.solver, 0.01), RESIDA_OK);
    assert_true(test_stats(w.solver).nonfinite >= N);
}

CLAIM(a_spent_budget_of_steps_leaves_the_last_step_to_be_read)
{
    world w;
    resida_solver_options o = options();
    o.max_steps = 20;
    open_world(&w, PLAIN, &o, 1);
    for (int k = 0; k < 19; k++) assert_int_equal(resida_solver_step(w.solver, 100), RESIDA_OK);
    resida_state now = test_state(w.solver);
    double t = now.t; /* the next step is longer than 2e-6 of it */
    assert_int_equal(resida_solver_advance(w.solver, t * (1 + 1e-6)), RESIDA_OK);
    assert_int_equal(test_stats(w.solver).steps, 20);
    assert_int_equal(resida_solver_advance(w.solver, t * (1 + 2e-6)), RESIDA_OK);
    assert_int_equal(resida_solver_advance(w.solver, 100), RESIDA_ERR_LIMIT_STEPS);
    assert_int_equal(test_stats(w.solver).steps, 20);
}

CLAIM(error_tests_of_a_first_step_that_never_succeeds_are_counted)
{
    world w;
    resida_solver_options o = options();
    o.h_first = 0.1;
    open_world(&w, ROUGH, &o, 1);
    for (long call = 1; call <= 2; call++) {
        assert_int_equal(resida_solver_advance(w.solver, 1), RESIDA_ERR_ERROR_TEST);
        resida_stats stats = test_stats(w.solver);
        assert_int_equal(stats.steps, 0);
        assert_int_equal(stats.newton_fails, 0);
        assert_int_equal(stats.error_test_fails, stats.step_attempts); /* no attempt ended otherwise */
        assert_true(stats.error_test_fails >= call);
    }
}

CLAIM(an_event_is_over_with_the_next_call)
{
    world w;
    int direction = 0;
    resida_solver_options o = options();
    open_world(&w, PLAIN, &o, 1);
    assert_int_equal(resida_solver_advance(w.solver, 10), RESIDA_EVENT);
    assert_int_equal(resida_solver_event(w.solver, &direction), RESIDA_OK);
    assert_int_equal(direction, -1);
    assert_int_equal(resida_solver_advance(w.solver, test_state(w.solver).t), RESIDA_OK);
    assert_int_equal(resida_solver_event(w.solver, &direction), RESIDA_ERR_STATE);
}

/* No state around y = 1e-5 has all components positive: the pattern cannot be estimated, and every entry is kept. */
CLAIM(a_pattern_that_cannot_be_estimated_is_full)
{
    static const char *const strategies[] = {"sparse", "sparse+partitioned"};
    for (int i = 0; i < 2; i++) {
        world w;
        resida_solver_options o = options();
        o.jacobian = strategies[i];
        o.rtol = 1e-6, o.atol = 1e-10;
        open_world(&w, HALF_LINE, &o, 1e-5);
        if (resida_solver_advance(w.solver, 1) < 0) fail_msg("%s: %s", strategies[i], resida_solver_message(w.solver));
        resida_state now = test_state(w.solver);
        resida_stats stats = test_stats(w.solver);
        assert_true(fabs(now.y[N - 1] - 1e-5 * exp(-1)) < 1e-8);
        assert_int_equal(stats.nnz, N * N);
        const long total = stats.residual_calls.newton + stats.residual_calls.jacobian + stats.residual_calls.pattern +
                           stats.residual_calls.start;
        assert_true(total == stats.residual_calls.total && stats.residual_calls.jacobian >= 0);
    }
}

/* y' = -u y with u = 0.999, and F not possible for u > 1. */
static int near_the_edge(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = 0.999, ud[0] = udd[0] = 0;
    return 0;
}

static int driven(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] + e->u[0] * y[0];
    return e->u[0] > 1;
}

CLAIM(excitations_that_cannot_be_moved_are_done_without)
{
    resida_dae d = test_dae();
    resida_solver_options o = options();
    d.n = d.n_u = 1;
    d.residual = driven;
    d.excitation = near_the_edge;
    o.jacobian = "dense+extended";
    o.rtol = o.atol = 1e-8;
    resida_solver *solver = test_solver_dae(&d, NULL, &o);
    assert_int_equal(resida_solver_start_dae(solver, 0, (double[]){1}, (double[]){-0.999}), RESIDA_OK);
    if (resida_solver_advance(solver, 1) < 0) fail_msg("%s", resida_solver_message(solver));
    assert_true(fabs(test_state(solver).y[0] - exp(-0.999)) < 1e-6);
}
