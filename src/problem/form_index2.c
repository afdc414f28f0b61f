/* form_index2.c - the velocity constraint alone, (7a)-(7c) of Arnold, Fuchs, Fuehrer without eta; y = (p, v, lam):
 *
 *     0 = p' - T v,   0 = M v' - Psi + G' lam,   0 = G v + gI + gamma g
 *
 * Without gamma positions drift off g = 0 as velocity errors add up; with it, (3.11), (3.14) of Ascher, Petzold, TR
 * 91-3, what they are off decays like exp(-gamma t). */
#include "problem_impl.h"

static int residual(const rsd_F_arguments *at, double *r)
{
    const resida_layout *l = at->l;
    const double *lam = at->y + l->lam;
    rsd_rows_kinematic(at, r);
    int verdict = rsd_rows_dynamic(at, at->yp + l->v, lam, r + l->v);
    return verdict ? verdict : rsd_rows_damped_velocity(at, lam, r + l->lam);
}

const rsd_form rsd_form_index2 = {
    .name = "index2", .level = RSD_VELOCITY, .traits = RSD_FORM_WITH_GAMMA, .residual = residual};
