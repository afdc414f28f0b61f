/* Of what costs no residual call only the columns that have moved are differenced again: the engine by itself, on a row
 * in which one column moves and the other one stands still. It has so many columns that an evaluation is dear. */
#include "jacobian/engine_impl.h"

#include "jacobian_fixture.h"

#include <math.h>
#include <string.h>

enum { N = 42, ALPHA = 10 };
#define MOST 0.2 /* of a row, where an evaluation takes 40 calls or more */

/* F_i = yp_i + y_i + (c_0(t) y_0 + c_1(t) y_1 in row 0), the last two terms cheap. */
typedef struct row {
    double rate[2];
} row;

static double slope(const row *q, int i, double t)
{
    return 2 + i + q->rate[i] * t;
}

static int dear(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    for (int i = 0; i < N; i++) r[i] = yp[i] + y[i];
    return 0;
}

static int cheap(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)yp;
    memset(r, 0, N * sizeof *r);
    r[0] = slope(user, 0, t) * y[0] + slope(user, 1, t) * y[1];
    return 0;
}

static int whole(double t, const double *y, const double *yp, double *r, void *user)
{
    double more[N];
    dear(t, y, yp, r, user);
    cheap(t, y, yp, more, user);
    r[0] += more[0];
    return 0;
}

static int known(double t, const double *y, const double *yp, double *dy, double *dyp, void *user)
{
    (void)t, (void)y, (void)yp, (void)dy, (void)user;
    for (int i = 0; i < N; i++) dyp[i] = 1;
    return 0;
}

static const int first_row[] = {0, 0}, both[] = {0, 1};

static resida_jacobian *open(row *q)
{
    static int all[N];
    static unsigned char columns[N];
    for (int i = 0; i < N; i++) all[i] = i, columns[i] = RESIDA_COLUMN_DEAR | (i < 2 ? RESIDA_COLUMN_CHEAP : 0);
    resida_system s;
    resida_system_init(&s);
    s.n = s.n_yp = N;
    s.n_cheap = 2;
    s.user = q;
    s.F = whole;
    s.dear = dear;
    s.cheap = cheap;
    s.known = known;
    s.yp_row = s.yp_column = all;
    s.cheap_row = first_row;
    s.cheap_column = both;
    s.columns = columns;
    return open_system(&s, "fresh", NULL);
}

/* @return calls of the cheap part; the two entries of row 0 are those of times t0 and t1 */
static long set_up(resida_jacobian *j, row *q, double t, resida_setup_reason reason, double t0, double t1)
{
    const double y[N] = {1, 2}, yp[N] = {0.5, -1}, found[] = {t0, t1};
    double F[N];
    int current;
    resida_jacobian_counts before, after;
    whole(t, y, yp, F, q);
    resida_jacobian_point at = {.t = t, .alpha = ALPHA, .h = 0.1, .y = y, .yp = yp, .F = F};
    resida_jacobian_get_counts(j, &before);
    assert_int_equal(resida_jacobian_setup(j, reason, &at, &current), 0);
    resida_jacobian_get_counts(j, &after);
    resida_jacobian_matrix J;
    assert_int_equal(resida_jacobian_get_matrix(j, &J), RESIDA_OK);
    for (int c = 0; c < 2; c++) {
        int e = J.start[c];
        while (J.row[e] != 0) e++;
        assert_true(fabs(J.values[e] - slope(q, c, found[c]) - (c == 0 ? 1 + ALPHA : 0)) < 1e-5);
    }
    return after.cheap_calls - before.cheap_calls;
}

enum { BASE = 1, ONE = BASE + 1, TWO = BASE + 2 };

/* The entry of column 0 is 13 at t = 0, the largest of row 0; there is time until it has changed by MOST. */
static void a_column_that_stands_still_keeps_its_differences(void **state)
{
    (void)state;
    row q = {{1, 0}};
    resida_jacobian *j = open(&q);
    set_up(j, &q, 0, RESIDA_SETUP_FIRST, 0, 0);
    assert_int_equal(set_up(j, &q, 0.1, RESIDA_SETUP_ATTEMPT, 0.1, 0.1), TWO); /* nothing is known of their speed */
    double t = 0.1 + 1.1 * 13 * MOST;
    assert_true(rsd_engine_is_due(j, t));
    assert_int_equal(set_up(j, &q, t, RESIDA_SETUP_ATTEMPT, t, 0), ONE);
    resida_jacobian_free(j);
}

/* Not due, but asked for: the guess was wrong. */
static void a_slow_iteration_renews_all_columns(void **state)
{
    (void)state;
    row q = {{1, 0}};
    resida_jacobian *j = open(&q);
    set_up(j, &q, 0, RESIDA_SETUP_FIRST, 0, 0);
    set_up(j, &q, 0.1, RESIDA_SETUP_ATTEMPT, 0.1, 0.1);
    q.rate[1] = -5; /* all of a sudden */
    double t = 0.1 + 0.9 * 13 * MOST;
    assert_false(rsd_engine_is_due(j, t));
    assert_int_equal(set_up(j, &q, t, RESIDA_SETUP_ATTEMPT, t, t), TWO);
    resida_jacobian_free(j);
}

/* A column that moves half as fast is renewed along with one that is due; an evaluation renews both in any case. */
static void columns_that_move_as_well_go_with_it(void **state)
{
    (void)state;
    row q = {{1, 0.5}};
    resida_jacobian *j = open(&q);
    set_up(j, &q, 0, RESIDA_SETUP_FIRST, 0, 0);
    set_up(j, &q, 0.1, RESIDA_SETUP_ATTEMPT, 0.1, 0.1);
    double t = 0.1 + 1.1 * 13 * MOST;
    assert_int_equal(set_up(j, &q, t, RESIDA_SETUP_ATTEMPT, t, t), TWO);
    q.rate[1] = 0;
    assert_true(set_up(j, &q, 2 * t, RESIDA_SETUP_OTHER, 2 * t, 2 * t) >= TWO);
    resida_jacobian_free(j);
}

/* However slow it was, it is looked at again. */
static void no_column_is_taken_to_stand_still_for_ever(void **state)
{
    (void)state;
    row q = {{1, 0}};
    resida_jacobian *j = open(&q);
    set_up(j, &q, 0, RESIDA_SETUP_FIRST, 0, 0);
    set_up(j, &q, 0.1, RESIDA_SETUP_ATTEMPT, 0.1, 0.1);
    assert_int_equal(set_up(j, &q, 100, RESIDA_SETUP_ATTEMPT, 100, 100), TWO);
    resida_jacobian_free(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_column_that_stands_still_keeps_its_differences),
        cmocka_unit_test(a_slow_iteration_renews_all_columns),
        cmocka_unit_test(columns_that_move_as_well_go_with_it),
        cmocka_unit_test(no_column_is_taken_to_stand_still_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
