/* structure_open.c - what of J is not known, and where it may have entries: for the dear part from the patterns of dPhi/dp,
 * dPhi/dv and dPhi/dlam, or of a DAE's J; for the cheap part, the curvature of the constraints, from that of dg/dp: a constraint bends
 * only in the coordinates that it depends on. */
#include "structure.h"

void rsd_put(rsd_places *l, int row, int column)
{
    if (l->row) {
        l->row[l->n] = row;
        l->column[l->n] = column;
    }
    l->n++;
}

static void mechanism_columns(rsd_structure *s)
{
    const resida_layout *q = &s->problem->layout;
    const rsd_mechanism *k = s->problem->mechanism;
    int curved = k->n_l > 0 || k->m.kinematic_matrix, open_M = !k->is_explicit && !k->m.mass_matrix;
    for (int i = 0; i < q->n; i++)
        if (i < q->v)
            s->columns[i] = (unsigned char)(RESIDA_COLUMN_DEAR | (curved ? RESIDA_COLUMN_CHEAP : 0));
        else if (i < q->v + q->n_v)
            s->columns[i] = (unsigned char)(RESIDA_COLUMN_DEAR | (open_M ? RESIDA_COLUMN_YP : 0));
        else if ((k->is_explicit || k->uses_lam) && (q->eta < 0 || i < q->eta))
            s->columns[i] = RESIDA_COLUMN_DEAR;
}

/* Algebraic components have no derivative in F. */
static void dae_columns(rsd_structure *s)
{
    for (int i = 0; i < s->problem->layout.n; i++) {
        int has_derivative = s->problem->kinds[i] == RESIDA_DIFFERENTIAL;
        s->columns[i] = (unsigned char)(RESIDA_COLUMN_DEAR | (has_derivative ? RESIDA_COLUMN_YP : 0));
    }
}

void rsd_open_columns(rsd_structure *s)
{
    if (s->problem->mechanism)
        mechanism_columns(s);
    else
        dae_columns(s);
}

static void put_csr(rsd_places *l, const rsd_csr *A, int row, int column)
{
    for (int i = 0; i < A->rows; i++)
        for (int e = A->row[i]; e < A->row[i + 1]; e++) rsd_put(l, row + i, column + A->col[e]);
}

void rsd_open_dear(const rsd_structure *s, rsd_places *l)
{
    const resida_problem *q = s->problem;
    const rsd_mechanism *k = q->mechanism;
    const rsd_csr *first = k ? &k->Phi_p : &q->J;
    if (k && k->is_explicit) {
        rsd_open_explicit(s, l);
        return;
    }
    if (!first->row || (k && !k->m.mass_matrix)) {
        l->n = -1;
        return;
    }
    put_csr(l, first, k ? q->layout.v : 0, k ? q->layout.p : 0);
    if (!k) return;
    put_csr(l, &k->Phi_v, q->layout.v, q->layout.v);
    if (k->uses_lam) put_csr(l, &k->Phi_lam, q->layout.v, q->layout.lam);
}

/* Constraint i bends in the coordinates of row i of dg/dp: d(G' lam)/dp, d((dg/dp)' eta)/dp, d(G v + gI)/dp. */
static void put_bends(rsd_places *l, const rsd_structure *s, int i)
{
    const resida_layout *q = &s->problem->layout;
    const rsd_mechanism *k = s->problem->mechanism;
    for (int e = k->gp.row[i]; e < k->gp.row[i + 1]; e++) {
        int column = q->p + k->gp.col[e];
        rsd_put(l, q->lam + i, column);
        for (int f = k->gp.row[i]; f < k->gp.row[i + 1]; f++) {
            if (!k->is_explicit) rsd_put(l, q->v + k->gp.col[f], column);
            if (q->eta >= 0) rsd_put(l, q->p + k->gp.col[f], column);
        }
    }
}

void rsd_open_cheap(const rsd_structure *s, rsd_places *l)
{
    const rsd_mechanism *k = s->problem->mechanism;
    if (!k || k->m.kinematic_matrix || (k->n_l > 0 && (!k->G_is_given || k->m.n_h > 0))) {
        l->n = -1;
        return;
    }
    for (int i = 0; i < k->m.n_g; i++) put_bends(l, s, i);
}
