/* audit.c - does the pattern hold all entries? One product with a random direction: what the entries of A do not
 * explain, beyond the rounding of the terms that cancel in a row, is missing. */
#include "jacobian/engine_impl.h"

#include <math.h>
#include <string.h>

#define GOLDEN      0.6180339887498949 /* its multiples keep apart, modulo 1 */
#define MOST_MOVED  0.5  /* m: of components near zero; more bends stiff contacts, less drowns in rounding */
#define SPREAD      7    /* of these multiples, so that far ones of a large group are told apart as well */
#define UNEXPLAINED 0.01 /* of a row's absolute sum: more is a missing entry */
#define OLD_PART    0.2  /* of the part of columns that were left out as little changed */

/* How far the columns move, d [n]: those of one group by different multiples of their increments. What a row lacks of a
 * group went into the entry that it has of it, which would explain it if both moved as they did then. */
static void choose_moves(resida_jacobian *j, const resida_jacobian_point *at, double *d)
{
    uint64_t seed = 7u + (uint64_t)j->counts.evaluations_coloured;
    const rsd_colouring *q = &j->dear.colours;
    double shift = fabs(rsd_random(&seed)), whole;
    memset(d, 0, (size_t)j->n * sizeof *d);
    for (int g = 0; g < q->n_groups; g++) {
        double side = copysign(1, rsd_random(&seed));
        for (int k = q->start[g]; k < q->start[g + 1]; k++, side = -side) {
            int c = q->columns[k];
            double multiple = 1 + SPREAD * modf(GOLDEN * (k - q->start[g]) + shift, &whole);
            if (j->columns[c] & RESIDA_COLUMN_DEAR)
                d[c] = side * multiple * rsd_increment(at, c, fmin(j->nominal[c], MOST_MOVED), 0);
        }
    }
}

/* What A says of a random move of all columns: j->delta [n] rows = A d, j->sum what of |A| |d| may
 * be wrong; j->scale: the size of the terms
 * that cancel in a row, and so of its rounding. The moved point is left in (j->y, j->yp). */
static void predict(resida_jacobian *j, const resida_jacobian_point *at)
{
    const rsd_sparsity *q = &j->dear.pattern;
    size_t bytes = (size_t)j->n * sizeof *j->sum;
    double syp = j->combined ? at->alpha : 0;
    choose_moves(j, at, j->y);
    memset(j->delta, 0, bytes);
    memset(j->sum, 0, bytes);
    memset(j->scale, 0, bytes);
    for (int c = 0; c < j->n; c++) {
        double d = j->y[c];
        j->y[c] = at->y[c] + d;
        j->yp[c] = at->yp[c] + syp * d;
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) {
            double a = j->A[j->dear.at[e]], b = j->B[j->dear.at[e]];
            j->delta[q->row[e]] += a * d;
            j->sum[q->row[e]] += fabs(a * d) * (j->stale[c] ? UNEXPLAINED : OLD_PART);
            j->scale[q->row[e]] += fabs(a * at->y[c]) + fabs(b * at->yp[c]);
        }
    }
    for (int k = 0; k < j->s.n_yp; k++) j->scale[j->s.yp_row[k]] += fabs(j->B[j->yp_at[k]] * at->yp[j->s.yp_column[k]]);
}

int rsd_audit(resida_jacobian *j, const resida_jacobian_point *at, int *complete)
{
    rsd_part part = j->combined ? RSD_WHOLE : RSD_DEAR;
    *complete = 1;
    int verdict = rsd_base(j, part, at, j->r0);
    if (verdict) return verdict;
    predict(j, at);
    verdict = rsd_call(j, part, at->t, j->y, j->yp, j->r);
    if (verdict < 0) return verdict;
    j->counts.pattern_calls++;
    if (verdict > 0) return 0; /* not possible there: nothing is learnt */
    for (int i = 0; i < j->n; i++) {
        double got = j->r[i] - j->r0[i], noise = RSD_NOISE * (fabs(j->r[i]) + fabs(j->r0[i]) + j->scale[i]);
        if (!j->jumped[i] && fabs(got - j->delta[i]) > j->sum[i] + noise) *complete = 0;
    }
    return 0;
}
