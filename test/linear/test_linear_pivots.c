/* test_linear_pivots.c - when the linear solvers keep pivots and when they choose new ones, by exact counts; and how
 * they name what makes a matrix singular. */
#include "linear_fixture.h"

/* --- pivots --- */

CLAIM(a_change_of_alpha_alone_rarely_needs_new_pivots)
{
    rsd_linear_solver *ls = NULL;
    for (int step = 0; step <= 600; step++) {
        double alpha = pow(10, 0.02 * (step < 300 ? 600 - 2 * step : step - 300)); /* 1e12 to 1, 1 to 1e6 */
        sparse_matrix A = sparse_chain(10, alpha, 0.1, 0.2);
        if (!ls) ls = linear_open(&A, "klu");
        assert_int_equal(rsd_linear_factor(ls, A.values), 0);
        assert_true(linear_known_error(ls, &A, alpha) <= 1e-6);
    }
    rsd_linear_report r = rsd_linear_get_report(ls);
    assert_int_equal(r.factors + r.refactors, 601);
    assert_true(r.factors <= 6);
}

CLAIM(slightly_changed_values_keep_the_pivots)
{
    uint64_t seed = 3;
    sparse_matrix A = sparse_random(40, 0.1, &seed);
    rsd_linear_solver *dense = linear_open(&A, "dense"), *klu = linear_open(&A, "klu");
    for (int repeat = 0; repeat < 20; repeat++) {
        assert_int_equal(rsd_linear_factor(dense, A.values), 0);
        assert_int_equal(rsd_linear_factor(klu, A.values), 0);
        linear_check_solve(dense, &A);
        linear_check_solve(klu, &A);
        for (int k = 0; k < A.nnz; k++) A.values[k] *= 1 + 0.01 * bench_random(&seed);
    }
    linear_check_counts(dense, 20, 0);
    linear_check_counts(klu, 1, 19);
}

/* Whatever the new values are, one in 200 of them next to zero: if the matrix can be solved at all, the solution has
 * the six digits promised; 10 because it is another one than that of the solver's trial. */
CLAIM(kept_pivots_cost_no_more_than_promised)
{
    uint64_t seed = 4;
    sparse_matrix A = sparse_random(LINEAR_MAX, 0.08, &seed);
    rsd_linear_solver *dense = linear_open(&A, "dense"), *klu = linear_open(&A, "klu");
    int solvable = 0;
    for (int repeat = 0; repeat < 2000; repeat++) {
        for (int k = 0; k < A.nnz; k++) A.values[k] = bench_random(&seed) * (bench_random(&seed) < 0.99 ? 1 : 1e-10);
        assert_int_equal(rsd_linear_factor(dense, A.values), 0);
        if (linear_known_error(dense, &A, 0) > 1e-9) continue;
        solvable++;
        assert_int_equal(rsd_linear_factor(klu, A.values), 0);
        double error = linear_known_error(klu, &A, 0);
        if (!(error <= 10 * 1e-6)) fail_msg("error %g", error);
    }
    rsd_linear_report r = rsd_linear_get_report(klu);
    assert_int_equal(r.factors + r.refactors, solvable);
    assert_true(r.factors > 50 && r.refactors > 50); /* both were tried */
}

CLAIM(pivots_that_became_small_are_chosen_again)
{
    int col_start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    double before[] = {1, 1, 1, -1}, after[] = {1e-13, 1, 1, 1e-13};
    sparse_matrix A = {2, 4, col_start, row, before}, B = {2, 4, col_start, row, after};
    rsd_linear_solver *ls = linear_open(&A, "klu");
    assert_int_equal(rsd_linear_factor(ls, A.values), 0);
    linear_check_solve(ls, &A);
    assert_int_equal(rsd_linear_factor(ls, B.values), 0);
    linear_check_counts(ls, 2, 0);
    linear_check_solve(ls, &B);
    assert_int_equal(rsd_linear_factor(ls, B.values), 0);
    linear_check_counts(ls, 2, 1);
    linear_check_solve(ls, &B);
}

/* All rods of a chain lie, then all of them hang: what were pivots in G is zero now, what was zero are the pivots. */
CLAIM(chain_that_turns_by_a_right_angle_gets_new_pivots)
{
    const double right = acos(0);
    sparse_matrix lies = sparse_chain(10, 100, 0, 0), hangs = sparse_chain(10, 100, right, 0);
    rsd_linear_solver *ls = linear_open(&lies, "klu");
    for (int turn = 0; turn < 6; turn++) {
        const sparse_matrix *A = turn % 2 ? &hangs : &lies;
        assert_int_equal(rsd_linear_factor(ls, A->values), 0);
        linear_check_counts(ls, turn + 1, 0);
        assert_true(linear_known_error(ls, A, 100) <= 1e3 * LINEAR_MAX * DBL_EPSILON);
    }
}

/* Hilbert's matrix of order 10 (cond 2e13) leaves four digits with any pivots, and the same pivots again cost nothing;
 * of order 13 (cond 2e18) none, and new pivots are tried every time. */
CLAIM(kept_pivots_are_judged_by_what_new_ones_could_do)
{
    static const int orders[] = {10, 13};
    uint64_t seed = 12;
    for (int i = 0; i < 2; i++) {
        sparse_matrix A = sparse_random(orders[i], 1, &seed);
        for (int k = 0; k < A.nnz; k++) A.values[k] = 1.0 / (k / A.n + k % A.n + 1);
        rsd_linear_solver *ls = linear_open(&A, "klu");
        for (int repeat = 0; repeat < 5; repeat++) assert_int_equal(rsd_linear_factor(ls, A.values), 0);
        double error = linear_known_error(ls, &A, 0);
        assert_true(i == 0 ? error > 1e-6 && error < 1e-3 : error > 1e-3);
        linear_check_counts(ls, i == 0 ? 1 : 5, i == 0 ? 4 : 0);
    }
}

/* --- singular matrices --- */

/* Both kinds must name column a or b, and factor a regular matrix afterwards. */
static void check_named(const sparse_matrix *regular, const sparse_matrix *singular, int a, int b)
{
    for (int i = 0; i < LINEAR_KINDS; i++) {
        for (int first = 0; first < 2; first++) { /* as the first matrix; and with the pivots of a regular one */
            rsd_linear_solver *ls = linear_open(regular ? regular : singular, linear_kinds[i]);
            if (regular && first) assert_int_equal(rsd_linear_factor(ls, regular->values), 0);
            int k = rsd_linear_factor(ls, singular->values);
            if (k != a + 1 && k != b + 1) fail_msg("%s: %d, must be %d or %d", linear_kinds[i], k - 1, a, b);
            linear_check_counts(ls, regular && first, 0);
            assert_int_equal(rsd_linear_get_report(ls).nnz_factors, 0);
            if (regular) {
                assert_int_equal(rsd_linear_factor(ls, regular->values), 0);
                linear_check_solve(ls, regular);
            }
        }
    }
}

/* A zero column, under 40 permutations of rows and columns: 1 x 1 blocks in the bidiagonal matrix, one block in the
 * random one. */
CLAIM(zero_column_is_named_as_the_caller_numbers_it)
{
    enum { N = 12 };
    uint64_t seed = 6;
    for (int trial = 0; trial < 40; trial++) {
        int to_row[N], to_col[N], zero = trial % N;
        sparse_matrix A = trial % 2 ? sparse_bidiagonal(N) : sparse_random(N, 0.4, &seed);
        sparse_permutation(N, to_row, &seed);
        sparse_permutation(N, to_col, &seed);
        sparse_matrix regular = sparse_permuted(&A, to_row, to_col);
        for (int k = A.col_start[zero]; k < A.col_start[zero + 1]; k++) A.values[k] = 0;
        sparse_matrix singular = sparse_permuted(&A, to_row, to_col);
        check_named(&regular, &singular, to_col[zero], to_col[zero]);
    }
}

/* Column 2 of a full matrix of powers of two equals column 5: exact arithmetic, so the pivot is exactly zero. */
CLAIM(one_of_two_equal_columns_is_named)
{
    enum { N = 8 };
    uint64_t seed = 7;
    for (int trial = 0; trial < 40; trial++) {
        int to_row[N], to_col[N];
        sparse_matrix A = sparse_random(N, 1, &seed);
        for (int k = 0; k < A.nnz; k++) A.values[k] = A.row[k] == k / N ? 4 : A.row[k] > k / N ? 1 : 0;
        sparse_permutation(N, to_row, &seed);
        sparse_permutation(N, to_col, &seed);
        sparse_matrix regular = sparse_permuted(&A, to_row, to_col);
        memcpy(A.values + 2 * N, A.values + 5 * N, N * sizeof *A.values);
        sparse_matrix singular = sparse_permuted(&A, to_row, to_col);
        check_named(&regular, &singular, to_col[2], to_col[5]);
    }
}

CLAIM(columns_that_no_pattern_makes_regular_are_named)
{
    int empty_start[] = {0, 2, 2, 4}, empty_row[] = {0, 1, 1, 2};
    int shared_start[] = {0, 1, 3, 4, 6}, shared_row[] = {2, 0, 1, 2, 1, 3};
    double values[] = {1, 2, 3, 4, 5, 6};
    sparse_matrix empty = {3, 4, empty_start, empty_row, values};
    sparse_matrix shared = {4, 6, shared_start, shared_row, values};
    check_named(NULL, &empty, 1, 1);
    check_named(NULL, &shared, 0, 2);
    int none_start[] = {0, 0};
    sparse_matrix nothing = {1, 0, none_start, shared_row, values};
    check_named(NULL, &nothing, 0, 0);
}

CLAIM(nan_and_inf_are_refused_with_their_column)
{
    uint64_t seed = 8;
    sparse_matrix A = sparse_random(7, 0.4, &seed);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < LINEAR_KINDS; i++) {
        rsd_linear_solver *ls = linear_open(&A, linear_kinds[i]);
        for (int j = 0; j < A.n; j++)
            for (int k = A.col_start[j]; k < A.col_start[j + 1]; k++) {
                double kept = A.values[k];
                A.values[k] = bad[k % 3];
                assert_int_equal(rsd_linear_factor(ls, A.values), j + 1);
                A.values[k] = kept;
                assert_int_equal(rsd_linear_factor(ls, A.values), 0);
                linear_check_solve(ls, &A);
            }
    }
}

CLAIM(nan_in_dense_storage_is_refused_with_its_column)
{
    double A[9] = {4, 1, 0, 1, 4, 1, 0, 1, 4};
    for (int i = 0; i < LINEAR_KINDS; i++) {
        rsd_linear_solver *ls = linear_make(3, linear_kinds[i]);
        assert_int_equal(rsd_linear_set_pattern(ls, NULL, NULL, NULL), RESIDA_OK);
        for (int k = 0; k < 9; k++) {
            double kept = A[k];
            A[k] = NAN;
            assert_int_equal(rsd_linear_factor(ls, A), k / 3 + 1);
            A[k] = kept;
        }
        assert_int_equal(rsd_linear_factor(ls, A), 0);
    }
}

/* No pivot is zero, but every component multiplies the rounding of the one before by 1e200. */
CLAIM(matrix_whose_solutions_overflow_is_singular)
{
    sparse_matrix A = sparse_bidiagonal(8);
    for (int k = 0; k < A.nnz; k++) A.values[k] = k % 2 ? 1.0 / (k + 2) : 1e-200 / (k + 3);
    rsd_linear_solver *ls = linear_open(&A, "klu");
    int k = rsd_linear_factor(ls, A.values);
    assert_true(k >= 1 && k <= 8);
    linear_check_counts(ls, 0, 0);
}
