/* kkt.c - builds and solves the constrained linear system of kkt.h.
 *
 * Residual formalism: M by its callback or column by column from Phi(e_j) - Phi(0), which is exact because Phi is
 * linear in a; then LU of the whole matrix, rows of A scaled to norm one and M to order one. Explicit formalism:
 * M^-1 A' column by column from phi(f = A') - phi(0); then LU of the Schur complement A M^-1 A'. */
#include "kkt.h"

#include "dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

resida_status rsd_kkt_create(rsd_kkt *q, rsd_mechanism *k, const resida_allocator *alloc, resida_message *why)
{
    int n_v = k->m.n_v, n_l = k->n_l;
    *q = (rsd_kkt){.k = k, .n_v = n_v, .n_l = n_l, .size = k->is_explicit ? n_l : n_v + n_l};
    q->rows = rsd_calloc(alloc, n_l, sizeof(int));
    q->A = rsd_matrix(alloc, n_l, n_v);
    q->metric = rsd_matrix(alloc, n_v, k->is_explicit ? n_l : n_v);
    q->psi = rsd_doubles(alloc, n_v);
    q->K = rsd_matrix(alloc, q->size, q->size);
    q->rhs = rsd_doubles(alloc, n_v + n_l);
    q->work = rsd_doubles(alloc, 4L * (n_v + n_l));
    q->scale = rsd_doubles(alloc, n_l);
    q->pivots = rsd_calloc(alloc, q->size, sizeof(int));
    q->iwork = rsd_calloc(alloc, q->size, sizeof(int));
    if (q->rows && q->A && q->metric && q->psi && q->K && q->rhs && q->work && q->scale && q->pivots && q->iwork)
        return RESIDA_OK;
    rsd_kkt_free(q, alloc);
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the consistent start (%d accelerations, %d multipliers)",
                    n_v, n_l);
}

void rsd_kkt_free(rsd_kkt *q, const resida_allocator *alloc)
{
    void *blocks[] = {q->rows, q->A, q->metric, q->psi, q->K, q->rhs, q->work, q->scale, q->pivots, q->iwork};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) rsd_free(alloc, blocks[i]);
    *q = (rsd_kkt){.n_v = 0};
}

int rsd_kkt_rows(rsd_kkt *q, double t, const double *p)
{
    int verdict = rsd_eval_excitation(q->k, t);
    if (!verdict) verdict = rsd_eval_matrices(q->k, t, p);
    if (!verdict) rsd_full_G(q->k, q->A);
    return verdict;
}

/* metric(:,j) = Phi(e_j) - Phi(0), or phi(A_j') - phi(0). */
static int difference_metric(rsd_kkt *q, double t, const double *p, const double *v)
{
    double *x = q->rhs;
    int columns = q->k->is_explicit ? q->n_l : q->n_v;
    for (int j = 0; j < columns; j++) {
        memset(x, 0, (size_t)q->n_v * sizeof *x);
        if (q->k->is_explicit)
            memcpy(x, q->A + (long)j * q->n_v, (size_t)q->n_v * sizeof *x);
        else
            x[j] = 1;
        int verdict = rsd_eval_formalism(q->k, t, p, v, x, x);
        if (verdict) return verdict;
        for (int i = 0; i < q->n_v; i++) q->metric[(long)j * q->n_v + i] = q->k->out[i] - q->psi[i];
    }
    return 0;
}

static int given_mass_matrix(rsd_kkt *q, double t, const double *p)
{
    rsd_mechanism *k = q->k;
    double *values = q->K; /* free until the factorisation, and large enough */
    int verdict = rsd_eval_mass_matrix(k, t, p, values);
    if (verdict) return verdict;
    rsd_csr_to_full(&k->M, values, q->metric); /* symmetric: rows are columns */
    return 0;
}

int rsd_kkt_metric(rsd_kkt *q, double t, const double *p, const double *v)
{
    rsd_mechanism *k = q->k;
    memset(q->rhs, 0, (size_t)q->n_v * sizeof *q->rhs);
    int verdict = rsd_eval_formalism(k, t, p, v, q->rhs, q->rhs);
    if (verdict) return verdict;
    memcpy(q->psi, k->out, (size_t)q->n_v * sizeof *q->psi);
    verdict = !k->is_explicit && k->m.mass_matrix ? given_mass_matrix(q, t, p) : difference_metric(q, t, p, v);
    if (!k->is_explicit)
        for (int i = 0; i < q->n_v; i++) q->psi[i] = -q->psi[i]; /* Psi = -Phi(a = 0) */
    return verdict;
}

static void scale_rows(rsd_kkt *q)
{
    for (int r = 0; r < q->n_rows; r++) {
        const double *row = q->A + (long)q->rows[r] * q->n_v;
        double norm = 0;
        for (int j = 0; j < q->n_v; j++) norm = hypot(norm, row[j]);
        q->scale[r] = norm > 0 ? 1 / norm : 1;
    }
}

static void fill_saddle_point(rsd_kkt *q)
{
    int n_v = q->n_v, n = q->size;
    q->m_scale = 0;
    for (long i = 0; i < (long)n_v * n_v; i++) q->m_scale = fmax(q->m_scale, fabs(q->metric[i]));
    if (!(q->m_scale > 0)) q->m_scale = 1;
    for (int j = 0; j < n_v; j++)
        for (int i = 0; i < n_v; i++) q->K[(long)j * n + i] = q->metric[(long)j * n_v + i] / q->m_scale;
    for (int r = 0; r < q->n_rows; r++)
        for (int j = 0; j < n_v; j++)
            q->K[(long)(n_v + r) * n + j] = q->K[(long)j * n + n_v + r] =
                q->scale[r] * q->A[(long)q->rows[r] * n_v + j];
}

static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static void fill_schur_complement(rsd_kkt *q)
{
    for (int c = 0; c < q->n_rows; c++)
        for (int r = 0; r < q->n_rows; r++)
            q->K[(long)c * q->size + r] =
                q->scale[r] * q->scale[c] *
                dot(q->A + (long)q->rows[r] * q->n_v, q->metric + (long)q->rows[c] * q->n_v, q->n_v);
}

int rsd_kkt_factor(rsd_kkt *q)
{
    q->size = q->k->is_explicit ? q->n_rows : q->n_v + q->n_rows;
    if (q->size == 0) return 1;
    memset(q->K, 0, (size_t)q->size * (size_t)q->size * sizeof *q->K);
    scale_rows(q);
    if (q->k->is_explicit)
        fill_schur_complement(q);
    else
        fill_saddle_point(q);
    double norm = rsd_norm1(q->size, q->K);
    if (!isfinite(norm) || rsd_lu_factor(q->size, q->K, q->pivots) != 0) return 0;
    return rsd_lu_rcond(q->size, q->K, norm, q->work, q->iwork) > DBL_EPSILON;
}

static void solve_saddle_point(rsd_kkt *q, int forces, const double *c, double *x, double *mu)
{
    for (int i = 0; i < q->n_v; i++) q->rhs[i] = forces ? q->psi[i] / q->m_scale : 0;
    for (int r = 0; r < q->n_rows; r++) q->rhs[q->n_v + r] = q->scale[r] * c[q->rows[r]];
    if (q->size > 0) rsd_lu_solve(q->size, q->K, q->pivots, q->rhs);
    memcpy(x, q->rhs, (size_t)q->n_v * sizeof *x);
    for (int r = 0; r < q->n_rows; r++) mu[q->rows[r]] = q->rhs[q->n_v + r] * q->m_scale * q->scale[r];
}

static void solve_schur_complement(rsd_kkt *q, int forces, const double *c, double *x, double *mu)
{
    for (int i = 0; i < q->n_v; i++) x[i] = forces ? q->psi[i] : 0;
    for (int r = 0; r < q->n_rows; r++)
        q->rhs[r] = q->scale[r] * (dot(q->A + (long)q->rows[r] * q->n_v, x, q->n_v) - c[q->rows[r]]);
    if (q->size > 0) rsd_lu_solve(q->size, q->K, q->pivots, q->rhs);
    for (int r = 0; r < q->n_rows; r++) {
        double m = mu[q->rows[r]] = q->rhs[r] * q->scale[r];
        const double *w = q->metric + (long)q->rows[r] * q->n_v;
        for (int i = 0; i < q->n_v; i++) x[i] -= w[i] * m;
    }
}

void rsd_kkt_solve(rsd_kkt *q, int forces, const double *c, double *x, double *mu)
{
    memset(mu, 0, (size_t)q->n_l * sizeof *mu);
    if (q->k->is_explicit)
        solve_schur_complement(q, forces, c, x, mu);
    else
        solve_saddle_point(q, forces, c, x, mu);
}
