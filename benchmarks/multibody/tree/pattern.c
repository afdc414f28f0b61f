/* pattern.c - see pattern.h. Parents precede their children. Each row is found in one pass over bodies and couplings.
 * With hundreds of bodies the cost is less than one residual call per row. */
#include "pattern.h"

#include <stdlib.h>
#include <string.h>

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

/** Data for the row of a joint. */
typedef struct work {
    const mb_tree *tree;
    int n_couplings;
    const mb_coupling *coupling;
    char *marked, *beyond; /**< [n_body] bodies on which the row depends; bodies beyond the joint */
} work;

static void mark_path(work *w, int body)
{
    for (; body >= 0 && !w->marked[body]; body = w->tree->body[body].parent) w->marked[body] = 1;
}

/** Mark the bodies on whose joints the rows of joint k depend: those on its path and beyond it, and those on the paths
 *  of bodies coupled with these. */
static void collect(work *w, int k)
{
    const int n = w->tree->n_body;
    memset(w->marked, 0, 2 * (size_t)n); /* both arrays */
    mark_path(w, k);
    w->beyond[k] = 1;
    for (int i = k + 1; i < n; i++) {
        const int parent = w->tree->body[i].parent;
        w->beyond[i] = parent >= 0 && w->beyond[parent];
        w->marked[i] |= w->beyond[i];
    }
    for (int i = 0; i < w->n_couplings; i++) {
        const mb_coupling c = w->coupling[i];
        if (w->beyond[c.a]) mark_path(w, c.b);
        if (w->beyond[c.b]) mark_path(w, c.a);
    }
}

/** Put the coordinates of the bodies of a row into col, unless it is NULL. @return their number */
static int coordinates(const work *w, int *col)
{
    int n = 0;
    for (int i = 0; i < w->tree->n_body; i++)
        for (int c = 0; c < w->tree->body[i].n && w->marked[i]; c++, n++)
            if (col) col[n] = w->tree->body[i].first + c;
    return n;
}

/** First pass (col NULL): compute the lengths of the rows. Second pass: set the columns. */
static void fill(work *w, mb_pattern *pattern)
{
    int *end = pattern->row + 1;
    for (int k = 0; k < w->tree->n_body; k++) {
        collect(w, k);
        for (int c = 0; c < w->tree->body[k].n; c++, end++)
            *end = end[-1] + coordinates(w, pattern->col ? pattern->col + end[-1] : NULL);
    }
}

int mb_pattern_forces(const mb_tree *tree, int n_couplings, const mb_coupling *coupling, mb_pattern *pattern,
                      resida_message *why)
{
    work w = {tree, n_couplings, coupling, bench_alloc(2 * tree->n_body, 1, why), NULL};
    *pattern = (mb_pattern){bench_alloc(tree->n_q + 1, sizeof(int), why), NULL};
    if (w.marked && pattern->row) {
        w.beyond = w.marked + tree->n_body;
        fill(&w, pattern);
        pattern->col = bench_alloc(pattern->row[tree->n_q], sizeof(int), why);
    }
    if (pattern->col) fill(&w, pattern);
    free(w.marked);
    if (pattern->col) return 0;
    mb_pattern_free(pattern);
    return 1;
}

int mb_pattern_paths(const mb_tree *tree, mb_pattern *pattern, resida_message *why)
{
    return mb_pattern_forces(tree, 0, NULL, pattern, why);
}
