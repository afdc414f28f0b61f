/* test_start_sparse.c - the consistent start of large mechanisms, whose matrices are stored by their patterns: the same
 * statuses, names, accelerations and multipliers as with full matrices; the same bits each time; memory that grows with
 * the entries; memory that runs out. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/mechanisms/random_mechanism.h"
#include "test/fixtures/rationed.h"
#include "test/fixtures/solver_fixture.h"

enum { MOST = 256 };

/* --- the outputs of a start --- */

typedef struct outcome {
    resida_status status;
    double p[MOST], v[MOST], a[MOST], lam[MOST];
    resida_start_report report;
    int redundant[MOST];
    resida_message why;
} outcome;

static void start(resida_problem *problem, const double *p0, const double *v0, const resida_start_options *o,
                  outcome *out)
{
    *out = (outcome){.status = RESIDA_OK};
    out->status =
        resida_problem_start(problem, 0, p0, v0, o, out->p, out->v, out->a, out->lam, &out->report, &out->why);
    for (int i = 0; i < out->report.n_redundant; i++) out->redundant[i] = out->report.redundant[i];
    out->report.redundant = NULL;
}

static resida_problem *problem_of(const resida_mechanism *m, const resida_allocator *allocator)
{
    resida_problem *problem;
    resida_problem_options o = test_problem_options();
    resida_message why;
    o.formalism = RESIDA_FORMALISM_RESIDUAL;
    o.allocator = allocator;
    if (resida_problem_create(&problem, m, &o, &why) != RESIDA_OK) fail_msg("%s", why.text);
    return problem;
}

static double off(const double *x, const double *y)
{
    double most = 0, size = 1;
    for (int i = 0; i < MOST; i++) most = fmax(most, fabs(x[i] - y[i])), size = fmax(size, fabs(y[i]));
    return most / size;
}

/* The figures at the end of a message about a contradiction are rounded differently. */
static void cut_figures(resida_message *why)
{
    char *figures = strstr(why->text, ": g = ");
    if (figures) *figures = 0;
}

/* Everything but rounding is the same. @return the largest difference, relative to the largest component, or to 1 */
static double difference(outcome *x, outcome *y)
{
    cut_figures(&x->why);
    cut_figures(&y->why);
    if (x->status != y->status) fail_msg("%d, but %d with full matrices: %s", x->status, y->status, y->why.text);
    assert_string_equal(x->why.text, y->why.text);
    assert_int_equal(x->report.rank, y->report.rank);
    assert_int_equal(x->report.n_redundant, y->report.n_redundant);
    assert_int_equal(x->report.residual_calls, y->report.residual_calls);
    assert_memory_equal(x->redundant, y->redundant, sizeof x->redundant);
    return fmax(fmax(off(x->p, y->p), off(x->v, y->v)), fmax(off(x->a, y->a), off(x->lam, y->lam)));
}

/* --- random mechanisms --- */

static void make_random(rm *m, uint64_t k)
{
    *m = (rm){.n_v = 80 + (int)(k % 40), .n_g = 30 + (int)(k % 11), .n_h = k % 3 ? (int)(k % 5) : 0};
    m->n_p = m->n_v + (k % 2 ? 20 : 0);
    rm_make(m, k + 1);
}

/* From a random state, with patterns and without. @return as difference() */
static double compare(rm *m, uint64_t seed, const resida_start_options *o, resida_status expected)
{
    double p0[MOST], v0[MOST];
    outcome *both = claims_zeros(2, sizeof *both);
    assert_non_null(both);
    for (int i = 0; i < MOST; i++) p0[i] = bench_random(&seed), v0[i] = bench_random(&seed);
    for (m->as_full = 0; m->as_full < 2; m->as_full++) {
        resida_mechanism k = rm_mechanism(m);
        resida_problem *problem = problem_of(&k, NULL);
        start(problem, p0, v0, o, &both[m->as_full]);
        resida_problem_free(problem);
    }
    if (both[0].status != expected) fail_msg("status %d: %s", both[0].status, both[0].why.text);
    double apart = difference(&both[0], &both[1]);
    return apart;
}

CLAIM(random_mechanisms_start_as_with_full_matrices)
{
    double worst = 0;
    for (uint64_t k = 0; k < 40; k++) {
        rm m;
        make_random(&m, k);
        worst = fmax(worst, compare(&m, k, NULL, RESIDA_OK));
    }
    print_message("apart by %.1e\n", worst);
    assert_true(worst < 1e-12);
}

/* What is done to the last rows: duplicate, sum, zero row, row moved by 1e-10, by 1e-5. */
static int make_dependent(rm *m, uint64_t k)
{
    int last = m->n_g - 1;
    static const double apart[] = {0, 0, 0, 1e-10, 1e-5};
    switch (k % 5) {
    case 1:
        rm_make_row(m, last, 2, 4, -1, 7, 0);
        break;
    case 2:
        rm_make_row(m, last, 0, 0, 0, -1, 0);
        break;
    default:
        rm_make_row(m, last, k % 2 ? -3 : 1, 5, 0, -1, apart[k % 5]);
        break;
    }
    if (k % 3 == 0) rm_make_row(m, 2, 1, 9, 0, -1, 0);
    return (k % 5 != 4) + (k % 3 == 0);
}

CLAIM(redundant_rows_are_named_and_dropped_as_with_full_matrices)
{
    double worst = 0;
    resida_start_options o = test_start_options();
    for (uint64_t k = 0; k < 30; k++) {
        rm m;
        make_random(&m, k);
        int redundant = make_dependent(&m, k);
        o.redundant = RESIDA_REDUNDANT_REFUSE;
        const int is_zero = k % 5 == 2; /* left out, also where redundant rows are refused */
        compare(&m, k, &o, redundant > is_zero ? RESIDA_ERR_REDUNDANT : RESIDA_OK);
        o.redundant = RESIDA_REDUNDANT_DROP;
        double apart = compare(&m, k, &o, RESIDA_OK);
        if (k % 5 != 4) worst = fmax(worst, apart); /* what is almost dependent has multipliers of 1e5 and few digits */
    }
    print_message("apart by %.1e\n", worst);
    assert_true(worst < 1e-12);
}

CLAIM(contradicting_rows_are_found_as_with_full_matrices)
{
    resida_start_options o = test_start_options();
    o.redundant = RESIDA_REDUNDANT_DROP;
    rm m;
    make_random(&m, 2);
    rm_make_row(&m, m.n_g - 1, 1, 0, 0, -1, 0);
    m.offset[m.n_g - 1] += 1;
    compare(&m, 1, &o, RESIDA_ERR_REDUNDANT);
}

/* --- memory --- */

/* The start of a chain of n rods in motion. @return bytes at most */
static size_t bytes_of_a_chain(int n)
{
    bench *b = bench_make("chain-cartesian", (const bench_setting[]){{"n", n}, {"alpha0", 0.5}, {NULL, 0}});
    double *v0 = bench_doubles(2L * n), *out = bench_doubles(7L * n);
    resida_message why;
    uint64_t seed = 1;
    const resida_allocator measured = measured_memory();
    resida_problem *problem = problem_of(b->m, &measured);
    for (int i = 0; i < 2 * n; i++) v0[i] = bench_random(&seed);
    resida_status status =
        resida_problem_start(problem, 0, b->model.p0, v0, NULL, out, out + 2 * n, out + 4 * n, out + 6 * n, NULL, &why);
    if (status != RESIDA_OK) fail_msg("%s", why.text);
    resida_problem_free(problem);
    assert_true(memory_in_use == 0);
    return max_memory_in_use;
}

/* Beside the table KLU takes memory for its factors, as for any other sparse matrix. */
CLAIM(memory_grows_with_the_number_of_rods)
{
    double each = (double)bytes_of_a_chain(100) / 100;
    for (int n = 200; n <= 6400; n *= 2) {
        double now = (double)bytes_of_a_chain(n) / n;
        print_message("%d rods: %.0f bytes for each, %.0f of them in one block\n", n, now, (double)largest_block / n);
        assert_true(now < 1.1 * each);
        assert_true((double)largest_block / n < 200); /* n n numbers in one block are 8 n for each */
    }
}

CLAIM(a_second_start_takes_nothing_from_the_table_and_gives_the_same_bits)
{
    rm m;
    double p0[MOST], v0[MOST];
    uint64_t seed = 2;
    const resida_allocator measured = measured_memory();
    outcome *all = claims_zeros(3, sizeof *all);
    assert_non_null(all);
    make_random(&m, 1);
    for (int i = 0; i < MOST; i++) p0[i] = bench_random(&seed), v0[i] = bench_random(&seed);
    const resida_mechanism k = rm_mechanism(&m);
    resida_problem *problem = problem_of(&k, &measured);
    start(problem, p0, v0, NULL, &all[0]);
    const long before = measured_blocks;
    start(problem, v0, p0, NULL, &all[1]); /* something else between */
    start(problem, p0, v0, NULL, &all[2]);
    assert_int_equal(all[0].status, RESIDA_OK);
    assert_int_equal(measured_blocks, before);
    assert_memory_equal(&all[0], &all[2], offsetof(outcome, why));
    resida_problem_free(problem);
}
