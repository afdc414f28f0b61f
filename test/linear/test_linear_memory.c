/* test_linear_memory.c - memory of the linear solvers, KLU's own and that of LAPACK included: none is taken on the way,
 * and wherever it runs out, that is said, nothing is lost, and what was there can still be used. */
#include "linear_fixture.h"
#include "test/failure/malloc_probe.h"

enum { N_RODS = 10, N = 6 * N_RODS, MAX_ALLOCATIONS = 1000, UNTIL_SETTLED = 60 /* factorisations: KLU's order is */ };

/* Two patterns: the second is larger, and "auto" takes the dense kind for it. */
typedef struct matrices {
    sparse_matrix first, second;
} matrices;

static matrices make(void)
{
    uint64_t seed = 1;
    return (matrices){sparse_chain(N_RODS, 100, 0.1, 0.2), sparse_random(N, 0.5, &seed)};
}

CLAIM(factoring_again_and_solving_takes_no_memory)
{
    matrices m = make();
    for (int i = 0; i < LINEAR_KINDS; i++) {
        rsd_linear_solver *ls = linear_open(&m.first, linear_kinds[i]);
        double x[N] = {1};
        int verdict = 0;
        for (int repeat = 0; repeat < UNTIL_SETTLED; repeat++) verdict |= rsd_linear_factor(ls, m.first.values);
        const long before = rsd_linear_get_report(ls).refactors;
        malloc_probe_start(0, 0);
        for (int repeat = 0; repeat < 1000; repeat++) {
            m.first.values[repeat % m.first.nnz] *= 1 + 1e-6;
            verdict |= rsd_linear_factor(ls, m.first.values);
            rsd_linear_solve(ls, x);
        }
        rsd_linear_report r = rsd_linear_get_report(ls);
        malloc_probe probe = malloc_probe_stop();
        assert_int_equal(verdict, 0);
        assert_int_equal(probe.allocations, 0);
        assert_int_equal(r.refactors - before, strcmp(r.name, "klu") == 0 ? 1000 : 0);
    }
}

CLAIM(new_pivots_give_the_memory_of_the_old_ones_back)
{
    sparse_matrix turned[] = {sparse_chain(N_RODS, 100, 0, 0), sparse_chain(N_RODS, 100, acos(0), 0)};
    rsd_linear_solver *ls = NULL;
    malloc_probe_start(0, 0);
    int verdict = rsd_linear_create(&ls, N, "klu", NULL, NULL);
    if (ls) verdict |= rsd_linear_set_pattern(ls, turned->col_start, turned->row, NULL);
    for (int turn = 0; turn < 100 && !verdict; turn++) verdict |= rsd_linear_factor(ls, turned[turn % 2].values);
    long factors = ls ? rsd_linear_get_report(ls).factors : 0;
    rsd_linear_free(ls);
    malloc_probe probe = malloc_probe_stop();
    assert_int_equal(verdict, 0);
    assert_int_equal(factors, 100);
    assert_int_equal(probe.live, 0);
}

/* How a life with little memory went; nothing is asserted while the probe is at work. */
typedef struct life {
    int created, patterns, factors; /* what was reached */
    int wrong;                      /* neither done nor out of memory */
    double x[N], y[N];              /* solutions of the first matrix, before and after the second pattern was tried */
    int compare;
} life;

static void factor(rsd_linear_solver *ls, const sparse_matrix *A, life *l, double *x)
{
    int verdict = -1;
    for (int repeat = 0; repeat < UNTIL_SETTLED; repeat++) {
        verdict = rsd_linear_factor(ls, A->values);
        l->wrong |= verdict > 0;
    }
    if (verdict != 0) return;
    l->factors++;
    for (int i = 0; i < N; i++) x[i] = 1;
    rsd_linear_solve(ls, x);
}

static void live(const matrices *m, const char *kind, life *l)
{
    rsd_linear_solver *ls;
    double z[N];
    resida_status status = rsd_linear_create(&ls, N, kind, NULL, NULL);
    l->wrong |= status != RESIDA_OK && status != RESIDA_ERR_MEMORY;
    if (status != RESIDA_OK) return;
    l->created = 1;
    status = rsd_linear_set_pattern(ls, m->first.col_start, m->first.row, NULL);
    l->wrong |= status != RESIDA_OK && status != RESIDA_ERR_MEMORY;
    if (status == RESIDA_OK) {
        l->patterns++;
        int before = l->factors;
        factor(ls, &m->first, l, l->x);
        int factored = l->factors > before;
        status = rsd_linear_set_pattern(ls, m->second.col_start, m->second.row, NULL);
        l->wrong |= status != RESIDA_OK && status != RESIDA_ERR_MEMORY;
        if (status == RESIDA_OK) {
            l->patterns++;
            factor(ls, &m->second, l, z);
        } else if (factored) {
            for (int i = 0; i < N; i++) l->y[i] = 1;
            rsd_linear_solve(ls, l->y);
            l->compare = 1;
        }
    }
    rsd_linear_free(ls);
}

/* Fail allocation k, for all k there are. @return how many there are */
static long starve(const matrices *m, const char *kind, int for_ever)
{
    for (long k = 1; k < MAX_ALLOCATIONS; k++) {
        life l = {.created = 0};
        malloc_probe_start(k, for_ever);
        live(m, kind, &l);
        malloc_probe probe = malloc_probe_stop();
        assert_int_equal(probe.live, 0);
        assert_false(l.wrong);
        if (l.compare) assert_memory_equal(l.x, l.y, sizeof l.x);
        if (probe.failed == 0) {
            assert_int_equal(l.patterns, 2);
            assert_int_equal(l.factors, 2);
            return k - 1;
        }
    }
    fail_msg("no end of allocations");
    return 0;
}

CLAIM(memory_may_run_out_at_every_place)
{
    static const char *const all[] = {"dense", "klu", "auto"};
    matrices m = make();
    for (int i = 0; i < 3; i++)
        for (int for_ever = 0; for_ever < 2; for_ever++) {
            long sites = starve(&m, all[i], for_ever);
            print_message("%ld\n", sites);
            assert_true(sites >= (i == 0 ? 11 : 30)); /* KLU takes memory of its own, too */
        }
}
