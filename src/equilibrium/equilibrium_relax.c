/* equilibrium_relax.c - a step p + s T a along the accelerations of a mechanism that is released at rest, followed by a
 * consistent start. It leaves points at which Newton's method fails, such as a pendulum held horizontally, whose rod
 * carries no force. */
#include "equilibrium_impl.h"

#include <math.h>
#include <string.h>

resida_status rsd_equilibrium_start(rsd_equilibrium *eq, const double *p0, const double *v0,
                                    resida_start_report *report)
{
    const resida_layout *l = &eq->problem->layout;
    resida_start_options o;
    resida_start_options_init(&o);
    o.redundant = eq->options->redundant;
    eq->solver->guard.cause = RSD_START;
    return resida_problem_start(eq->problem, eq->t, p0, v0, &o, eq->y + l->p, eq->y + l->v, eq->accelerations,
                                l->lam >= 0 ? eq->y + l->lam : NULL, report, eq->why);
}

/* p1 = p + s T a, s such that max |dp|/max(|p|, 1) = part. 0: T a = 0 */
static int step_along_accelerations(rsd_equilibrium *eq, double part)
{
    rsd_mechanism *k = eq->problem->mechanism;
    const resida_layout *l = &eq->problem->layout;
    const double *p = eq->y + l->p;
    double *dp = eq->F_trial, most = 0;
    if (k->m.kinematic_matrix && rsd_eval_kinematic_matrix(k, eq->t, p)) return 0;
    rsd_apply_T(k, eq->accelerations, dp);
    for (int i = 0; i < l->n_p; i++) most = fmax(most, fabs(dp[i]) / fmax(fabs(p[i]), 1));
    if (!(most > 0) || !isfinite(most)) return 0;
    for (int i = 0; i < l->n_p; i++) eq->y_trial[l->p + i] = p[i] + part / most * dp[i];
    return 1;
}

resida_status rsd_equilibrium_relax(rsd_equilibrium *eq, double part)
{
    const resida_layout *l = &eq->problem->layout;
    if (!eq->problem->mechanism) return RESIDA_ERR_NEWTON;
    memcpy(eq->yp_trial, eq->y + l->v, (size_t)l->n_v * sizeof *eq->y);
    memcpy(eq->y_trial, eq->y + l->p, (size_t)l->n_p * sizeof *eq->y);
    resida_status status = rsd_equilibrium_start(eq, eq->y_trial, eq->yp_trial, NULL);
    if (status < 0 || !step_along_accelerations(eq, part))
        return eq->solver->guard.stop < 0 ? eq->solver->guard.stop : RESIDA_ERR_NEWTON;
    status = rsd_equilibrium_start(eq, eq->y_trial, eq->yp_trial, NULL);
    if (status < 0) return eq->solver->guard.stop < 0 ? eq->solver->guard.stop : RESIDA_ERR_NEWTON;
    eq->why->text[0] = 0;
    return rsd_equilibrium_evaluate(eq, 0) < 0 ? rsd_equilibrium_failure(eq) : RESIDA_OK;
}
