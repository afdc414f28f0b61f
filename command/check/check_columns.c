/* check_columns.c - a matrix against differences of what it is the derivative of. Columns that share no row of its
 * pattern are moved together, by different amounts: a row then changes with one of them, and if it changes with another
 * one as well, the pattern lacks an entry and the row does not agree. Where something does not agree each column is
 * moved alone, to name it. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *zeros(int n)
{
    return calloc((size_t)n + 1, sizeof(double));
}

static int *counts(long n)
{
    return calloc((size_t)n + 1, sizeof(int));
}

/* Columns of a row: of the pattern, or all. */
static int row_start(const cmd_matrix *A, int i)
{
    return A->pattern->row ? A->pattern->row[i] : i * A->cols;
}

static int column_at(const cmd_matrix *A, int k)
{
    return A->pattern->row ? A->pattern->col[k] : k % A->cols;
}

static void list_columns(cmd_matrix *A)
{
    for (int k = 0; k < row_start(A, A->rows); k++) A->start[column_at(A, k) + 1]++;
    for (int j = 0; j < A->cols; j++) A->start[j + 1] += A->start[j];
    for (int i = A->rows - 1; i >= 0; i--)
        for (int k = row_start(A, i + 1) - 1; k >= row_start(A, i); k--) {
            int e = --A->start[column_at(A, k) + 1]; /* which becomes the start of the column */
            A->row[e] = i, A->at[e] = k;
        }
    for (int j = 0; j < A->cols; j++) A->start[j] = A->start[j + 1];
    A->start[A->cols] = row_start(A, A->rows);
}

/* The first group without a column that shares a row with column j. taken [cols]: work, for each group the
 * number, from 1, of the last column that it was not free for. */
static int choose_group(const cmd_matrix *A, int j, int *taken)
{
    int g = 0;
    if (!A->pattern->row) return j;
    for (int e = A->start[j]; e < A->start[j + 1]; e++)
        for (int k = row_start(A, A->row[e]); k < row_start(A, A->row[e] + 1); k++)
            if (column_at(A, k) < j) taken[A->group[column_at(A, k)]] = j + 1;
    while (taken[g] == j + 1) g++;
    return g;
}

int cmd_matrix_open(cmd_matrix *A, const resida_pattern *pattern, int rows, int cols)
{
    *A = (cmd_matrix){.pattern = pattern, .rows = rows, .cols = cols};
    A->start = counts(cols), A->group = counts(cols);
    A->row = counts(row_start(A, rows)), A->at = counts(row_start(A, rows));
    int *taken = counts(cols);
    int all = A->start && A->group && A->row && A->at && taken;
    if (all) list_columns(A);
    for (int j = 0; j < cols && all; j++) {
        A->group[j] = choose_group(A, j, taken);
        if (A->group[j] >= A->n_groups) A->n_groups = A->group[j] + 1;
    }
    free(taken);
    return all ? 0 : -1;
}

void cmd_matrix_close(cmd_matrix *A)
{
    free(A->start), free(A->row), free(A->at), free(A->group);
    *A = (cmd_matrix){.rows = 0};
}

/* Entry (i, j), 0 outside of the pattern; values in the order of the pattern. */
static double entry_of(const cmd_matrix *A, const double *values, int i, int j)
{
    for (int e = A->start[j]; e < A->start[j + 1]; e++)
        if (A->row[e] == i) return values[A->at[e]];
    return 0;
}

/** A comparison under way. */
typedef struct comparison {
    const cmd_matrix *A;
    const double *values;
    const cmd_curves *x;
    double *expected; /**< [rows] */
} comparison;

/* Move column j by d; what is expected of the rows. */
static void move(const comparison *c, int j, double d)
{
    c->x->direction[j] = d;
    for (int e = c->A->start[j]; e < c->A->start[j + 1]; e++) c->expected[c->A->row[e]] = d * c->values[c->A->at[e]];
}

static cmd_worst compare(const comparison *c, double scale, double small, int column)
{
    cmd_worst worst = {.scale = small};
    cmd_compare_derivative(c->A->rows, c->expected, c->x->along, c->x->context, scale, &worst, column);
    return worst;
}

/* Columns of group g that are listed from `first` on. */
static cmd_worst compare_group(const comparison *c, int first, const int *next, double small)
{
    double scale = 0, whole;
    for (int j = first; j >= 0; j = next[j]) {
        scale = fmax(scale, c->x->scale[j]);
        move(c, j, (j % 2 ? -1 : 1) * (1 + modf(0.6180339887498949 * j, &whole)));
    }
    cmd_worst worst = compare(c, scale, small, first);
    for (int j = first; j >= 0; j = next[j]) {
        move(c, j, 0);
        if (entry_of(c->A, c->values, worst.row, j) != 0) worst.column = j;
    }
    return worst;
}

static void take_worse(cmd_worst *worst, cmd_worst now)
{
    worst->scale = fmax(worst->scale, now.scale);
    cmd_worst_add(worst, now.difference, now.row, now.column);
}

static void compare_each(const comparison *c, int first, const int *next, cmd_worst *worst)
{
    for (int j = first; j >= 0; j = next[j]) {
        move(c, j, 1);
        take_worse(worst, compare(c, c->x->scale[j], worst->scale, j));
        move(c, j, 0);
    }
}

int cmd_compare_columns(const cmd_matrix *A, const double *values, const cmd_curves *x, double limit, cmd_worst *worst)
{
    comparison c = {A, values, x, zeros(A->rows)};
    int *first = counts(A->n_groups), *next = counts(A->cols), all = c.expected && first && next;
    for (int g = 0; g < A->n_groups && all; g++) first[g] = -1;
    for (int j = A->cols - 1; j >= 0 && all; j--) next[j] = first[A->group[j]], first[A->group[j]] = j;
    if (all) memset(x->direction, 0, (size_t)A->cols * sizeof *x->direction);
    for (int g = 0; g < A->n_groups && all; g++) {
        cmd_worst now = compare_group(&c, first[g], next, worst->scale);
        if (now.difference <= limit * now.scale)
            take_worse(worst, now);
        else
            compare_each(&c, first[g], next, worst);
    }
    free(c.expected), free(first), free(next);
    return all ? 0 : -1;
}
