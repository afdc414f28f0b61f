/* structure.c - the known entries of J. structure.h shows the blocks.
 *
 * The positions are listed once, with the sources of their values, for rsd_structure_eval_known(). structure_open.c
 * lists the positions of the unknown entries. */
#include "structure.h"

#include "rows.h"

#include <string.h>

static rsd_shape make_diagonal(const rsd_structure *s, int n, double value)
{
    return (rsd_shape){.rows = n, .columns = RSD_DIAGONAL, .values = s->ones, .factor = value};
}

static rsd_shape make_matrix(const rsd_csr *A, const double *values, const unsigned char *dropped)
{
    return (rsd_shape){.A = A, .values = values, .factor = 1, .dropped = dropped, .is_latent = !rsd_csr_is_sparse(A)};
}

static rsd_shape make_transposed(const rsd_csr *A, const double *values)
{
    return (rsd_shape){.A = A, .is_transposed = 1, .values = values, .factor = 1, .is_latent = !rsd_csr_is_sparse(A)};
}

static rsd_shape make_full(int rows, int columns, const double *values)
{
    return (rsd_shape){.rows = rows, .columns = columns, .values = values, .factor = 1};
}

/* Return a diagonal block of n rows. Its entries are 1 in dropped rows and 0 in other rows. */
static rsd_shape make_dropped_diagonal(const rsd_structure *s, int n)
{
    const unsigned char *dropped = s->problem->mechanism->dropped;
    return (rsd_shape){.rows = n, .columns = RSD_DIAGONAL, .values = s->ones, .dropped = dropped};
}

/* Set s->gp to the pattern of dg/dp of the mechanism, or to a copy if the pattern is learnt and may change. */
static resida_status set_gp_pattern(rsd_structure *s)
{
    const rsd_mechanism *k = s->problem->mechanism;
    s->G_number = k->G_number;
    s->gp = k->gp, s->gp_values = k->gp_values;
    if (!k->G_is_learnt) return RESIDA_OK;
    RSD_TRY(rsd_csr_copy(&s->gp, k->gp.rows, k->gp.cols, k->gp.row, k->gp.col, &s->alloc));
    return RSD_DOUBLES(&s->alloc, k->gp.nnz, &s->gp_values) ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

int rsd_structure_is_outdated(const rsd_structure *s)
{
    return s->problem->mechanism && s->G_number != s->problem->mechanism->G_number;
}

/* If the pattern is learnt, copy the mechanism's values of dg/dp at the entries of s->gp to s->gp_values. */
static void copy_gp_values(rsd_structure *s)
{
    const rsd_mechanism *k = s->problem->mechanism;
    for (int i = 0; i < s->gp.rows && k->G_is_learnt; i++)
        for (int e = s->gp.row[i], at = k->gp.row[i]; e < s->gp.row[i + 1]; e++, at++) {
            while (k->gp.col[at] < s->gp.col[e]) at++;
            s->gp_values[e] = k->gp_values[at];
        }
}

static const rsd_csr *get_G_pattern(const rsd_structure *s)
{
    const rsd_mechanism *k = s->problem->mechanism;
    return k->m.kinematic_matrix ? &s->G : &s->gp;
}

static const double *get_G_values(const rsd_structure *s)
{
    const rsd_mechanism *k = s->problem->mechanism;
    return k->m.kinematic_matrix ? s->G_values : s->gp_values;
}

void rsd_append_matrix(rsd_places *l, const rsd_csr *A, int row, int column)
{
    rsd_append_block(l, &(rsd_block){.shape = {.A = A}, .row = row, .column = column});
}

/* Append the value x->values[e] of an entry in row i of a block to the sources of l. The last source is extended if the
 * value is next in its array and has the same factor. Otherwise a source is added. */
static void add_source(rsd_places *l, const rsd_shape *x, int i, int e)
{
    static const unsigned char kept = 0;
    const rsd_source one = {x->values + e, 1, x->factor, x->A ? 0 : 1, x->dropped ? x->dropped + i : &kept};
    rsd_source *last = l->n_sources > 0 ? &l->source[l->n_sources - 1] : NULL;
    if (last && last->values + last->n == one.values && last->factor == one.factor && last->dropped == one.dropped)
        last->n++;
    else
        l->source[l->n_sources++] = one;
}

/* Append entry (i, j) of the matrix of block b, with the value b->shape.values[e], to the list of known entries. */
static void append_entry(rsd_places *l, const rsd_block *b, int i, int j, int e)
{
    if (l->source) add_source(l, &b->shape, i, e);
    rsd_append_position(l, b->row + (b->shape.is_transposed ? j : i), b->column + (b->shape.is_transposed ? i : j));
}

void rsd_append_block(rsd_places *l, const rsd_block *b)
{
    const rsd_shape *x = &b->shape;
    for (int i = 0; x->A && i < x->A->rows; i++)
        for (int e = x->A->row[i]; e < x->A->row[i + 1]; e++) append_entry(l, b, i, x->A->col[e], e);
    for (int c = 0; !x->A && c < x->columns; c++)
        for (int i = 0; i < x->rows; i++) append_entry(l, b, i, c, c * x->rows + i);
    for (int i = 0; x->columns == RSD_DIAGONAL && i < x->rows; i++) append_entry(l, b, i, i, i);
}

static int count_entries(const rsd_shape *x)
{
    return x->A ? x->A->nnz : x->columns == RSD_DIAGONAL ? x->rows : x->rows * x->columns;
}

static void add_block(rsd_structure *s, rsd_shape shape, int row, int column, int in_yp)
{
    s->block[s->n_blocks++] = (rsd_block){shape, row, column, in_yp};
}

/* Add the blocks G and Gh in n_l rows, in the columns of v or of a. */
static void add_G_blocks(rsd_structure *s, int row, int column, int in_yp)
{
    const rsd_mechanism *k = s->problem->mechanism;
    const int n_g = k->m.n_g;
    add_block(s, make_matrix(get_G_pattern(s), get_G_values(s), k->dropped), row, column, in_yp);
    add_block(s, make_matrix(&k->Gh, k->Gh_values, k->dropped + n_g), row + n_g, column, in_yp);
}

static int get_column_of_a(const resida_layout *q)
{
    return q->a < 0 ? q->v : q->a;
}

/* Set the blocks G', Gh' in the columns of lam and the dynamic rows. */
static void set_force_blocks(rsd_structure *s)
{
    const resida_layout *q = &s->problem->layout;
    const rsd_mechanism *k = s->problem->mechanism;
    s->force[0] = (rsd_block){make_transposed(get_G_pattern(s), get_G_values(s)), q->v, q->lam, q->rates};
    s->force[1] = (rsd_block){make_transposed(&k->Gh, k->Gh_values), q->v, q->lam + q->n_g, q->rates};
}

static void add_lam_blocks(rsd_structure *s)
{
    const resida_layout *q = &s->problem->layout;
    const rsd_mechanism *k = s->problem->mechanism;
    const resida_model_contacts *c = &s->problem->contacts.given;
    rsd_level level = s->problem->form->level;
    if (level == RSD_POSITION) {
        add_block(s, make_matrix(&s->gp, s->gp_values, k->dropped), q->lam, q->p, 0);
        add_block(s, make_matrix(&k->Gh, k->Gh_values, k->dropped + q->n_g), q->lam + q->n_g, q->v, 0);
    } else if (level == RSD_VELOCITY) {
        add_G_blocks(s, q->lam, q->v, 0);
    } else {
        add_G_blocks(s, q->lam, get_column_of_a(q), q->a < 0);
    }
    add_block(s, make_dropped_diagonal(s, k->n_l), q->lam, q->lam, q->rates);
    if (c->friction) {
        rsd_shape slip = make_diagonal(s, c->n, -1);
        slip.values = k->slip + q->n_g + c->first_h;
        add_block(s, slip, q->lam + q->n_g + c->first_h, q->lam + c->first_g, q->rates);
    }
    if (k->is_explicit || rsd_has_shared_force(s->problem)) return;
    for (int i = 0; i < 2; i++) s->block[s->n_blocks++] = s->force[i];
}

static void add_eta_blocks(rsd_structure *s)
{
    const resida_layout *q = &s->problem->layout;
    const rsd_mechanism *k = s->problem->mechanism;
    const rsd_projection *D = &s->problem->rows->D;
    const rsd_shape D1 =
        D->D ? make_full(q->n_p, q->n_g, s->TD) : make_transposed(&s->gp, D->gp ? D->gp : s->gp_values);
    add_block(s, make_matrix(&s->gp, s->gp_values, k->dropped), q->eta, q->p, 0);
    add_block(s, D1, q->p, q->eta, q->rates);
    add_block(s, make_dropped_diagonal(s, q->n_g), q->eta, q->eta, q->rates);
}

static void add_tau_blocks(rsd_structure *s)
{
    const resida_layout *q = &s->problem->layout;
    const rsd_mechanism *k = s->problem->mechanism;
    const rsd_projection *D = &s->problem->rows->D;
    const double *of_g = k->m.kinematic_matrix ? s->D2_values : D->gp ? D->gp : s->gp_values;
    rsd_shape D2[] = {make_transposed(get_G_pattern(s), of_g), make_transposed(&k->Gh, D->gp ? D->Gh : k->Gh_values)};
    if (D->D) D2[0] = make_full(q->n_v, q->n_g, D->D), D2[1] = make_full(q->n_v, q->n_h, D->D + (long)q->n_g * q->n_v);
    D2[0].is_latent = D2[1].is_latent = 0;
    add_G_blocks(s, q->tau, q->v, 0);
    add_block(s, make_dropped_diagonal(s, k->n_l), q->tau, q->tau, 0);
    add_block(s, D2[0], q->a, q->tau, 0);
    add_block(s, D2[1], q->a, q->tau + q->n_g, 0);
    add_block(s, make_diagonal(s, q->n_v, -1), q->a, q->a, 0);
    add_block(s, make_diagonal(s, q->n_v, 1), q->a, q->v, 1);
}

/* List the blocks of known entries of the formulation (structure.h) in s->block. */
static void list_blocks(rsd_structure *s)
{
    const resida_layout *q = &s->problem->layout;
    const rsd_mechanism *k = s->problem->mechanism;
    rsd_shape T = k->m.kinematic_matrix ? make_matrix(&k->T, k->T_values, NULL) : make_diagonal(s, q->n_p, 1);
    T.factor = -1;
    add_block(s, T, q->p, q->v, 0);
    if (q->lam >= 0) add_lam_blocks(s);
    if (q->eta >= 0) add_eta_blocks(s);
    if (q->tau >= 0) add_tau_blocks(s);
    if (q->eta_k >= 0) {
        add_block(s, make_matrix(&k->invariants.K, k->invariants.values, NULL), q->eta_k, q->p, 0);
        add_block(s, make_transposed(&k->invariants.K, k->invariants.values), q->p, q->eta_k, q->rates);
    }
    add_block(s, make_diagonal(s, q->n_p, 1), q->p, q->p, 1);
    if (k->is_explicit)
        add_block(s, make_diagonal(s, q->n_v, 1), q->v, get_column_of_a(q), q->a < 0);
    else if (k->m.mass_matrix)
        add_block(s, make_matrix(&k->M, s->M, NULL), q->v, get_column_of_a(q), q->a < 0);
    else if (q->n_z > 0)
        add_block(s, make_diagonal(s, q->n_z, 1), q->v + k->n_w, get_column_of_a(q) + k->n_w, q->a < 0);
}

/* Append the positions of the entries of all blocks to the list l of s, or count them. */
static void append_positions(const rsd_structure *s, rsd_places *l)
{
    if (l == &s->formalism)
        rsd_list_formalism_entries(s, l);
    else if (l == &s->constraint)
        rsd_list_constraint_entries(s, l);
    for (int b = 0; b < s->n_blocks; b++)
        if (l == (s->block[b].in_yp ? &s->yp : &s->y)) rsd_append_block(l, &s->block[b]);
}

/* Create the list l in two passes over the blocks. The first pass counts the positions. The second pass writes them. */
static resida_status create_list(const rsd_structure *s, rsd_places *l)
{
    const int is_known = l == &s->y || l == &s->yp;
    *l = (rsd_places){.n = 0};
    append_positions(s, l);
    if (l->n < 0) return RESIDA_OK; /* without known positions there is no list */
    if (is_known) l->source = rsd_calloc(&s->alloc, l->n, sizeof *l->source);
    if ((is_known && !l->source) || !RSD_INTS(&s->alloc, l->n, &l->row, &l->column)) return RESIDA_ERR_MEMORY;
    l->n = 0;
    append_positions(s, l);
    return RESIDA_OK;
}

static void mark_possible_zeros(rsd_structure *s)
{
    unsigned char *y = s->y_latent, *yp = s->yp_latent;
    for (int b = 0; b < s->n_blocks; b++) {
        unsigned char **to = s->block[b].in_yp ? &yp : &y;
        const int n = count_entries(&s->block[b].shape);
        memset(*to, s->block[b].shape.is_latent, (size_t)n);
        *to += n;
    }
}

static resida_status create_lists(rsd_structure *s)
{
    const rsd_mechanism *k = s->problem->mechanism;
    const resida_allocator *a = &s->alloc;
    s->columns = rsd_calloc(a, s->problem->layout.n, 1);
    if (!s->columns) return RESIDA_ERR_MEMORY;
    rsd_set_column_bits(s);
    if (k) {
        RSD_TRY(set_gp_pattern(s));
        if (k->m.kinematic_matrix) RSD_TRY(rsd_csr_create_product(&s->G, &s->gp, &k->T, a));
        if (!RSD_DOUBLES(a, k->M.nnz, &s->M) || !RSD_DOUBLES(a, s->G.nnz, &s->G_values, &s->D2_values) ||
            !RSD_DOUBLES(a, k->m.n_v, &s->G_work) ||
            !RSD_DOUBLES(a, s->problem->rows->D.D ? (long)k->m.n_p * k->m.n_g : 0, &s->TD) ||
            !RSD_DOUBLES(a, s->problem->layout.n, &s->ones))
            return RESIDA_ERR_MEMORY;
        for (int i = 0; i < s->problem->layout.n; i++) s->ones[i] = 1;
        set_force_blocks(s);
        list_blocks(s);
        RSD_TRY(rsd_find_coupled_sets(s));
        RSD_TRY(rsd_find_constraint_pairs(s));
    }
    RSD_TRY(create_list(s, &s->formalism));
    RSD_TRY(create_list(s, &s->constraint));
    if (!k) return RESIDA_OK;
    RSD_TRY(create_list(s, &s->y));
    RSD_TRY(create_list(s, &s->yp));
    s->y_latent = rsd_calloc(a, s->y.n, 1);
    s->yp_latent = rsd_calloc(a, s->yp.n, 1);
    if (!s->y_latent || !s->yp_latent) return RESIDA_ERR_MEMORY;
    mark_possible_zeros(s);
    return RESIDA_OK;
}

resida_status rsd_structure_create(rsd_structure *s, resida_problem *problem, resida_message *why)
{
    *s = (rsd_structure){.problem = problem};
    s->alloc = rsd_get_owned_allocator(&s->owner, &problem->alloc);
    resida_status status = create_lists(s);
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

/* Write the values of the known entries of J to out [l->n], from their sources. */
static void write_known_values(const rsd_places *l, double *out)
{
    const rsd_source *x = l->source, *end = x + l->n_sources;
    for (; x < end; out += x->n, x++) {
        const double *values = x->values, factor = x->factor;
        const int n = x->n;
        if (*x->dropped)
            for (int i = 0; i < n; i++) out[i] = x->if_dropped;
        else
            for (int i = 0; i < n; i++) out[i] = factor * values[i];
    }
}

/* Evaluate all matrices of the known entries at (t, p): T, dg/dp, Gh, G, D1, D2 and K. */
static int eval_matrices(rsd_structure *s, double t, const double *p)
{
    const rsd_mechanism *k = s->problem->mechanism;
    const rsd_projection *D = &s->problem->rows->D;
    int verdict = rsd_rows_eval_common_with_G(s->problem->rows, t, p);
    if (!verdict) verdict = rsd_eval_invariant_matrix(s->problem->mechanism, t, p);
    if (!verdict) copy_gp_values(s);
    if (!verdict && k->m.kinematic_matrix)
        rsd_csr_compute_product(&s->G, s->G_values, &s->gp, s->gp_values, &k->T, k->T_values, s->G_work);
    if (!verdict && k->m.kinematic_matrix && s->problem->layout.tau >= 0 && !D->D)
        rsd_csr_compute_product(&s->G, s->D2_values, &s->gp, D->gp ? D->gp : s->gp_values, &k->T,
                                D->gp ? D->T : k->T_values, s->G_work);
    for (int i = 0; D->D && i < k->m.n_g && !verdict; i++)
        rsd_apply_T(k, D->D + (long)i * k->m.n_v, s->TD + (long)i * k->m.n_p);
    return verdict;
}

int rsd_structure_eval_known(rsd_structure *s, double t, const double *y, double *dy, double *dyp)
{
    rsd_mechanism *k = s->problem->mechanism;
    const double *p = y + s->problem->layout.p;
    int verdict = eval_matrices(s, t, p);
    if (!verdict && !k->is_explicit && k->m.mass_matrix) verdict = rsd_eval_mass_matrix(k, t, p, s->M);
    if (verdict) return verdict;
    write_known_values(&s->y, dy);
    write_known_values(&s->yp, dyp);
    return 0;
}

/* Multiply values [nnz of dPhi/dlam] by alpha, and append the values of alpha G' and alpha Gh'. */
static int write_force_entries(rsd_structure *s, double t, double alpha, const double *p, double *values)
{
    int verdict = eval_matrices(s, t, p);
    if (verdict) return verdict;
    double *end = values + s->problem->mechanism->Phi_lam.nnz;
    for (int i = 0; i < 2; i++)
        for (int e = 0; e < count_entries(&s->force[i].shape); e++) *end++ = s->force[i].shape.values[e];
    for (double *x = values; x < end; x++) *x *= alpha;
    return 0;
}

int rsd_structure_eval_derivatives(rsd_structure *s, double t, double alpha, const double *y, const double *yp,
                                   double *values)
{
    resida_problem *q = s->problem;
    rsd_mechanism *k = q->mechanism;
    if (!k) return rsd_problem_eval_dae_J(q, t, alpha, y, yp, values);
    const double *p = y + q->layout.p, *lam = rsd_problem_get_lam(q, y, yp);
    int verdict = rsd_eval_excitation(k, t);
    if (!verdict) verdict = rsd_eval_derivatives(k, t, p, y + q->layout.v, rsd_problem_get_a(q, y, yp), lam, values);
    if (verdict || !rsd_has_shared_force(s->problem)) return verdict;
    return write_force_entries(s, t, alpha, p, values + k->Phi_p.nnz + k->Phi_v.nnz);
}
