/* linear_fixture.h - for tests of the linear solvers: their kinds by name, and solutions that are known.
 *
 * LU with pivots of at least a tenth of the largest candidate has a backward error of a few n eps times the growth of
 * the entries, which stays below 1e3 for these matrices: LINEAR_MAX_ERROR. */
#ifndef RESIDA_TEST_LINEAR_FIXTURE_H
#define RESIDA_TEST_LINEAR_FIXTURE_H

#include "test/fixtures/bench_fixture.h"
#include "base/linear/linear_solver.h"
#include "test/fixtures/sparse_matrix.h"

enum { LINEAR_MAX = 60, LINEAR_KINDS = 3 };
#define LINEAR_MAX_ERROR (1e3 * LINEAR_MAX * DBL_EPSILON)

static const char *const linear_kinds[LINEAR_KINDS] = {"dense", "klu", "auto"};

static inline void linear_free(void *ls)
{
    rsd_linear_free(ls);
}

/* Without a pattern. It is freed with the claim. */
static inline rsd_linear_solver *linear_make(int n, const char *kind)
{
    rsd_linear_solver *ls;
    resida_message why = {""};
    assert_int_equal(rsd_linear_create(&ls, n, kind, NULL, &why), RESIDA_OK);
    claims_own(ls, linear_free);
    return ls;
}

static inline rsd_linear_solver *linear_open(const sparse_matrix *A, const char *kind)
{
    resida_message why = {""};
    rsd_linear_solver *ls = linear_make(A->n, kind);
    assert_int_equal(rsd_linear_set_pattern(ls, A->col_start, A->row, &why), RESIDA_OK);
    assert_string_equal(why.text, "");
    return ls;
}

static inline void linear_check_counts(const rsd_linear_solver *ls, long factors, long refactors)
{
    rsd_linear_report r = rsd_linear_get_report(ls);
    assert_int_equal(r.factors, factors);
    assert_int_equal(r.refactors, refactors);
}

/* Solve for a known x [n], and compare.
 * @param[out] solution  [n] what came out; NULL: not wanted
 * @param[out] backward  backward error; NULL: not wanted
 * @return largest relative error of a component; NaN when one is NaN */
static inline double linear_error(rsd_linear_solver *ls, const sparse_matrix *A, const double *x, double *solution,
                                  double *backward)
{
    double *b = bench_doubles(A->n), *y = bench_doubles(A->n), error = 0;
    sparse_times(A, x, b);
    memcpy(y, b, (size_t)A->n * sizeof *y);
    rsd_linear_solve(ls, y);
    if (backward) *backward = sparse_backward_error(A, y, b);
    for (int i = 0; i < A->n && !isnan(error); i++) {
        double part = fabs(y[i] / x[i] - 1);
        if (!(part <= error)) error = part;
    }
    if (solution) memcpy(solution, y, (size_t)A->n * sizeof *y);
    return error;
}

/* The known solution: components between 1 and 2 in size; in a chain with alpha > 0 p and v by 1/alpha smaller, which
 * is their size next to lam and eta. x [n] */
static inline void linear_known(const sparse_matrix *A, double alpha, double *x)
{
    for (int i = 0; i < A->n; i++) {
        x[i] = (i % 2 ? -1 : 1) * (1 + 0.25 * (i % 5));
        if (alpha > 0 && i < A->n / 3 * 2) x[i] /= alpha;
    }
}

/* Relative error of the known solution. */
static inline double linear_known_error(rsd_linear_solver *ls, const sparse_matrix *A, double alpha)
{
    double *x = bench_doubles(A->n);
    linear_known(A, alpha, x);
    double error = linear_error(ls, A, x, NULL, NULL);
    return error;
}

/* The backward error is that of rounding. */
static inline void linear_check_solve(rsd_linear_solver *ls, const sparse_matrix *A)
{
    double *x = bench_doubles(A->n), backward;
    linear_known(A, 0, x);
    linear_error(ls, A, x, NULL, &backward);
    if (!(backward <= LINEAR_MAX_ERROR))
        fail_msg("%s: n = %d, backward error %g", rsd_linear_get_report(ls).name, A->n, backward);
}

#endif
