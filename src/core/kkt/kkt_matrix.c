/* kkt_matrix.c - the matrix of the constrained system by its pattern:
 *
 *     K = [ M/m   (A' - D) S ]   S scales the rows of A to norm one. m scales M to order one. D is used only if applied
 *         [ S A        0     ]   forces depend on lam. A row of A that is not in q->rows is replaced by a row of the
 *                                unit matrix. Therefore the pattern is the same for all choices of rows.
 *
 * In the explicit formalism M/m is the unit matrix, and (M^-1 A' - D)/w is used instead of A' - D. w scales this block
 * to order one. In units U of the coordinates (kkt.c), M and A are replaced by U M U and A U.
 *
 * A small K is stored in full and factored with row pivoting. In the explicit formalism its Schur complement A M^-1 A'
 * is factored instead. A large K is factored by the sparse linear solver (linear_solver.h). Its pivots are also chosen
 * for sparsity, or reused. Therefore solutions are refined with residuals in long double.
 *
 * Independence of the rows is tested with K for M = 1 and D = 0. For the right-hand side (0, c) its solution has mu =
 * -(B B')^-1 c, with B = S A. Inverse iteration estimates the smallest singular value of B from these solutions. This
 * value is a lower bound of each diagonal entry |R(k,k)| of the QR factors of rank.c. If it is less than
 * MIN_SINGULAR_RATIO times the tolerance, rank.c decides.
 *
 * The rank test, three sparse factorisations and the solutions take these times for a chain of rods, in microseconds
 * (x86-64, BLAS 3.11):
 *
 *     unknowns a, lam   24    48     96     150      300      3,000    30,000
 *                       39    80    165     310      510    2,700    30,000 */
#include "kkt.h"

#include "jacobian/pattern/entries.h"
#include "base/linear/condition.h"
#include "base/linear/dense.h"
#include "base/linear/linear_solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_REFINEMENTS = 5 }; /* maximum number of iterative refinements */

#define MIN_EIGENVALUE     1e-12 /* minimum eigenvalue of B B' that exceeds rounding errors (B = S A) */
#define MIN_SINGULAR_RATIO 10    /* minimum singular value of B for independent rows, relative to the rank tolerance */
#define MAX_MARGIN         10.0  /* maximum of the margin that rsd_kkt_compute_margin() returns */

/* Make the sparse pattern of A, which contains the rows of G, dg/dp or (dg/dp) T, and below them those of Gh. */
static resida_status make_A_pattern(rsd_csr *A, const rsd_mechanism *k, const resida_allocator *alloc)
{
    rsd_csr product = {.rows = 0};
    const rsd_csr *Gh = &k->Gh;
    if (k->m.kinematic_matrix) RSD_TRY(rsd_csr_create_product(&product, &k->gp, &k->T, alloc));
    const rsd_csr *G = k->m.kinematic_matrix ? &product : &k->gp;
    RSD_TRY(rsd_csr_allocate(A, k->n_l, k->m.n_v, G->nnz + Gh->nnz, alloc));
    memcpy(A->row, G->row, (size_t)(k->m.n_g + 1) * sizeof(int));
    if (G->nnz > 0) memcpy(A->col, G->col, (size_t)G->nnz * sizeof(int));
    for (int i = 0; i < k->m.n_h; i++) A->row[k->m.n_g + i + 1] = G->nnz + Gh->row[i + 1];
    if (Gh->nnz > 0) memcpy(A->col + G->nnz, Gh->col, (size_t)Gh->nnz * sizeof(int));
    rsd_csr_free(&product, alloc);
    return RESIDA_OK;
}

/* List the entries of M, A, A' and D in K, in the order of the positions in rsd_kkt_matrix. M is symmetric. */
static void list_entries(const rsd_kkt *q, rsd_entries *list, const resida_allocator *alloc)
{
    const rsd_csr *M = &q->k->M, *A = &q->rows_of_A;
    const rsd_sparsity *D = &q->D;
    const int n_v = q->n_v, n = n_v + q->n_l, is_explicit = q->k->is_explicit;
    const long min = (long)n + q->n_metric + 2L * A->nnz + D->nnz;
    for (int j = 0; j < n; j++) rsd_entries_add(list, alloc, min, j, j, 0);
    for (int j = 0; j < n_v && !is_explicit; j++)
        for (int e = M->row[j]; e < M->row[j + 1]; e++) rsd_entries_add(list, alloc, min, M->col[e], j, 0);
    for (int j = 0; j < q->n_l && is_explicit; j++)
        for (int i = 0; i < n_v; i++) rsd_entries_add(list, alloc, min, i, n_v + j, 0);
    for (int i = 0; i < A->rows; i++)
        for (int e = A->row[i]; e < A->row[i + 1]; e++) rsd_entries_add(list, alloc, min, n_v + i, A->col[e], 0);
    for (int i = 0; i < A->rows; i++)
        for (int e = A->row[i]; e < A->row[i + 1]; e++) rsd_entries_add(list, alloc, min, A->col[e], n_v + i, 0);
    for (int j = 0; j < D->cols; j++)
        for (int e = D->col_start[j]; e < D->col_start[j + 1]; e++)
            rsd_entries_add(list, alloc, min, D->row[e], n_v + j, 0);
}

/* Make the pattern of K, and find the positions of its parts in K. Return RESIDA_OK or RESIDA_ERR_MEMORY. */
static resida_status make_K_pattern(rsd_kkt *q)
{
    rsd_kkt_matrix *s = &q->matrix;
    const resida_allocator *alloc = &q->alloc;
    const int n = q->n_v + q->n_l;
    rsd_entries list = {.n = 0};
    list_entries(q, &list, alloc);
    resida_status status = rsd_build_pattern(&list, n, n, &s->K, alloc);
    if (status >= 0 && (!RSD_INTS(alloc, list.n, &s->diagonal) || !RSD_DOUBLES(alloc, s->K.nnz, &s->values)))
        status = RESIDA_ERR_MEMORY;
    for (long e = 0; e < list.n && status >= 0; e++)
        s->diagonal[e] = rsd_sparsity_find(&s->K, list.row[e], list.column[e]);
    rsd_entries_free(&list, alloc);
    RSD_TRY(status);
    s->at_metric = s->diagonal + n;
    s->at_A = s->at_metric + q->n_metric;
    s->at_A_across = s->at_A + q->rows_of_A.nnz;
    s->at_D = s->at_A_across + q->rows_of_A.nnz;
    return RESIDA_OK;
}

/* Make the patterns of A and K, allocate the values of A, and pass the pattern of K to the sparse solver. */
static resida_status make_patterns(rsd_kkt *q)
{
    rsd_kkt_matrix *s = &q->matrix;
    if (!q->k->is_explicit) q->n_metric = q->k->M.nnz;
    if (q->is_large || q->k->is_explicit)
        RSD_TRY(make_A_pattern(&q->rows_of_A, q->k, &q->alloc));
    else
        RSD_TRY(rsd_csr_create(&q->rows_of_A, "G", q->n_l, q->n_v, &(resida_pattern){NULL, NULL}, &q->alloc, NULL));
    RSD_TRY(make_K_pattern(q));
    if (!q->A && !RSD_DOUBLES(&q->alloc, q->rows_of_A.nnz, &q->A)) return RESIDA_ERR_MEMORY;
    s->G_number = q->k->G_number, s->M_number = q->k->M_number;
    return s->ls ? rsd_linear_set_pattern(s->ls, s->K.col_start, s->K.row, NULL) : RESIDA_OK;
}

resida_status rsd_kkt_create_matrix(rsd_kkt *q)
{
    rsd_kkt_matrix *s = &q->matrix;
    const int n = q->n_v + q->n_l;
    s->r = rsd_calloc(&q->alloc, n, sizeof *s->r);
    if (!s->r || !RSD_DOUBLES(&q->alloc, n, &s->work, &s->x)) return RESIDA_ERR_MEMORY;
    s->n_full = q->k->is_explicit ? q->n_l : n;
    if (q->is_large)
        RSD_TRY(rsd_linear_create(&s->ls, n, "auto", &q->alloc, NULL));
    else if (!RSD_DOUBLES(&q->alloc, (long)s->n_full * s->n_full, &s->full) ||
             !RSD_INTS(&q->alloc, s->n_full, &s->pivots))
        return RESIDA_ERR_MEMORY;
    return make_patterns(q);
}

int rsd_kkt_update_patterns(rsd_kkt *q)
{
    rsd_kkt_matrix *s = &q->matrix;
    const resida_allocator *a = &q->alloc;
    const int has_A = s->G_number == q->k->G_number;
    if (has_A && s->M_number == q->k->M_number) return 0;
    rsd_csr_free(&q->rows_of_A, a);
    rsd_sparsity_free(&s->K, a);
    RSD_FREE(a, s->values, s->diagonal, has_A ? NULL : q->A);
    s->values = NULL, s->diagonal = NULL;
    if (!has_A) q->A = NULL;
    return make_patterns(q);
}

void rsd_kkt_set_rows(rsd_kkt *q)
{
    const rsd_mechanism *k = q->k;
    if (!q->is_large && !k->is_explicit) {
        rsd_write_full_G(k, q->A);
        return;
    }
    rsd_csr G = {.rows = k->m.n_g, .cols = k->m.n_v, .row = q->rows_of_A.row, .col = q->rows_of_A.col};
    if (k->m.kinematic_matrix)
        rsd_csr_compute_product(&G, q->A, &k->gp, k->gp_values, &k->T, k->T_values, q->row);
    else
        memcpy(q->A, k->gp_values, (size_t)k->gp.nnz * sizeof *q->A);
    memcpy(q->A + q->rows_of_A.row[k->m.n_g], k->Gh_values, (size_t)k->Gh.nnz * sizeof *q->A);
}

/* Set K to the scaled listed rows of A and their transpose. Rows that are not listed become rows of the unit matrix. */
static void fill_constraint_rows(rsd_kkt *q)
{
    rsd_kkt_matrix *s = &q->matrix;
    memset(s->values, 0, (size_t)s->K.nnz * sizeof *s->values);
    for (int i = 0; i < q->n_l; i++) s->values[s->diagonal[q->n_v + i]] = 1;
    for (int r = 0; r < q->n_rows; r++) {
        int n, i = q->rows[r], from = q->rows_of_A.row[i];
        q->scale[r] = rsd_kkt_get_row_scale(q, i);
        const double *row = rsd_kkt_get_row(q, i, &n);
        s->values[s->diagonal[q->n_v + i]] = 0;
        for (int e = 0; e < n; e++)
            s->values[s->at_A[from + e]] = s->values[s->at_A_across[from + e]] = q->scale[r] * row[e];
    }
}

/* Return the factor by which row i of the upper part of K is scaled: U_i, or 1/U_i in the explicit formalism. */
static double get_unit_of_force(const rsd_kkt *q, int i)
{
    return q->k->is_explicit ? 1 / q->unit[i] : q->unit[i];
}

/* Set the upper left part of K to M/m, the mass matrix scaled to order one. */
static void fill_mass_matrix(rsd_kkt *q)
{
    rsd_kkt_matrix *s = &q->matrix;
    const rsd_csr *M = &q->k->M;
    double max = 0;
    for (int i = 0; i < q->n_v; i++)
        for (int e = M->row[i]; e < M->row[i + 1]; e++) {
            s->values[s->at_metric[e]] = q->metric[e] * (q->unit[i] * q->unit[M->col[e]]);
            max = fmax(max, fabs(s->values[s->at_metric[e]]));
        }
    s->w_scale = 1;
    s->m_scale = max > 0 ? max : 1;
    for (int e = 0; e < M->nnz; e++) s->values[s->at_metric[e]] /= s->m_scale;
}

/* Set the upper left part of K to the unit matrix. */
static void fill_unit_matrix(rsd_kkt *q)
{
    for (int j = 0; j < q->n_v; j++) q->matrix.values[q->matrix.diagonal[j]] = 1;
}

/* Explicit formalism: set the upper part of K to (1, M^-1 A' S/w), with the scales S of rows and w of the block. */
static void fill_explicit_block(rsd_kkt *q)
{
    rsd_kkt_matrix *s = &q->matrix;
    double max = 0;
    for (int r = 0; r < q->n_rows; r++)
        for (int i = 0; i < q->n_v; i++) {
            const long e = (long)q->rows[r] * q->n_v + i;
            s->values[s->at_metric[e]] = q->scale[r] * q->metric[e] / q->unit[i];
            max = fmax(max, fabs(s->values[s->at_metric[e]]));
        }
    s->m_scale = 1;
    s->w_scale = max > 0 ? max : 1;
    for (int r = 0; r < q->n_rows; r++)
        for (int i = 0; i < q->n_v; i++) s->values[s->at_metric[(long)q->rows[r] * q->n_v + i]] /= s->w_scale;
    fill_unit_matrix(q);
}

/* Store K as a full matrix. In the explicit formalism, store its Schur complement of the unit matrix. */
static void fill_full_matrix(rsd_kkt_matrix *s)
{
    const rsd_sparsity *K = &s->K;
    const int first = K->cols - s->n_full;
    memset(s->full, 0, (size_t)s->n_full * (size_t)s->n_full * sizeof *s->full);
    for (int j = first; j < K->cols; j++) {
        double *column = s->full + (long)(j - first) * s->n_full;
        for (int e = K->col_start[j]; e < K->col_start[j + 1]; e++) {
            const int i = K->row[e];
            if (i >= first) column[i - first] += s->values[e];
            for (int f = K->col_start[i]; i < first && f < K->col_start[i + 1]; f++)
                if (K->row[f] >= first) column[K->row[f] - first] -= s->values[f] * s->values[e];
        }
    }
}

/* Factor the matrix K. Return 1 on success, 0 if K is exactly singular, < 0 if there is no memory. */
static int factor_K(rsd_kkt *q)
{
    rsd_kkt_matrix *s = &q->matrix;
    if (s->ls) {
        const int verdict = rsd_linear_factor(s->ls, s->values);
        return verdict < 0 ? -1 : verdict == 0;
    }
    fill_full_matrix(s);
    return rsd_lu_factor(s->n_full, s->full, s->pivots) == 0;
}

/* Subtract the product of a block of K with x from x. The block has the columns `from` .. `end` - 1. If is_below is 1,
 * the block has the rows from `row` on. Otherwise it has the rows above `row`. */
static void subtract_block_product(const rsd_kkt_matrix *s, int from, int end, int row, int is_below, double *x)
{
    for (int j = from; j < end; j++)
        for (int e = s->K.col_start[j]; e < s->K.col_start[j + 1]; e++)
            if ((s->K.row[e] >= row) == is_below) x[s->K.row[e]] -= s->values[e] * x[j];
}

/* Replace x [n_v + n_l] by K^-1 x. A small explicit system is reduced to its Schur complement. */
static void solve_K(void *context, double *x)
{
    const rsd_kkt_matrix *s = &((rsd_kkt *)context)->matrix;
    const int first = s->K.cols - s->n_full;
    if (s->ls) {
        rsd_linear_solve(s->ls, x);
        return;
    }
    subtract_block_product(s, 0, first, first, 1, x);
    rsd_lu_solve(s->n_full, s->full, s->pivots, x + first);
    if (first > 0) subtract_block_product(s, first, s->K.cols, first, 0, x);
}

/* Replace c [n_l] by -(B B')^-1 c, with the factors of K for M = 1 and D = 0. */
static void solve_with_gram_factors(void *context, double *c)
{
    rsd_kkt *q = context;
    size_t bytes = (size_t)q->n_l * sizeof *c;
    memset(q->rhs, 0, (size_t)q->n_v * sizeof *q->rhs);
    memcpy(q->rhs + q->n_v, c, bytes);
    solve_K(q, q->rhs);
    memcpy(c, q->rhs + q->n_v, bytes);
}

/* Factor K with the unit matrix in the place of M, and D = dPsi/dlam = 0. Return as factor_K(). */
static int factor_gram_matrix(rsd_kkt *q)
{
    fill_constraint_rows(q);
    fill_unit_matrix(q);
    return factor_K(q);
}

/* Return max |c|, the largest coefficient in the least-squares approximation of row i of A by the listed rows. All rows
 * are divided by their norms. With b = row i, K (b - B' c, c) = (b, 0) determines c. */
static double compute_max_coefficient(rsd_kkt *q, int i)
{
    rsd_kkt_matrix *s = &q->matrix;
    const double scale = rsd_kkt_get_row_scale(q, i);
    double max = 0;
    int n;
    const double *b = rsd_kkt_get_row(q, i, &n);
    memset(s->x, 0, (size_t)s->K.rows * sizeof *s->x);
    for (int e = 0; e < n; e++) s->x[q->rows_of_A.col[q->rows_of_A.row[i] + e]] = scale * b[e];
    solve_K(q, s->x);
    for (int r = 0; r < q->n_rows; r++) max = fmax(max, rsd_finite_norm(s->x + q->n_v + q->rows[r], 1));
    return max;
}

int rsd_kkt_compute_margin(rsd_kkt *q, double max_scale, double *margin)
{
    double largest = 1 / MAX_MARGIN;
    const int verdict = factor_gram_matrix(q);
    *margin = 0;
    if (verdict <= 0) return verdict;
    for (int i = 0, r = 0; i < q->n_l; i++)
        if (r < q->n_rows && q->rows[r] == i)
            r++;
        else if (!q->k->open[i] && rsd_kkt_get_row_scale(q, i) <= max_scale)
            largest = fmax(largest, compute_max_coefficient(q, i));
    *margin = 1 / largest;
    return 0;
}

int rsd_kkt_test_independence(rsd_kkt *q, double tolerance)
{
    if (q->n_rows == 0) return 1;
    if (q->n_rows > q->n_v) return 0;
    int verdict = factor_gram_matrix(q);
    if (verdict <= 0) return verdict;
    double min = MIN_SINGULAR_RATIO * tolerance;
    double inverse = rsd_estimate_inverse_norm(q->n_l, solve_with_gram_factors, q, q->matrix.x);
    return inverse * fmax(MIN_EIGENVALUE, min * min) < 1;
}

static double compute_norm1(const rsd_kkt_matrix *s)
{
    double norm = 0;
    for (int j = 0; j < s->K.cols; j++) {
        double sum = 0;
        for (int k = s->K.col_start[j]; k < s->K.col_start[j + 1]; k++) sum += fabs(s->values[k]);
        norm = fmax(norm, sum);
    }
    return norm;
}

int rsd_kkt_factor(rsd_kkt *q)
{
    rsd_kkt_matrix *s = &q->matrix;
    fill_constraint_rows(q);
    if (q->k->is_explicit)
        fill_explicit_block(q);
    else
        fill_mass_matrix(q);
    for (int r = 0; r < q->n_rows && q->D.col_start; r++)
        for (int e = q->D.col_start[q->rows[r]]; e < q->D.col_start[q->rows[r] + 1]; e++)
            s->values[s->at_D[e]] -= q->scale[r] * get_unit_of_force(q, q->D.row[e]) * q->D_values[e] / s->w_scale;
    int verdict = factor_K(q);
    q->rcond = 0;
    if (verdict <= 0) return verdict;
    q->rcond = 1 / (compute_norm1(s) * rsd_estimate_inverse_norm(s->K.cols, solve_K, q, s->x));
    return q->rcond > RSD_KKT_MIN_RCOND;
}

/* Compute residual = b - K x in long double, with the right-hand side b in s->work. */
static void compute_kkt_residual(rsd_kkt_matrix *s, const double *x, double *residual)
{
    for (int i = 0; i < s->K.rows; i++) s->r[i] = s->work[i];
    for (int j = 0; j < s->K.cols; j++)
        for (int k = s->K.col_start[j]; k < s->K.col_start[j + 1]; k++)
            s->r[s->K.row[k]] -= (long double)s->values[k] * x[j];
    for (int i = 0; i < s->K.rows; i++) residual[i] = (double)s->r[i];
}

/* Set q->rhs to the right-hand side (b, c), scaled as the rows of K. Components of rows that are not listed are 0. */
static void set_right_hand_side(rsd_kkt *q, int forces, const double *c)
{
    memset(q->rhs, 0, (size_t)(q->n_v + q->n_l) * sizeof *q->rhs);
    for (int i = 0; i < q->n_v && forces; i++) q->rhs[i] = get_unit_of_force(q, i) * q->psi[i] / q->matrix.m_scale;
    for (int r = 0; r < q->n_rows; r++) q->rhs[q->n_v + q->rows[r]] = q->scale[r] * c[q->rows[r]];
}

void rsd_kkt_solve(rsd_kkt *q, int forces, const double *c, double *x, double *mu)
{
    rsd_kkt_matrix *s = &q->matrix;
    int n = s->K.rows;
    double before = INFINITY;
    set_right_hand_side(q, forces, c);
    memcpy(s->work, q->rhs, (size_t)n * sizeof *s->work);
    solve_K(q, q->rhs);
    for (int pass = 0; pass < MAX_REFINEMENTS && s->ls; pass++) {
        compute_kkt_residual(s, q->rhs, s->x);
        solve_K(q, s->x);
        double change = rsd_max_norm(s->x, n);
        if (!(change < before / 2)) break; /* the refinement makes no progress */
        for (int i = 0; i < n; i++) q->rhs[i] += s->x[i];
        if (change <= DBL_EPSILON * rsd_max_norm(q->rhs, n)) break;
        before = change;
    }
    for (int i = 0; i < q->n_v; i++) x[i] = q->unit[i] * q->rhs[i];
    memset(mu, 0, (size_t)q->n_l * sizeof *mu);
    for (int r = 0; r < q->n_rows; r++)
        mu[q->rows[r]] = q->rhs[q->n_v + q->rows[r]] * s->m_scale / s->w_scale * q->scale[r];
}
