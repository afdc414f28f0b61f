/* structure_open.c - lists the possible entries of the unknown parts of J. The entries of the formalism part follow
 * from the patterns of dPhi/dp, dPhi/dv and dPhi/dlam, or of J of a DAE. The entries of the constraint part are second
 * derivatives of constraints. They follow from the pattern of dg/dp, because a constraint has second derivatives only
 * in the coordinates on which it depends. */
#include "structure.h"

#include "base/linear/csr.h"

void rsd_append_position(rsd_places *l, int row, int column)
{
    if (l->row) {
        l->row[l->n] = row;
        l->column[l->n] = column;
    }
    l->n++;
}

/* Return the resida_column bits of the columns of lam. The columns of lam have unknown entries if the formalism is
 * explicit or if forces depend on lam. */
static unsigned get_column_bits_of_lam(const rsd_mechanism *k, const resida_layout *q)
{
    if (!k->is_explicit && !k->uses_lam) return 0;
    if (q->rates) return RESIDA_COLUMN_YP;
    return RESIDA_COLUMN_FORMALISM | (k->uses_lam ? 0u : RESIDA_COLUMN_LINEAR);
}

static void set_column_bits(rsd_structure *s, int first, int n, unsigned bits)
{
    for (int i = 0; first >= 0 && i < n; i++) s->columns[first + i] = (unsigned char)bits;
}

/* Mark the columns of p, v, lam and a. Columns of eta, tau and eta_k are known. */
static void set_mechanism_bits(rsd_structure *s)
{
    const resida_layout *q = &s->problem->layout;
    const rsd_mechanism *k = s->problem->mechanism;
    int curved = k->n_l > 0 || k->m.kinematic_matrix, open_M = !k->is_explicit && !k->m.mass_matrix;
    int twice = s->problem->form->level == RSD_ACCELERATION;
    set_column_bits(s, q->p, q->n_p, RESIDA_COLUMN_FORMALISM | (curved ? RESIDA_COLUMN_CONSTRAINT : 0u));
    unsigned of_v = RESIDA_COLUMN_FORMALISM | (twice ? RESIDA_COLUMN_CONSTRAINT : 0u);
    set_column_bits(s, q->v, q->n_v, of_v);
    if (open_M && q->a < 0) set_column_bits(s, q->v, k->n_w, of_v | RESIDA_COLUMN_YP);
    set_column_bits(s, q->lam, k->n_l, get_column_bits_of_lam(k, q));
    set_column_bits(s, q->a, q->n_v, 0u);
    if (open_M) set_column_bits(s, q->a, k->n_w, RESIDA_COLUMN_FORMALISM | RESIDA_COLUMN_LINEAR);
}

/* Mark the columns of a DAE. Algebraic components have no derivative in F. */
static void mark_columns_of_dae(rsd_structure *s)
{
    for (int i = 0; i < s->problem->layout.n; i++) {
        resida_kind kind = s->problem->kinds[i];
        int has_derivative = kind == RESIDA_DIFFERENTIAL || kind == RESIDA_DIFFERENTIAL_2;
        s->columns[i] = (unsigned char)(RESIDA_COLUMN_FORMALISM | (has_derivative ? RESIDA_COLUMN_YP : 0));
    }
}

void rsd_set_column_bits(rsd_structure *s)
{
    if (s->problem->mechanism)
        set_mechanism_bits(s);
    else
        mark_columns_of_dae(s);
}

void rsd_list_formalism_entries(const rsd_structure *s, rsd_places *l)
{
    const resida_problem *q = s->problem;
    const rsd_mechanism *k = q->mechanism;
    const rsd_csr *first = k ? &k->Phi_p : &q->J;
    if (k && k->is_explicit) {
        rsd_list_explicit_entries(s, l);
        return;
    }
    if (!first->row || (k && !k->m.mass_matrix)) {
        l->n = -1;
        return;
    }
    rsd_append_matrix(l, first, k ? q->layout.v : 0, k ? q->layout.p : 0);
    if (!k) return;
    rsd_append_matrix(l, &k->Phi_v, q->layout.v, q->layout.v);
    if (k->uses_lam) rsd_append_matrix(l, &k->Phi_lam, q->layout.v, q->layout.lam);
    if (!rsd_has_shared_force(s->problem)) return;
    for (int i = 0; i < 2; i++) rsd_append_block(l, &s->force[i]);
}

/* Return 1 if the pattern of dg/dp alone determines the positions of the constraint part: there is no T, there are no
 * nonholonomic constraints, and the directions D are (dg/dp)'. */
static int has_known_curvature(const rsd_structure *s)
{
    const rsd_mechanism *k = s->problem->mechanism;
    return k && !k->m.kinematic_matrix && !(s->problem->rows->D.in_rows && s->problem->rows->D.D) &&
           (k->n_l == 0 || ((k->G_is_given || k->G_is_learnt) && k->m.n_h == 0));
}

resida_status rsd_find_constraint_pairs(rsd_structure *s)
{
    const rsd_mechanism *k = s->problem->mechanism;
    if (k->m.n_g == 0 || !(has_known_curvature(s) || s->n_sets > 1)) return RESIDA_OK;
    RSD_TRY(rsd_csr_create_transpose(&s->acts_on, &s->gp, &s->alloc));
    return has_known_curvature(s) ? rsd_csr_create_product(&s->bends, &s->acts_on, &s->gp, &s->alloc) : RESIDA_OK;
}

/* Append the entries d(G v + gI)/dp of constraint i. They are in the columns of the entries of row i of dg/dp. A
 * constraint that is differentiated twice also has entries in the columns of v. */
static void append_curvature(rsd_places *l, const rsd_structure *s, int i)
{
    const resida_layout *q = &s->problem->layout;
    rsd_level level = s->problem->form->level;
    for (int e = s->gp.row[i]; e < s->gp.row[i + 1]; e++) {
        int column = q->p + s->gp.col[e];
        if (level != RSD_POSITION) rsd_append_position(l, q->lam + i, column);
        if (level == RSD_ACCELERATION) rsd_append_position(l, q->lam + i, q->v + s->gp.col[e]);
        if (q->tau >= 0) rsd_append_position(l, q->tau + i, column);
    }
}

/* List d(G' lam)/dp and d((dg/dp)' eta)/dp: one entry for each pair of coordinates in a common constraint. */
void rsd_list_constraint_entries(const rsd_structure *s, rsd_places *l)
{
    const resida_layout *q = &s->problem->layout;
    if (!has_known_curvature(s)) {
        l->n = -1;
        return;
    }
    const rsd_mechanism *k = s->problem->mechanism;
    for (int i = 0; i < k->m.n_g; i++) append_curvature(l, s, i);
    if (!k->is_explicit) rsd_append_matrix(l, &s->bends, q->v, q->p);
    if (q->eta >= 0) rsd_append_matrix(l, &s->bends, q->p, q->p);
    if (q->a >= 0) rsd_append_matrix(l, &s->bends, q->a, q->p);
}
