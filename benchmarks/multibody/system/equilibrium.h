/* equilibrium.h - where a system stays: Phi(p, v, 0) + G'lam = 0, g = 0, each coordinate at rest, or turning at a
 * steady rate, or held. */
#ifndef MB_EQUILIBRIUM_H
#define MB_EQUILIBRIUM_H

#include "system.h"

/** What is looked for in a coordinate. */
enum {
    MB_AT_REST, /**< its position */
    MB_STEADY,  /**< its rate: nothing depends on its position (a rolling wheel) */
    MB_HELD     /**< nothing, and its equation is left out: nothing depends on it, nothing acts along it */
};

/** @param[in]     search  [n_q] MB_AT_REST ...
 *  @param[in]     u       [n_driven] values of the driven coordinates, at rest
 *  @param[in,out] p, v    [n_q] start, then the equilibrium
 *  @return 0; 1 when none is found near the start, or no memory: then `why` says so */
int mb_equilibrium(mb_system *s, const int *search, const double *u, double *p, double *v, resida_message *why);

#endif
