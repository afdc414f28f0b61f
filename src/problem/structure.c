/* structure.c - the known entries of J, see structure.h for the blocks; numbers (7), (9), (10) of Arnold, Fuchs,
 * Fuehrer.
 *
 * Lists are made once; values are written in the same order by rsd_structure_known(). What is not known is in
 * structure_open.c. */
#include "structure.h"

#include "rows.h"

#include <string.h>

static rsd_shape diagonal(int n, double value)
{
    return (rsd_shape){.rows = n, .columns = RSD_DIAGONAL, .times = value};
}

static rsd_shape matrix(const rsd_csr *A, const double *values, const unsigned char *dropped)
{
    return (rsd_shape){.A = A, .values = values, .times = 1, .dropped = dropped};
}

static rsd_shape across(const rsd_csr *A, const double *values)
{
    return (rsd_shape){.A = A, .is_across = 1, .values = values, .times = 1};
}

static rsd_shape full(int rows, int columns, const double *values)
{
    return (rsd_shape){.rows = rows, .columns = columns, .values = values, .times = 1};
}

static rsd_shape shape_of(const rsd_structure *s, rsd_block_of of)
{
    const rsd_mechanism *k = s->problem->mechanism;
    const rsd_projection *D = &s->problem->rows->D;
    const resida_model_contacts *contacts = &s->problem->contacts.given;
    const int n_p = k->m.n_p, n_v = k->m.n_v, n_g = k->m.n_g, has_T = k->m.kinematic_matrix != NULL;
    const rsd_csr *G = has_T ? &s->G : &k->gp, *K = &k->invariants.K;
    const double *G_values = has_T ? s->G_values : k->gp_values, *gp_of_D = D->gp ? D->gp : k->gp_values;
    switch (of) {
    case RSD_MINUS_T:
        return has_T ? (rsd_shape){.A = &k->T, .values = k->T_values, .times = -1} : diagonal(n_p, -1);
    case RSD_ROWS_GP:
        return matrix(&k->gp, k->gp_values, k->dropped);
    case RSD_ROWS_G:
        return matrix(G, G_values, k->dropped);
    case RSD_ROWS_GH:
        return matrix(&k->Gh, k->Gh_values, k->dropped + n_g);
    case RSD_FORCE_G:
        return across(G, G_values);
    case RSD_FORCE_GH:
        return across(&k->Gh, k->Gh_values);
    case RSD_D1:
        return D->D ? full(n_p, n_g, NULL) : across(&k->gp, gp_of_D);
    case RSD_D2_G:
        return D->D ? full(n_v, n_g, D->D) : across(G, has_T ? s->D2_values : gp_of_D);
    case RSD_D2_GH:
        return D->D ? full(n_v, k->m.n_h, D->D + (long)n_g * n_v) : across(&k->Gh, D->gp ? D->Gh : k->Gh_values);
    case RSD_ROWS_K:
        return matrix(K, k->invariants.values, NULL);
    case RSD_ALONG_K:
        return across(K, k->invariants.values);
    case RSD_MASS:
        return matrix(&k->M, s->M, NULL);
    case RSD_DROPPED_L:
    case RSD_DROPPED_G:
        return (rsd_shape){.rows = of == RSD_DROPPED_L ? k->n_l : n_g, .columns = RSD_DIAGONAL, .dropped = k->dropped};
    case RSD_SLIP:
        return (rsd_shape){
            .rows = contacts->n, .columns = RSD_DIAGONAL, .values = k->slip + n_g + contacts->first_h, .times = -1};
    case RSD_UNIT_P:
        return diagonal(n_p, 1);
    case RSD_UNIT_Z:
        return diagonal(k->m.n_z, 1);
    case RSD_UNIT_V:
        return diagonal(n_v, 1);
    case RSD_MINUS_UNIT_V:
        break;
    }
    return diagonal(n_v, -1);
}

void rsd_put_block(const rsd_structure *s, rsd_places *l, const rsd_block *b)
{
    const rsd_shape x = shape_of(s, b->of);
    for (int i = 0; x.A && i < x.A->rows; i++)
        for (int e = x.A->row[i]; e < x.A->row[i + 1]; e++)
            rsd_put(l, b->row + (x.is_across ? x.A->col[e] : i), b->column + (x.is_across ? i : x.A->col[e]));
    for (int c = 0; !x.A && c < x.columns; c++)
        for (int i = 0; i < x.rows; i++) rsd_put(l, b->row + i, b->column + c);
    for (int i = 0; x.columns == RSD_DIAGONAL && i < x.rows; i++) rsd_put(l, b->row + i, b->column + i);
}

static void add_block(rsd_structure *s, rsd_block_of of, int row, int column, int in_yp)
{
    s->block[s->n_blocks] = (rsd_block){of, row, column, in_yp};
    s->shape[s->n_blocks++] = shape_of(s, of);
}

/* G and Gh in n_l rows, in the columns of v or of a. */
static void add_G(rsd_structure *s, int row, int column, int in_yp)
{
    add_block(s, RSD_ROWS_G, row, column, in_yp);
    add_block(s, RSD_ROWS_GH, row + s->problem->layout.n_g, column, in_yp);
}

/* Where accelerations are. */
static int column_of_a(const resida_layout *q)
{
    return q->a < 0 ? q->v : q->a;
}

int rsd_force_is_open(const rsd_structure *s)
{
    const rsd_mechanism *k = s->problem->mechanism;
    return s->problem->layout.rates && k->uses_lam && !k->is_explicit;
}

static void add_lam(rsd_structure *s)
{
    const resida_layout *q = &s->problem->layout;
    rsd_level level = s->problem->form->level;
    if (level == RSD_POSITION) {
        add_block(s, RSD_ROWS_GP, q->lam, q->p, 0);
        add_block(s, RSD_ROWS_GH, q->lam + q->n_g, q->v, 0);
    } else if (level == RSD_VELOCITY) {
        add_G(s, q->lam, q->v, 0);
    } else {
        add_G(s, q->lam, column_of_a(q), q->a < 0);
    }
    add_block(s, RSD_DROPPED_L, q->lam, q->lam, q->rates);
    const resida_model_contacts *c = &s->problem->contacts.given;
    if (c->friction) add_block(s, RSD_SLIP, q->lam + q->n_g + c->first_h, q->lam + c->first_g, q->rates);
    if (s->problem->mechanism->is_explicit || rsd_force_is_open(s)) return;
    add_block(s, RSD_FORCE_G, q->v, q->lam, q->rates);
    add_block(s, RSD_FORCE_GH, q->v, q->lam + q->n_g, q->rates);
}

static void make_blocks(rsd_structure *s)
{
    const resida_layout *q = &s->problem->layout;
    const rsd_mechanism *k = s->problem->mechanism;
    add_block(s, RSD_MINUS_T, q->p, q->v, 0);
    if (q->lam >= 0) add_lam(s);
    if (q->eta >= 0) {
        add_block(s, RSD_ROWS_GP, q->eta, q->p, 0);
        add_block(s, RSD_D1, q->p, q->eta, q->rates);
        add_block(s, RSD_DROPPED_G, q->eta, q->eta, q->rates);
    }
    if (q->tau >= 0) {
        add_G(s, q->tau, q->v, 0);
        add_block(s, RSD_DROPPED_L, q->tau, q->tau, 0);
        add_block(s, RSD_D2_G, q->a, q->tau, 0);
        add_block(s, RSD_D2_GH, q->a, q->tau + q->n_g, 0);
        add_block(s, RSD_MINUS_UNIT_V, q->a, q->a, 0);
        add_block(s, RSD_UNIT_V, q->a, q->v, 1);
    }
    if (q->eta_k >= 0) {
        add_block(s, RSD_ROWS_K, q->eta_k, q->p, 0);
        add_block(s, RSD_ALONG_K, q->p, q->eta_k, q->rates);
    }
    add_block(s, RSD_UNIT_P, q->p, q->p, 1);
    if (k->is_explicit)
        add_block(s, RSD_UNIT_V, q->v, column_of_a(q), q->a < 0);
    else if (k->m.mass_matrix)
        add_block(s, RSD_MASS, q->v, column_of_a(q), q->a < 0);
    else if (k->m.n_z > 0)
        add_block(s, RSD_UNIT_Z, q->v + k->n_w, column_of_a(q) + k->n_w, q->a < 0);
}

static void list_known(const rsd_structure *s, rsd_places *l, int in_yp)
{
    for (int b = 0; b < s->n_blocks; b++)
        if (s->block[b].in_yp == in_yp) rsd_put_block(s, l, &s->block[b]);
}

static void list_y(const rsd_structure *s, rsd_places *l)
{
    list_known(s, l, 0);
}

static void list_yp(const rsd_structure *s, rsd_places *l)
{
    list_known(s, l, 1);
}

/* Two passes of a list: one that counts, one that writes. */
static resida_status make_list(const rsd_structure *s, rsd_places *l, void (*list)(const rsd_structure *, rsd_places *))
{
    const resida_allocator *a = &s->alloc;
    *l = (rsd_places){0, NULL, NULL};
    list(s, l);
    if (l->n < 0) return RESIDA_OK; /* not known */
    if (!RSD_INTS(a, l->n, &l->row, &l->column)) return RESIDA_ERR_MEMORY;
    l->n = 0;
    list(s, l);
    return RESIDA_OK;
}

/* Entries of a matrix that the model has given as a full one, for want of a pattern, may be zero for good. */
static void mark_latent(rsd_structure *s)
{
    unsigned char *y = s->y_latent, *yp = s->yp_latent;
    for (int b = 0; b < s->n_blocks; b++) {
        const rsd_block_of of = s->block[b].of;
        const rsd_csr *A = of == RSD_D2_G || of == RSD_D2_GH ? NULL : s->shape[b].A;
        rsd_places l = {0, NULL, NULL};
        rsd_put_block(s, &l, &s->block[b]);
        unsigned char **to = s->block[b].in_yp ? &yp : &y;
        memset(*to, A && !rsd_csr_is_sparse(A), (size_t)l.n);
        *to += l.n;
    }
}

static resida_status make_lists(rsd_structure *s)
{
    const rsd_mechanism *k = s->problem->mechanism;
    const resida_allocator *a = &s->alloc;
    if (k && k->m.kinematic_matrix) RSD_TRY(rsd_csr_product_create(&s->G, &k->gp, &k->T, a));
    s->columns = rsd_calloc(a, s->problem->layout.n, 1);
    if (!s->columns) return RESIDA_ERR_MEMORY;
    rsd_open_columns(s);
    if (k) RSD_TRY(rsd_couple_explicit(s));
    if (k) RSD_TRY(rsd_couple_constraints(s));
    RSD_TRY(make_list(s, &s->formalism, rsd_open_formalism));
    RSD_TRY(make_list(s, &s->constraint, rsd_open_constraint));
    if (!k) return RESIDA_OK;
    if (!RSD_DOUBLES(a, k->M.nnz, &s->M) || !RSD_DOUBLES(a, s->G.nnz, &s->G_values, &s->D2_values) ||
        !RSD_DOUBLES(a, k->m.n_v, &s->G_work))
        return RESIDA_ERR_MEMORY;
    make_blocks(s);
    RSD_TRY(make_list(s, &s->y, list_y));
    RSD_TRY(make_list(s, &s->yp, list_yp));
    s->y_latent = rsd_calloc(a, s->y.n, 1);
    s->yp_latent = rsd_calloc(a, s->yp.n, 1);
    if (!s->y_latent || !s->yp_latent) return RESIDA_ERR_MEMORY;
    mark_latent(s);
    return RESIDA_OK;
}

resida_status rsd_structure_create(rsd_structure *s, resida_problem *problem, resida_message *why)
{
    *s = (rsd_structure){.problem = problem};
    s->alloc = rsd_owned_by(&s->owner, &problem->alloc);
    resida_status status = make_lists(s);
    if (status >= 0) return RESIDA_OK;
    rsd_structure_free(s);
    return rsd_fail(why, status, "no memory for the structure of J");
}

void rsd_structure_free(rsd_structure *s)
{
    if (!s->problem) return;
    rsd_owner_free(&s->owner);
    *s = (rsd_structure){.problem = NULL};
}

/* Values in the order of the lists. */
static double *write_block(const rsd_structure *s, const rsd_shape *x, double *out)
{
    const rsd_mechanism *k = s->problem->mechanism;
    const int n = x->A ? x->A->nnz : x->columns == RSD_DIAGONAL ? x->rows : x->rows * x->columns;
    if (x->A && x->dropped) {
        for (int i = 0; i < x->A->rows; i++)
            for (int e = x->A->row[i]; e < x->A->row[i + 1]; e++) out[e] = x->dropped[i] ? 0 : x->values[e];
    } else if (x->columns == RSD_DIAGONAL) {
        for (int i = 0; i < n; i++)
            out[i] = x->dropped ? x->dropped[i] : x->values ? x->times * x->values[i] : x->times;
    } else if (x->values) {
        for (int e = 0; e < n; e++) out[e] = x->times * x->values[e];
    } else {
        for (int i = 0; i < x->columns; i++)
            rsd_apply_T(k, s->problem->rows->D.D + (long)i * k->m.n_v, out + (long)i * x->rows);
    }
    return out + n;
}

/* T, dg/dp, Gh, G, D2 and K at (t, p). */
static int eval_matrices(rsd_structure *s, double t, const double *p)
{
    const rsd_mechanism *k = s->problem->mechanism;
    const rsd_projection *D = &s->problem->rows->D;
    int verdict = rsd_rows_begin_with_G(s->problem->rows, t, p);
    if (!verdict) verdict = rsd_eval_invariant_matrix(s->problem->mechanism, t, p);
    if (!verdict && k->m.kinematic_matrix)
        rsd_csr_product(&s->G, s->G_values, &k->gp, k->gp_values, &k->T, k->T_values, s->G_work);
    if (!verdict && k->m.kinematic_matrix && s->problem->layout.tau >= 0 && !D->D)
        rsd_csr_product(&s->G, s->D2_values, &k->gp, D->gp ? D->gp : k->gp_values, &k->T, D->gp ? D->T : k->T_values,
                        s->G_work);
    return verdict;
}

int rsd_structure_known(rsd_structure *s, double t, const double *y, double *dy, double *dyp)
{
    rsd_mechanism *k = s->problem->mechanism;
    const double *p = y + s->problem->layout.p;
    int verdict = eval_matrices(s, t, p);
    if (!verdict && !k->is_explicit && k->m.mass_matrix) verdict = rsd_eval_mass_matrix(k, t, p, s->M);
    for (int b = 0; b < s->n_blocks && !verdict; b++) {
        double **out = s->block[b].in_yp ? &dyp : &dy;
        *out = write_block(s, &s->shape[b], *out);
    }
    return verdict;
}

/* dPhi/dlam [nnz] becomes alpha dPhi/dlam, alpha G', alpha Gh', one after the other. */
static int write_open_force(rsd_structure *s, double t, double alpha, const double *p, double *values)
{
    const rsd_shape G = shape_of(s, RSD_FORCE_G), Gh = shape_of(s, RSD_FORCE_GH);
    int verdict = eval_matrices(s, t, p);
    if (verdict) return verdict;
    double *end = write_block(s, &Gh, write_block(s, &G, values + s->problem->mechanism->Phi_lam.nnz));
    for (double *x = values; x < end; x++) *x *= alpha;
    return 0;
}

int rsd_structure_derivatives(rsd_structure *s, double t, double alpha, const double *y, const double *yp,
                              double *values)
{
    resida_problem *q = s->problem;
    rsd_mechanism *k = q->mechanism;
    if (!k) return rsd_problem_dae_jacobian(q, t, alpha, y, yp, values);
    const double *p = y + q->layout.p, *lam = rsd_problem_lam(q, y, yp);
    int verdict = rsd_eval_excitation(k, t);
    if (!verdict) verdict = rsd_eval_derivatives(k, t, p, y + q->layout.v, rsd_problem_a(q, y, yp), lam, values);
    if (verdict || !rsd_force_is_open(s)) return verdict;
    return write_open_force(s, t, alpha, p, values + k->Phi_p.nnz + k->Phi_v.nnz);
}
