/* setup.c - sets J up at a new point: the policy makes the plan, the engine executes it. */
#include "policy.h"

int resida_jacobian_setup(resida_jacobian *jac, resida_setup_reason reason, const resida_jacobian_point *at,
                          int *current)
{
    if (!jac || !at || !current || (int)reason < 0 || reason > RESIDA_SETUP_ATTEMPT) return RESIDA_ERR_ARGUMENT;
    rsd_engine_facts facts;
    rsd_engine_get_facts(jac, at, &facts);
    const rsd_plan plan = rsd_policy_plan(rsd_engine_history(jac), reason, &facts);
    const long before = facts.calls;
    const int verdict = rsd_engine_set_up(jac, &plan, at, current);
    rsd_policy_record_setup(rsd_engine_history(jac), &plan, rsd_engine_calls(jac) - before);
    return verdict;
}
