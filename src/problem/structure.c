/* structure.c - the known entries of J, see structure.h for the blocks; numbers (7), (9), (10) of Arnold, Fuchs,
 * Fuehrer.
 *
 * Lists are made once; values are written in the same order by rsd_structure_known(). What is not known is in
 * structure_open.c. */
#include "structure.h"

#include "src/linear/csr_product.h"
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

static void put_full(rsd_places *l, int rows, int columns, int row, int column)
{
    for (int c = 0; c < columns; c++)
        for (int r = 0; r < rows; r++) rsd_put(l, row + r, column + c);
}

void rsd_put_block(const rsd_structure *s, rsd_places *l, const rsd_block *b)
{
    const rsd_mechanism *k = s->problem->mechanism;
    int n_p = k->m.n_p, n_v = k->m.n_v, n_g = k->m.n_g, is_force = b->of == RSD_FORCE_G || b->of == RSD_FORCE_GH;
    switch (b->of) {
    case RSD_MINUS_T:
        if (k->m.kinematic_matrix)
            put_matrix(l, &k->T, b->row, b->column, 0);
        else
            put_diagonal(l, n_p, b->row, b->column);
        return;
    case RSD_ROWS_GP:
        put_matrix(l, &k->gp, b->row, b->column, 0);
        return;
    case RSD_ROWS_G:
    case RSD_FORCE_G:
        put_matrix(l, pattern_of_G(s), b->row, b->column, is_force);
        return;
    case RSD_ROWS_GH:
    case RSD_FORCE_GH:
        put_matrix(l, &k->Gh, b->row, b->column, is_force);
        return;
    case RSD_D1:
        if (s->problem->rows->D.D)
            put_full(l, n_p, n_g, b->row, b->column);
        else
            put_matrix(l, &k->gp, b->row, b->column, 1);
        return;
    case RSD_D2:
        if (s->problem->rows->D.D) {
            put_full(l, n_v, k->n_l, b->row, b->column);
            return;
        }
        put_matrix(l, pattern_of_G(s), b->row, b->column, 1);
        put_matrix(l, &k->Gh, b->row, b->column + n_g, 1);
        return;
    case RSD_ROWS_K:
    case RSD_ALONG_K:
        put_matrix(l, &k->invariants.K, b->row, b->column, b->of == RSD_ALONG_K);
        return;
    case RSD_MASS:
        put_matrix(l, &k->M, b->row, b->column, 0);
        return;
    case RSD_DROPPED_L:
    case RSD_DROPPED_G:
        put_diagonal(l, b->of == RSD_DROPPED_L ? k->n_l : n_g, b->row, b->column);
        return;
    case RSD_UNIT_P:
    case RSD_UNIT_V:
    case RSD_MINUS_UNIT_V:
        put_diagonal(l, b->of == RSD_UNIT_P ? n_p : n_v, b->row, b->column);
        return;
    case RSD_UNIT_Z:
        put_diagonal(l, k->m.n_z, b->row, b->column);
        return;
    }
}

static void add_block(rsd_structure *s, rsd_block_of of, int row, int column, int in_yp)
{
    s->block[s->n_blocks++] = (rsd_block){of, row, column, in_yp};
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
        add_block(s, RSD_D2, q->a, q->tau, 0);
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
    l->row = rsd_calloc(a, l->n, sizeof(int));
    l->column = rsd_calloc(a, l->n, sizeof(int));
    if (!l->row || !l->column) return RESIDA_ERR_MEMORY;
    l->n = 0;
    list(s, l);
    return RESIDA_OK;
}

/* The matrix of a block, where the model may have given it as a full one for want of a pattern; NULL: it has none. */
static const rsd_csr *matrix_of(const rsd_structure *s, rsd_block_of of)
{
    const rsd_mechanism *k = s->problem->mechanism;
    switch (of) {
    case RSD_MINUS_T:
        return k->m.kinematic_matrix ? &k->T : NULL;
    case RSD_ROWS_GP:
        return &k->gp;
    case RSD_ROWS_G:
    case RSD_FORCE_G:
        return pattern_of_G(s);
    case RSD_ROWS_GH:
    case RSD_FORCE_GH:
        return &k->Gh;
    case RSD_D1:
        return s->problem->rows->D.D ? NULL : &k->gp;
    case RSD_ROWS_K:
    case RSD_ALONG_K:
        return &k->invariants.K;
    case RSD_MASS:
        return &k->M;
    default:
        return NULL;
    }
}

/* Entries of full matrices may be zero for good. */
static void mark_latent(rsd_structure *s)
{
    unsigned char *y = s->y_latent, *yp = s->yp_latent;
    for (int b = 0; b < s->n_blocks; b++) {
        const rsd_csr *A = matrix_of(s, s->block[b].of);
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
    RSD_TRY(make_list(s, &s->dear, rsd_open_dear));
    RSD_TRY(make_list(s, &s->cheap, rsd_open_cheap));
    if (!k) return RESIDA_OK;
    s->M = rsd_doubles(a, k->M.nnz);
    s->G_values = rsd_doubles(a, s->G.nnz);
    s->D2_values = rsd_doubles(a, s->G.nnz);
    s->G_work = rsd_doubles(a, k->m.n_v);
    if (!s->M || !s->G_values || !s->D2_values || !s->G_work) return RESIDA_ERR_MEMORY;
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
static double *write_values(double *out, const double *values, int n, double sign)
{
    for (int k = 0; k < n; k++) out[k] = sign * values[k];
    return out + n;
}

/* A matrix with one row for each constraint: rows that were dropped are zero. */
static double *write_rows(double *out, const rsd_csr *A, const double *values, const unsigned char *dropped)
{
    for (int i = 0; i < A->rows; i++)
        for (int k = A->row[i]; k < A->row[i + 1]; k++) *out++ = dropped[i] ? 0 : values[k];
    return out;
}

static double *write_same(double *out, int n, double value)
{
    for (int i = 0; i < n; i++) out[i] = value;
    return out + n;
}

static double *write_diagonal(double *out, const unsigned char *ones, int n)
{
    for (int i = 0; i < n; i++) out[i] = ones[i];
    return out + n;
}

static double *write_D1(const rsd_mechanism *k, const rsd_projection *D, double *out)
{
    if (!D->D) return write_values(out, D->gp ? D->gp : k->gp_values, k->gp.nnz, 1);
    for (int i = 0; i < k->m.n_g; i++, out += k->m.n_p) rsd_apply_T(k, D->D + (long)i * k->m.n_v, out);
    return out;
}

/* D2 in the order of rsd_put_block(): G' and Gh', or by columns. */
static double *write_D2(rsd_structure *s, double *out)
{
    rsd_mechanism *k = s->problem->mechanism;
    const rsd_projection *D = &s->problem->rows->D;
    if (D->D) return write_values(out, D->D, k->n_l * k->m.n_v, 1);
    const double *gp = D->gp ? D->gp : k->gp_values, *T = D->gp ? D->T : k->T_values;
    const double *Gh = D->gp ? D->Gh : k->Gh_values;
    if (k->m.kinematic_matrix) {
        rsd_csr_product(&s->G, s->D2_values, &k->gp, gp, &k->T, T, s->G_work);
        out = write_values(out, s->D2_values, s->G.nnz, 1);
    } else {
        out = write_values(out, gp, k->gp.nnz, 1);
    }
    return write_values(out, Gh, k->Gh.nnz, 1);
}

static double *write_block(rsd_structure *s, const rsd_block *b, double *out)
{
    const rsd_mechanism *k = s->problem->mechanism;
    const rsd_csr *G = pattern_of_G(s);
    const double *G_values = k->m.kinematic_matrix ? s->G_values : k->gp_values;
    switch (b->of) {
    case RSD_MINUS_T:
        return k->m.kinematic_matrix ? write_values(out, k->T_values, k->T.nnz, -1) : write_same(out, k->m.n_p, -1);
    case RSD_ROWS_GP:
        return write_rows(out, &k->gp, k->gp_values, k->dropped);
    case RSD_ROWS_G:
        return write_rows(out, G, G_values, k->dropped);
    case RSD_ROWS_GH:
        return write_rows(out, &k->Gh, k->Gh_values, k->dropped + k->m.n_g);
    case RSD_FORCE_G:
        return write_values(out, G_values, G->nnz, 1);
    case RSD_FORCE_GH:
        return write_values(out, k->Gh_values, k->Gh.nnz, 1);
    case RSD_D1:
        return write_D1(k, &s->problem->rows->D, out);
    case RSD_D2:
        return write_D2(s, out);
    case RSD_DROPPED_L:
        return write_diagonal(out, k->dropped, k->n_l);
    case RSD_DROPPED_G:
        return write_diagonal(out, k->dropped, k->m.n_g);
    case RSD_UNIT_P:
        return write_same(out, k->m.n_p, 1);
    case RSD_UNIT_V:
        return write_same(out, k->m.n_v, 1);
    case RSD_UNIT_Z:
        return write_same(out, k->m.n_z, 1);
    case RSD_MINUS_UNIT_V:
        return write_same(out, k->m.n_v, -1);
    case RSD_ROWS_K:
    case RSD_ALONG_K:
        return write_values(out, k->invariants.values, k->invariants.K.nnz, 1);
    case RSD_MASS:
        return write_values(out, s->M, k->M.nnz, 1);
    }
    return out;
}

/* T, dg/dp, Gh, G and K at (t, p). */
static int eval_matrices(rsd_structure *s, double t, const double *p)
{
    const rsd_mechanism *k = s->problem->mechanism;
    int verdict = rsd_rows_begin_with_G(s->problem->rows, t, p);
    if (!verdict) verdict = rsd_eval_invariant_matrix(s->problem->mechanism, t, p);
    if (!verdict && k->m.kinematic_matrix)
        rsd_csr_product(&s->G, s->G_values, &k->gp, k->gp_values, &k->T, k->T_values, s->G_work);
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
        *out = write_block(s, &s->block[b], *out);
    }
    return verdict;
}

/* dPhi/dlam [nnz] becomes alpha dPhi/dlam, alpha G', alpha Gh', one after the other. */
static int write_open_force(rsd_structure *s, double t, double alpha, const double *p, double *values)
{
    static const rsd_block G = {RSD_FORCE_G, 0, 0, 1}, Gh = {RSD_FORCE_GH, 0, 0, 1};
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
