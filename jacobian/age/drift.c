/* drift.c - see drift.h. */
#include "drift.h"

#include <math.h>

#include "base/memory.h"

int rsd_drift_create(rsd_drift *drift, const rsd_frame *f)
{
    drift->speed = rsd_doubles(&f->alloc, f->n);
    drift->t_found = rsd_doubles(&f->alloc, f->n);
    drift->per_row = rsd_doubles(&f->alloc, f->n);
    if (!drift->speed || !drift->t_found || !drift->per_row) return 0;
    rsd_drift_reset(drift, f->n);
    return 1;
}

void rsd_drift_reset(rsd_drift *drift, int n)
{
    for (int c = 0; c < n; c++) drift->speed[c] = INFINITY, drift->t_found[c] = NAN;
}

void rsd_drift_record_row_sizes(rsd_drift *drift, const rsd_parts *p, const resida_jacobian_point *at)
{
    rsd_parts_set_inverse_row_sizes(p, at, drift->per_row);
}

/* Return the largest change of entries e .. end - 1, relative to their rows. If before is NULL, `now` is the change. */
static double relative_change(const int *row, int e, int end, const double *restrict per_row,
                              const double *restrict now, const double *restrict before)
{
    double most = 0;
    if (before)
        for (; e < end; e++) most = rsd_larger(most, fabs(now[e] - before[e]) * per_row[row[e]]);
    else
        for (; e < end; e++) most = rsd_larger(most, now[e] * per_row[row[e]]);
    return most;
}

double rsd_drift_compute_speeds(rsd_drift *drift, const rsd_parts *p, const resida_jacobian_point *at,
                                const unsigned char *marked, const double *now, const double *before)
{
    const int n = p->pattern.cols, *start = p->pattern.col_start, *row = p->pattern.row;
    double *restrict speed = drift->speed, *restrict t_found = drift->t_found, fastest = 0;
    for (int c = 0; c < n; c++) {
        if (!marked[c]) continue;
        const double elapsed = fabs(rsd_clock(at) - t_found[c]);
        if (elapsed > 0 && now)
            speed[c] =
                relative_change(row, start[c], start[c + 1], drift->per_row, now, before) / rsd_weight(at, c) / elapsed;
        else if (elapsed > 0)
            speed[c] = 0;
        t_found[c] = rsd_clock(at);
        fastest = rsd_larger(fastest, speed[c]);
    }
    return fastest;
}
