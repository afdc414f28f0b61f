/* tasks.c - the tasks of differences that search for entries, and the test whether a row changes by more than rounding.
 * Every search for entries uses this test. */
#include "search.h"

#include "base/numbers.h"

#include <math.h>

rsd_task rsd_task_create_for_A(rsd_differences *d, const resida_jacobian_point *at)
{
    const int all = d->f->combined;
    return (rsd_task){d,   all ? RSD_WHOLE : RSD_FORMALISM, at, 1, all ? at->alpha : 0, RESIDA_COLUMN_FORMALISM, NULL,
                      NULL};
}

rsd_task rsd_task_create_for_B(rsd_differences *d, const resida_jacobian_point *at)
{
    return (rsd_task){d, RSD_WHOLE, at, 0, 1, RESIDA_COLUMN_YP, NULL, NULL};
}

int rsd_task_count_columns(const rsd_task *t)
{
    int n = 0;
    for (int c = 0; c < t->d->f->n; c++) n += rsd_is_column_perturbed(t, c);
    return n;
}

double rsd_compute_row_rounding(const rsd_task *t, int i, double hi, double lo)
{
    return rsd_uses_products(t->d, t->part) ? 0 : RSD_NEGLIGIBLE * (fabs(hi) + fabs(lo) + fabs(t->at->F[i]));
}

int rsd_is_row_changed(const rsd_task *t, int i, double hi, double lo)
{
    return !(fabs(hi - lo) <= rsd_compute_row_rounding(t, i, hi, lo));
}

int rsd_evaluate_F_at_columns(const rsd_task *t, const int *columns, int n, double side)
{
    return rsd_evaluate_perturbed_F(t, &t->d->work.caller, columns, n, side, t->d->r);
}
