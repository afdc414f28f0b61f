/* stale.c - which columns of dF/dy have changed since they were found. Much of it is constant (springs, dampers between
 * bodies that hardly turn); of a train carriage a third of the groups change by more than a hundredth of their rows
 * from one evaluation to the next, two of 46 by more than a third. So each column remembers how fast it changed
 * (drift.h), and an evaluation leaves out the groups in which no column can have changed much by now. What was left out
 * is made up for when the iteration fails all the same. Then what is little has been misjudged (a stiff spring that
 * turns changes little of its own row, but much of what is left of the matrix without it), and the next evaluations are
 * more cautious. */
#include "stale.h"

#include <math.h>
#include <string.h>

#include "src/base/memory.h"

#define LITTLE       0.05 /* of a row: a smaller change of a column does no harm */
#define PART         0.3  /* of the largest change: what is smaller can wait */
#define MORE_CAUTION 4.0  /* after a partial evaluation that did not do: both are divided by so much more, ... */
#define MOST_CAUTION 64.0
#define LESS_CAUTION 0.93 /* and with each one that did, by so much less */

int rsd_stale_create(rsd_stale *x, const rsd_frame *f)
{
    x->marked = rsd_calloc(&f->alloc, f->n, 1);
    x->of_group = rsd_doubles(&f->alloc, f->n);
    rsd_stale_calm(x);
    return rsd_drift_create(&x->drift, f) && x->marked && x->of_group;
}

void rsd_stale_forget(rsd_stale *x, const rsd_frame *f)
{
    rsd_drift_forget(&x->drift, f->n);
    x->has_history = 0;
}

void rsd_stale_calm(rsd_stale *x)
{
    x->caution = 1;
}

/* The largest change that is expected of a column of each group, and of all. */
static double expect(rsd_stale *x, const rsd_frame *f, double t, const int *group)
{
    double most = 0;
    memset(x->of_group, 0, (size_t)f->n * sizeof *x->of_group);
    for (int c = 0; c < f->n; c++) {
        if (!(f->columns[c] & RESIDA_COLUMN_DEAR)) continue;
        const double change = rsd_drift_expect(&x->drift, c, t);
        const int g = group ? group[c] : c;
        if (g >= 0) x->of_group[g] = fmax(x->of_group[g], change);
        most = fmax(most, change);
    }
    return most;
}

int rsd_stale_mark(rsd_stale *x, const rsd_frame *f, const rsd_parts *p, const resida_jacobian_point *at,
                   rsd_extent extent, int by_columns, int may_leave_out)
{
    if (extent == RSD_ALL || !may_leave_out || !x->has_history) {
        memset(x->marked, 1, (size_t)f->n);
        return 0;
    }
    const int *group = by_columns ? NULL : p->dear.colours.group;
    const double most = expect(x, f, rsd_clock(at), group);
    const double least = extent == RSD_REST ? 0 : fmin(LITTLE, PART * most) / x->caution;
    int left = 0;
    for (int c = 0; c < f->n; c++) {
        const int g = group ? group[c] : c;
        const int is_old = extent == RSD_REST ? rsd_clock(at) != x->drift.t_found[c] : g >= 0 && x->of_group[g] > least;
        x->marked[c] = (unsigned char)is_old;
        left += !is_old && f->columns[c] & RESIDA_COLUMN_DEAR;
    }
    return extent == RSD_STALE && left > 0;
}

void rsd_stale_learn(rsd_stale *x, int was_too_little)
{
    x->caution *= was_too_little ? MORE_CAUTION : LESS_CAUTION;
    x->caution = fmin(fmax(x->caution, 1), MOST_CAUTION);
}

void rsd_stale_begin(rsd_stale *x, const rsd_parts *p, const resida_jacobian_point *at)
{
    if (x->has_history) rsd_drift_begin(&x->drift, p, at);
    memcpy(p->before, p->A, (size_t)p->pattern.nnz * sizeof *p->before);
}

void rsd_stale_end(rsd_stale *x, const rsd_parts *p, const resida_jacobian_point *at)
{
    rsd_drift_end(&x->drift, p, at, x->marked, p->A, p->before);
    x->has_history = 1;
}
