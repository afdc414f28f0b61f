/* pattern.c - see pattern.h. A row is collected in an array of marks, one for each body. */
#include "pattern.h"

#include <stdlib.h>
#include <string.h>

#include "model_util.h"

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

/* Is `body` beyond the joint of `root`, or its own? */
static int hangs_on(const mb_tree *tree, int body, int root)
{
    while (body > root) body = tree->body[body].parent;
    return body == root;
}

static void mark_path(const mb_tree *tree, int body, char *mark)
{
    for (; body >= 0; body = tree->body[body].parent) mark[body] = 1;
}

/** Marks the bodies on whose joints the rows of joint k depend. */
typedef void marker(const mb_tree *tree, int n_couplings, const mb_coupling *coupling, int k, char *mark);

static void mark_forces(const mb_tree *tree, int n_couplings, const mb_coupling *coupling, int k, char *mark)
{
    for (int i = k; i < tree->n_body; i++)
        if (hangs_on(tree, i, k)) mark_path(tree, i, mark);
    for (int i = 0; i < n_couplings; i++)
        if (hangs_on(tree, coupling[i].a, k) || hangs_on(tree, coupling[i].b, k)) {
            mark_path(tree, coupling[i].a, mark);
            mark_path(tree, coupling[i].b, mark);
        }
}

static void mark_paths(const mb_tree *tree, int n_couplings, const mb_coupling *coupling, int k, char *mark)
{
    (void)n_couplings, (void)coupling;
    mark_path(tree, k, mark);
    for (int i = k; i < tree->n_body; i++) mark[i] = (char)(mark[i] || hangs_on(tree, i, k));
}

/* Coordinates of the marked bodies, appended to col unless it is NULL. @return their number */
static int coordinates(const mb_tree *tree, const char *mark, int *col)
{
    int n = 0;
    for (int i = 0; i < tree->n_body; i++)
        for (int c = 0; mark[i] && c < tree->body[i].n; c++, n++)
            if (col) col[n] = tree->body[i].first + c;
    return n;
}

/* First pass (col NULL): lengths of the rows; second pass: columns. */
static void fill(const mb_tree *tree, int n_couplings, const mb_coupling *coupling, marker *marks, char *mark,
                 mb_pattern *pattern)
{
    int row = 0;
    pattern->row[0] = 0;
    for (int k = 0; k < tree->n_body; k++) {
        memset(mark, 0, (size_t)tree->n_body);
        marks(tree, n_couplings, coupling, k, mark);
        for (int c = 0; c < tree->body[k].n; c++, row++)
            pattern->row[row + 1] =
                pattern->row[row] + coordinates(tree, mark, pattern->col ? pattern->col + pattern->row[row] : NULL);
    }
}

static int make(const mb_tree *tree, int n_couplings, const mb_coupling *coupling, marker *marks, mb_pattern *pattern,
                resida_message *why)
{
    *pattern = (mb_pattern){bench_alloc(tree->n_q + 1, sizeof(int), why), NULL};
    char *mark = bench_alloc(tree->n_body, 1, why);
    if (pattern->row && mark) {
        fill(tree, n_couplings, coupling, marks, mark, pattern);
        pattern->col = bench_alloc(pattern->row[tree->n_q], sizeof(int), why);
    }
    if (pattern->col) fill(tree, n_couplings, coupling, marks, mark, pattern);
    free(mark);
    if (pattern->col) return 0;
    mb_pattern_free(pattern);
    return 1;
}

int mb_pattern_forces(const mb_tree *tree, int n_couplings, const mb_coupling *coupling, mb_pattern *pattern,
                      resida_message *why)
{
    return make(tree, n_couplings, coupling, mark_forces, pattern, why);
}

int mb_pattern_paths(const mb_tree *tree, mb_pattern *pattern, resida_message *why)
{
    return make(tree, 0, NULL, mark_paths, pattern, why);
}
