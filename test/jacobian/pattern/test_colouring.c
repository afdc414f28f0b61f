/* test_colouring.c - groups of columns are consistent: no two columns of a group have a row in common. 1,000 random
 * patterns by every method, against an independent check that compares all pairs of columns; patterns whose fewest
 * groups are known; the same groups and not a byte printed in fresh processes with 1, 2 and 8 threads of OpenMP; what
 * it costs. */
#include "colouring_fixture.h"

#include <limits.h>
#include <malloc.h>
#include <time.h>

#include "test/fixtures/rationed.h"

enum { TRIALS = 1000, MOST = SUBJECT_MAX, MAX_METHODS = 16 };

static const char *program; /* this one */

static void check_groups(const pattern_subject *p, const rsd_sparsity *s, const rsd_colouring *c)
{
    int met = -1, listed = 0; /* groups met so far; columns listed */
    assert_int_equal(c->cols, p->cols);
    for (int i = 0; i < p->cols; i++) {
        assert_int_equal(c->group[i] == -1, p->skip[i]);
        assert_in_range(c->group[i] + 1, 0, c->n_groups);
        assert_true(c->group[i] <= met + 1);
        if (c->group[i] > met) met = c->group[i];
        if (!p->skip[i] && subject_is_empty(p, i)) assert_int_equal(c->group[i], 0);
    }
    assert_int_equal(c->n_groups, met + 1);
    for (int g = 0; g < c->n_groups; g++) {
        assert_int_equal(c->start[g], listed);
        for (int i = 0; i < p->cols; i++)
            if (c->group[i] == g) assert_int_equal(c->columns[listed++], i);
        assert_int_equal(c->start[g + 1], listed);
    }
    assert_true(subject_is_apart(p, c->group));
    assert_int_equal(c->bound, subject_fullest_row(p));
    assert_true(c->n_groups >= c->bound);
    assert_true(verdict(c, s));
}

/* --- random patterns --- */

typedef struct totals {
    long bound, best, colpack, greedy; /* groups */
    int at_bound, colpack_fewer, greedy_fewer;
    int is_best[MAX_METHODS]; /* patterns for which a method found no more groups than any other */
} totals;

/* Every method by itself, and all together: the best is the first with the fewest. */
static void try_methods(const pattern_subject *p, totals *sum)
{
    rsd_sparsity s = pattern_of(p);
    int found[MAX_METHODS], fewest = p->cols + 1, first = -1, colpack = p->cols + 1, greedy = p->cols + 1;
    for (int m = 0; rsd_colouring_get_method(m); m++) {
        const char *name = rsd_colouring_get_method(m);
        rsd_colouring c = colour(&s, p->skip, name);
        assert_string_equal(c.method, name);
        check_groups(p, &s, &c);
        found[m] = c.n_groups;
        if (found[m] < fewest) fewest = found[m], first = m;
        if (strncmp(name, "colpack", 7) == 0 && found[m] < colpack) colpack = found[m];
        if (strncmp(name, "greedy", 6) == 0 && found[m] < greedy) greedy = found[m];
        release(NULL, &c);
    }
    rsd_colouring best = colour(&s, p->skip, NULL);
    check_groups(p, &s, &best);
    assert_int_equal(best.n_groups, fewest);
    assert_string_equal(best.method, rsd_colouring_get_method(first));
    for (int m = 0; rsd_colouring_get_method(m); m++) sum->is_best[m] += found[m] == fewest;
    sum->bound += best.bound, sum->best += fewest, sum->colpack += colpack, sum->greedy += greedy;
    sum->at_bound += fewest == best.bound;
    sum->colpack_fewer += colpack < greedy, sum->greedy_fewer += greedy < colpack;
    release(&s, &best);
}

CLAIM(groups_of_1000_random_patterns_are_consistent_and_not_below_the_bound)
{
    static pattern_subject p;
    totals sum = {0};
    int patterns = 0;
    uint64_t seed = 1;
    for (int trial = 0; patterns < TRIALS; trial++) {
        subject_make(&p, trial, &seed);
        if (subject_fullest_row(&p) == 0) continue; /* ColPack takes none without entries */
        try_methods(&p, &sum);
        patterns++;
    }
    print_message("%d patterns: %ld groups, bound %ld (%.3f), %d at the bound\n", patterns, sum.best, sum.bound,
                  (double)sum.best / (double)sum.bound, sum.at_bound);
    for (int m = 0; rsd_colouring_get_method(m); m++)
        print_message("    %-32s best for %d\n", rsd_colouring_get_method(m), sum.is_best[m]);
    if (strncmp(rsd_colouring_get_method(1), "colpack", 7) == 0)
        print_message("    colpack %ld groups, greedy %ld; colpack fewer for %d, greedy fewer for %d\n", sum.colpack,
                      sum.greedy, sum.colpack_fewer, sum.greedy_fewer);
}

static void check_order(const pattern_subject *p, const rsd_sparsity *s, const char *order, int most)
{
    for (int m = 0; rsd_colouring_get_method(m); m++) {
        const char *method = rsd_colouring_get_method(m);
        if (!strstr(method, order) || strstr(method, "dynamic")) continue;
        rsd_colouring c = colour(s, p->skip, method);
        if (c.n_groups > most) fail_msg("%s: %d groups, %d are promised", method, c.n_groups, most);
        release(NULL, &c);
    }
}

/* What is known about an order in theory tells whether the columns really come in it. */
CLAIM(orders_keep_the_number_of_groups_they_promise)
{
    static pattern_subject p;
    uint64_t seed = 4;
    for (int trial = 0; trial < TRIALS / 2; trial++) {
        subject_make(&p, trial, &seed);
        if (subject_fullest_row(&p) == 0) continue;
        rsd_sparsity s = pattern_of(&p);
        check_order(&p, &s, "largest first", subject_largest_first_bound(&p));
        check_order(&p, &s, "smallest last", subject_smallest_last_bound(&p));
        release(&s, NULL);
    }
}

/* --- fresh processes --- */

/* Group 1,000 patterns and leave a digest of all groups in a file. */
static int write_digest(const char *path)
{
    static pattern_subject p;
    uint64_t seed = 1, digest = UINT64_C(14695981039346656037);
    for (int trial = 0; trial < TRIALS; trial++) {
        subject_make(&p, trial, &seed);
        rsd_sparsity s = pattern_of(&p);
        rsd_colouring c = colour(&s, p.skip, NULL);
        for (int i = 0; i < p.cols; i++) digest = (digest ^ (uint64_t)(c.group[i] + 1)) * UINT64_C(1099511628211);
        for (const char *m = c.method; *m; m++) digest = (digest ^ (uint64_t)*m) * UINT64_C(1099511628211);
        release(&s, &c);
    }
    test_file_write(path, &digest, sizeof digest);
    return 0;
}

/* The digest of a fresh process with this number of threads, which may print nothing. */
static uint64_t digest_with_threads(const char *threads)
{
    const char *printed = test_path(test_folder(), "printed"), *path = test_path(test_folder(), "digest");
    assert_int_equal(setenv("OMP_NUM_THREADS", threads, 1), 0);
    const char *const arguments[] = {program, path, NULL};
    const int code = test_run_into(arguments, printed);
    test_file said = test_file_read(printed);
    if (said.size > 0) fail_msg("%s threads: %zu bytes printed: %.200s", threads, said.size, said.bytes);
    assert_int_equal(code, 0);
    test_file file = test_file_read(path);
    uint64_t digest = 0;
    assert_int_equal(file.size, sizeof digest);
    memcpy(&digest, file.bytes, sizeof digest);
    return digest;
}

CLAIM(groups_depend_on_nothing_but_the_pattern_and_nothing_is_printed)
{
    uint64_t first = digest_with_threads("1");
    static const char *const threads[] = {"2", "8"};
    for (int i = 0; i < 2; i++)
        if (digest_with_threads(threads[i]) != first) fail_msg("%s threads: other groups", threads[i]);
}

/* --- patterns whose fewest groups are known --- */

static int dense(int i, int c, int k)
{
    return 1;
}

static int band(int i, int c, int k)
{
    return abs(i - c) <= k;
}

static int arrow_down(int i, int c, int k)
{
    return i == c || i == k || c == k;
}

static int full_column(int i, int c, int k)
{
    return i == c || c == k;
}

static int full_row(int i, int c, int k)
{
    return i == k;
}

CLAIM(patterns_with_known_groups_get_no_more)
{
    const struct {
        const char *name;
        int (*has)(int i, int c, int k);
        int k, groups;
    } known[] = {
        {"dense", dense, 0, MOST},           {"diagonal", band, 0, 1},
        {"tridiagonal", band, 1, 3},         {"band", band, 7, 15},
        {"arrow", arrow_down, 3, MOST},      {"full column", full_column, 9, 2},
        {"one full row", full_row, 5, MOST},
    };
    static pattern_subject p;
    for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
        p = (pattern_subject){.rows = MOST, .cols = MOST};
        for (int i = 0; i < MOST; i++)
            for (int c = 0; c < MOST; c++) p.has[i * MOST + c] = known[n].has(i, c, known[n].k) != 0;
        rsd_sparsity s = pattern_of(&p);
        rsd_colouring c = colour(&s, NULL, NULL);
        check_groups(&p, &s, &c);
        if (c.n_groups != known[n].groups)
            fail_msg("%s: %d groups by %s, %d are enough", known[n].name, c.n_groups, c.method, known[n].groups);
        release(&s, &c);
    }
}

CLAIM(example_of_the_paper_has_its_three_groups)
{
    const int group[] = {0, 1, 2, 1, 0, 1}, start[] = {0, 2, 5, 6}, columns[] = {0, 4, 1, 3, 5, 2};
    rsd_sparsity s = pattern_of(&example);
    rsd_colouring c = colour(&s, NULL, NULL);
    assert_int_equal(c.n_groups, 3);
    assert_int_equal(c.bound, 3);
    assert_memory_equal(c.group, group, sizeof group);
    assert_memory_equal(c.start, start, sizeof start);
    assert_memory_equal(c.columns, columns, sizeof columns);
    release(&s, &c);
}

CLAIM(skipped_and_empty_columns_cost_no_group)
{
    static pattern_subject p;
    p = (pattern_subject){.rows = 10, .cols = 10};
    for (int k = 0; k < 100; k++) p.has[k] = k % 10 != 8; /* column 8 is empty */
    memset(p.skip, 1, 7);
    const int group[] = {-1, -1, -1, -1, -1, -1, -1, 0, 0, 1};
    rsd_sparsity s = pattern_of(&p);
    rsd_colouring c = colour(&s, p.skip, NULL);
    check_groups(&p, &s, &c);
    assert_memory_equal(c.group, group, sizeof group);
    release(NULL, &c);
    memset(p.skip, 1, 10);
    c = colour(&s, p.skip, NULL);
    check_groups(&p, &s, &c);
    assert_int_equal(c.n_groups, 0);
    release(&s, &c);
}

CLAIM(pattern_without_entries_is_one_group_and_without_columns_none)
{
    static const int sizes[][3] = {{5, 7, 1}, {0, 3, 1}, {1, 1, 1}, {4, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < 5; k++) {
        static pattern_subject p;
        p = (pattern_subject){.rows = sizes[k][0], .cols = sizes[k][1]};
        rsd_sparsity s = pattern_of(&p);
        rsd_colouring c = colour(&s, NULL, NULL);
        check_groups(&p, &s, &c);
        assert_int_equal(c.n_groups, sizes[k][2]);
        assert_int_equal(c.bound, 0);
        release(&s, &c);
    }
}

/* --- failures and cost --- */

CLAIM(method_without_a_name_is_refused)
{
    resida_allocator alloc = rsd_allocator(NULL);
    resida_message why = {""};
    rsd_sparsity s = pattern_of(&example);
    rsd_colouring c;
    assert_int_equal(rsd_colour_by_method(&c, &s, NULL, "greedy", &alloc, &why), RESIDA_ERR_OPTION);
    assert_string_equal(why.text, "unknown grouping 'greedy'");
    assert_null(rsd_colouring_get_method(-1));
    release(&s, &c);
}

/* A block tridiagonal pattern, blocks of 4 x 4. */
static rsd_sparsity chain(int n)
{
    resida_allocator alloc = rsd_allocator(NULL);
    long pairs = 0, most = 12L * n;
    int *i = claims_zeros((size_t)most, sizeof *i), *j = claims_zeros((size_t)most, sizeof *j);
    assert_true(i && j && n % 4 == 0);
    for (int c = 0; c < n; c++)
        for (int r = c / 4 * 4 - 4; r < c / 4 * 4 + 8; r++)
            if (r >= 0 && r < n) i[pairs] = r, j[pairs++] = c;
    rsd_sparsity s;
    assert_int_equal(rsd_sparsity_from_pairs(&s, n, n, pairs, i, j, &alloc, NULL), RESIDA_OK);
    return s;
}

CLAIM(more_entries_than_an_int_counts_are_refused)
{
    const int zero[] = {0};
    resida_allocator alloc = rsd_allocator(NULL);
    resida_message why = {""};
    rsd_sparsity s;
    assert_int_equal(rsd_sparsity_from_pairs(&s, 1, 1, INT_MAX + 1L, zero, zero, &alloc, &why), RESIDA_ERR_MEMORY);
    assert_string_equal(why.text, "a pattern has 2147483648 pairs, at most 2147483647 are allowed");
}

/* Least processor time of two runs. */
static double seconds_to_colour(const rsd_sparsity *s, const char *method)
{
    double least = HUGE_VAL;
    for (int run = 0; run < 2; run++) {
        clock_t begin = clock();
        rsd_colouring c = colour(s, NULL, method);
        least = fmin(least, (double)(clock() - begin) / CLOCKS_PER_SEC);
        assert_int_equal(c.bound, 12);
        if (!method) assert_int_equal(c.n_groups, 12);
        release(NULL, &c);
    }
    return least;
}

/* Eight times the columns take eight times as long, more where they leave the caches or others fill these, and 64 times
 * as long if the cost were quadratic, however often it is tried. */
CLAIM(cost_grows_with_the_columns_and_not_with_their_square)
{
    enum { TRIES = 10, HEAP = 1 << 30 };
    mallopt(M_MMAP_THRESHOLD, HEAP); /* pages that come and go with each block cost more than the colouring */
    mallopt(M_TRIM_THRESHOLD, HEAP);
    rsd_sparsity few = chain(12500), many = chain(100000);
    for (int m = -1; m < 0 || rsd_colouring_get_method(m); m++) {
        const char *name = m < 0 ? NULL : rsd_colouring_get_method(m);
        double small = seconds_to_colour(&few, name), large = HUGE_VAL;
        for (int k = 0; k < TRIES && !(large < 32 * small + 0.01); k++)
            large = fmin(large, seconds_to_colour(&many, name));
        print_message("100000 columns, %-32s %.1f ms, %.1f times that of 12500\n", name ? name : "the best",
                      1e3 * large, large / small);
        assert_true(large < 32 * small + 0.01);
    }
    release(&few, NULL);
    release(&many, NULL);
}

int main(int n, char **arguments)
{
    program = arguments[0];
    if (n > 1) return write_digest(arguments[1]);
    return claims_run(NULL, NULL);
}
