/* oracle.c - see oracle.h. Elimination with complete pivoting and Gram-Schmidt in long double: slow, and nothing like
 * LAPACK's ways. */
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_fixture.h"

static long double *reals(long n)
{
    long double *x = calloc((size_t)(n > 0 ? n : 1), sizeof *x);
    assert_non_null(x);
    return x;
}

/* Row and column of the largest entry that is left from step k on; its size. */
static long double find_pivot(int n, const long double *W, int k, const int *taken, int *row, int *col)
{
    long double most = -1;
    for (int i = k; i < n; i++)
        for (int j = 0; j < n; j++)
            if (!taken[j] && fabsl(W[(long)i * (n + 1) + j]) > most) {
                most = fabsl(W[(long)i * (n + 1) + j]);
                *row = i;
                *col = j;
            }
    return most;
}

static void swap_rows(int n, long double *W, int i, int k)
{
    for (int j = 0; j <= n; j++) {
        long double w = W[(long)i * (n + 1) + j];
        W[(long)i * (n + 1) + j] = W[(long)k * (n + 1) + j];
        W[(long)k * (n + 1) + j] = w;
    }
}

/* Clear column `col` but for row k. */
static void eliminate(int n, long double *W, int k, int col)
{
    const long double *pivot = W + (long)k * (n + 1);
    for (int i = 0; i < n; i++) {
        long double *row = W + (long)i * (n + 1), factor = row[col] / pivot[col];
        if (i == k || factor == 0) continue;
        for (int j = 0; j <= n; j++) row[j] -= factor * pivot[j];
        row[col] = 0;
    }
}

int oracle_solve(int n, const long double *A, const long double *b, long double *x)
{
    int taken[ORACLE_MOST] = {0}, of_row[ORACLE_MOST], regular = 1;
    assert_true(n <= ORACLE_MOST);
    long double *W = reals((long)n * (n + 1)), first = 0; /* (A, b) */
    for (int i = 0; i < n; i++) {
        memcpy(W + (long)i * (n + 1), A + (long)i * n, (size_t)n * sizeof *A);
        W[(long)i * (n + 1) + n] = b[i];
    }
    for (int k = 0; k < n && regular; k++) {
        int row = k, col = 0;
        long double pivot = find_pivot(n, W, k, taken, &row, &col);
        if (k == 0) first = pivot;
        regular = pivot > 1e-15L * first;
        if (!regular) break;
        swap_rows(n, W, row, k);
        taken[col] = 1;
        of_row[k] = col;
        eliminate(n, W, k, col);
    }
    for (int k = 0; k < n && regular; k++) x[of_row[k]] = W[(long)k * (n + 1) + n] / W[(long)k * (n + 1) + of_row[k]];
    free(W);
    return regular;
}

static long double dot(int n, const long double *x, const long double *y)
{
    long double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* Make the unit vectors Q [count x n] orthogonal to x: x -= Q'Q x, twice. */
static void remove_span(int count, int n, const long double *Q, long double *x)
{
    for (int twice = 0; twice < 2; twice++)
        for (int k = 0; k < count; k++) {
            const long double *q = Q + (long)k * n, part = dot(n, q, x);
            for (int i = 0; i < n; i++) x[i] -= part * q[i];
        }
}

/* Orthonormal basis Q [<= rows x n] of the rows of A, each scaled to norm one. */
static int find_basis(int rows, int n, const double *A, double tolerance, long double *Q)
{
    long double *rest = reals((long)rows * n);
    int count = 0;
    for (int i = 0; i < rows; i++) {
        long double *r = rest + (long)i * n;
        for (int j = 0; j < n; j++) r[j] = A[(long)i * n + j];
        long double norm = sqrtl(dot(n, r, r));
        for (int j = 0; j < n; j++) r[j] = norm > 0 ? r[j] / norm : 0;
    }
    for (;;) {
        int best = -1;
        long double most = tolerance;
        for (int i = 0; i < rows; i++) {
            remove_span(count, n, Q, rest + (long)i * n);
            long double left = sqrtl(dot(n, rest + (long)i * n, rest + (long)i * n));
            if (left > most) most = left, best = i;
        }
        if (best < 0 || count == n) break;
        for (int j = 0; j < n; j++) Q[(long)count * n + j] = rest[(long)best * n + j] / most;
        count++;
    }
    free(rest);
    return count;
}

int oracle_rank(int rows, int cols, const double *A, double tolerance)
{
    long double *Q = reals((long)cols * cols);
    int rank = find_basis(rows, cols, A, tolerance, Q);
    free(Q);
    return rank;
}

double oracle_off_span(int rows, int n, const double *A, const double *x)
{
    long double *Q = reals((long)n * n), *rest = reals(n), size = 0, off = 0;
    int rank = find_basis(rows, n, A, 1e-12, Q);
    for (int i = 0; i < n; i++) {
        rest[i] = x[i];
        size = fmaxl(size, fabsl(rest[i]));
    }
    remove_span(rank, n, Q, rest);
    for (int i = 0; i < n; i++) off = fmaxl(off, fabsl(rest[i]));
    free(Q);
    free(rest);
    return size > 0 ? (double)(off / size) : 0;
}

int oracle_kkt(int n, int rows, const double *M, const double *A, const double *b, const double *c, long double *x,
               long double *mu)
{
    int size = n + rows;
    long double *K = reals((long)size * size), *rhs = reals(size), *solution = reals(size);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) K[(long)i * size + j] = M[(long)i * n + j];
        for (int r = 0; r < rows; r++) K[(long)i * size + n + r] = K[(long)(n + r) * size + i] = A[(long)r * n + i];
        rhs[i] = b[i];
    }
    for (int r = 0; r < rows; r++) rhs[n + r] = c[r];
    int regular = oracle_solve(size, K, rhs, solution);
    for (int i = 0; i < n; i++) x[i] = solution[i];
    for (int r = 0; r < rows; r++) mu[r] = solution[n + r];
    free(K);
    free(rhs);
    free(solution);
    return regular;
}
