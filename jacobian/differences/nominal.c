/* nominal.c - chooses the nominal sizes of components near zero, for their increments.
 *
 * With the nominal size eps^(1/4) of equation (17) their increment is 1.8e-12. In a row with terms of size 1, rounding
 * then causes an error of 1e-4 in the quotient. A larger increment is better until F becomes nonlinear, that is, until
 * rows change by a considerable part of their terms. The last dF/dy predicts the change of the rows. The increment may
 * therefore be as large as
 *
 *     delta_c <= 1e-7 min_i S_i/|a_ic|,     S_i = |F_i| + sum_k |j_ik y_k| + |b_ik y'_k|
 *
 * The increment is at most eps^(1/2), that of a component of size 1, the SI unit of mechanisms. The increment is at
 * least that of (17). In columns in which F is linear the increment is of size 1. Rounding may still hide all changes
 * by a column that consists of dF_a/dy alone. Such a column is differenced with a larger increment at the next
 * evaluation. */
#include "differences.h"

#include "base/numbers.h"

#include <float.h>
#include <math.h>

#define MAX_CHANGE  1e-7 /* maximum change of F_i by an increment, relative to S_i; rounding changes F_i by 1e-9 */
#define MAX_NOMINAL 1.0  /* maximum increment of a column in which F is nonlinear, in units of eps^(1/2) */
#define MAX_LINEAR  1e8  /* maximum increment of a column in which F is linear, in units of eps^(1/2) */
#define MAX_HIDDEN  1e4  /* maximum increment of a column whose changes rounding hides, in units of eps^(1/2) */

/* Set the nominal size of y_c that gives `increment`. One-sided and central differences use the same increment. */
static void set_nominal(rsd_differences *d, int c, double increment)
{
    d->nominal[c] = rsd_max(RSD_MIN_NOMINAL, increment / rsd_get_relative_increment(d->work.central));
}

void rsd_set_first_nominals(rsd_differences *d)
{
    for (int c = 0; c < d->f->n; c++) {
        double limit = d->f->columns[c] & RESIDA_COLUMN_LINEAR ? MAX_LINEAR : MAX_NOMINAL;
        d->max_increment[c] = limit * rsd_get_relative_increment(0);
        set_nominal(d, c, d->max_increment[c]);
    }
}

/* Compute the sums S_i of the terms of row i of F (see the head of nominal.c) into d->scale. */
static void sum_terms_of_F(rsd_differences *d, const rsd_parts *p, const resida_jacobian_point *at)
{
    const rsd_sparsity *q = &p->pattern, *formalism = &p->formalism.pattern;
    for (int i = 0; i < d->f->n; i++) d->scale[i] = fabs(at->F[i]);
    for (int c = 0; c < d->f->n; c++) {
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++)
            d->scale[q->row[e]] += fabs(p->C[e] * at->y[c]) + fabs(p->B[e] * at->yp[c]);
        for (int e = formalism->col_start[c]; e < formalism->col_start[c + 1]; e++)
            d->scale[formalism->row[e]] += fabs(p->A[p->formalism.at[e]] * at->y[c]);
    }
}

/* Return |dF_i/dy_c| from a_ic, entry e of A. If A contains alpha dF/dyp, return |a_ic| - |alpha|, as if dF/dyp = 1. */
static double get_slope(const rsd_frame *f, const rsd_parts *p, double alpha, int c, int e)
{
    double a = fabs(p->A[p->formalism.at[e]]);
    return f->combined && f->columns[c] & RESIDA_COLUMN_YP ? a - fabs(alpha) : a;
}

/* Return max_i |a_ic|/S_i of column c. S_i is in d->scale. */
static double get_max_relative_slope(const rsd_differences *d, const rsd_parts *p, double alpha, int c)
{
    const rsd_sparsity *q = &p->formalism.pattern;
    double limit = 0;
    for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++)
        if (d->scale[q->row[e]] > 0) limit = rsd_max(limit, get_slope(d->f, p, alpha, c, e) / d->scale[q->row[e]]);
    return limit;
}

static int has_formalism_part_only(const rsd_frame *f, int c)
{
    return (f->columns[c] & ~(unsigned)RESIDA_COLUMN_LINEAR) == RESIDA_COLUMN_FORMALISM && !f->is_known[c];
}

void rsd_choose_nominals(rsd_differences *d, const rsd_parts *p, double alpha, const resida_jacobian_point *at)
{
    const double part = rsd_get_relative_increment(d->work.central);
    sum_terms_of_F(d, p, at);
    for (int c = 0; c < d->f->n; c++) {
        double a = get_max_relative_slope(d, p, alpha, c), moved = rsd_get_component_size(at, c, d->nominal[c]) * part;
        if (a * moved <= RSD_NEGLIGIBLE && has_formalism_part_only(d->f, c))
            d->max_increment[c] = rsd_max(d->max_increment[c], MAX_HIDDEN * rsd_get_relative_increment(0));
        double limit = d->max_increment[c];
        set_nominal(d, c,
                    a * limit > MAX_CHANGE && !(d->f->columns[c] & RESIDA_COLUMN_LINEAR) ? MAX_CHANGE / a : limit);
    }
}
