/* form_ode.c - a mechanism without constraints; y = (p, v):   0 = p' - T v,   0 = M v' - Psi. */
#include "rows.h"

static int residual(rsd_mechanism *k, const resida_layout *l, double t, const double *y, const double *yp, double *r)
{
    const double *p = y, *v = y + l->v;
    int verdict = rsd_rows_begin(k, t, p);
    if (verdict) return verdict;
    rsd_rows_kinematic(k, yp, v, NULL, r);
    return rsd_rows_dynamic(k, t, p, v, yp + l->v, NULL, r + l->v);
}

const rsd_form rsd_form_ode = {.name = "ode", .level = RSD_NO_LAM, .residual = residual};
