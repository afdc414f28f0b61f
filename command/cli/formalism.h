/* formalism.h - calls of the formalisms of a mechanism, with or without applied forces that depend on lam. */
#ifndef CMD_FORMALISM_H
#define CMD_FORMALISM_H

#include <resida/mechanism.h>

/** Return 1 if the mechanism has the formalism. */
int cmd_has_residual(const resida_mechanism *d);
int cmd_has_explicit(const resida_mechanism *d);

/** Evaluate Phi(p, v, a, lam, u) [n_v], or phi(p, v, f, lam, u) [n_v]. lam [n_g + n_h] is not read if the functions do
 *  not depend on lam. @return value of the callback */
int cmd_call_residual(const resida_mechanism *d, double t, const double *p, const double *v, const double *a,
                      const double *lam, const resida_excitation *e, double *r);
int cmd_call_explicit(const resida_mechanism *d, double t, const double *p, const double *v, const double *f,
                      const double *lam, const resida_excitation *e, double *a);

#endif
