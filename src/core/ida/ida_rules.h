/* ida_rules.h - the rules beside IDA's own, in one list (ida_rules.c): small ones, with a file each, that act before
 * an attempt to solve a step, after its iteration has converged, and after a step was accepted. doc/mathematics.md says
 * which failure of plain IDA each of them prevents. */
#ifndef RSD_IDA_RULES_H
#define RSD_IDA_RULES_H

#include "ida_impl.h"

/** The last accepted step, or the start. */
typedef struct rsd_accepted_step {
    double t_ida, t; /* its end, in IDA's time and in the user's */
    const double *y; /* [n] there */
    double *w;       /* [n] error weights of the next step */
} rsd_accepted_step;

/** @name Hooks of the rules, rule_NAME.c
 *  before an attempt; after its correction: 0; > 0: IDA tries a shorter step; < 0: it returns; after a step: 0; else
 *  IDASolve returns: the guard says why, or the integration restarts. @{ */
int rsd_rest_check(rsd_ida *it);
void rsd_signs_begin(rsd_ida *it);
int rsd_signs_check(rsd_ida *it);
void rsd_jump_begin(rsd_ida *it);
int rsd_jump_watch(rsd_ida *it);
void rsd_min_order_note(rsd_ida *it);
int rsd_min_order_keep(rsd_ida *it);
void rsd_growth_hold(rsd_ida *it);
int rsd_order_limits_check(rsd_ida *it, const rsd_accepted_step *s);
int rsd_progress_check(rsd_ida *it, const rsd_accepted_step *s);
/** @} */

/** All rules, in their order. after_correction() ends at the first verdict that is not 0. */
void rsd_rules_before_attempt(rsd_ida *it);
int rsd_rules_after_correction(rsd_ida *it);

/** An IDAEwtFn, user is the rsd_ida: error weights w [n] at y [n], before a step, and all rules after the last one.
 *  0; -1: IDASolve has to return. */
int rsd_rules_after_step(N_Vector y, N_Vector w, void *user);

#endif
