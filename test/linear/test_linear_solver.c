/* test_linear_solver.c - the linear solvers: solutions against known ones, what becomes of patterns and inputs, and the
 * choice of "auto". Pivots and singular matrices: test_linear_pivots.c, memory: test_linear_memory.c. */
#include <limits.h>

#include "linear_fixture.h"

enum { TRIALS = 60 };

/* --- solutions --- */

CLAIM(random_systems_are_solved_backward_stably)
{
    uint64_t seed = 1;
    for (int trial = 0; trial < TRIALS; trial++) {
        sparse_matrix A = sparse_random(1 + trial * (LINEAR_MAX - 1) / TRIALS, 0.02 * (trial % 30), &seed);
        for (int i = 0; i < LINEAR_KINDS; i++) {
            rsd_linear_solver *ls = linear_open(&A, linear_kinds[i]);
            assert_int_equal(rsd_linear_factor(ls, A.values), 0);
            linear_check_solve(ls, &A);
            linear_check_solve(ls, &A); /* factors are not used up */
        }
    }
}

CLAIM(dense_storage_gives_what_the_pattern_gives)
{
    static const char *const all[] = {"dense", "klu", "auto"};
    uint64_t seed = 2;
    sparse_matrix A = sparse_random(25, 0.2, &seed);
    double *full = bench_doubles(25 * 25), known[25], expected[25], x[25], backward;
    sparse_to_full(&A, full);
    linear_known(&A, 0, known);
    rsd_linear_solver *ls = linear_open(&A, "dense");
    assert_int_equal(rsd_linear_factor(ls, A.values), 0);
    linear_error(ls, &A, known, expected, NULL);
    for (int i = 0; i < 3; i++) {
        ls = linear_make(25, all[i]);
        assert_int_equal(rsd_linear_set_pattern(ls, NULL, NULL, NULL), RESIDA_OK);
        assert_int_equal(rsd_linear_factor(ls, full), 0);
        linear_error(ls, &A, known, x, &backward);
        assert_true(backward <= LINEAR_MAX_ERROR);
        assert_string_equal(rsd_linear_get_report(ls).name, i == 1 ? "klu" : "dense");
        if (i != 1) assert_memory_equal(x, expected, sizeof x);
    }
}

CLAIM(a_right_side_that_is_not_finite_leaves_no_trace)
{
    for (int i = 0; i < 4 * LINEAR_KINDS; i++) {
        sparse_matrix A = sparse_chain(1 + i / LINEAR_KINDS, 100, 0.3, 0.2);
        rsd_linear_solver *ls = linear_open(&A, linear_kinds[i % LINEAR_KINDS]);
        double *x = bench_doubles(A.n);
        assert_int_equal(rsd_linear_factor(ls, A.values), 0);
        for (int k = 0; k < A.n; k++) x[k] = NAN;
        rsd_linear_solve(ls, x);
        for (int k = 0; k < A.n; k++) x[k] = 0;
        rsd_linear_solve(ls, x);
        for (int k = 0; k < A.n; k++) assert_true(x[k] == 0);
    }
}

CLAIM(systems_of_one_unknown_are_solved)
{
    const int col_start[] = {0, 1}, row[] = {0};
    const double values[] = {-4, 1e-300, 1e300, 0};
    for (int i = 0; i < LINEAR_KINDS; i++)
        for (int pattern = 0; pattern < 2; pattern++) {
            rsd_linear_solver *ls = linear_make(1, linear_kinds[i]);
            assert_int_equal(rsd_linear_set_pattern(ls, pattern ? col_start : NULL, pattern ? row : NULL, NULL),
                             RESIDA_OK);
            for (int k = 0; k < 3; k++) {
                double x = 3 * values[k];
                assert_int_equal(rsd_linear_factor(ls, &values[k]), 0);
                rsd_linear_solve(ls, &x);
                bench_near(x, 3, 4 * DBL_EPSILON);
            }
            assert_int_equal(rsd_linear_factor(ls, &values[3]), 1);
        }
}

/* One solver for all alpha, as in an integration; the chain swings on the way. The condition of the matrix with scaled
 * rows and columns is about 1e3, whatever alpha is. Kept pivots may cost what the solver promises. */
CLAIM(saddle_points_are_solved_for_alpha_from_1_to_1e12)
{
    const double most[LINEAR_KINDS] = {1e3 * LINEAR_MAX * DBL_EPSILON, 1e-6, 1e-6};
    for (int i = 0; i < LINEAR_KINDS; i++) {
        rsd_linear_solver *ls = NULL;
        for (int power = 0; power <= 12; power++) {
            double alpha = pow(10, power);
            sparse_matrix A = sparse_chain(10, alpha, 0.1 * power, 0.2);
            if (!ls) ls = linear_open(&A, linear_kinds[i]);
            assert_int_equal(rsd_linear_factor(ls, A.values), 0);
            double error = linear_known_error(ls, &A, alpha);
            if (!(error <= most[i])) fail_msg("%s: alpha = %g, error %g", linear_kinds[i], alpha, error);
        }
    }
}

/* --- patterns --- */

CLAIM(inputs_are_neither_changed_nor_read_later)
{
    uint64_t seed = 9;
    for (int i = 0; i < LINEAR_KINDS; i++) {
        sparse_matrix A = sparse_random(20, 0.2, &seed);
        int start[21], row[400];
        double values[400];
        memcpy(start, A.col_start, 21 * sizeof *start);
        memcpy(row, A.row, (size_t)A.nnz * sizeof *row);
        memcpy(values, A.values, (size_t)A.nnz * sizeof *values);
        rsd_linear_solver *ls = linear_make(20, linear_kinds[i]);
        assert_int_equal(rsd_linear_set_pattern(ls, start, row, NULL), RESIDA_OK);
        assert_memory_equal(start, A.col_start, 21 * sizeof *start);
        assert_memory_equal(row, A.row, (size_t)A.nnz * sizeof *row);
        memset(start, 0x7f, sizeof start);
        memset(row, 0x7f, sizeof row);
        for (int repeat = 0; repeat < 2; repeat++) {
            assert_int_equal(rsd_linear_factor(ls, values), 0);
            assert_memory_equal(values, A.values, (size_t)A.nnz * sizeof *values);
        }
        memset(values, 0xff, sizeof values);
        linear_check_solve(ls, &A);
    }
}

CLAIM(new_pattern_is_analysed_and_counts_go_on)
{
    for (int i = 0; i < LINEAR_KINDS; i++) {
        uint64_t seed = 10;
        sparse_matrix A = sparse_random(30, 0.05, &seed);
        rsd_linear_solver *ls = linear_open(&A, linear_kinds[i]);
        for (int growth = 1; growth <= 5; growth++) {
            assert_int_equal(rsd_linear_factor(ls, A.values), 0);
            linear_check_counts(ls, growth, 0);
            linear_check_solve(ls, &A);
            A = sparse_random(30, 0.05 + 0.05 * growth, &seed);
            assert_int_equal(rsd_linear_set_pattern(ls, A.col_start, A.row, NULL), RESIDA_OK);
            assert_int_equal(rsd_linear_get_report(ls).nnz_factors, 0);
        }
    }
}

CLAIM(contradicting_pattern_is_refused_and_the_old_one_stays)
{
    const struct {
        int col_start[4], row[4];
    } bad[] = {{{1, 2, 3, 4}, {0, 1, 2, 0}},
               {{0, 2, 1, 3}, {0, 1, 2, 0}},
               {{0, 1, 2, 3}, {0, 1, 3, 0}},
               {{0, 1, 2, 3}, {0, -1, 2, 0}},
               {{0, 2, 3, 4}, {1, 1, 2, 0}}};
    int col_start[] = {0, 1, 3, 4}, row[] = {0, 0, 1, 2};
    double values[] = {2, 1, 3, 5};
    sparse_matrix A = {3, 4, col_start, row, values};
    for (int i = 0; i < LINEAR_KINDS; i++) {
        rsd_linear_solver *ls = linear_open(&A, linear_kinds[i]);
        assert_int_equal(rsd_linear_factor(ls, A.values), 0);
        for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
            resida_message why = {""};
            assert_int_equal(rsd_linear_set_pattern(ls, bad[k].col_start, bad[k].row, &why), RESIDA_ERR_MODEL);
            assert_non_null(strstr(why.text, "transposed J"));
            linear_check_solve(ls, &A);
        }
        linear_check_counts(ls, 1, 0);
    }
}

CLAIM(without_a_pattern_nothing_is_factored)
{
    rsd_linear_solver *ls = linear_make(3, "auto");
    assert_true(rsd_linear_factor(ls, (const double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}) < 0);
    rsd_linear_report r = rsd_linear_get_report(ls);
    assert_string_equal(r.name, "");
    assert_int_equal(r.nnz_factors + r.factors + r.refactors, 0);
    rsd_linear_free(NULL);
}

CLAIM(wrong_arguments_are_named)
{
    rsd_linear_solver *ls = NULL;
    resida_message why = {""};
    assert_int_equal(rsd_linear_create(&ls, 0, "dense", NULL, &why), RESIDA_ERR_ARGUMENT);
    assert_null(ls);
    assert_string_equal(why.text, "linear solver: n = 0, must be > 0");
    assert_int_equal(rsd_linear_create(&ls, 3, "umfpack", NULL, &why), RESIDA_ERR_OPTION);
    assert_null(ls);
    assert_string_equal(why.text,
                        "linear solver \"umfpack\", must be \"dense\", \"klu\", \"klu-diagonal\" or \"auto\"");
}

CLAIM(full_matrix_that_cannot_be_counted_is_refused)
{
    assert_true((long long)50000 * 50000 > INT_MAX);
    rsd_linear_solver *ls = linear_make(50000, "klu");
    assert_int_equal(rsd_linear_set_pattern(ls, NULL, NULL, NULL), RESIDA_ERR_MEMORY);
}

/* --- choice and size --- */

CLAIM(auto_takes_klu_for_a_chain_and_dense_for_a_full_pattern)
{
    uint64_t seed = 11;
    sparse_matrix chain = sparse_chain(10, 100, 0.3, 0.2), full = sparse_random(60, 1, &seed);
    rsd_linear_solver *ls = linear_open(&full, "auto");
    for (int turn = 0; turn < 4; turn++) {
        const sparse_matrix *A = turn % 2 ? &full : &chain;
        assert_int_equal(rsd_linear_set_pattern(ls, A->col_start, A->row, NULL), RESIDA_OK);
        assert_string_equal(rsd_linear_get_report(ls).name, turn % 2 ? "dense" : "klu");
        assert_int_equal(rsd_linear_factor(ls, A->values), 0);
        linear_check_solve(ls, A);
    }
    linear_check_counts(ls, 4, 0);
}

CLAIM(auto_is_dense_for_up_to_30_complex_unknowns)
{
    for (int n = 60; n <= 62; n += 2) {
        sparse_matrix A = sparse_bidiagonal(n);
        rsd_linear_solver *ls = linear_open(&A, "auto");
        assert_string_equal(rsd_linear_get_report(ls).name, "klu");
        rsd_linear_set_complex(ls);
        assert_int_equal(rsd_linear_set_pattern(ls, A.col_start, A.row, NULL), RESIDA_OK);
        assert_string_equal(rsd_linear_get_report(ls).name, n > 60 ? "klu" : "dense");
        assert_int_equal(rsd_linear_factor(ls, A.values), 0);
        linear_check_solve(ls, &A);
    }
}

CLAIM(report_tells_entries)
{
    sparse_matrix A = sparse_bidiagonal(100);
    const long filled[] = {100 * 100, 199}; /* a triangular matrix is its own L */
    static const char *const named[] = {"dense", "klu"};
    for (int i = 0; i < 2; i++) {
        rsd_linear_solver *ls = linear_open(&A, named[i]);
        assert_int_equal(rsd_linear_factor(ls, A.values), 0);
        rsd_linear_report r = rsd_linear_get_report(ls);
        assert_string_equal(r.name, named[i]);
        assert_int_equal(r.nnz_factors, filled[i]);
    }
}

CLAIM(factors_of_a_chain_grow_linearly)
{
    rsd_linear_report r[2];
    for (int i = 0; i < 2; i++) {
        sparse_matrix A = sparse_chain(i ? 2000 : 200, 100, 0.3, 0.2);
        rsd_linear_solver *ls = linear_open(&A, "auto");
        assert_int_equal(rsd_linear_factor(ls, A.values), 0);
        assert_true(linear_known_error(ls, &A, 100) <= 1e-6);
        r[i] = rsd_linear_get_report(ls);
        assert_string_equal(r[i].name, "klu");
    }
    assert_true((double)r[1].nnz_factors <= 10.5 * (double)r[0].nnz_factors);
}
