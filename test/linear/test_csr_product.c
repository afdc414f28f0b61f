/* test_csr_product.c - products of random sparse matrices, and transposed ones, against the full ones. All numbers are
 * small integers, so every product and sum is exact. */
#include "base/linear/csr.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

enum { TRIALS = 300, MOST = 15 };

typedef struct matrix {
    rsd_csr pattern;
    double values[MOST * MOST], full[MOST * MOST];
    int there[MOST * MOST];
} matrix;

/* Rows may be empty, and entries zero. */
static void fill(matrix *m, int rows, int cols, uint64_t *seed)
{
    resida_allocator alloc = test_allocator();
    int row[MOST + 1] = {0}, col[MOST * MOST], nnz = 0, chance = bench_between(seed, 0, 4);
    memset(m, 0, sizeof *m);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < cols; j++)
            if (bench_between(seed, 0, 4) < chance) {
                m->there[i * cols + j] = 1;
                m->full[i * cols + j] = m->values[nnz] = bench_between(seed, -3, 3);
                col[nnz++] = j;
            }
        row[i + 1] = nnz;
    }
    assert_int_equal(rsd_csr_create(&m->pattern, "A", rows, cols, &(resida_pattern){row, col}, &alloc, NULL),
                     RESIDA_OK);
}

/* C and its values are those of the full product, its columns rise, and it has no entry too many. */
static void check(const matrix *A, const matrix *B, const rsd_csr *C, const double *c)
{
    int k = 0;
    assert_int_equal(C->rows, A->pattern.rows);
    assert_int_equal(C->cols, B->pattern.cols);
    for (int i = 0; i < C->rows; i++)
        for (int j = 0; j < C->cols; j++) {
            int there = 0;
            double sum = 0;
            for (int q = 0; q < B->pattern.rows; q++) {
                there |= A->there[i * A->pattern.cols + q] && B->there[q * C->cols + j];
                sum += A->full[i * A->pattern.cols + q] * B->full[q * C->cols + j];
            }
            if (!there) continue;
            assert_true(k >= C->row[i] && k < C->row[i + 1]);
            assert_int_equal(C->col[k], j);
            assert_true(c[k++] == sum);
        }
    assert_int_equal(C->nnz, k);
    assert_int_equal(C->row[C->rows], k);
}

CLAIM(a_product_is_that_of_the_full_matrices)
{
    resida_allocator alloc = test_allocator();
    uint64_t seed = 1;
    matrix A, B;
    for (int trial = 0; trial < TRIALS; trial++) {
        int inner = bench_between(&seed, 1, MOST);
        double work[MOST], c[MOST * MOST];
        rsd_csr C;
        fill(&A, bench_between(&seed, 1, MOST), inner, &seed);
        fill(&B, inner, bench_between(&seed, 1, MOST), &seed);
        assert_int_equal(rsd_csr_create_product(&C, &A.pattern, &B.pattern, &alloc), RESIDA_OK);
        for (int i = 0; i < MOST; i++) work[i] = 1e300; /* whatever is left there */
        rsd_csr_compute_product(&C, c, &A.pattern, A.values, &B.pattern, B.values, work);
        check(&A, &B, &C, c);
    }
}

CLAIM(a_transposed_pattern_has_each_entry_once_and_its_columns_rise)
{
    resida_allocator alloc = test_allocator();
    uint64_t seed = 1;
    matrix A;
    for (int trial = 0; trial < TRIALS; trial++) {
        int k = 0;
        rsd_csr C;
        fill(&A, bench_between(&seed, 1, MOST), bench_between(&seed, 1, MOST), &seed);
        assert_int_equal(rsd_csr_create_transpose(&C, &A.pattern, &alloc), RESIDA_OK);
        assert_int_equal(C.rows, A.pattern.cols);
        assert_int_equal(C.cols, A.pattern.rows);
        for (int j = 0; j < C.rows; j++) {
            assert_int_equal(C.row[j], k);
            for (int i = 0; i < C.cols; i++)
                if (A.there[i * A.pattern.cols + j]) assert_int_equal(C.col[k++], i);
        }
        assert_int_equal(C.row[C.rows], k);
        assert_int_equal(C.nnz, k);
        rsd_csr_free(&A.pattern, &alloc);
        rsd_csr_free(&C, &alloc);
    }
}
