/* test_check_columns.c - a matrix against differences, as `resida check` compares them: right ones in groups of
 * columns, whatever their number; a wrong entry, and one that the pattern lacks, by name. */
#include <math.h>
#include <stdlib.h>

#include "test/fixtures/claims.h"

#include "command/check/check.h"

enum { MOST = 600, LIMIT_CALLS = 8 }; /* four increments, both sides */

/** x_i = sin y_i + y_i y_i+1 + extra y_row by column: a band, and one entry more. */
typedef struct band {
    int n, row, column;
    double extra, y[MOST], direction[MOST];
    long calls;
} band;

static int along(double s, double *x, void *context)
{
    band *b = context;
    double y[MOST];
    b->calls++;
    for (int i = 0; i < b->n; i++) y[i] = b->y[i] + s * b->direction[i];
    for (int i = 0; i < b->n; i++) x[i] = sin(y[i]) + y[i] * (i + 1 < b->n ? y[i + 1] : 0);
    x[b->row] += b->extra * y[b->column];
    return 0;
}

typedef struct matrix {
    int row[MOST + 1], col[2 * MOST];
    double values[2 * MOST], scale[MOST];
} matrix;

static void make(band *b, matrix *m, int n)
{
    *b = (band){.n = n};
    for (int i = 0; i < n; i++) b->y[i] = 0.5 + 0.3 * sin(i), m->scale[i] = 1;
    int k = m->row[0] = 0;
    for (int i = 0; i < n; i++) {
        const int last = i + 1 == n;
        m->col[k] = i, m->values[k++] = cos(b->y[i]) + (last ? 0 : b->y[i + 1]);
        if (!last) m->col[k] = i + 1, m->values[k++] = b->y[i];
        m->row[i + 1] = k;
    }
}

static cmd_worst compare(band *b, const matrix *m, const resida_pattern *pattern, const double *values)
{
    cmd_matrix A;
    cmd_worst worst = {.scale = 1e-3};
    assert_int_equal(cmd_matrix_open(&A, pattern, b->n, b->n), 0);
    const cmd_curves x = {along, b, b->direction, m->scale};
    assert_int_equal(cmd_compare_columns(&A, values, &x, 1e-6, &worst), 0);
    cmd_matrix_close(&A);
    return worst;
}

CLAIM(a_band_of_any_width_takes_two_groups)
{
    for (int n = 2; n <= MOST; n = 5 * n / 2) {
        band b;
        matrix m;
        make(&b, &m, n);
        const cmd_worst worst = compare(&b, &m, &(resida_pattern){m.row, m.col}, m.values);
        assert_true(worst.difference < 1e-8 && worst.scale > 1);
        assert_true(b.calls <= 2 * LIMIT_CALLS);
    }
}

CLAIM(a_wrong_entry_is_named)
{
    for (int k = 0; k < 99; k += 7) {
        band b;
        matrix m;
        make(&b, &m, 50);
        m.values[k] += 1e-3;
        const cmd_worst worst = compare(&b, &m, &(resida_pattern){m.row, m.col}, m.values);
        assert_float_equal(worst.difference, 1e-3, 1e-8);
        assert_int_equal(worst.row, k / 2);
        assert_int_equal(worst.column, m.col[k]);
    }
}

CLAIM(an_entry_that_the_pattern_lacks_is_named)
{
    for (int trial = 0; trial < 20; trial++) {
        band b;
        matrix m;
        make(&b, &m, 50);
        b.row = (17 * trial + 3) % 50, b.column = (b.row + 2 + trial) % 50, b.extra = -0.25;
        const cmd_worst worst = compare(&b, &m, &(resida_pattern){m.row, m.col}, m.values);
        assert_float_equal(worst.difference, 0.25, 1e-8);
        assert_int_equal(worst.row, b.row);
        assert_int_equal(worst.column, b.column);
    }
}

CLAIM(a_full_matrix_goes_column_by_column)
{
    enum { N = 9 };
    band b;
    matrix m;
    double full[N * N] = {0};
    make(&b, &m, N);
    for (int i = 0; i < N; i++)
        for (int k = m.row[i]; k < m.row[i + 1]; k++) full[i * N + m.col[k]] = m.values[k];
    assert_true(compare(&b, &m, &(resida_pattern){NULL, NULL}, full).difference < 1e-8);
    assert_true(b.calls <= N * LIMIT_CALLS);
    full[5 * N + 2] = 0.5;
    const cmd_worst worst = compare(&b, &m, &(resida_pattern){NULL, NULL}, full);
    assert_true(worst.row == 5 && worst.column == 2);
    assert_float_equal(worst.difference, 0.5, 1e-8);
}
