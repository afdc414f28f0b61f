/* jacobian_fixture.h - an engine for a system, and its J as a full matrix to compare with. */
#ifndef RESIDA_TEST_JACOBIAN_FIXTURE_H
#define RESIDA_TEST_JACOBIAN_FIXTURE_H

#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

/* All names that the header lists. */
static const char *const every_strategy[] = {
    "auto", "dense", "sparse", "dense+partitioned", "sparse+partitioned", "dense+extended", "sparse+extended", "fresh"};
enum { N_EVERY_STRATEGY = sizeof every_strategy / sizeof *every_strategy };

static inline resida_jacobian *open_system(const resida_system *s, const char *strategy,
                                           const resida_allocator *allocator)
{
    resida_jacobian_options o;
    resida_jacobian_options_init(&o);
    o.strategy = strategy;
    o.allocator = allocator;
    return test_jacobian(s, &o);
}

static inline int has_matrix(const resida_jacobian *j)
{
    resida_jacobian_matrix J;
    resida_status status = resida_jacobian_get_matrix(j, &J);
    assert_true(status == RESIDA_OK || status == RESIDA_ERR_STATE);
    return status == RESIDA_OK;
}

/* The engine's J as a full matrix, column by column; its pattern is in order. */
static inline void get_full(const resida_jacobian *j, int n, double *full)
{
    resida_jacobian_matrix J;
    assert_int_equal(resida_jacobian_get_matrix(j, &J), RESIDA_OK);
    assert_true(J.n == n && J.start[0] == 0 && J.start[n] == J.nnz && J.pattern > 0);
    for (int k = 0; k < n * n; k++) full[k] = 0;
    for (int c = 0; c < n; c++)
        for (int e = J.start[c]; e < J.start[c + 1]; e++) {
            assert_true(J.row[e] >= 0 && J.row[e] < n && (e == J.start[c] || J.row[e] > J.row[e - 1]));
            assert_true(isfinite(J.values[e])); /* fmax() would not see it */
            full[c * n + J.row[e]] = J.values[e];
        }
}

/* Largest error of J relative to the largest entry of its row, both column by column. */
static inline double off_by_row(int n, const double *J, const double *exact)
{
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double error = 0, size = 0;
        for (int c = 0; c < n; c++) {
            error = fmax(error, fabs(J[c * n + i] - exact[c * n + i]));
            size = fmax(size, fabs(exact[c * n + i]));
        }
        if (error > 0) worst = fmax(worst, error / size);
    }
    return worst;
}

#endif
