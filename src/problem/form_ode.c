/* form_ode.c - a mechanism without constraints; y = (p, v):   0 = p' - T v,   0 = M v' - Psi. */
#include "problem_impl.h"

static int residual(const rsd_F_arguments *at, double *r)
{
    rsd_rows_kinematic(at, r);
    return rsd_rows_dynamic(at, at->yp + at->l->v, NULL, r + at->l->v);
}

const rsd_form rsd_form_ode = {.name = "ode", .level = RSD_NO_LAM, .residual = residual};
