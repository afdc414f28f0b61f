/* cost.h - costs, in operations, of the callbacks of a problem and of the functions that the Jacobian engine calls. */
#ifndef RSD_PROBLEM_COST_H
#define RSD_PROBLEM_COST_H

#include <resida/jacobian.h>
#include <resida/problem.h>

#include "base/profile.h"

/** Costs of the callbacks of a problem. */
typedef struct rsd_call_costs {
    double of[RSD_N_CALLBACKS]; /* cost of a call [floating-point operations]; 0: the callback is not used */
    unsigned char is_assumed[RSD_N_CALLBACKS]; /* 1: the cost is estimated from the size; 0: given or measured */
} rsd_call_costs;

/** Return RESIDA_ERR_MODEL, with the name of the member, unless all costs are finite and >= 0. */
resida_status rsd_call_costs_check(const resida_callback_costs *said, const char *model, resida_message *why);

/** Return the cost of a call of each callback: the cost given by the model, or else an estimate from the size. */
rsd_call_costs rsd_problem_get_call_costs(const resida_problem *problem);

/** Set the members cost_.. of the system, the costs of its functions, from the costs of the callbacks. */
void rsd_problem_set_costs(const resida_problem *problem, const rsd_call_costs *costs, resida_system *system);

#endif
