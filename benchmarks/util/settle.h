/* settle.h - where a mechanism stays: the library's search (resida/equilibrium.h), for models that start there. */
#ifndef BENCH_SETTLE_H
#define BENCH_SETTLE_H

#include <resida/mechanism.h>
#include <resida/status.h>

/** Find the equilibrium at t; stability is not looked at.
 *  @param[in]     steady     1: motion at steady rates, of wheels that roll; 0: rest
 *  @param[in,out] p, v       [n_p], [n_v] start, then the equilibrium; untouched when there is none
 *  @param[out]    lam        [n_g + n_h] multipliers; NULL: not asked for
 *  @return 0; 1 when none is found, or no memory: then `why` says so */
int bench_settle(const resida_mechanism *m, double t, int steady, double *p, double *v, double *lam,
                 resida_message *why);

#endif
