/* settle.h - searches the equilibrium of a mechanism (resida/equilibrium.h), for models that start there. */
#ifndef BENCH_SETTLE_H
#define BENCH_SETTLE_H

#include <resida/mechanism.h>
#include <resida/status.h>

/** Find the equilibrium at t; stability is not checked.
 *  @param[in]     steady  1: motion at steady rates, of rolling wheels; 0: rest
 *  @param[in,out] p, v    [n_p], [n_v] start, then the equilibrium; unchanged on failure
 *  @param[out]    lam     [n_g + n_h] multipliers; NULL: not requested
 *  @return 0; 1 if no equilibrium is found or memory is exhausted, with a message in `why` */
int bench_settle(const resida_mechanism *m, double t, int steady, double *p, double *v, double *lam,
                 resida_message *why);

#endif
