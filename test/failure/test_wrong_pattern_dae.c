/* test_wrong_pattern_dae.c - a J_pattern that lacks entries is a warning of resida_solver_examine(), a right one is
 * none: of a coupled oscillator, whose diagonal alone gives one group of columns with an entry in each row; of
 * Robertson's reactions, whose balance is algebraic; of a line of reactions, at the calls that the header names. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

enum { N = 12 };

static int oscillator(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0];
    return 0;
}

static int robertson(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const double slow = 0.04 * y[0] - 1e4 * y[1] * y[2];
    r[0] = yp[0] + slow;
    r[1] = yp[1] - slow + 3e7 * y[1] * y[1];
    r[2] = y[0] + y[1] + y[2] - 1;
    return 0;
}

static int line(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    for (int i = 0; i < N; i++) r[i] = yp[i] + y[i] * y[i] - (i > 0 ? y[i - 1] : 0) + 0.1 * (i < N - 1 ? y[i + 1] : 0);
    return 0;
}

/* The first warning, "" without one; the calls that looking took. */
static long examine(resida_dae *d, const int *row, const int *col, const double *y, char *warning)
{
    double yp[N] = {0};
    const resida_problem_options of_problem = test_problem_options();
    const resida_solver_options o = test_solver_options();
    resida_stats before = {.size = sizeof before}, after = {.size = sizeof after};
    d->J_pattern = (resida_pattern){row, col};
    resida_solver *solver = test_solver_dae(d, &of_problem, &o);
    d->residual(0, y, yp, NULL, yp, NULL);
    for (int i = 0; i < d->n; i++) yp[i] = -yp[i];
    assert_int_equal(resida_solver_start_dae(solver, 0, y, yp), RESIDA_OK);
    before = test_stats(solver);
    assert_int_equal(resida_solver_examine(solver), RESIDA_OK);
    after = test_stats(solver);
    strcpy(warning, after.n_warnings > 0 ? after.warnings[0] : "");
    return after.residual_calls.total - before.residual_calls.total;
}

static const int diagonal_row[] = {0, 1, 2, 3}, diagonal_col[] = {0, 1, 2};

CLAIM(a_diagonal_for_a_coupled_system_is_a_warning)
{
    resida_dae d = test_dae();
    char warning[RESIDA_MESSAGE_SIZE];
    d.n = 2, d.residual = oscillator;
    examine(&d, diagonal_row, diagonal_col, (double[]){1, 0}, warning);
    print_message("  %s\n", warning);
    assert_int_equal(strncmp(warning, "J_pattern: row 0 (y[0]) is ", 27), 0);
    assert_non_null(strstr(warning, "the pattern lacks entries"));
}

CLAIM(each_row_of_robertsons_reactions_may_lack_an_entry)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    const double y[] = {0.7, 1e-5, 0.3 - 1e-5};
    for (int missing = 0; missing < 9; missing++) {
        int row[4] = {0}, col[9], k = 0;
        char warning[RESIDA_MESSAGE_SIZE];
        for (int e = 0; e < 9; e++) {
            if (e != missing) col[k++] = e % 3;
            row[e / 3 + 1] = k;
        }
        resida_dae d = test_dae();
        d.n = 3, d.residual = robertson, d.kinds = kinds;
        examine(&d, row, col, y, warning);
        const char *begin = claims_text("J_pattern: row %d ", missing / 3);
        if (strncmp(warning, begin, strlen(begin)) != 0) fail_msg("without entry %d: '%s'", missing, warning);
    }
}

CLAIM(a_right_pattern_costs_four_calls_and_four_a_group_and_is_no_warning)
{
    enum { GROUPS = 3 };
    int row[N + 1] = {0}, col[3 * N], k = 0;
    double y[N];
    char warning[RESIDA_MESSAGE_SIZE];
    for (int i = 0; i < N; i++) {
        y[i] = cos(i);
        for (int c = i - 1; c <= i + 1; c++)
            if (c >= 0 && c < N) col[k++] = c;
        row[i + 1] = k;
    }
    resida_dae d = test_dae();
    d.n = N, d.residual = line;
    assert_int_equal(examine(&d, row, col, y, warning), 4 + 4 * GROUPS);
    assert_string_equal(warning, "");
    row[N]--; /* the last row lacks its diagonal */
    examine(&d, row, col, y, warning);
    assert_int_equal(strncmp(warning, "J_pattern: row 11 (y[11]) ", 26), 0);
}

CLAIM(a_start_that_a_wrong_pattern_does_not_find_names_it)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    const resida_problem_options of_problem = test_problem_options();
    const resida_solver_options o = test_solver_options();
    resida_dae d = test_dae();
    d.n = 3, d.residual = robertson, d.kinds = kinds;
    d.J_pattern = (resida_pattern){(int[]){0, 3, 6, 7}, (int[]){0, 1, 2, 0, 1, 2, 1}}; /* the balance of y[1] alone */
    resida_solver *solver = test_solver_dae(&d, &of_problem, &o);
    assert_int_equal(resida_solver_start_dae(solver, 0, (double[]){1, 0, 0.1}, NULL), RESIDA_ERR_INCONSISTENT);
    print_message("  %s\n", resida_solver_message(solver));
    assert_non_null(strstr(resida_solver_message(solver), "J_pattern: row 2 (y[2]) is "));
}
