/* formalism.h - the formalisms of a mechanism, whether its applied forces depend on lam or not. */
#ifndef CMD_FORMALISM_H
#define CMD_FORMALISM_H

#include <resida/mechanism.h>

/** 1: the mechanism has the formalism. */
int cmd_has_residual(const resida_mechanism *d);
int cmd_has_explicit(const resida_mechanism *d);

/** Phi(p, v, a, lam, u) [n_v] and phi(p, v, f, lam, u) [n_v]; lam [n_g + n_h] is not looked at where they do not depend
 *  on it. @return verdict of the callback */
int cmd_call_residual(const resida_mechanism *d, double t, const double *p, const double *v, const double *a,
                      const double *lam, const resida_excitation *e, double *r);
int cmd_call_explicit(const resida_mechanism *d, double t, const double *p, const double *v, const double *f,
                      const double *lam, const resida_excitation *e, double *a);

#endif
