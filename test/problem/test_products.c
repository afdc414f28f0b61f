/* test_products.c - products with dg/dp take the place of the matrix in residuals: the same residual to rounding, in
 * every form, with and without the matrix; and one that is wrong is named. */
#include "test/fixtures/claims.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/mechanisms/hidden.h"
#include "test/fixtures/solver_fixture.h"

enum { MOST = 200, STATES = 5 };

static const char *const forms[] = {"ggl",       "index2",     "index1",      "baumgarte",           "index3",
                                    "augmented", "projected1", "state-space", "hiller-anantharaman", NULL};

/* Flyball governor: Euler parameters. Chain: p' = v. */
static const char *const models[] = {"flyball", "chain-cartesian"};

static resida_problem *open_problem(const resida_mechanism *m, const char *form)
{
    resida_problem_options o = test_problem_options();
    o.form = form;
    return test_problem(m, &o);
}

/* F at a state of its own for each seed. */
static int residual(const resida_mechanism *m, const char *form, uint64_t seed, double *r)
{
    resida_problem *problem = open_problem(m, form);
    resida_layout l;
    double y[MOST], yp[MOST];
    assert_int_equal(resida_problem_layout(problem, &l), RESIDA_OK);
    assert_true(l.n <= MOST);
    for (int i = 0; i < l.n; i++) y[i] = bench_random(&seed), yp[i] = bench_random(&seed);
    assert_int_equal(resida_problem_residual(0.3, y, yp, r, problem), 0);
    return l.n;
}

CLAIM(F_is_the_same_to_rounding_in_every_form)
{
    for (int i = 0; i < 2; i++) {
        bench *b = bench_make(models[i], NULL);
        for (int form = 0; forms[form]; form++)
            for (uint64_t seed = 0; seed < STATES; seed++) {
                double by_matrix[MOST], both[MOST], products[MOST];
                resida_mechanism m = hidden_mechanism(b->m, HIDDEN_PATTERNED);
                const int n = residual(&m, forms[form], seed, by_matrix);
                m = hidden_mechanism(b->m, HIDDEN_WITH_BOTH);
                residual(&m, forms[form], seed, both);
                const double size = fmax(1, bench_largest(n, by_matrix));
                bench_all_near(n, both, by_matrix, 64 * DBL_EPSILON * size);
                if (strcmp(forms[form], "state-space") == 0) continue; /* its reference point is not there yet */
                m = hidden_mechanism(b->m, HIDDEN_PRODUCTS);
                residual(&m, forms[form], seed, products);
                bench_all_near(n, products, by_matrix, 64 * DBL_EPSILON * size);
            }
    }
}

CLAIM(a_residual_of_ggl_takes_three_products_and_no_matrix)
{
    double r[MOST];
    bench *b = bench_make("flyball", NULL);
    resida_mechanism m = hidden_mechanism(b->m, HIDDEN_WITH_BOTH);
    residual(&m, "ggl", 1, r);
    assert_int_equal(hidden_calls_so_far.G, 0);
    assert_int_equal(hidden_calls_so_far.force, 2);
    assert_int_equal(hidden_calls_so_far.velocity, 1);
}

/* A run. warning [RESIDA_MESSAGE_SIZE]: the first one, or "". @return its residual calls */
static long run(const char *model, hidden_given given, double error_of_force, double error_of_velocity, double *p,
                char *warning)
{
    bench *b = bench_make(model, NULL);
    resida_mechanism m = hidden_mechanism(b->m, given);
    hidden_error_of_force = error_of_force, hidden_error_of_velocity = error_of_velocity;
    resida_problem *problem = open_problem(&m, "ggl");
    resida_solver_options o = test_solver_options();
    o.rtol = o.atol = 1e-7;
    resida_solver *solver = test_solver_of(problem, &o);
    assert_int_equal(resida_solver_start(solver, 0, b->model.p0, b->model.v0, NULL, NULL), RESIDA_OK);
    resida_status status = resida_solver_advance(solver, 0.2);
    assert_true(status >= 0 || error_of_force != 0 || error_of_velocity != 0);
    resida_stats s = test_stats(solver);
    resida_state now = test_state(solver);
    if (p) memcpy(p, now.p, (size_t)m.n_p * sizeof *p);
    snprintf(warning, RESIDA_MESSAGE_SIZE, "%s", s.n_warnings > 0 ? s.warnings[0] : "");
    assert_int_equal(s.callback_calls.constraint_force, hidden_calls_so_far.force);
    assert_int_equal(s.callback_calls.constraint_velocity, hidden_calls_so_far.velocity);
    return s.residual_calls.total;
}

CLAIM(runs_by_products_end_where_runs_by_the_matrix_do)
{
    for (int i = 0; i < 2; i++) {
        double by_matrix[MOST], by_products[MOST], without[MOST];
        char warning[RESIDA_MESSAGE_SIZE];
        run(models[i], HIDDEN_PATTERNED, 0, 0, by_matrix, warning);
        const long calls = run(models[i], HIDDEN_WITH_BOTH, 0, 0, by_products, warning);
        assert_string_equal(warning, "");
        assert_in_range(hidden_calls_so_far.G, 1, calls); /* at setups, and at the start */
        run(models[i], HIDDEN_PRODUCTS, 0, 0, without, warning);
        assert_string_equal(warning, "");
        assert_int_equal(hidden_calls_so_far.G, 0);
        bench_all_near(20, by_products, by_matrix, 1e-5);
        bench_all_near(20, without, by_matrix, 1e-5);
    }
}

CLAIM(a_wrong_product_is_a_warning)
{
    static const hidden_given given[] = {HIDDEN_WITH_BOTH, HIDDEN_PRODUCTS};
    char warning[RESIDA_MESSAGE_SIZE];
    for (int i = 0; i < 2; i++) {
        run("chain-cartesian", given[i], 1e-2, 0, NULL, warning);
        assert_memory_equal(warning, "constraint_force", strlen("constraint_force"));
        run("chain-cartesian", given[i], 0, 1e-2, NULL, warning);
        assert_memory_equal(warning, "constraint_velocity", strlen("constraint_velocity"));
    }
}
