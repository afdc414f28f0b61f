/* test_rank.c - redundant constraints are found and named right in all of many random matrices, whose deficiency is
 * known because it was built in, and of some whose redundant rows are known by number.
 *
 * Named right means: as many rows as the deficiency; without them the rank is full (checked by another method in long
 * double); each named row is the combination of the others that is reported. A row counts as redundant when less than
 * 1e-8 of it is new, so what was moved by 1e-10 is, what was moved by 1e-5 is not. */
#include "base/linear/rank.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/oracle.h"

#define TOLERANCE 1e-8

enum { TRIALS = 600, MAX_ROWS = 40, MAX_COLS = 60, N_WAYS = 7 };

/* How a row is made from the rows before it. */
typedef enum way { FRESH, DUPLICATE, COMBINATION, NEAR, SCALED, ZERO, APART } way;
static const char *const way_names[N_WAYS] = {"independent",   "duplicate", "combination",  "moved by 1e-10",
                                              "scaled by 1e6", "zero",      "moved by 1e-5"};

/* A matrix A [rows x cols] row by row whose deficiency is known. */
typedef struct subject {
    int rows, cols, deficiency;
    int exact; /* redundant rows are so to rounding */
    double A[MAX_ROWS * MAX_COLS];
    int n_ways[N_WAYS];
} subject;

static double norm(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

static void fill_random(int n, double *x, uint64_t *seed)
{
    for (int i = 0; i < n; i++) x[i] = bench_random(seed);
}

/* row = what the way says, of the `independent` first rows. */
static void fill_row(subject *s, way how, int independent, double *row, uint64_t *seed)
{
    const double *one = s->A + (long)bench_between(seed, 0, independent > 0 ? independent - 1 : 0) * s->cols;
    double direction[MAX_COLS];
    fill_random(s->cols, direction, seed);
    double apart = (how == NEAR ? 1e-10 : how == APART ? 1e-5 : 0) * norm(s->cols, one) / norm(s->cols, direction);
    double factor = how == SCALED ? (bench_between(seed, 0, 1) ? 1e6 : 1e-6) : 1;
    for (int j = 0; j < s->cols; j++) row[j] = factor * one[j] + apart * direction[j];
    if (how == FRESH) memcpy(row, direction, sizeof direction);
    if (how == ZERO || how == COMBINATION) memset(row, 0, (size_t)s->cols * sizeof *row);
    for (int i = 0; how == COMBINATION && i < independent; i++) {
        double c = bench_between(seed, 0, 2) ? 2 * bench_random(seed) : 0;
        for (int j = 0; j < s->cols; j++) row[j] += c * s->A[(long)i * s->cols + j];
    }
}

static void swap_rows(subject *s, int i, int k)
{
    for (int j = 0; j < s->cols; j++) {
        double *a = &s->A[(long)i * s->cols + j], *b = &s->A[(long)k * s->cols + j], old = *a;
        *a = *b;
        *b = old;
    }
}

/* Independent rows first (fresh ones and, at most once in a matrix, one that is almost another), then dependent ones,
 * then all in random order with random factors bench_between 1e-3 and 1e3. */
static void make_subject(subject *s, uint64_t *seed)
{
    *s = (subject){.rows = bench_between(seed, 1, MAX_ROWS), .cols = bench_between(seed, 1, MAX_COLS), .exact = 1};
    int most = s->rows < s->cols ? s->rows : s->cols;
    int independent = bench_between(seed, most > 1 ? most / 2 : 1, most),
        apart = independent > 1 && bench_between(seed, 0, 3) == 0;
    for (int i = 0; i < s->rows; i++) {
        way how = i < independent ? (apart && i == independent - 1 ? APART : FRESH) : (way)bench_between(seed, 1, 5);
        fill_row(s, how, i < independent ? i : independent, s->A + (long)i * s->cols, seed);
        s->n_ways[how]++;
        s->exact &= how != NEAR;
    }
    s->deficiency = s->rows - independent;
    for (int i = s->rows - 1; i > 0; i--) swap_rows(s, i, bench_between(seed, 0, i));
    for (int i = 0; i < s->rows; i++) {
        double factor = pow(10, 3 * bench_random(seed));
        for (int j = 0; j < s->cols; j++) s->A[(long)i * s->cols + j] *= factor;
    }
}

static rsd_rank create(int rows, int cols)
{
    resida_allocator alloc = rsd_allocator(NULL);
    resida_message why = {""};
    rsd_rank r;
    assert_int_equal(rsd_rank_create(&r, rows, cols, &alloc, &why), RESIDA_OK);
    assert_int_equal(rsd_rank_allocate_Q(&r, &alloc, &why), RESIDA_OK);
    return r;
}

static void release(rsd_rank *r)
{
    resida_allocator alloc = rsd_allocator(NULL);
    rsd_rank_free(r, &alloc);
}

/* The numbers of named rows rise, and perm holds every row once. */
static void check_lists(const rsd_rank *r)
{
    int seen[MAX_ROWS] = {0};
    assert_int_equal(r->rank + r->n_redundant, r->n_l);
    for (int k = 0; k < r->n_l; k++) seen[r->perm[k]]++;
    for (int k = 0; k < r->n_l; k++) assert_int_equal(seen[k], 1);
    for (int i = 1; i < r->n_redundant; i++) assert_true(r->redundant[i] > r->redundant[i - 1]);
}

static int rank_without_named_rows(const subject *s, const rsd_rank *r)
{
    double *rest = bench_doubles((long)s->rows * s->cols);
    int kept = 0;
    for (int i = 0, named = 0; i < s->rows; i++) {
        if (named < r->n_redundant && r->redundant[named] == i) {
            named++;
            continue;
        }
        memcpy(rest + (long)kept++ * s->cols, s->A + (long)i * s->cols, (size_t)s->cols * sizeof *rest);
    }
    int rank = oracle_rank(kept, s->cols, rest, TOLERANCE);
    return rank;
}

/* Largest part of a named row that its combination does not reproduce, relative to the terms of the sum. */
static double miss(const subject *s, rsd_rank *r, int i)
{
    const double *c = rsd_rank_compute_combination(r, i), *row = s->A + (long)r->redundant[i] * s->cols;
    double worst = 0, size = norm(s->cols, row);
    for (int q = 0; q < r->rank; q++) size += fabs(c[q]) * norm(s->cols, s->A + (long)r->perm[q] * s->cols);
    for (int j = 0; j < s->cols; j++) {
        double sum = 0;
        for (int q = 0; q < r->rank; q++) sum += c[q] * s->A[(long)r->perm[q] * s->cols + j];
        worst = fmax(worst, fabs(sum - row[j]));
    }
    return size > 0 ? worst / size : worst;
}

CLAIM(redundant_rows_of_random_matrices_are_named_right_in_all_cases)
{
    uint64_t seed = 12;
    int right = 0, named = 0, ways[N_WAYS] = {0};
    double worst_exact = 0, worst_near = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        subject *s = claims_zeros(1, sizeof *s);
        assert_non_null(s);
        make_subject(s, &seed);
        rsd_rank r = create(s->rows, s->cols);
        rsd_rank_compute_rank(&r, s->A, TOLERANCE);
        check_lists(&r);
        right += r.n_redundant == s->deficiency && rank_without_named_rows(s, &r) == r.rank;
        named += r.n_redundant;
        for (int i = 0; i < r.n_redundant; i++) {
            double *worst = s->exact ? &worst_exact : &worst_near;
            *worst = fmax(*worst, miss(s, &r, i));
        }
        for (int w = 0; w < N_WAYS; w++) ways[w] += s->n_ways[w];
        release(&r);
    }
    print_message("%d of %d matrices right, %d rows named; rows:", right, TRIALS, named);
    for (int w = 0; w < N_WAYS; w++) print_message(" %d %s%s", ways[w], way_names[w], w + 1 < N_WAYS ? "," : "\n");
    print_message("combinations reproduce their rows to %.1e (exact), %.1e (moved by 1e-10)\n", worst_exact,
                  worst_near);
    assert_int_equal(right, TRIALS);
    for (int w = 0; w < N_WAYS; w++) assert_true(ways[w] >= 50);
    assert_true(worst_exact < 100 * DBL_EPSILON);
    assert_true(worst_near < TOLERANCE);
}

/* Rank and named rows of a small matrix; says[] is closed by -1. */
static void check_named(int rows, int cols, const double *A, double tolerance, const int *says)
{
    rsd_rank r = create(rows, cols);
    rsd_rank_compute_rank(&r, A, tolerance);
    int n = 0;
    while (says[n] >= 0) n++;
    assert_int_equal(r.n_redundant, n);
    for (int i = 0; i < n; i++) assert_int_equal(r.redundant[i], says[i]);
    release(&r);
}

CLAIM(the_later_one_of_equal_rows_is_named)
{
    uint64_t seed = 5;
    for (int trial = 0; trial < 100; trial++) {
        double A[MAX_ROWS * MAX_COLS];
        int half = bench_between(&seed, 1, MAX_ROWS / 2), says[MAX_ROWS / 2 + 1],
            cols = bench_between(&seed, half, MAX_COLS);
        fill_random(half * cols, A, &seed);
        memcpy(A + (long)half * cols, A, (size_t)(half * cols) * sizeof *A);
        for (int i = 0; i < half; i++) says[i] = half + i;
        says[half] = -1;
        check_named(2 * half, cols, A, TOLERANCE, says);
    }
}

CLAIM(the_tolerance_determines_which_rows_are_redundant)
{
    const int none[] = {-1}, second[] = {1, -1};
    const double apart[] = {1e-10, 1e-9, 1e-7, 1e-5};
    for (int i = 0; i < 4; i++) {
        const double A[] = {1, 0, 0, 1, apart[i], 0};
        check_named(2, 3, A, TOLERANCE, i < 2 ? second : none);
        check_named(2, 3, A, 1e-11, none);
        check_named(2, 3, A, 1e-4, second);
    }
}

/* Units of a constraint must not matter: 1e-200 m and 1e200 m. */
CLAIM(the_size_of_a_row_does_not_matter)
{
    const double A[] = {1e-200, 2e-200, 0, 1e200, 0, 3e200, 2e-200, 4e-200, 0, 2e200, 2e200, 3e200};
    check_named(4, 3, A, TOLERANCE, (const int[]){2, 3, -1});
}

CLAIM(zero_rows_are_named_and_follow_from_nothing)
{
    const double A[] = {0, 0, 1, 2, 0, 0};
    rsd_rank r = create(3, 2);
    rsd_rank_compute_rank(&r, A, TOLERANCE);
    assert_int_equal(r.rank, 1);
    assert_int_equal(r.redundant[0], 0);
    assert_int_equal(r.redundant[1], 2);
    for (int i = 0; i < 2; i++) assert_true(rsd_rank_compute_combination(&r, i)[0] == 0);
    release(&r);
    check_named(2, 2, (const double[4]){0}, TOLERANCE, (const int[]){0, 1, -1});
}

CLAIM(no_row_at_all_has_rank_zero)
{
    check_named(0, 4, NULL, TOLERANCE, (const int[]){-1});
}

/* A is overwritten by its factor. */
CLAIM(a_matrix_in_the_work_space_is_factored_in_place)
{
    const double A[] = {1, 0, 0, 2, 1, 0, 3, 1, 0}; /* row 2 = row 0 + row 1 */
    rsd_rank r = create(3, 3);
    for (int i = 0; i < 2; i++) {
        memcpy(r.Q, A, sizeof A);
        rsd_rank_compute_rank(&r, r.Q, TOLERANCE);
        assert_int_equal(r.rank, 2);
        assert_int_equal(r.n_redundant, 1);
        assert_true(r.scale[2] == sqrt(10));
    }
    rsd_rank_set_full(&r, r.n_l);
    assert_int_equal(r.rank, 3);
    assert_int_equal(r.n_redundant, 0);
    for (int i = 0; i < 3; i++) assert_int_equal(r.perm[i], i);
    release(&r);
}
