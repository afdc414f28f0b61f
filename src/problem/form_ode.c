/* form_ode.c - a mechanism without constraints; y = (p, v):   0 = p' - T v,   0 = M v' - Psi. */
#include "problem_impl.h"

static int residual(rsd_rows *x, const resida_layout *l, double t, const double *y, const double *yp, double *r)
{
    const double *p = y, *v = y + l->v;
    int verdict = rsd_rows_begin(x, t, p);
    if (verdict) return verdict;
    rsd_rows_kinematic(x, yp, v, r);
    return rsd_rows_dynamic(x, t, p, v, yp + l->v, NULL, r + l->v);
}

const rsd_form rsd_form_ode = {.name = "ode", .level = RSD_NO_LAM, .residual = residual};
