/* test_colouring_verdict.c - rsd_are_groups_orthogonal() distinguishes consistent groups of columns from others: groups
 * that were merged on purpose, and groups of a pattern that lacked an entry. The oracle compares all pairs of
 * columns. */
#include "colouring_fixture.h"

enum { TRIALS = 500 };

/* Group b goes into group a < b, the last one takes its number; the lists follow. */
static void merge(rsd_colouring *c, int a, int b)
{
    int last = --c->n_groups, listed = 0;
    for (int i = 0; i < c->cols; i++)
        if (c->group[i] == b)
            c->group[i] = a;
        else if (c->group[i] == last)
            c->group[i] = b;
    for (int g = 0; g < c->n_groups; g++) {
        for (int i = 0; i < c->cols; i++)
            if (c->group[i] == g) c->columns[listed++] = i;
        c->start[g + 1] = listed;
    }
}

/* Two of a minimal number of groups, or two single columns, which may well go together. */
CLAIM(merged_groups_are_detected)
{
    static pattern_subject p;
    int found = 0, fine = 0;
    uint64_t seed = 2;
    for (int trial = 0; trial < TRIALS; trial++) {
        subject_make(&p, trial, &seed);
        rsd_sparsity s = pattern_of(&p);
        rsd_colouring c = colour(&s, p.skip, trial % 8 < 4 ? NULL : "column by column");
        if (c.n_groups > 1) {
            int b = subject_between(&seed, 1, c.n_groups - 1);
            merge(&c, subject_between(&seed, 0, b - 1), b);
            int apart = subject_is_apart(&p, c.group);
            assert_int_equal(verdict(&c, &s), apart);
            fine += apart, found += !apart;
        }
        release(&s, &c);
    }
    print_message("%d merged groups found out, %d that go together let pass\n", found, fine);
    assert_true(found > 200 && fine > 50);
}

/* The groups of a pattern that lacks one entry, held against the whole one. */
CLAIM(an_entry_missing_in_the_pattern_is_detected)
{
    static pattern_subject p, whole;
    int found = 0, fine = 0;
    uint64_t seed = 3;
    for (int trial = 0; trial < TRIALS; trial++) {
        subject_make(&p, trial, &seed);
        whole = p;
        int k = subject_between(&seed, 0, p.rows * p.cols - 1);
        whole.has[k] = 1;
        p.has[k] = 0;
        rsd_sparsity s = pattern_of(&p), all = pattern_of(&whole);
        rsd_colouring c = colour(&s, p.skip, NULL);
        int apart = subject_is_apart(&whole, c.group);
        assert_true(verdict(&c, &s));
        assert_int_equal(verdict(&c, &all), apart);
        fine += apart, found += !apart;
        release(&s, &c);
        release(&all, NULL);
    }
    print_message("%d missing entries found out, %d without harm let pass\n", found, fine);
    assert_true(found > 50 && fine > 50);
}
