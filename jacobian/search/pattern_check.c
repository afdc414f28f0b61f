/* pattern_check.c - checks that the pattern has all entries, by one product with a random direction d: if F(y + d) - F
 * differs from A d by more than the rounding of the terms that cancel in a row, the row lacks an entry. */
#include "search.h"

#include "src/base/numbers.h"

#include <math.h>
#include <string.h>

#define MOST_MOVED  0.5  /* m: of components near zero; more bends stiff contacts, less drowns in rounding */
#define SPREAD      7    /* multiples of RSD_GOLDEN, so that distant columns of a large group differ as well */
#define UNEXPLAINED 0.01 /* of a row's absolute sum: more is a missing entry */
#define OLD_PART    0.2  /* likewise, of columns that the evaluation left out */

/* Choose the direction `move` [n]. Columns of one group move by different multiples of their increments: a missing
 * entry was added to the entry of its group in that row, which would explain the change if both moved alike. */
static void choose_direction(const rsd_differences *d, const rsd_parts *p, const resida_jacobian_point *at,
                             double *move)
{
    uint64_t seed = 7u + (uint64_t)d->counts->evaluations_coloured;
    const rsd_colouring *q = &p->formalism.colours;
    const int is_exact = rsd_is_exact(d, RSD_FORMALISM);
    double shift = fabs(rsd_random(&seed)), whole;
    memset(move, 0, (size_t)d->f->n * sizeof *move);
    for (int g = 0; g < q->n_groups; g++) {
        double side = copysign(1, rsd_random(&seed));
        for (int k = q->start[g]; k < q->start[g + 1]; k++, side = -side) {
            int c = q->columns[k];
            double multiple = 1 + SPREAD * modf(RSD_GOLDEN * (k - q->start[g]) + shift, &whole);
            const double nominal = fmin(d->nominal[c], MOST_MOVED);
            if (d->f->columns[c] & RESIDA_COLUMN_FORMALISM)
                move[c] = side * multiple *
                          (is_exact ? rsd_exact_increment(at, c, nominal, 0) : rsd_increment(at, c, nominal, 0));
        }
    }
}

void rsd_search_terms(rsd_differences *d, const rsd_parts *p, const resida_jacobian_point *at)
{
    const resida_system *s = &d->f->s;
    const rsd_sparsity *q = &p->formalism.pattern;
    memset(d->scale, 0, (size_t)d->f->n * sizeof *d->scale);
    for (int c = 0; c < d->f->n; c++)
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) {
            const double a = p->A[p->formalism.at[e]], b = p->B[p->formalism.at[e]];
            d->scale[q->row[e]] += fabs(a * at->y[c]) + fabs(b * at->yp[c]);
        }
    for (int k = 0; k < s->n_yp; k++) d->scale[s->yp_row[k]] += fabs(p->B[p->yp_at[k]] * at->yp[s->yp_column[k]]);
}

/* Predict the change of F along a random direction d by A: d->delta [n] = A d, d->sum the tolerated part of |A| |d|,
 * d->scale the sizes of the terms that cancel in a row, for rounding. (d->y, d->yp) is then the perturbed point; d
 * itself where products are exact. */
static void predict_change(rsd_differences *d, const rsd_parts *p, const unsigned char *evaluated,
                           const resida_jacobian_point *at)
{
    const rsd_frame *f = d->f;
    const rsd_sparsity *q = &p->formalism.pattern;
    const size_t bytes = (size_t)f->n * sizeof *d->sum;
    const double syp = f->combined ? at->alpha : 0, from_point = rsd_is_exact(d, RSD_FORMALISM) ? 0 : 1;
    choose_direction(d, p, at, d->y);
    memset(d->delta, 0, bytes);
    memset(d->sum, 0, bytes);
    rsd_search_terms(d, p, at);
    for (int c = 0; c < f->n; c++) {
        const double move = d->y[c];
        d->y[c] = from_point * at->y[c] + move;
        d->yp[c] = from_point * at->yp[c] + syp * move;
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) {
            const double a = p->A[p->formalism.at[e]];
            d->delta[q->row[e]] += a * move;
            d->sum[q->row[e]] += fabs(a * move) * (evaluated[c] ? UNEXPLAINED : OLD_PART);
        }
    }
}

/* Evaluate the part at the perturbed point into d->r, at the point itself into d->r0. */
static int call_in_direction(rsd_differences *d, const rsd_parts *p, const unsigned char *evaluated,
                             const resida_jacobian_point *at)
{
    const rsd_part part = d->f->combined ? RSD_WHOLE : RSD_FORMALISM;
    if (rsd_is_exact(d, part)) {
        memset(d->r0, 0, (size_t)d->f->n * sizeof *d->r0);
        predict_change(d, p, evaluated, at);
        return rsd_products(d, at->t, at->y, at->yp, 1, d->y, d->yp, d->r);
    }
    int verdict = rsd_base(d, part, at, d->r0);
    if (verdict) return verdict;
    predict_change(d, p, evaluated, at);
    return rsd_call(d, part, at->t, d->y, d->yp, d->r);
}

int rsd_search_check_A(rsd_differences *d, const rsd_parts *p, const unsigned char *jumped,
                       const unsigned char *evaluated, const resida_jacobian_point *at, int *complete)
{
    const long calls = d->counts->residual_calls;
    *complete = 1;
    int verdict = call_in_direction(d, p, evaluated, at);
    if (verdict < 0) return verdict;
    rsd_note_pattern_calls(d, calls, verdict);
    if (verdict > 0) return 0; /* not possible there: nothing is learnt */
    for (int i = 0; i < d->f->n; i++) {
        double got = d->r[i] - d->r0[i], noise = RSD_NOISE * (fabs(d->r[i]) + fabs(d->r0[i]) + d->scale[i]);
        if (!jumped[i] && fabs(got - d->delta[i]) > d->sum[i] + noise) *complete = 0;
    }
    return 0;
}
