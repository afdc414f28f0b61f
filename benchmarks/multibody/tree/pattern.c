/* pattern.c - see pattern.h. A row is a list of bodies, marked with its number; only what hangs on its joint or is
 * coupled with that is visited, so that all rows together cost no more than they are long, but for sorting. */
#include "pattern.h"

#include <stdlib.h>

#include "benchmarks/util/model_util.h"

void mb_pattern_free(mb_pattern *pattern)
{
    free(pattern->row);
    free(pattern->col);
    *pattern = (mb_pattern){NULL, NULL};
}

resida_pattern mb_pattern_view(const mb_pattern *pattern)
{
    return (resida_pattern){pattern->row, pattern->col};
}

int mb_pattern_find(const mb_pattern *pattern, int i, int j)
{
    int low = pattern->row[i], high = pattern->row[i + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (pattern->col[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low < pattern->row[i + 1] && pattern->col[low] == j ? low : -1;
}

void mb_pattern_keep(mb_pattern *pattern, int rows, const char *keep)
{
    int count = 0;
    for (int i = 0, k = 0; i < rows; i++) {
        const int end = pattern->row[i + 1];
        pattern->row[i] = count;
        for (; k < end; k++)
            if (keep[k]) pattern->col[count++] = pattern->col[k];
    }
    pattern->row[rows] = count;
}

/** Work of one pattern: what hangs on each body, what it is coupled with; the bodies of a row. */
typedef struct work {
    const mb_tree *tree;
    int *child, *next;              /* [n_body] first body on it, next one on the same parent; -1: none */
    int *coupled, *partner;         /* [n_body + 1], [2 n]: it is coupled with partner[coupled[i]] .. */
    int row, *mark, n, *row_bodies; /* [n_body] row for which a body is marked; those of this row */
    int *all;
} work;

static int open_work(work *w, const mb_tree *tree, int n_couplings, resida_message *why)
{
    const int n = tree->n_body;
    *w = (work){.tree = tree, .all = bench_alloc(5 * n + 1 + 2 * n_couplings, sizeof(int), why)};
    if (!w->all) return 1;
    w->child = w->all, w->next = w->child + n, w->mark = w->next + n, w->row_bodies = w->mark + n;
    w->coupled = w->row_bodies + n, w->partner = w->coupled + n + 1;
    return 0;
}

static void link_bodies(work *w)
{
    const int n = w->tree->n_body;
    for (int i = 0; i < n; i++) w->child[i] = -1;
    for (int i = n - 1; i >= 0; i--) {
        const int parent = w->tree->body[i].parent;
        if (parent < 0) continue;
        w->next[i] = w->child[parent];
        w->child[parent] = i;
    }
}

/* Partners of body i from coupled[i] to coupled[i + 1]. */
static void link_couplings(work *w, int n_couplings, const mb_coupling *coupling)
{
    const int n = w->tree->n_body;
    for (int i = 0; i < n_couplings; i++) w->coupled[coupling[i].a]++, w->coupled[coupling[i].b]++;
    for (int i = 0; i < n; i++) w->coupled[i + 1] += w->coupled[i];
    for (int i = 0; i < n_couplings; i++) {
        const int a = coupling[i].a, b = coupling[i].b;
        w->partner[--w->coupled[a]] = b, w->partner[--w->coupled[b]] = a;
    }
}

/* A body whose path is marked. @return 1; 0 when it was marked before */
static int mark(work *w, int body)
{
    if (w->mark[body] == w->row) return 0;
    w->mark[body] = w->row;
    w->row_bodies[w->n++] = body;
    return 1;
}

static void mark_path(work *w, int body)
{
    for (; body >= 0 && mark(w, body); body = w->tree->body[body].parent) continue;
}

/* What hangs on a body whose path is marked, and the paths of what that is coupled with. */
static void mark_beyond(work *w, int body)
{
    for (int i = w->coupled[body]; i < w->coupled[body + 1]; i++) mark_path(w, w->partner[i]);
    for (int i = w->child[body]; i >= 0; i = w->next[i]) {
        mark(w, i);
        mark_beyond(w, i);
    }
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Bodies on whose joints the rows of joint k depend. */
static void collect(work *w, int k)
{
    w->row++, w->n = 0;
    mark_path(w, k);
    mark_beyond(w, k);
    qsort(w->row_bodies, (size_t)w->n, sizeof(int), by_number);
}

/* Coordinates of the bodies of the row, appended to col unless it is NULL. @return their number */
static int coordinates(const work *w, int *col)
{
    int n = 0;
    for (int i = 0; i < w->n; i++) {
        const mb_body *b = &w->tree->body[w->row_bodies[i]];
        for (int c = 0; c < b->n; c++, n++)
            if (col) col[n] = b->first + c;
    }
    return n;
}

/* First pass (col NULL): lengths of the rows; second pass: columns. */
static void fill(work *w, mb_pattern *pattern)
{
    int row = 0;
    pattern->row[0] = 0;
    for (int k = 0; k < w->tree->n_body; k++) {
        collect(w, k);
        for (int c = 0; c < w->tree->body[k].n; c++, row++)
            pattern->row[row + 1] =
                pattern->row[row] + coordinates(w, pattern->col ? pattern->col + pattern->row[row] : NULL);
    }
}

int mb_pattern_forces(const mb_tree *tree, int n_couplings, const mb_coupling *coupling, mb_pattern *pattern,
                      resida_message *why)
{
    work w;
    *pattern = (mb_pattern){bench_alloc(tree->n_q + 1, sizeof(int), why), NULL};
    if (open_work(&w, tree, n_couplings, why) == 0 && pattern->row) {
        link_bodies(&w);
        link_couplings(&w, n_couplings, coupling);
        fill(&w, pattern);
        pattern->col = bench_alloc(pattern->row[tree->n_q], sizeof(int), why);
    }
    if (pattern->col) fill(&w, pattern);
    free(w.all);
    if (pattern->col) return 0;
    mb_pattern_free(pattern);
    return 1;
}

int mb_pattern_paths(const mb_tree *tree, mb_pattern *pattern, resida_message *why)
{
    return mb_pattern_forces(tree, 0, NULL, pattern, why);
}
