/* test_limits.c - which components limit the steps: each step, each failed error test and each failed iteration has
 * one, also across starts and where the history is dropped; and it is the one for which the tolerance is too tight. */
#include "test/fixtures/file_util.h"
#include "test/fixtures/solver_fixture.h"

/* Two oscillators that know nothing of each other, y0'' = -y0, y2'' = -y2; hits: y2 is pushed to and fro by a force
 * that jumps. */
typedef struct pair {
    int hits;
} pair;

static int oscillators(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const pair *of = user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0];
    r[2] = yp[2] - y[3];
    r[3] = yp[3] + y[2] - (of->hits && sin(3 * t) > 0 ? 50 : 0);
    return 0;
}

/* Van der Pol's equation, stiff: its iterations fail where it turns. */
static int relaxation(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - 1000 * (1 - y[0] * y[0]) * y[1] + y[0];
    return 0;
}

typedef struct run {
    resida_dae d;
    pair pair;
    resida_problem *problem;
    resida_solver *solver;
    resida_stats stats;
} run;

static void make(run *r, int n, resida_dae_residual_fn *F, resida_solver_options *o)
{
    resida_dae_init(&r->d);
    r->d.n = n;
    r->d.residual = F;
    r->d.user = &r->pair;
    test_solver_make_dae(&r->problem, &r->solver, &r->d, NULL, o);
}

static void advance(run *r, const double *y0, double from, double to)
{
    assert_int_equal(resida_solver_start_dae(r->solver, from, y0, NULL), RESIDA_OK);
    for (int i = 1; i <= 10; i++)
        assert_int_equal(resida_solver_advance(r->solver, from + (to - from) * i / 10), RESIDA_OK);
    r->stats = (resida_stats){.size = sizeof r->stats};
    assert_int_equal(resida_solver_stats(r->solver, &r->stats), RESIDA_OK);
}

static resida_solver_options options(void)
{
    resida_solver_options o = test_solver_options();
    o.profile = 1;
    return o;
}

/* Of systems with no more unknowns than are told. */
static void check_sums(const resida_stats *s)
{
    long steps = 0, error_tests = 0, newton = 0;
    for (int i = 0; i < s->n_limits; i++) {
        const resida_limit *l = &s->limits[i], *before = i > 0 ? l - 1 : l;
        assert_true(before->steps + before->error_test_fails + before->newton_fails >=
                    l->steps + l->error_test_fails + l->newton_fails);
        steps += l->steps, error_tests += l->error_test_fails, newton += l->newton_fails;
    }
    assert_int_equal(steps, s->steps);
    assert_int_equal(error_tests, s->error_test_fails);
    assert_int_equal(newton, s->newton_fails);
}

static const double y_pair[4] = {1, 0, 1, 0}, y_relaxed[2] = {2, 0};

CLAIM(every_step_and_every_failure_has_a_component)
{
    for (int hits = 0; hits < 2; hits++) {
        resida_solver_options o = options();
        run r = {.pair = {hits}};
        make(&r, 4, oscillators, &o);
        advance(&r, y_pair, 0, 20);
        check_sums(&r.stats);
        advance(&r, y_pair, 20, 30);
        check_sums(&r.stats);
        print_message("  %ld steps, %ld failed error tests, %ld jumps\n", r.stats.steps, r.stats.error_test_fails,
                      r.stats.jumps);
        if (hits) assert_true(r.stats.error_test_fails > 0 && r.stats.limits[0].component >= 2);
    }
}

CLAIM(failed_iterations_have_one_too)
{
    static const char *const strategies[] = {"auto", "dense"};
    long fails = 0;
    for (int i = 0; i < 2; i++) {
        resida_solver_options o = options();
        run r = {.pair = {0}};
        o.jacobian = strategies[i];
        make(&r, 2, relaxation, &o);
        advance(&r, y_relaxed, 0, 2000);
        check_sums(&r.stats);
        fails += r.stats.newton_fails;
    }
    assert_true(fails > 0);
}

CLAIM(a_component_whose_tolerance_is_tight_limits_the_steps)
{
    for (int tight = 0; tight < 8; tight++) {
        double each[4] = {1e-4, 1e-4, 1e-4, 1e-4};
        resida_solver_options o = options();
        run r = {.pair = {0}};
        each[tight % 4] = 1e-9;
        *(tight < 4 ? &o.atol_each : &o.rtol_each) = each;
        *(tight < 4 ? &o.rtol : &o.atol) = tight < 4 ? 1e-12 : 1e-9;
        make(&r, 4, oscillators, &o);
        each[tight % 4] = 1; /* it has been copied */
        o.rtol = o.atol = 1e-5;
        resida_solver *none = NULL; /* both are given */
        assert_int_equal(resida_solver_create(&none, r.problem, &o, NULL), RESIDA_ERR_OPTION);
        advance(&r, y_pair, 0, 20);
        assert_int_equal(r.stats.limits[0].component, tight % 4);
        assert_true((double)r.stats.limits[0].steps > 0.9 * (double)r.stats.steps);
    }
}

CLAIM(no_limits_are_reported_without_the_option)
{
    resida_solver_options o = options();
    run r = {.pair = {0}};
    o.profile = 0;
    make(&r, 4, oscillators, &o);
    advance(&r, y_pair, 0, 20);
    assert_int_equal(r.stats.n_limits, 0);
}
