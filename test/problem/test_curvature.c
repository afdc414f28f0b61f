/* test_curvature.c - dg/dp around a point by second differences of g: right to 1e-3 of the curvature, without a call of
 * g; and a run that uses it. The oracle is the dg/dp of the model. */
#include "src/core/problem/problem_impl.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/mechanisms/hidden.h"
#include "test/fixtures/solver_fixture.h"

#define MOVE      1e-5
#define CURVATURE 1e-3 /* second differences reach some 1e-5 */

enum { DIRECTIONS = 10, LEARNING = 4, MOST = 100 };

/* A model whose g alone is known to k. */
typedef struct trial {
    bench b;
    resida_mechanism m;
    rsd_mechanism *k;
    int n_p, n_g;
    uint64_t seed;
    double p[MOST];
} trial;

static void walk(trial *q)
{
    for (int j = 0; j < q->n_p; j++) q->p[j] = q->b.model.p0[j] + 0.1 * bench_random(&q->seed);
}

static void open_trial(trial *q, const char *name)
{
    resida_allocator alloc = test_allocator();
    bench_open(&q->b, name, NULL);
    q->m = hidden_mechanism(q->b.m, HIDDEN_G_ALONE);
    assert_int_equal(rsd_mechanism_create(&q->k, &q->m, 0, &alloc, NULL), RESIDA_OK);
    q->n_p = q->m.n_p, q->n_g = q->m.n_g, q->seed = 1;
    assert_true(q->n_p <= MOST);
    for (int i = 0; i < LEARNING; i++) {
        walk(q);
        assert_int_equal(rsd_eval_matrices(q->k, 0, q->p), 0);
    }
}

/* How dg/dp changes along d: by the model, or by k. */
static void change(trial *q, const double *d, int by_model, double *out)
{
    double p[MOST];
    const long n = (long)q->n_g * q->n_p;
    double *G = bench_doubles(n);
    memset(out, 0, (size_t)n * sizeof *out);
    for (int side = -1; side <= 1; side += 2) {
        bench_along(q->n_p, q->p, side * MOVE, d, p);
        if (by_model)
            bench_G(&q->b, p, G);
        else
            assert_int_equal(rsd_eval_matrices(q->k, 0, p), 0);
        for (long e = 0; e < n; e++) out[e] += side * (by_model ? G : q->k->gp_values)[e] / (2 * MOVE);
    }
}

CLAIM(dg_dp_nearby_follows_from_second_differences)
{
    static const char *const names[] = {"flyball", "chain-cartesian"};
    for (int i = 0; i < 2; i++) {
        trial q;
        open_trial(&q, names[i]);
        const int n = q.n_g * q.n_p;
        double d[MOST], *found = bench_doubles(n), *exact = bench_doubles(n);
        walk(&q);
        assert_int_equal(rsd_curvature_begin(q.k, 0, q.p), 0);
        assert_true(q.k->curvature.is_on);
        const long calls = hidden_calls_so_far.g;
        for (int s = 0; s < DIRECTIONS; s++) {
            for (int j = 0; j < q.n_p; j++) d[j] = bench_random(&q.seed);
            change(&q, d, 0, found);
            change(&q, d, 1, exact);
            bench_all_near(n, found, exact, CURVATURE * bench_largest(n, exact));
        }
        assert_int_equal(hidden_calls_so_far.g, calls);
        rsd_curvature_end(q.k);
        assert_int_equal(rsd_eval_matrices(q.k, 0, q.p), 0);
        assert_true(hidden_calls_so_far.g > calls);
    }
}

CLAIM(it_costs_a_matrix_and_the_pairs_of_groups)
{
    trial q;
    open_trial(&q, "chain-cartesian");
    walk(&q);
    const long before = hidden_calls_so_far.g;
    assert_int_equal(rsd_curvature_begin(q.k, 0, q.p), 0);
    const long groups = q.k->gp_groups.colours.n_groups, most = 2 * groups + 2 + 1 + groups * (groups - 1) / 2;
    assert_in_range(hidden_calls_so_far.g - before, 2 * groups + 2 + 1, most);
}

/* Refused, or not a number, where two groups are moved: it goes without, and nothing is said of it. */
static int spoil; /* 1: refuse, 2: NaN */
static double home[MOST];
static resida_position_fn *good;

static int moody(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    int verdict = good(t, p, e, g, user), moved = 0;
    for (int j = 0; j < 3; j++) moved += p[j] != home[j];
    if (spoil == 2 && moved == 2) g[0] = NAN;
    return spoil == 1 && moved == 2 ? 1 : verdict;
}

CLAIM(second_differences_are_not_used_if_pairs_cannot_be_evaluated)
{
    for (int way = 1; way <= 2; way++) {
        trial q;
        spoil = 0;
        open_trial(&q, "chain-cartesian");
        good = q.k->m.constraint;
        q.k->m.constraint = moody;
        walk(&q);
        memcpy(home, q.p, sizeof home);
        spoil = way;
        assert_int_equal(rsd_curvature_begin(q.k, 0, q.p), 0);
        assert_false(q.k->curvature.is_on);
        assert_null(q.k->calls.fault.callback);
    }
}

CLAIM(a_run_by_it_ends_where_one_by_dg_dp_does)
{
    double end[2][MOST];
    for (int given = HIDDEN_G_ALONE; given <= HIDDEN_FULL; given++) {
        bench *b = bench_make("flyball", NULL);
        resida_mechanism m = hidden_mechanism(b->m, (hidden_given)given);
        resida_solver_options o = test_solver_options();
        o.rtol = o.atol = 1e-8;
        resida_solver *solver = test_solver(&m, NULL, &o);
        assert_int_equal(resida_solver_start(solver, 0, b->model.p0, b->model.v0, NULL, NULL), RESIDA_OK);
        if (resida_solver_advance(solver, 0.5) < 0) fail_msg("%s", resida_solver_message(solver));
        memcpy(end[given], test_state(solver).p, (size_t)m.n_p * sizeof(double));
    }
    bench_all_near(7, end[0], end[1], 1e-6);
}
