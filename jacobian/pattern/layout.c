/* layout.c - where the entries of J are: one pattern that holds the parts that are differenced and the entries that are
 * known, and groups of columns for each part. Renewed as a whole when a pattern grows. */
#include "jacobian/engine_impl.h"

#include <string.h>

static void free_grouping(rsd_grouping *q, const resida_allocator *a)
{
    rsd_sparsity_free(&q->pattern, a);
    rsd_colouring_free(&q->colours, a);
    rsd_free(a, q->at);
    q->at = NULL;
}

void rsd_free_patterns(resida_jacobian *j)
{
    j->has_pattern = j->B_same = j->n_live = 0;
    double **values[] = {&j->A, &j->B, &j->C, &j->J, &j->D, &j->accepted};
    for (int i = 0; i < 6; i++) {
        rsd_free(&j->alloc, *values[i]);
        *values[i] = NULL;
    }
    rsd_sparsity_free(&j->pattern, &j->alloc);
    free_grouping(&j->dear, &j->alloc);
    free_grouping(&j->cheap, &j->alloc);
}

/* As after rsd_free_patterns(), but nothing is freed. */
static void forget_patterns(resida_jacobian *j)
{
    j->has_pattern = j->B_same = j->n_live = 0;
    j->A = j->B = j->C = j->J = j->D = j->accepted = NULL;
    j->pattern = (rsd_sparsity){.rows = 0};
    j->dear = j->cheap = (rsd_grouping){.at = NULL};
}

/* All known entries as a pattern. */
static int known_pattern(resida_jacobian *j, rsd_sparsity *known)
{
    const resida_system *s = &j->s;
    rsd_sparsity y, yp;
    if (rsd_sparsity_from_pairs(&y, j->n, j->n, s->n_y, s->y_row, s->y_column, &j->alloc, NULL) < 0)
        return RESIDA_ERR_MEMORY;
    int status = rsd_sparsity_from_pairs(&yp, j->n, j->n, s->n_yp, s->yp_row, s->yp_column, &j->alloc, NULL);
    if (status >= 0) status = rsd_sparsity_union(known, &y, &yp, &j->alloc, NULL);
    rsd_sparsity_free(&y, &j->alloc);
    rsd_sparsity_free(&yp, &j->alloc);
    return status < 0 ? RESIDA_ERR_MEMORY : 0;
}

/* J's pattern: known, dear and cheap entries. */
static int unite_all(resida_jacobian *j, const rsd_sparsity *dear, const rsd_sparsity *cheap)
{
    rsd_sparsity known, some;
    if (known_pattern(j, &known) < 0) return RESIDA_ERR_MEMORY;
    int status = rsd_sparsity_union(&some, &known, dear, &j->alloc, NULL);
    rsd_sparsity_free(&known, &j->alloc);
    if (status < 0) return RESIDA_ERR_MEMORY;
    status = rsd_sparsity_union(&j->pattern, &some, cheap, &j->alloc, NULL);
    rsd_sparsity_free(&some, &j->alloc);
    return status < 0 ? RESIDA_ERR_MEMORY : 0;
}

/* One group for each column that is differenced: what a full pattern has to have, without a search. */
static int group_each(resida_jacobian *j, rsd_colouring *c, unsigned bits)
{
    *c = (rsd_colouring){.cols = j->n, .method = "column by column"};
    c->group = rsd_calloc(&j->alloc, j->n, sizeof(int));
    c->start = rsd_calloc(&j->alloc, j->n + 1L, sizeof(int));
    c->columns = rsd_calloc(&j->alloc, j->n, sizeof(int));
    if (!c->group || !c->start || !c->columns) return RESIDA_ERR_MEMORY;
    for (int i = 0; i < j->n; i++) {
        c->group[i] = j->columns[i] & bits ? c->n_groups : -1;
        if (c->group[i] < 0) continue;
        c->columns[c->n_groups++] = i;
        c->start[c->n_groups] = c->n_groups;
    }
    c->bound = c->n_groups;
    return 0;
}

static int group_columns(resida_jacobian *j, rsd_grouping *q, unsigned bits)
{
    q->at = rsd_calloc(&j->alloc, q->pattern.nnz, sizeof(int));
    if (!q->at) return RESIDA_ERR_MEMORY;
    for (int c = 0; c < j->n; c++)
        for (int e = q->pattern.col_start[c]; e < q->pattern.col_start[c + 1]; e++)
            q->at[e] = rsd_sparsity_find(&j->pattern, q->pattern.row[e], c);
    if (!j->strategy->coloured) return group_each(j, &q->colours, bits);
    unsigned char *skip = rsd_calloc(&j->alloc, j->n, 1);
    if (!skip) return RESIDA_ERR_MEMORY;
    for (int c = 0; c < j->n; c++) /* a column without entries needs no call */
        skip[c] = !(j->columns[c] & bits) || q->pattern.col_start[c] == q->pattern.col_start[c + 1];
    int status = rsd_colour(&q->colours, &q->pattern, skip, &j->alloc, NULL);
    rsd_free(&j->alloc, skip);
    return status < 0 ? RESIDA_ERR_MEMORY : 0;
}

static int reserve_values(resida_jacobian *j)
{
    long room = j->pattern.nnz > j->n ? j->pattern.nnz : j->n;
    double **values[] = {&j->A, &j->B, &j->C, &j->J, &j->accepted};
    for (int i = 0; i < 5; i++)
        if (!(*values[i] = rsd_doubles(&j->alloc, room))) return RESIDA_ERR_MEMORY;
    return 0;
}

static void find_places(resida_jacobian *j)
{
    const resida_system *s = &j->s;
    for (int k = 0; k < s->n_y; k++) j->y_at[k] = rsd_sparsity_find(&j->pattern, s->y_row[k], s->y_column[k]);
    for (int k = 0; k < s->n_yp; k++) j->yp_at[k] = rsd_sparsity_find(&j->pattern, s->yp_row[k], s->yp_column[k]);
    for (int k = 0; j->strategy->user && k < s->n_dear; k++)
        j->derived_at[k] = rsd_sparsity_find(&j->pattern, s->dear_row[k], s->dear_column[k]);
}

/* Values of the old pattern at their places in the new one. */
static void carry_over(resida_jacobian *j, const resida_jacobian *old)
{
    double *to[] = {j->A, j->B, j->C, j->J, j->accepted};
    const double *from[] = {old->A, old->B, old->C, old->J, old->accepted};
    for (int c = 0; c < old->n && old->has_pattern; c++)
        for (int e = old->pattern.col_start[c]; e < old->pattern.col_start[c + 1]; e++) {
            int at = rsd_sparsity_find(&j->pattern, old->pattern.row[e], c);
            for (int i = 0; i < 5 && at >= 0; i++) to[i][at] = from[i][e];
        }
}

int rsd_set_patterns(resida_jacobian *j, rsd_sparsity *dear, rsd_sparsity *cheap)
{
    const unsigned differenced = RESIDA_COLUMN_DEAR | RESIDA_COLUMN_YP;
    resida_jacobian old = *j;
    forget_patterns(j);
    j->dear.pattern = *dear;
    j->cheap.pattern = *cheap;
    j->has_pattern = unite_all(j, dear, cheap) >= 0 && reserve_values(j) >= 0 &&
                     group_columns(j, &j->dear, differenced) >= 0 &&
                     group_columns(j, &j->cheap, RESIDA_COLUMN_CHEAP) >= 0;
    if (!j->has_pattern) { /* everything stays as it was */
        rsd_free_patterns(j);
        *j = old;
        return RESIDA_ERR_MEMORY;
    }
    carry_over(j, &old);
    rsd_free_patterns(&old);
    find_places(j);
    j->pattern_number++;
    return 0;
}

/* Every row in the columns with one of the bits. */
static int full_columns(resida_jacobian *j, unsigned bits, rsd_sparsity *s)
{
    unsigned char *mask = rsd_calloc(&j->alloc, j->n > 0 ? (long)j->n * j->n : 0, 1);
    if (!mask) return RESIDA_ERR_MEMORY;
    for (int c = 0; c < j->n; c++)
        if (j->columns[c] & bits) memset(mask + (size_t)c * (size_t)j->n, 1, (size_t)j->n);
    int status = rsd_sparsity_from_mask(s, j->n, j->n, mask, RSD_BY_COLUMNS, &j->alloc, NULL);
    rsd_free(&j->alloc, mask);
    return status < 0 ? RESIDA_ERR_MEMORY : 0;
}

int rsd_full_patterns(resida_jacobian *j)
{
    rsd_sparsity dear, cheap;
    if (full_columns(j, RESIDA_COLUMN_DEAR | RESIDA_COLUMN_YP, &dear) < 0) return RESIDA_ERR_MEMORY;
    if (full_columns(j, RESIDA_COLUMN_CHEAP, &cheap) < 0) {
        rsd_sparsity_free(&dear, &j->alloc);
        return RESIDA_ERR_MEMORY;
    }
    return rsd_set_patterns(j, &dear, &cheap);
}
