/* drift.c - measures it. */
#include "drift.h"

#include <math.h>

#include "src/base/memory.h"

int rsd_drift_create(rsd_drift *x, const rsd_frame *f)
{
    x->speed = rsd_doubles(&f->alloc, f->n);
    x->t_found = rsd_doubles(&f->alloc, f->n);
    x->per_row = rsd_doubles(&f->alloc, f->n);
    if (!x->speed || !x->t_found || !x->per_row) return 0;
    rsd_drift_forget(x, f->n);
    return 1;
}

void rsd_drift_free(rsd_drift *x, const rsd_frame *f)
{
    rsd_free(&f->alloc, x->speed);
    rsd_free(&f->alloc, x->t_found);
    rsd_free(&f->alloc, x->per_row);
}

void rsd_drift_forget(rsd_drift *x, int n)
{
    for (int c = 0; c < n; c++) x->speed[c] = INFINITY, x->t_found[c] = NAN;
}

void rsd_drift_begin(rsd_drift *x, const rsd_parts *p, const resida_jacobian_point *at)
{
    rsd_parts_size_rows(p, at, x->per_row);
}

/* How much of its rows column c changed by. */
static double change_of(const rsd_drift *x, const rsd_sparsity *q, int c, const double *now, const double *before)
{
    const int *row = q->row, end = q->col_start[c + 1];
    double most = 0;
    if (before)
        for (int e = q->col_start[c]; e < end; e++)
            most = rsd_larger(most, fabs(now[e] - before[e]) * x->per_row[row[e]]);
    else
        for (int e = q->col_start[c]; e < end; e++) most = rsd_larger(most, now[e] * x->per_row[row[e]]);
    return most;
}

void rsd_drift_end(rsd_drift *x, const rsd_parts *p, const resida_jacobian_point *at, const unsigned char *marked,
                   const double *now, const double *before)
{
    for (int c = 0; c < p->pattern.cols; c++) {
        if (!marked[c]) continue;
        const double elapsed = fabs(at->t - x->t_found[c]);
        if (elapsed > 0)
            x->speed[c] = now ? change_of(x, &p->pattern, c, now, before) / rsd_weight(at, c) / elapsed : 0;
        x->t_found[c] = at->t;
    }
}

void rsd_drift_found(rsd_drift *x, int n, double t)
{
    for (int c = 0; c < n; c++) x->t_found[c] = t;
}

void rsd_drift_floor(rsd_drift *x, int n, const unsigned char *marked, double part)
{
    double fastest = 0;
    for (int c = 0; c < n; c++)
        if (marked[c]) fastest = rsd_larger(fastest, x->speed[c]);
    for (int c = 0; c < n; c++) x->speed[c] = rsd_larger(part * fastest, x->speed[c]);
}
