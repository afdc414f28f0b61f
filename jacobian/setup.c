/* setup.c - sets J up by a plan of renewal.h: updates the parts without residual calls, or repairs or evaluates dF/dy;
 * then assembles J. */
#include "engine_impl.h"

#include <math.h>

/* Renew the parts of J up to `level`, which is below RSD_DFDY. J is then not current. Entries of dF/dy that may be
 * differences across a jump of F are evaluated again. */
static int update_parts_of_J(resida_jacobian *jac, rsd_renewal_level level, const resida_jacobian_point *at)
{
    const rsd_strategy *strategy = jac->f.strategy;
    const int with_C = level == RSD_BLOCKS && strategy->by_costs;
    jac->renewal.evaluation.updates++;
    jac->renewal.setup.is_current = 0;
    jac->counts.updates_alpha++;
    jac->counts.updates_blocks += with_C;
    if (strategy->extended && jac->p.D && jac->excitations.n_live > 0) jac->counts.updates_excitation++;
    int verdict = level == RSD_BLOCKS ? rsd_update_B(jac, at) : 0;
    if (!verdict && with_C) verdict = rsd_update_C(jac, at);
    return verdict || strategy->user ? verdict : rsd_jumps_test_again(&jac->jumps, &jac->d, &jac->p, at);
}

/* Update all parts of J except dF/dy, factor J, and repair dF/dy. If the repair fails, evaluate dF/dy. After a repair J
 * is not current: if the iteration fails, an evaluation of dF/dy may improve J. */
static int repair_J(resida_jacobian *jac, const rsd_plan *plan, const resida_jacobian_point *at)
{
    const long before = jac->counts.residual_calls;
    int done = 0, verdict = update_parts_of_J(jac, RSD_BLOCKS, at);
    if (verdict) return verdict;
    rsd_parts_assemble_J(&jac->p, &jac->f, at->alpha);
    verdict = rsd_factor_J(jac, at->h);
    if (!verdict) verdict = rsd_repair_A(jac, at, &done);
    jac->counts.repair_calls += jac->counts.residual_calls - before;
    jac->repair.t = rsd_get_age_time(at);
    jac->counts.repairs += done;
    return verdict < 0 || done ? verdict : rsd_evaluate_J(jac, plan, at);
}

/* Carry out a plan, and set renewal.setup.is_current. */
static int execute_plan(resida_jacobian *jac, const rsd_plan *plan, const resida_jacobian_point *at)
{
    if (plan->check.is_requested) jac->renewal.requested = RESIDA_REQUEST_PATTERN;
    const int requested = jac->renewal.requested;
    jac->repair.m = 0;
    jac->renewal.setup.is_current = 1; /* 1 even if no part is updated, because another setup would fail, too */
    int verdict = !jac->p.is_there ? rsd_search_set_first_pattern(&jac->search, &jac->d, &jac->p, at) : 0;
    if (plan->reason == RESIDA_SETUP_FIRST)
        rsd_discard_evaluations(jac); /* a restart uses the same increments as the first start */
    if (!verdict)
        verdict = plan->repairs             ? repair_J(jac, plan, at)
                  : plan->level == RSD_DFDY ? rsd_evaluate_J(jac, plan, at)
                                            : update_parts_of_J(jac, plan->level, at);
    if (!verdict) rsd_parts_assemble_J(&jac->p, &jac->f, at->alpha);
    if (!verdict && jac->f.strategy->extended)
        verdict = rsd_excitations_add_to_J(&jac->excitations, &jac->f, &jac->p, at->t);
    if (verdict) jac->renewal.requested |= requested; /* the request is still pending */
    return verdict;
}

int rsd_jacobian_set_up(resida_jacobian *jac, const rsd_plan *plan, const resida_jacobian_point *at)
{
    rsd_renewal *r = &jac->renewal;
    const long calls = jac->counts.residual_calls, repairs = jac->counts.repairs;
    const int back = rsd_profile_enter(jac->d.profile, RSD_IN_ASSEMBLY);
    rsd_renewal_begin_setup(r, plan);
    const int verdict = execute_plan(jac, plan, at);
    r->setup = (rsd_setup){.level = plan->level,
                           .is_ready = verdict == 0,
                           .is_repaired = jac->counts.repairs > repairs,
                           .is_current = r->setup.is_current,
                           .alpha = at->alpha};
    rsd_renewal_record_calls(r, plan, jac->counts.residual_calls - calls);
    rsd_profile_leave(jac->d.profile, back);
    return verdict;
}

int resida_jacobian_setup(resida_jacobian *jac, resida_setup_reason reason, const resida_jacobian_point *at,
                          int *current)
{
    rsd_plan plan;
    if (!jac || !at || !current || (int)reason < 0 || reason > RESIDA_SETUP_AGE) return RESIDA_ERR_ARGUMENT;
    int verdict = rsd_jacobian_plan_setup(jac, RSD_AT_ATTEMPT, reason, at, &plan);
    if (!verdict) verdict = rsd_jacobian_set_up(jac, &plan, at);
    *current = jac->renewal.setup.is_current;
    return verdict;
}

resida_status resida_jacobian_request(resida_jacobian *jac, resida_request what)
{
    if (!jac || (what != RESIDA_REQUEST_EVALUATION && what != RESIDA_REQUEST_PATTERN)) return RESIDA_ERR_ARGUMENT;
    jac->renewal.requested |= (int)what;
    return RESIDA_OK;
}

int resida_jacobian_is_requested(const resida_jacobian *jac)
{
    return jac && jac->renewal.requested != 0;
}
