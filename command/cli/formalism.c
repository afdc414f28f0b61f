/* formalism.c - see formalism.h. */
#include "formalism.h"

int cmd_has_residual(const resida_mechanism *d)
{
    return d->residual || d->residual_lam;
}

int cmd_has_explicit(const resida_mechanism *d)
{
    return d->acceleration || d->acceleration_lam;
}

int cmd_call_residual(const resida_mechanism *d, double t, const double *p, const double *v, const double *a,
                      const double *lam, const resida_excitation *e, double *r)
{
    return d->residual_lam ? d->residual_lam(t, p, v, a, lam, e, r, d->user) : d->residual(t, p, v, a, e, r, d->user);
}

int cmd_call_explicit(const resida_mechanism *d, double t, const double *p, const double *v, const double *f,
                      const double *lam, const resida_excitation *e, double *a)
{
    return d->acceleration_lam ? d->acceleration_lam(t, p, v, f, lam, e, a, d->user)
                               : d->acceleration(t, p, v, f, e, a, d->user);
}
