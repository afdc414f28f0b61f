/* rest_relax.c - a step the way a mechanism would go if it were let go at rest: p + s T a, with the accelerations of a
 * consistent start there, and made consistent again. Where Newton's method sees no way out, as in a pendulum that is
 * held horizontally, whose rod carries nothing yet, this has one. */
#include "rest.h"

#include <math.h>
#include <string.h>

resida_status rsd_rest_start(rsd_rest *x, const double *p0, const double *v0, resida_start_report *report)
{
    const resida_layout *l = &x->q->layout;
    resida_start_options o;
    resida_start_options_init(&o);
    o.redundant = x->o->redundant;
    x->s->guard.cause = RSD_START;
    return resida_problem_start(x->q, x->t, p0, v0, &o, x->y + l->p, x->y + l->v, x->accelerations,
                                l->lam >= 0 ? x->y + l->lam : NULL, report, x->why);
}

/* p1 = p + s T a, the largest change `part` of max(|p|, 1). 0: nothing would move */
static int let_go(rsd_rest *x, double part)
{
    rsd_mechanism *k = x->q->mechanism;
    const resida_layout *l = &x->q->layout;
    const double *p = x->y + l->p;
    double *dp = x->F1, most = 0;
    if (k->m.kinematic_matrix && rsd_eval_kinematic_matrix(k, x->t, p)) return 0;
    rsd_apply_T(k, x->accelerations, dp);
    for (int i = 0; i < l->n_p; i++) most = fmax(most, fabs(dp[i]) / fmax(fabs(p[i]), 1));
    if (!(most > 0) || !isfinite(most)) return 0;
    for (int i = 0; i < l->n_p; i++) x->y1[l->p + i] = p[i] + part / most * dp[i];
    return 1;
}

resida_status rsd_rest_relax(rsd_rest *x, double part)
{
    const resida_layout *l = &x->q->layout;
    if (!x->q->mechanism) return RESIDA_ERR_NEWTON;
    memcpy(x->yp1, x->y + l->v, (size_t)l->n_v * sizeof *x->y);
    memcpy(x->y1, x->y + l->p, (size_t)l->n_p * sizeof *x->y);
    resida_status status = rsd_rest_start(x, x->y1, x->yp1, NULL);
    if (status < 0 || !let_go(x, part)) return x->s->guard.stop < 0 ? x->s->guard.stop : RESIDA_ERR_NEWTON;
    status = rsd_rest_start(x, x->y1, x->yp1, NULL);
    if (status < 0) return x->s->guard.stop < 0 ? x->s->guard.stop : RESIDA_ERR_NEWTON;
    x->why->text[0] = 0;
    return rsd_rest_evaluate(x, 0) < 0 ? rsd_rest_stopped(x) : RESIDA_OK;
}
