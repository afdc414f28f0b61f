/* jumps.c - differences that went across a jump of F.
 *
 * A kink (a spring that stops to pull) gives a quotient between two slopes, which is as good as either. A jump (dry
 * friction, a damper that engages) gives jump/delta, up to 1e8 times too much, and J is of no use. Both are told from
 * an honest entry by three signs together:
 *
 *   - the row changes by more than a ten-thousandth of its own terms, |F_i| + sum |j_ic| |y_c| + |b_ic| |y'_c|,
 *     although y_c moved by no more than 1e-8 of its size. The terms are those without the entry itself, and without
 *     others that change the row just as much: friction sees the difference of two velocities;
 *   - the entry outweighs the part of dF/dyp in its row, alpha b_ic; else it does no harm yet;
 *   - it is a hundred times what it was when it was last accepted.
 *
 * Products go across none. Else F is called one increment further on: a slope is the same there, a jump has been left
 * behind, also one that lies at the very point (friction at rest). Where the slope beyond is smaller by a large factor,
 * it is taken; increments go towards the step, so it is that of where the step goes. */
#include "jumps.h"

#include <math.h>
#include <string.h>

#include "src/base/memory.h"

#define LARGE_CHANGE 1e-4 /* of a row's other terms */
#define OUTWEIGHS    10.0 /* the part of dF/dyp */
#define LARGE_FACTOR 100.0
#define SAME_CHANGE  0.01 /* two changes of a row are the same */

/* Of component c, as (17) has it: what is near zero makes no term. */
static double size_of(const resida_jacobian_point *at, int c)
{
    return rsd_size(at, c, RSD_LEAST_NOMINAL);
}

/* Jumps in the values of d(dear)/dy? */
typedef struct suspicion {
    rsd_jumps *x;
    rsd_differences *d;
    const rsd_parts *p;
    const rsd_task *t;
    double *values;
    const double *before;
    const double *terms, *inertia; /* [n] of the rows */
    double largest;                /* of the terms */
} suspicion;

/* |F_i| + sum |c| |y| + |b| |y'| and sum |alpha b| |y| for each row. */
static void sum_rows(const rsd_parts *p, const resida_jacobian_point *at, double *terms, double *inertia)
{
    const rsd_sparsity *q = &p->pattern;
    const int n = q->cols;
    for (int i = 0; i < n; i++) terms[i] = fabs(at->F[i]), inertia[i] = 0;
    for (int c = 0; c < n; c++) {
        double size = size_of(at, c);
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) {
            terms[q->row[e]] += fabs(p->C[e]) * size + fabs(p->B[e] * at->yp[c]);
            inertia[q->row[e]] += fabs(at->alpha * p->B[e]) * size;
        }
    }
}

/* By how much the entry at k of the pattern by columns changes its row. */
static double change_by(const suspicion *s, int k, int c)
{
    return fabs(s->values[s->p->dear.at[k]] * s->d->delta[c]);
}

/* Is sum |a_ic| |y_c| of row i without the entry at k, and if is_unlike without those whose change is like its own,
 * below `most`? Mostly the first entry tells. */
static int is_below(const suspicion *s, int i, int k, double change, int is_unlike, double most)
{
    const rsd_grouping *q = &s->p->dear;
    double sum = 0;
    for (int e = q->pattern.row_start[i]; e < q->pattern.row_start[i + 1] && sum < most; e++) {
        const int other = q->pattern.csr_to_csc[e], c = q->pattern.col[e];
        const int is_like = fabs(change_by(s, other, c) - change) <= SAME_CHANGE * change;
        if (other != k && !(is_unlike && is_like)) sum += fabs(s->values[q->at[other]]) * size_of(s->t->at, c);
    }
    return sum < most;
}

/* The entry in row i and column c, at k of the pattern by columns. A pair of like ones is common (a spring between two
 * bodies), so it has to stand out from all rows. */
static int is_large(const suspicion *s, int i, int c, int k)
{
    const double change = change_by(s, k, c), entry = fabs(s->values[s->p->dear.at[k]]);
    const double most = change / LARGE_CHANGE - s->terms[i];
    if (s->d->f->columns[c] & RESIDA_COLUMN_LINEAR) return 0;
    if (most <= 0 || entry <= LARGE_FACTOR * fabs(s->before[s->p->dear.at[k]])) return 0;
    if (is_below(s, i, k, change, 0, most)) return 1;
    return entry * size_of(s->t->at, c) > LARGE_FACTOR * s->largest && is_below(s, i, k, change, 1, most);
}

/* When dF/dyp is a part of the entry, it is taken to be of order one. */
static int does_harm(const suspicion *s, int i, int c, int k)
{
    const resida_jacobian_point *at = s->t->at;
    double size = size_of(at, c), inertia = s->d->f->combined ? fabs(at->alpha) * size : s->inertia[i];
    return fabs(s->values[s->p->dear.at[k]]) * size > OUTWEIGHS * inertia;
}

static int is_suspicious(const suspicion *s, int i, int c, int k)
{
    return does_harm(s, i, c, k) && is_large(s, i, c, k);
}

static int mark_columns(const suspicion *s)
{
    const rsd_grouping *q = &s->p->dear;
    int any = 0;
    for (int c = 0; c < s->d->f->n; c++) {
        s->x->marked[c] = 0;
        if (!(s->d->f->columns[c] & s->t->bits)) continue;
        for (int e = q->pattern.col_start[c]; e < q->pattern.col_start[c + 1]; e++)
            if (is_suspicious(s, q->pattern.row[e], c, e)) any = s->x->marked[c] = 1;
    }
    return any;
}

/* F after one increment, into `near`: of a one-sided difference it follows from the quotient, where it is looked at. */
static int call_near(const suspicion *s, int group, double side, double *near)
{
    return side == 0 ? rsd_call_moved(s->t, &s->d->walkers.own, group, 1, near) : 0;
}

/* Slopes between one increment and two, of the column's suspicious entries. */
static void compare(const suspicion *s, int c, const double *near, const double *far)
{
    rsd_differences *d = s->d;
    const rsd_grouping *q = &s->p->dear;
    double side = d->walkers.side[c], first = rsd_moved(s->t, c, side == 0 ? 1 : side);
    double second = rsd_moved(s->t, c, side == 0 ? 2 : 2 * side) - first;
    for (int k = q->pattern.col_start[c]; k < q->pattern.col_start[c + 1]; k++) {
        int i = q->pattern.row[k], e = q->at[k];
        if (!is_suspicious(s, i, c, k)) continue;
        double from = side == 0 ? near[i] : d->r0[i] + s->values[e] * first;
        double beyond = (far[i] - from) / second;
        if (fabs(s->values[e]) <= LARGE_FACTOR * fabs(beyond)) continue;
        s->values[e] = beyond;
        s->x->jumped[i] = 1;
        d->counts->kinks++;
    }
}

/* Where F is not possible further on, the entries stay. */
static int look_beyond(const suspicion *s, int group)
{
    rsd_walkers *w = &s->d->walkers;
    int first, last, column = -1;
    rsd_group(s->t, group, &first, &last);
    for (int k = first; k < last; k++)
        if (rsd_moves(s->t, rsd_column(s->t, k))) column = rsd_column(s->t, k);
    if (column < 0) return 0;
    double side = w->side[column], *near = w->changes[0].down, *far = w->changes[0].up;
    int verdict = call_near(s, group, side, near);
    if (!verdict) verdict = rsd_call_moved(s->t, &w->own, group, side == 0 ? 2 : 2 * side, far);
    for (int k = first; k < last && !verdict; k++)
        if (rsd_moves(s->t, rsd_column(s->t, k))) compare(s, rsd_column(s->t, k), near, far);
    return verdict < 0 ? verdict : 0;
}

/* The task is that of d(dear)/dy. */
static suspicion suspect(rsd_jumps *x, rsd_differences *d, const rsd_parts *p, rsd_task *t,
                         const resida_jacobian_point *at, double *values, const double *before)
{
    const unsigned any = RESIDA_COLUMN_DEAR | RESIDA_COLUMN_CHEAP | RESIDA_COLUMN_YP;
    *t = (rsd_task){d, RSD_DEAR, at, 1, 0, RESIDA_COLUMN_DEAR, NULL, &p->dear.colours};
    if (d->f->combined) t->part = RSD_WHOLE, t->syp = at->alpha, t->bits = any;
    rsd_increments(t);
    sum_rows(p, at, d->sum, d->scale);
    suspicion s = {x, d, p, t, values, before, d->sum, d->scale, 0};
    for (int i = 0; i < d->f->n; i++) s.largest = fmax(s.largest, s.terms[i]);
    return s;
}

static int replace(suspicion *s, rsd_task *t)
{
    if (!mark_columns(s)) return 0;
    t->marked = s->x->marked;
    int verdict = rsd_walk_begin(t);
    for (int g = 0; g < s->p->dear.colours.n_groups && !verdict; g++) verdict = look_beyond(s, g);
    return verdict;
}

int rsd_jumps_replace(rsd_jumps *x, rsd_differences *d, const rsd_parts *p, const resida_jacobian_point *at,
                      double *values, const double *before)
{
    rsd_task t;
    if (rsd_is_exact(d, RSD_DEAR)) return 0;
    suspicion s = suspect(x, d, p, &t, at, values, before);
    return replace(&s, &t);
}

/* What looks like a jump, but does no harm yet, is looked at when it does. */
static void accept(const suspicion *s, double *accepted)
{
    const rsd_grouping *q = &s->p->dear;
    s->x->unsettled = 0;
    for (int c = 0; c < s->d->f->n; c++)
        for (int k = q->pattern.col_start[c]; k < q->pattern.col_start[c + 1]; k++) {
            const int row = q->pattern.row[k];
            int is_settled = does_harm(s, row, c, k) || !is_large(s, row, c, k);
            if (is_settled) accepted[q->at[k]] = s->values[q->at[k]];
            s->x->unsettled |= !is_settled;
        }
}

int rsd_jumps_accept(rsd_jumps *x, rsd_differences *d, rsd_parts *p, const resida_jacobian_point *at)
{
    rsd_task t;
    memset(x->jumped, 0, (size_t)d->f->n);
    if (rsd_is_exact(d, RSD_DEAR)) return 0;
    suspicion s = suspect(x, d, p, &t, at, p->A, p->accepted);
    int verdict = replace(&s, &t);
    if (!verdict) accept(&s, p->accepted);
    return verdict;
}

int rsd_jumps_accept_again(rsd_jumps *x, rsd_differences *d, rsd_parts *p, const resida_jacobian_point *at)
{
    rsd_forget_sides(d); /* A is not of this point */
    return x->unsettled ? rsd_jumps_accept(x, d, p, at) : 0;
}

int rsd_jumps_create(rsd_jumps *x, const rsd_frame *f)
{
    x->marked = rsd_calloc(&f->alloc, f->n, 1);
    x->jumped = rsd_calloc(&f->alloc, f->n, 1);
    return x->marked && x->jumped;
}
