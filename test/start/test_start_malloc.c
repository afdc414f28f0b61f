/* test_start_malloc.c - the consistent start of a large mechanism when malloc fails, in the library or in KLU, which
 * does not ask the allocator: every allocation fails once, and from every one on all fail. No crash, nothing lost,
 * RESIDA_ERR_MEMORY with a reason; the call made again after one failure comes to the same end, bit for bit. */
#include "test/fixtures/bench_fixture.h"
#include "test/failure/malloc_probe.h"
#include "test/fixtures/mechanisms/random_mechanism.h"
#include "test/fixtures/solver_fixture.h"

enum { N_V = 70, N_G = 30, MAX_ALLOCATIONS = 1000 };

/* One problem and its start, made again when it failed. */
typedef struct life {
    resida_status created, first, second;
    double out[3 * N_V + N_G];
    resida_message why;
} life;

static resida_status start(resida_problem *problem, life *l)
{
    static const double p0[N_V] = {1, 2, 3}, v0[N_V] = {-1, 1};
    resida_start_options o = test_start_options();
    o.redundant = RESIDA_REDUNDANT_DROP;
    return resida_problem_start(problem, 0, p0, v0, &o, l->out, l->out + N_V, l->out + 2 * N_V, l->out + 3 * N_V, NULL,
                                &l->why);
}

static void live(const resida_mechanism *m, life *l)
{
    resida_problem *problem;
    l->created = resida_problem_create(&problem, m, NULL, &l->why);
    if (l->created < 0) return;
    l->first = l->second = start(problem, l);
    if (l->first == RESIDA_ERR_MEMORY && l->why.text[0]) l->second = start(problem, l);
    resida_problem_free(problem);
}

static void check(const life *l, const life *whole, int for_ever)
{
    assert_true(l->created == RESIDA_OK || l->created == RESIDA_ERR_MEMORY);
    assert_true(l->first == RESIDA_OK || l->first == RESIDA_ERR_MEMORY);
    if (l->created != RESIDA_OK) return;
    if (!for_ever) {
        assert_int_equal(l->second, RESIDA_OK);
        assert_memory_equal(l->out, whole->out, sizeof l->out);
    } else if (l->first != RESIDA_OK) {
        assert_int_equal(l->second, RESIDA_ERR_MEMORY);
    }
}

/* Fail allocation k, for all k there are. @return how many there are */
static long starve(const resida_mechanism *m, int for_ever)
{
    life *l = malloc(2 * sizeof *l), *whole = l + 1;
    assert_non_null(l);
    *whole = (life){.created = RESIDA_OK};
    live(m, whole);
    assert_int_equal(whole->first, RESIDA_OK);
    for (long k = 1; k < MAX_ALLOCATIONS; k++) {
        *l = (life){.created = RESIDA_OK};
        malloc_probe_start(k, for_ever);
        live(m, l);
        malloc_probe probe = malloc_probe_stop();
        assert_int_equal(probe.live, 0);
        check(l, whole, for_ever);
        if (probe.failed == 0) {
            free(l);
            return k - 1;
        }
    }
    fail_msg("no end of allocations");
    return 0;
}

CLAIM(a_large_start_survives_every_failed_malloc)
{
    for (int redundant = 0; redundant < 2; redundant++) {
        rm m = {.n_p = N_V, .n_v = N_V, .n_g = N_G};
        rm_make(&m, 1);
        if (redundant) rm_make_row(&m, N_G - 1, 1, 0, 0, -1, 0);
        resida_mechanism k = rm_mechanism(&m);
        for (int for_ever = 0; for_ever < 2; for_ever++) {
            long sites = starve(&k, for_ever);
            print_message("%ld allocations\n", sites);
            assert_true(sites > 80); /* those of KLU among them */
        }
    }
}
