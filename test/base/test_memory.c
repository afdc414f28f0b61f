/* test_memory.c - the allocator table: sizes that overflow, zeroed blocks, failures. */
#include "base/memory.h"

#include <limits.h>

#include "test/fixtures/file_util.h"

/* An allocator that counts, hands out dirty memory, and can be told to fail. */
typedef struct spy {
    int allocations, frees, fails;
    size_t last_bytes;
} spy;

static void *spy_allocate(size_t bytes, void *context)
{
    spy *s = context;
    s->allocations++;
    s->last_bytes = bytes;
    void *block = s->fails ? NULL : malloc(bytes);
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

CLAIM(blocks_are_zeroed_to_their_last_byte)
{
    spy s = {0};
    resida_allocator a = table_of(&s);
    unsigned char *bytes = rsd_calloc(&a, 7, 13);
    assert_int_equal(s.last_bytes, 91);
    for (int i = 0; i < 91; i++) assert_int_equal(bytes[i], 0);
    rsd_free(&a, bytes);
    double *m = rsd_matrix(&a, 3, 5);
    assert_int_equal(s.last_bytes, 15 * sizeof(double));
    for (int i = 0; i < 15; i++) assert_true(m[i] == 0);
    rsd_free(&a, m);
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

CLAIM(a_failed_allocation_is_null)
{
    spy s = {.fails = 1};
    resida_allocator a = table_of(&s);
    assert_null(rsd_calloc(&a, 1, 1));
    assert_null(rsd_doubles(&a, 1));
    assert_null(rsd_matrix(&a, 1, 1));
    assert_null(rsd_strdup(&a, "text"));
    assert_int_equal(s.allocations, 4);
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

CLAIM(free_of_null_does_not_call_the_allocator)
{
    spy s = {0};
    resida_allocator a = table_of(&s);
    rsd_free(&a, NULL);
    assert_int_equal(s.frees, 0);
}

CLAIM(an_owner_frees_each_remaining_block_once)
{
    spy s = {0};
    rsd_owner owner;
    resida_allocator from = table_of(&s), a = rsd_get_owned_allocator(&owner, &from);
    double *blocks[4];
    for (int i = 0; i < 4; i++) {
        assert_non_null(blocks[i] = rsd_doubles(&a, 3));
        assert_int_equal((uintptr_t)blocks[i] % _Alignof(max_align_t), 0);
        for (int j = 0; j < 3; j++) blocks[i][j] = i;
    }
    rsd_free(&a, blocks[0]); /* the oldest, the newest, one between others */
    rsd_free(&a, blocks[3]);
    assert_true(blocks[1][2] == 1 && blocks[2][0] == 2);
    assert_int_equal(s.frees, 2);
    blocks[0] = rsd_doubles(&a, 1);
    rsd_free(&a, blocks[2]);
    assert_int_equal(s.frees, 3);
    rsd_owner_free(&owner);
    assert_int_equal(s.allocations, 5);
    assert_int_equal(s.frees, 5);
    rsd_owner_free(&owner);
    assert_int_equal(s.frees, 5);
}

CLAIM(an_owner_fails_if_its_source_has_no_memory)
{
    spy s = {.fails = 1};
    rsd_owner owner;
    resida_allocator from = table_of(&s), a = rsd_get_owned_allocator(&owner, &from);
    assert_null(rsd_doubles(&a, 3));
    assert_int_equal(s.allocations, 1);
    rsd_owner_free(&owner);
    assert_int_equal(s.frees, 0);
}
