/* least_change.c - updates A so that it agrees with differences along several directions, see repair.h. */
#include "repair.h"

#include "base/lanes.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define RANK_OF_GRAM                                                                                                   \
    1e-6 /* of the trace of V_i' V_i: directions that differ by less in the columns of a row are considered equal */

enum { TRIANGLE = RSD_MAX_DIRECTIONS * (RSD_MAX_DIRECTIONS + 1) / 2 };

static int triangle(int i)
{
    return i * (i + 1) / 2;
}

/* Compute V_i' V_i of all rows i, column by column. */
RSD_WIDE static void sum_grams(const rsd_sparsity *q, const resida_jacobian_point *at, int m, const double *v,
                               double *gram)
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
            RSD_ELEMENTWISE
            for (size_t k = 0; k < size; k++) G[k] += products[k];
        }
    }
}

/* Factor G = L L' for four rows at once, one in each lane, in place. A small multiple of the identity is added to G. */
static RSD_PART void factor_grams(int m, rsd_lane *G)
{
    rsd_lane trace = {0};
    for (int i = 0; i < m; i++) trace += G[triangle(i) + i];
    const rsd_lane shift = RANK_OF_GRAM * trace + DBL_MIN;
    for (int i = 0; i < m; i++) {
        rsd_lane *row = G + triangle(i);
        for (int j = 0; j <= i; j++) {
            const rsd_lane *other = G + triangle(j);
            rsd_lane sum = row[j];
            if (i == j) sum += shift;
            for (int k = 0; k < j; k++) sum -= row[k] * other[k];
            if (i != j) row[j] = sum / other[j];
            for (int l = 0; l < RSD_LANE && i == j; l++) row[j][l] = sqrt(rsd_larger(DBL_MIN, sum[l]));
        }
    }
}

static RSD_PART void solve_grams(int m, const rsd_lane *L, rsd_lane *x)
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

/* Replace the matrix of each row by the solution x [m] of its linear system. Four rows are solved at once. */
RSD_WIDE static void solve_rows(int n, int m, const double *change, double *gram)
{
    const size_t size = (size_t)triangle(m);
    for (int first = 0; first < n; first += RSD_LANE) {
        const int rows = n - first < RSD_LANE ? n - first : RSD_LANE;
        rsd_lane x[RSD_MAX_DIRECTIONS] = {{0}}, G[TRIANGLE] = {{0}};
        for (int l = 0; l < rows; l++) {
            const double *of_row = gram + (size_t)(first + l) * size;
            for (size_t k = 0; k < size; k++) G[k][l] = of_row[k];
            for (int k = 0; k < m; k++) x[k][l] = change[(size_t)k * (size_t)n + (size_t)(first + l)];
        }
        factor_grams(m, G);
        solve_grams(m, G, x);
        for (int l = 0; l < rows; l++)
            for (int k = 0; k < m; k++) gram[(size_t)(first + l) * size + (size_t)k] = x[k][l];
    }
}

void rsd_add_least_change(const rsd_parts *p, const resida_jacobian_point *at, int m, const double *v,
                          const double *change, double *gram)
{
    const rsd_sparsity *q = &p->formalism.pattern;
    const size_t n = (size_t)q->cols, size = (size_t)triangle(m);
    sum_grams(q, at, m, v, gram);
    solve_rows(q->cols, m, change, gram);
    for (int c = 0; c < q->cols; c++) {
        const double w = rsd_weight(at, c);
        double along[RSD_MAX_DIRECTIONS];
        for (int k = 0; k < m; k++) along[k] = v[(size_t)k * n + (size_t)c];
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) {
            const double *x = gram + (size_t)q->row[e] * size;
            double sum = 0;
            for (int k = 0; k < m; k++) sum += x[k] * along[k];
            p->A[p->formalism.at[e]] += sum * w * w;
        }
    }
}
