/* test_colouring_colpack.c - the door to ColPack: sizes that it must not see are refused before, and want of memory
 * inside, wherever it strikes, comes out as a status and leaves nothing behind. */
#include "jacobian/pattern/colouring_colpack.h"

#include <limits.h>

#include "colouring_fixture.h"
#include "test/failure/malloc_probe.h"

enum { N_ORDERS = RSD_COLPACK_DYNAMIC_LARGEST_FIRST + 1 };

CLAIM(every_order_is_among_the_methods)
{
    int n = 0;
    for (int m = 0; rsd_colouring_get_method(m); m++) n += strncmp(rsd_colouring_get_method(m), "colpack ", 8) == 0;
    assert_int_equal(n, N_ORDERS);
}

CLAIM(sizes_that_colpack_must_not_see_are_refused)
{
    const int none[] = {0, 0}, many[] = {0, INT_MAX / 2 + 1}, one[] = {0, 1}, col[] = {0};
    const struct {
        int rows, cols;
        const int *row_start;
    } refused[] = {{0, 1, one},       {1, 0, one},       {-1, 1, one}, {1, -1, one},
                   {INT_MAX, 1, one}, {1, INT_MAX, one}, {1, 1, none}, {1, 1, many}};
    int group[] = {7};
    for (int order = 0; order < N_ORDERS; order++) {
        for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
            assert_int_equal(rsd_colpack_colour((rsd_colpack_order)order, refused[i].rows, refused[i].cols,
                                                refused[i].row_start, col, group),
                             RESIDA_ERR_ARGUMENT);
        assert_int_equal(group[0], 7);
    }
    assert_int_equal(rsd_colpack_colour(RSD_COLPACK_NATURAL, 1, 1, one, col, group), RESIDA_OK);
    assert_int_equal(group[0], 0);
}

/* @return 1: done, 0: no memory */
static int starve(rsd_colpack_order order, const rsd_sparsity *s, long fail_at, int for_ever, int *group,
                  long *allocations)
{
    memset(group, 0x55, SUBJECT_MAX * sizeof *group);
    malloc_probe_start(fail_at, for_ever);
    resida_status status = rsd_colpack_colour(order, s->rows, s->cols, s->row_start, s->col, group);
    malloc_probe probe = malloc_probe_stop();
    *allocations = probe.allocations;
    assert_int_equal(probe.live, 0);
    assert_int_equal(status, probe.failed > 0 ? RESIDA_ERR_MEMORY : RESIDA_OK);
    for (int i = 0; status != RESIDA_OK && i < SUBJECT_MAX; i++) assert_int_equal(group[i], 0x55555555);
    return status == RESIDA_OK;
}

CLAIM(every_failed_malloc_is_reported_and_nothing_is_lost)
{
    static pattern_subject p;
    uint64_t seed = 1;
    long sites = 0;
    for (int trial = 0; trial < 8; trial++) {
        do subject_make(&p, trial, &seed);
        while (subject_fullest_row(&p) == 0 || p.cols > 60);
        for (int c = 0; c < p.cols; c++) p.has[c % p.rows * p.cols + c] = 1; /* no column is empty */
        rsd_sparsity s = pattern_of(&p);
        for (int order = 0; order < N_ORDERS; order++)
            for (int for_ever = 0; for_ever < 2; for_ever++) {
                int group[SUBJECT_MAX];
                long allocations = 0;
                for (long k = 1; !starve((rsd_colpack_order)order, &s, k, for_ever, group, &allocations); k++) sites++;
            }
        release(&s, NULL);
    }
    print_message("%ld allocations failed within ColPack\n", sites);
    assert_true(sites > 1000);
}
