/* test_jacobian.c - the Jacobian engine alone, on functions F(t, y, yp) that no integrator knows: J against exact
 * derivatives, calls and counters as exact numbers, verdicts.
 *
 * One-sided differences with delta = |y| sqrt(eps), |y| within 1..3, err by |F_yy| delta/2 and by a few eps |F|/delta,
 * both some 1e-8 for sizes of about one; sums of up to 18 terms leave 1e-6 of the row. */
#include <complex.h>

#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/mechanisms/complex_mechanism.h"
#include "jacobian_fixture.h"
#include "test/fixtures/solver_fixture.h"

#define ACCURACY 1e-6

enum { N = 12, MAX_CALLS = 64 };

/* The calls of F, and their results. */
typedef struct probe {
    int n, calls;
    double base_y[CM_MAX_Y], base_yp[CM_MAX_Y];
    struct {
        int column; /* the one that was perturbed; -1 none, -2 several */
        double delta, delta_yp;
    } call[MAX_CALLS];
    int verdict_up[CM_MAX_Y], verdict_down[CM_MAX_Y]; /* answers by column and side */
    resida_function *F;                               /* NULL: F = y */
    void *user;
} probe;

static int probed(double t, const double *y, const double *yp, double *r, void *user)
{
    probe *q = user;
    int column = -1;
    for (int i = 0; i < q->n; i++)
        if (y[i] != q->base_y[i] || yp[i] != q->base_yp[i]) column = column == -1 ? i : -2;
    assert_true(q->calls < MAX_CALLS);
    double delta = column < 0 ? 0 : y[column] - q->base_y[column];
    q->call[q->calls].column = column;
    q->call[q->calls].delta = delta;
    q->call[q->calls++].delta_yp = column < 0 ? 0 : yp[column] - q->base_yp[column];
    if (q->F) return q->F(t, y, yp, r, q->user);
    memcpy(r, y, (size_t)q->n * sizeof *r);
    return column < 0 ? 0 : delta > 0 ? q->verdict_up[column] : q->verdict_down[column];
}

/* F alone: not in parts, nothing known. */
static resida_system only_F(probe *q)
{
    resida_system s;
    resida_system_init(&s);
    s.n = q->n;
    s.F = probed;
    s.user = q;
    return s;
}

static resida_jacobian *open_engine(probe *q, const char *strategy)
{
    resida_system s = only_F(q);
    resida_jacobian *j = open_system(&s, strategy, NULL);
    assert_int_equal(q->calls, 0);
    assert_false(has_matrix(j));
    return j;
}

/* F at the base point of the probe, which is not counted. */
static resida_jacobian_point point(const probe *q, double alpha, double *F)
{
    memcpy(F, q->base_y, (size_t)q->n * sizeof *F);
    if (q->F) assert_int_equal(q->F(0.5, q->base_y, q->base_yp, F, q->user), 0);
    return (resida_jacobian_point){.t = 0.5, .alpha = alpha, .h = 0.1, .y = q->base_y, .yp = q->base_yp, .F = F};
}

static resida_jacobian_counts counts_of(const resida_jacobian *j)
{
    resida_jacobian_counts counts;
    assert_int_equal(resida_jacobian_get_counts(j, &counts), RESIDA_OK);
    return counts;
}

/* Components of size 1 to 3 with either sign. */
static void fill_base(probe *q, uint64_t *seed)
{
    for (int i = 0; i < q->n; i++) {
        double x = 2 * bench_random(seed), xp = 2 * bench_random(seed);
        q->base_y[i] = x + copysign(1, x);
        q->base_yp[i] = xp + copysign(1, xp);
    }
}

/* F_i = sum_j A_ij sin(y_j + B_ij) + (A_ji + 0.3 sin(y_i y_j)) yp_j + 0.1 yp_i^2, coefficients [2 N N]. */
static void nonlinear(const double *A, const cm_number *y, const cm_number *yp, cm_number *r)
{
    const double *B = A + N * N;
    for (int i = 0; i < N; i++) {
        r[i] = 0.1 * yp[i] * yp[i];
        for (int j = 0; j < N; j++)
            r[i] += A[i * N + j] * csin(y[j] + B[i * N + j]) + (A[j * N + i] + 0.3 * csin(y[i] * y[j])) * yp[j];
    }
}

static int nonlinear_F(double t, const double *y, const double *yp, double *r, void *user)
{
    cm_number Y[N], YP[N], R[N];
    for (int i = 0; i < N; i++) Y[i] = y[i], YP[i] = yp[i];
    nonlinear(user, Y, YP, R);
    for (int i = 0; i < N; i++) r[i] = creal(R[i]);
    return 0;
}

static void nonlinear_J(const double *A, double alpha, const double *y, const double *yp, double *J)
{
    const double h = 1e-40; /* imaginary, so the derivative is exact */
    cm_number Y[N], YP[N], R[N];
    for (int i = 0; i < N; i++) Y[i] = y[i], YP[i] = yp[i];
    for (int c = 0; c < N; c++) {
        Y[c] += I * h, YP[c] += I * (alpha * h);
        nonlinear(A, Y, YP, R);
        for (int i = 0; i < N; i++) J[c * N + i] = cimag(R[i]) / h;
        Y[c] = y[c], YP[c] = yp[c];
    }
}

CLAIM(J_of_any_function_is_exact_to_1e_6_of_its_row_after_n_calls)
{
    static const double alphas[] = {0, 1, -3, 100};
    double A[2 * N * N], J[N * N], found[N * N], F[N], worst = 0;
    uint64_t seed = 4;
    for (int trial = 0; trial < 200; trial++) {
        probe q = {.n = N, .F = nonlinear_F, .user = A};
        for (int i = 0; i < 2 * N * N; i++) A[i] = bench_random(&seed);
        fill_base(&q, &seed);
        resida_jacobian *j = open_engine(&q, "dense");
        resida_jacobian_point at = point(&q, alphas[trial % 4], F);
        int current = -1;
        assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_FIRST, &at, &current), 0);
        assert_int_equal(current, 1);
        assert_int_equal(q.calls, N);
        nonlinear_J(A, at.alpha, q.base_y, q.base_yp, J);
        get_full(j, N, found);
        worst = fmax(worst, off_by_row(N, found, J));
    }
    print_message("J of a random function off by %.1e of its row\n", worst);
    assert_true(worst < ACCURACY);
}

/* An iteration that has moved y asks for J there, at the time of the last evaluation. */
CLAIM(an_evaluation_of_the_same_time_is_of_another_y)
{
    double A[2 * N * N], J[N * N], found[N * N], F[N];
    uint64_t seed = 11;
    probe q = {.n = N, .F = nonlinear_F, .user = A};
    for (int i = 0; i < 2 * N * N; i++) A[i] = bench_random(&seed);
    resida_jacobian *j = open_engine(&q, "auto");
    for (int k = 0; k < 8; k++) {
        int current = -1;
        q.calls = 0;
        fill_base(&q, &seed);
        resida_jacobian_point at = point(&q, 1, F);
        at.t = at.since = k < 7 ? k : k - 1;
        assert_int_equal(resida_jacobian_setup(j, k ? RESIDA_SETUP_FAILURE : RESIDA_SETUP_FIRST, &at, &current), 0);
        if (current == 0) assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_FAILURE, &at, &current), 0);
        nonlinear_J(A, at.alpha, q.base_y, q.base_yp, J);
        get_full(j, N, found);
        print_message("%d: off by %.1e\n", k, off_by_row(N, found, J));
        if (k == 7) assert_true(off_by_row(N, found, J) < ACCURACY);
    }
}

/* F = y: every entry of the diagonal is (y + delta - y)/delta, that is 1, only if delta is the change that y saw.
 * Components just above powers of two, where a step down may end between numbers that a step up cannot reach. */
CLAIM(increments_are_exact_on_both_sides)
{
    uint64_t seed = 7;
    for (int trial = 0; trial < 100; trial++) {
        probe q = {.n = N};
        double F[N], J[N * N];
        for (int i = 0; i < N; i++) {
            q.base_y[i] = ldexp(1 + 1e-8 * bench_random(&seed), i - 6);
            q.base_yp[i] = bench_random(&seed);
            int refuse = trial % 2;
            q.verdict_up[i] = refuse && q.base_yp[i] > 0;
            q.verdict_down[i] = refuse && q.base_yp[i] < 0;
        }
        resida_jacobian *j = open_engine(&q, "dense");
        resida_jacobian_point at = point(&q, 0, F);
        int current;
        assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_FIRST, &at, &current), 0);
        assert_int_equal(q.calls, trial % 2 ? 2 * N : N);
        get_full(j, N, J);
        for (int c = 0; c < N; c++)
            for (int i = 0; i < N; i++) bench_near(J[c * N + i], i == c, 2 * DBL_EPSILON);
    }
}

CLAIM(a_column_that_is_refused_is_tried_on_the_other_side)
{
    probe q = {.n = N};
    double F[N];
    for (int i = 0; i < N; i++) q.base_y[i] = 1, q.base_yp[i] = i % 2 ? -1 : 1;
    q.verdict_up[4] = 2, q.verdict_down[7] = 5;
    resida_jacobian *j = open_engine(&q, "dense");
    resida_jacobian_point at = point(&q, 0, F);
    int current;
    assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_FAILURE, &at, &current), 0);
    assert_int_equal(q.calls, N + 2);
    assert_int_equal(q.call[4].column, 4);
    assert_int_equal(q.call[5].column, 4);
    assert_true(q.call[4].delta > 0 && q.call[5].delta < 0);
    assert_true(q.call[8].column == 7 && q.call[9].column == 7 && q.call[8].delta < 0 && q.call[9].delta > 0);
    assert_int_equal(counts_of(j).residual_calls, N + 2);
    assert_int_equal(counts_of(j).evaluations_dense, 1);
}

CLAIM(verdicts_come_back_and_leave_no_jacobian)
{
    static const struct {
        int up, down, verdict, calls;
    } cases[] = {{3, 3, 3, 5}, {1, 4, 4, 5}, {-6, 0, -6, 4}, {2, -8, -8, 5}, {INT32_MIN, 0, INT32_MIN, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        probe q = {.n = N};
        double F[N];
        for (int k = 0; k < N; k++) q.base_y[k] = q.base_yp[k] = 1;
        resida_jacobian *j = open_engine(&q, "dense");
        resida_jacobian_point at = point(&q, 0, F);
        int current;
        assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_FIRST, &at, &current), 0);
        q.calls = 0;
        q.verdict_up[3] = cases[i].up, q.verdict_down[3] = cases[i].down;
        assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_OTHER, &at, &current), cases[i].verdict);
        assert_int_equal(q.calls, cases[i].calls);
        assert_false(has_matrix(j));
        assert_int_equal(counts_of(j).residual_calls, N + cases[i].calls);
        assert_int_equal(counts_of(j).evaluations_dense, 1);
        q.verdict_up[3] = q.verdict_down[3] = 0;
        assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_FAILURE, &at, &current), 0);
        assert_true(has_matrix(j));
    }
}

CLAIM(an_unknown_strategy_is_refused_with_the_list)
{
    probe q = {.n = N};
    resida_system s = only_F(&q);
    resida_jacobian *j = (resida_jacobian *)&q;
    resida_jacobian_options o;
    resida_message why = {""};
    resida_jacobian_options_init(&o);
    o.strategy = "Dense";
    assert_int_equal(resida_jacobian_create(&j, &s, &o, &why), RESIDA_ERR_OPTION);
    assert_null(j);
    assert_non_null(strstr(why.text, "unknown Jacobian strategy 'Dense': use auto, dense"));
    for (int i = 0; i < N_EVERY_STRATEGY; i++) assert_non_null(strstr(why.text, every_strategy[i]));
    o.strategy = "";
    assert_int_equal(resida_jacobian_create(&j, &s, &o, NULL), RESIDA_ERR_OPTION);
}

CLAIM(strategies_return_their_names_and_auto_its_choice)
{
    probe q = {.n = 3};
    resida_jacobian *dense = open_engine(&q, "dense"), *chosen = open_engine(&q, "auto");
    assert_string_equal(resida_jacobian_strategy(dense), "dense");
    assert_string_equal(resida_jacobian_strategy(chosen), "auto");
    assert_string_equal(resida_jacobian_strategy(NULL), "");
    assert_string_equal(resida_jacobian_reason(dense), "selected by name");
    assert_non_null(strstr(resida_jacobian_reason(chosen), "the pattern is not known yet"));
    resida_jacobian_free(NULL);
}
