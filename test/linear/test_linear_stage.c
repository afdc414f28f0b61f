/* test_linear_stage.c - what happens to a linear system before it is factored: scaling and static condensation change
 * pivots, never solutions; and factorisation without pivoting, which works where the order of the unknowns gives it
 * pivots, and says which one is missing where it does not. */
#include "linear_fixture.h"
#include "test/fixtures/rationed.h"

enum { RODS = 8, N = 6 * RODS };

/* Solutions of one system, with what is asked for. */
static void check_solutions(const sparse_matrix *A, const char *kind, int pairs, int scaled, double most)
{
    int row[N], column[N];
    double rows[N], columns[N];
    rsd_linear_solver *ls = linear_make(A->n, kind);
    for (int k = 0; k < 2 * RODS; k++) row[k] = k, column[k] = 2 * RODS + k; /* p' = v gives v */
    for (int i = 0; i < A->n; i++) rows[i] = ldexp(1, i % 7 - 3), columns[i] = ldexp(1, 5 - i % 11);
    assert_int_equal(rsd_linear_set_pairs(ls, pairs ? 2 * RODS : 0, row, column), RESIDA_OK);
    if (scaled) assert_int_equal(rsd_linear_set_scales(ls, rows, columns), RESIDA_OK);
    assert_int_equal(rsd_linear_set_pattern(ls, A->col_start, A->row, NULL), RESIDA_OK);
    assert_int_equal(rsd_linear_factor(ls, A->values), 0);
    memset(row, 0x7f, sizeof row), memset(column, 0x7f, sizeof column); /* copied */
    memset(rows, 0xff, sizeof rows), memset(columns, 0xff, sizeof columns);
    double error = linear_known_error(ls, A, 100);
    if (!(error <= most)) fail_msg("%s, %d, %d: error %g", kind, pairs, scaled, error);
}

CLAIM(solutions_do_not_depend_on_scaling_and_condensation)
{
    static const char *const kinds[] = {"dense", "klu", "auto"};
    sparse_matrix A = sparse_chain(RODS, 100, 0.3, 0.2);
    for (int i = 0; i < 3; i++)
        for (int how = 0; how < 4; how++) check_solutions(&A, kinds[i], how & 1, how & 2, 1e-9);
}

/* Backends see a smaller matrix: the factors of the dense kind say how large it is. */
CLAIM(condensed_unknowns_are_not_factored)
{
    int row[2 * RODS], column[2 * RODS];
    sparse_matrix A = sparse_chain(RODS, 100, 0.3, 0.2);
    for (int k = 0; k < 2 * RODS; k++) row[k] = k, column[k] = 2 * RODS + k;
    rsd_linear_solver *ls = linear_make(A.n, "dense");
    assert_int_equal(rsd_linear_set_pairs(ls, 2 * RODS, row, column), RESIDA_OK);
    assert_int_equal(rsd_linear_set_pattern(ls, A.col_start, A.row, NULL), RESIDA_OK);
    assert_int_equal(rsd_linear_factor(ls, A.values), 0);
    assert_int_equal(rsd_linear_get_report(ls).nnz_factors, (N - 2 * RODS) * (N - 2 * RODS));
}

/* The first column is (1e-20, 1): its pivot is 1, and the solution is good. With the first row times 1e21 the pivot is
 * 1e-20 of what it should be, and x_1 is lost. */
CLAIM(pivots_are_those_of_the_scaled_matrix)
{
    const int col_start[] = {0, 2, 4}, index[] = {0, 1, 0, 1};
    const double values[] = {1e-20, 1, 1, 1}, ones[] = {1, 1}, wrong[] = {1e21, 1};
    for (int scaled = 0; scaled < 2; scaled++) {
        double x[] = {1, 2}; /* of x = (1, 1) */
        rsd_linear_solver *ls = linear_make(2, "dense");
        assert_int_equal(rsd_linear_set_pattern(ls, col_start, index, NULL), RESIDA_OK);
        assert_int_equal(rsd_linear_set_scales(ls, scaled ? wrong : ones, ones), RESIDA_OK);
        assert_int_equal(rsd_linear_factor(ls, values), 0);
        rsd_linear_solve(ls, x);
        bench_near(x[1], 1, 1e-15);
        assert_int_equal(fabs(x[0] - 1) < 1e-15, !scaled);
        assert_int_equal(rsd_linear_set_scales(ls, NULL, NULL), RESIDA_OK); /* as it is again */
        assert_int_equal(rsd_linear_factor(ls, values), 0);
        x[0] = 1, x[1] = 2;
        rsd_linear_solve(ls, x);
        bench_near(x[0], 1, 1e-15);
    }
}

CLAIM(rows_that_do_not_give_their_unknown_are_refused)
{
    const int col_start[] = {0, 2, 4, 5}, index[] = {0, 1, 0, 1, 2};
    const int wrong[][2][2] = {{{0, 1}, {0, 1}}, {{0, 2}, {0, 1}}};
    const double values[] = {0, 1, 1, 1, 1};
    resida_message why = {""};
    rsd_linear_solver *ls = linear_make(3, "auto");
    assert_int_equal(rsd_linear_set_pairs(ls, 2, wrong[1][0], wrong[1][1]), RESIDA_OK);
    assert_int_equal(rsd_linear_set_pattern(ls, col_start, index, &why), RESIDA_ERR_MODEL);
    assert_non_null(strstr(why.text, "row 2 does not determine unknown 1"));
    for (int k = 0; k < 2; k++) { /* an entry in another pair's column must be zero */
        const double values_2[] = {3, k, 0, 1, 1};
        assert_int_equal(rsd_linear_set_pairs(ls, 2, wrong[0][0], wrong[0][1]), RESIDA_OK);
        assert_int_equal(rsd_linear_set_pattern(ls, col_start, index, &why), RESIDA_OK);
        assert_int_equal(rsd_linear_factor(ls, values_2), k);
    }
    assert_int_equal(rsd_linear_set_pairs(ls, 1, wrong[0][0], wrong[0][1]), RESIDA_OK);
    assert_int_equal(rsd_linear_set_pattern(ls, col_start, index, &why), RESIDA_OK);
    assert_int_equal(rsd_linear_factor(ls, values), 1); /* the entry that gives it is zero */
}

/* A singular column is named as the caller numbers it. */
CLAIM(singular_columns_of_a_condensed_system_are_named)
{
    const int col_start[] = {0, 1, 2, 3}, index[] = {0, 1, 2}, pair[] = {0};
    const double values[] = {2, 3, 0};
    rsd_linear_solver *ls = linear_make(3, "dense");
    assert_int_equal(rsd_linear_set_pairs(ls, 1, pair, pair), RESIDA_OK);
    assert_int_equal(rsd_linear_set_pattern(ls, col_start, index, NULL), RESIDA_OK);
    assert_int_equal(rsd_linear_factor(ls, values), 3);
}

/* (35) of O. Bauchau, A. Epple, C. Bottasso: condition number 1, and yet lost without pivoting once h^2 is small. */
CLAIM(without_pivoting_small_pivots_are_refused_by_name)
{
    const int col_start[] = {0, 1, 3, 5}, index[] = {0, 1, 2, 1, 2};
    const double h[] = {1, 1e-3, 1e-8, 0};
    for (int k = 0; k < 4; k++) {
        const double values[] = {1, h[k] * h[k], 1, 1, 0};
        rsd_linear_solver *ls = linear_make(3, "klu-diagonal");
        assert_int_equal(rsd_linear_set_pattern(ls, col_start, index, NULL), RESIDA_OK);
        assert_int_equal(rsd_linear_factor(ls, values), k < 2 ? 0 : 2);
        ls = linear_make(3, "klu");
        assert_int_equal(rsd_linear_set_pattern(ls, col_start, index, NULL), RESIDA_OK);
        assert_int_equal(rsd_linear_factor(ls, values), 0);
    }
}

/* --- memory --- */

/* @return 1: all went well; 0: memory ran out, and that was said */
static int live(const sparse_matrix *A, rationed *m)
{
    const resida_allocator alloc = rationed_allocator(m);
    int row[2 * RODS], column[2 * RODS], done = 0;
    double x[N] = {1}, ones[N];
    rsd_linear_solver *ls;
    for (int k = 0; k < 2 * RODS; k++) row[k] = k, column[k] = 2 * RODS + k;
    for (int i = 0; i < N; i++) ones[i] = 1;
    if (rsd_linear_create(&ls, A->n, "dense", &alloc, NULL) < 0) return 0;
    if (rsd_linear_set_pairs(ls, 2 * RODS, row, column) == RESIDA_OK &&
        rsd_linear_set_scales(ls, ones, ones) == RESIDA_OK &&
        rsd_linear_set_pattern(ls, A->col_start, A->row, NULL) == RESIDA_OK) {
        const long before = m->left;
        assert_int_equal(rsd_linear_factor(ls, A->values), 0);
        rsd_linear_solve(ls, x);
        assert_int_equal(rsd_linear_set_scales(ls, ones, ones), RESIDA_OK);
        assert_int_equal(m->left, before); /* nothing is taken on the way */
        done = 1;
    }
    rsd_linear_free(ls);
    return done;
}

CLAIM(memory_may_run_out_at_every_place_and_none_is_lost)
{
    sparse_matrix A = sparse_chain(RODS, 100, 0.3, 0.2);
    int done = 0, places = 0;
    for (; !done && places < 200; places++) {
        rationed m = {.left = places};
        done = live(&A, &m);
        assert_int_equal(m.out, 0);
    }
    assert_true(done && places > 15);
}
