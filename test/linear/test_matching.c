/* test_matching.c - the matching with nearly the largest product, beside all there are. */
#include "linear_fixture.h"
#include "base/linear/matching.h"
#include "test/fixtures/solver_fixture.h"

enum { N = 6 };
#define LOST 0.25 /* exponents, of a column: matching.h */

static rsd_csr pattern_of(const sparse_matrix *A)
{
    return (rsd_csr){.rows = A->n, .cols = A->n, .nnz = A->nnz, .row = A->col_start, .col = A->row};
}

static int match(const sparse_matrix *A, int *row_of)
{
    const rsd_csr pattern = pattern_of(A);
    const resida_allocator alloc = test_allocator();
    return rsd_match_rows(&pattern, A->values, row_of, &alloc);
}

/* log2 of the product from column j on, rows of `used` taken; -INFINITY: none. D [N x N], powers of two. */
static double best_product(const double *D, int j, unsigned used)
{
    double best = -INFINITY;
    if (j == N) return 0;
    for (int i = 0; i < N; i++)
        if (!(used >> i & 1) && D[j * N + i] != 0)
            best = fmax(best, log2(fabs(D[j * N + i])) + best_product(D, j + 1, used | 1u << i));
    return best;
}

CLAIM(product_is_the_largest_of_all_less_a_quarter_of_an_exponent_a_column)
{
    uint64_t seed = 5;
    int none = 0;
    for (int repeat = 0; repeat < 2000; repeat++) {
        sparse_matrix A = sparse_random(N, 0.3, &seed);
        double D[N * N], product = 0;
        int row_of[N];
        unsigned used = 0;
        for (int k = 0; k < A.nnz; k++) {
            const double x = bench_random(&seed);
            A.values[k] = x < -0.8 ? 0 : copysign(ldexp(1, (int)(40 * x)), bench_random(&seed));
        }
        sparse_to_full(&A, D);
        const double best = best_product(D, 0, 0);
        const int found = match(&A, row_of);
        assert_int_equal(found, isfinite(best));
        none += !found;
        for (int j = 0; found && j < N; j++) {
            used |= 1u << row_of[j];
            product += log2(fabs(D[j * N + row_of[j]]));
        }
        if (found) assert_int_equal(used, (1u << N) - 1);
        if (found && product < best - N * LOST) fail_msg("product 2^%g, but there is 2^%g", product, best);
    }
    assert_true(none > 20 && none < 1980); /* both were tried */
}

CLAIM(rows_and_columns_of_zeros_match_nothing)
{
    int row_of[2], col_start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    double zero_row[] = {0, 1, 0, 1}, zero_column[] = {0, 0, 1, 1}, regular[] = {0, 1, 1, 0};
    assert_int_equal(match(&(sparse_matrix){2, 4, col_start, row, zero_row}, row_of), 0);
    assert_int_equal(match(&(sparse_matrix){2, 4, col_start, row, zero_column}, row_of), 0);
    assert_int_equal(match(&(sparse_matrix){2, 4, col_start, row, regular}, row_of), 1);
    assert_int_equal(row_of[0], 1);
    assert_int_equal(row_of[1], 0);
}

/* The largest and the least of all doubles are 2098 exponents apart, and as many columns add up. */
CLAIM(numbers_of_any_size_are_matched)
{
    sparse_matrix A = sparse_bidiagonal(100);
    int row_of[100];
    for (int k = 0; k < A.nnz; k++) A.values[k] = k % 2 ? DBL_MAX : DBL_TRUE_MIN;
    assert_int_equal(match(&A, row_of), 1);
    for (int j = 0; j < A.n; j++) assert_int_equal(row_of[j], j); /* triangular: there is one only */
}
