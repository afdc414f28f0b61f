/* learn.c - evaluates dF/dy, (16), together with its pattern. Two cases use it: a strategy learns the pattern from its
 * first evaluations of dF/dy, or a given or learnt pattern was found incomplete. New entries are added to the pattern.
 * Columns are differenced one by one. If there are many columns, they are differenced in groups found by bisection. */
#include "bisection.h"

#include "base/numbers.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct destination {
    const rsd_grouping *grouping; /* pattern before the evaluation */
    const double *old;            /* [nnz of J] values before the evaluation */
    rsd_entries *seen;            /* output: listed entries */
    const rsd_sparsity *possible; /* positions of possible entries, found by bisection; NULL: all positions */
    int unexplained;              /* number of changed rows in which no column of the group has a possible entry */
} destination;

static void add_entry(rsd_entries *e, const rsd_frame *f, int row, int column, double value)
{
    enum { EACH = 4 }; /* initial capacity of a list, in entries per column */
    rsd_entries_add(e, &f->alloc, (long)EACH * f->n, row, column, value);
}

/* List the nonzero entries of one column. A known entry that rounding hides at the point, such as inertia in the row of
 * a large force, keeps its value. */
static void list_column_entries(destination *dest, const rsd_task *t, const rsd_change *change, int c)
{
    rsd_differences *d = t->d;
    const rsd_frame *f = d->f;
    double delta = rsd_perturbation(t, c, change->hi_side) - rsd_perturbation(t, c, change->lo_side);
    const int *rows = dest->possible ? dest->possible->row + dest->possible->col_start[c] : NULL;
    const int n_rows = rows ? dest->possible->col_start[c + 1] - dest->possible->col_start[c] : f->n;
    for (int k = 0; k < n_rows; k++) {
        const int i = rows ? rows[k] : k;
        const double hi = change->hi[i], lo = change->lo[i];
        if (fabs(hi - lo) > rsd_compute_row_rounding(t, i, hi, lo)) add_entry(dest->seen, f, i, c, (hi - lo) / delta);
    }
    const rsd_sparsity *q = &dest->grouping->pattern;
    for (int k = q->col_start[c]; k < q->col_start[c + 1]; k++) {
        const double was = dest->old[dest->grouping->at[k]], hi = change->hi[q->row[k]], lo = change->lo[q->row[k]];
        const double hidden = rsd_compute_row_rounding(t, q->row[k], hi, lo);
        if (fabs(hi - lo) > hidden || fabs(was * delta) > hidden) continue;
        if (was != 0) add_entry(dest->seen, f, q->row[k], c, was);
    }
    d->delta[c] = delta;
    if (t->sy != 0) d->work.side[c] = change->hi_side + change->lo_side;
}

/* Return the number of rows of F that change with the group although its columns have no possible entries in them. */
static int count_unexplained_rows(const destination *dest, const rsd_task *t, const rsd_change *change)
{
    const rsd_sparsity *q = dest->possible;
    const int *columns = t->colours->columns, first = t->colours->start[change->group];
    int n = 0;
    for (int i = 0; i < t->d->f->n; i++) n += rsd_is_row_changed(t, i, change->hi[i], change->lo[i]);
    for (int k = first; k < t->colours->start[change->group + 1]; k++)
        for (int e = q->col_start[columns[k]]; e < q->col_start[columns[k] + 1]; e++)
            n -= rsd_is_row_changed(t, q->row[e], change->hi[q->row[e]], change->lo[q->row[e]]);
    return n;
}

static void list_entries_of_group(void *to, const rsd_task *t, const rsd_change *change)
{
    destination *dest = to;
    for (int k = 0; k < change->n_columns; k++) list_column_entries(dest, t, change, change->columns[k]);
    if (dest->possible) dest->unexplained += count_unexplained_rows(dest, t, change);
}

/* Return the earlier value of entry k of the list if rounding would hide this value, too. Otherwise return 0. */
static double keep_value_below_rounding(const destination *dest, const double *delta, long k, double hidden)
{
    const rsd_entries *e = dest->seen;
    int at = rsd_sparsity_find(&dest->grouping->pattern, e->row[k], e->column[k]);
    double was = at < 0 ? 0 : dest->old[dest->grouping->at[at]];
    return fabs(was * delta[e->column[k]]) <= hidden ? was : 0;
}

/* Set d->scale[i] to the sum of the absolute values of the terms of row i. x [n]: y for entries of A, yp for entries of
 * B. */
static void sum_terms(rsd_differences *d, const rsd_parts *p, const rsd_entries *e, const double *x,
                      const resida_jacobian_point *at, const unsigned char *marked)
{
    const resida_system *s = &d->f->s;
    const rsd_sparsity *q = &p->formalism.pattern;
    memset(d->scale, 0, (size_t)d->f->n * sizeof *d->scale);
    for (long k = 0; k < e->n; k++) d->scale[e->row[k]] += fabs(e->value[k] * x[e->column[k]]);
    for (int c = 0; c < d->f->n; c++) /* terms of columns that were left out of the list */
        for (int k = q->col_start[c]; k < q->col_start[c + 1] && !marked[c]; k++)
            d->scale[q->row[k]] += fabs(p->A[p->formalism.at[k]] * at->y[c]);
    for (int k = 0; k < s->n_yp; k++) d->scale[s->yp_row[k]] += fabs(p->B[p->yp_at[k]] * at->yp[s->yp_column[k]]);
}

/* Move entries to `dropped` if rounding of the terms of their rows can have caused them. A known entry keeps its
 * earlier value if rounding would hide the earlier value, too. */
static void remove_rounding_entries(const destination *dest, const rsd_differences *d, rsd_entries *dropped)
{
    rsd_entries *e = dest->seen;
    long kept = 0;
    for (long k = 0; k < e->n; k++) {
        double value = e->value[k], hidden = RSD_NEGLIGIBLE * d->scale[e->row[k]];
        if (fabs(value * d->delta[e->column[k]]) <= hidden)
            value = keep_value_below_rounding(dest, d->delta, k, hidden);
        if (value == 0) add_entry(dropped, d->f, e->row[k], e->column[k], e->value[k]);
        if (value == 0) continue;
        e->row[kept] = e->row[k];
        e->column[kept] = e->column[k];
        e->value[kept++] = value;
    }
    e->n = kept;
}

/* Entries that were dropped as rounding errors, by columns, and data for their second differences. */
typedef struct confirmation {
    rsd_sparsity pattern;  /* dropped entries */
    double *value, *delta; /* [nnz] quotients of the first differences; [n] their increments */
    double *farther;       /* [n] ratio of the second to the first increment of each column */
    unsigned char *marked; /* [n] 1: the column has a dropped entry */
    rsd_entries *seen;     /* confirmed entries */
} confirmation;

/* Confirm an entry if its second difference exceeds rounding, and if the two quotients agree within the rounding error
 * of the first one. */
static void confirm_entries_of_group(void *to, const rsd_task *t, const rsd_change *change)
{
    const confirmation *conf = to;
    for (int k = 0; k < change->n_columns; k++) {
        const int c = change->columns[k];
        const double delta = rsd_perturbation(t, c, change->hi_side) - rsd_perturbation(t, c, change->lo_side);
        for (int e = conf->pattern.col_start[c]; e < conf->pattern.col_start[c + 1] && conf->marked[c]; e++) {
            const int i = conf->pattern.row[e];
            const double moved = change->hi[i] - change->lo[i], hidden = RSD_NEGLIGIBLE * t->d->scale[i];
            const int agrees = fabs((moved / delta - conf->value[e]) * conf->delta[c]) <= RSD_SAME_ENTRY * hidden;
            if (agrees && fabs(moved) > hidden) add_entry(conf->seen, t->d->f, i, c, moved / delta);
        }
    }
}

/* Increase the factor of the second increment of the column of dropped entry k, until the change of its row exceeds
 * rounding. The factor is at least RSD_FARTHER and at most its square. */
static void extend_second_increment(confirmation *conf, const rsd_differences *d, const rsd_entries *dropped, long k)
{
    const int c = dropped->column[k];
    const double hidden = RSD_NEGLIGIBLE * d->scale[dropped->row[k]];
    const double needed = RSD_SAME_ENTRY * hidden / fabs(dropped->value[k] * conf->delta[c]);
    conf->farther[c] = fmax(fmax(conf->farther[c], RSD_FARTHER), fmin(needed, RSD_FARTHER * RSD_FARTHER));
}

/* Difference again, with larger increments, the columns of entries that were dropped because they could be rounding
 * errors. An entry that is found again is real, for example an entry of 1 in a row with terms of 1e8. Cost: a residual
 * call for each column, or group of columns, with dropped entries. */
static int confirm_dropped_entries(const rsd_task *t, const rsd_entries *dropped, rsd_entries *seen)
{
    const resida_allocator *a = &t->d->f->alloc;
    const int n = t->d->f->n;
    confirmation conf = {.value = rsd_doubles(a, dropped->n),
                         .delta = rsd_doubles(a, n),
                         .farther = rsd_doubles(a, n),
                         .marked = rsd_calloc(a, n, 1),
                         .seen = seen};
    int verdict = dropped->failed || !conf.value || !conf.delta || !conf.farther || !conf.marked
                      ? RESIDA_ERR_MEMORY
                      : rsd_build_pattern(dropped, n, n, &conf.pattern, a);
    if (!verdict) {
        memcpy(conf.delta, t->d->delta, (size_t)n * sizeof *conf.delta);
        for (long k = 0; k < dropped->n; k++) {
            conf.value[rsd_sparsity_find(&conf.pattern, dropped->row[k], dropped->column[k])] = dropped->value[k];
            conf.marked[dropped->column[k]] = 1;
            extend_second_increment(&conf, t->d, dropped, k);
        }
        rsd_task again = *t;
        again.marked = conf.marked;
        const double *usual = t->d->farther;
        t->d->farther = conf.farther;
        verdict = rsd_evaluate_changes(&again, confirm_entries_of_group, &conf);
        t->d->farther = usual;
        memcpy(t->d->delta, conf.delta, (size_t)n * sizeof *conf.delta);
    }
    rsd_sparsity_free(&conf.pattern, a);
    RSD_FREE(a, conf.value, conf.delta, conf.farther, conf.marked);
    return verdict > 0 ? 0 : verdict; /* if F cannot be evaluated there, the dropped entries are not confirmed */
}

/* Add the known nonzero entries to those found by bisection. @return 0 on success; RESIDA_ERR_MEMORY */
static int add_known_entries(const rsd_task *t, const destination *to, rsd_sparsity *possible)
{
    const rsd_frame *f = t->d->f;
    const rsd_sparsity *q = &to->grouping->pattern;
    rsd_entries all = {.n = 0};
    rsd_entries_add_columns(&all, &f->alloc, f->n, possible->col_start, possible->row);
    for (int c = 0; c < f->n; c++)
        for (int k = q->col_start[c]; k < q->col_start[c + 1]; k++)
            if (to->old[to->grouping->at[k]] != 0) add_entry(&all, f, q->row[k], c, 0);
    rsd_sparsity_free(possible, &f->alloc);
    const int status = rsd_build_pattern(&all, f->n, f->n, possible, &f->alloc);
    rsd_entries_free(&all, &f->alloc);
    return status;
}

/* Find groups of columns without a common row by bisection. *found is set to 0 if bisection is too expensive. */
static int bisect_to_groups(const rsd_task *t, const destination *to, rsd_sparsity *possible, rsd_colouring *colours,
                            int *found)
{
    int verdict = rsd_bisect_columns(t, possible, found);
    if (!verdict && *found) verdict = add_known_entries(t, to, possible);
    if (!verdict && *found) verdict = rsd_colour_columns(colours, possible, NULL, &t->d->f->alloc, NULL);
    return verdict;
}

/* List the entries of many columns by groups. *done is set to 0 if groups are not used. Each column then needs its own
 * difference. The caller frees possible and colours. */
static int list_by_groups(rsd_task *t, destination *to, rsd_sparsity *possible, rsd_colouring *colours, int *done)
{
    int verdict = bisect_to_groups(t, to, possible, colours, done);
    if (verdict || !*done) return verdict;
    t->colours = colours;
    to->possible = possible;
    verdict = rsd_evaluate_changes(t, list_entries_of_group, to);
    *done = verdict <= 0 && to->unexplained == 0;
    if (!*done) {
        to->seen->n = 0;
        t->colours = NULL;
    }
    to->possible = NULL;
    return verdict < 0 ? verdict : 0;
}

/* Drop entries caused by rounding. If is_first is 1, difference their columns again. This is not done for a mechanism,
 * because its small entries in rows with large ones (inertia, kinematics, constraints) are known. */
static int drop_or_confirm_entries(const rsd_task *t, const rsd_parts *p, const unsigned char *marked, destination *to,
                                   int is_first)
{
    rsd_entries dropped = {.n = 0};
    sum_terms(t->d, p, to->seen, t->sy != 0 ? t->at->y : t->at->yp, t->at, marked);
    remove_rounding_entries(to, t->d, &dropped);
    const int verdict =
        is_first && !t->d->f->s.formalism && dropped.n > 0 ? confirm_dropped_entries(t, &dropped, to->seen) : 0;
    rsd_entries_free(&dropped, &t->d->f->alloc);
    return verdict;
}

/* List the nonzero difference quotients of a task. `marked` selects the columns of A that are evaluated. */
static int list_task_entries(rsd_task t, const rsd_parts *p, const unsigned char *marked, destination *to,
                             rsd_walk_mode *mode, int is_first)
{
    const resida_allocator *a = &t.d->f->alloc;
    rsd_sparsity possible = {.rows = 0};
    rsd_colouring colours = {.cols = 0};
    int verdict = 0, done = 0;
    if (!mode->is_scattered && rsd_task_count_columns(&t) >= RSD_BISECTION_FROM) {
        verdict = list_by_groups(&t, to, &possible, &colours, &done);
        mode->is_scattered = !verdict && !done;
    }
    mode->by_groups = done;
    if (!verdict && !done) verdict = rsd_evaluate_changes(&t, list_entries_of_group, to);
    if (!verdict && !rsd_uses_products(t.d, t.part)) verdict = drop_or_confirm_entries(&t, p, marked, to, is_first);
    rsd_colouring_free(&colours, a);
    rsd_sparsity_free(&possible, a);
    return verdict;
}

static int list_quotients_of_A(rsd_search *s, rsd_differences *d, const rsd_parts *p, const resida_jacobian_point *at,
                               const unsigned char *marked)
{
    rsd_task t = rsd_task_create_for_A(d, at);
    t.marked = marked;
    return list_task_entries(t, p, marked, &(destination){.grouping = &p->formalism, .old = p->A, .seen = &s->seen},
                             &s->mode_A, s->learning);
}

static int list_quotients_of_B(rsd_search *s, rsd_differences *d, const rsd_parts *p, const resida_jacobian_point *at,
                               const unsigned char *marked)
{
    return list_task_entries(rsd_task_create_for_B(d, at), p, marked,
                             &(destination){.grouping = &p->formalism, .old = p->B, .seen = &s->seen_B}, &s->mode_B,
                             s->learning);
}

/* Add the entries listed in s->seen to the pattern of the formalism part. */
static int extend_pattern(const rsd_search *s, const rsd_frame *f, rsd_parts *p)
{
    const rsd_entries *const lists[] = {&s->seen, &s->seen_B};
    rsd_entries all = {.failed = s->seen.failed || s->seen_B.failed};
    rsd_sparsity formalism;
    rsd_entries_add_columns(&all, &f->alloc, f->n, p->formalism.pattern.col_start, p->formalism.pattern.row);
    for (int i = 0; i < 2; i++)
        for (long k = 0; k < lists[i]->n; k++) add_entry(&all, f, lists[i]->row[k], lists[i]->column[k], 0);
    const int status = rsd_build_pattern(&all, f->n, f->n, &formalism, &f->alloc);
    rsd_entries_free(&all, &f->alloc);
    return status < 0 ? RESIDA_ERR_MEMORY : rsd_set_patterns(p, f, &formalism, NULL);
}

/* Set the entries of marked columns with one of the resida_column bits to the listed values, all others to 0. */
static void set_listed_values(const rsd_frame *f, const rsd_grouping *formalism, const rsd_entries *e, unsigned bits,
                              const unsigned char *marked, double *values)
{
    const rsd_sparsity *q = &formalism->pattern;
    for (int c = 0; c < f->n; c++)
        for (int k = q->col_start[c]; k < q->col_start[c + 1]; k++)
            if (f->columns[c] & bits && (!marked || marked[c])) values[formalism->at[k]] = 0;
    for (long k = 0; k < e->n; k++) values[formalism->at[rsd_sparsity_find(q, e->row[k], e->column[k])]] = e->value[k];
}

int rsd_search_columns(rsd_search *s, rsd_differences *d, rsd_parts *p, const resida_jacobian_point *at,
                       const unsigned char *marked, int with_B, int *grows)
{
    const rsd_frame *f = d->f;
    s->seen.n = s->seen_B.n = 0;
    s->seen.failed = s->seen_B.failed = *grows = 0;
    int verdict = list_quotients_of_A(s, d, p, at, marked);
    if (!verdict && with_B) verdict = list_quotients_of_B(s, d, p, at, marked);
    if (verdict) return verdict;
    *grows =
        rsd_entries_has_new(&s->seen, &p->formalism.pattern) || rsd_entries_has_new(&s->seen_B, &p->formalism.pattern);
    verdict = *grows ? extend_pattern(s, f, p) : 0;
    if (!verdict) set_listed_values(f, &p->formalism, &s->seen, RESIDA_COLUMN_FORMALISM, marked, p->A);
    return verdict;
}

void rsd_search_set_B(const rsd_search *s, const rsd_frame *f, rsd_parts *p)
{
    memcpy(p->before, p->B, (size_t)p->pattern.nnz * sizeof *p->before);
    set_listed_values(f, &p->formalism, &s->seen_B, RESIDA_COLUMN_YP, NULL, p->before);
    rsd_parts_store_B(p, p->before);
}
