/* stale.c - which columns of dF/dy have changed since they were found. Much of it is constant (springs, dampers between
 * bodies that hardly turn); of a train carriage a third of the groups change by more than a hundredth of their rows
 * from one evaluation to the next, two of 46 by more than a third. So each column remembers how fast it changed,
 *
 *     drift_c = max_i |change of a_ic| / w_c / (largest of row i of J, scaled alike) / |time between|,
 *
 * and an evaluation leaves out the groups in which no column can have changed much by now. What was left out is made up
 * for when the iteration fails all the same, or is slow again at once. Then what is little has been misjudged (a
 * stiff spring that turns changes little of its own row, but much of what is left of the matrix without it), and the
 * next evaluations are more cautious. */
#include "jacobian/engine_impl.h"

#include <math.h>
#include <string.h>

enum { MANY_CALLS = 20 }; /* an evaluation by groups that takes fewer is made as a whole */
#define LITTLE       0.05 /* of a row: a smaller change of a column does no harm */
#define PART         0.3  /* of the largest change: what is smaller can wait */
#define MORE_CAUTION 4.0  /* after a partial evaluation that did not do: both are divided by so much more, ... */
#define MOST_CAUTION 64.0
#define LESS_CAUTION 0.9 /* and with each one that did, by so much less */

/* Changes are looked at again and again: they are multiplied by what is divided here. */
void rsd_size_rows(resida_jacobian *j, const resida_jacobian_point *at)
{
    const int *start = j->pattern.col_start, *row = j->pattern.row;
    double *size = j->per_row;
    memset(size, 0, (size_t)j->n * sizeof *size);
    for (int c = 0; c < j->n; c++) {
        const double scale = 1 / rsd_weight(at, c);
        const int end = start[c + 1];
        for (int e = start[c]; e < end; e++) size[row[e]] = rsd_larger(size[row[e]], fabs(j->J[e]) * scale);
    }
    for (int r = 0; r < j->n; r++) size[r] = size[r] > 0 ? 1 / size[r] : 0;
}

static double expected_change(const resida_jacobian *j, const resida_jacobian_point *at, int c)
{
    double elapsed = fabs(at->t - j->t_found[c]);
    return elapsed > 0 ? j->drift[c] * elapsed : 0;
}

/* The largest change that is expected of a column of each group, and of all. */
static double expect(const resida_jacobian *j, const resida_jacobian_point *at, double *of_group)
{
    double most = 0;
    for (int c = 0; c < j->n; c++) {
        if (!(j->columns[c] & RESIDA_COLUMN_DEAR)) continue;
        double change = expected_change(j, at, c);
        int g = j->learning ? c : j->dear.colours.group[c];
        if (g >= 0) of_group[g] = fmax(of_group[g], change);
        most = fmax(most, change);
    }
    return most;
}

static void mark_all(resida_jacobian *j)
{
    memset(j->stale, 1, (size_t)j->n);
}

/* Column by column a part of an evaluation costs its part; by groups, that share columns, it pays where there are
 * many. */
static int may_leave_out(const resida_jacobian *j)
{
    if (!j->strategy->learns || !j->has_history) return 0;
    return j->learning ? j->learnt > 1 : rsd_engine_cost(j) >= MANY_CALLS;
}

int rsd_mark_stale(resida_jacobian *j, const resida_jacobian_point *at, rsd_extent extent)
{
    int left = 0;
    if (extent == RSD_ALL || !may_leave_out(j)) {
        mark_all(j);
        return 0;
    }
    double *of_group = j->delta; /* [n] free until increments are chosen */
    memset(of_group, 0, (size_t)j->n * sizeof *of_group);
    double most = expect(j, at, of_group), least = extent == RSD_REST ? 0 : fmin(LITTLE, PART * most) / j->caution;
    for (int c = 0; c < j->n; c++) {
        int g = j->learning ? c : j->dear.colours.group[c];
        int is_old = extent == RSD_REST ? at->t != j->t_found[c] : g >= 0 && of_group[g] > least;
        j->stale[c] = (unsigned char)is_old;
        left += !is_old && j->columns[c] & RESIDA_COLUMN_DEAR;
    }
    return extent == RSD_STALE && left > 0;
}

void rsd_learn_caution(resida_jacobian *j, int was_too_little)
{
    j->caution *= was_too_little ? MORE_CAUTION : LESS_CAUTION;
    j->caution = fmin(fmax(j->caution, 1), MOST_CAUTION);
}

void rsd_begin_change(resida_jacobian *j, const resida_jacobian_point *at)
{
    if (!j->strategy->learns) return;
    if (j->has_history) rsd_size_rows(j, at);
    memset(j->walkers.side, 0, (size_t)j->n * sizeof *j->walkers.side); /* columns left out are of no point nearby */
    memcpy(j->J, j->A, (size_t)j->pattern.nnz * sizeof *j->J);          /* J is assembled later */
}

/* How much of its rows column c changed by. */
static double change_of(const resida_jacobian *j, const resida_jacobian_point *at, int c)
{
    double most = 0;
    for (int e = j->dear.pattern.col_start[c]; e < j->dear.pattern.col_start[c + 1]; e++) {
        double change = j->A[j->dear.at[e]] - j->J[j->dear.at[e]];
        most = rsd_larger(most, fabs(change) * j->per_row[j->dear.pattern.row[e]]);
    }
    return most / rsd_weight(at, c);
}

void rsd_end_change(resida_jacobian *j, const resida_jacobian_point *at)
{
    if (!j->strategy->learns) return;
    for (int c = 0; c < j->n; c++) {
        if (!j->stale[c]) continue;
        double elapsed = fabs(at->t - j->t_found[c]);
        if (!j->has_history)
            j->drift[c] = INFINITY;
        else if (elapsed > 0)
            j->drift[c] = change_of(j, at, c) / elapsed;
        j->t_found[c] = at->t;
    }
    j->has_history = 1;
}
