/* measure_linear_solver.c - times of the linear solvers, best of several: a factorisation with two solves by both
 * kinds, from which the rule of "auto" is taken, and the growth with n on a chain. Prints tables, checks nothing.
 *
 * "klu" is timed as in an integration: values change a little, pivots are those of before. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "test/fixtures/bench_fixture.h"
#include "base/linear/linear_solver.h"
#include "test/fixtures/sparse_matrix.h"

/* Best times, in seconds. */
typedef struct times {
    double analyse, first, again, solve;
    rsd_linear_report report;
} times;

static double now(void)
{
    struct timespec t;
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &t), 0);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void keep_min(double *least, double start)
{
    *least = fmin(*least, now() - start);
}

static void time_factor(rsd_linear_solver *ls, const sparse_matrix *A, double *x, times *t)
{
    double start = now();
    assert_int_equal(rsd_linear_factor(ls, A->values), 0);
    keep_min(&t->again, start);
    for (int i = 0; i < A->n; i++) x[i] = 1;
    start = now();
    rsd_linear_solve(ls, x);
    keep_min(&t->solve, start);
}

static times measure(const sparse_matrix *A, const char *kind)
{
    times t = {DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX, {.name = ""}};
    double *x = bench_doubles(A->n), spent = now();
    rsd_linear_solver *ls;
    assert_int_equal(rsd_linear_create(&ls, A->n, kind, NULL, NULL), RESIDA_OK);
    for (int repeat = 0; repeat < 3; repeat++) {
        double start = now();
        assert_int_equal(rsd_linear_set_pattern(ls, A->col_start, A->row, NULL), RESIDA_OK);
        keep_min(&t.analyse, start);
        start = now();
        assert_int_equal(rsd_linear_factor(ls, A->values), 0);
        keep_min(&t.first, start);
        time_factor(ls, A, x, &t);
    }
    for (int repeat = 0; repeat < 1000 && now() - spent < 0.1; repeat++) time_factor(ls, A, x, &t);
    t.report = rsd_linear_get_report(ls);
    rsd_linear_free(ls);
    free(x);
    return t;
}

static void compare(const char *name, sparse_matrix A)
{
    rsd_linear_solver *ls;
    assert_int_equal(rsd_linear_create(&ls, A.n, "auto", NULL, NULL), RESIDA_OK);
    assert_int_equal(rsd_linear_set_pattern(ls, A.col_start, A.row, NULL), RESIDA_OK);
    times d = measure(&A, "dense"), k = measure(&A, "klu");
    double dense = d.again + 2 * d.solve, klu = k.again + 2 * k.solve;
    printf("%-7s %4d %7.3f %10.2f %10.2f %8.3f %8.3f  %s\n", name, A.n, (double)A.nnz / A.n / A.n, 1e6 * dense,
           1e6 * klu, klu / dense, k.report.work / d.report.work, rsd_linear_get_report(ls).name);
    rsd_linear_free(ls);
}

static void print_break_even(void)
{
    static const double density[] = {0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8};
    static const int sizes[] = {10, 20, 30, 40, 60, 80, 100, 150, 200, 300, 400};
    uint64_t seed = 1;
    printf("A factorisation and two solves, microseconds\n%-7s %4s %7s %10s %10s %8s %8s  %s\n", "matrix", "n",
           "density", "dense", "klu", "klu/dense", "work", "auto");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t j = 0; j < sizeof density / sizeof *density; j++)
            compare("random", sparse_random(sizes[i], density[j], &seed));
        compare("chain", sparse_chain((sizes[i] + 5) / 6, 100, 0.3, 0.2));
    }
}

static void print_growth(void)
{
    times before = {.again = 0};
    printf("\nA chain with klu, microseconds; in brackets the exponent of the growth with n\n");
    printf("%6s %8s %10s %22s %22s %22s %22s\n", "n", "entries", "of factors", "analysis", "first factorisation",
           "factorisation", "solve");
    for (int n_rods = 10; n_rods <= 10000; n_rods *= 10) {
        sparse_matrix A = sparse_chain(n_rods, 100, 0.3, 0.2);
        times t = measure(&A, "klu");
        const double now_[] = {t.analyse, t.first, t.again, t.solve},
                     old[] = {before.analyse, before.first, before.again, before.solve};
        printf("%6d %8ld %10ld", A.n, (long)A.nnz, t.report.nnz_factors);
        for (int i = 0; i < 4; i++) {
            printf(" %12.2f", 1e6 * now_[i]);
            printf(n_rods > 10 ? "  (%5.2f)" : "         ", log10(now_[i] / old[i]));
        }
        printf("\n");
        before = t;
    }
}

int main(void)
{
    print_break_even();
    print_growth();
    return 0;
}
