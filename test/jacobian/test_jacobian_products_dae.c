/* test_jacobian_products_dae.c - runs with products that the model gives: the same solution as with differences, at no
 * residual call but those of the iteration and the start; counted and weighed; a wrong one is found and named; what
 * the callback says is passed on by name. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

enum { N = 12, LAST = N - 1 };

/* A line of reactions, the last row an algebraic balance. */
typedef struct line {
    double off;           /* added to the last row of products, relative to it */
    int verdict, fail_at; /* of the call from that direction on; 0: none */
    double spoil;         /* then added to component 4 */
    long directions;
} line;

static int line_residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    for (int i = 0; i < LAST; i++) {
        const double before = i > 0 ? y[i - 1] : 0;
        r[i] = yp[i] + (i + 1) * y[i] * y[i] - i * before * before + 0.1 * y[LAST];
    }
    r[LAST] = y[LAST] * y[LAST] * y[LAST] + y[LAST] - y[0] - y[LAST - 1];
    return 0;
}

static int line_times(double t, const double *y, const double *yp, const resida_excitation *e, int k, const double *dy,
                      const double *dyp, double *out, void *user)
{
    line *x = user;
    x->directions += k;
    for (int q = 0; q < k; q++, dy += N, dyp += N, out += N) {
        for (int i = 0; i < LAST; i++)
            out[i] = dyp[i] + 2 * (i + 1) * y[i] * dy[i] - (i > 0 ? 2 * i * y[i - 1] * dy[i - 1] : 0) + 0.1 * dy[LAST];
        out[LAST] = (1 + x->off) * (3 * y[LAST] * y[LAST] + 1) * dy[LAST] - dy[0] - dy[LAST - 1];
        if (x->fail_at == 0 || x->directions < x->fail_at) continue;
        out[4] += x->spoil;
    }
    return x->fail_at > 0 && x->directions >= x->fail_at ? x->verdict : 0;
}

typedef struct outcome {
    resida_status status;
    char message[RESIDA_MESSAGE_SIZE], warning[RESIDA_MESSAGE_SIZE];
    resida_stats stats;
    char reason[100];
    double y[N];
} outcome;

static resida_dae dae_of(line *x)
{
    static const char *const names[N] = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "balance"};
    static resida_kind kinds[N];
    resida_dae d = test_dae();
    kinds[LAST] = RESIDA_ALGEBRAIC;
    d.n = N, d.residual = line_residual, d.kinds = kinds, d.names = names, d.user = x;
    return d;
}

static outcome run(line *x, const resida_products *products, const char *strategy)
{
    const resida_dae d = dae_of(x);
    resida_problem_options of_problem = test_problem_options();
    resida_solver_options o = test_solver_options();
    outcome r = {.stats = {.size = sizeof r.stats}};
    double y[N] = {1}, yp[N] = {0};
    y[LAST] = 0.6823278038280193; /* z^3 + z = 1 */
    line_residual(0, y, yp, NULL, yp, NULL);
    for (int i = 0; i < LAST; i++) yp[i] = -yp[i];
    yp[LAST] = 0;
    of_problem.products = products;
    o.jacobian = strategy;
    o.rtol = o.atol = 1e-7;
    resida_solver *solver = test_solver_dae(&d, &of_problem, &o);
    assert_int_equal(resida_solver_start_dae(solver, 0, y, yp), RESIDA_OK);
    r.status = resida_solver_advance(solver, 2);
    snprintf(r.message, sizeof r.message, "%s", resida_solver_message(solver));
    memcpy(r.y, test_state(solver).y, sizeof r.y);
    if (r.status >= 0) assert_int_equal(resida_solver_examine(solver), RESIDA_OK);
    assert_int_equal(resida_solver_stats(solver, &r.stats), RESIDA_OK);
    if (r.stats.n_warnings > 0) snprintf(r.warning, sizeof r.warning, "%s", r.stats.warnings[0]);
    snprintf(r.reason, sizeof r.reason, "%s", r.stats.jacobian_reason);
    return r;
}

static resida_products products_of(resida_jacobian_times_fn *times)
{
    resida_products p;
    resida_products_init(&p);
    p.jacobian_times = times;
    return p;
}

CLAIM(a_dae_with_products_is_differenced_nowhere)
{
    static const char *const strategies[] = {"auto", "dense", "sparse", "sparse+partitioned", "fresh"};
    const resida_products p = products_of(line_times);
    for (int s = 0; s < 5; s++) {
        line x = {.off = 0}, other = {.off = 0};
        const outcome r = run(&x, &p, strategies[s]), by_differences = run(&other, NULL, strategies[s]);
        if (r.status < 0) fail_msg("%s: %s", strategies[s], r.message);
        for (int i = 0; i < N; i++) assert_true(fabs(r.y[i] - by_differences.y[i]) < 1e-5);
        print_message("  %-20s %ld residual calls and %ld products; by differences %ld\n", strategies[s],
                      r.stats.residual_calls.total, r.stats.callback_calls.jacobian_times,
                      by_differences.stats.residual_calls.total);
        assert_int_equal(r.stats.residual_calls.jacobian + r.stats.residual_calls.pattern, 0);
        assert_int_equal(r.stats.callback_calls.jacobian_times, x.directions);
        assert_int_equal(by_differences.stats.callback_calls.jacobian_times, 0);
        assert_true(r.stats.residual_calls.total < by_differences.stats.residual_calls.total);
        assert_true(r.stats.product_cost == r.stats.callback_costs.residual);
        assert_true(by_differences.stats.product_cost == 0);
        assert_string_equal(r.warning, "");
        assert_true(s != 0 || strncmp(r.reason, "the model gives products", 24) == 0);
    }
}

CLAIM(a_wrong_product_is_found_and_named)
{
    const resida_products p = products_of(line_times);
    line x = {.off = 1e-3};
    const outcome r = run(&x, &p, "auto");
    if (r.status < 0) fail_msg("%s", r.message);
    print_message("  %s\n", r.warning);
    assert_non_null(strstr(r.warning, "jacobian_times: row 11 (balance)"));
}

CLAIM(its_cost_is_what_the_model_says)
{
    resida_products p = products_of(line_times);
    line x = {.off = 0};
    p.cost = 12345;
    assert_true(run(&x, &p, "auto").stats.product_cost == 12345);
}

CLAIM(verdicts_of_the_callback_are_returned)
{
    static const struct {
        int verdict;
        double spoil;
        resida_status status;
        const char *says;
    } cases[] = {{-5, 0, RESIDA_ERR_USER, "callback jacobian_times returned -5"},
                 {1, 0, RESIDA_ERR_USER_REPEATED, "callback jacobian_times"},
                 {0, NAN, RESIDA_ERR_NONFINITE, "callback jacobian_times, component 4 (c4)"}};
    const resida_products p = products_of(line_times);
    for (int i = 0; i < 3; i++) {
        line x = {.verdict = cases[i].verdict, .spoil = cases[i].spoil, .fail_at = 20};
        const outcome r = run(&x, &p, "auto");
        print_message("  %s\n", r.message);
        assert_int_equal(r.status, cases[i].status);
        assert_non_null(strstr(r.message, cases[i].says));
    }
}
