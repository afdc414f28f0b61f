/* jacobian.c - see jacobian.h: prepares J for an iteration. */
#include "engine_impl.h"
#include "tuning.h"

#include <limits.h>

resida_status rsd_jacobian_attach(resida_jacobian *jac, const rsd_jacobian_use *use)
{
    rsd_renewal *r = &jac->renewal;
    jac->use = *use;
    jac->d.profile = use->profile;
    r->max_rate = use->max_rate > 0 ? use->max_rate : RSD_WORST_RATE;
    r->max_age = use->max_age > 0 ? use->max_age : LONG_MAX;
    if (!use->linear_solver) return RESIDA_OK;
    return rsd_linear_create(&jac->factors.linear, jac->f.n, use->linear_solver, &jac->f.alloc, use->why);
}

void rsd_jacobian_begin_attempt(resida_jacobian *jac, const rsd_attempt *attempt)
{
    rsd_renewal *r = &jac->renewal;
    r->attempt = *attempt;
    r->setup = (rsd_setup_facts){.current = 0};
    r->is_requested = r->requested != 0;
    if (r->by_costs && r->costs.iteration == 0) rsd_estimate_costs(jac);
}

int rsd_jacobian_set_up(resida_jacobian *jac, const rsd_plan *plan, const resida_jacobian_point *at,
                        rsd_setup_facts *setup)
{
    const rsd_setup *last = &jac->renewal.last;
    const int back = rsd_profile_enter(jac->d.profile, RSD_IN_ASSEMBLY);
    jac->renewal.counts[plan->reason]++;
    const int verdict = rsd_engine_set_up(jac, plan, at, &setup->current);
    rsd_profile_leave(jac->d.profile, back);
    setup->has_new_dFdy = last->is_ready && last->has_new_dFdy;
    setup->is_repaired = last->is_ready && last->is_repaired;
    return verdict;
}

/* Set J up by a plan and factor it. A repaired J keeps the factors of J_0 (repair.h). */
static int set_up_J(resida_jacobian *jac, const rsd_plan *plan)
{
    rsd_renewal *r = &jac->renewal;
    rsd_setup_facts *setup = &r->setup;
    const rsd_matrix_ops *ops = jac->use.ops;
    r->has_J = setup->is_singular = 0;
    int verdict = ops && ops->set_up ? ops->set_up(jac->use.self, plan, setup)
                                     : rsd_jacobian_set_up(jac, plan, &r->attempt.at, setup);
    if (!verdict && !setup->is_repaired) setup->is_singular = (verdict = rsd_factor_J(jac, r->attempt.at.h)) > 0;
    if (verdict) return verdict;
    setup->is_factored = 1;
    setup->has_new_blocks = !r->by_costs || plan->action > RSD_UPDATE_ALPHA;
    if (r->by_costs) rsd_estimate_costs(jac);
    rsd_renewal_record_J(r);
    return 0;
}

rsd_plan rsd_jacobian_get_setup_plan(resida_jacobian *jac, rsd_occasion occasion, resida_setup_reason reason,
                                     const resida_jacobian_point *at)
{
    rsd_engine_get_facts(jac, at, &jac->renewal.engine);
    return rsd_renewal_get_plan(&jac->renewal, occasion, reason);
}

/* Return the plan for J on an occasion within an attempt. The facts of the engine are collected only for a setup. */
static rsd_plan get_plan_for_occasion(resida_jacobian *jac, rsd_occasion occasion)
{
    const int reason = rsd_renewal_get_reason(&jac->renewal, occasion);
    if (reason == RSD_NO_SETUP) return (rsd_plan){.action = RSD_KEEP};
    return rsd_jacobian_get_setup_plan(jac, occasion, (resida_setup_reason)reason, &jac->renewal.attempt.at);
}

int rsd_jacobian_prepare(resida_jacobian *jac, rsd_occasion occasion)
{
    rsd_setup_facts *setup = &jac->renewal.setup;
    rsd_plan plan = get_plan_for_occasion(jac, occasion);
    int verdict = 0;
    setup->within += occasion == RSD_AT_ITERATE;
    setup->is_new = plan.action != RSD_KEEP;
    while (plan.action != RSD_KEEP && (verdict = set_up_J(jac, &plan)) > 0) {
        plan = get_plan_for_occasion(jac, RSD_AT_FAILED_SETUP);
        setup->pattern_searched |= plan.check.is_requested;
    }
    return verdict;
}

resida_status rsd_jacobian_report_failure(const resida_jacobian *jac, int verdict)
{
    const resida_status status = (resida_status)verdict;
    if (jac->renewal.last.is_ready) return status; /* the factorisation has failed and set the message */
    return rsd_fail(jac->use.why, status, "J cannot be set up at t = %.9g: %s", jac->renewal.attempt.at.t,
                    status == RESIDA_ERR_MEMORY ? "no memory for its pattern" : resida_status_name(status));
}

rsd_renewal *rsd_jacobian_get_renewal(resida_jacobian *jac)
{
    return &jac->renewal;
}
