/* structure.c - the known entries of J, see structure.h for the blocks; numbers (7), (9), (10) of Arnold, Fuchs, Fuehrer.
 *
 * Lists are made once; values are written in the same order by rsd_structure_known(). What is not known is in
 * structure_open.c. */
#include "structure.h"

#include "csr_product.h"
#include "rows.h"

#include <string.h>

static void put_matrix(rsd_places *l, const rsd_csr *A, int row, int column, int transposed)
{
    for (int i = 0; i < A->rows; i++)
        for (int k = A->row[i]; k < A->row[i + 1]; k++)
            rsd_put(l, row + (transposed ? A->col[k] : i), column + (transposed ? i : A->col[k]));
}

static void put_diagonal(rsd_places *l, int n, int row, int column)
{
    for (int i = 0; i < n; i++) rsd_put(l, row + i, column + i);
}

static const rsd_csr *pattern_of_G(const rsd_structure *s)
{
    const rsd_mechanism *k = s->problem->mechanism;
    return k->m.kinematic_matrix ? &s->G : &k->gp;
}

static void list_y(const rsd_structure *s, rsd_places *l)
{
    const resida_layout *q = &s->problem->layout;
    const rsd_mechanism *k = s->problem->mechanism;
    const rsd_csr *G = pattern_of_G(s);
    if (k->m.kinematic_matrix)
        put_matrix(l, &k->T, q->p, q->v, 0);
    else
        put_diagonal(l, q->n_v, q->p, q->v);
    if (q->lam >= 0) {
        put_matrix(l, G, q->lam, q->v, 0);
        put_matrix(l, &k->Gh, q->lam + q->n_g, q->v, 0);
        put_diagonal(l, k->n_l, q->lam, q->lam);
        if (!k->is_explicit) {
            put_matrix(l, G, q->v, q->lam, 1);
            put_matrix(l, &k->Gh, q->v, q->lam + q->n_g, 1);
        }
    }
    if (q->eta >= 0) {
        put_matrix(l, &k->gp, q->eta, q->p, 0);
        put_matrix(l, &k->gp, q->p, q->eta, 1);
        put_diagonal(l, q->n_g, q->eta, q->eta);
    }
}

static void list_yp(const rsd_structure *s, rsd_places *l)
{
    const resida_layout *q = &s->problem->layout;
    const rsd_mechanism *k = s->problem->mechanism;
    put_diagonal(l, q->n_p, q->p, q->p);
    if (k->is_explicit)
        put_diagonal(l, q->n_v, q->v, q->v);
    else if (k->m.mass_matrix)
        put_matrix(l, &k->M, q->v, q->v, 0);
}

/* Two passes of a list: one that counts, one that writes. */
static resida_status make_list(const rsd_structure *s, rsd_places *l, void (*list)(const rsd_structure *, rsd_places *))
{
    const resida_allocator *a = &s->problem->alloc;
    *l = (rsd_places){0, NULL, NULL};
    list(s, l);
    if (l->n < 0) return RESIDA_OK; /* not known */
    l->row = rsd_calloc(a, l->n, sizeof(int));
    l->column = rsd_calloc(a, l->n, sizeof(int));
    if (!l->row || !l->column) return RESIDA_ERR_MEMORY;
    l->n = 0;
    list(s, l);
    return RESIDA_OK;
}

static resida_status make_lists(rsd_structure *s)
{
    const rsd_mechanism *k = s->problem->mechanism;
    const resida_allocator *a = &s->problem->alloc;
    if (k && k->m.kinematic_matrix) RSD_TRY(rsd_csr_product_create(&s->G, &k->gp, &k->T, a));
    s->columns = rsd_calloc(a, s->problem->layout.n, 1);
    if (!s->columns) return RESIDA_ERR_MEMORY;
    rsd_open_columns(s);
    if (k) RSD_TRY(rsd_couple_explicit(s));
    RSD_TRY(make_list(s, &s->dear, rsd_open_dear));
    RSD_TRY(make_list(s, &s->cheap, rsd_open_cheap));
    if (!k) return RESIDA_OK;
    s->M = rsd_doubles(a, k->M.nnz);
    s->G_values = rsd_doubles(a, s->G.nnz);
    s->G_work = rsd_doubles(a, k->m.n_v);
    if (!s->M || !s->G_values || !s->G_work) return RESIDA_ERR_MEMORY;
    RSD_TRY(make_list(s, &s->y, list_y));
    return make_list(s, &s->yp, list_yp);
}

resida_status rsd_structure_create(rsd_structure *s, resida_problem *problem, resida_message *why)
{
    *s = (rsd_structure){.problem = problem};
    resida_status status = make_lists(s);
    if (status >= 0) return RESIDA_OK;
    rsd_structure_free(s);
    return rsd_fail(why, status, "no memory for the structure of J");
}

void rsd_structure_free(rsd_structure *s)
{
    if (!s->problem) return;
    const resida_allocator *a = &s->problem->alloc;
    rsd_csr_free(&s->G, a);
    rsd_places *lists[] = {&s->y, &s->yp, &s->dear, &s->cheap};
    for (int i = 0; i < 4; i++) {
        rsd_free(a, lists[i]->row);
        rsd_free(a, lists[i]->column);
    }
    void *blocks[] = {s->G_values, s->G_work, s->M, s->columns, s->set, s->next, s->seen};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) rsd_free(a, blocks[i]);
    *s = (rsd_structure){.problem = NULL};
}

/* Values in the order of the lists. */
static double *write_values(double *out, const double *values, int n, double sign)
{
    for (int k = 0; k < n; k++) out[k] = sign * values[k];
    return out + n;
}

/* A matrix with one row for each constraint: rows that were dropped are zero. */
static double *write_rows(double *out, const rsd_csr *A, const double *values, const unsigned char *dropped)
{
    for (int i = 0; i < A->rows; i++)
        for (int k = A->row[i]; k < A->row[i + 1]; k++) *out++ = dropped && dropped[i] ? 0 : values[k];
    return out;
}

/* Row by row of G = (dg/dp) T, or of dg/dp itself. */
static double *write_G(rsd_structure *s, double *out, const unsigned char *dropped)
{
    const rsd_mechanism *k = s->problem->mechanism;
    if (!k->m.kinematic_matrix) return write_rows(out, &k->gp, k->gp_values, dropped);
    rsd_csr_product(&s->G, s->G_values, &k->gp, k->gp_values, &k->T, k->T_values, s->G_work);
    return write_rows(out, &s->G, s->G_values, dropped);
}

static void write_y(rsd_structure *s, double *out)
{
    const resida_layout *q = &s->problem->layout;
    const rsd_mechanism *k = s->problem->mechanism;
    if (k->m.kinematic_matrix)
        out = write_values(out, k->T_values, k->T.nnz, -1);
    else
        for (int i = 0; i < q->n_v; i++) *out++ = -1;
    if (q->lam >= 0) {
        out = write_G(s, out, k->dropped);
        out = write_rows(out, &k->Gh, k->Gh_values, k->dropped + q->n_g);
        for (int i = 0; i < k->n_l; i++) *out++ = k->dropped[i];
        if (!k->is_explicit) {
            out = write_G(s, out, NULL);
            out = write_values(out, k->Gh_values, k->Gh.nnz, 1);
        }
    }
    if (q->eta >= 0) {
        out = write_rows(out, &k->gp, k->gp_values, k->dropped);
        out = write_values(out, k->gp_values, k->gp.nnz, 1);
        for (int i = 0; i < q->n_g; i++) *out++ = k->dropped[i];
    }
}

static int write_yp(rsd_structure *s, double t, const double *p, double *out)
{
    const resida_layout *q = &s->problem->layout;
    rsd_mechanism *k = s->problem->mechanism;
    for (int i = 0; i < q->n_p + (k->is_explicit ? q->n_v : 0); i++) *out++ = 1;
    if (k->is_explicit || !k->m.mass_matrix) return 0;
    int verdict = rsd_eval_mass_matrix(k, t, p, s->M);
    write_values(out, s->M, k->M.nnz, 1);
    return verdict;
}

int rsd_structure_known(rsd_structure *s, double t, const double *y, double *dy, double *dyp)
{
    int verdict = rsd_rows_begin(s->problem->mechanism, t, y + s->problem->layout.p);
    if (verdict) return verdict;
    write_y(s, dy);
    return write_yp(s, t, y + s->problem->layout.p, dyp);
}

int rsd_structure_derivatives(rsd_structure *s, double t, double alpha, const double *y, const double *yp,
                              double *values)
{
    resida_problem *q = s->problem;
    rsd_mechanism *k = q->mechanism;
    if (!k) return rsd_problem_dae_jacobian(q, t, alpha, y, yp, values);
    int verdict = rsd_eval_excitation(k, t);
    if (verdict) return verdict;
    const double *lam = q->layout.lam < 0 ? NULL : y + q->layout.lam;
    return rsd_eval_derivatives(k, t, y + q->layout.p, y + q->layout.v, yp + q->layout.v, lam, values);
}
