/* setup.c - a setup of J, as it was decided (src/newton/policy.c): updates without residual calls, or an evaluation of
 * dF/dy; then J is put together. */
#include "engine_impl.h"

#include <math.h>

/* All up to the action that costs no residual call. */
static int update(resida_jacobian *j, rsd_action action, const resida_jacobian_point *at, int *current)
{
    const rsd_strategy *strategy = j->f.strategy;
    const int with_C = action == RSD_UPDATE_BLOCKS;
    j->evaluation.updates++;
    j->counts.updates_alpha++;
    j->counts.updates_blocks += with_C;
    if (strategy->extended && j->p.D && j->excitations.n_live > 0) j->counts.updates_excitation++;
    *current = 0;
    const int verdict = action > RSD_UPDATE_ALPHA ? rsd_blocks(j, at, with_C, 0) : 0;
    return verdict || strategy->user ? verdict : rsd_jumps_accept_again(&j->jumps, &j->d, &j->p, at);
}

/* What is requested from now on is for the next setup. */
static int evaluate(resida_jacobian *j, const rsd_plan *plan, const resida_jacobian_point *at, int *current)
{
    j->requested = 0;
    return rsd_evaluate(j, plan, at, current);
}

static int is_possible(const resida_jacobian_point *at)
{
    return at && at->y && at->yp && at->F && isfinite(at->t) && isfinite(at->since) && isfinite(at->alpha) &&
           isfinite(at->h);
}

int rsd_engine_set_up(resida_jacobian *j, const rsd_plan *plan, const resida_jacobian_point *at, int *current)
{
    if (!is_possible(at)) return RESIDA_ERR_ARGUMENT;
    *current = 1; /* what fails before it is known to be cheap cannot be made better */
    const int is_update = plan->action < RSD_EVALUATE, requested = j->requested;
    int verdict = !j->p.is_there ? rsd_search_begin(&j->search, &j->d, &j->p, at) : 0;
    if (plan->is_first) rsd_evaluate_forget(j); /* restarts begin with the increments of a first start */
    if (!verdict) verdict = is_update ? update(j, plan->action, at, current) : evaluate(j, plan, at, current);
    if (!verdict) rsd_parts_assemble(&j->p, &j->f, at->alpha);
    if (!verdict && j->f.strategy->extended) verdict = rsd_excitations_add(&j->excitations, &j->f, &j->p, at->t);
    if (verdict) j->requested |= requested; /* it has not been fulfilled */
    j->last =
        (rsd_setup){.is_ready = verdict == 0, .is_evaluated = !is_update, .is_current = *current, .alpha = at->alpha};
    return verdict;
}

void rsd_engine_get_facts(const resida_jacobian *j, const resida_jacobian_point *at, rsd_engine_facts *facts)
{
    const rsd_strategy *strategy = j->f.strategy;
    const rsd_evaluation *e = &j->evaluation;
    *facts = (rsd_engine_facts){.has_J = j->last.is_ready,
                                .is_partitioned = strategy->partitioned,
                                .renews = strategy->fresh,
                                .learns = strategy->learns && !j->search.is_given,
                                .request = j->requested,
                                .was_evaluated = j->last.is_evaluated,
                                .was_current = j->last.is_current,
                                .was_partial = e->is_partial,
                                .is_incomplete = e->is_partial || e->skipped_B,
                                .is_same_point = rsd_clock(at) == e->t,
                                .has_history = j->outdated.has_history,
                                .updates = e->updates};
}

rsd_setup_history *rsd_engine_history(resida_jacobian *j)
{
    return &j->history;
}

resida_status resida_jacobian_request(resida_jacobian *j, resida_request what)
{
    if (!j || (what != RESIDA_REQUEST_EVALUATION && what != RESIDA_REQUEST_PATTERN)) return RESIDA_ERR_ARGUMENT;
    j->requested |= (int)what;
    return RESIDA_OK;
}

int resida_jacobian_is_requested(const resida_jacobian *j)
{
    return j && j->requested != 0;
}
