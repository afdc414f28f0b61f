/* walk.c - evaluates the changes of F for all groups of a task (a walk), and computes the difference quotients. */
#include "differences.h"

/* Evaluate the first n changes of F by groups of columns, by several threads or one by one. */
static int evaluate_change_block(const rsd_task *t, int n)
{
    rsd_difference_workspace *w = &t->d->work;
    int verdict = 0, done = 0;
    if (w->n_workers == 1 && rsd_uses_products(t->d, t->part)) return rsd_evaluate_group_products(t, n);
    if (w->n_workers > 1 && n > 1 && t->part != RSD_CONSTRAINT) verdict = rsd_evaluate_changes_in_threads(t, n, &done);
    for (int k = 0; k < n && !done && !verdict; k++) verdict = rsd_get_group_change(t, &w->caller, &w->changes[k], 1);
    return verdict;
}

int rsd_evaluate_changes(const rsd_task *t, rsd_receive_change_fn *receive, void *to)
{
    rsd_difference_workspace *w = &t->d->work;
    const int back = rsd_profile_enter(t->d->profile, RSD_IN_DIFFERENCES);
    int n_groups = t->colours ? t->colours->n_groups : t->d->f->n, group = 0;
    int verdict = rsd_prepare_changes(t);
    while (group < n_groups && !verdict) {
        int n = 0;
        for (int *columns = w->columns; group < n_groups && n < w->n_changes; group++) {
            rsd_change *change = &w->changes[n];
            change->group = group;
            change->columns = columns;
            change->n_columns = rsd_list_columns(t, group, columns);
            columns += change->n_columns;
            n += change->n_columns > 0;
        }
        verdict = evaluate_change_block(t, n);
        for (int k = 0; k < n && !verdict; k++) receive(to, t, &w->changes[k]);
    }
    rsd_profile_leave(t->d->profile, back);
    return verdict;
}

/* The destination of the difference quotients of a group. */
typedef struct destination {
    const rsd_grouping *q; /* pattern and groups of the part of F */
    double *values;        /* [nnz of J] output: quotients */
    double *side;          /* [n] output: sum of the sides of each difference (1, -1, or 0); NULL: not needed */
} destination;

static void store_group_quotients(void *to, const rsd_task *t, const rsd_change *change)
{
    const destination *d = to;
    for (int k = 0; k < change->n_columns; k++) {
        const int c = change->columns[k];
        double inverse = 1 / (rsd_perturbation(t, c, change->hi_side) - rsd_perturbation(t, c, change->lo_side));
        for (int e = d->q->pattern.col_start[c]; e < d->q->pattern.col_start[c + 1]; e++) {
            int row = d->q->pattern.row[e];
            d->values[d->q->at[e]] = (change->hi[row] - change->lo[row]) * inverse;
        }
        if (d->side) d->side[c] = change->hi_side + change->lo_side;
    }
}

int rsd_evaluate_quotients(rsd_differences *d, rsd_part part, const rsd_grouping *q, const resida_jacobian_point *at,
                           double sy, double syp, unsigned bits, const unsigned char *marked, double *values)
{
    const rsd_task t = {d, part, at, sy, syp, bits, marked, &q->colours};
    destination to = {q, values, part != RSD_CONSTRAINT && sy != 0 ? d->work.side : NULL};
    return rsd_evaluate_changes(&t, store_group_quotients, &to);
}
