/* test_bisection.c - large systems without a given pattern: bisection learns it without an error. */
#include <resida/jacobian.h>

#include "test/jacobian/jacobian_fixture.h"

/* F_i = sum over the row of  a sin(y_j) + d yp_j;  an entry may be inactive until t = 1. */
typedef struct entry {
    int row, column;
    double a, d, from; /* there from t = from on */
} entry;

typedef struct sparse_function {
    int n, n_entries, room;
    entry *e;
    int max_moved;            /* F is not possible where more components have moved; 0: it is everywhere */
    int gives_nan;            /* it does not say so, but gives NaN */
    int hidden, hidden_above; /* entry that is hidden where more than this number of components moved; 0: none */
    int is_flat;              /* all components are the same */
    long calls;
    double t, *y, *yp, *F;
} sparse_function;

static int n_moved(const double *x, const double *from, int n)
{
    int moved = 0;
    for (int i = 0; i < n; i++) moved += x[i] != from[i];
    return moved;
}

static int F(double t, const double *y, const double *yp, double *r, void *user)
{
    sparse_function *f = user;
    f->calls++;
    memset(r, 0, (size_t)f->n * sizeof *r);
    const int moved = n_moved(y, f->y, f->n) + n_moved(yp, f->yp, f->n);
    const int is_far = f->max_moved > 0 && moved > f->max_moved;
    if (is_far && !f->gives_nan) return 1;
    for (int k = 0; k < f->n_entries; k++) {
        const entry *e = &f->e[k];
        const int hides = f->hidden_above > 0 && moved > f->hidden_above && k == f->hidden;
        const double x = hides ? f->y[e->column] : y[e->column], xp = hides ? f->yp[e->column] : yp[e->column];
        if (t >= e->from) r[e->row] += e->a * sin(x) + e->d * xp;
    }
    if (is_far) r[f->n / 2] = NAN;
    return 0;
}

static void put(sparse_function *f, int row, int column, double a, double d, double from)
{
    if (f->n_entries == f->room) {
        f->room = 2 * f->room + 16;
        entry *e = claims_zeros((size_t)f->room, sizeof *e);
        if (f->e) memcpy(e, f->e, (size_t)f->n_entries * sizeof *e);
        f->e = e;
    }
    f->e[f->n_entries++] = (entry){row, column, a, d, from};
}

static void open_function(sparse_function *f, int n)
{
    *f = (sparse_function){.n = n, .y = bench_doubles(n), .yp = bench_doubles(n), .F = bench_doubles(n)};
}

static void go_to(sparse_function *f, double t)
{
    f->t = t;
    for (int i = 0; i < f->n; i++) {
        f->y[i] = f->is_flat ? 0.3 : 0.3 * sin(1.7 * i + t);
        f->yp[i] = f->is_flat ? 0.2 : 0.2 * cos(1.1 * i + t);
    }
    F(t, f->y, f->yp, f->F, f);
}

static void band(sparse_function *f, int below, int above)
{
    for (int i = 0; i < f->n; i++)
        for (int c = i - below > 0 ? i - below : 0; c <= i + above && c < f->n; c++)
            put(f, i, c, c == i ? 3 : 1 + 0.5 * sin(3 * i + 5 * c), c == i ? 1 : 0, 0);
}

static resida_jacobian *open_engine(sparse_function *f)
{
    resida_system s;
    resida_system_init(&s);
    s.n = f->n;
    s.F = F;
    s.user = f;
    return open_system(&s, "auto", NULL);
}

static resida_jacobian_counts counts_of(const resida_jacobian *j)
{
    resida_jacobian_counts c;
    assert_int_equal(resida_jacobian_get_counts(j, &c), RESIDA_OK);
    return c;
}

enum { ALPHA = 5 };

static resida_jacobian_point point_of(const sparse_function *f)
{
    return (resida_jacobian_point){.t = f->t, .alpha = ALPHA, .h = 0.2, .y = f->y, .yp = f->yp, .F = f->F};
}

/* J at time t. @return calls of F */
static long evaluate(resida_jacobian *j, sparse_function *f, double t, resida_setup_reason reason)
{
    int current;
    go_to(f, t);
    const resida_jacobian_point at = point_of(f);
    long before = f->calls, counted = counts_of(j).residual_calls;
    assert_int_equal(resida_jacobian_setup(j, reason, &at, &current), 0);
    assert_int_equal(f->calls - before, counts_of(j).residual_calls - counted);
    assert_true(counts_of(j).pattern_calls <= counts_of(j).residual_calls);
    return f->calls - before;
}

/* The same after so many updates that a slow iteration is no sign of missing entries. */
static long evaluate_late(resida_jacobian *j, sparse_function *f, double t)
{
    enum { UPDATES = 5 };
    const resida_jacobian_point at = point_of(f);
    for (int i = 0, current; i < UPDATES; i++)
        assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_ALPHA, &at, &current), 0);
    return evaluate(j, f, t, RESIDA_SETUP_OTHER);
}

/* Every entry is there and right to 1e-6 of the largest, no other one is. */
static void assert_right(const resida_jacobian *j, const sparse_function *f)
{
    resida_jacobian_matrix m;
    int n = 0;
    assert_int_equal(resida_jacobian_get_matrix(j, &m), RESIDA_OK);
    double *column = bench_doubles(f->n);
    for (int c = 0; c < f->n; c++) {
        for (int e = m.start[c]; e < m.start[c + 1]; e++) column[m.row[e]] = m.values[e];
        for (int k = 0; k < f->n_entries; k++) {
            const entry *e = &f->e[k];
            if (e->column != c || f->t < e->from) continue;
            column[e->row] -= e->a * cos(f->y[c]) + ALPHA * e->d;
            n++;
        }
        for (int i = 0; i < f->n; i++) {
            if (!(fabs(column[i]) < 1e-6)) fail_msg("(%d, %d) is off by %g at %g", i, c, column[i], f->t);
            column[i] = 0;
        }
    }
    assert_in_range(m.nnz, n, n + (f->hidden_above > 0)); /* what hid may have looked like an entry elsewhere */
}

CLAIM(the_calls_that_learn_a_band_grow_slowly_with_its_length)
{
    static const struct {
        int n, below, above;
        long most;
    } bands[] = {{500, 1, 1, 200}, {500, 3, 2, 200}, {500, 8, 8, 200}, {5000, 1, 1, 200}, {5000, 3, 2, 200}};
    for (size_t b = 0; b < sizeof bands / sizeof *bands; b++) {
        sparse_function f;
        open_function(&f, bands[b].n);
        band(&f, bands[b].below, bands[b].above);
        resida_jacobian *j = open_engine(&f);
        const long first = evaluate(j, &f, 0, RESIDA_SETUP_FIRST);
        assert_right(j, &f);
        const long second = evaluate(j, &f, 0.3, RESIDA_SETUP_OTHER);
        assert_right(j, &f);
        const long third = evaluate_late(j, &f, 0.6);
        assert_right(j, &f);
        print_message("n = %d, %d + 1 + %d: %ld, %ld, %ld calls, %ld for the pattern\n", bands[b].n, bands[b].below,
                      bands[b].above, first, second, third, counts_of(j).pattern_calls);
        assert_true(first <= bands[b].most && second <= bands[b].most);
        assert_true(third <= bands[b].below + 1 + bands[b].above + 3); /* groups, a check */
        assert_int_equal(counts_of(j).pattern_updates, 0);
    }
}

/* What is learnt, and how often F is called, at first and then. */
static void learn(sparse_function *f, long *first, long *second)
{
    resida_jacobian *j = open_engine(f);
    *first = evaluate(j, f, 0.1, RESIDA_SETUP_FIRST);
    assert_right(j, f);
    *second = evaluate(j, f, 0.3, RESIDA_SETUP_OTHER);
    assert_right(j, f);
    evaluate_late(j, f, 0.6);
    if (counts_of(j).evaluations_partial == 0) assert_right(j, f); /* else some columns are those of before */
}

static double some(uint64_t *seed)
{
    return 1.5 + bench_random(seed);
}

/* A full matrix, arrows with a full row, a full column and both, and entries anywhere: what is lost on dF/dy is a
 * sixteenth of its columns; dF/dyp is diagonal. */
CLAIM(a_pattern_without_bands_is_learnt_at_about_the_cost_of_its_columns)
{
    enum { FULL, ROW, COLUMN, ARROW, ANYWHERE, SHAPES };
    for (int shape = 0; shape < SHAPES; shape++) {
        const int n = shape == FULL ? 140 : 500;
        uint64_t seed = 4711;
        long first, second;
        sparse_function f;
        open_function(&f, n);
        for (int i = 0; i < n; i++) {
            put(&f, i, i, 3, 1, 0);
            for (int c = 0; c < n && shape == FULL; c++)
                if (c != i) put(&f, i, c, some(&seed), 0, 0);
            if ((shape == ROW || shape == ARROW) && i > 0) put(&f, 0, i, some(&seed), 0, 0);
            if ((shape == COLUMN || shape == ARROW) && i > 0 && i < n - 1) put(&f, i, n - 1, some(&seed), 0, 0);
            for (int k = 0; k < 4 && shape == ANYWHERE; k++) /* one in each quarter of the others */
                put(&f, i, (i + 1 + (int)(124 * (k + fabs(bench_random(&seed))))) % n, some(&seed), 0, 0);
        }
        learn(&f, &first, &second);
        print_message("shape %d: %ld, %ld calls\n", shape, first, second);
        assert_true(first <= n + n / 16 + 50 && second <= n + 50);
        if (shape == COLUMN) assert_true(first < n / 4);
    }
}

/* Rows that do not change when all of their columns move alike, and second differences of any order. */
CLAIM(columns_with_opposite_entries_do_not_hide_each_other)
{
    enum { N = 512 };
    static const double weights[][5] = {{1, -1}, {1, -2, 1}, {1, -3, 3, -1}, {1, -4, 6, -4, 1}};
    for (int w = 0; w < 4; w++) {
        sparse_function f;
        long first, second;
        open_function(&f, N);
        f.is_flat = 1;
        for (int i = 0; i < N; i++) {
            for (int k = 0; k <= w + 1; k++)
                if (i + k < N) put(&f, i, i + k, weights[w][k], k == 0, 0);
        }
        for (int k = 0; k < 2; k++) put(&f, N / 2, k == 0 ? 3 : N - 3, k == 0 ? 1 : -1, 0, 0); /* far apart */
        learn(&f, &first, &second);
        assert_true(first <= 200);
    }
}

/* F may be possible where one component has moved, and not where many have. */
CLAIM(where_F_is_not_possible_with_many_components_perturbed_single_columns_are_differenced)
{
    enum { N = 300 };
    static const int most[] = {1, 2, 10, 60};
    for (int gives_nan = 0; gives_nan < 2; gives_nan++)
        for (int k = 0; k < 4; k++) {
            sparse_function f;
            open_function(&f, N);
            band(&f, 1, 1);
            f.max_moved = most[k];
            f.gives_nan = gives_nan;
            resida_jacobian *j = open_engine(&f);
            const long first = evaluate(j, &f, 0.1, RESIDA_SETUP_FIRST);
            assert_right(j, &f);
            assert_true(first <= 2 * N + (most[k] < 3 ? 4 : 40));
        }
}

/* An entry that bisection misses, and that its groups or the pattern check find. */
CLAIM(an_entry_hidden_from_bisection_is_found)
{
    enum { N = 300, ROW = N / 2, MOST = 70, MAX_B = 140 }; /* blocks move 75 and 150, groups fewer */
    for (int in_B = 0; in_B < 2; in_B++)
        for (int column = 3; column < 13; column++) {
            sparse_function f;
            open_function(&f, N);
            band(&f, 1, 1);
            for (int k = 0; k < f.n_entries; k++)
                if (f.e[k].row == ROW) f.e[k].d = 0;
            f.hidden = f.n_entries;
            f.hidden_above = in_B ? MAX_B : MOST;
            put(&f, ROW, column, in_B ? 0 : 2, in_B ? 2 : 0, 0);
            resida_jacobian *j = open_engine(&f);
            const long calls = evaluate(j, &f, 0.1, RESIDA_SETUP_FIRST);
            assert_right(j, &f);
            assert_true(calls > N && calls < 2 * N); /* one of the two column by column */
        }
}

/* Entries that are zero at first, far from all others. */
CLAIM(late_entries_are_found_by_the_check)
{
    enum { N = 400 };
    sparse_function f;
    open_function(&f, N);
    band(&f, 2, 2);
    put(&f, 7, 300, 4, 0, 1);
    put(&f, 200, 20, -5, 0, 1);
    put(&f, 201, 20, 5, 0, 1.5);
    resida_jacobian *j = open_engine(&f);
    evaluate(j, &f, 0, RESIDA_SETUP_FIRST);
    evaluate(j, &f, 0.5, RESIDA_SETUP_OTHER);
    const long calls = evaluate_late(j, &f, 1.2);
    assert_right(j, &f);
    assert_int_equal(counts_of(j).pattern_updates, 1);
    assert_true(calls < N / 2);
    evaluate_late(j, &f, 1.7);
    assert_right(j, &f);
    assert_int_equal(counts_of(j).pattern_updates, 2);
}

/* A slow iteration soon after an evaluation searches for entries that the check tolerates; a caller who knows of
 * some, for all. */
CLAIM(smaller_entries_are_found_on_request)
{
    enum { N = 400 };
    for (int is_requested = 0; is_requested < 2; is_requested++) {
        sparse_function f;
        open_function(&f, N);
        band(&f, 2, 2);
        resida_jacobian *j = open_engine(&f);
        evaluate(j, &f, 0, RESIDA_SETUP_FIRST);
        evaluate(j, &f, 0.5, RESIDA_SETUP_OTHER);
        put(&f, 7, 300, is_requested ? 1e-4 : 0.02, 0, 1);
        evaluate_late(j, &f, 1.2);
        assert_int_equal(counts_of(j).pattern_updates, 0);
        if (is_requested) assert_int_equal(resida_jacobian_request(j, RESIDA_REQUEST_PATTERN), RESIDA_OK);
        evaluate(j, &f, 1.3, RESIDA_SETUP_OTHER);
        assert_int_equal(counts_of(j).pattern_updates, 1);
        assert_right(j, &f);
    }
}

/* Two entries that come together, of dF/dy and, elsewhere, of dF/dyp. */
CLAIM(a_late_entry_of_dF_dyp_is_found_with_those_of_dF_dy)
{
    enum { N = 400 };
    sparse_function f;
    open_function(&f, N);
    band(&f, 2, 2);
    put(&f, 7, 300, 4, 0, 1);
    put(&f, 100, 200, 0, 2, 1);
    resida_jacobian *j = open_engine(&f);
    evaluate(j, &f, 0, RESIDA_SETUP_FIRST);
    evaluate(j, &f, 0.5, RESIDA_SETUP_OTHER);
    evaluate_late(j, &f, 1.2);
    assert_right(j, &f);
}
