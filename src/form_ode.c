/* form_ode.c - a mechanism without constraints; y = (p, v):   0 = p' - T v,   0 = M v' - Psi. */
#include "rows.h"

static resida_status layout(const rsd_mechanism *k, resida_layout *l, resida_message *why)
{
    if (k->n_l > 0)
        return rsd_fail(why, RESIDA_ERR_MODEL, "%s: form ode is for mechanisms without constraints, this one has %d",
                        k->m.name, k->n_l);
    l->p = 0;
    l->v = l->n_p;
    l->lam = l->eta = -1;
    l->n = l->v + l->n_v;
    return RESIDA_OK;
}

static int residual(rsd_mechanism *k, const resida_layout *l, double t, const double *y, const double *yp, double *r)
{
    const double *p = y, *v = y + l->v;
    int verdict = rsd_rows_begin(k, t, p);
    if (verdict) return verdict;
    rsd_rows_kinematic(k, yp, v, NULL, r);
    return rsd_rows_dynamic(k, t, p, v, yp + l->v, NULL, r + l->v);
}

const rsd_form rsd_form_ode = {"ode", layout, residual};
