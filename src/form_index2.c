/* form_index2.c - the velocity constraint alone, (7a)-(7c) of Arnold, Fuchs, Fuehrer without eta; y = (p, v, lam):
 *
 *     0 = p' - T v,   0 = M v' - Psi + G' lam,   0 = G v + gI
 *
 * Positions drift off g = 0 as velocity errors add up. */
#include "rows.h"

static resida_status layout(const rsd_mechanism *k, resida_layout *l, resida_message *why)
{
    if (k->n_l == 0) return rsd_fail(why, RESIDA_ERR_MODEL, "%s: form index2 needs constraints, take ode", k->m.name);
    l->p = 0;
    l->v = l->n_p;
    l->lam = l->v + l->n_v;
    l->eta = -1;
    l->n = l->lam + l->n_g + l->n_h;
    return RESIDA_OK;
}

static int residual(rsd_mechanism *k, const resida_layout *l, double t, const double *y, const double *yp, double *r)
{
    const double *p = y, *v = y + l->v, *lam = y + l->lam;
    int verdict;
    if ((verdict = rsd_rows_begin(k, t, p))) return verdict;
    rsd_rows_kinematic(k, yp, v, NULL, r);
    if ((verdict = rsd_rows_dynamic(k, t, p, v, yp + l->v, lam, r + l->v))) return verdict;
    return rsd_rows_velocity(k, t, p, v, lam, r + l->lam);
}

const rsd_form rsd_form_index2 = {"index2", layout, residual};
