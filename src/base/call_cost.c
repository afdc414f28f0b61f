/* call_cost.c - see call_cost.h. */
#include "call_cost.h"

#include "message.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(resida_callback_costs) == RSD_N_COSTS * sizeof(double), "a cost for each callback");
_Static_assert(offsetof(resida_callback_costs, jacobian) == RSD_CALL_DAE_JACOBIAN * sizeof(double),
               "in the same order");

resida_status rsd_call_costs_check(const resida_callback_costs *said, const char *model, resida_message *why)
{
    double cost[RSD_N_COSTS];
    memcpy(cost, said, sizeof cost);
    for (int i = 0; i < RSD_N_COSTS; i++)
        if (!(cost[i] >= 0 && cost[i] < INFINITY))
            return rsd_fail(why, RESIDA_ERR_MODEL, "%s: cost.%s = %g, must be finite and >= 0 (0: assumed by size)",
                            model, rsd_callback_names[i], cost[i]);
    return RESIDA_OK;
}

void rsd_call_costs_take(rsd_call_costs *costs, const resida_callback_costs *said, rsd_callback which, double assumed)
{
    double cost[RSD_N_COSTS];
    memcpy(cost, said, sizeof cost);
    rsd_call_costs_take_product(costs, cost[which], which, assumed);
}

void rsd_call_costs_take_product(rsd_call_costs *costs, double said, rsd_callback which, double assumed)
{
    costs->is_assumed[which] = said == 0;
    costs->of[which] = said > 0 ? said : assumed;
}

double rsd_call_costs_of_product(const rsd_call_costs *costs)
{
    return costs->of[RSD_CALL_JACOBIAN_TIMES] + costs->of[RSD_CALL_RESIDUAL_TIMES]; /* one of them is there */
}

resida_callback_costs rsd_call_costs_copy(const rsd_call_costs *costs)
{
    resida_callback_costs copy;
    memcpy(&copy, costs->of, sizeof copy);
    return copy;
}
