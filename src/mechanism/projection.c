/* projection.c - the directions D1, D2 of projection.h: their values, and what they do to a vector. */
#include "projection.h"

#include "mechanism_impl.h"
#include "src/linear/dense.h"

#include <string.h>

static int is_full(const rsd_projection *D)
{
    return D->kind == RSD_PROJECTION_B || D->kind == RSD_PROJECTION_OWN;
}

static resida_status reserve_full(rsd_projection *D, rsd_mechanism *k)
{
    const resida_allocator *a = &k->alloc;
    const long n_v = k->m.n_v;
    const int has_kind = D->kind == RSD_PROJECTION_OWN
                             ? RSD_DOUBLES(a, n_v * k->m.n_g, &D->given)
                             : RSD_DOUBLES(a, n_v * n_v, &D->M) && RSD_DOUBLES(a, k->M.nnz, &D->M_values) &&
                                   RSD_INTS(a, n_v, &D->M_pivots);
    return has_kind && RSD_DOUBLES(a, n_v * k->n_l, &D->D) ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

static resida_status reserve_frozen(rsd_projection *D, rsd_mechanism *k)
{
    const resida_allocator *a = &k->alloc;
    if (!RSD_DOUBLES(a, k->gp.nnz, &D->gp) || !RSD_DOUBLES(a, k->T.nnz, &D->T) || !RSD_DOUBLES(a, k->Gh.nnz, &D->Gh) ||
        !RSD_DOUBLES(a, (long)k->n_l * k->m.n_v, &D->Q, &D->Q_frozen) ||
        !RSD_DOUBLES(a, k->m.n_p > k->m.n_v ? k->m.n_p : k->m.n_v, &D->x_p))
        return RESIDA_ERR_MEMORY;
    if (!k->m.kinematic_matrix && k->m.n_k == 0) return RESIDA_OK;
    return RSD_DOUBLES(a, ((long)k->m.n_k + k->m.n_g) * k->m.n_p, &D->P, &D->P_frozen) ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

static resida_status reserve_small(rsd_projection *D, rsd_mechanism *k)
{
    const resida_allocator *a = &k->alloc;
    const int all = RSD_DOUBLES(a, (long)k->n_l * k->n_l, &D->S) && RSD_DOUBLES(a, k->n_l, &D->mu) &&
                    RSD_INTS(a, k->n_l, &D->S_pivots);
    return all ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

resida_status rsd_projection_create(rsd_projection *D, rsd_mechanism *k, int after_steps, resida_message *why)
{
    resida_status status = RESIDA_OK;
    if (D->kind == RSD_PROJECTION_B && !k->m.mass_matrix)
        return rsd_fail(why, RESIDA_ERR_MODEL, "%s: projection B = M^-1 G' needs a mass_matrix", k->m.name);
    if (!RSD_DOUBLES(&k->alloc, k->m.n_v, &D->x, &D->x_step)) status = RESIDA_ERR_MEMORY;
    if (status >= 0 && is_full(D)) status = reserve_full(D, k);
    if (status >= 0 && D->kind == RSD_PROJECTION_FROZEN) status = reserve_frozen(D, k);
    if (status >= 0 && (after_steps || D->kind == RSD_PROJECTION_FROZEN)) status = reserve_small(D, k);
    return status < 0 ? rsd_fail(why, status, "%s: no memory for the projection", k->m.name) : RESIDA_OK;
}

/* Row i of (G, Gh) as a column. */
static void constraint_column(rsd_mechanism *k, int i, double *column)
{
    memset(column, 0, (size_t)k->m.n_v * sizeof *column);
    memset(k->work.w_moved, 0, (size_t)k->n_l * sizeof *k->work.w_moved);
    k->work.w_moved[i] = 1;
    rsd_add_constraint_force(k, 1, k->work.w_moved, column);
}

static int eval_B(rsd_projection *D, rsd_mechanism *k, double t, const double *p)
{
    int n_v = k->m.n_v, verdict = rsd_eval_mass_matrix(k, t, p, D->M_values);
    if (verdict) return verdict;
    rsd_csr_to_full(&k->M, D->M_values, D->M); /* symmetric: rows are columns */
    if (rsd_lu_factor(n_v, D->M, D->M_pivots)) return 1;
    for (int i = 0; i < k->n_l; i++) {
        double *column = D->D + (long)i * n_v;
        constraint_column(k, i, column);
        rsd_lu_solve(n_v, D->M, D->M_pivots, column);
    }
    return 0;
}

static int eval_own(rsd_projection *D, rsd_mechanism *k, double t, const double *p)
{
    int n_v = k->m.n_v, n_g = k->m.n_g, n = n_v * n_g;
    int verdict = rsd_ask_position(&k->calls, RSD_CALL_PROJECTION_MATRIX, D->matrix, t, p, D->given, n);
    for (int i = 0; i < n_g && !verdict; i++)
        for (int r = 0; r < n_v; r++) D->D[(long)i * n_v + r] = D->given[(long)r * n_g + i];
    for (int i = n_g; i < k->n_l && !verdict; i++) constraint_column(k, i, D->D + (long)i * n_v);
    return verdict;
}

int rsd_projection_eval(rsd_projection *D, rsd_mechanism *k, double t, const double *p)
{
    if (D->kind == RSD_PROJECTION_B) return eval_B(D, k, t, p);
    return D->kind == RSD_PROJECTION_OWN ? eval_own(D, k, t, p) : 0;
}

/* x [n_v] += the first n columns of D times s. */
static void add_columns(rsd_projection *D, const rsd_mechanism *k, int n, const double *s, double *x)
{
    for (int i = 0; i < n; i++)
        for (int r = 0; r < k->m.n_v; r++) x[r] += s[i] * D->D[(long)i * k->m.n_v + r];
}

void rsd_project_position(rsd_projection *D, rsd_mechanism *k, const double *eta, double *r)
{
    if (!is_full(D)) {
        rsd_csr_add_transposed(&k->gp, D->kind == RSD_PROJECTION_FROZEN ? D->gp : k->gp_values, 1, eta, r);
        return;
    }
    memset(D->x, 0, (size_t)k->m.n_v * sizeof *D->x);
    add_columns(D, k, k->m.n_g, eta, D->x);
    rsd_apply_T(k, D->x, k->work.x_p);
    for (int i = 0; i < k->m.n_p; i++) r[i] += k->work.x_p[i];
}

void rsd_project_velocity(rsd_projection *D, rsd_mechanism *k, const double *tau, double *a)
{
    if (is_full(D))
        add_columns(D, k, k->n_l, tau, a);
    else if (D->kind == RSD_PROJECTION_FROZEN)
        rsd_add_force(k, &(rsd_matrices){D->gp, D->T, D->Gh}, 1, tau, a);
    else
        rsd_add_constraint_force(k, 1, tau, a);
}
