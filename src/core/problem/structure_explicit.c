/* structure_explicit.c - the possible entries of dphi/dp, dphi/dv and dphi/dlam of the explicit formalism, from the
 * patterns of the residual formalism. phi solves Phi(p, v, phi, lam) + G'lam = 0. Therefore
 *
 *     dphi = -M^-1 d(Phi + G'lam).
 *
 * M^-1 is full within a set of coordinates that M couples (the bodies of one tree), and zero between two sets. If one
 * row of a set has an entry in a column, all rows of the set have an entry in this column. If M couples all
 * coordinates, dphi is full. */
#include "structure.h"

#include <string.h>

/* Find the sets of coordinates that M couples. set[i] is set to the smallest coordinate of the set of coordinate i.
 * Return the number of sets. */
static int find_coupled_sets(const rsd_csr *M, int *set)
{
    int sets = M->rows;
    for (int i = 0; i < M->rows; i++) set[i] = i;
    for (int i = 0; i < M->rows; i++)
        for (int e = M->row[i]; e < M->row[i + 1]; e++) sets -= rsd_unite_sets(set, i, M->col[e]);
    for (int i = 0; i < M->rows; i++) set[i] = rsd_find_set(set, i);
    return sets;
}

/* Set next[i] to the coordinate after i in the set of i, or to -1 after the last one. last [n_v] is work space. */
static void merge_sets(int n_v, const int *set, int *next, int *last)
{
    for (int i = 0; i < n_v; i++) {
        next[i] = -1;
        if (set[i] != i) next[last[set[i]]] = i;
        last[set[i]] = i;
    }
}

resida_status rsd_find_coupled_sets(rsd_structure *s)
{
    const rsd_mechanism *k = s->problem->mechanism;
    if (!k->is_explicit || !k->Phi_p.row || !k->M.row || k->m.kinematic_matrix || k->m.n_h > 0) return RESIDA_OK;
    const resida_allocator *a = &s->alloc;
    if (!RSD_INTS(a, k->m.n_v, &s->set, &s->next) || !RSD_INTS(a, s->problem->layout.n, &s->seen))
        return RESIDA_ERR_MEMORY;
    s->n_sets = find_coupled_sets(&k->M, s->set);
    merge_sets(k->m.n_v, s->set, s->next, s->seen);
    return RESIDA_OK;
}

/* Append the entries of a column of dphi in all rows of a set, unless s->seen shows that the list contains them. */
static void append_column(const rsd_structure *s, rsd_places *l, int set, int column)
{
    if (s->seen[column] == set + 1) return;
    s->seen[column] = set + 1;
    for (int i = set; i >= 0; i = s->next[i]) rsd_append_position(l, s->problem->layout.v + i, column);
}

/* Append entries in all rows of a set, in the columns of row i of A. Column 0 of A is first_column of J. */
static void append_row(const rsd_structure *s, rsd_places *l, int set, const rsd_csr *A, int i, int first_column)
{
    for (int e = A->row[i]; e < A->row[i + 1]; e++) append_column(s, l, set, first_column + A->col[e]);
}

/* Append the entries in all rows of a set. The direction of a constraint force depends on the coordinates in its row of
 * G. */
static void append_set(const rsd_structure *s, rsd_places *l, int set)
{
    const resida_layout *q = &s->problem->layout;
    const rsd_mechanism *k = s->problem->mechanism;
    for (int i = set; i >= 0; i = s->next[i]) {
        append_row(s, l, set, &k->Phi_p, i, q->p);
        append_row(s, l, set, &k->Phi_v, i, q->v);
        if (k->uses_lam) append_row(s, l, set, &k->Phi_lam, i, q->lam);
        if (q->lam < 0 || q->n_g == 0) continue;
        append_row(s, l, set, &s->acts_on, i, q->lam);
        for (int e = s->acts_on.row[i]; e < s->acts_on.row[i + 1]; e++)
            append_row(s, l, set, &s->gp, s->acts_on.col[e], q->p);
    }
}

void rsd_list_explicit_entries(const rsd_structure *s, rsd_places *l)
{
    const resida_layout *q = &s->problem->layout;
    if (s->n_sets < 2) {
        l->n = -1;
        return;
    }
    memset(s->seen, 0, (size_t)q->n * sizeof *s->seen);
    for (int set = 0; set < q->n_v; set++)
        if (s->set[set] == set) append_set(s, l, set);
}
