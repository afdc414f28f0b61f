/* test_grouped.c - dg/dp found by groups of columns: the same bits as column by column, for the calls of the groups,
 * whatever appears on the way.
 *
 * The mechanism: N coordinates, rows g_i = p_i p_{i+1} + sin p_i, so that two groups do; and an entry more that is not
 * there at first. */
#include "src/core/problem/problem_impl.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

enum { N = 12, ROWS = N - 1, STATES = 12, EACH_COLUMN = 2 * N };

/* What g does besides. */
typedef struct world {
    long calls;
    int late_row, late_column; /* an entry that is there for p > 0 alone; -1: none */
    int refuse;                /* g is not possible where more than one coordinate is off `home` */
    int poison;                /* row 0 is not a number where column 5 is off `home` */
    double kink;               /* of row 1 where p_1 = 0 */
    double home[N];
} world;

static int moved_from_home(const world *w, const double *p)
{
    int moved = 0;
    for (int j = 0; j < N; j++) moved += p[j] != w->home[j];
    return moved;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    world *w = user;
    w->calls++;
    for (int i = 0; i < ROWS; i++) g[i] = p[i] * p[i + 1] + sin(p[i]);
    if (w->late_column >= 0) g[w->late_row] += pow(fmax(0, p[w->late_column]), 3);
    g[1] += w->kink * fabs(p[1]);
    if (w->poison && p[5] != w->home[5]) g[0] = NAN;
    return w->refuse && moved_from_home(w, p) > 1;
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    memcpy(r, a, N * sizeof *r);
    return 0;
}

static rsd_mechanism *open_world(world *w)
{
    rsd_mechanism *k;
    resida_allocator alloc = test_allocator();
    resida_mechanism m = test_mechanism();
    m.n_p = m.n_v = N, m.n_g = ROWS, m.user = w;
    m.residual = residual, m.constraint = constraint;
    assert_int_equal(rsd_mechanism_create(&k, &m, 0, &alloc, NULL), RESIDA_OK);
    return k;
}

static const world plain = {.late_column = -1};

static void walk(double *p, uint64_t *seed)
{
    for (int j = 0; j < N; j++) p[j] = bench_random(seed) - 1.5; /* below zero */
}

/* The calls that an evaluation takes; those by which scales are found are not among them. */
static long evaluate(rsd_mechanism *k, world *w, const double *p)
{
    assert_int_equal(rsd_scales_update(k, &k->gp_groups, rsd_eval_constraint, 0, p), 0);
    long before = w->calls;
    assert_int_equal(rsd_eval_matrices(k, 0, p), 0);
    return w->calls - before;
}

static void learn(rsd_mechanism *k, world *w, double *p, uint64_t *seed)
{
    for (int s = 0; s < 3; s++) {
        walk(p, seed);
        assert_int_equal(evaluate(k, w, p), EACH_COLUMN);
    }
}

/* Somebody who has learnt, away from p: p is the next state, around which the world may turn bad. */
static rsd_mechanism *open_learnt(world *w, double *p, uint64_t seed)
{
    rsd_mechanism *k = open_world(w);
    learn(k, w, p, &seed);
    walk(p, &seed);
    memcpy(w->home, p, N * sizeof *p);
    return k;
}

/* A matrix at p by somebody who has learnt nothing. */
static void column_by_column(const world *w, const double *p, double *values)
{
    world fresh = *w;
    rsd_mechanism *k = open_world(&fresh);
    assert_int_equal(evaluate(k, &fresh, p), EACH_COLUMN);
    memcpy(values, k->gp_values, ROWS * N * sizeof *values);
}

static void assert_same_bits(const rsd_mechanism *k, const world *w, const double *p)
{
    double values[ROWS * N];
    column_by_column(w, p, values);
    for (int e = 0; e < ROWS * N; e++)
        if (k->gp_values[e] != values[e]) fail_msg("entry %d: %.17g, not %.17g", e, k->gp_values[e], values[e]);
}

CLAIM(groups_find_the_same_bits_for_the_calls_of_the_groups)
{
    world w = plain;
    rsd_mechanism *k = open_world(&w);
    double p[N];
    uint64_t seed = 1;
    learn(k, &w, p, &seed);
    for (int s = 0; s < STATES; s++) {
        walk(p, &seed);
        rsd_scales_reset(k); /* those of p, as column by column */
        long calls = evaluate(k, &w, p);
        assert_int_equal(k->gp_groups.colours.n_groups, 2);
        assert_int_equal(calls, 2 * 2 + 2);
        assert_same_bits(k, &w, p);
    }
}

/* p_c goes from -1e-3 to 0.1 through zero, where the entry 3 p_c^2 comes up: in every column, those of the group of an
 * entry of that row too. */
CLAIM(an_entry_that_appears_is_found_where_it_appears)
{
    for (int c = 0; c < N; c++) {
        world w = plain;
        w.late_row = 4, w.late_column = c;
        rsd_mechanism *k = open_world(&w);
        double p[N];
        uint64_t seed = 2 + (uint64_t)c;
        learn(k, &w, p, &seed);
        for (int s = -2; s < STATES; s++) {
            walk(p, &seed);
            p[c] = s < 0 ? 5e-4 * s : s == 0 ? 0 : 0.1 * pow(0.1, STATES - 1 - s);
            evaluate(k, &w, p);
            double at_c = (c == 4 ? p[5] + cos(p[4]) : c == 5 ? p[4] : 0) + 3 * pow(fmax(0, p[c]), 2);
            if (s > 0) bench_near(k->gp_values[4 * N + c], at_c, 1e-8);
        }
        for (int s = 0; s < 2; s++) {
            walk(p, &seed);
            evaluate(k, &w, p);
        }
        walk(p, &seed);
        assert_true(evaluate(k, &w, p) < EACH_COLUMN);
    }
}

CLAIM(where_a_group_is_not_possible_columns_are)
{
    world w = plain;
    double p[N];
    rsd_mechanism *k = open_learnt(&w, p, 3);
    rsd_scales_reset(k); /* those of p, as column by column */
    assert_int_equal(rsd_scales_update(k, &k->gp_groups, rsd_eval_constraint, 0, p), 0);
    w.refuse = 1;
    assert_int_equal(evaluate(k, &w, p), EACH_COLUMN + 1);
    assert_null(k->calls.fault.callback);
    w.refuse = 0;
    assert_same_bits(k, &w, p);
}

CLAIM(what_is_not_a_number_by_columns_is_not_one_by_groups)
{
    world w = plain;
    double p[N];
    rsd_mechanism *k = open_learnt(&w, p, 4);
    w.poison = 1;
    evaluate(k, &w, p);
    assert_true(isnan(k->gp_values[5]));
    assert_true(isfinite(k->gp_values[4]));
    assert_string_equal(k->calls.fault.callback, "constraint");
}

/* A kink is no missing entry: what cannot be explained is learnt when it comes again, and groups go on. */
CLAIM(a_kink_costs_a_few_searches)
{
    world w = plain;
    w.kink = 1e-4;
    rsd_mechanism *k = open_world(&w);
    double p[N];
    uint64_t seed = 5;
    learn(k, &w, p, &seed);
    int searches = 0;
    for (int s = 0; s < 100; s++) {
        walk(p, &seed);
        p[1] = 1e-6 * bench_random(&seed);
        searches += evaluate(k, &w, p) > EACH_COLUMN;
    }
    assert_in_range(searches, 1, 50);
}

/* The same model with its pattern, but without the matrix, learns nothing. */
CLAIM(a_pattern_without_a_matrix_is_taken_for_groups_at_once)
{
    world w = plain;
    rsd_mechanism *k;
    resida_allocator alloc = test_allocator();
    resida_mechanism m = test_mechanism();
    int row[ROWS + 1], col[2 * ROWS];
    for (int i = 0; i <= ROWS; i++) row[i] = 2 * i;
    for (int e = 0; e < 2 * ROWS; e++) col[e] = e / 2 + e % 2;
    m.n_p = m.n_v = N, m.n_g = ROWS, m.user = &w;
    m.residual = residual, m.constraint = constraint;
    m.G_pattern = (resida_pattern){row, col};
    assert_int_equal(rsd_mechanism_create(&k, &m, 0, &alloc, NULL), RESIDA_OK);
    double p[N], full[ROWS * N], values[ROWS * N];
    uint64_t seed = 6;
    walk(p, &seed);
    assert_int_equal(evaluate(k, &w, p), 2 * 2 + 2);
    column_by_column(&w, p, full);
    rsd_csr_copy_to_full(&k->gp, k->gp_values, values);
    assert_memory_equal(values, full, sizeof full);
}
