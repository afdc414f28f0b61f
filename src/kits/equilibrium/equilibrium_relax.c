/* equilibrium_relax.c - takes a step along the motion from a consistent start at rest, towards an equilibrium or to a
 * point from which Newton's method converges. */
#include "equilibrium_impl.h"

#include <math.h>
#include <string.h>

#define RELAXATION_STEP 0.1 /* maximum step of a motion from rest, relative to max(|y|, 1) */

/* Add s dy to y_trial [n]. Choose s such that the largest change over max(|y|, 1) is RELAXATION_STEP. Return 1 on
 * success, or 0 if dy is zero or not finite. */
static int add_limited_step(double *y_trial, const double *dy, int n)
{
    double max = 0;
    for (int i = 0; i < n; i++) max = fmax(max, fabs(dy[i]) / fmax(fabs(y_trial[i]), 1));
    if (!(max > 0) || !isfinite(max)) return 0;
    for (int i = 0; i < n; i++) y_trial[i] += RELAXATION_STEP / max * dy[i];
    return 1;
}

/* Take a step along the accelerations of a mechanism released at rest, and compute a consistent start. Newton's method
 * fails at some points, such as a pendulum held horizontally, whose rod carries no force. The step leaves such points.
 * @return as rsd_equilibrium_relax() */
static resida_status relax_mechanism(rsd_equilibrium *eq)
{
    rsd_mechanism *k = eq->problem->mechanism;
    const resida_layout *l = &eq->problem->layout;
    memcpy(eq->yp_trial, eq->y + l->v, (size_t)l->n_v * sizeof *eq->y);
    memcpy(eq->y_trial, eq->y + l->p, (size_t)l->n_p * sizeof *eq->y);
    RSD_TRY(rsd_equilibrium_start(eq, eq->y_trial, eq->yp_trial, NULL));
    if (k->m.kinematic_matrix && rsd_eval_kinematic_matrix(k, eq->t, eq->y + l->p)) return RESIDA_ERR_NEWTON;
    rsd_apply_T(k, eq->accelerations, eq->F_trial);
    memcpy(eq->y_trial, eq->y + l->p, (size_t)l->n_p * sizeof *eq->y);
    if (!add_limited_step(eq->y_trial, eq->F_trial, l->n_p)) return RESIDA_ERR_NEWTON;
    return rsd_equilibrium_start(eq, eq->y_trial, eq->yp_trial, NULL);
}

/* Take a step along the motion of a general DAE. The algebraic components become consistent.
 * @return as rsd_equilibrium_relax() */
static resida_status relax_dae(rsd_equilibrium *eq)
{
    resida_solver *s = eq->solver;
    const size_t bytes = (size_t)eq->n * sizeof *eq->y;
    memset(eq->yp_trial, 0, bytes);
    memcpy(eq->y_trial, eq->y, bytes);
    RSD_TRY(rsd_start_dae(&s->dae_start, &s->guard, &s->o, eq->t, eq->y_trial, eq->yp_trial));
    if (!add_limited_step(eq->y_trial, eq->yp_trial, eq->n)) return RESIDA_ERR_NEWTON;
    RSD_TRY(rsd_start_dae(&s->dae_start, &s->guard, &s->o, eq->t, eq->y_trial, eq->yp_trial));
    memcpy(eq->y, eq->y_trial, bytes);
    return RESIDA_OK;
}

resida_status rsd_equilibrium_relax(rsd_equilibrium *eq)
{
    const resida_status status = eq->problem->mechanism ? relax_mechanism(eq) : relax_dae(eq);
    if (status == RESIDA_ERR_MEMORY) return status;
    if (status < 0) return eq->solver->guard.stop < 0 ? eq->solver->guard.stop : RESIDA_ERR_NEWTON;
    eq->why->text[0] = 0;
    return rsd_equilibrium_evaluate(eq, 0) < 0 ? rsd_equilibrium_get_failure(eq) : RESIDA_OK;
}
