/* ida_rules.h - the rules that are applied in addition to those of IDA (ida_rules.c). Each rule has its own file. Rules
 * act before an attempt to solve a step, after its iteration has converged, and after a step was accepted.
 * doc/mathematics.md describes the failure of plain IDA that each rule prevents. */
#ifndef RSD_IDA_RULES_H
#define RSD_IDA_RULES_H

#include "ida_impl.h"

/** The last accepted step, or the start. */
typedef struct rsd_accepted_step {
    double t_ida, t; /* end of the step, in IDA's time and in the user's */
    const double *y; /* [n] at the end */
    double *w;       /* [n] error weights of the next step */
} rsd_accepted_step;

/** @name Hooks of the rules, rule_NAME.c
 *  - _begin(), _note() and _hold() are called before an attempt.
 *  - _check(s) is called after a step. It returns 0, or nonzero if IDASolve has to return. In this case the guard has
 *    the reason, or the integration restarts.
 *  - All others are called after the correction of an attempt. They return 0, > 0 if IDA has to try a shorter step, or
 *    < 0 if IDASolve has to return.
 *  @{ */
int rsd_rest_check(rsd_ida *ida);
void rsd_signs_begin(rsd_ida *ida);
int rsd_signs_check(rsd_ida *ida);
void rsd_jump_begin(rsd_ida *ida);
int rsd_jump_watch(rsd_ida *ida);
void rsd_min_order_note(rsd_ida *ida);
int rsd_min_order_keep(rsd_ida *ida);
void rsd_growth_hold(rsd_ida *ida);
int rsd_order_limits_check(rsd_ida *ida, const rsd_accepted_step *s);
int rsd_progress_check(rsd_ida *ida, const rsd_accepted_step *s);
/** @} */

/** Apply all rules in their order. after_correction() returns the first verdict that is not 0. */
void rsd_rules_before_attempt(rsd_ida *ida);
int rsd_rules_after_correction(rsd_ida *ida);

/** An IDAEwtFn with the rsd_ida as user. Apply all rules after a step, and compute the error weights w [n] at y [n] for
 *  the next step. Return 0 on success, or -1 if IDASolve has to return. */
int rsd_rules_after_step(N_Vector y, N_Vector w, void *user);

#endif
