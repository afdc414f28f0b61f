/* test_sparsity.c - patterns made in every way hold exactly the entries of a mask, by columns and by rows; questions
 * about them are answered as the mask answers them; what is refused, and how it is named. */
#include "jacobian/pattern/entries.h"

#include <limits.h>

#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/mask_pattern.h"
#include "test/fixtures/rationed.h"

enum { TRIALS = 400, MOST = 40, MAX_PAIRS = 3 * MOST * MOST };

static int between(uint64_t *seed, int least, int most)
{
    int i = least + (int)((bench_random(seed) + 1) / 2 * (most - least + 1));
    return i > most ? most : i;
}

/* What there is: has[i * cols + c] != 0. */
typedef struct mask {
    int rows, cols, nnz;
    unsigned char has[MOST * MOST];
} mask;

static void fill_mask(mask *m, int rows, int cols, uint64_t *seed)
{
    int chance = between(seed, 0, 99);
    *m = (mask){.rows = rows, .cols = cols};
    for (int k = 0; k < rows * cols; k++) {
        m->has[k] = (unsigned char)(between(seed, 0, 99) < chance ? between(seed, 1, 255) : 0);
        m->nnz += m->has[k] != 0;
    }
}

static void random_mask(mask *m, uint64_t *seed)
{
    int rows = between(seed, 0, MOST);
    fill_mask(m, rows, between(seed, 0, MOST), seed);
}

static rsd_sparsity from_mask(const mask *m)
{
    return pattern_of_mask(m->rows, m->cols, m->has);
}

static void release(rsd_sparsity *s)
{
    resida_allocator alloc = rsd_allocator(NULL);
    rsd_sparsity_free(s, &alloc);
    assert_int_equal(s->cols, 0);
    assert_null(s->col_start);
    assert_null(s->csr_to_csc);
    rsd_sparsity_free(s, &alloc); /* twice is fine */
}

/* Both forms hold the entries of the mask in rising order, and the map leads from one to the other. */
static void check_equals_mask(const rsd_sparsity *s, const mask *m)
{
    int k = 0;
    assert_int_equal(s->rows, m->rows);
    assert_int_equal(s->cols, m->cols);
    assert_int_equal(s->nnz, m->nnz);
    for (int c = 0; c < m->cols; c++) {
        assert_int_equal(s->col_start[c], k);
        for (int i = 0; i < m->rows; i++)
            if (m->has[i * m->cols + c]) assert_int_equal(s->row[k++], i);
    }
    assert_int_equal(s->col_start[m->cols], k);
    k = 0;
    for (int i = 0; i < m->rows; i++) {
        assert_int_equal(s->row_start[i], k);
        for (int c = 0; c < m->cols; c++)
            if (m->has[i * m->cols + c]) {
                int at = s->csr_to_csc[k];
                assert_int_equal(s->col[k++], c);
                assert_true(at >= s->col_start[c] && at < s->col_start[c + 1]);
                assert_int_equal(s->row[at], i);
            }
    }
    assert_int_equal(s->row_start[m->rows], k);
}

static void for_random_masks(void (*claim)(const mask *m, uint64_t *seed))
{
    uint64_t seed = 1;
    for (int trial = 0; trial < TRIALS; trial++) {
        mask m;
        random_mask(&m, &seed);
        claim(&m, &seed);
    }
}

/* --- how they are made --- */

static void masks_match(const mask *m, uint64_t *seed)
{
    rsd_sparsity s = from_mask(m);
    check_equals_mask(&s, m);
    release(&s);
}

CLAIM(pairs_row_by_row_give_the_entries_of_a_mask)
{
    for_random_masks(masks_match);
}

static void columns_match(const mask *m, uint64_t *seed)
{
    resida_allocator alloc = rsd_allocator(NULL);
    rsd_sparsity s = from_mask(m), copy;
    const int *row = s.nnz > 0 ? s.row : NULL;
    assert_int_equal(rsd_sparsity_from_csc(&copy, m->rows, m->cols, s.col_start, row, &alloc, NULL), RESIDA_OK);
    assert_true(copy.row != s.row && copy.col_start != s.col_start);
    release(&s);
    check_equals_mask(&copy, m);
    release(&copy);
}

CLAIM(columns_are_copied)
{
    for_random_masks(columns_match);
}

/* Every entry of the mask one to three times. @return how many pairs */
static int list_pairs(const mask *m, int *i, int *j, uint64_t *seed)
{
    int n = 0;
    for (int k = 0; k < m->rows * m->cols; k++)
        for (int times = m->has[k] ? between(seed, 1, 3) : 0; times > 0; times--) {
            i[n] = k / m->cols;
            j[n++] = k % m->cols;
        }
    for (int k = n - 1; k > 0; k--) {
        int other = between(seed, 0, k), row = i[k], col = j[k];
        i[k] = i[other], j[k] = j[other];
        i[other] = row, j[other] = col;
    }
    return n;
}

static void pairs_match(const mask *m, uint64_t *seed)
{
    static int i[MAX_PAIRS], j[MAX_PAIRS];
    resida_allocator alloc = rsd_allocator(NULL);
    int n = list_pairs(m, i, j, seed);
    rsd_sparsity s;
    assert_int_equal(rsd_sparsity_from_pairs(&s, m->rows, m->cols, n, n ? i : NULL, n ? j : NULL, &alloc, NULL),
                     RESIDA_OK);
    check_equals_mask(&s, m);
    release(&s);
}

CLAIM(shuffled_and_repeated_pairs_give_each_entry_once)
{
    for_random_masks(pairs_match);
}

static void unions_match(const mask *m, uint64_t *seed)
{
    resida_allocator alloc = rsd_allocator(NULL);
    mask other, both = *m;
    fill_mask(&other, m->rows, m->cols, seed);
    both.nnz = 0;
    for (int k = 0; k < m->rows * m->cols; k++) {
        both.has[k] |= other.has[k];
        both.nnz += both.has[k] != 0;
    }
    rsd_sparsity a = from_mask(m), b = from_mask(&other), s;
    rsd_entries list = {.n = 0};
    rsd_entries_add_columns(&list, &alloc, m->cols, a.col_start, a.row);
    rsd_entries_add_columns(&list, &alloc, m->cols, b.col_start, b.row);
    assert_int_equal(rsd_entries_pattern(&list, m->rows, m->cols, &s, &alloc), RESIDA_OK);
    check_equals_mask(&s, &both);
    rsd_entries_free(&list, &alloc);
    release(&s);
    release(&a);
    release(&b);
}

CLAIM(list_of_two_patterns_holds_the_entries_of_both)
{
    for_random_masks(unions_match);
}

/* --- what they answer --- */

static void contains_matches(const mask *m, uint64_t *seed)
{
    rsd_sparsity s = from_mask(m);
    for (int i = -1; i <= m->rows; i++)
        for (int c = -1; c <= m->cols; c++) {
            int inside = i >= 0 && i < m->rows && c >= 0 && c < m->cols && m->has[i * m->cols + c];
            int at = rsd_sparsity_find(&s, i, c);
            assert_int_equal(rsd_sparsity_contains(&s, i, c), inside);
            assert_int_equal(at >= 0, inside);
            if (inside) assert_true(at >= s.col_start[c] && at < s.col_start[c + 1] && s.row[at] == i);
        }
    release(&s);
}

CLAIM(contains_says_what_the_mask_says_inside_and_outside)
{
    for_random_masks(contains_matches);
}

static void fullest_rows_match(const mask *m, uint64_t *seed)
{
    int most = 0;
    for (int i = 0; i < m->rows; i++) {
        int count = 0;
        for (int c = 0; c < m->cols; c++) count += m->has[i * m->cols + c] != 0;
        if (count > most) most = count;
    }
    rsd_sparsity s = from_mask(m);
    assert_int_equal(rsd_sparsity_fullest_row(&s), most);
    release(&s);
}

CLAIM(fullest_row_counts_all_columns)
{
    for_random_masks(fullest_rows_match);
}

/* --- what is refused --- */

/* No list is that long here: what is too many to be counted is refused before anything is read. */
CLAIM(more_entries_than_an_int_counts_are_refused)
{
    const int zero[] = {0};
    resida_allocator alloc = rsd_allocator(NULL);
    resida_message why = {""};
    rsd_sparsity s;
    assert_int_equal(rsd_sparsity_from_pairs(&s, 1, 1, INT_MAX + 1L, zero, zero, &alloc, &why), RESIDA_ERR_MEMORY);
    assert_string_equal(why.text, "a pattern has 2147483648 pairs, at most 2147483647 are allowed");
}

static resida_status make(int how, rsd_sparsity *s, const rsd_sparsity *a, const resida_allocator *alloc,
                          resida_message *why)
{
    const int i[] = {1, 0, 1}, j[] = {0, 1, 0};
    if (how == 0) return rsd_sparsity_from_csc(s, 2, 2, a->col_start, a->row, alloc, why);
    return rsd_sparsity_from_pairs(s, 2, 2, 3, i, j, alloc, why);
}

CLAIM(nothing_is_kept_when_memory_ends)
{
    mask m = {.rows = 2, .cols = 2, .has = {1, 0, 1, 1}};
    rsd_sparsity a = from_mask(&m), s;
    const int blocks[] = {5, 9};
    for (int how = 0; how < 2; how++)
        for (int left = 0; left <= blocks[how]; left++) {
            rationed r = {.left = left};
            resida_allocator alloc = rationed_allocator(&r);
            resida_message why = {""};
            resida_status status = make(how, &s, &a, &alloc, &why);
            assert_int_equal(status, left < blocks[how] ? RESIDA_ERR_MEMORY : RESIDA_OK);
            if (status == RESIDA_OK)
                rsd_sparsity_free(&s, &alloc);
            else
                assert_non_null(strstr(why.text, "no memory for"));
            assert_int_equal(r.out, 0);
            assert_null(s.row);
        }
    release(&a);
}
