/* kkt_sparse.c - the constrained system by its pattern, for large mechanisms:
 *
 *     K = [ M/m   (A' - D) S ]   S: scales rows of A to norm one, m: scales M to order one. A row that is not listed is
 *         [ S A        0     ]   that of the unit matrix: one pattern, with the whole diagonal, serves all choices of
 *                                rows. D: only if applied forces depend on lam
 *
 * K is factored by the linear solver (linear_solver.h). Solutions are refined with residuals in long double until
 * convergence, since pivots are chosen for sparsity, too, or are those of an earlier matrix.
 *
 * Independence of the rows follows from K with M = 1, D = 0. Its solutions for (0, c) have mu = -(B B')^-1 c, B = S A.
 * The smallest singular value of B is a lower bound of every |R(k,k)| of rank.c. If it is not clearly above the
 * tolerance, rank.c decides. */
#include "kkt.h"

#include "jacobian/pattern/entries.h"
#include "base/linear/condition.h"
#include "base/linear/dense.h"
#include "base/linear/linear_solver.h"
#include "base/numbers.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_REFINEMENTS = 5 }; /* each must halve the correction */

#define MIN_EIGENVALUE     1e-12 /* min. eigenvalue of B B' that is clearly above rounding errors */
#define MIN_SINGULAR_RATIO 10    /* min. ratio of the smallest singular value to the rank tolerance, for a full rank */

#define MAX_INERTIA_ERROR  1e-9 /* max. difference from the prediction of M, relative to the terms of a row */
#define ROUNDINGS_OF_PHI   32   /* rounding error of Phi, in units of eps */

typedef struct sparse {
    rsd_sparsity K;
    double *values;          /* [K.nnz] */
    int *diagonal;           /* [n_v + n_l] positions in K of its diagonal; in the same array follow .. */
    int *at_M;               /* [M.nnz] .. those of M, .. */
    int *at_A, *at_A_across; /* [A.nnz] .. of A below and to the right of M, .. */
    int *at_D;               /* [D.nnz] .. and of D to the right of M */
    long G_number, M_number; /* numbers of the patterns used, learnt.h */
    rsd_sparsity M;          /* a learnt M; groups of its columns */
    rsd_colouring M_groups;
    double *work, *x; /* [n_v + n_l] */
    long double *r;   /* [n_v + n_l] */
} sparse;

/* Make the pattern of A: G = dg/dp or (dg/dp) T, with the nonholonomic rows below. */
static resida_status make_A_pattern(rsd_csr *A, const rsd_mechanism *k, const resida_allocator *alloc)
{
    rsd_csr product = {.rows = 0};
    const rsd_csr *Gh = &k->Gh;
    if (k->m.kinematic_matrix) RSD_TRY(rsd_csr_product_create(&product, &k->gp, &k->T, alloc));
    const rsd_csr *G = k->m.kinematic_matrix ? &product : &k->gp;
    RSD_TRY(rsd_csr_reserve(A, k->n_l, k->m.n_v, G->nnz + Gh->nnz, alloc));
    memcpy(A->row, G->row, (size_t)(k->m.n_g + 1) * sizeof(int));
    memcpy(A->col, G->col, (size_t)G->nnz * sizeof(int));
    for (int i = 0; i < k->m.n_h; i++) A->row[k->m.n_g + i + 1] = G->nnz + Gh->row[i + 1];
    if (Gh->nnz > 0) memcpy(A->col + G->nnz, Gh->col, (size_t)Gh->nnz * sizeof(int));
    rsd_csr_free(&product, alloc);
    return RESIDA_OK;
}

/* List the entries of all parts of K in the order of the arrays of positions. The rows of M equal its columns. */
static void list_entries(const rsd_kkt *q, rsd_entries *list, const resida_allocator *alloc)
{
    const rsd_csr *M = &q->k->M, *A = &q->rows_of_A;
    const rsd_sparsity *D = &q->D;
    const int n_v = q->n_v, n = n_v + q->n_l;
    const long least = (long)n + M->nnz + 2L * A->nnz + D->nnz;
    for (int j = 0; j < n; j++) rsd_entries_add(list, alloc, least, j, j, 0);
    for (int j = 0; j < n_v; j++)
        for (int e = M->row[j]; e < M->row[j + 1]; e++) rsd_entries_add(list, alloc, least, M->col[e], j, 0);
    for (int i = 0; i < A->rows; i++)
        for (int e = A->row[i]; e < A->row[i + 1]; e++) rsd_entries_add(list, alloc, least, n_v + i, A->col[e], 0);
    for (int i = 0; i < A->rows; i++)
        for (int e = A->row[i]; e < A->row[i + 1]; e++) rsd_entries_add(list, alloc, least, A->col[e], n_v + i, 0);
    for (int j = 0; j < D->cols; j++)
        for (int e = D->col_start[j]; e < D->col_start[j + 1]; e++)
            rsd_entries_add(list, alloc, least, D->row[e], n_v + j, 0);
}

static resida_status make_K_pattern(sparse *s, const rsd_kkt *q, const resida_allocator *alloc)
{
    const int n = q->n_v + q->n_l;
    rsd_entries list = {.n = 0};
    list_entries(q, &list, alloc);
    resida_status status = rsd_entries_pattern(&list, n, n, &s->K, alloc);
    if (status >= 0 && (!RSD_INTS(alloc, list.n, &s->diagonal) || !RSD_DOUBLES(alloc, s->K.nnz, &s->values)))
        status = RESIDA_ERR_MEMORY;
    for (long e = 0; e < list.n && status >= 0; e++)
        s->diagonal[e] = rsd_sparsity_find(&s->K, list.row[e], list.column[e]);
    rsd_entries_free(&list, alloc);
    RSD_TRY(status);
    s->at_M = s->diagonal + n;
    s->at_A = s->at_M + q->k->M.nnz;
    s->at_A_across = s->at_A + q->rows_of_A.nnz;
    s->at_D = s->at_A_across + q->rows_of_A.nnz;
    return RESIDA_OK;
}

/* Make the patterns of the matrices, and pass that of K to the solver. */
static resida_status make_patterns(rsd_kkt *q)
{
    sparse *s = q->self;
    const rsd_mechanism *k = q->k;
    const resida_allocator *alloc = &q->alloc;
    RSD_TRY(make_A_pattern(&q->rows_of_A, k, alloc));
    RSD_TRY(make_K_pattern(s, q, alloc));
    q->n_A = q->rows_of_A.nnz;
    q->n_metric = k->M.nnz;
    s->G_number = k->G_number, s->M_number = k->M_number;
    if (k->M_number > 0) RSD_TRY(rsd_sparsity_from_csr(&s->M, &k->M, alloc, NULL));
    if (k->M_number > 0) RSD_TRY(rsd_colour_columns(&s->M_groups, &s->M, NULL, alloc, NULL));
    return rsd_linear_set_pattern(q->ls, s->K.col_start, s->K.row, NULL);
}

static resida_status create_matrices(rsd_kkt *q, const resida_allocator *alloc)
{
    sparse *s = q->self = rsd_calloc(alloc, 1, sizeof *s);
    const int n = q->n_v + q->n_l;
    if (!s) return RESIDA_ERR_MEMORY;
    s->r = rsd_calloc(alloc, n, sizeof *s->r);
    if (!s->r || !RSD_DOUBLES(alloc, n, &s->work, &s->x)) return RESIDA_ERR_MEMORY;
    RSD_TRY(rsd_linear_create(&q->ls, n, "auto", alloc, NULL));
    return make_patterns(q);
}

static int sparse_update_patterns(rsd_kkt *q)
{
    sparse *s = q->self;
    const rsd_mechanism *k = q->k;
    const resida_allocator *a = &q->alloc;
    const int has_A = s->G_number == k->G_number, has_M = s->M_number == k->M_number;
    if (has_A && has_M) return 0;
    rsd_csr_free(&q->rows_of_A, a);
    rsd_sparsity_free(&s->K, a);
    rsd_sparsity_free(&s->M, a);
    rsd_colouring_free(&s->M_groups, a);
    RSD_FREE(a, s->values, s->diagonal, has_A ? NULL : q->A, has_M ? NULL : q->metric);
    RSD_TRY(make_patterns(q));
    if (!has_A && !RSD_DOUBLES(a, q->n_A, &q->A)) return RESIDA_ERR_MEMORY;
    return has_M || RSD_DOUBLES(a, q->n_metric, &q->metric) ? 0 : RESIDA_ERR_MEMORY;
}

static resida_status sparse_create(rsd_kkt *q, const resida_allocator *alloc, resida_message *why)
{
    const int n = q->n_v + q->n_l;
    const resida_status status = create_matrices(q, alloc);
    return status >= 0 ? status
                       : rsd_fail(why, status, "no memory for the consistent start (sparse matrix of %d x %d)", n, n);
}

static void sparse_set_rows(rsd_kkt *q)
{
    sparse *s = q->self;
    const rsd_mechanism *k = q->k;
    rsd_csr G = {.rows = k->m.n_g, .cols = k->m.n_v, .row = q->rows_of_A.row, .col = q->rows_of_A.col};
    if (k->m.kinematic_matrix)
        rsd_csr_compute_product(&G, q->A, &k->gp, k->gp_values, &k->T, k->T_values, s->work);
    else
        memcpy(q->A, k->gp_values, (size_t)k->gp.nnz * sizeof *q->A);
    memcpy(q->A + q->rows_of_A.row[k->m.n_g], k->Gh_values, (size_t)k->Gh.nnz * sizeof *q->A);
}

/* Compute columns of M that share no row, from Phi at large accelerations, which grow if digits are lost. q->psi: Phi
 * at rest. */
static int difference_group(rsd_kkt *q, double t, const double *p, const double *v, const int *columns, int n)
{
    const rsd_csr *M = &q->k->M;
    const double *out = q->k->work.out, *base = q->psi;
    double *size = ((sparse *)q->self)->x;
    int is_lost = 1;
    for (int i = 0; i < n; i++) size[columns[i]] = RSD_LARGE_ACCELERATION;
    for (int tries = 0; tries < RSD_RESPONSE_TRIES && is_lost; tries++) {
        memset(q->rhs, 0, (size_t)(q->n_v + q->n_l) * sizeof *q->rhs);
        for (int i = 0; i < n; i++) q->rhs[columns[i]] = columns[i] < q->k->n_w ? size[columns[i]] : 0;
        const int verdict = rsd_eval_formalism(q->k, t, p, v, q->rhs, q->rhs, q->rhs + q->n_v);
        if (verdict > 0 && tries > 0) rsd_fault_clear(&q->k->calls.fault); /* use the result of the smaller input */
        if (verdict) return verdict > 0 && tries > 0 ? 0 : verdict;
        is_lost = 0;
        for (int i = 0; i < n; i++) {
            const int c = columns[i], is_state = c >= q->k->n_w;
            for (int e = M->row[c], r; e < M->row[c + 1]; e++)
                r = M->col[e], q->metric[e] = is_state ? r == c : (out[r] - base[r]) / size[c];
            const double by = is_state ? 1 : rsd_kkt_compute_growth(fabs(out[c] - base[c]), fabs(base[c]));
            size[c] *= by;
            is_lost |= by > 1;
        }
    }
    return 0;
}

/* Check M: *complete is set to 1 if M predicts the change of Phi along accelerations that all differ. */
static int check_M(rsd_kkt *q, double t, const double *p, const double *v, int *complete)
{
    const rsd_csr *M = &q->k->M;
    sparse *s = q->self;
    const double *out = q->k->work.out, *base = q->psi, *size = s->x;
    double *said = s->work, *terms = q->force, part = 0;
    memset(q->rhs, 0, (size_t)(q->n_v + q->n_l) * sizeof *q->rhs);
    memset(said, 0, (size_t)q->n_v * sizeof *said), memset(terms, 0, (size_t)q->n_v * sizeof *terms);
    for (int c = 0; c < q->k->n_w; c++) {
        part = fmod(part + RSD_GOLDEN, 1);
        q->rhs[c] = (c % 2 ? -1 : 1) * (1 + part) * size[c];
        for (int e = M->row[c]; e < M->row[c + 1]; e++) {
            said[M->col[e]] += q->metric[e] * q->rhs[c];
            terms[M->col[e]] += fabs(q->metric[e] * q->rhs[c]);
        }
    }
    const int verdict = rsd_eval_formalism(q->k, t, p, v, q->rhs, q->rhs, q->rhs + q->n_v);
    *complete = 1;
    for (int i = 0; i < q->n_v && !verdict; i++)
        *complete &= !(fabs(out[i] - base[i] - said[i]) >
                       MAX_INERTIA_ERROR * terms[i] + ROUNDINGS_OF_PHI * DBL_EPSILON * (fabs(out[i]) + fabs(base[i])));
    if (verdict > 0) rsd_fault_clear(&q->k->calls.fault); /* nothing is concluded */
    return verdict < 0 ? verdict : 0;
}

/* Compute M by groups with its learnt pattern, which is searched again while the check of M fails. */
static int eval_learnt_metric(rsd_kkt *q, double t, const double *p, const double *v)
{
    const sparse *s = q->self;
    int complete = 0, grows = 1, verdict = q->k->M_number == 0 ? rsd_learn_pattern_of_M(q->k, t, p, v, &grows) : 0;
    while (!verdict && !complete && grows) {
        verdict = sparse_update_patterns(q);
        for (int g = 0; g < s->M_groups.n_groups && !verdict; g++)
            verdict = difference_group(q, t, p, v, s->M_groups.columns + s->M_groups.start[g],
                                       s->M_groups.start[g + 1] - s->M_groups.start[g]);
        if (!verdict) verdict = check_M(q, t, p, v, &complete);
        if (!verdict && !complete) verdict = rsd_learn_pattern_of_M(q->k, t, p, v, &grows);
    }
    return verdict;
}

static int sparse_eval_metric(rsd_kkt *q, double t, const double *p, const double *v)
{
    return q->k->m.mass_matrix ? rsd_eval_mass_matrix(q->k, t, p, q->metric) : eval_learnt_metric(q, t, p, v);
}

/* Set K except its upper left part. */
static void fill_rows(rsd_kkt *q)
{
    sparse *s = q->self;
    memset(s->values, 0, (size_t)s->K.nnz * sizeof *s->values);
    for (int i = 0; i < q->n_l; i++) s->values[s->diagonal[q->n_v + i]] = 1;
    for (int r = 0; r < q->n_rows; r++) {
        int i = q->rows[r], from = q->rows_of_A.row[i];
        s->values[s->diagonal[q->n_v + i]] = 0;
        q->scale[r] = rsd_kkt_row_scale(q->A + from, q->rows_of_A.row[i + 1] - from);
        for (int e = from; e < q->rows_of_A.row[i + 1]; e++)
            s->values[s->at_A[e]] = s->values[s->at_A_across[e]] = q->scale[r] * q->A[e];
    }
}

/* Factor K without an estimate of its condition. @return as factor_K() of the backend */
static int factor_K(rsd_kkt *q)
{
    int verdict = rsd_linear_factor(q->ls, ((sparse *)q->self)->values);
    return verdict < 0 ? -1 : verdict == 0;
}

/* Compute -(B B')^-1 c in place, with the factors of K for M = 1. */
static void solve_gram(void *context, double *c)
{
    rsd_kkt *q = context;
    size_t bytes = (size_t)q->n_l * sizeof *c;
    memset(q->rhs, 0, (size_t)q->n_v * sizeof *q->rhs);
    memcpy(q->rhs + q->n_v, c, bytes);
    rsd_linear_solve(q->ls, 1, q->rhs);
    memcpy(c, q->rhs + q->n_v, bytes);
}

/* Factor K with the unit matrix as M. */
static int sparse_factor_gram(rsd_kkt *q)
{
    sparse *s = q->self;
    fill_rows(q);
    for (int j = 0; j < q->n_v; j++) s->values[s->diagonal[j]] = 1;
    return factor_K(q);
}

/* Solve K (b - B' c, c) = (b, 0) for c. */
static const double *sparse_find_combination(rsd_kkt *q, int i)
{
    sparse *s = q->self;
    int n;
    const double *b = rsd_kkt_row(q, i, &n);
    const double scale = rsd_kkt_row_scale(b, n);
    memset(s->x, 0, (size_t)s->K.rows * sizeof *s->x);
    for (int e = 0; e < n; e++) s->x[q->rows_of_A.col[q->rows_of_A.row[i] + e]] = scale * b[e];
    rsd_linear_solve(q->ls, 1, s->x);
    for (int r = 0; r < q->n_rows; r++) q->rhs[r] = s->x[q->n_v + q->rows[r]];
    return q->rhs;
}

static int sparse_test_independence(rsd_kkt *q, double tolerance)
{
    sparse *s = q->self;
    rsd_linear_discard_factors(q->ls); /* results must not depend on earlier factors */
    if (q->n_rows == 0) return 1;
    if (q->n_rows > q->n_v) return 0;
    int verdict = sparse_factor_gram(q);
    if (verdict <= 0) return verdict;
    double least = MIN_SINGULAR_RATIO * tolerance, inverse = rsd_estimate_inverse_norm(q->n_l, solve_gram, q, s->x);
    return inverse * fmax(MIN_EIGENVALUE, least * least) < 1;
}

/* Return the largest column sum of |K|. */
static double compute_norm1(const sparse *s)
{
    double norm = 0;
    for (int j = 0; j < s->K.cols; j++) {
        double sum = 0;
        for (int k = s->K.col_start[j]; k < s->K.col_start[j + 1]; k++) sum += fabs(s->values[k]);
        norm = fmax(norm, sum);
    }
    return norm;
}

static void solve_K(void *context, double *x)
{
    rsd_linear_solve(((rsd_kkt *)context)->ls, 1, x);
}

static int sparse_factor(rsd_kkt *q)
{
    sparse *s = q->self;
    q->m_scale = rsd_kkt_metric_size(q);
    fill_rows(q);
    for (long e = 0; e < q->n_metric; e++) s->values[s->at_M[e]] = q->metric[e] / q->m_scale;
    for (int r = 0; r < q->n_rows && q->D.col_start; r++)
        for (int e = q->D.col_start[q->rows[r]]; e < q->D.col_start[q->rows[r] + 1]; e++)
            s->values[s->at_D[e]] -= q->scale[r] * q->D_values[e];
    int verdict = factor_K(q);
    q->rcond = 0;
    if (verdict <= 0) return verdict;
    q->rcond = 1 / (compute_norm1(s) * rsd_estimate_inverse_norm(s->K.cols, solve_K, q, s->x));
    return q->rcond > RSD_KKT_MIN_RCOND;
}

/* Compute the residual b - K x, with b in s->work. */
static void compute_kkt_residual(sparse *s, const double *x, double *residual)
{
    for (int i = 0; i < s->K.rows; i++) s->r[i] = s->work[i];
    for (int j = 0; j < s->K.cols; j++)
        for (int k = s->K.col_start[j]; k < s->K.col_start[j + 1]; k++)
            s->r[s->K.row[k]] -= (long double)s->values[k] * x[j];
    for (int i = 0; i < s->K.rows; i++) residual[i] = (double)s->r[i];
}

static void sparse_solve(rsd_kkt *q, int forces, const double *c, double *x, double *mu)
{
    sparse *s = q->self;
    int n = s->K.rows;
    double before = INFINITY;
    rsd_kkt_set_rhs(q, forces, c, q->rows);
    memcpy(s->work, q->rhs, (size_t)n * sizeof *s->work);
    rsd_linear_solve(q->ls, 1, q->rhs);
    for (int pass = 0; pass < MAX_REFINEMENTS; pass++) {
        compute_kkt_residual(s, q->rhs, s->x);
        rsd_linear_solve(q->ls, 1, s->x);
        double change = rsd_max_norm(s->x, n);
        if (!(change < before / 2)) break; /* no further progress */
        for (int i = 0; i < n; i++) q->rhs[i] += s->x[i];
        if (change <= DBL_EPSILON * rsd_max_norm(q->rhs, n)) break;
        before = change;
    }
    rsd_kkt_get_solution(q, x, mu, q->rows);
}

const rsd_kkt_backend rsd_kkt_sparse = {
    .name = "sparse",
    .is_full = 0,
    .create = sparse_create,
    .follow = sparse_update_patterns,
    .rows = sparse_set_rows,
    .metric = sparse_eval_metric,
    .independent = sparse_test_independence,
    .span = sparse_factor_gram,
    .combine = sparse_find_combination,
    .factor = sparse_factor,
    .solve = sparse_solve,
};
