/* kkt.c - builds and solves the constrained linear system of kkt.h: the code common to the backends, and the choice of
 * the backend. Rank, three factorisations and solutions of a chain of rods take, in microseconds (x86-64, reference
 * BLAS 3.11):
 *
 *     unknowns a, lam    24    48     96     150      300      3,000    30,000
 *     full               75   290  1,500   8,600   30,000           -         -
 *     sparse             39    80    165     310      510    2,700    30,000
 *
 * With random patterns of three or four entries in a row the sparse one is faster from the same size on, 5 to 100 times
 * at 400 unknowns. */
#include "kkt_backend.h"

#include "src/linear/dense.h"

#include <math.h>
#include <string.h>

#define SPARSE_FROM    64 /* unknowns a and lam: below that a start takes less than a millisecond with full matrices */
#define MOST_MARGIN    10.0 /* the margin is not distinguished above */
#define SPARSE_DENSITY 8    /* at least so many times fewer entries than in full matrices */

static const rsd_kkt_backend *suitable(const rsd_mechanism *k)
{
    double n = (double)k->m.n_v + k->n_l;
    double entries = (double)k->M.nnz + k->T.nnz + 2.0 * k->gp.nnz + 2.0 * k->Gh.nnz;
    if (k->uses_lam) entries += k->Phi_lam.row ? k->Phi_lam.nnz : (double)k->m.n_v * k->n_l;
    if (k->is_explicit) return &rsd_kkt_schur;
    return k->m.mass_matrix && n >= SPARSE_FROM && SPARSE_DENSITY * entries <= n * n ? &rsd_kkt_sparse : &rsd_kkt_full;
}

static resida_status reserve(rsd_kkt *q, const resida_allocator *alloc, resida_message *why)
{
    RSD_TRY(rsd_kkt_create_forces(q, alloc, why));
    RSD_TRY(q->backend->create(q, alloc, why));
    q->rows = rsd_calloc(alloc, q->n_l, sizeof(int));
    if (q->rows && RSD_DOUBLES(alloc, q->n_A, &q->A) && RSD_DOUBLES(alloc, q->n_metric, &q->metric) &&
        RSD_DOUBLES(alloc, q->n_v, &q->psi, &q->unit) && RSD_DOUBLES(alloc, q->n_l, &q->scale) &&
        RSD_DOUBLES(alloc, (long)q->n_v + q->n_l, &q->rhs))
        return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the consistent start (%d accelerations, %d multipliers)",
                    q->n_v, q->n_l);
}

resida_status rsd_kkt_create(rsd_kkt *q, rsd_mechanism *k, const rsd_kkt_backend *backend,
                             const resida_allocator *alloc, resida_message *why)
{
    *q = (rsd_kkt){.k = k, .backend = backend ? backend : suitable(k), .n_v = k->m.n_v, .n_l = k->n_l};
    return reserve(q, alloc, why);
}

int rsd_kkt_is_full(const rsd_kkt *q)
{
    return q->backend->is_full;
}

int rsd_kkt_rows(rsd_kkt *q, double t, const double *p)
{
    int verdict = rsd_eval_excitation(q->k, t);
    if (!verdict) verdict = rsd_eval_matrices(q->k, t, p);
    if (!verdict) q->backend->rows(q);
    if (!verdict && q->is_scaled) q->backend->scale_A(q, q->unit);
    return verdict;
}

int rsd_kkt_at_rest(rsd_kkt *q, double t, const double *p, const double *v, const double *lam)
{
    memset(q->rhs, 0, (size_t)(q->n_v + q->n_l) * sizeof *q->rhs);
    return rsd_eval_formalism(q->k, t, p, v, q->rhs, q->rhs, lam);
}

int rsd_kkt_metric(rsd_kkt *q, double t, const double *p, const double *v)
{
    if (q->D.nnz > 0) memset(q->D_values, 0, (size_t)q->D.nnz * sizeof *q->D_values);
    int verdict = rsd_kkt_at_rest(q, t, p, v, q->rhs + q->n_v);
    if (verdict) return verdict;
    memcpy(q->psi, q->k->work.out, (size_t)q->n_v * sizeof *q->psi);
    verdict = q->backend->metric(q, t, p, v);
    if (!q->k->is_explicit)
        for (int i = 0; i < q->n_v; i++) q->psi[i] = -q->psi[i]; /* Psi = -Phi(a = 0) */
    rsd_kkt_scale_metric(q);
    return verdict;
}

/* The power of two next to 1/norm of f: so scaled, f and Psi can be added without loss of digits of either. */
static double force_size(const double *f, int n)
{
    int exponent = 0;
    frexp(rsd_kkt_row_scale(f, n), &exponent);
    return ldexp(1, exponent);
}

int rsd_kkt_set_force(rsd_kkt *q, double t, const double *p, const double *v, const double *f, const double *base)
{
    const double size = force_size(f, q->n_v);
    if (!q->k->is_explicit) {
        for (int i = 0; i < q->n_v; i++) q->psi[i] = f[i] * (q->is_scaled ? q->unit[i] : 1);
        return 0;
    }
    memset(q->rhs, 0, (size_t)(q->n_v + q->n_l) * sizeof *q->rhs);
    for (int i = 0; i < q->n_v; i++) q->rhs[i] = size * f[i];
    const int verdict = rsd_eval_formalism(q->k, t, p, v, q->rhs, q->rhs, q->rhs + q->n_v);
    for (int i = 0; i < q->n_v; i++) q->psi[i] = (q->k->work.out[i] / (q->is_scaled ? q->unit[i] : 1) - base[i]) / size;
    return verdict;
}

int rsd_kkt_independent(rsd_kkt *q, double tolerance)
{
    return q->backend->independent ? q->backend->independent(q, tolerance) : 0;
}

double rsd_kkt_scale_of(const rsd_kkt *q, int i)
{
    int n;
    const double *row = q->backend->row(q, i, &n);
    return rsd_kkt_row_scale(row, n);
}

int rsd_kkt_rank_margin(rsd_kkt *q, double *margin)
{
    double largest = 1 / MOST_MARGIN;
    int verdict = q->backend->span(q);
    *margin = 0;
    if (verdict <= 0) return verdict;
    for (int i = 0, r = 0; i < q->n_l; i++) {
        if (r < q->n_rows && q->rows[r] == i) {
            r++;
            continue;
        }
        largest = fmax(largest, rsd_finite_norm(q->backend->combine(q, i), q->n_rows));
    }
    *margin = 1 / largest;
    return 0;
}

int rsd_kkt_factor(rsd_kkt *q)
{
    return q->backend->factor(q);
}

void rsd_kkt_solve(rsd_kkt *q, int forces, const double *c, double *x, double *mu)
{
    memset(mu, 0, (size_t)q->n_l * sizeof *mu);
    q->backend->solve(q, forces, c, x, mu);
    for (int i = 0; i < q->n_v && q->is_scaled; i++) x[i] *= q->unit[i];
}

double rsd_kkt_row_scale(const double *row, long n)
{
    double norm = 0;
    for (long j = 0; j < n; j++) norm = hypot(norm, row[j]);
    return norm > 0 ? 1 / norm : 1;
}

double rsd_kkt_metric_size(const rsd_kkt *q)
{
    const double size = rsd_max_norm(q->metric, q->n_metric);
    return size > 0 ? size : 1;
}

void rsd_kkt_load(rsd_kkt *q, int forces, const double *c, const int *at)
{
    double *below = q->rhs + q->n_v;
    for (int i = 0; i < q->n_v; i++) q->rhs[i] = forces ? q->psi[i] / q->m_scale : 0;
    memset(below, 0, (size_t)q->n_l * sizeof *below);
    for (int r = 0; r < q->n_rows; r++) below[at ? at[r] : r] = q->scale[r] * c[q->rows[r]];
}

void rsd_kkt_unload(const rsd_kkt *q, double *x, double *mu, const int *at)
{
    const double *below = q->rhs + q->n_v;
    memcpy(x, q->rhs, (size_t)q->n_v * sizeof *x);
    for (int r = 0; r < q->n_rows; r++) mu[q->rows[r]] = below[at ? at[r] : r] * q->m_scale * q->scale[r];
}
