/* outdated.c - marks the outdated columns of dF/dy. Many columns are constant, such as those of springs and dampers
 * between bodies that rotate little. In a train carriage, from one evaluation to the next, one third of the groups
 * change by more than 0.01 of their rows, and two of 46 by more than 1/3. An evaluation therefore leaves out the groups
 * in which no column can have changed much. The change of a column is predicted from its earlier rate of change.
 *
 * A small relative change of a row can be a large change of J, for example if a stiff spring rotates. If the iteration
 * fails after columns were left out, these columns are evaluated, and the next evaluations leave out fewer columns. */
#include "outdated.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

#define NEGLIGIBLE_CHANGE 0.05 /* maximum expected change of an omitted column, relative to the entries of a row */
#define NEGLIGIBLE_SHARE  0.3  /* maximum expected change of an omitted column, relative to the largest one of all */
#define RAISED_CAUTION    4.0  /* factor of `caution` (outdated.h) if Newton failed after columns were omitted */
#define MAX_CAUTION       64.0 /* maximum `caution` */
#define LOWERED_CAUTION   0.93 /* factor of `caution` if Newton does not fail */

int rsd_outdated_columns_create(rsd_outdated_columns *cols, const rsd_frame *f)
{
    cols->marked = rsd_calloc(&f->alloc, f->n, 1);
    if (!cols->marked ||
        !RSD_DOUBLES(&f->alloc, f->n, &cols->speed, &cols->t_evaluated, &cols->per_row, &cols->group_change))
        return 0;
    rsd_outdated_columns_reset(cols, f);
    return 1;
}

void rsd_outdated_columns_reset(rsd_outdated_columns *cols, const rsd_frame *f)
{
    cols->caution = 1;
    for (int c = 0; c < f->n; c++) cols->speed[c] = INFINITY, cols->t_evaluated[c] = NAN;
    cols->has_history = 0;
}

/* Set group_change of each group to the largest expected change (speed times age) of its columns. @return the largest
 * expected change of all columns */
static double predict_group_changes(rsd_outdated_columns *cols, const rsd_frame *f, double t, const int *group)
{
    double largest = 0;
    memset(cols->group_change, 0, (size_t)f->n * sizeof *cols->group_change);
    for (int c = 0; c < f->n; c++) {
        if (!(f->columns[c] & RESIDA_COLUMN_FORMALISM)) continue;
        const double change = cols->speed[c] * fabs(t - cols->t_evaluated[c]);
        const int g = group ? group[c] : c;
        if (g >= 0) cols->group_change[g] = fmax(cols->group_change[g], change);
        largest = fmax(largest, change);
    }
    return largest;
}

int rsd_outdated_columns_mark(rsd_outdated_columns *cols, const rsd_frame *f, const rsd_parts *p,
                              const resida_jacobian_point *at, rsd_column_set columns, int by_columns)
{
    if (columns == RSD_ALL) {
        memset(cols->marked, 1, (size_t)f->n);
        return 0;
    }
    const int *group = by_columns ? NULL : p->formalism.colours.group;
    const double largest = predict_group_changes(cols, f, at->since, group);
    const double bound =
        columns == RSD_OMITTED ? 0 : fmin(NEGLIGIBLE_CHANGE, NEGLIGIBLE_SHARE * largest) / cols->caution;
    int left = 0;
    for (int c = 0; c < f->n; c++) {
        const int g = group ? group[c] : c;
        const int is_old =
            columns == RSD_OMITTED ? at->since != cols->t_evaluated[c] : g >= 0 && cols->group_change[g] > bound;
        cols->marked[c] = (unsigned char)is_old;
        left += !is_old && f->columns[c] & RESIDA_COLUMN_FORMALISM;
    }
    return columns == RSD_OUTDATED && left > 0;
}

void rsd_outdated_columns_adjust_caution(rsd_outdated_columns *cols, int was_too_little)
{
    cols->caution *= was_too_little ? RAISED_CAUTION : LOWERED_CAUTION;
    cols->caution = fmin(fmax(cols->caution, 1), MAX_CAUTION);
}

void rsd_outdated_columns_save_A(rsd_outdated_columns *cols, const rsd_parts *p, const resida_jacobian_point *at)
{
    if (cols->has_history) rsd_parts_set_inverse_row_sizes(p, at, cols->per_row);
    memcpy(p->before, p->A, (size_t)p->pattern.nnz * sizeof *p->before);
}

void rsd_outdated_columns_record(rsd_outdated_columns *cols, const rsd_parts *p, const resida_jacobian_point *at)
{
    const int *start = p->pattern.col_start, *row = p->pattern.row;
    const double *restrict per_row = cols->per_row, *restrict now = p->A, *restrict before = p->before;
    for (int c = 0; c < p->pattern.cols; c++) {
        if (!cols->marked[c]) continue;
        const double elapsed = fabs(at->since - cols->t_evaluated[c]);
        double largest = 0;
        for (int e = start[c]; e < start[c + 1] && elapsed > 0; e++)
            largest = rsd_max(largest, fabs(now[e] - before[e]) * per_row[row[e]]);
        if (elapsed > 0) cols->speed[c] = largest / rsd_get_weight(at, c) / elapsed;
        cols->t_evaluated[c] = at->since;
    }
    cols->has_history = 1;
}
