/* learn.c - dF/dy column by column at the point itself, (16), and its pattern with it: for strategies that learn the
 * pattern from the evaluations they need anyway, and for a pattern that was found incomplete. Entries outside of the
 * pattern so far are added to it. */
#include "jacobian/engine_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define ROUNDING (4 * DBL_EPSILON) /* of the terms of a row: a smaller change tells nothing */

/* The base may come from a difference of F and its cheap part, so its rounding is that of F. */
static double rounding_of(const rsd_change *change, const double *F, int i)
{
    return ROUNDING * (fabs(change->hi[i]) + fabs(change->lo[i]) + fabs(F[i]));
}

/* The entries of one column that are not zero. Those that are known, and that rounding would hide now, as inertia in
 * the row of a large force, stay what they were. */
static void list_column(void *to, const rsd_task *t, const rsd_change *change)
{
    resida_jacobian *j = t->j;
    int c = change->group;
    double delta = rsd_moved(t, c, change->hi_side) - rsd_moved(t, c, change->lo_side);
    const double *F = t->at->F;
    for (int i = 0; i < j->n; i++) {
        double moved = change->hi[i] - change->lo[i];
        if (fabs(moved) > rounding_of(change, F, i)) rsd_entries_add(to, &j->alloc, 4L * j->n, i, c, moved / delta);
    }
    const rsd_sparsity *q = &j->dear.pattern;
    const double *old = t->sy != 0 ? j->A : j->B;
    for (int k = q->col_start[c]; k < q->col_start[c + 1]; k++) {
        double was = old[j->dear.at[k]], hidden = rounding_of(change, F, q->row[k]);
        if (fabs(change->hi[q->row[k]] - change->lo[q->row[k]]) > hidden || fabs(was * delta) > hidden) continue;
        if (was != 0) rsd_entries_add(to, &j->alloc, 4L * j->n, q->row[k], c, was);
    }
    j->delta[c] = delta;
    if (t->sy != 0) j->walkers.side[c] = change->hi_side + change->lo_side;
}

/* What an entry was before, if it is known and would be hidden, too; else 0. */
static double known_before(const resida_jacobian *j, const rsd_entries *e, long k, const double *old, double hidden)
{
    int at = rsd_sparsity_find(&j->dear.pattern, e->row[k], e->column[k]);
    double was = at < 0 ? 0 : old[j->dear.at[at]];
    return fabs(was * j->delta[e->column[k]]) <= hidden ? was : 0;
}

/* Drop the entries that the rounding of the terms of their rows can have made, but for known ones. x: y or yp, what the
 * columns belong to; old: their values before. */
static void drop_rounding(resida_jacobian *j, const double *x, const double *old, const resida_jacobian_point *at,
                          rsd_entries *e)
{
    long kept = 0;
    memset(j->scale, 0, (size_t)j->n * sizeof *j->scale);
    for (long k = 0; k < e->n; k++) j->scale[e->row[k]] += fabs(e->value[k] * x[e->column[k]]);
    for (int c = 0; c < j->n; c++) /* columns that were left out */
        for (int k = j->dear.pattern.col_start[c]; k < j->dear.pattern.col_start[c + 1] && !j->stale[c]; k++)
            j->scale[j->dear.pattern.row[k]] += fabs(j->A[j->dear.at[k]] * at->y[c]);
    for (int k = 0; k < j->s.n_yp; k++) j->scale[j->s.yp_row[k]] += fabs(j->B[j->yp_at[k]] * at->yp[j->s.yp_column[k]]);
    for (long k = 0; k < e->n; k++) {
        double value = e->value[k], hidden = ROUNDING * j->scale[e->row[k]];
        if (fabs(value * j->delta[e->column[k]]) <= hidden) value = known_before(j, e, k, old, hidden);
        if (value == 0) continue;
        e->row[kept] = e->row[k];
        e->column[kept] = e->column[k];
        e->value[kept++] = value;
    }
    e->n = kept;
}

/* Difference quotients along y (sy = 1) and yp (syp) of the columns with one of the bits, those that are not zero. */
static int list_columns(resida_jacobian *j, rsd_part part, const resida_jacobian_point *at, double sy, double syp,
                        unsigned bits, const unsigned char *marked, rsd_entries *e)
{
    const rsd_task t = {j, part, at, sy, syp, bits, marked, NULL};
    int verdict = rsd_walk(&t, list_column, e);
    if (!verdict) drop_rounding(j, sy != 0 ? at->y : at->yp, sy != 0 ? j->A : j->B, at, e);
    return verdict;
}

/* The marked columns of A. */
static int list_A(resida_jacobian *j, const resida_jacobian_point *at)
{
    const unsigned any = RESIDA_COLUMN_DEAR | RESIDA_COLUMN_CHEAP | RESIDA_COLUMN_YP;
    if (j->combined) return list_columns(j, RSD_WHOLE, at, 1, at->alpha, any, j->stale, &j->seen);
    return list_columns(j, RSD_DEAR, at, 1, 0, RESIDA_COLUMN_DEAR, j->stale, &j->seen);
}

static int list_B(resida_jacobian *j, const resida_jacobian_point *at)
{
    return list_columns(j, RSD_WHOLE, at, 0, 1, RESIDA_COLUMN_YP, NULL, &j->seen_B);
}

/* The pattern of the dear part with what was seen; the cheap part stays. */
static int grow(resida_jacobian *j)
{
    rsd_sparsity some, dear, cheap;
    const resida_allocator *a = &j->alloc;
    if (rsd_entries_unite(&j->seen, j->n, &j->dear.pattern, &some, a) < 0) return RESIDA_ERR_MEMORY;
    int status = rsd_entries_unite(&j->seen_B, j->n, &some, &dear, a);
    rsd_sparsity_free(&some, a);
    if (status < 0) return RESIDA_ERR_MEMORY;
    if (rsd_sparsity_union(&cheap, &j->cheap.pattern, &j->cheap.pattern, a, NULL) < 0) { /* a copy */
        rsd_sparsity_free(&dear, a);
        return RESIDA_ERR_MEMORY;
    }
    return rsd_set_patterns(j, &dear, &cheap);
}

/* The values seen, at their places in the columns with one of the bits that are marked. */
static void fill(const resida_jacobian *j, const rsd_entries *e, unsigned bits, const unsigned char *marked,
                 double *values)
{
    for (int c = 0; c < j->n; c++)
        for (int k = j->dear.pattern.col_start[c]; k < j->dear.pattern.col_start[c + 1]; k++)
            if (j->columns[c] & bits && (!marked || marked[c])) values[j->dear.at[k]] = 0;
    for (long k = 0; k < e->n; k++)
        values[j->dear.at[rsd_sparsity_find(&j->dear.pattern, e->row[k], e->column[k])]] = e->value[k];
}

/* Drop what is new and less than this part of its row, columns scaled by the weights: where increments are tiny,
 * rounding makes such entries, at every point others. */
static void drop_small_news(resida_jacobian *j, const resida_jacobian_point *at, double least, rsd_entries *e)
{
    double *most = j->scale;
    long kept = 0;
    memset(most, 0, (size_t)j->n * sizeof *most);
    for (long k = 0; k < e->n; k++)
        most[e->row[k]] = fmax(most[e->row[k]], fabs(e->value[k]) / rsd_weight(at, e->column[k]));
    for (long k = 0; k < e->n; k++) {
        int is_small = fabs(e->value[k]) / rsd_weight(at, e->column[k]) < least * most[e->row[k]];
        if (is_small && !rsd_sparsity_contains(&j->dear.pattern, e->row[k], e->column[k])) continue;
        e->row[kept] = e->row[k];
        e->column[kept] = e->column[k];
        e->value[kept++] = e->value[k];
    }
    e->n = kept;
}

static int has_news(const resida_jacobian *j)
{
    return rsd_entries_are_new(&j->seen, &j->dear.pattern) || rsd_entries_are_new(&j->seen_B, &j->dear.pattern);
}

int rsd_learn(resida_jacobian *j, const resida_jacobian_point *at, int with_B, double least, int *news)
{
    const unsigned any = RESIDA_COLUMN_DEAR | RESIDA_COLUMN_CHEAP | RESIDA_COLUMN_YP;
    j->seen.n = j->seen_B.n = 0;
    j->seen.failed = j->seen_B.failed = *news = 0;
    int verdict = list_A(j, at);
    if (!verdict && with_B) verdict = list_B(j, at);
    if (!verdict && least > 0) drop_small_news(j, at, least, &j->seen);
    if (!verdict && (*news = has_news(j))) verdict = grow(j);
    if (verdict) return verdict;
    fill(j, &j->seen, j->combined ? any : RESIDA_COLUMN_DEAR, j->stale, j->A);
    rsd_end_change(j, at);
    if (!with_B) return 0;
    memcpy(j->J, j->B, (size_t)j->pattern.nnz * sizeof *j->J); /* J is assembled later */
    fill(j, &j->seen_B, RESIDA_COLUMN_YP, NULL, j->J);
    rsd_take_B(j);
    return 0;
}
