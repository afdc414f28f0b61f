/* test_memory.c - the allocator table: sizes that overflow, negative and zero sizes. Memory that runs out, and what is
 * given back: test_out_of_memory.c. */
#include "base/memory.h"

#include <limits.h>

#include "test/fixtures/file_util.h"

/* An allocator that counts, and hands out dirty memory. */
typedef struct spy {
    int allocations, frees;
    size_t last_bytes;
} spy;

static void *spy_allocate(size_t bytes, void *context)
{
    spy *s = context;
    s->allocations++;
    s->last_bytes = bytes;
    void *block = malloc(bytes);
    return block ? memset(block, 0xff, bytes) : NULL;
}

static void spy_free(void *block, void *context)
{
    ((spy *)context)->frees++;
    free(block);
}

static resida_allocator table_of(spy *s)
{
    return (resida_allocator){spy_allocate, spy_free, s};
}

CLAIM(a_null_allocator_selects_malloc_and_free)
{
    resida_allocator a = rsd_allocator(NULL);
    assert_non_null(a.allocate);
    assert_non_null(a.free);
    double *x = rsd_doubles(&a, 3);
    assert_non_null(x);
    assert_true(x[0] == 0 && x[1] == 0 && x[2] == 0);
    rsd_free(&a, x);
}

CLAIM(a_given_table_is_copied_and_used_for_everything)
{
    spy s = {0};
    resida_allocator given = table_of(&s), a = rsd_allocator(&given);
    given = (resida_allocator){NULL, NULL, NULL};
    void *blocks[] = {rsd_calloc(&a, 2, 3), rsd_doubles(&a, 4), rsd_matrix(&a, 2, 5), rsd_strdup(&a, "x")};
    for (size_t i = 0; i < 4; i++) {
        assert_non_null(blocks[i]);
        rsd_free(&a, blocks[i]);
    }
    assert_int_equal(s.allocations, 4);
    assert_int_equal(s.frees, 4);
}

CLAIM(a_product_that_overflows_never_reaches_the_allocator)
{
    spy s = {0};
    resida_allocator a = table_of(&s);
    assert_null(rsd_calloc(&a, LONG_MAX, 2));
    assert_null(rsd_calloc(&a, LONG_MAX / 4, 8));
    assert_null(rsd_calloc(&a, 2, SIZE_MAX / 2 + 1));
    assert_null(rsd_calloc(&a, 1, SIZE_MAX));
    assert_null(rsd_doubles(&a, LONG_MAX));
    assert_null(rsd_matrix(&a, LONG_MAX, LONG_MAX));
    assert_null(rsd_matrix(&a, LONG_MAX, 2));
    assert_null(rsd_matrix(&a, 2, LONG_MAX));
    assert_null(rsd_matrix(&a, LONG_MAX / 4, 3)); /* the count fits, the bytes do not */
    assert_int_equal(s.allocations, 0);
}

CLAIM(negative_counts_are_refused)
{
    spy s = {0};
    resida_allocator a = table_of(&s);
    assert_null(rsd_calloc(&a, -1, 8));
    assert_null(rsd_doubles(&a, LONG_MIN));
    assert_null(rsd_matrix(&a, -1, 4));
    assert_null(rsd_matrix(&a, 4, -1));
    assert_null(rsd_matrix(&a, -2, -2));
    assert_int_equal(s.allocations, 0);
}

CLAIM(an_allocation_of_zero_bytes_is_a_valid_block)
{
    spy s = {0};
    resida_allocator a = table_of(&s);
    void *blocks[] = {rsd_calloc(&a, 0, 8), rsd_doubles(&a, 0), rsd_matrix(&a, 0, 5), rsd_matrix(&a, 5, 0)};
    for (size_t i = 0; i < 4; i++) {
        assert_non_null(blocks[i]);
        rsd_free(&a, blocks[i]);
    }
}

CLAIM(strdup_copies_the_terminating_zero)
{
    spy s = {0};
    resida_allocator a = table_of(&s);
    char text[] = "beta'";
    char *copy = rsd_strdup(&a, text);
    text[0] = 'x';
    assert_string_equal(copy, "beta'");
    assert_int_equal(s.last_bytes, 6);
    rsd_free(&a, copy);
    assert_null(rsd_strdup(&a, NULL));
    assert_int_equal(s.allocations, 1);
}
