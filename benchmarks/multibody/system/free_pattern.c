/* free_pattern.c - sparsity patterns of free bodies, see free_body.h: M is diagonal; T has a block for each body; G has
 * blocks for the two bodies of a row; dPhi/dp and dPhi/dv have blocks for the bodies that forces couple. */
#include "free_body.h"

#include <stdlib.h>

/* A pattern during construction. */
typedef struct writer {
    int *row, *col; /* next positions */
    int nnz;
} writer;

/* Begin the next pattern after the previous one. */
static resida_pattern begin(writer *w, int rows)
{
    int *memory = w->col;
    *w = (writer){memory, memory + rows + 1, 0};
    *w->row++ = 0;
    return (resida_pattern){memory, memory + rows + 1};
}

static void add(writer *w, int first, int n)
{
    for (int k = 0; k < n; k++) *w->col++ = first + k;
    w->nnz += n;
}

static void end_row(writer *w)
{
    *w->row++ = w->nnz;
}

static resida_pattern pattern_of_M(const fb_system *s, writer *w)
{
    resida_pattern q = begin(w, FB_V * s->n_body);
    for (int i = 0; i < FB_V * s->n_body; i++) add(w, i, 1), end_row(w);
    return q;
}

static resida_pattern pattern_of_T(const fb_system *s, writer *w)
{
    resida_pattern q = begin(w, FB_P * s->n_body);
    for (int i = 0; i < s->n_body; i++) {
        for (int k = 0; k < 3; k++) add(w, FB_V * i + k, 1), end_row(w);
        for (int k = 0; k < 4; k++) add(w, FB_V * i + 3, 3), end_row(w);
    }
    return q;
}

static resida_pattern pattern_of_G(const fb_system *s, writer *w)
{
    resida_pattern q = begin(w, s->n_row);
    for (int k = 0; k < s->n_link; k++) {
        const fb_link *l = &s->link[k];
        const int low = l->i < l->j ? l->i : l->j, high = l->i < l->j ? l->j : l->i;
        for (int row = 0; row < fb_link_rows(l); row++) {
            if (low != FB_SPACE) add(w, FB_P * low, FB_P);
            add(w, FB_P * high, FB_P);
            end_row(w);
        }
    }
    return q;
}

/* Create the pattern of blocks of bodies with `width` columns each. */
static resida_pattern pattern_of_Phi(const fb_system *s, int width, writer *w)
{
    resida_pattern q = begin(w, FB_V * s->n_body);
    for (int i = 0; i < s->n_body; i++)
        for (int row = 0; row < FB_V; row++, end_row(w))
            for (int j = 0; j < s->n_body; j++)
                if (j == i || s->coupled[i] >> j & 1) add(w, width * j, width);
    return q;
}

/* Return the number of integers: rows of all five patterns; columns of M, T, G (at most two bodies per row), and of
 * dPhi/dp, dPhi/dv, assumed full. */
static size_t room(const fb_system *s)
{
    const int n = s->n_body, rows = (3 * FB_V + FB_P) * n + s->n_row + 5, full = FB_V * n * (FB_P + FB_V) * n;
    return (size_t)(rows + (FB_V + FB_T) * n + 2 * FB_P * s->n_row + (s->coupled ? full : 0));
}

int fb_find_patterns(fb_system *s, fb_patterns *out)
{
    s->pattern = malloc(room(s) * sizeof *s->pattern);
    if (!s->pattern) return 1;
    writer w = {.col = s->pattern};
    *out = (fb_patterns){.M = pattern_of_M(s, &w)};
    out->T = pattern_of_T(s, &w);
    out->G = pattern_of_G(s, &w);
    if (!s->coupled) return 0;
    out->Phi_p = pattern_of_Phi(s, FB_P, &w);
    out->Phi_v = pattern_of_Phi(s, FB_V, &w);
    return 0;
}
