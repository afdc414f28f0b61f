/* least_change.c - updates A so that it agrees with differences along several directions, see repair.h. Rows with the
 * same columns have the same matrix V_i' V_i. Consecutive rows of this kind, such as those of one body, use the same
 * factors. */
#include "repair.h"

#include "base/lanes.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Multiple of the trace of V_i' V_i that is added to its diagonal, because two directions can be equal in a row. */
#define GRAM_REGULARISATION 1e-6

enum { M = RSD_MAX_DIRECTIONS };

static int has_same_columns_as_previous_row(const rsd_sparsity *q, int i)
{
    const int *start = q->row_start + i, n = start[1] - start[0];
    return i > 0 && start[0] - start[-1] == n &&
           memcmp(q->col + start[-1], q->col + start[0], (size_t)n * sizeof *q->col) == 0;
}

/* Compute the lower triangle of V_i' V_i of row i. Row c of v [n x M] is component c of all directions. */
static RSD_PART void compute_gram_matrix(const rsd_sparsity *q, int i, int m, const double *v, double gram[M][M])
{
    memset(gram, 0, M * sizeof *gram);
    for (int e = q->row_start[i]; e < q->row_start[i + 1]; e++) {
        const double *of_column = v + (size_t)q->col[e] * M;
        for (int k = 0; k < m; k++) {
            RSD_ELEMENTWISE
            for (int l = 0; l < M; l++) gram[k][l] += of_column[k] * of_column[l];
        }
    }
}

/* Factor G + s I = L L' in place, s = GRAM_REGULARISATION times the trace of G. The diagonal of L is inverted. */
static RSD_PART void factor_gram_matrix(int m, double G[M][M])
{
    double shift = DBL_MIN;
    for (int i = 0; i < m; i++) shift += GRAM_REGULARISATION * G[i][i];
    for (int i = 0; i < m; i++) {
        G[i][i] += shift;
        for (int j = 0; j <= i; j++) {
            for (int k = 0; k < j; k++) G[i][j] -= G[i][k] * G[j][k];
            if (j < i) G[i][j] *= G[j][j];
        }
        G[i][i] = 1 / sqrt(rsd_max(DBL_MIN, G[i][i]));
    }
}

static RSD_PART void solve_with_gram_factors(int m, double L[M][M], double *x)
{
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < i; k++) x[i] -= L[i][k] * x[k];
        x[i] *= L[i][i];
    }
    for (int i = m - 1; i >= 0; i--) {
        for (int k = i + 1; k < m; k++) x[i] -= L[k][i] * x[k];
        x[i] *= L[i][i];
    }
}

RSD_WIDE static void add_change_to_rows(const rsd_parts *p, const resida_jacobian_point *at, int m, const double *v,
                                        const double *change)
{
    const rsd_sparsity *q = &p->formalism.pattern;
    double L[M][M], x[M] = {0};
    for (int i = 0; i < q->rows; i++) {
        if (q->row_start[i] == q->row_start[i + 1]) continue;
        if (!has_same_columns_as_previous_row(q, i)) {
            compute_gram_matrix(q, i, m, v, L);
            factor_gram_matrix(m, L);
        }
        for (int k = 0; k < m; k++) x[k] = change[(size_t)k * (size_t)q->rows + (size_t)i];
        solve_with_gram_factors(m, L, x);
        for (int e = q->row_start[i]; e < q->row_start[i + 1]; e++) {
            const double *of_column = v + (size_t)q->col[e] * M;
            double sum = 0;
            for (int k = 0; k < M; k++) sum += x[k] * of_column[k];
            p->A[p->formalism.at[q->csr_to_csc[e]]] += sum * rsd_get_weight(at, q->col[e]);
        }
    }
}

void rsd_add_least_change(const rsd_parts *p, const resida_jacobian_point *at, int m, const double *v,
                          const double *change, double *by_component)
{
    const size_t n = (size_t)p->formalism.pattern.cols;
    memset(by_component, 0, M * n * sizeof *by_component);
    for (size_t k = 0; k < (size_t)m; k++)
        for (size_t c = 0; c < n; c++) by_component[c * M + k] = v[k * n + c];
    add_change_to_rows(p, at, m, by_component, change);
}
