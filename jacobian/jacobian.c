/* jacobian.c - prepares J for an iteration (jacobian.h). */
#include "engine_impl.h"
#include "tuning.h"

#include <limits.h>
#include <math.h>
#include <string.h>

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

void rsd_jacobian_set_attempt(resida_jacobian *jac, const rsd_attempt *attempt)
{
    rsd_renewal *r = &jac->renewal;
    r->attempt = *attempt;
    r->events = (rsd_attempt_events){.was_requested = r->requested != 0};
    if (r->by_costs && r->costs.iteration == 0) rsd_estimate_costs(jac);
}

int rsd_is_point_valid(const resida_jacobian_point *at)
{
    return at && at->y && at->yp && at->F && isfinite(at->t) && isfinite(at->since) && isfinite(at->alpha) &&
           isfinite(at->h);
}

/* Return the facts of the engine at a point, on which the plan of a setup depends. */
static rsd_engine_facts get_facts(const resida_jacobian *jac, const resida_jacobian_point *at)
{
    const rsd_strategy *strategy = jac->f.strategy;
    const rsd_evaluation *e = &jac->renewal.evaluation;
    const int is_same_time = at->since == e->t;
    return (rsd_engine_facts){
        .is_partitioned = strategy->partitioned,
        .finds_pattern = strategy->learns && !jac->search.is_given,
        .is_pattern_known = !jac->search.learning || jac->search.learnt > 1,
        .is_by_columns = jac->search.learning,
        .calls = rsd_engine_get_call_count(jac),
        .is_same_time = is_same_time,
        .is_moved = is_same_time && memcmp(e->y, at->y, (size_t)jac->f.n * sizeof *e->y) != 0,
        .has_history = jac->outdated.has_history,
        .can_repair = rsd_repair_is_possible(jac),
        .is_repair_same_time = at->since == jac->repair.t,
        .is_dFdyp_open = rsd_frame_is_B_differenced(&jac->f),
        .is_dFdyp_constant = jac->p.is_B_constant,
    };
}

int rsd_jacobian_plan_setup(resida_jacobian *jac, rsd_occasion occasion, resida_setup_reason reason,
                            const resida_jacobian_point *at, rsd_plan *plan)
{
    rsd_renewal *r = &jac->renewal;
    if (!rsd_is_point_valid(at)) return RESIDA_ERR_ARGUMENT;
    const int verdict = jac->refresh ? jac->refresh(at, jac->refresh_user) : 0;
    if (verdict) {
        r->setup = (rsd_setup){.is_current = 1}; /* another setup at this point would fail, too */
        return verdict;
    }
    r->engine = get_facts(jac, at);
    *plan = rsd_renewal_get_plan(r, occasion, reason);
    return 0;
}

/* Set J up on an occasion, and factor it. A repaired J keeps the factors of J_0 (repair.h). */
static int set_up_J(resida_jacobian *jac, rsd_occasion occasion, resida_setup_reason reason)
{
    rsd_renewal *r = &jac->renewal;
    const rsd_matrix_ops *ops = jac->use.ops;
    rsd_plan plan;
    r->is_factored = 0;
    r->setups[reason]++;
    int verdict = rsd_jacobian_plan_setup(jac, occasion, reason, &r->attempt.at, &plan);
    r->events.setups++;
    if (verdict) return verdict;
    verdict = ops && ops->set_up ? ops->set_up(jac->use.self, &plan) : rsd_jacobian_set_up(jac, &plan, &r->attempt.at);
    if (!verdict && !r->setup.is_repaired) r->setup.is_singular = (verdict = rsd_factor_J(jac, r->attempt.at.h)) > 0;
    if (verdict) return verdict;
    if (r->by_costs) rsd_estimate_costs(jac);
    rsd_renewal_record_J(r);
    return 0;
}

int rsd_jacobian_prepare(resida_jacobian *jac, rsd_occasion occasion)
{
    rsd_renewal *r = &jac->renewal;
    resida_setup_reason reason;
    int verdict = 0;
    r->events.setups_at_iterates += occasion == RSD_AT_ITERATE;
    while ((reason = rsd_renewal_get_reason(r, occasion)) != RSD_NO_SETUP) {
        verdict = set_up_J(jac, occasion, reason);
        if (verdict <= 0) return verdict;
        occasion = RSD_AT_FAILED_SETUP;
    }
    return verdict;
}

resida_status rsd_jacobian_report_failure(const resida_jacobian *jac, int verdict)
{
    const resida_status status = (resida_status)verdict;
    if (jac->renewal.setup.is_ready) return status; /* the factorisation has failed and set the message */
    return rsd_fail(jac->use.why, status, "J cannot be set up at t = %.9g: %s", jac->renewal.attempt.at.t,
                    status == RESIDA_ERR_MEMORY ? "no memory for its pattern" : resida_status_name(status));
}

rsd_renewal *rsd_jacobian_get_renewal(resida_jacobian *jac)
{
    return &jac->renewal;
}
