/* form_ggl.c - the stabilised index-2 formulation of Gear, Gupta, Leimkuhler (J. Comp. Appl. Math. 12&13, 1985, 77-90),
 * equations (7), (9), (10) of Arnold, Fuchs, Fuehrer; y = (p, v, lam, eta):
 *
 *     0 = p' - T v + (dg/dp)' eta          (7a)
 *     0 = M v' - Psi + G' lam              (7b)
 *     0 = G v + gI                         (7c), and Gh v + gh = 0 for nonholonomic rows
 *     0 = g                                (7d)
 *
 * Nonholonomic constraints have a multiplier in lam, but none in eta: there is no position to be held. */
#include "rows.h"

static resida_status layout(const rsd_mechanism *k, resida_layout *l, resida_message *why)
{
    if (k->n_l == 0) return rsd_fail(why, RESIDA_ERR_MODEL, "%s: form ggl needs constraints, take ode", k->m.name);
    l->p = 0;
    l->v = l->n_p;
    l->lam = l->v + l->n_v;
    l->eta = l->lam + l->n_g + l->n_h;
    l->n = l->eta + l->n_g;
    if (l->n_g == 0) l->eta = -1;
    return RESIDA_OK;
}

static int residual(rsd_mechanism *k, const resida_layout *l, double t, const double *y, const double *yp, double *r)
{
    const double *p = y, *v = y + l->v, *lam = y + l->lam, *eta = l->eta < 0 ? NULL : y + l->eta;
    int verdict;
    if ((verdict = rsd_rows_begin(k, t, p))) return verdict;
    rsd_rows_kinematic(k, yp, v, eta, r);
    if ((verdict = rsd_rows_dynamic(k, t, p, v, yp + l->v, lam, r + l->v))) return verdict;
    if ((verdict = rsd_rows_velocity(k, t, p, v, lam, r + l->lam))) return verdict;
    return eta ? rsd_rows_position(k, t, p, eta, r + l->eta) : 0;
}

const rsd_form rsd_form_ggl = {"ggl", layout, residual};
