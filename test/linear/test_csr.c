/* test_csr.c - patterns by rows: what is refused and how it is named, and the products against those of the full
 * matrix. All numbers are small integers, so every product and sum is exact. */
#include "base/linear/csr.h"

#include <limits.h>

#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/rationed.h"

enum { TRIALS = 200, MOST = 12 };

static const resida_pattern full = {NULL, NULL};

static rsd_csr create(int rows, int cols, const resida_pattern *pattern)
{
    resida_allocator alloc = rsd_allocator(NULL);
    resida_message why = {""};
    rsd_csr A;
    assert_int_equal(rsd_csr_create(&A, "G", rows, cols, pattern, &alloc, &why), RESIDA_OK);
    assert_string_equal(why.text, "");
    return A;
}

static void release(rsd_csr *A)
{
    resida_allocator alloc = rsd_allocator(NULL);
    rsd_csr_free(A, &alloc);
    assert_null(A->row);
    assert_null(A->col);
    rsd_csr_free(A, &alloc); /* twice is fine */
}

static int between(uint64_t *seed, int least, int most)
{
    double x = (bench_random(seed) + 1) / 2;
    int i = least + (int)(x * (most - least + 1));
    return i > most ? most : i;
}

/* A random matrix in both forms; D [rows x cols] row by row. */
typedef struct twin {
    int row[MOST + 1], col[MOST * MOST];
    double values[MOST * MOST], D[MOST * MOST];
    rsd_csr A;
} twin;

static void make_twin(twin *m, uint64_t *seed)
{
    int rows = between(seed, 1, MOST), cols = between(seed, 1, MOST), nnz = 0;
    memset(m->D, 0, sizeof m->D);
    m->row[0] = 0;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < cols; j++) {
            if (between(seed, 0, 2) == 0) continue;
            m->col[nnz] = j;
            m->values[nnz++] = m->D[i * cols + j] = between(seed, -9, 9);
        }
        m->row[i + 1] = nnz;
    }
    m->A = create(rows, cols, &(resida_pattern){m->row, m->col});
    assert_int_equal(m->A.nnz, nnz);
}

static void for_random_twins(void (*claim)(const twin *m, uint64_t *seed))
{
    uint64_t seed = 1;
    for (int trial = 0; trial < TRIALS; trial++) {
        twin m;
        make_twin(&m, &seed);
        claim(&m, &seed);
        release(&m.A);
    }
}

static void times_matches(const twin *m, uint64_t *seed)
{
    double x[MOST], y[MOST];
    for (int j = 0; j < m->A.cols; j++) x[j] = between(seed, -9, 9);
    rsd_csr_multiply(&m->A, m->values, x, y);
    for (int i = 0; i < m->A.rows; i++) {
        double sum = 0;
        for (int j = 0; j < m->A.cols; j++) sum += m->D[i * m->A.cols + j] * x[j];
        assert_true(y[i] == sum);
    }
}

CLAIM(product_equals_that_of_the_full_matrix)
{
    for_random_twins(times_matches);
}

static void transposed_matches(const twin *m, uint64_t *seed)
{
    double x[MOST], y[MOST], expected[MOST], s = between(seed, -9, 9);
    for (int i = 0; i < m->A.rows; i++) x[i] = between(seed, -9, 9);
    for (int j = 0; j < m->A.cols; j++) y[j] = expected[j] = between(seed, -9, 9);
    rsd_csr_add_transposed(&m->A, m->values, s, x, y);
    for (int i = 0; i < m->A.rows; i++)
        for (int j = 0; j < m->A.cols; j++) expected[j] += m->D[i * m->A.cols + j] * (s * x[i]);
    for (int j = 0; j < m->A.cols; j++) assert_true(y[j] == expected[j]);
}

CLAIM(transposed_product_is_added_with_its_factor)
{
    for_random_twins(transposed_matches);
}

static void full_form_matches(const twin *m, uint64_t *seed)
{
    double D[MOST * MOST];
    memset(D, 0x55, sizeof D);
    rsd_csr_copy_to_full(&m->A, m->values, D);
    for (int k = 0; k < m->A.rows * m->A.cols; k++) assert_true(D[k] == m->D[k]);
}

CLAIM(full_form_has_zeros_where_there_is_no_entry)
{
    for_random_twins(full_form_matches);
}

CLAIM(without_a_pattern_every_entry_is_there_row_by_row)
{
    rsd_csr A = create(3, 4, &full);
    double values[12], D[12];
    assert_int_equal(A.nnz, 12);
    for (int k = 0; k < 12; k++) values[k] = k + 1;
    rsd_csr_copy_to_full(&A, values, D);
    for (int k = 0; k < 12; k++) assert_true(D[k] == k + 1);
    release(&A);
}

CLAIM(matrices_without_rows_or_entries_are_fine)
{
    const int none[] = {0, 0, 0};
    double y[2] = {7, 7};
    rsd_csr A = create(0, 5, &full), B = create(2, 3, &(resida_pattern){none, NULL});
    assert_int_equal(A.nnz, 0);
    assert_int_equal(B.nnz, 0);
    rsd_csr_multiply(&A, NULL, y, y);
    rsd_csr_multiply(&B, NULL, (const double[]){1, 2, 3}, y);
    assert_true(y[0] == 0 && y[1] == 0);
    release(&A);
    release(&B);
}

CLAIM(contradicting_patterns_are_refused_with_the_place_named)
{
    const struct {
        int row[4], col[6];
        const char *says;
    } bad[] = {
        {{1, 2, 3, 4}, {0, 0, 0, 0}, "G_pattern: row[0] = 1"},
        {{0, 2, 1, 3}, {0, 1, 0}, "row[2] = 1 falls below row[1] = 2"},
        {{0, 1, 2, 3}, {0, -1, 0}, "column -1 in row 1, must be in 0..2"},
        {{0, 1, 2, 3}, {0, 1, 3}, "column 3 in row 2, must be in 0..2"},
        {{0, 2, 3, 4}, {1, 1, 0, 0}, "columns of row 0 must ascend (1 after 1)"},
        {{0, 1, 1, 3}, {0, 2, 0}, "columns of row 2 must ascend (0 after 2)"},
        {{0, 1, 1000000, 1000001}, {0, 0, 1, 2}, "row 1 has 999999 entries, but there are 3 columns"},
    };
    resida_allocator alloc = rsd_allocator(NULL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        resida_message why = {""};
        rsd_csr A;
        resida_pattern pattern = {bad[i].row, bad[i].col};
        assert_int_equal(rsd_csr_create(&A, "G", 3, 3, &pattern, &alloc, &why), RESIDA_ERR_MODEL);
        if (!strstr(why.text, bad[i].says)) fail_msg("'%s' does not say '%s'", why.text, bad[i].says);
        assert_memory_equal(why.text, "G_pattern: ", 11);
    }
}

CLAIM(pattern_without_columns_is_refused)
{
    const int row[] = {0, 0, 1};
    resida_allocator alloc = rsd_allocator(NULL);
    resida_message why = {""};
    rsd_csr A;
    assert_int_equal(rsd_csr_create(&A, "T", 2, 2, &(resida_pattern){row, NULL}, &alloc, &why), RESIDA_ERR_MODEL);
    assert_string_equal(why.text, "T_pattern: row is given, col is NULL");
}

CLAIM(full_matrix_that_cannot_be_counted_is_refused_with_advice)
{
    resida_allocator alloc = rsd_allocator(NULL);
    resida_message why = {""};
    rsd_csr A;
    assert_true((long long)50000 * 50000 > INT_MAX);
    assert_int_equal(rsd_csr_create(&A, "M", 50000, 50000, &full, &alloc, &why), RESIDA_ERR_MEMORY);
    assert_string_equal(why.text, "M is full with 2500000000 entries: give M_pattern");
}
