/* Broyden's pairs on top of factors: finite termination on linear systems, the secant equation, and what becomes of
 * pairs when J is factored anew, when there are too many, and when they contradict J.
 *
 * The oracle keeps a full matrix and updates it by B += (F_after - F_before - B s) v', v = W^2 s / |W s|^2, in long
 * double; and solves with it by another method. */
#include "src/newton/secant.h"

#include "linear_fixture.h"
#include "src/base/memory.h"
#include "test/fixtures/oracle.h"
#include "test/fixtures/rationed.h"

enum { MOST_PAIRS = 16, N_SIZES = 4, MOST_N = 100, MOST_RANK = 8, MOST_STEPS = 500 };
#define ROUNDING 1e-10 /* of well-conditioned systems with a few corrections */
#define SHIFT    3.0   /* the diagonal of J: well above the sum of a row besides it */

static const int sizes[N_SIZES] = {5, 12, 40, MOST_N};

/* J sparse, factored; B [n x n] row by row: J with the corrections of the oracle. */
typedef struct rig {
    int n;
    sparse_matrix J;
    rsd_linear_solver *linear;
    rsd_secant *secant;
    resida_allocator alloc;
    uint64_t seed;
    double *w; /* [n] weights of the norm */
    long double *B;
} rig;

/* J: the pattern is random, with a full diagonal; rows sum up to less than it. */
static sparse_matrix random_J(int n, uint64_t *seed)
{
    sparse_matrix some = sparse_random(n, 3.0 / n, seed), J = {.n = n};
    double *full = bench_doubles((long)n * n);
    sparse_to_full(&some, full);
    J.col_start = calloc((size_t)n + 1, sizeof(int));
    J.row = calloc((size_t)(some.nnz + n), sizeof(int));
    J.values = bench_doubles(some.nnz + n);
    assert_true(J.col_start && J.row);
    for (int c = 0; c < n; c++) {
        for (int i = 0; i < n; i++) {
            double value = i == c ? SHIFT + full[c * n + i] : full[c * n + i] / 4;
            if (value == 0) continue;
            J.row[J.nnz] = i;
            J.values[J.nnz++] = value;
        }
        J.col_start[c + 1] = J.nnz;
    }
    sparse_free(&some);
    free(full);
    return J;
}

static void add_J(rig *r, long double factor)
{
    for (int c = 0; c < r->n; c++)
        for (int e = r->J.col_start[c]; e < r->J.col_start[c + 1]; e++)
            r->B[r->J.row[e] * r->n + c] += factor * r->J.values[e];
}

static void open_rig(rig *r, int n, const char *kind, uint64_t seed)
{
    *r = (rig){.n = n, .seed = seed, .alloc = rsd_allocator(NULL)};
    r->J = random_J(n, &r->seed);
    r->linear = linear_open(&r->J, kind);
    assert_int_equal(rsd_linear_factor(r->linear, r->J.values), 0);
    assert_int_equal(rsd_secant_create(&r->secant, n, r->linear, &r->alloc), RESIDA_OK);
    assert_int_equal(rsd_secant_pairs(r->secant), 0);
    r->w = bench_doubles(n);
    for (int i = 0; i < n; i++) r->w[i] = pow(10, bench_random(&r->seed));
    r->B = calloc((size_t)n * (size_t)n, sizeof *r->B);
    assert_non_null(r->B);
    add_J(r, 1);
}

static void close_rig(rig *r)
{
    rsd_secant_free(r->secant);
    rsd_linear_free(r->linear);
    sparse_free(&r->J);
    free(r->w);
    free(r->B);
}

static void fill(rig *r, double *x)
{
    for (int i = 0; i < r->n; i++) x[i] = bench_random(&r->seed);
}

/* x = (J + U V')^-1 x */
static void solve(rig *r, double *x)
{
    rsd_linear_solve(r->linear, 1, x);
    rsd_secant_correct(r->secant, x);
}

/* Largest difference of x from y, over the largest component of y. */
static double off(int n, const double *x, const double *y)
{
    double error = 0;
    for (int i = 0; i < n; i++) {
        assert_true(isfinite(x[i]));
        error = fmax(error, fabs(x[i] - y[i]));
    }
    return error / bench_largest(n, y);
}

/* The oracle's update: B s = F_after - F_before from now on. */
static void learn_too(rig *r, const double *s, const double *F_before, const double *F_after)
{
    long double size = 0;
    for (int i = 0; i < r->n; i++) size += (long double)r->w[i] * s[i] * r->w[i] * s[i];
    for (int i = 0; i < r->n; i++) {
        long double lacks = (long double)F_after[i] - F_before[i];
        for (int c = 0; c < r->n; c++) lacks -= r->B[i * r->n + c] * s[c];
        for (int c = 0; c < r->n; c++) r->B[i * r->n + c] += lacks * r->w[c] * r->w[c] * s[c] / size;
    }
}

/* Solves for random right-hand sides are those with B. */
static void check_solves(rig *r, double tolerance)
{
    long double b[MOST_N], exact[MOST_N];
    double x[MOST_N], y[MOST_N];
    for (int trial = 0; trial < 3; trial++) {
        fill(r, x);
        for (int i = 0; i < r->n; i++) b[i] = x[i];
        assert_true(oracle_solve(r->n, r->B, b, exact));
        for (int i = 0; i < r->n; i++) y[i] = (double)exact[i];
        solve(r, x);
        double error = off(r->n, x, y);
        if (!(error <= tolerance)) fail_msg("n = %d: a solve is off by %.1e", r->n, error);
    }
}

/* A = J + P Q': what the iteration sees. P, Q [n x rank] */
typedef struct truth {
    int rank;
    double P[MOST_RANK * MOST_N], Q[MOST_RANK * MOST_N];
} truth;

/* P = J Z, with columns of Z that have no row in common, and Q so that J^-1 P Q' has the eigenvalues 0.8, -0.76, 0.72
 * ..: at such a rate the iteration goes without corrections. */
static truth random_truth(rig *r, int rank)
{
    truth A = {.rank = rank};
    double z[MOST_N];
    for (int k = 0; k < rank; k++) {
        double size = 0, rate = (k % 2 ? -0.8 : 0.8) * (1 - 0.05 * k);
        fill(r, z);
        for (int i = 0; i < r->n; i++) z[i] = i % rank == k ? z[i] : 0;
        for (int i = 0; i < r->n; i++) size += z[i] * z[i];
        sparse_times(&r->J, z, A.P + k * r->n);
        for (int i = 0; i < r->n; i++) A.Q[k * r->n + i] = rate * z[i] / size;
    }
    return A;
}

/* F = A y - b */
static void residual(const rig *r, const truth *A, const double *y, const double *b, double *F)
{
    sparse_times(&r->J, y, F);
    for (int i = 0; i < r->n; i++) F[i] -= b[i];
    for (int k = 0; k < A->rank; k++) {
        double q = 0;
        for (int i = 0; i < r->n; i++) q += A->Q[k * r->n + i] * y[i];
        for (int i = 0; i < r->n; i++) F[i] += A->P[k * r->n + i] * q;
    }
}

/* Steps of y -= (J + U V')^-1 F until F is rounding of what it was. */
static int steps(rig *r, const truth *A, int learn)
{
    double y[MOST_N] = {0}, b[MOST_N], F[MOST_N], before[MOST_N], s[MOST_N];
    int n = 0;
    fill(r, b);
    residual(r, A, y, b, F);
    double first = bench_largest(r->n, F);
    while (bench_largest(r->n, F) > ROUNDING * first && n < MOST_STEPS) {
        for (int i = 0; i < r->n; i++) s[i] = -F[i];
        solve(r, s);
        for (int i = 0; i < r->n; i++) y[i] += s[i];
        memcpy(before, F, (size_t)r->n * sizeof *F);
        residual(r, A, y, b, F);
        n++;
        if (learn) rsd_secant_learn(r->secant, r->w, s, 1, before, F);
    }
    return n;
}

static void learning_converges_within_two_steps_for_each_rank(void **state)
{
    (void)state;
    static const int ranks[] = {1, 2, 4, 8};
    for (int kind = 0; kind < LINEAR_KINDS; kind++)
        for (int i = 0; i < N_SIZES; i++)
            for (int k = 0; k < 4 && 2 * ranks[k] <= sizes[i]; k++) {
                rig r;
                open_rig(&r, sizes[i], linear_kinds[kind], 20 + (uint64_t)i);
                truth A = random_truth(&r, ranks[k]);
                int without = steps(&r, &A, 0), with = steps(&r, &A, 1);
                print_message("  %-5s n = %3d, rank %d: %2d steps, without learning %3d\n", linear_kinds[kind], r.n,
                              ranks[k], with, without);
                assert_true(with <= 2 * ranks[k] + 2);
                assert_true(without >= 2 * with && without < MOST_STEPS);
                assert_int_equal(rsd_secant_pairs(r.secant), with < MOST_PAIRS ? with : MOST_PAIRS);
                close_rig(&r);
            }
}

/* A step that the solver takes from a random F of that size, with the factor c, to another random F. */
static void learn_random(rig *r, double size, double c, double *s, double *F_before, double *F_after)
{
    fill(r, F_before);
    fill(r, F_after);
    for (int i = 0; i < r->n; i++) F_before[i] *= size, F_after[i] *= size;
    for (int i = 0; i < r->n; i++) s[i] = -c * F_before[i];
    solve(r, s);
    rsd_secant_learn(r->secant, r->w, s, c, F_before, F_after);
    learn_too(r, s, F_before, F_after);
}

/* With pairs in it J + U V' takes the newest step to the change of F, whatever part of it was a correction; and is the
 * oracle's B. */
static void the_newest_step_is_explained_and_all_else_is_as_broyden_has_it(void **state)
{
    (void)state;
    for (int kind = 0; kind < LINEAR_KINDS; kind++)
        for (int i = 0; i < N_SIZES; i++) {
            rig r;
            double worst = 0;
            open_rig(&r, sizes[i], linear_kinds[kind], 30 + (uint64_t)i);
            double s[MOST_N], before[MOST_N], after[MOST_N], x[MOST_N];
            for (int k = 1; k <= 5; k++) {
                learn_random(&r, 1, k % 2 ? 1 : 0.7 + 0.1 * k, s, before, after);
                assert_int_equal(rsd_secant_pairs(r.secant), k);
                for (int c = 0; c < r.n; c++) x[c] = after[c] - before[c];
                solve(&r, x);
                worst = fmax(worst, off(r.n, x, s));
                check_solves(&r, 1e-8);
            }
            print_message("  n = %3d: the newest steps come out to %.1e\n", r.n, worst);
            assert_true(worst < 1e-8);
            close_rig(&r);
        }
}

/* As an iteration converges its steps become short, and those of the next attempt are long again. */
static void pairs_of_long_and_of_short_steps_go_together(void **state)
{
    (void)state;
    static const double lengths[] = {1, 1e-3, 1e-6, 1, 1e-5, 1e-7};
    for (int i = 0; i < N_SIZES; i++) {
        rig r;
        open_rig(&r, sizes[i], "dense", 35 + (uint64_t)i);
        double s[MOST_N], before[MOST_N], after[MOST_N];
        for (int k = 0; k < 6; k++) {
            learn_random(&r, lengths[k], 1, s, before, after);
            check_solves(&r, 1e-8);
            assert_int_equal(rsd_secant_pairs(r.secant), k + 1);
        }
        close_rig(&r);
    }
}

/* J moves by more than alpha moves it; what the iteration has told stays. */
static void pairs_outlive_new_factors(void **state)
{
    (void)state;
    enum { PAIRS = 4 };
    for (int kind = 0; kind < LINEAR_KINDS; kind++)
        for (int i = 0; i < N_SIZES; i++) {
            rig r;
            open_rig(&r, sizes[i], linear_kinds[kind], 40 + (uint64_t)i);
            double s[MOST_N], before[MOST_N], after[MOST_N];
            for (int k = 0; k < PAIRS; k++) learn_random(&r, 1, 1, s, before, after);
            for (int alpha = 2; alpha <= 3; alpha++) {
                add_J(&r, -1);
                for (int e = 0; e < r.J.nnz; e++) r.J.values[e] *= alpha;
                add_J(&r, 1);
                assert_int_equal(rsd_linear_factor(r.linear, r.J.values), 0);
                rsd_secant_refactored(r.secant);
                check_solves(&r, 1e-8);
                assert_int_equal(rsd_secant_pairs(r.secant), PAIRS);
            }
            close_rig(&r);
        }
}

/* Step k is along e_k, so that pairs do not touch each other's steps: B e_k is the change of F as long as pair k is
 * there, J e_k before and after. */
static void learn_along(rig *r, int k, const double *change)
{
    double *s = bench_doubles(r->n), *before = bench_doubles(r->n), *after = bench_doubles(r->n);
    s[k] = 1;
    for (int e = r->J.col_start[k]; e < r->J.col_start[k + 1]; e++) before[r->J.row[e]] = -r->J.values[e];
    for (int i = 0; i < r->n; i++) after[i] = before[i] + change[i];
    rsd_secant_learn(r->secant, r->w, s, 1, before, after);
    free(s);
    free(before);
    free(after);
}

/* Does solving for `change` give e_k? */
static int is_explained(rig *r, int k, const double *change)
{
    double *x = bench_doubles(r->n), *unit = bench_doubles(r->n);
    unit[k] = 1;
    memcpy(x, change, (size_t)r->n * sizeof *x);
    solve(r, x);
    int is = off(r->n, x, unit) < 1e-8;
    free(x);
    free(unit);
    return is;
}

static void when_there_are_too_many_the_oldest_go(void **state)
{
    (void)state;
    enum { N = 40, EXTRA = 7 };
    rig r;
    open_rig(&r, N, "dense", 50);
    double changes[MOST_PAIRS + EXTRA][N];
    for (int k = 0; k < MOST_PAIRS + EXTRA; k++) {
        fill(&r, changes[k]);
        for (int i = 0; i < N; i++) changes[k][i] *= 0.5;
        changes[k][k] += SHIFT;
        learn_along(&r, k, changes[k]);
        assert_int_equal(rsd_secant_pairs(r.secant), k < MOST_PAIRS ? k + 1 : MOST_PAIRS);
        for (int old = 0; old <= k; old++) assert_int_equal(is_explained(&r, old, changes[old]), old > k - MOST_PAIRS);
    }
    /* Each kept one survives new factors, in whatever column it is. */
    rsd_secant_refactored(r.secant);
    for (int k = EXTRA; k < MOST_PAIRS + EXTRA; k++) assert_true(is_explained(&r, k, changes[k]));
    close_rig(&r);
}

/* The oldest pair goes while the newest step was solved for with it. */
static void the_newest_step_is_explained_when_an_old_one_goes(void **state)
{
    (void)state;
    rig r;
    open_rig(&r, 40, "klu", 55);
    double s[40], before[40], after[40];
    for (int k = 0; k < 2 * MOST_PAIRS; k++) {
        learn_random(&r, 1, 1, s, before, after);
        for (int i = 0; i < 40; i++) after[i] -= before[i];
        solve(&r, after);
        double error = off(40, after, s);
        if (!(error < 1e-8)) fail_msg("step %d comes out to %.1e", k, error);
    }
    close_rig(&r);
}

static void large_systems_keep_fewer_pairs_but_two(void **state)
{
    (void)state;
    static const struct {
        int n, most;
    } known[] = {{8000, 16}, {20000, 6}, {60000, 2}, {200000, 2}};
    for (int i = 0; i < 4; i++) {
        rig r = {.n = known[i].n, .J = sparse_bidiagonal(known[i].n), .alloc = rsd_allocator(NULL)};
        r.linear = linear_open(&r.J, "klu");
        assert_int_equal(rsd_linear_factor(r.linear, r.J.values), 0);
        assert_int_equal(rsd_secant_create(&r.secant, r.n, r.linear, &r.alloc), RESIDA_OK);
        r.w = bench_doubles(r.n);
        for (int c = 0; c < r.n; c++) r.w[c] = 1;
        double *change = bench_doubles(r.n);
        for (int k = 0; k < known[i].most + 3; k++) {
            memset(change, 0, (size_t)r.n * sizeof *change);
            change[k] = 3; /* in place of 2 and 1 below */
            learn_along(&r, k, change);
        }
        assert_int_equal(rsd_secant_pairs(r.secant), known[i].most);
        assert_true(is_explained(&r, known[i].most + 2, change));
        free(change);
        close_rig(&r);
    }
}

/* Solves are those by the factors alone, bit for bit. */
static void check_plain(rig *r)
{
    double x[MOST_N], y[MOST_N];
    fill(r, x);
    memcpy(y, x, (size_t)r->n * sizeof *y);
    rsd_linear_solve(r->linear, 1, y);
    solve(r, x);
    assert_memory_equal(x, y, (size_t)r->n * sizeof *x);
    assert_int_equal(rsd_secant_pairs(r->secant), 0);
}

static void what_is_forgotten_is_gone(void **state)
{
    (void)state;
    rig r;
    open_rig(&r, 12, "klu", 60);
    double s[12], before[12], after[12];
    check_plain(&r);
    for (int k = 1; k <= 20; k++) { /* fewer pairs than fit, and more */
        for (int i = 0; i < k; i++) learn_random(&r, 1, 1, s, before, after);
        rsd_secant_forget(r.secant);
        check_plain(&r);
    }
    memset(r.B, 0, sizeof *r.B * 12 * 12);
    add_J(&r, 1);
    for (int k = 0; k < 3; k++) learn_random(&r, 1, 1, s, before, after);
    check_solves(&r, 1e-8);
    close_rig(&r);
}

/* A step along which F does not change at all: (J + U V')s = 0. */
static void pairs_that_make_J_singular_are_dropped_all(void **state)
{
    (void)state;
    for (int already = 0; already <= 3; already += 3) {
        rig r;
        open_rig(&r, 12, "dense", 70);
        double s[12], before[12], after[12];
        for (int k = 0; k < already; k++) learn_random(&r, 1, 1, s, before, after);
        fill(&r, before);
        for (int i = 0; i < 12; i++) s[i] = -before[i];
        solve(&r, s);
        rsd_secant_learn(r.secant, r.w, s, 1, before, before);
        assert_int_equal(rsd_secant_pairs(r.secant), already + 1);
        solve(&r, s);
        check_plain(&r);
        close_rig(&r);
    }
}

static void steps_of_no_size_teach_nothing(void **state)
{
    (void)state;
    static const double none[] = {0, 1e-200, NAN, INFINITY};
    rig r;
    open_rig(&r, 12, "dense", 80);
    double s[12], before[12], after[12], x[12], y[12];
    for (int k = 0; k < 3; k++) learn_random(&r, 1, 1, s, before, after);
    fill(&r, x);
    memcpy(y, x, sizeof y);
    solve(&r, y);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 12; i++) s[i] = k < 2 ? none[k] : i == 5 ? none[k] : 1;
        rsd_secant_learn(r.secant, r.w, s, 1, before, after);
        assert_int_equal(rsd_secant_pairs(r.secant), 3);
        double again[12];
        memcpy(again, x, sizeof again);
        solve(&r, again);
        assert_memory_equal(again, y, sizeof y);
    }
    close_rig(&r);
}

static void nothing_is_kept_when_memory_ends(void **state)
{
    (void)state;
    enum { BLOCKS = 7 };
    rig r;
    open_rig(&r, 12, "dense", 90);
    for (int left = 0; left <= BLOCKS; left++) {
        rationed supply = {.left = left};
        resida_allocator alloc = rationed_allocator(&supply);
        rsd_secant *q = r.secant;
        assert_int_equal(rsd_secant_create(&q, 12, r.linear, &alloc), left < BLOCKS ? RESIDA_ERR_MEMORY : RESIDA_OK);
        assert_int_equal(q != NULL, left == BLOCKS);
        rsd_secant_free(q);
        assert_int_equal(supply.out, 0);
    }
    close_rig(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learning_converges_within_two_steps_for_each_rank),
        cmocka_unit_test(the_newest_step_is_explained_and_all_else_is_as_broyden_has_it),
        cmocka_unit_test(pairs_of_long_and_of_short_steps_go_together),
        cmocka_unit_test(pairs_outlive_new_factors),
        cmocka_unit_test(when_there_are_too_many_the_oldest_go),
        cmocka_unit_test(the_newest_step_is_explained_when_an_old_one_goes),
        cmocka_unit_test(large_systems_keep_fewer_pairs_but_two),
        cmocka_unit_test(what_is_forgotten_is_gone),
        cmocka_unit_test(pairs_that_make_J_singular_are_dropped_all),
        cmocka_unit_test(steps_of_no_size_teach_nothing),
        cmocka_unit_test(nothing_is_kept_when_memory_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
