/* test_dense.c - the dense linear algebra against matrices whose factors, inverses and condition are known: Pascal's
 * (entries (i+j over i), determinant 1, inverse of integers), diagonal ones, random ones.
 *
 * A backward stable solve errs by a few n eps cond. Columns are what the library stores one after the other. */
#include "base/linear/dense.h"
#include "test/fixtures/bench_fixture.h"

enum { MOST = 12 };

static void fill_pascal(int n, double *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[j * n + i] = i == 0 || j == 0 ? 1 : A[j * n + i - 1] + A[(j - 1) * n + i];
}

static void times(int n, const double *A, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++) y[i] += A[j * n + i] * x[j];
    }
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

/* The largest column sum of |A| [n x n]. */
static double norm1(int n, const double *A)
{
    double norm = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += fabs(A[(long)j * n + i]);
        norm = fmax(norm, sum);
    }
    return norm;
}

/* One size of our own and one of LAPACK: |A x - b| is some n eps |A| |x|. */
CLAIM(lu_of_random_matrices_leaves_a_residual_of_rounding)
{
    static const int sizes[] = {7, 64, RSD_OWN_UP_TO, RSD_OWN_UP_TO + 1};
    uint64_t seed = 5;
    for (int k = 0; k < 4; k++) {
        const int n = sizes[k];
        double *A = bench_doubles((long)n * n), *LU = bench_doubles((long)n * n), *x = bench_doubles(n),
               *b = bench_doubles(n), *Ax = bench_doubles(n);
        int *pivots = claims_zeros((size_t)n, sizeof *pivots);
        for (int i = 0; i < n * n; i++) LU[i] = A[i] = bench_random(&seed);
        for (int i = 0; i < n; i++) x[i] = b[i] = bench_random(&seed);
        assert_int_equal(rsd_lu_factor(n, LU, pivots), 0);
        rsd_lu_solve(n, LU, pivots, x);
        times(n, A, x, Ax);
        bench_all_near(n, Ax, b, n * DBL_EPSILON * norm1(n, A) * rsd_max_norm(x, n));
    }
}

CLAIM(norms_of_large_and_small_numbers_neither_overflow_nor_vanish)
{
    const double large[] = {3e300, -4e300}, small[] = {-3e-300, 0, 4e-300}, none[] = {0, 0}, broken[] = {1, NAN};
    bench_near(rsd_norm(large, 2) / 5e300, 1, 2 * DBL_EPSILON);
    bench_near(rsd_norm(small, 3) / 5e-300, 1, 2 * DBL_EPSILON);
    assert_true(rsd_norm(none, 2) == 0);
    assert_true(rsd_norm(broken, 2) == INFINITY);
}

/* (A P)'(A P) = R'R whatever Q is. */
static void check_qr(int m, int n, const double *A)
{
    double R[MOST * MOST], factor[MOST], Q[MOST * MOST] = {0}, size = 0;
    int perm[MOST], seen[MOST] = {0}, r = m < n ? m : n;
    memcpy(R, A, (size_t)(m * n) * sizeof *A);
    rsd_factor_qr(m, n, R, perm, factor);
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
    for (int k = 0; k < n; k++) { /* Q R is A P, and Q' of it R */
        double *column = Q + (long)k * m;
        for (int i = 0; i < m; i++) column[i] = i <= k ? R[k * m + i] : 0;
        rsd_qr_multiply_by_Q(m, r, R, factor, 0, column);
        bench_all_near(m, column, A + (long)perm[k] * m, 8 * (m + n) * DBL_EPSILON * sqrt(size));
        rsd_qr_multiply_by_Q(m, r, R, factor, 1, column);
        for (int i = 0; i < m; i++)
            bench_near(column[i], i <= k ? R[k * m + i] : 0, 16 * (m + n) * DBL_EPSILON * sqrt(size));
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
    double A[] = {1, 0, 0, 0, 0, 3, 0, -2, 0}; /* orthogonal columns of norm 1, 3, 2 */
    int perm[3];
    rsd_factor_qr(3, 3, A, perm, NULL);
    assert_int_equal(perm[0], 1);
    assert_int_equal(perm[1], 2);
    assert_int_equal(perm[2], 0);
    assert_true(fabs(A[0]) == 3 && fabs(A[4]) == 2 && fabs(A[8]) == 1);
}

CLAIM(pivoted_qr_shows_a_missing_rank_on_its_diagonal)
{
    double A[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 4, 6}; /* rank 2 */
    int perm[4];
    rsd_factor_qr(3, 4, A, perm, NULL);
    assert_true(fabs(A[0]) > 1 && fabs(A[4]) > 1);
    assert_true(fabs(A[8]) < 16 * DBL_EPSILON * 20);
}

CLAIM(upper_triangle_is_solved_within_a_taller_matrix)
{
    const double A[] = {2, 99, 99, 99, 1, 4, 99, 99, -3, 0.5, 8, 99}; /* lda 4, R 3 x 3 */
    double x[] = {2 * 1 + 1 * 2 - 3 * 3, 4 * 2 + 0.5 * 3, 8 * 3}, untouched[] = {5};
    rsd_solve_upper(3, A, 4, x);
    assert_true(x[0] == 1 && x[1] == 2 && x[2] == 3);
    rsd_solve_upper(0, A, 4, untouched);
    assert_true(untouched[0] == 5);
}

/* A = B C of rank r: x is the shortest if A'(A x - b) = 0, and x is normal to what A takes to zero. */
static void check_least_norm(int m, int n, int r, uint64_t *seed)
{
    double A[MOST * MOST] = {0}, B[MOST * MOST], C[MOST * MOST], QR[MOST * MOST], x[MOST], b[MOST], rest[MOST],
                    work[MOST * MOST + MOST], factor[MOST], null[MOST];
    int perm[MOST];
    for (int k = 0; k < m * r; k++) B[k] = bench_random(seed);
    for (int k = 0; k < r * n; k++) C[k] = bench_random(seed);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < r; k++)
            for (int i = 0; i < m; i++) A[j * m + i] += B[k * m + i] * C[j * r + k];
    for (int i = 0; i < m; i++) x[i] = b[i] = bench_random(seed);
    memcpy(QR, A, sizeof A);
    assert_int_equal(rsd_solve_least_norm(m, n, QR, x, 1e-10, perm, work), r);
    const double size = rsd_norm(A, (long)m * n), close = 1e-11 * fmax(1, rsd_norm(x, n)) * fmax(1, size * size);
    for (int i = 0; i < m; i++) {
        rest[i] = -b[i];
        for (int j = 0; j < n; j++) rest[i] += A[j * m + i] * x[j];
    }
    for (int j = 0; j < n; j++) bench_near(rsd_dot(A + (long)j * m, rest, m), 0, close);
    for (int j = 0; j < n; j++) /* rows of A as columns: Q has what they reach first */
        for (int i = 0; i < m; i++) QR[i * n + j] = A[j * m + i];
    rsd_factor_qr(n, m, QR, perm, factor);
    for (int k = r; k < n; k++) {
        for (int j = 0; j < n; j++) null[j] = j == k;
        rsd_qr_multiply_by_Q(n, m < n ? m : n, QR, factor, 0, null);
        bench_near(rsd_dot(null, x, n), 0, close);
    }
}

CLAIM(least_norms_solve_the_normal_equations_and_have_no_part_in_the_null_space)
{
    uint64_t seed = 11;
    for (int m = 1; m <= MOST; m++)
        for (int n = 1; n <= MOST; n++)
            for (int r = 1; r <= (m < n ? m : n); r++) check_least_norm(m, n, r, &seed);
}

/* [4 2 0; 2 0 1; 0 1 3]: 4, then 3 are eliminated; 0 - 2 2/4 - 1 1/3 remains. */
CLAIM(pivoted_cholesky_leaves_the_schur_complement_of_what_is_not_positive)
{
    double A[] = {4, 2, 0, 2, 0, 1, 0, 1, 3};
    int perm[3];
    assert_int_equal(rsd_factor_cholesky_pivoted(3, A, 1e-12, perm), 2);
    assert_true(perm[0] == 0 && perm[1] == 2 && perm[2] == 1);
    bench_near(A[8], -4.0 / 3, 8 * DBL_EPSILON);
}

CLAIM(operations_on_empty_matrices_have_no_effect)
{
    double A[1] = {3}, x[1] = {5};
    int pivots[1], perm[2] = {7, 7};
    assert_int_equal(rsd_lu_factor(0, A, pivots), 0);
    rsd_lu_solve(0, A, pivots, x);
    rsd_solve_upper(0, A, 0, x);
    rsd_factor_qr(0, 2, A, perm, NULL);
    assert_true(perm[0] == 0 && perm[1] == 1);
    rsd_factor_qr(2, 0, A, perm, NULL);
    assert_true(A[0] == 3 && x[0] == 5);
}
