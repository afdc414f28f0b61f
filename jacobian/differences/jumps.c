/* jumps.c - detects and replaces difference quotients across a jump of F.
 *
 * At a kink (a spring that stops pulling) the quotient is between the two slopes, and is as accurate as either slope.
 * At a jump (dry friction, a damper that engages) the quotient is jump/delta, up to 1e8 times too large, and J is
 * useless. An entry is considered a jump if three conditions are satisfied:
 *
 *   - The entry changes its row by more than 1e-4 of the row's other terms, |F_i| + sum |j_ic| |y_c| + |b_ic| |y'_c|,
 *     although y_c is perturbed by at most 1e-8 of its size. Other entries that change the row by the same amount are
 *     also left out of the sum, because friction depends on the difference of two velocities.
 *   - The entry exceeds ten times the part of dF/dyp in its row, alpha b_ic. A smaller entry does no harm.
 *   - The entry is more than a hundred times its last accepted value.
 *
 * Then F is evaluated one increment further. If the entry is a slope, the quotient between the two points is the same.
 * If the entry is a jump, both points are beyond the jump, even if it is at the point itself (friction at rest). If
 * this quotient is smaller than the entry by a factor of a hundred, it replaces the entry. Increments have the
 * direction of the step, so the quotient is the slope of the coming step. Products of the model contain no jumps. */
#include "jumps.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

#define LARGE_CHANGE         1e-4  /* minimum change of F_i by a jump, relative to the other terms of F_i */
#define MIN_RATIO_TO_INERTIA 10.0  /* minimum entry at a jump, relative to the terms alpha dF/dyp of its row */
#define LARGE_FACTOR         100.0 /* minimum entry at a jump, relative to its accepted value and its value beyond */
#define SAME_CHANGE          0.01  /* maximum relative difference of two equal changes of a row */

/* Return the size of component c by equation (17), see increment.c. The nominal size is eps^(1/4), so that a component
 * near zero adds no large term to the sums of a row. */
static double compute_component_size(const resida_jacobian_point *at, int c)
{
    return rsd_get_component_size(at, c, RSD_MIN_NOMINAL);
}

typedef struct jump_test {
    rsd_jumps *jumps;              /* output: marked columns and rows */
    rsd_differences *d;            /* increments and work space */
    const rsd_parts *p;            /* pattern of J, B and C */
    const rsd_task *t;             /* task that has differenced A */
    double *values;                /* [nnz of J] entries of A to be tested and replaced */
    const double *before;          /* [nnz of J] last entries without jumps */
    const double *terms, *inertia; /* [n] sums over the terms of row i, see sum_terms_of_rows() */
    double largest;                /* largest element of `terms` */
} jump_test;

/* Compute for each row i terms = |F_i| + sum_c |c_ic| |y_c| + |b_ic| |y'_c| and inertia = sum_c |alpha b_ic| |y_c|,
 * with the entries c_ic of C and b_ic of B (parts.h). */
static void sum_terms_of_rows(const rsd_parts *p, const resida_jacobian_point *at, double *terms, double *inertia)
{
    const rsd_sparsity *q = &p->pattern;
    const int n = q->cols;
    for (int i = 0; i < n; i++) terms[i] = fabs(at->F[i]), inertia[i] = 0;
    for (int c = 0; c < n; c++) {
        double size = compute_component_size(at, c);
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) {
            terms[q->row[e]] += fabs(p->C[e]) * size + fabs(p->B[e] * at->yp[c]);
            inertia[q->row[e]] += fabs(at->alpha * p->B[e]) * size;
        }
    }
}

/* Return |a_ic delta_c|, the change of row i by the entry a_ic at position k of the pattern by columns. */
static double get_row_change(const jump_test *s, int k, int c)
{
    return fabs(s->values[s->p->formalism.at[k]] * s->d->delta[c]);
}

/* Return 1 if sum |a_ic| |y_c| of row i is below `limit`. The entry at k is left out of the sum. If is_unlike is 1,
 * entries that change the row by the same amount as the entry at k are left out, too. */
static int is_rest_of_row_below(const jump_test *s, int i, int k, double change, int is_unlike, double limit)
{
    const rsd_grouping *q = &s->p->formalism;
    double sum = 0;
    for (int e = q->pattern.row_start[i]; e < q->pattern.row_start[i + 1] && sum < limit; e++) {
        const int other = q->pattern.csr_to_csc[e], c = q->pattern.col[e];
        const int is_like = fabs(get_row_change(s, other, c) - change) <= SAME_CHANGE * change;
        if (other != k && !(is_unlike && is_like))
            sum += fabs(s->values[q->at[other]]) * compute_component_size(s->t->at, c);
    }
    return sum < limit;
}

/* Return 1 if the entry (i, c), at k of the pattern by columns, changes F_i by more than LARGE_CHANGE times the sum of
 * its other terms. Pairs of entries that change a row by the same amount are common, for example those of a spring
 * between two bodies. An entry of such a pair must also exceed the terms of all rows. */
static int exceeds_terms_of_row(const jump_test *s, int i, int c, int k)
{
    const double change = get_row_change(s, k, c), entry = fabs(s->values[s->p->formalism.at[k]]);
    const double limit = change / LARGE_CHANGE - s->terms[i];
    if (s->d->f->columns[c] & RESIDA_COLUMN_LINEAR) return 0;
    if (limit <= 0 || entry <= LARGE_FACTOR * fabs(s->before[s->p->formalism.at[k]])) return 0;
    if (is_rest_of_row_below(s, i, k, change, 0, limit)) return 1;
    return entry * compute_component_size(s->t->at, c) > LARGE_FACTOR * s->largest &&
           is_rest_of_row_below(s, i, k, change, 1, limit);
}

/* Return 1 if the entry of A exceeds MIN_RATIO_TO_INERTIA times alpha dF/dyp in its row. In a combined A, dF/dyp counts
 * as 1. */
static int exceeds_inertia_term(const jump_test *s, int i, int c, int k)
{
    const resida_jacobian_point *at = s->t->at;
    double size = compute_component_size(at, c), inertia = s->d->f->combined ? fabs(at->alpha) * size : s->inertia[i];
    return fabs(s->values[s->p->formalism.at[k]]) * size > MIN_RATIO_TO_INERTIA * inertia;
}

static int is_jump(const jump_test *s, int i, int c, int k)
{
    return exceeds_inertia_term(s, i, c, k) && exceeds_terms_of_row(s, i, c, k);
}

/* Mark the columns with a jump. Return 1 if there are any. Set *doubtful to 1 if exceeds_terms_of_row() finds any. */
static int mark_columns_with_jumps(const jump_test *s, int *doubtful)
{
    const rsd_grouping *q = &s->p->formalism;
    int any = 0;
    *doubtful = 0;
    for (int c = 0; c < s->d->f->n; c++) {
        s->jumps->marked[c] = 0;
        if (!(s->d->f->columns[c] & s->t->bits)) continue;
        for (int e = q->pattern.col_start[c]; e < q->pattern.col_start[c + 1]; e++) {
            if (!exceeds_terms_of_row(s, q->pattern.row[e], c, e)) continue;
            *doubtful = 1;
            if (exceeds_inertia_term(s, q->pattern.row[e], c, e)) any = s->jumps->marked[c] = 1;
        }
    }
    return any;
}

/* Replace the jumps in column c of A by difference quotients between one and two increments from the point. near, far
 * [n] are F at one and at two increments. near is used only after a central quotient. */
static void replace_jumps_in_column(const jump_test *s, int c, const double *near, const double *far)
{
    rsd_differences *d = s->d;
    const rsd_grouping *q = &s->p->formalism;
    double side = d->work.side[c], first = rsd_perturbation(s->t, c, side == 0 ? 1 : side);
    double second = rsd_perturbation(s->t, c, side == 0 ? 2 : 2 * side) - first;
    for (int k = q->pattern.col_start[c]; k < q->pattern.col_start[c + 1]; k++) {
        int i = q->pattern.row[k], e = q->at[k];
        if (!is_jump(s, i, c, k)) continue;
        double from = side == 0 ? near[i] : d->r0[i] + s->values[e] * first;
        double beyond = (far[i] - from) / second;
        if (fabs(s->values[e]) <= LARGE_FACTOR * fabs(beyond)) continue;
        s->values[e] = beyond;
        s->jumps->jumped[i] = 1;
        d->counts->kinks++;
    }
}

/* Evaluate F two increments from the point in the marked columns of a group. F after one increment follows from a
 * one-sided quotient; after a central one it is evaluated. If F cannot be evaluated, the entries are kept. */
static int evaluate_F_beyond_group(const jump_test *s, int group)
{
    rsd_difference_workspace *w = &s->d->work;
    const int *columns = w->columns, n = rsd_list_columns(s->t, group, w->columns);
    if (n == 0) return 0;
    double side = w->side[columns[n - 1]], *near = w->changes[0].down, *far = w->changes[0].up;
    int verdict = side == 0 ? rsd_evaluate_perturbed_F(s->t, &w->caller, columns, n, 1, near) : 0;
    if (!verdict) verdict = rsd_evaluate_perturbed_F(s->t, &w->caller, columns, n, side == 0 ? 2 : 2 * side, far);
    for (int k = 0; k < n && !verdict; k++) replace_jumps_in_column(s, columns[k], near, far);
    return verdict < 0 ? verdict : 0;
}

/* Return the test of `values`, and set *t to the task that has differenced A, with its increments in d->delta. */
static jump_test prepare_test(rsd_jumps *jumps, rsd_differences *d, const rsd_parts *p, rsd_task *t,
                              const resida_jacobian_point *at, double *values, const double *before)
{
    const unsigned any = RESIDA_COLUMN_FORMALISM | RESIDA_COLUMN_CONSTRAINT | RESIDA_COLUMN_YP;
    *t = (rsd_task){d, RSD_FORMALISM, at, 1, 0, RESIDA_COLUMN_FORMALISM, NULL, &p->formalism.colours};
    if (d->f->combined) t->part = RSD_WHOLE, t->syp = at->alpha, t->bits = any;
    rsd_set_increments(t);
    sum_terms_of_rows(p, at, d->sum, d->scale);
    jump_test s = {jumps, d, p, t, values, before, d->sum, d->scale, 0};
    for (int i = 0; i < d->f->n; i++) s.largest = fmax(s.largest, s.terms[i]);
    return s;
}

static int replace_quotients_across_jumps(jump_test *s, rsd_task *t, int *doubtful)
{
    if (!mark_columns_with_jumps(s, doubtful)) return 0;
    t->marked = s->jumps->marked;
    int verdict = rsd_prepare_changes(t);
    for (int g = 0; g < s->p->formalism.colours.n_groups && !verdict; g++) verdict = evaluate_F_beyond_group(s, g);
    return verdict;
}

int rsd_jumps_replace(rsd_jumps *jumps, rsd_differences *d, const rsd_parts *p, const resida_jacobian_point *at,
                      double *values, const double *before)
{
    rsd_task t;
    int doubtful;
    if (rsd_uses_products(d, RSD_FORMALISM)) return 0;
    jump_test s = prepare_test(jumps, d, p, &t, at, values, before);
    return replace_quotients_across_jumps(&s, &t, &doubtful);
}

/* Copy A to `accepted`. If doubtful is 1, omit entries that exceed the terms of their row, but not its inertia term. */
static void accept_entries(const jump_test *s, int doubtful, double *accepted)
{
    const rsd_grouping *q = &s->p->formalism;
    if (!doubtful) {
        memcpy(accepted, s->values, (size_t)s->p->pattern.nnz * sizeof *accepted);
        return;
    }
    for (int c = 0; c < s->d->f->n; c++)
        for (int k = q->pattern.col_start[c]; k < q->pattern.col_start[c + 1]; k++) {
            const int row = q->pattern.row[k];
            if (exceeds_inertia_term(s, row, c, k) || !exceeds_terms_of_row(s, row, c, k))
                accepted[q->at[k]] = s->values[q->at[k]];
        }
}

int rsd_jumps_replace_and_accept(rsd_jumps *jumps, rsd_differences *d, rsd_parts *p, const resida_jacobian_point *at)
{
    rsd_task t;
    int doubtful;
    memset(jumps->jumped, 0, (size_t)d->f->n);
    if (rsd_uses_products(d, RSD_FORMALISM)) return 0;
    jump_test s = prepare_test(jumps, d, p, &t, at, p->A, p->accepted);
    int verdict = replace_quotients_across_jumps(&s, &t, &doubtful);
    if (!verdict) accept_entries(&s, doubtful, p->accepted);
    return verdict;
}

int rsd_jumps_create(rsd_jumps *jumps, const rsd_frame *f)
{
    jumps->marked = rsd_calloc(&f->alloc, f->n, 1);
    jumps->jumped = rsd_calloc(&f->alloc, f->n, 1);
    return jumps->marked && jumps->jumped;
}
