/* setup.c - sets J up by a plan of renewal.h: updates the parts without residual calls, or repairs or evaluates dF/dy;
 * then assembles J. */
#include "engine_impl.h"

#include <math.h>
#include <string.h>

/* Update the parts of J that the action requires, and set *current to 0. dF/dy is kept, except entries that may be
 * differences across a jump of F: jumps are evaluated again. */
static int update_parts_of_J(resida_jacobian *jac, rsd_action action, const resida_jacobian_point *at, int *current)
{
    const rsd_strategy *strategy = jac->f.strategy;
    jac->renewal.evaluation.updates++;
    jac->counts.updates_alpha++;
    jac->counts.updates_blocks += action == RSD_UPDATE_BLOCKS;
    if (strategy->extended && jac->p.D && jac->excitations.n_live > 0) jac->counts.updates_excitation++;
    *current = 0;
    int verdict = action > RSD_UPDATE_ALPHA ? rsd_update_B(jac, at) : 0;
    if (!verdict && action == RSD_UPDATE_BLOCKS) verdict = rsd_update_C(jac, at);
    return verdict || strategy->user ? verdict : rsd_jumps_test_again(&jac->jumps, &jac->d, &jac->p, at);
}

/* Update all parts of J except dF/dy, factor J, and repair dF/dy. If the repair fails, evaluate dF/dy. After a repair
 * *current is 0: if the iteration fails, an evaluation of dF/dy may improve J. */
static int repair_J(resida_jacobian *jac, const rsd_plan *plan, const resida_jacobian_point *at, int *current)
{
    const long before = jac->counts.residual_calls;
    int done = 0, verdict = update_parts_of_J(jac, RSD_UPDATE_BLOCKS, at, current);
    if (verdict) return verdict;
    rsd_parts_assemble_J(&jac->p, &jac->f, at->alpha);
    verdict = rsd_factor_J(jac, at->h);
    if (!verdict) verdict = rsd_repair_A(jac, at, &done);
    jac->counts.repair_calls += jac->counts.residual_calls - before;
    jac->repair.t = rsd_get_age_time(at);
    jac->counts.repairs += done;
    return verdict < 0 || done ? verdict : rsd_evaluate_J(jac, plan, at, current);
}

int rsd_is_point_finite(const resida_jacobian_point *at)
{
    return at && at->y && at->yp && at->F && isfinite(at->t) && isfinite(at->since) && isfinite(at->alpha) &&
           isfinite(at->h);
}

/* Set J up by a plan. *current is set to 1 if no further setup at the point can improve J, and to 0 otherwise. */
static int execute_plan(resida_jacobian *jac, const rsd_plan *plan, const resida_jacobian_point *at, int *current)
{
    if (plan->check.is_requested) jac->renewal.requested = RESIDA_REQUEST_PATTERN;
    const int requested = jac->renewal.requested;
    const long repairs = jac->counts.repairs;
    jac->repair.m = 0;
    int verdict = !jac->p.is_there ? rsd_search_set_first_pattern(&jac->search, &jac->d, &jac->p, at) : 0;
    if (plan->reason == RESIDA_SETUP_FIRST)
        rsd_discard_evaluations(jac); /* a restart uses the same increments as the first start */
    if (!verdict)
        verdict = plan->action == RSD_EVALUATE ? rsd_evaluate_J(jac, plan, at, current)
                  : plan->action == RSD_REPAIR ? repair_J(jac, plan, at, current)
                                               : update_parts_of_J(jac, plan->action, at, current);
    if (!verdict) rsd_parts_assemble_J(&jac->p, &jac->f, at->alpha);
    if (!verdict && jac->f.strategy->extended)
        verdict = rsd_excitations_add_to_J(&jac->excitations, &jac->f, &jac->p, at->t);
    if (verdict) jac->renewal.requested |= requested; /* the request is still pending */
    jac->renewal.last = (rsd_setup){.is_ready = verdict == 0,
                                    .has_new_dFdy = plan->action >= RSD_REPAIR,
                                    .is_repaired = jac->counts.repairs > repairs,
                                    .is_current = *current,
                                    .alpha = at->alpha};
    return verdict;
}

void rsd_engine_get_facts(const resida_jacobian *jac, const resida_jacobian_point *at, rsd_engine_facts *facts)
{
    const rsd_strategy *strategy = jac->f.strategy;
    const rsd_evaluation *e = &jac->renewal.evaluation;
    const int is_same_time = rsd_get_age_time(at) == e->t;
    *facts = (rsd_engine_facts){.is_partitioned = strategy->partitioned,
                                .learns = strategy->learns && !jac->search.is_given,
                                .is_same_time = is_same_time,
                                .is_moved =
                                    is_same_time && at->y && memcmp(e->y, at->y, (size_t)jac->f.n * sizeof *e->y) != 0,
                                .has_history = jac->outdated.has_history,
                                .can_repair = rsd_repair_is_possible(jac) && !jac->d.work.central &&
                                              (!jac->search.learning || jac->search.learnt > 1),
                                .is_repair_same_time = rsd_get_age_time(at) == jac->repair.t};
}

int rsd_engine_set_up(resida_jacobian *jac, const rsd_plan *plan, const resida_jacobian_point *at, int *current)
{
    const long calls = jac->counts.residual_calls;
    if (!rsd_is_point_finite(at)) return RESIDA_ERR_ARGUMENT;
    *current = 1; /* 1 even if no part is updated, because another setup would fail, too */
    int is_new = 0, verdict = jac->refresh ? jac->refresh(at, &is_new, jac->refresh_user) : 0;
    rsd_plan evaluate = *plan;
    evaluate.action = RSD_EVALUATE, evaluate.columns = RSD_ALL;
    if (is_new) plan = &evaluate;
    rsd_renewal_begin_setup(&jac->renewal, plan);
    if (!verdict) verdict = execute_plan(jac, plan, at, current);
    rsd_renewal_record_calls(&jac->renewal, plan, jac->counts.residual_calls - calls);
    return verdict;
}

int resida_jacobian_setup(resida_jacobian *jac, resida_setup_reason reason, const resida_jacobian_point *at,
                          int *current)
{
    if (!jac || !at || !current || (int)reason < 0 || reason > RESIDA_SETUP_AGE) return RESIDA_ERR_ARGUMENT;
    const rsd_plan plan = rsd_jacobian_get_setup_plan(jac, RSD_AT_ATTEMPT, reason, at);
    return rsd_engine_set_up(jac, &plan, at, current);
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
