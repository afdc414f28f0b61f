/* bend.c - how fast the parts of J move that cost no residual call: where constraints hardly bend and masses hardly change, their
 * renewal, and the factors with it, can wait. What the last one changed, relative to rows as in stale.c,
 *
 *     bend = max |change of (C + alpha B)_ic| / w_c / (largest of row i of J, scaled alike) / |time between|,
 *
 * is taken for the next one. A wrong guess costs an iteration: a slow one renews them at once. */
#include "engine_impl.h"

#include <math.h>
#include <string.h>

#define LITTLE 0.02 /* of a row; with 0.05 there are half as many factorisations, and a tenth more residual calls */
#define LITTLE_DEAR                                                                                                    \
    0.2 /* where an evaluation is dear, so that the iteration corrects J: on the train half the renewals and no more calls */

int rsd_is_bent(const resida_jacobian *j, double t)
{
    double elapsed = fabs(t - j->t_renewed), little = resida_jacobian_is_dear(j) ? LITTLE_DEAR : LITTLE;
    return j->bends && !(j->bend * elapsed <= little);
}

/* The model's own derivatives are taken at every attempt in any case. */
static int is_measured(const resida_jacobian *j)
{
    return j->bends && j->ready && !j->strategy->user;
}

/* J is assembled later. */
void rsd_begin_bend(resida_jacobian *j, const resida_jacobian_point *at)
{
    if (!is_measured(j)) return;
    rsd_size_rows(j, at);
    for (int e = 0; e < j->pattern.nnz; e++) j->J[e] = j->C[e] + at->alpha * j->B[e];
}

void rsd_end_bend(resida_jacobian *j, const resida_jacobian_point *at)
{
    double most = 0, elapsed = fabs(at->t - j->t_renewed);
    for (int c = 0; c < j->n && is_measured(j); c++) {
        double weight = rsd_weight(at, c);
        for (int e = j->pattern.col_start[c]; e < j->pattern.col_start[c + 1]; e++) {
            double size = j->row_size[j->pattern.row[e]], change = j->C[e] + at->alpha * j->B[e] - j->J[e];
            if (size > 0) most = fmax(most, fabs(change) / weight / size);
        }
    }
    if (!j->ready)
        j->bend = INFINITY;
    else if (elapsed > 0)
        j->bend = most / elapsed;
    j->t_renewed = at->t;
}
