/* test_out_of_memory.c - the memory that the caller supplies runs out: every allocation through resida_allocator fails
 * once, and from every one on all fail, over whole lives. No crash, nothing lost, RESIDA_ERR_MEMORY with a reason; and
 * a call that is made again after one failure comes to the same end, bit for bit. */
#include "starve.h"

/* A table that keeps books. Every block has a head, so that a block of somebody else is noticed. */
typedef struct head {
    uint64_t mark;
    uint64_t bytes;
} head;

#define MARK UINT64_C(0x5e51da5e51da5e51)

static ledger books;
static long fail_number;
static int fails_for_ever;

static void *allocate(size_t bytes, void *context)
{
    books.allocations++;
    if (fail_number && (books.allocations == fail_number || (fails_for_ever && books.allocations > fail_number))) {
        books.failed++;
        return NULL;
    }
    head *h = malloc(sizeof *h + bytes);
    if (!h) abort();
    *h = (head){MARK, bytes};
    books.live++;
    return memset(h + 1, 0xff, bytes); /* dirty: what relies on zeros is found out */
}

static void release(void *block, void *context)
{
    if (!block) return;
    head *h = (head *)block - 1;
    if (h->mark != MARK) {
        books.foreign++;
        return;
    }
    books.live--;
    memset(h, 0, sizeof *h + (size_t)h->bytes); /* what is used after it was given back is found out, too */
    free(h);
}

static void begin(long fail_at, int for_ever)
{
    books = (ledger){.allocations = 0};
    fail_number = fail_at;
    fails_for_ever = for_ever;
}

static ledger end(void)
{
    return books;
}

static const resida_allocator table = {allocate, release, NULL};
static const supply from_table = {"resida_allocator", &table, begin, end, NULL};

static void starve_life(const char *name, life_fn *run)
{
    hunger sum = starve_everywhere(&from_table, name, run, NULL);
    assert_true(sum.sites > 0);
    assert_int_equal(sum.crashes, 0);
    assert_int_equal(sum.leaks, 0);
    assert_int_equal(sum.others, 0);
}

CLAIM(a_mechanism_survives_every_failed_allocation)
{
    starve_life("mechanism", life_of_a_mechanism);
}

CLAIM(contacts_survive_every_failed_allocation)
{
    starve_life("contacts", life_of_contacts);
}

CLAIM(a_dae_survives_every_failed_allocation)
{
    starve_life("dae", life_of_a_dae);
}

CLAIM(a_jacobian_survives_every_failed_allocation)
{
    starve_life("jacobian", life_of_a_jacobian);
}

/* A failing table is asked during create alone: nothing is allocated between create and free. */
CLAIM(the_allocator_table_is_read_only_during_create)
{
    life l = {.allocator = &table};
    begin(0, 0);
    life_of_a_mechanism(&l);
    assert_true(l.finished);
    long needed = books.allocations;
    begin(needed + 1, 1);
    l = (life){.allocator = &table};
    life_of_a_mechanism(&l);
    assert_true(l.finished);
    assert_int_equal(books.allocations, needed);
    assert_int_equal(books.live, 0);
}
