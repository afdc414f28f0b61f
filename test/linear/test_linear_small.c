/* test_linear_small.c - small matrices whose first unknowns are eliminated by their diagonal: which they are, that
 * solutions stay right when a pivot there is small or zero, and what that leaves to be factored in real systems. */
#include "base/linear/linear_backend.h"
#include "linear_fixture.h"
#include "src/core/solver/solver_impl.h"
#include "test/fixtures/solver_fixture.h"

typedef struct subject {
    resida_allocator alloc;
    rsd_csr A;
    const rsd_linear_backend *backend;
    void *self;
} subject;

static void open_with(subject *s, const rsd_linear_backend *backend, int n, const int *col_start, const int *row)
{
    resida_pattern given = {col_start, row};
    *s = (subject){.alloc = test_allocator(), .backend = backend};
    assert_int_equal(rsd_csr_create(&s->A, "A", n, n, &given, &s->alloc, NULL), RESIDA_OK);
    assert_int_equal(backend->create(&s->self, backend->variant, &s->A, &s->alloc, NULL), RESIDA_OK);
}

static double work_of(const subject *s)
{
    rsd_linear_report r = {.name = ""};
    s->backend->measure(s->self, &r);
    return r.work;
}

/* Factor and solve; the backward error. */
static double solve_with(subject *s, const sparse_matrix *A)
{
    double *b = bench_doubles(A->n), *x = bench_doubles(A->n);
    int kept;
    for (int i = 0; i < A->n; i++) b[i] = x[i] = 1 + 0.25 * (i % 5);
    assert_int_equal(s->backend->factor(s->self, A->values, &kept), 0);
    s->backend->solve(s->self, 1, x);
    double error = sparse_backward_error(A, x, b);
    return error;
}

/* 2/3 r^3 for the rest, 2 r for each entry of the head beyond its diagonal. */
static double work_for(int rest, int listed)
{
    return 2.0 * rest * rest * rest / 3 + 2.0 * rest * listed;
}

/* p' = v - G' eta: a row has -1, and an entry for each rod that ends at its mass, two but for the last. */
CLAIM(of_a_chain_in_ggl_n_v_plus_2_n_g_unknowns_are_left)
{
    for (int rods = 1; rods <= 10; rods++) {
        subject plain, headed;
        sparse_matrix A = sparse_chain(rods, 100, 0.3, 0.2);
        open_with(&plain, &rsd_linear_dense, A.n, A.col_start, A.row);
        open_with(&headed, &rsd_linear_headed, A.n, A.col_start, A.row);
        assert_true(work_of(&plain) == work_for(6 * rods, 0));
        assert_true(work_of(&headed) == work_for(4 * rods, 2 * rods + 2 * (2 * rods - 1)));
        assert_true(solve_with(&headed, &A) <= LINEAR_MAX_ERROR);
    }
}

/* J of a model after its first steps: the smallest of what the two kinds have to do. */
static void model_works(const char *name, double *plain_work, double *headed_work, int *n)
{
    resida_jacobian_matrix J;
    subject plain, headed;
    bench *b = bench_make(name, NULL);
    resida_solver *solver = test_solver(b->m, NULL, NULL);
    assert_int_equal(resida_solver_start(solver, 0, b->model.p0, b->model.v0, NULL, NULL), RESIDA_OK);
    for (int k = 0; k < 3; k++) assert_int_equal(resida_solver_step(solver, b->model.t_end), RESIDA_OK);
    assert_int_equal(resida_jacobian_get_matrix(solver->engine, &J), RESIDA_OK);
    open_with(&plain, &rsd_linear_dense, J.n, J.start, J.row);
    open_with(&headed, &rsd_linear_headed, J.n, J.start, J.row);
    *plain_work = work_of(&plain);
    *headed_work = work_of(&headed);
    *n = J.n;
}

CLAIM(half_of_the_unknowns_of_a_tree_remain)
{
    double plain, headed;
    int n;
    model_works("chain", &plain, &headed, &n);
    assert_int_equal(n, 28);
    assert_true(plain == work_for(28, 0));
    assert_true(headed == work_for(14, 14)); /* of each row of p' = v one entry, -1 */
}

CLAIM(no_mechanism_takes_more_operations)
{
    static const char *const names[] = {"pendulum", "andrews", "car-axis", "slider-crank", "slider-crank-flexible"};
    for (int i = 0; i < 5; i++) {
        double plain, headed;
        int n;
        model_works(names[i], &plain, &headed, &n);
        if (!(headed < plain)) fail_msg("%s: %g operations, %g without a head", names[i], headed, plain);
    }
}

CLAIM(random_systems_are_solved_backward_stably)
{
    uint64_t seed = 21;
    for (int trial = 0; trial < 400; trial++) {
        sparse_matrix A = sparse_random(1 + trial % LINEAR_MAX, 0.02 * (trial % 20), &seed);
        subject s;
        open_with(&s, &rsd_linear_headed, A.n, A.col_start, A.row);
        double error = solve_with(&s, &A);
        if (!(error <= LINEAR_MAX_ERROR)) fail_msg("n = %d, backward error %g", A.n, error);
        assert_true(solve_with(&s, &A) == error); /* once more, the same */
    }
}

CLAIM(chains_are_solved_for_alpha_from_1_to_1e12)
{
    for (int power = 0; power <= 12; power++) {
        double alpha = pow(10, power), *x, *b;
        sparse_matrix A = sparse_chain(10, alpha, 0.1 * power, 0.2);
        subject s;
        int kept;
        open_with(&s, &rsd_linear_headed, A.n, A.col_start, A.row);
        x = bench_doubles(A.n);
        b = bench_doubles(A.n);
        linear_known(&A, alpha, x);
        sparse_times(&A, x, b);
        assert_int_equal(s.backend->factor(s.self, A.values, &kept), 0);
        s.backend->solve(s.self, 1, b);
        for (int i = 0; i < A.n; i++) bench_near(b[i] / x[i], 1, 1e3 * LINEAR_MAX * DBL_EPSILON);
    }
}

/* (d 1 / 1 1) with d small or zero: by d alone the 1 in the corner would be lost. */
CLAIM(a_small_pivot_ends_the_head)
{
    static const double small[] = {1, 1e-3, 1e-14, 1e-320, 0};
    const int col_start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    for (int i = 0; i < 5; i++) {
        double values[] = {small[i], 1, 1, 2}, x[2] = {1, 3};
        int kept;
        subject s;
        open_with(&s, &rsd_linear_headed, 2, col_start, row);
        assert_int_equal(s.backend->factor(s.self, values, &kept), 0);
        s.backend->solve(s.self, 1, x);
        bench_near(small[i] * x[0] + x[1], 1, 8 * DBL_EPSILON);
        bench_near(x[0] + 2 * x[1], 3, 8 * DBL_EPSILON);
    }
}

/* A zero column, in the head or in the rest, unknowns in any order; regular again afterwards. */
CLAIM(a_zero_column_is_named)
{
    enum { N = 24 };
    uint64_t seed = 22;
    for (int zero = 0; zero < N; zero++) {
        int to[N], kept;
        sparse_permutation(N, to, &seed);
        sparse_matrix chain = sparse_chain(N / 6, 50, 0.3, 0.2), A = sparse_permuted(&chain, to, to);
        double *values = bench_doubles(A.nnz);
        subject s;
        open_with(&s, &rsd_linear_headed, A.n, A.col_start, A.row);
        memcpy(values, A.values, (size_t)A.nnz * sizeof *values);
        for (int k = A.col_start[zero]; k < A.col_start[zero + 1]; k++) values[k] = 0;
        assert_int_equal(s.backend->factor(s.self, values, &kept), zero + 1);
        assert_true(solve_with(&s, &A) <= LINEAR_MAX_ERROR);
    }
}

CLAIM(a_right_side_that_is_not_finite_leaves_no_trace)
{
    for (int rods = 1; rods <= 4; rods++) {
        subject s;
        sparse_matrix A = sparse_chain(rods, 100, 0.3, 0.2);
        double *x = bench_doubles(A.n);
        int kept;
        open_with(&s, &rsd_linear_headed, A.n, A.col_start, A.row);
        for (int i = 0; i < A.n; i++) x[i] = NAN;
        assert_int_equal(s.backend->factor(s.self, A.values, &kept), 0);
        s.backend->solve(s.self, 1, x);
        for (int i = 0; i < A.n; i++) x[i] = 0;
        s.backend->solve(s.self, 1, x);
        for (int i = 0; i < A.n; i++) assert_true(x[i] == 0);
    }
}
