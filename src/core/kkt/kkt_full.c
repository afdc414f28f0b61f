/* kkt_full.c - the constrained system with full matrices; two backends.
 *
 * Residual formalism: M by its callback or column by column from Phi(e_j) - Phi(0); then LU of the whole matrix, with
 * rows of A scaled to norm one and M to order one. Explicit formalism: M^-1 A' column by column from phi(f = A') -
 * phi(0); then LU of the Schur complement A M^-1 A'. If applied forces depend on lam, A' and M^-1 A' are replaced by A'
 * - D and M^-1 A' - D. */
#include "kkt.h"

#include "base/linear/condition.h"
#include "base/linear/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct full {
    int size;     /* of K */
    double *K;    /* factors, by columns */
    double *work; /* [size] */
    int *pivots;
} full;

static resida_status create_full(rsd_kkt *q, const resida_allocator *alloc, resida_message *why)
{
    const int columns = q->k->is_explicit ? q->n_l : q->n_v, size = q->k->is_explicit ? q->n_l : q->n_v + q->n_l;
    full *f = q->self = rsd_calloc(alloc, 1, sizeof *f);
    q->n_A = (long)q->n_l * q->n_v;
    q->n_metric = (long)columns * q->n_v;
    if (f && RSD_DOUBLES(alloc, (long)size * size, &f->K) && RSD_DOUBLES(alloc, size, &f->work) &&
        RSD_INTS(alloc, size, &f->pivots))
        return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the consistent start (full matrix of %d x %d)", size, size);
}

static void full_set_rows(rsd_kkt *q)
{
    rsd_write_full_G(q->k, q->A);
}

static const double *get_row_of_A(const rsd_kkt *q, int r)
{
    return q->A + (long)q->rows[r] * q->n_v;
}

static int saddle_eval_metric(rsd_kkt *q, double t, const double *p, const double *v)
{
    int verdict = 0;
    if (q->k->m.mass_matrix) {
        double *values = ((full *)q->self)->K; /* not in use until the factorisation, and large enough */
        verdict = rsd_eval_mass_matrix(q->k, t, p, values);
        if (!verdict) rsd_csr_to_full(&q->k->M, values, q->metric); /* symmetric: rows equal columns */
        return verdict;
    }
    for (int j = 0; j < q->k->n_w && !verdict; j++) {
        memset(q->rhs, 0, (size_t)q->n_v * sizeof *q->rhs);
        q->rhs[j] = 1;
        verdict = rsd_kkt_eval_response(q, t, p, v, q->psi, NULL, q->metric + (long)j * q->n_v);
    }
    for (int j = q->k->n_w; j < q->n_v; j++) /* columns of states */
        for (int i = 0; i < q->n_v; i++) q->metric[(long)j * q->n_v + i] = i == j;
    return verdict;
}

static int schur_eval_metric(rsd_kkt *q, double t, const double *p, const double *v)
{
    int verdict = 0;
    for (int j = 0; j < q->n_l && !verdict; j++) {
        const double *row = q->A + (long)j * q->n_v;
        for (int i = 0; i < q->n_v; i++) q->rhs[i] = row[i] / (q->is_scaled ? q->unit[i] : 1);
        verdict = rsd_kkt_eval_response(q, t, p, v, q->psi, NULL, q->metric + (long)j * q->n_v);
    }
    return verdict;
}

/* Set K = 0 [size x size], and the scales of the listed rows. */
static full *begin_matrix(rsd_kkt *q, int size)
{
    full *f = q->self;
    f->size = size;
    memset(f->K, 0, (size_t)size * (size_t)size * sizeof *f->K);
    for (int r = 0; r < q->n_rows; r++) q->scale[r] = rsd_kkt_row_scale(get_row_of_A(q, r), q->n_v);
    return f;
}

static void solve_K(void *kkt, double *x)
{
    const full *f = ((rsd_kkt *)kkt)->self;
    rsd_lu_solve(f->size, f->K, f->pivots, x);
}

static int factor_K(rsd_kkt *q)
{
    full *f = q->self;
    q->rcond = 1;
    if (f->size == 0) return 1;
    q->rcond = 0;
    double norm = rsd_norm1(f->size, f->K);
    if (!isfinite(norm) || rsd_lu_factor(f->size, f->K, f->pivots) != 0) return 0;
    q->rcond = 1 / (norm * rsd_estimate_inverse_norm(f->size, solve_K, q, f->work));
    return q->rcond > RSD_KKT_MIN_RCOND;
}

static int saddle_factor(rsd_kkt *q)
{
    int n_v = q->n_v, n = n_v + q->n_rows;
    full *f = begin_matrix(q, n);
    q->m_scale = rsd_kkt_metric_size(q);
    for (int j = 0; j < n_v; j++)
        for (int i = 0; i < n_v; i++) f->K[(long)j * n + i] = q->metric[(long)j * n_v + i] / q->m_scale;
    for (int r = 0; r < q->n_rows; r++) {
        double *right = f->K + (long)(n_v + r) * n;
        for (int j = 0; j < n_v; j++) right[j] = f->K[(long)j * n + n_v + r] = q->scale[r] * get_row_of_A(q, r)[j];
        rsd_kkt_add_D(q, q->rows[r], -q->scale[r], right);
    }
    return factor_K(q);
}

/* Factor B B'. B are the listed rows, scaled to norm one. */
static int full_factor_gram(rsd_kkt *q)
{
    full *f = begin_matrix(q, q->n_rows);
    const int n = f->size;
    for (int c = 0; c < n; c++)
        for (int r = 0; r <= c; r++)
            f->K[(long)c * n + r] = f->K[(long)r * n + c] =
                q->scale[r] * q->scale[c] * rsd_dot(get_row_of_A(q, r), get_row_of_A(q, c), q->n_v);
    return factor_K(q);
}

/* Compute (B B')^-1 B b, with row i as b. */
static const double *full_find_combination(rsd_kkt *q, int i)
{
    int n;
    const double *b = rsd_kkt_row(q, i, &n);
    const double scale = rsd_kkt_row_scale(b, n);
    for (int r = 0; r < q->n_rows; r++) q->rhs[r] = q->scale[r] * scale * rsd_dot(get_row_of_A(q, r), b, n);
    solve_K(q, q->rhs);
    return q->rhs;
}

/* Return column j of M^-1 A' - D [n_v]. If there is a D, it is stored in work. */
static const double *get_column_of_W(const rsd_kkt *q, int j, double *work)
{
    const double *w = q->metric + (long)j * q->n_v;
    if (!q->D.col_start) return w;
    memcpy(work, w, (size_t)q->n_v * sizeof *work);
    rsd_kkt_add_D(q, j, -1, work);
    return work;
}

static int schur_factor(rsd_kkt *q)
{
    full *f = begin_matrix(q, q->n_rows);
    for (int c = 0; c < q->n_rows; c++) {
        const double *w = get_column_of_W(q, q->rows[c], q->rhs);
        for (int r = 0; r < q->n_rows; r++)
            f->K[(long)c * f->size + r] = q->scale[r] * q->scale[c] * rsd_dot(get_row_of_A(q, r), w, q->n_v);
    }
    return factor_K(q);
}

static void saddle_solve(rsd_kkt *q, int forces, const double *c, double *x, double *mu)
{
    rsd_kkt_set_rhs(q, forces, c, NULL);
    solve_K(q, q->rhs);
    rsd_kkt_get_solution(q, x, mu, NULL);
}

static void schur_solve(rsd_kkt *q, int forces, const double *c, double *x, double *mu)
{
    for (int i = 0; i < q->n_v; i++) x[i] = forces ? q->psi[i] : 0;
    for (int r = 0; r < q->n_rows; r++)
        q->rhs[r] = q->scale[r] * (rsd_dot(get_row_of_A(q, r), x, q->n_v) - c[q->rows[r]]);
    solve_K(q, q->rhs);
    for (int r = 0; r < q->n_rows; r++) {
        double m = mu[q->rows[r]] = q->rhs[r] * q->scale[r];
        const double *w = get_column_of_W(q, q->rows[r], q->rhs + q->n_l);
        for (int i = 0; i < q->n_v; i++) x[i] -= w[i] * m;
    }
}

const rsd_kkt_backend rsd_kkt_full = {
    .name = "full",
    .is_full = 1,
    .create = create_full,
    .rows = full_set_rows,
    .metric = saddle_eval_metric,
    .span = full_factor_gram,
    .combine = full_find_combination,
    .factor = saddle_factor,
    .solve = saddle_solve,
};

const rsd_kkt_backend rsd_kkt_schur = {
    .name = "schur",
    .is_full = 1,
    .create = create_full,
    .rows = full_set_rows,
    .metric = schur_eval_metric,
    .span = full_factor_gram,
    .combine = full_find_combination,
    .factor = schur_factor,
    .solve = schur_solve,
};
