/* statics.h - where a system of beams stays under its loads. */
#ifndef BM_STATICS_H
#define BM_STATICS_H

#include "beam.h"

/** Solve 0 = Phi(p, 0, 0) + G'lam, 0 = g by Newton's method with the exact matrix, for u k/steps, k = 1 .. steps, each
 *  from the last one.
 *  @param[in]     u       [any number of excitations] loads and drives at the end
 *  @param[in,out] p, lam  [BM_P n_node], [n_row] start, equilibrium
 *  @return 0; 1 when there is none near, or no memory: then `why` says so */
int bm_equilibrium(const bm_system *s, int n_u, const double *u, int steps, double *p, double *lam,
                   resida_message *why);

#endif
