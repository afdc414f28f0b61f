/* strategy_dense.c - one-sided differences, column by column, equation (16) of Arnold, Fuchs, Fuehrer:
 *
 *     j_ir = (F_i(y + delta_r e_r, yp + alpha delta_r e_r) - F_i(y, yp)) / delta_r
 *
 * n calls of F. A column at which F is not possible is tried once more on the other side. */
#include "engine_impl.h"

#include <string.h>

static int column(resida_jacobian *j, const resida_jacobian_point *at, int c, double delta)
{
    double *J = j->J + (size_t)c * (size_t)j->n;
    volatile double perturbed = at->y[c] + delta;
    delta = perturbed - at->y[c]; /* on the other side it need not be exact */
    j->y[c] = perturbed;
    j->yp[c] = at->yp[c] + at->alpha * delta;
    int verdict = rsd_jacobian_call(j, at->t);
    j->y[c] = at->y[c];
    j->yp[c] = at->yp[c];
    if (verdict) return verdict;
    double inverse = 1 / delta;
    for (int i = 0; i < j->n; i++) J[i] = (j->r[i] - at->F[i]) * inverse;
    return 0;
}

static int setup(resida_jacobian *j, resida_setup_reason reason, const resida_jacobian_point *at, int *current)
{
    (void)reason; /* whatever the reason, this strategy has one answer */
    memcpy(j->y, at->y, (size_t)j->n * sizeof *j->y);
    memcpy(j->yp, at->yp, (size_t)j->n * sizeof *j->yp);
    for (int c = 0; c < j->n; c++) {
        double delta = rsd_increment(at, c);
        int verdict = column(j, at, c, delta);
        if (verdict > 0) verdict = column(j, at, c, -delta);
        if (verdict) return verdict;
    }
    j->counts.evaluations_dense++;
    *current = 1;
    return 0;
}

const rsd_strategy rsd_strategy_dense = {"dense", setup};
