/* test_start_alike.c - the matrix of a start of a general DAE, by a learnt pattern and by none: on small random DAEs
 * both find the same ranks, refuse the same, and lead to the same point, where F = 0. */
#include <limits.h>

#include "src/core/start/start_dae.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

enum { MOST = 40 };

/* 0 = A y' + K y - f: A sparse, some of its columns combinations of others. */
typedef struct linear {
    int n;
    double A[MOST][MOST], K[MOST][MOST], f[MOST];
} linear;

static int linear_residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r,
                           void *user)
{
    const linear *q = user;
    for (int i = 0; i < q->n; i++) {
        r[i] = -q->f[i];
        for (int j = 0; j < q->n; j++) r[i] += q->A[i][j] * yp[j] + q->K[i][j] * y[j];
    }
    return 0;
}

static double random_number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed / 2147483648.0 - 1;
}

/* Blocks of up to four columns; some are zero, some of rank one less; K has some entries besides, or is zero in a
 * row: the index is above 1, or the pencil singular. */
static void draw(linear *q, unsigned seed)
{
    *q = (linear){.n = 6 + (int)(seed % 30)};
    for (int first = 0, size; first < q->n; first += size) {
        size = 1 + (int)(2 + 2 * random_number(&seed));
        size = first + size > q->n ? q->n - first : size;
        const double kind = random_number(&seed);
        for (int i = first; i < first + size && kind > -0.4; i++)
            for (int j = first; j < first + size; j++) q->A[i][j] = random_number(&seed);
        for (int i = first; i < first + size && kind > 0.2; i++) /* capacitors: columns that sum to zero */
            for (int j = first + 1; j < first + size; j++)
                q->A[i][first] = j == first + 1 ? -q->A[i][j] : q->A[i][first] - q->A[i][j];
    }
    for (int i = 0; i < q->n; i++) {
        q->f[i] = random_number(&seed);
        for (int k = 0; k < 4; k++) q->K[i][(int)((1 + random_number(&seed)) / 2 * q->n)] = random_number(&seed);
        const double kind = random_number(&seed);
        for (int j = 0; j < q->n && kind < -0.94; j++) q->K[i][j] = 0;
        q->K[i][i] = kind > -0.97 ? 2 : 0;
    }
}

/* B at y = yp = 0, and what it takes from them. */
static resida_status solve_with(linear *q, int learn_from, double *dy, double *dyp)
{
    resida_dae d = test_dae();
    rsd_start_matrix B;
    resida_message why = {""};
    double zero[MOST] = {0}, F[MOST];
    d.n = q->n, d.user = q, d.residual = linear_residual;
    resida_problem *problem = test_problem_dae(&d, NULL);
    rsd_guard guard = {.problem = problem, .max_calls = LONG_MAX, .deadline = INFINITY, .message = &why};
    rsd_guard_install(&guard);
    assert_int_equal(rsd_start_matrix_create(&B, problem, learn_from, &why), RESIDA_OK);
    rsd_start_matrix_reset_increments(&B);
    assert_int_equal(rsd_guard_residual(&guard, RSD_FOR_START, 0, zero, zero, F), 0);
    assert_int_equal(rsd_start_matrix_find(&B, &(rsd_start_point){&guard, 0, zero, zero, F}), 0);
    const int is_singular = rsd_start_matrix_is_singular(&B);
    if (!is_singular) rsd_start_kernel_solve(&B, F, dy, dyp);
    rsd_start_matrix_free(&B);
    return is_singular ? RESIDA_ERR_INCONSISTENT : RESIDA_OK;
}

#define AS_DIFFERENCES 1e-5 /* of the largest component: both have differences of an accuracy of 1e-8 */

/* F = 0 at y = -dy, y' = -dyp, which are taken from zero. */
static void check_residual(linear *q, const double *dy, const double *dyp, double tolerance)
{
    double y[MOST], yp[MOST], F[MOST];
    for (int i = 0; i < q->n; i++) y[i] = -dy[i], yp[i] = -dyp[i];
    assert_int_equal(linear_residual(0, y, yp, NULL, F, q), 0);
    for (int i = 0; i < q->n; i++) bench_near(F[i], 0, tolerance);
}

CLAIM(starts_with_and_without_a_pattern_decide_alike)
{
    enum { TRIALS = 400 };
    int refused = 0;
    for (unsigned seed = 1; seed <= TRIALS; seed++) {
        linear q;
        double dy[2][MOST], dyp[2][MOST], most = 0;
        draw(&q, seed * 7919u);
        const resida_status full = solve_with(&q, MOST + 1, dy[0], dyp[0]);
        const resida_status learnt = solve_with(&q, 1, dy[1], dyp[1]);
        if (full != learnt) fail_msg("%u: without a pattern %d, with one that is learnt %d", seed, full, learnt);
        refused += full < 0;
        if (full < 0) continue;
        for (int i = 0; i < q.n; i++) most = fmax(most, fmax(fabs(dy[0][i]), fabs(dyp[0][i])));
        for (int i = 0; i < q.n; i++) bench_near(dy[1][i], dy[0][i], AS_DIFFERENCES * most);
        check_residual(&q, dy[0], dyp[0], AS_DIFFERENCES * (1 + most));
    }
    print_message("%d of %d refused\n", refused, TRIALS);
    assert_true(refused > TRIALS / 20 && refused < TRIALS * 19 / 20);
}
