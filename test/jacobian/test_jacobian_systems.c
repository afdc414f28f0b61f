/* test_jacobian_systems.c - the Jacobian engine on a function in one part and in two, of which little or nothing is
 * said: every strategy finds J, also after a setup that failed, and after a reset.
 *
 *     dear_i = sin(y_i y_k) + yp_i y_k,    cheap_i = cos(y_i) + y_k^2 + 2 yp_m,    k, m the next two after i
 *
 * Sizes of 1 to 3: differences are right to some 1e-8 of an entry, see test_jacobian.c; 1e-6 of the row is asked
 * for. */
#include <limits.h>

#include "jacobian_fixture.h"
#include "test/fixtures/rationed.h"

#define ACCURACY 1e-6

enum { N = 12 };

static int formalism(double t, const double *y, const double *yp, double *r, void *user)
{
    for (int i = 0; i < N; i++) r[i] = sin(y[i] * y[(i + 1) % N]) + yp[i] * y[(i + 1) % N];
    return 0;
}

static int constraint(double t, const double *y, const double *yp, double *r, void *user)
{
    for (int i = 0; i < N; i++) r[i] = cos(y[i]) + y[(i + 1) % N] * y[(i + 1) % N] + 2 * yp[(i + 2) % N];
    return 0;
}

static int both(double t, const double *y, const double *yp, double *r, void *user)
{
    double part[N];
    constraint(t, y, yp, part, user);
    formalism(t, y, yp, r, user);
    for (int i = 0; i < N; i++) r[i] += part[i];
    return 0;
}

static void exact_of_both(double alpha, const double *y, const double *yp, double *J)
{
    memset(J, 0, N * N * sizeof *J);
    for (int i = 0; i < N; i++) {
        int k = (i + 1) % N;
        J[i * N + i] = y[k] * cos(y[i] * y[k]) - sin(y[i]) + alpha * y[k];
        J[k * N + i] = y[i] * cos(y[i] * y[k]) + yp[i] + 2 * y[k];
        J[(i + 2) % N * N + i] = 2 * alpha;
    }
}

/* Components of size 1 to 3 with either sign, their derivatives times `scale`; F there. */
typedef struct place {
    double y[N], yp[N], F[N];
    resida_jacobian_point at;
} place;

static void go_to(place *q, double scale)
{
    uint64_t seed = 8;
    for (int i = 0; i < N; i++) {
        double x = 2 * bench_random(&seed), xp = 2 * bench_random(&seed);
        q->y[i] = x + copysign(1, x);
        q->yp[i] = scale * (xp + copysign(1, xp));
    }
    both(0, q->y, q->yp, q->F, NULL);
    q->at = (resida_jacobian_point){.alpha = 3, .h = 0.1, .y = q->y, .yp = q->yp, .F = q->F};
}

static resida_system system_of_both(int in_parts)
{
    resida_system s;
    resida_system_init(&s);
    s.n = N;
    s.F = both;
    if (in_parts) s.formalism = formalism, s.constraint = constraint;
    return s;
}

CLAIM(every_strategy_finds_J_without_any_information_about_F)
{
    place q;
    double exact[N * N], found[N * N];
    go_to(&q, 1);
    exact_of_both(q.at.alpha, q.y, q.yp, exact);
    for (int k = 0; k < 2 * N_EVERY_STRATEGY; k++) {
        resida_system s = system_of_both(k % 2);
        resida_jacobian *j = open_system(&s, every_strategy[k / 2], NULL);
        int current = 0;
        assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_FIRST, &q.at, &current), 0);
        assert_int_equal(current, 1);
        get_full(j, N, found);
        double off = off_by_row(N, found, exact);
        if (off >= ACCURACY) fail_msg("%s, %d parts: J off by %g of its row", every_strategy[k / 2], 1 + k % 2, off);
    }
}

/* One bit of resida_column for each column: where differences are taken of the whole, they hold all parts of a
 * column. */
CLAIM(a_column_that_is_open_in_one_part_is_found_whole)
{
    place q;
    double exact[N * N], found[N * N];
    unsigned char columns[N];
    go_to(&q, 1);
    exact_of_both(q.at.alpha, q.y, q.yp, exact);
    for (int k = 0; k < 6; k++) {
        resida_system s = system_of_both(1);
        memset(columns, RESIDA_COLUMN_FORMALISM | RESIDA_COLUMN_CONSTRAINT | RESIDA_COLUMN_YP, N);
        columns[4] = (unsigned char)(1u << k / 2);
        s.columns = columns;
        resida_jacobian *j = open_system(&s, k % 2 ? "sparse" : "dense", NULL);
        int current = 0;
        assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_FIRST, &q.at, &current), 0);
        get_full(j, N, found);
        assert_true(off_by_row(N, found, exact) < ACCURACY);
    }
}

CLAIM(a_setup_without_memory_fails_and_the_next_one_finds_J)
{
    place q;
    double exact[N * N], found[N * N];
    go_to(&q, 1);
    exact_of_both(q.at.alpha, q.y, q.yp, exact);
    int failed = 1, failures = 0;
    for (int k = 0; failed; k++, failures += failed) {
        rationed m = {.left = LONG_MAX, .once = 1};
        const resida_allocator allocator = rationed_allocator(&m);
        resida_system s = system_of_both(1);
        resida_jacobian *j = open_system(&s, "sparse+partitioned", &allocator);
        int current = 0;
        m.left = k;
        int verdict = resida_jacobian_setup(j, RESIDA_SETUP_FIRST, &q.at, &current);
        failed = m.left < 0;
        assert_int_equal(verdict, failed ? RESIDA_ERR_MEMORY : 0);
        assert_int_equal(has_matrix(j), !failed);
        assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_FAILURE, &q.at, &current), 0);
        get_full(j, N, found);
        assert_true(off_by_row(N, found, exact) < ACCURACY);
        test_jacobian_free(j);
        assert_int_equal(m.out, 0);
    }
    print_message("%d allocations of a setup failed, one at a time\n", failures);
    assert_true(failures > 20);
}

/* Every strategy: the pattern is forgotten, the counts are not. */
CLAIM(a_reset_engine_does_what_a_new_one_does)
{
    place q;
    double first[N * N], again[N * N];
    go_to(&q, 1);
    for (int k = 0; k < N_EVERY_STRATEGY; k++) {
        resida_system s = system_of_both(1);
        resida_jacobian *j = open_system(&s, every_strategy[k], NULL);
        resida_jacobian_counts once, twice;
        int current = 0;
        assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_FIRST, &q.at, &current), 0);
        get_full(j, N, first);
        assert_int_equal(resida_jacobian_get_counts(j, &once), RESIDA_OK);
        resida_jacobian_reset(j);
        assert_false(has_matrix(j));
        assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_ALPHA, &q.at, &current), 0);
        assert_int_equal(current, 1);
        get_full(j, N, again);
        assert_memory_equal(first, again, sizeof first);
        assert_int_equal(resida_jacobian_get_counts(j, &twice), RESIDA_OK);
        assert_int_equal(twice.residual_calls, 2 * once.residual_calls);
        assert_int_equal(twice.constraint_calls, 2 * once.constraint_calls);
    }
    resida_jacobian_reset(NULL);
}

/* Row i has entries in the columns i, i + 1, i + 2: columns of a group are at least three apart. */
CLAIM(groups_hold_columns_that_share_no_row)
{
    place q;
    const int *group;
    int n_groups = 0, current = 0;
    go_to(&q, 1);
    resida_system s = system_of_both(0);
    resida_jacobian *j = open_system(&s, "sparse", NULL), *dense = open_system(&s, "dense", NULL);
    assert_int_equal(resida_jacobian_get_groups(j, &group, &n_groups), RESIDA_ERR_STATE);
    assert_string_equal(resida_jacobian_grouping(j), "");
    assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_FIRST, &q.at, &current), 0);
    assert_int_equal(resida_jacobian_setup(dense, RESIDA_SETUP_FIRST, &q.at, &current), 0);
    assert_int_equal(resida_jacobian_get_groups(j, &group, &n_groups), RESIDA_OK);
    assert_true(n_groups >= 3 && n_groups < N);
    for (int c = 0; c < N; c++) {
        assert_true(group[c] >= 0 && group[c] < n_groups);
        assert_int_not_equal(group[c], group[(c + 1) % N]);
        assert_int_not_equal(group[c], group[(c + 2) % N]);
    }
    assert_true(strlen(resida_jacobian_grouping(j)) > 0);
    assert_int_equal(resida_jacobian_get_groups(dense, &group, &n_groups), RESIDA_ERR_STATE);
    assert_string_equal(resida_jacobian_grouping(dense), "");
}

/* Where F is not possible at any state near the point there is no pattern yet, and nothing better to ask for. */
static int refuse(double t, const double *y, const double *yp, double *r, void *user)
{
    return *(int *)user ? 7 : both(t, y, yp, r, NULL);
}

CLAIM(a_setup_whose_pattern_cannot_be_found_fails_and_cannot_be_improved)
{
    place q;
    double exact[N * N], found[N * N];
    int refused = 1;
    go_to(&q, 1);
    exact_of_both(q.at.alpha, q.y, q.yp, exact);
    resida_system s = system_of_both(0);
    s.F = refuse;
    s.user = &refused;
    resida_jacobian *j = open_system(&s, "sparse+partitioned", NULL);
    int current = 0;
    assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_FIRST, &q.at, &current), 7);
    assert_int_equal(current, 1);
    assert_false(has_matrix(j));
    refused = 0;
    assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_FAILURE, &q.at, &current), 0);
    get_full(j, N, found);
    assert_true(off_by_row(N, found, exact) < ACCURACY);
}

/* F is not possible at the setup that was to fulfil it: the next one does. */
CLAIM(a_request_outlives_a_setup_that_fails)
{
    const char *const strategies[] = {"dense", "sparse+partitioned", "auto"};
    for (int k = 0; k < 3; k++) {
        place q;
        int refused = 0, current = 0;
        go_to(&q, 1);
        resida_system s = system_of_both(0);
        s.F = refuse;
        s.user = &refused;
        resida_jacobian *j = open_system(&s, strategies[k], NULL);
        assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_FIRST, &q.at, &current), 0);
        assert_int_equal(resida_jacobian_request(j, RESIDA_REQUEST_PATTERN), RESIDA_OK);
        refused = 1;
        assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_ALPHA, &q.at, &current), 7);
        if (!resida_jacobian_is_requested(j)) fail_msg("%s: the request is lost", strategies[k]);
        refused = 0;
        assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_ALPHA, &q.at, &current), 0);
        if (resida_jacobian_is_requested(j)) fail_msg("%s: the request stays", strategies[k]);
    }
}
