/* least_change.c - updates A so that it agrees with differences along several directions, see repair.h. */
#include "repair.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define RANK_OF_GRAM                                                                                                   \
    1e-6 /* of the trace of V_i' V_i: directions that differ by less in the columns of a row are taken as equal */

enum { TRIANGLE = RSD_MAX_DIRECTIONS * (RSD_MAX_DIRECTIONS + 1) / 2 };

static int triangle(int i)
{
    return i * (i + 1) / 2;
}

/* Computes V_i' V_i of all rows i, column by column. */
static void sum_grams(const rsd_sparsity *q, const resida_jacobian_point *at, int m, const double *v, double *gram)
{
    const size_t n = (size_t)q->cols, size = (size_t)triangle(m);
    memset(gram, 0, size * n * sizeof *gram);
    for (int c = 0; c < q->cols; c++) {
        const double w = rsd_weight(at, c);
        double products[TRIANGLE];
        for (int i = 0, k = 0; i < m; i++)
            for (int j = 0; j <= i; j++)
                products[k++] = w * w * v[(size_t)i * n + (size_t)c] * v[(size_t)j * n + (size_t)c];
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) {
            double *G = gram + (size_t)q->row[e] * size;
            for (size_t k = 0; k < size; k++) G[k] += products[k];
        }
    }
}

/* Factor G = L L' in place, with a small multiple of the identity added. */
static void factor_gram(int m, double *G)
{
    double trace = 0;
    for (int i = 0; i < m; i++) trace += G[triangle(i) + i];
    const double shift = RANK_OF_GRAM * trace + DBL_MIN;
    for (int i = 0; i < m; i++) {
        double *row = G + triangle(i);
        for (int j = 0; j <= i; j++) {
            const double *other = G + triangle(j);
            double sum = row[j] + (i == j ? shift : 0);
            for (int k = 0; k < j; k++) sum -= row[k] * other[k];
            row[j] = i == j ? sqrt(rsd_larger(DBL_MIN, sum)) : sum / other[j];
        }
    }
}

static void solve_gram(int m, const double *L, double *x)
{
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < i; k++) x[i] -= L[triangle(i) + k] * x[k];
        x[i] /= L[triangle(i) + i];
    }
    for (int i = m - 1; i >= 0; i--) {
        for (int k = i + 1; k < m; k++) x[i] -= L[triangle(k) + i] * x[k];
        x[i] /= L[triangle(i) + i];
    }
}

/* Replace the changes of each row by the solution x of its system. */
static void solve_rows(int n, int m, double *gram, double *change)
{
    for (int i = 0; i < n; i++) {
        double x[RSD_MAX_DIRECTIONS], *G = gram + (size_t)i * (size_t)triangle(m);
        for (int k = 0; k < m; k++) x[k] = change[(size_t)k * (size_t)n + (size_t)i];
        factor_gram(m, G);
        solve_gram(m, G, x);
        for (int k = 0; k < m; k++) change[(size_t)k * (size_t)n + (size_t)i] = x[k];
    }
}

void rsd_least_change(const rsd_parts *p, const resida_jacobian_point *at, int m, const double *v, double *change,
                      double *gram)
{
    const rsd_sparsity *q = &p->formalism.pattern;
    const size_t n = (size_t)q->cols;
    sum_grams(q, at, m, v, gram);
    solve_rows(q->cols, m, gram, change);
    for (int c = 0; c < q->cols; c++) {
        const double w = rsd_weight(at, c);
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) {
            double sum = 0;
            for (int k = 0; k < m; k++) sum += change[(size_t)k * n + (size_t)q->row[e]] * v[(size_t)k * n + (size_t)c];
            p->A[p->formalism.at[e]] += sum * w * w;
        }
    }
}
