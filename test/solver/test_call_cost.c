/* test_call_cost.c - what calls of callbacks cost: said by the model, assumed by its size, or measured at the start,
 * with a clock of the test's own, which goes on by a microsecond at each look and by what callbacks are said to
 * take. */
#define _DEFAULT_SOURCE
#include <limits.h>
#include <time.h>

#include "test/failure/whole_body.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/file_util.h"
#include "test/fixtures/mechanisms/counted.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

enum { LOOK_NS = 1000, MOST = 400 };
static long long now_ns;

/* The library's looks at a clock end here. */
__attribute__((visibility("default"))) int clock_gettime(clockid_t which, struct timespec *t)
{
    now_ns += LOOK_NS;
    *t = (struct timespec){now_ns / 1000000000, now_ns % 1000000000};
    return 0;
}

/* --- said --- */

typedef struct outcome {
    long calls, steps;
    int n;
    double y[MOST];
    resida_stats stats;
} outcome;

/* A built-in model to its end, whose formalism is said to cost so much; 0: nothing is said. */
static outcome run(const char *model, const char *strategy, double cost)
{
    outcome r = {.stats.size = sizeof r.stats};
    resida_problem *problem;
    resida_solver *s;
    resida_solver_options o = test_solver_options();
    resida_layout layout;
    bench *b = bench_make(model, NULL);
    resida_mechanism m = *b->m;
    m.cost.residual = m.cost.residual_lam = cost;
    o.rtol = b->model.rtol, o.atol = b->model.atol;
    o.jacobian = strategy;
    test_solver_make(&problem, &s, &m, NULL, &o);
    resida_status status = resida_solver_start(s, b->model.t0, b->model.p0, b->model.v0, NULL, NULL);
    if (status >= 0) do
            status = resida_solver_advance(s, b->model.t_end);
        while (status == RESIDA_EVENT);
    if (status < 0) fail_msg("%s: %s", model, resida_solver_message(s));
    resida_state state = test_state(s);
    assert_int_equal(resida_problem_layout(problem, &layout), RESIDA_OK);
    assert_int_equal(resida_solver_stats(s, &r.stats), RESIDA_OK);
    assert_true(layout.n <= MOST);
    r.calls = r.stats.residual_calls.total;
    r.n = layout.n;
    memcpy(r.y, state.y, (size_t)r.n * sizeof *r.y);
    return r;
}

static const char *const models[] = {"double-wishbone", "car-axis", "andrews"};
enum { N_MODELS = sizeof models / sizeof *models };

CLAIM(a_formalism_with_a_high_cost_is_called_less)
{
    for (int i = 0; i < N_MODELS; i++) {
        const outcome cheap = run(models[i], "auto", 1), dear = run(models[i], "auto", 1e9);
        print_message("  %s: %ld calls that cost nothing, %ld dear ones; %ld factorisations, %ld\n", models[i],
                      cheap.calls, dear.calls, cheap.stats.factorisations, dear.stats.factorisations);
        assert_true(dear.calls < cheap.calls);
        assert_true(dear.stats.factorisations > cheap.stats.factorisations);
    }
}

CLAIM(runs_without_measured_costs_repeat_bit_for_bit)
{
    for (int i = 0; i < N_MODELS; i++) {
        const outcome a = run(models[i], "auto", 0);
        now_ns += 12345678; /* as on a busy machine */
        const outcome b = run(models[i], "auto", 0);
        assert_memory_equal(a.y, b.y, sizeof a.y);
        assert_int_equal(a.calls, b.calls);
    }
}

/* The statistics tell what is assumed: to say the same changes nothing. */
CLAIM(given_costs_replace_assumed_costs)
{
    for (int i = 0; i < N_MODELS; i++) {
        const outcome a = run(models[i], "auto", 0);
        const double assumed = a.stats.callback_costs.residual;
        assert_true(assumed > 0 && a.stats.callback_costs.acceleration == 0 && a.stats.callback_costs.jacobian == 0);
        const outcome b = run(models[i], "auto", assumed);
        assert_memory_equal(a.y, b.y, sizeof a.y);
        assert_memory_equal(&a.stats.callback_costs, &b.stats.callback_costs, sizeof a.stats.callback_costs);
        assert_true(run(models[i], "auto", 7).stats.callback_costs.residual == 7);
    }
}

/* --- measured --- */

/* Turning about a point: p in the plane, g = (p'p - 1)/2. Of each callback, what it takes. */
typedef struct timed {
    long long residual, matrix, mass; /* [ns] */
    int refuse;                       /* from this call on, 0: never */
    int calls;
    int remembers; /* 1: the matrix takes no time where it was called last */
    double last[2];
} timed;

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    timed *k = user;
    now_ns += k->residual;
    r[0] = a[0];
    r[1] = a[1] + 9.81;
    return ++k->calls >= k->refuse && k->refuse > 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    timed *k = user;
    const int is_known = k->remembers && memcmp(k->last, p, sizeof k->last) == 0;
    now_ns += is_known ? 0 : k->matrix;
    memcpy(k->last, p, sizeof k->last);
    memcpy(G, p, 2 * sizeof *G);
    return 0;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    now_ns += ((timed *)user)->mass;
    M[0] = M[3] = 1;
    M[1] = M[2] = 0;
    return 0;
}

static resida_mechanism timed_mechanism(timed *k)
{
    resida_mechanism m = test_mechanism();
    m.n_p = m.n_v = 2;
    m.n_g = 1;
    m.user = k;
    m.residual = residual;
    m.constraint = small_rod;
    m.constraint_matrix = constraint_matrix;
    m.mass_matrix = mass_matrix;
    return m;
}

static void open_measured(const resida_mechanism *m, long budget, resida_problem **problem, resida_solver **s)
{
    resida_solver_options o = test_solver_options();
    o.jacobian = "auto";
    o.call_cost = "measured";
    o.max_residuals = budget;
    test_solver_make(problem, s, m, NULL, &o);
}

static const double p0[2] = {0.6, -0.8}, v0[2] = {0, 0};

/* As they are found at the start. */
static resida_callback_costs measured(timed *k)
{
    resida_problem *problem;
    resida_solver *s;
    const resida_mechanism m = timed_mechanism(k);
    open_measured(&m, 100000, &problem, &s);
    assert_int_equal(resida_solver_start(s, 0, p0, v0, NULL, NULL), RESIDA_OK);
    resida_stats stats = test_stats(s);
    assert_int_equal(resida_solver_advance(s, 0.1), RESIDA_OK);
    return stats.callback_costs;
}

static int is_power_of_four(double x)
{
    int exponent;
    return frexp(x, &exponent) == 0.5 && exponent % 2 == 1;
}

/* An operation takes a look at the clock for 2/3 64^3 of them, by which looks have no part in what is found. */
CLAIM(a_call_is_measured_to_the_next_power_of_four)
{
    const double operations = 2.0 / 3 * 64 * 64 * 64 / LOOK_NS;
    for (long long ns = 100; ns < 1000000000; ns *= 3) {
        timed k = {.residual = ns, .matrix = 16 * ns};
        const resida_callback_costs c = measured(&k);
        const double expected = operations * (double)ns;
        assert_true(is_power_of_four(c.residual));
        assert_true(c.residual >= expected / 2.0001 && c.residual <= 2.0001 * expected);
        assert_true(c.constraint_matrix == 16 * c.residual);
        assert_true(c.mass_matrix == 1);                      /* it takes nothing */
        assert_true(c.constraint > 0 && c.acceleration == 0); /* there is none */
    }
}

/* A model that remembers contacts of the last call is asked for those of another point. */
CLAIM(a_model_that_caches_results_is_not_measured_cheaper)
{
    timed forgets = {.residual = 1000, .matrix = 1000000}, remembers = forgets;
    remembers.remembers = 1;
    const resida_callback_costs a = measured(&forgets), b = measured(&remembers);
    assert_true(a.constraint_matrix >= b.constraint_matrix);
    assert_true(b.constraint_matrix >= a.constraint_matrix / 4); /* F and the rest of J may share a point */
}

/* Of which decisions hear: a formalism that takes long is called less, with a dg/dp that is dear both times. */
CLAIM(decisions_use_the_measured_costs)
{
    long calls[2];
    for (int i = 0; i < 2; i++) {
        timed k = {.residual = i ? 100000000 : 0, .matrix = 1000000};
        resida_problem *problem;
        resida_solver *s;
        const resida_mechanism m = timed_mechanism(&k);
        open_measured(&m, 100000, &problem, &s);
        assert_int_equal(resida_solver_start(s, 0, p0, v0, NULL, NULL), RESIDA_OK);
        assert_int_equal(resida_solver_advance(s, 10), RESIDA_OK);
        resida_stats stats = test_stats(s);
        calls[i] = stats.residual_calls.total - stats.residual_calls.start;
    }
    print_message("  %ld calls that take no time, %ld that take long\n", calls[0], calls[1]);
    assert_true(calls[1] < calls[0]);
}

CLAIM(calls_made_to_measure_are_counted)
{
    whole_body body = {.error = WHOLE_RIGHT};
    counted c;
    memset(&c, 0, sizeof c);
    resida_problem *problem;
    resida_solver *s;
    const resida_mechanism m = whole_mechanism(&body, 0), counting = counted_mechanism(&c, &m);
    open_measured(&counting, 100000, &problem, &s);
    assert_int_equal(resida_solver_start(s, 0, body.p0, body.v0, NULL, NULL), RESIDA_OK);
    resida_stats stats = test_stats(s);
    counted_check(&c, &stats.callback_calls, "measured");
    assert_int_equal(stats.residual_calls.total, stats.residual_calls.start);
    assert_true(is_power_of_four(stats.callback_costs.derivatives));
    const long before = stats.callback_calls.mass_matrix;
    assert_int_equal(resida_solver_start(s, 0, body.p0, body.v0, NULL, NULL), RESIDA_OK);
    stats = test_stats(s);
    assert_true(stats.callback_calls.mass_matrix <= before + 2); /* once is enough */
}

/* A budget that has no room for it, a model that refuses: what is said or assumed stays. */
CLAIM(costs_that_cannot_be_measured_are_assumed)
{
    for (int i = 0; i < 2; i++) {
        timed k = {.residual = 5000, .refuse = i ? 6 : 0};
        resida_problem *problem;
        resida_solver *s;
        const resida_mechanism m = timed_mechanism(&k);
        open_measured(&m, i ? 1000 : 60, &problem, &s);
        resida_stats stats = test_stats(s);
        const double assumed = stats.callback_costs.residual;
        assert_int_equal(resida_solver_start(s, 0, p0, v0, NULL, NULL), RESIDA_OK);
        stats = test_stats(s);
        assert_true(i == 0 ? stats.callback_costs.residual == assumed : stats.recoverable > 0);
    }
}

/* Blocks that there are no more of after so many; those that are not freed. */
typedef struct store {
    long left, blocks;
} store;

static void *take_block(size_t bytes, void *context)
{
    store *s = context;
    if (s->left-- <= 0) return NULL;
    s->blocks++;
    return malloc(bytes);
}

static void give_back(void *block, void *context)
{
    ((store *)context)->blocks -= block != NULL;
    free(block);
}

CLAIM(without_memory_to_measure_there_is_no_solver)
{
    int refused = 0;
    for (long most = 0;; most++) {
        timed k = {.residual = 5000};
        store all = {.left = LONG_MAX};
        const resida_allocator alloc = {take_block, give_back, &all};
        resida_problem *problem;
        resida_solver *s;
        resida_problem_options po = test_problem_options();
        resida_solver_options o = test_solver_options();
        const resida_mechanism m = timed_mechanism(&k);
        po.allocator = &alloc;
        o.jacobian = "auto";
        o.call_cost = "measured";
        assert_int_equal(resida_problem_create(&problem, &m, &po, NULL), RESIDA_OK);
        all.left = most;
        const resida_status status = resida_solver_create(&s, problem, &o, NULL);
        test_solver_free(s, problem);
        assert_int_equal(all.blocks, 0);
        if (status == RESIDA_OK) break;
        assert_int_equal(status, RESIDA_ERR_MEMORY);
        refused++;
    }
    assert_true(refused > 20);
}
