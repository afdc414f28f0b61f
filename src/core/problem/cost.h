/* cost.h - what calls of a problem cost, in operations: of each callback, and from these of the functions that the
 * Jacobian engine calls. */
#ifndef RSD_PROBLEM_COST_H
#define RSD_PROBLEM_COST_H

#include <resida/jacobian.h>
#include <resida/problem.h>

#include "base/profile.h"

typedef struct rsd_call_costs {
    double of[RSD_N_CALLBACKS];                /* 0: there is no such callback, or its cost is not needed */
    unsigned char is_assumed[RSD_N_CALLBACKS]; /* 1: by size, 0: it was said or measured */
} rsd_call_costs;

/** RESIDA_ERR_MODEL with the member named, unless all are finite and >= 0. */
resida_status rsd_call_costs_check(const resida_callback_costs *said, const char *model, resida_message *why);

/** The cost of a call of each callback: as given by the model, else assumed by its size. */
rsd_call_costs rsd_problem_call_costs(const resida_problem *problem);

/** Set the costs of functions of the problem, the members cost_.. of the system. */
void rsd_problem_set_costs(const resida_problem *problem, const rsd_call_costs *costs, resida_system *system);

#endif
