/* pattern.c - sparsity patterns of a system of beams. Forces on a node depend on the coordinates of the node and of all
 * nodes that share an element with it. M couples the same nodes, each component with the same component. */
#include <stdlib.h>

#include "constraint.h"

static int has_node(const bm_element *el, int node)
{
    return el->first <= node && node <= el->first + el->order;
}

/* Set s->near. The nodes of an element are consecutive, and so are those of all elements of a node. */
static int find_near(bm_system *s)
{
    s->near = malloc((size_t)s->n_node * sizeof *s->near);
    for (int i = 0; i < s->n_node && s->near; i++) s->near[i] = (bm_range){i, i};
    for (int k = 0; k < s->n_element && s->near; k++) {
        const int first = s->element[k].first, last = first + s->element[k].order;
        for (int i = first; i <= last; i++) {
            bm_range *near = &s->near[i];
            *near = (bm_range){first < near->first ? first : near->first, last > near->last ? last : near->last};
        }
    }
    return !s->near;
}

/* --- matrices: column indices of each row, in two passes; col NULL: entries are counted --- */

/* Put all coordinates of the nodes near node i, unless is_empty. @return number of entries */
static int put_stiffness(const bm_system *s, int i, int is_empty, int *col)
{
    int n = 0;
    for (int j = BM_P * s->near[i].first; j < BM_P * (s->near[i].last + 1) && !is_empty; j++, n++)
        if (col) col[n] = j;
    return n;
}

/* Return 1 if the d3 of both nodes are coupled by an entry of M. */
static int share_d3(const bm_system *s, int i, int j)
{
    int found = 0;
    for (int k = 0; k < s->n_lump; k++) found |= s->lump[k].node == i && i == j;
    for (const bm_element *el = s->element; el && el < s->element + s->n_element && !found; el++)
        found = has_node(el, i) && has_node(el, j) && el->section.rho_I3 > 0;
    return found;
}

/* Put component c of the nodes near node i. @return number of entries */
static int put_mass(const bm_system *s, int i, int c, int *col)
{
    const int is_d3 = c >= 9;
    int n = 0;
    for (int j = s->near[i].first; j <= s->near[i].last; j++) {
        if (is_d3 && !share_d3(s, i, j)) continue;
        if (col) col[n] = BM_P * j + c;
        n++;
    }
    return n;
}

static int is_damped(const bm_system *s)
{
    int found = 0;
    for (int k = 0; k < BM_STRAINS; k++) found |= s->damping[k] > 0;
    return found;
}

/* Put the rows of M (which 0), Phi_p (1) or Phi_v (2). @return number of entries */
static int put_rows(const bm_system *s, int which, int *row, int *col)
{
    int n = 0;
    row[0] = 0;
    for (int r = 0; r < BM_P * s->n_node; r++) {
        const int i = r / BM_P;
        int *at = col ? col + n : NULL;
        n += which == 0 ? put_mass(s, i, r % BM_P, at) : put_stiffness(s, i, which == 2 && !is_damped(s), at);
        row[r + 1] = n;
    }
    return n;
}

int bm_find_patterns(bm_system *s)
{
    resida_pattern *const all[] = {&s->M_pattern, &s->Phi_p_pattern, &s->Phi_v_pattern};
    const resida_excitation none = {s->p0, s->p0, s->p0}; /* the pattern does not depend on u */
    const int rows = BM_P * s->n_node + 1, of_G = s->n_row + 1;
    if (find_near(s)) return 1;
    int *scratch = malloc((size_t)(rows + of_G) * sizeof *scratch), size = 3 * rows + of_G;
    if (!scratch) return 1;
    for (int k = 0; k < 3; k++) size += put_rows(s, k, scratch, NULL);
    size += bm_rows(s, s->p0, &none, scratch, NULL, NULL);
    free(scratch);
    int *at = s->pattern = malloc((size_t)size * sizeof *at);
    if (!at) return 1;
    for (int k = 0; k < 3; k++) {
        int *row = at, *col = at + rows;
        at = col + put_rows(s, k, row, col);
        *all[k] = (resida_pattern){row, col};
    }
    s->G_pattern = (resida_pattern){at, at + of_G};
    (void)bm_rows(s, s->p0, &none, at, at + of_G, NULL);
    return 0;
}

int bm_place_in_M(const bm_system *s, int row, int col)
{
    int k = s->M_pattern.row[row];
    while (s->M_pattern.col[k] != col) k++;
    return k;
}
