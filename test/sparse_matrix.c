/* sparse_matrix.c - see sparse_matrix.h. Entries are collected in any order, then sorted by columns and rows. */
#include "sparse_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_fixture.h"

typedef struct entry {
    int row, col;
    double value;
} entry;

typedef struct entries {
    int count, room;
    entry *list;
} entries;

static void *blocks(size_t count, size_t each)
{
    void *block = calloc(count ? count : 1, each);
    assert_non_null(block);
    return block;
}

static void put(entries *e, int row, int col, double value)
{
    if (e->count == e->room) {
        e->room = e->room ? 2 * e->room : 256;
        e->list = realloc(e->list, (size_t)e->room * sizeof *e->list);
        assert_non_null(e->list);
    }
    e->list[e->count++] = (entry){row, col, value};
}

static int by_column(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    return a->col != b->col ? (a->col > b->col) - (a->col < b->col) : (a->row > b->row) - (a->row < b->row);
}

/* Entries at the same place are added. */
static sparse_matrix compress(int n, entries *e)
{
    sparse_matrix A = {.n = n};
    A.col_start = blocks((size_t)n + 1, sizeof(int));
    A.row = blocks((size_t)e->count, sizeof(int));
    A.values = blocks((size_t)e->count, sizeof(double));
    qsort(e->list, (size_t)e->count, sizeof *e->list, by_column);
    for (int k = 0; k < e->count; k++) {
        if (k == 0 || by_column(&e->list[k - 1], &e->list[k]) != 0) {
            A.col_start[e->list[k].col + 1]++;
            A.row[A.nnz++] = e->list[k].row;
        }
        A.values[A.nnz - 1] += e->list[k].value;
    }
    for (int j = 0; j < n; j++) A.col_start[j + 1] += A.col_start[j];
    free(e->list);
    return A;
}

void sparse_permutation(int n, int *to, uint64_t *seed)
{
    for (int i = 0; i < n; i++) {
        int k = (int)((bench_random(seed) + 1) / 2 * (i + 1));
        if (k > i) k = i;
        to[i] = to[k];
        to[k] = i;
    }
}

sparse_matrix sparse_random(int n, double density, uint64_t *seed)
{
    entries e = {0};
    int *to = blocks((size_t)n, sizeof(int));
    sparse_permutation(n, to, seed);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            if (i == to[j] || (bench_random(seed) + 1) / 2 < density) put(&e, i, j, bench_random(seed));
    free(to);
    return compress(n, &e);
}

sparse_matrix sparse_bidiagonal(int n)
{
    entries e = {0};
    for (int j = 0; j < n; j++) {
        put(&e, j, j, 2);
        if (j + 1 < n) put(&e, j + 1, j, 1);
    }
    return compress(n, &e);
}

/* Rod i of the chain, from mass i - 1 (the suspension for i = 0) to mass i. */
static void put_rod(entries *e, int n_rods, int i, const double d[2])
{
    const double w[2] = {-0.7 * d[1], 0.7 * d[0]}, tension = 1 + 0.3 * (i % 3);
    int v = 2 * n_rods, lam = 4 * n_rods + i, eta = 5 * n_rods + i;
    for (int a = i > 0 ? i - 1 : 0; a <= i; a++) {
        double sign = a == i ? 1 : -1;
        for (int k = 0; k < 2; k++) {
            int p = 2 * a + k;
            put(e, p, eta, sign * d[k]);
            put(e, eta, p, sign * d[k]);
            put(e, v + p, lam, sign * d[k]);
            put(e, lam, v + p, sign * d[k]);
            put(e, lam, p, sign * w[k]);
            for (int b = i > 0 ? i - 1 : 0; b <= i; b++) put(e, v + p, 2 * b + k, a == b ? tension : -tension);
        }
    }
}

sparse_matrix sparse_chain(int n_rods, double alpha, double angle, double bend)
{
    entries e = {0};
    int v = 2 * n_rods;
    for (int p = 0; p < v; p++) {
        put(&e, p, p, alpha);
        put(&e, p, v + p, -1);
        put(&e, v + p, v + p, alpha * (1 + 0.1 * (p / 2 % 4)));
    }
    for (int i = 0; i < n_rods; i++)
        put_rod(&e, n_rods, i, (const double[]){cos(angle + i * bend), sin(angle + i * bend)});
    return compress(6 * n_rods, &e);
}

sparse_matrix sparse_permuted(const sparse_matrix *A, const int *to_row, const int *to_col)
{
    entries e = {0};
    for (int j = 0; j < A->n; j++)
        for (int k = A->col_start[j]; k < A->col_start[j + 1]; k++) put(&e, to_row[A->row[k]], to_col[j], A->values[k]);
    return compress(A->n, &e);
}

void sparse_free(sparse_matrix *A)
{
    free(A->col_start);
    free(A->row);
    free(A->values);
    *A = (sparse_matrix){0};
}

void sparse_times(const sparse_matrix *A, const double *x, double *y)
{
    memset(y, 0, (size_t)A->n * sizeof *y);
    for (int j = 0; j < A->n; j++)
        for (int k = A->col_start[j]; k < A->col_start[j + 1]; k++) y[A->row[k]] += A->values[k] * x[j];
}

void sparse_to_full(const sparse_matrix *A, double *D)
{
    memset(D, 0, (size_t)A->n * (size_t)A->n * sizeof *D);
    for (int j = 0; j < A->n; j++)
        for (int k = A->col_start[j]; k < A->col_start[j + 1]; k++)
            D[(size_t)j * (size_t)A->n + (size_t)A->row[k]] = A->values[k];
}

double sparse_backward_error(const sparse_matrix *A, const double *x, const double *b)
{
    double *r = blocks((size_t)A->n, sizeof *r), *size = blocks((size_t)A->n, sizeof *size), error = 0;
    for (int i = 0; i < A->n; i++) r[i] = b[i], size[i] = fabs(b[i]);
    for (int j = 0; j < A->n; j++)
        for (int k = A->col_start[j]; k < A->col_start[j + 1]; k++) {
            double part = A->values[k] * x[j];
            r[A->row[k]] -= part;
            size[A->row[k]] += fabs(part);
        }
    for (int i = 0; i < A->n && !isnan(error); i++) {
        double part = r[i] == 0 ? 0 : fabs(r[i]) / size[i];
        if (!(part <= error)) error = part;
    }
    free(r);
    free(size);
    return error;
}
