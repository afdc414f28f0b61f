/* pattern.c - the pattern of J = dF/dy + alpha dF/dyp, from the dependencies that the FMU declares, and groups of
 * columns of dg/dx without common rows: one directional derivative computes all columns of a group.
 *
 * If a row has no declared dependencies, the pattern is unknown and is detected by the Jacobian engine. */
#include "system_impl.h"

#include "adapters/fmu/base/fail.h"

#include <stdlib.h>
#include <string.h>

/* A set of the columns of a row. */
typedef struct collector {
    const fmu_system *s;
    int *mark; /* [n] the last row with this column, + 1 */
    int row;
    int *found; /* [n] */
    int n;
    int depth;
} collector;

enum { DEEPEST = 8 }; /* max. depth of derivatives that depend on derivatives */

static void add_column(collector *c, int column)
{
    if (c->mark[column] == c->row + 1) return;
    c->mark[column] = c->row + 1;
    c->found[c->n++] = column;
}

static const fmu_row *explicit_row(const fmu_system *s, int column)
{
    for (int r = 0; r < s->n; r++)
        if (s->rows[r].is_explicit && s->f_column[s->rows[r].at] == column) return &s->rows[r];
    return NULL;
}

/* Add the dependencies of an unknown, including those of derivatives x' that the FMU computes. Return 0, or -1 if they
 * are not declared. */
static int add_known(collector *c, const fmu_unknown *u)
{
    const fmu_system *s = c->s;
    if (!u || u->depends_on_all || c->depth > DEEPEST) return -1;
    for (int k = 0; k < u->n; k++) {
        const fmu_column *known = fmu_column_find(s, u->known[k]);
        for (int j = 0; known && j < known->size; j++) {
            const fmu_row *of = known->derivative_of ? explicit_row(s, known->first + j) : NULL;
            add_column(c, known->first + j);
            c->depth++;
            if (of && add_known(c, of->of) < 0) return -1;
            c->depth--;
        }
    }
    return 0;
}

/* Add the multipliers mu, since x' - (dg/dx)' mu replaces x'. A row with x'_j depends on mu_k if g_k depends on x_j,
 * and then on all dependencies of g_k. */
static void add_multipliers(collector *c)
{
    const fmu_system *s = c->s;
    const int n_before = c->n;
    const int *marks = c->mark;
    for (int k = 0; k < s->n_mu; k++) {
        int touches = 0;
        for (int e = s->g_row[k]; e < s->g_row[k + 1]; e++) touches |= marks[s->g_col[e]] == c->row + 1;
        if (touches) add_column(c, s->n_x + s->n_z + k);
    }
    for (int k = 0; k < s->n_mu && n_before > 0; k++)
        if (marks[s->n_x + s->n_z + k] == c->row + 1)
            for (int e = s->g_row[k]; e < s->g_row[k + 1]; e++) add_column(c, s->g_col[e]);
}

static int compare_columns(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

/* Collect the columns of row r. */
static int collect_columns(collector *c, int r)
{
    const fmu_system *s = c->s;
    const fmu_row *row = &s->rows[r];
    c->row = r;
    c->n = c->depth = 0;
    if (row->is_explicit) add_column(c, s->f_column[row->at]);
    if (add_known(c, row->of) < 0) return -1;
    if (s->n_mu > 0 && r < s->n - s->n_mu && (row->is_explicit || fmu_row_has_derivative(s, row->of)))
        add_multipliers(c);
    qsort(c->found, (size_t)c->n, sizeof *c->found, compare_columns);
    return 0;
}

/* Compute the pattern of rows from .. to. Return 0, 1 if it is unknown, -1 if memory is exhausted. */
static int make_pattern(const fmu_system *s, int from, int to, int **row, int **col, fmu_pool *pool)
{
    const size_t n = (size_t)s->n + 1;
    collector c = {.s = s, .mark = calloc(n, sizeof(int)), .found = calloc(n, sizeof(int))};
    int *starts = fmu_pool_get(pool, (size_t)(to - from) + 1, sizeof(int)), *columns = NULL, n_columns = 0;
    int verdict = c.mark && c.found && starts ? 0 : -1;
    for (int r = from; r < to && verdict == 0; r++) {
        verdict = collect_columns(&c, r) < 0;
        for (int k = 0; k < c.n && verdict == 0; k++) {
            int *column = FMU_POOL_ADD(pool, columns, n_columns);
            if (column) *column = c.found[k];
            verdict = column ? 0 : -1;
        }
        starts[r - from + 1] = n_columns;
    }
    *row = verdict == 0 ? starts : NULL;
    *col = columns;
    free(c.mark);
    free(c.found);
    return verdict;
}

/* Transpose the pattern: compute the rows of each column. */
static void transpose(int n_rows, int n_columns, const int *row, const int *col, int *start, int *rows)
{
    memset(start, 0, ((size_t)n_columns + 2) * sizeof *start);
    for (int e = 0; e < row[n_rows]; e++) start[col[e] + 2]++;
    for (int j = 0; j < n_columns; j++) start[j + 2] += start[j + 1];
    for (int r = 0; r < n_rows; r++)
        for (int e = row[r]; e < row[r + 1]; e++) rows[start[col[e] + 1]++] = r;
}

/* Assign each column to the first group without a common row. */
static int group_columns(int n_rows, int n_columns, const int *row, const int *col, fmu_groups *g, fmu_pool *pool)
{
    int *start = calloc((size_t)n_columns + 2, sizeof *start);
    int *rows = calloc((size_t)row[n_rows] + 1, sizeof *rows);
    int *taken = calloc((size_t)n_columns + 1, sizeof *taken);
    g->group = fmu_pool_get(pool, (size_t)n_columns + 1, sizeof *g->group);
    g->n = 0;
    const int has_room = start && rows && taken && g->group;
    if (has_room) transpose(n_rows, n_columns, row, col, start, rows);
    for (int j = 0; has_room && j < n_columns; j++) g->group[j] = -1;
    for (int j = 0; has_room && j < n_columns; j++) {
        for (int i = start[j]; i < start[j + 1]; i++)
            for (int e = row[rows[i]]; e < row[rows[i] + 1]; e++)
                if (g->group[col[e]] >= 0) taken[g->group[col[e]]] = j + 1;
        int first = 0;
        while (taken[first] == j + 1) first++;
        g->group[j] = first;
        if (first >= g->n) g->n = first + 1;
    }
    free(start);
    free(rows);
    free(taken);
    return has_room ? 0 : -1;
}

/* Compute the pattern of dg/dx. It is full if no dependencies are declared. */
static int make_g_pattern(fmu_system *s, fmu_pool *pool)
{
    const int made = make_pattern(s, s->n - s->n_mu, s->n, &s->g_row, &s->g_col, pool);
    if (made < 0) return -1;
    if (made == 0) return group_columns(s->n_mu, s->n, s->g_row, s->g_col, &s->g_groups, pool);
    s->g_row = fmu_pool_get(pool, (size_t)s->n_mu + 1, sizeof(int));
    s->g_col = fmu_pool_get(pool, (size_t)s->n_mu * (size_t)s->n_x + 1, sizeof(int));
    if (!s->g_row || !s->g_col) return -1;
    for (int k = 0; k < s->n_mu; k++) {
        for (int j = 0; j < s->n_x; j++) s->g_col[k * s->n_x + j] = j;
        s->g_row[k + 1] = (k + 1) * s->n_x;
    }
    return group_columns(s->n_mu, s->n, s->g_row, s->g_col, &s->g_groups, pool);
}

int fmu_pattern_make(fmu_system *s, fmu_pool *pool, resida_message *why)
{
    int made = s->n_mu > 0 ? make_g_pattern(s, pool) : 0;
    if (made == 0 && s->n_mu > 0) s->g_values = fmu_pool_get(pool, (size_t)s->g_row[s->n_mu] + 1, sizeof *s->g_values);
    if (s->n_mu > 0 && !s->g_values) made = -1;
    if (made == 0) made = make_pattern(s, 0, s->n, &s->row, &s->col, pool);
    return made < 0 ? fmu_no_memory(why) : 0;
}
