/* test_linear_order.c - KLU's order of saddle-point matrices: what the one by matched rows saves, that it follows the
 * values, and when it goes back to COLAMD's, by entries of L + U. */
#include "linear_fixture.h"

enum { BODIES = 8, DOF = 6, ROWS = 5, N_V = BODIES * DOF, N_L = BODIES * ROWS, N = 2 * N_V + 2 * N_L };
enum { OFTEN = 40 };

#define MAX_LOST 1e-8 /* of a solution, by pivots that are as small as a thousandth */
#define WANTED   1e-6 /* by those of other values, linear_klu.c */

/* The matrix of GGL for a ring of bodies, each held to the next one by 5 of 6 coordinates, [N x N] column by column:
 *
 *     [ alpha I    -I        0    G' ]      G: 1 in a column of its own for each row, small elsewhere; the column is
 *     [ K           alpha M  G'   0  ]         `turn` further, modulo 6
 *     [ 0           G        0    0  ]
 *     [ G           0        0    0  ]                                                                             */
static void put(double *D, int i, int j, double value)
{
    D[(size_t)j * N + (size_t)i] = value;
}

static void put_joint(double *D, int joint, int turn, uint64_t *seed)
{
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < 2 * DOF; c++) {
            const int lam = 2 * N_V + joint * ROWS + r, p = (joint * DOF + c) % N_V;
            const double g = c == (r + turn) % DOF ? 1 : 0.05 * bench_random(seed);
            put(D, p, lam + N_L, g), put(D, N_V + p, lam, g);
            put(D, lam, N_V + p, g), put(D, lam + N_L, p, g);
        }
}

static sparse_matrix ring(int turn, double alpha)
{
    uint64_t seed = 4;
    double *D = claims_zeros((size_t)N * N, sizeof *D);
    sparse_matrix A = {.n = N, .col_start = claims_zeros(N + 1, sizeof(int))};
    for (int i = 0; i < N_V; i++) {
        put(D, i, i, alpha), put(D, i, N_V + i, -1);
        for (int j = i / DOF * DOF; j < i / DOF * DOF + DOF; j++) {
            put(D, N_V + i, j, bench_random(&seed));
            put(D, N_V + i, N_V + j, alpha * (i == j ? 1 : 0.1 * bench_random(&seed)));
        }
    }
    for (int joint = 0; joint < BODIES; joint++) put_joint(D, joint, turn, &seed);
    for (size_t k = 0; k < (size_t)N * N; k++) A.nnz += D[k] != 0;
    A.row = claims_zeros((size_t)A.nnz, sizeof(int));
    A.values = bench_doubles(A.nnz);
    for (int j = 0, e = 0; j < N; j++, A.col_start[j] = e)
        for (int i = 0; i < N; i++)
            if (D[(size_t)j * N + (size_t)i] != 0) A.row[e] = i, A.values[e++] = D[(size_t)j * N + (size_t)i];
    return A;
}

/* One has its pivots where the other one has entries that are next to nothing. */
static sparse_matrix moderate(void)
{
    return ring(0, 100);
}

static sparse_matrix extreme(void)
{
    return ring(2, 1e-9);
}

static long entries(const rsd_linear_solver *ls)
{
    return rsd_linear_get_report(ls).nnz_factors;
}

static void factor_often(rsd_linear_solver *ls, const sparse_matrix *A, double most)
{
    for (int k = 0; k < OFTEN; k++) {
        assert_int_equal(rsd_linear_factor(ls, A->values), 0);
        const double error = linear_known_error(ls, A, 0);
        if (!(error <= most)) fail_msg("error %g", error);
    }
}

/* Of a solver that has seen nothing else; COLAMD's if it has to forget. */
static long first_entries(const sparse_matrix *A, int forgets)
{
    rsd_linear_solver *ls = linear_open(A, "klu");
    if (forgets) rsd_linear_discard_factors(ls);
    assert_int_equal(rsd_linear_factor(ls, A->values), 0);
    const long n = entries(ls);
    return n;
}

CLAIM(matched_rows_save_a_fifth_of_a_ring_of_bodies)
{
    sparse_matrix A = moderate();
    rsd_linear_solver *ls = linear_open(&A, "klu");
    factor_often(ls, &A, MAX_LOST);
    linear_check_counts(ls, 1, OFTEN - 1); /* pivots were chosen once */
    assert_true((double)entries(ls) < 0.8 * (double)first_entries(&A, 1));
}

/* At first it is a prediction for pivots on the diagonal as it is. */
CLAIM(work_is_that_of_the_order_that_is_there)
{
    sparse_matrix A = moderate();
    rsd_linear_solver *ls = linear_open(&A, "klu");
    const double predicted = rsd_linear_get_report(ls).work;
    factor_often(ls, &A, MAX_LOST);
    const rsd_linear_report r = rsd_linear_get_report(ls);
    assert_true(r.work > (double)r.nnz_factors && r.work < 0.8 * predicted);
}

CLAIM(values_that_need_other_pivots_are_matched_again)
{
    sparse_matrix before = moderate(), after = extreme();
    rsd_linear_solver *ls = linear_open(&before, "klu");
    factor_often(ls, &before, MAX_LOST);
    factor_often(ls, &after, WANTED);
    linear_check_counts(ls, 2, 2 * OFTEN - 2);
    assert_int_equal(entries(ls), first_entries(&after, 0));
    assert_true(entries(ls) < first_entries(&after, 1));
}

CLAIM(singular_matrix_is_named_and_ends_the_order_by_matched_rows)
{
    sparse_matrix A = moderate();
    rsd_linear_solver *ls = linear_open(&A, "klu");
    factor_often(ls, &A, MAX_LOST);
    const int column = 7, begin = A.col_start[column], end = A.col_start[column + 1];
    double kept[N];
    for (int k = begin; k < end; k++) kept[k - begin] = A.values[k], A.values[k] = 0;
    assert_int_equal(rsd_linear_factor(ls, A.values), column + 1);
    for (int k = begin; k < end; k++) A.values[k] = kept[k - begin];
    factor_often(ls, &A, MAX_LOST);
    assert_int_equal(entries(ls), first_entries(&A, 1));
}

/* Bit for bit, whatever was factored before. */
CLAIM(solver_that_forgets_depends_on_its_matrix_alone)
{
    sparse_matrix A = moderate();
    double *x[2];
    for (int i = 0; i < 2; i++) {
        rsd_linear_solver *ls = linear_open(&A, "klu");
        x[i] = bench_doubles(A.n);
        for (int k = 0; k < A.n; k++) x[i][k] = 1;
        if (i == 0) factor_often(ls, &A, MAX_LOST);
        rsd_linear_discard_factors(ls);
        assert_int_equal(rsd_linear_factor(ls, A.values), 0);
        if (i == 1) factor_often(ls, &A, MAX_LOST);
        assert_int_equal(entries(ls), first_entries(&A, 1));
        rsd_linear_solve(ls, 1, x[i]);
    }
    assert_memory_equal(x[0], x[1], (size_t)A.n * sizeof(double));
}

/* Old pivots are made next to nothing, time after time. */
CLAIM(values_that_leave_the_order_are_solved_all_the_same)
{
    rsd_linear_solver *ls = NULL;
    for (int repeat = 0; repeat < 10 * OFTEN; repeat++) {
        sparse_matrix A = ring(repeat / OFTEN, pow(10, repeat % 13 - 6));
        if (!ls) ls = linear_open(&A, "klu");
        assert_int_equal(rsd_linear_factor(ls, A.values), 0);
        const double error = linear_known_error(ls, &A, 0);
        if (!(error <= 10 * 1e-6)) fail_msg("error %g", error); /* it is another solution than that of the trial */
    }
}
