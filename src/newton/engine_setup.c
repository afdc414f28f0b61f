/* engine_setup.c - sets J up at a point: the policy makes a plan of the engine's facts, the engine executes it. */
#include "newton.h"
#include "setup_history.h"

static int set_up_by_policy(resida_jacobian *jac, rsd_renewal renewal, const resida_jacobian_point *at, int *current)
{
    rsd_setup_history *history = rsd_engine_history(jac);
    rsd_engine_facts facts;
    rsd_engine_get_facts(jac, at, &facts);
    rsd_history_begin_setup(history, renewal.reason, &facts);
    const rsd_plan plan = rsd_policy_plan(history, renewal, &facts);
    const int verdict = rsd_engine_set_up(jac, &plan, at, current);
    rsd_history_record_setup(history, plan.action, rsd_engine_calls(jac) - facts.calls);
    return verdict;
}

int resida_jacobian_setup(resida_jacobian *jac, resida_setup_reason reason, const resida_jacobian_point *at,
                          int *current)
{
    if (!jac || !at || !current || (int)reason < 0 || reason > RESIDA_SETUP_AGE) return RESIDA_ERR_ARGUMENT;
    return set_up_by_policy(jac, rsd_policy_renewal_for(reason), at, current);
}

int rsd_newton_engine_setup(rsd_newton *nw, rsd_renewal renewal, const resida_jacobian_point *at, rsd_setup_facts *J)
{
    rsd_guard *g = nw->system.guard;
    resida_jacobian *engine = nw->system.engine;
    nw->counts.setups[renewal.reason]++;
    const int back = rsd_profile_enter(g->tally.profile, RSD_IN_ASSEMBLY);
    const int verdict = set_up_by_policy(engine, renewal, at, &J->current);
    rsd_profile_leave(g->tally.profile, back);
    J->is_evaluated = rsd_engine_was_evaluated(engine);
    J->is_repaired = rsd_engine_was_repaired(engine);
    if (verdict < 0 && g->stop == RESIDA_OK)
        g->stop = rsd_fail(g->message, (resida_status)verdict, "J cannot be set up at t = %.9g: %s", at->t,
                           verdict == RESIDA_ERR_MEMORY ? "no memory for its pattern"
                                                        : resida_status_name((resida_status)verdict));
    return verdict;
}
