/* known.c - see known.h. */
#include "known.h"

#include "base/numbers.h"

#include <math.h>
#include <string.h>

#define NOISE 1e-12 /* rounding error of a row, relative to its terms */

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

void rsd_known_prepare(rsd_known *known, rsd_differences *d, const rsd_parts *p, const resida_jacobian_point *at)
{
    const resida_system *s = &d->f->s;
    const rsd_sparsity *q = &p->formalism.pattern;
    known->grouping = &p->formalism;
    known->terms = d->scale;
    known->change = d->work.changes[0].up;
    known->tolerance = d->work.changes[0].down;
    memset(d->scale, 0, (size_t)d->f->n * sizeof *d->scale);
    for (int c = 0; c < d->f->n; c++)
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) {
            const double a = p->A[p->formalism.at[e]], b = p->B[p->formalism.at[e]];
            d->scale[q->row[e]] += fabs(a * at->y[c]) + fabs(b * at->yp[c]);
        }
    for (int k = 0; k < s->n_yp; k++) d->scale[s->yp_row[k]] += fabs(p->B[p->yp_at[k]] * at->yp[s->yp_column[k]]);
}

static void predict_row_changes(const rsd_known *known, const rsd_task *t, const int *columns, int n, double side)
{
    const rsd_sparsity *q = &known->grouping->pattern;
    const size_t bytes = (size_t)q->rows * sizeof *known->change;
    memset(known->change, 0, bytes);
    memset(known->tolerance, 0, bytes);
    for (int k = 0; k < n; k++) {
        const int c = columns[k], is_new = !known->evaluated || known->evaluated[c];
        const double move = rsd_perturbation(t, c, side), share = is_new ? known->share : known->old_share;
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) {
            const double change = known->values[known->grouping->at[e]] * move;
            known->change[q->row[e]] += change;
            known->tolerance[q->row[e]] += share * fabs(change);
        }
    }
}

int rsd_evaluate_columns(const rsd_task *t, const rsd_known *known, const int *columns, int n, double side)
{
    if (known) predict_row_changes(known, t, columns, n, side);
    return rsd_evaluate_perturbed_F(t, &t->d->work.caller, columns, n, side, t->d->r);
}

/* Return the rounding error of the unpredicted change of row i. */
static double get_prediction_noise(const rsd_task *t, const rsd_known *known, int i)
{
    return NOISE * (fabs(t->d->r[i]) + fabs(t->d->r0[i]) + known->terms[i]);
}

double rsd_get_unpredicted_change(const rsd_task *t, const rsd_known *known, int i)
{
    return t->d->r[i] - t->d->r0[i] - known->change[i];
}

int rsd_is_row_unpredicted(const rsd_task *t, const rsd_known *known, int i)
{
    const double r = t->d->r[i], r0 = t->d->r0[i];
    if (!known) return !(fabs(r - r0) <= rsd_compute_row_rounding(t, i, r, r0));
    return !known->ignored[i] &&
           !(fabs(rsd_get_unpredicted_change(t, known, i)) <= known->tolerance[i] + get_prediction_noise(t, known, i));
}

int rsd_is_row_curved(const rsd_task *t, const rsd_known *known, int i, double rest)
{
    const double linear = 4 * rsd_get_unpredicted_change(t, known, i) - rest; /* five times the rounding error */
    return fabs(linear) <= 2 * known->tolerance[i] + known->share * fabs(rest) + 5 * get_prediction_noise(t, known, i);
}
