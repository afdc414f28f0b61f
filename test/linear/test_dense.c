/* test_dense.c - the dense linear algebra against matrices whose factors, inverses and condition are known: Pascal's
 * (entries (i+j over i), determinant 1, inverse of integers), Hilbert's (1/(i+j+1), cond_1 known), diagonal ones.
 *
 * A backward stable solve errs by a few n eps cond. Columns are what the library stores one after the other. */
#include "src/linear/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "test/fixtures/bench_fixture.h"

enum { MOST = 12 };

static void fill_pascal(int n, double *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[j * n + i] = i == 0 || j == 0 ? 1 : A[j * n + i - 1] + A[(j - 1) * n + i];
}

static void fill_hilbert(int n, double *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[j * n + i] = 1.0 / (i + j + 1);
}

static void times(int n, const double *A, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++) y[i] += A[j * n + i] * x[j];
    }
}

static double rcond(int n, const double *A)
{
    double LU[MOST * MOST], work[4 * MOST];
    int pivots[MOST], iwork[MOST];
    memcpy(LU, A, (size_t)(n * n) * sizeof *A);
    assert_int_equal(rsd_lu_factor(n, LU, pivots), 0);
    return rsd_lu_rcond(n, LU, rsd_norm1(n, A), work, iwork);
}

/* cond_1 of Pascal's matrix of order 6 is 1.5e5, of order 1 to 5 less. */
CLAIM(lu_solves_systems_with_known_solution)
{
    for (int n = 1; n <= 6; n++) {
        double A[36], LU[36], x[6], b[6];
        int pivots[6];
        fill_pascal(n, A);
        for (int i = 0; i < n; i++) x[i] = i % 2 ? -i : i + 1;
        times(n, A, x, b);
        memcpy(LU, A, sizeof A);
        assert_int_equal(rsd_lu_factor(n, LU, pivots), 0);
        rsd_lu_solve(n, LU, pivots, b);
        bench_all_near(n, b, x, 4 * n * DBL_EPSILON * 1.5e5 * n);
    }
}

/* A matrix that is not symmetric tells A from A'. */
CLAIM(matrices_are_taken_column_by_column)
{
    double A[] = {0, 2, 3, 5}, x[] = {3 * 7, 2 * 1 + 5 * 7}; /* [0 3; 2 5] (1, 7) */
    int pivots[2];
    assert_int_equal(rsd_lu_factor(2, A, pivots), 0);
    rsd_lu_solve(2, A, pivots, x);
    bench_near(x[0], 1, 16 * DBL_EPSILON);
    bench_near(x[1], 7, 16 * DBL_EPSILON);
}

CLAIM(a_zero_pivot_is_named_by_its_number_from_one)
{
    double zero[9] = {0}, dependent[] = {1, 2, 2, 4}, empty_column[] = {4, 1, 0, 1, 3, 1, 0, 0, 0};
    int pivots[3];
    assert_int_equal(rsd_lu_factor(3, zero, pivots), 1);
    assert_int_equal(rsd_lu_factor(2, dependent, pivots), 2);
    assert_int_equal(rsd_lu_factor(3, empty_column, pivots), 3);
}

CLAIM(norm_is_the_largest_column_sum)
{
    const double A[] = {1, -2, 0, 4, 1, -1, 2, 2, 1};
    assert_true(rsd_norm1(3, A) == 6);
    assert_true(rsd_norm1(0, A) == 0);
}

CLAIM(rcond_of_a_diagonal_matrix_is_exact)
{
    const double A[] = {1e3, 0, 0, 0, -2, 0, 0, 0, 1e-4};
    bench_near(rcond(3, A) / 1e-7, 1, 8 * DBL_EPSILON);
}

/* The estimate of |A^-1| is a lower bound, in theory off by any factor, for matrices of signs like these exact. */
CLAIM(rcond_of_known_matrices_is_found)
{
    static const double cond_hilbert[] = {1, 27, 748, 28375, 943656, 29070279};
    double A[36];
    for (int n = 1; n <= 6; n++) {
        fill_hilbert(n, A);
        double product = rcond(n, A) * cond_hilbert[n - 1];
        assert_true(product >= 1 - 1e-6 && product <= 1 + 1e-6);
    }
}

CLAIM(rcond_tells_a_matrix_that_is_singular_to_working_precision)
{
    double A[MOST * MOST];
    fill_hilbert(12, A); /* cond 4e16 */
    assert_true(rcond(12, A) < DBL_EPSILON);
    fill_hilbert(8, A); /* cond 3e10 */
    assert_true(rcond(8, A) > DBL_EPSILON);
}

/* (A P)'(A P) = R'R whatever Q is. */
static void check_qr(int m, int n, const double *A)
{
    double R[MOST * MOST], tau[MOST], work[3 * MOST + 1], size = 0;
    int perm[MOST], seen[MOST] = {0}, r = m < n ? m : n;
    memcpy(R, A, (size_t)(m * n) * sizeof *A);
    rsd_qr_pivoted(m, n, R, perm, tau, work);
    for (int k = 0; k < n; k++) {
        assert_true(perm[k] >= 0 && perm[k] < n && !seen[perm[k]]);
        seen[perm[k]] = 1;
    }
    for (int k = 0; k < m * n; k++) size += A[k] * A[k];
    for (int k = 1; k < r; k++) /* falling, but for rounding */
        assert_true(fabs(R[k * m + k]) <= fabs(R[(k - 1) * m + k - 1]) * (1 + 1e-7));
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            double of_A = 0, of_R = 0;
            for (int i = 0; i < m; i++) of_A += A[perm[a] * m + i] * A[perm[b] * m + i];
            for (int i = 0; i <= (a < b ? a : b) && i < m; i++) of_R += R[a * m + i] * R[b * m + i];
            bench_near(of_R, of_A, 8 * (m + n) * DBL_EPSILON * size);
        }
}

CLAIM(pivoted_qr_reproduces_the_inner_products_of_the_columns)
{
    uint64_t seed = 3;
    for (int m = 1; m <= MOST; m++)
        for (int n = 1; n <= MOST; n++) {
            double A[MOST * MOST];
            for (int k = 0; k < m * n; k++) A[k] = bench_random(&seed);
            check_qr(m, n, A);
        }
}

CLAIM(pivoted_qr_takes_the_longest_column_first)
{
    double A[] = {1, 0, 0, 0, 0, 3, 0, -2, 0}, tau[3], work[10]; /* orthogonal columns of norm 1, 3, 2 */
    int perm[3];
    rsd_qr_pivoted(3, 3, A, perm, tau, work);
    assert_int_equal(perm[0], 1);
    assert_int_equal(perm[1], 2);
    assert_int_equal(perm[2], 0);
    assert_true(fabs(A[0]) == 3 && fabs(A[4]) == 2 && fabs(A[8]) == 1);
}

CLAIM(pivoted_qr_shows_a_missing_rank_on_its_diagonal)
{
    double A[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 4, 6}, tau[4], work[13]; /* rank 2 */
    int perm[4];
    rsd_qr_pivoted(3, 4, A, perm, tau, work);
    assert_true(fabs(A[0]) > 1 && fabs(A[4]) > 1);
    assert_true(fabs(A[8]) < 16 * DBL_EPSILON * 20);
}

CLAIM(upper_triangle_is_solved_within_a_taller_matrix)
{
    const double A[] = {2, 99, 99, 99, 1, 4, 99, 99, -3, 0.5, 8, 99}; /* lda 4, R 3 x 3 */
    double x[] = {2 * 1 + 1 * 2 - 3 * 3, 4 * 2 + 0.5 * 3, 8 * 3}, untouched[] = {5};
    rsd_upper_solve(3, A, 4, x);
    assert_true(x[0] == 1 && x[1] == 2 && x[2] == 3);
    rsd_upper_solve(0, A, 4, untouched);
    assert_true(untouched[0] == 5);
}

/* LAPACK would end the process here, with code 0. */
CLAIM(nothing_of_size_zero_reaches_lapack)
{
    double A[1] = {3}, x[1] = {5}, tau[1], work[8];
    int pivots[1], iwork[1], perm[2] = {7, 7};
    assert_int_equal(rsd_lu_factor(0, A, pivots), 0);
    rsd_lu_solve(0, A, pivots, x);
    rsd_upper_solve(0, A, 0, x);
    assert_true(rsd_lu_rcond(0, A, 0, work, iwork) == 1);
    rsd_qr_pivoted(0, 2, A, perm, tau, work);
    assert_true(perm[0] == 0 && perm[1] == 1);
    rsd_qr_pivoted(2, 0, A, perm, tau, work);
    assert_true(A[0] == 3 && x[0] == 5);
}

CLAIM(a_norm_that_is_no_number_has_no_condition)
{
    double LU[1] = {3}, work[4];
    int iwork[1];
    assert_true(rsd_lu_rcond(1, LU, NAN, work, iwork) == 0);
    assert_true(rsd_lu_rcond(1, LU, INFINITY, work, iwork) == 0);
    assert_true(rsd_lu_rcond(1, LU, -1, work, iwork) == 0);
}
