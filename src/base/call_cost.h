/* call_cost.h - what a call of each callback costs, in operations. */
#ifndef RSD_CALL_COST_H
#define RSD_CALL_COST_H

#include <resida/mechanism.h>

#include "tally.h"

typedef struct rsd_call_costs {
    double of[RSD_N_CALLBACKS];                /* 0: there is no such callback, or its cost is not needed */
    unsigned char is_assumed[RSD_N_CALLBACKS]; /* 1: by size, 0: it was said or measured */
} rsd_call_costs;

/** RESIDA_ERR_MODEL with the member named, unless all are finite and >= 0. */
resida_status rsd_call_costs_check(const resida_callback_costs *said, const char *model, resida_message *why);

/** Callback `which` costs what was said, or else what is assumed of it. */
void rsd_call_costs_take(rsd_call_costs *costs, const resida_callback_costs *said, rsd_callback which, double assumed);

/** The same of products, which have a cost of their own. */
void rsd_call_costs_take_product(rsd_call_costs *costs, double said, rsd_callback which, double assumed);

/** As a user sees it, and what products cost. */
resida_callback_costs rsd_call_costs_copy(const rsd_call_costs *costs);
double rsd_call_costs_of_product(const rsd_call_costs *costs);

#endif
