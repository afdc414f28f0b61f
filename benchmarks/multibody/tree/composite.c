/* composite.c - see composite.h. */
#include "composite.h"

#include <stdlib.h>

#include "benchmarks/util/model_util.h"
#include "spatial.h"

/* Set row j of M, of joint k, up to the diagonal: the wrench I6 S_j is moved inwards along the path of k, whose columns
 * descend. */
static void row(const mb_tree *tree, const mb_state *state, int k, int j, mb_wrench w, const mb_pattern *pattern,
                double *M)
{
    int entry = pattern->row[j + 1] - 1;
    for (int at = k; at >= 0; at = tree->body[at].parent) {
        const mb_state *s = &state[at];
        for (int i = s->n - 1; i >= 0; i--) {
            const int column = tree->body[at].first + i;
            if (column > j) continue;
            while (entry >= pattern->row[j] && pattern->col[entry] > column) entry--;
            if (entry >= pattern->row[j] && pattern->col[entry] == column)
                M[entry] = mb_dot(s->lin[i], w.f) + mb_dot(s->ang[i], w.m);
        }
        w.m = mb_add(w.m, mb_cross(s->arm, w.f));
    }
}

/* Copy the entries below the diagonal to those above it. While rows ascend, so do the columns of each upper row. */
static void mirror(int n, const mb_pattern *pattern, double *M)
{
    int upper[n];
    for (int i = 0; i < n; i++)
        for (int e = pattern->row[i]; e < pattern->row[i + 1]; e++) {
            const int j = pattern->col[e];
            if (j < i)
                M[upper[j]++] = M[e];
            else if (j == i)
                upper[i] = e + 1;
        }
}

void mb_mass_matrix(const mb_tree *tree, const mb_state *state, const mb_pattern *pattern, double *M)
{
    mb_inertia I[tree->n_body];
    for (int k = 0; k < tree->n_body; k++) I[k] = mb_inertia_of(&tree->body[k], &state[k].R);
    for (int k = tree->n_body - 1; k >= 0; k--) {
        const mb_body *b = &tree->body[k];
        const mb_state *s = &state[k];
        for (int i = 0; i < s->n; i++)
            row(tree, state, k, b->first + i, mb_inertia_times(&I[k], s->lin[i], s->ang[i]), pattern, M);
        if (b->parent >= 0) mb_inertia_add_moved(&I[b->parent], &I[k], s->arm);
    }
    mirror(tree->n_q, pattern, M);
}

/* Compute M at the generic position number `which`. */
static void generic_mass(const mb_tree *tree, int which, double *p, double *s, int n_driven, const mb_pattern *pattern,
                         double *M)
{
    mb_state state[tree->n_body];
    for (int i = 0; i < tree->n_q; i++) p[i] = sin(1.0 + 0.7 * i + 2.3 * which) / (1 + which);
    for (int i = 0; i < n_driven; i++) s[i] = cos(1.0 + 0.9 * i + 1.7 * which) / (1 + which);
    mb_place(tree, p, NULL, &(mb_motion){.s = s, .sd = s, .sdd = s}, state);
    mb_mass_matrix(tree, state, pattern, M);
}

/* Mark the entries of M that are nonzero beyond rounding, relative to the diagonal. */
static void keep_entries(const mb_tree *tree, const mb_pattern *pattern, const double *M, char *keep)
{
    for (int i = 0; i < tree->n_q; i++)
        for (int k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            const int j = pattern->col[k];
            const double size = sqrt(M[mb_pattern_find(pattern, i, i)]) * sqrt(M[mb_pattern_find(pattern, j, j)]);
            if (fabs(M[k]) > 1e-12 * size) keep[k] = 1;
        }
}

int mb_mass_pattern(const mb_tree *tree, int n_driven, mb_pattern *pattern, resida_message *why)
{
    if (mb_pattern_paths(tree, pattern, why)) return 1;
    const int entries = pattern->row[tree->n_q];
    double *M = bench_alloc(entries + tree->n_q + n_driven, sizeof *M, why);
    char *keep = bench_alloc(entries, 1, why);
    const int ready = M && keep;
    for (int which = 0; ready && which < 3; which++) {
        generic_mass(tree, which, M + entries, M + entries + tree->n_q, n_driven, pattern, M);
        keep_entries(tree, pattern, M, keep);
    }
    if (ready)
        mb_pattern_keep(pattern, tree->n_q, keep);
    else
        mb_pattern_free(pattern);
    free(M);
    free(keep);
    return !ready;
}
