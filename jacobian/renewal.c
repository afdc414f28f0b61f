/* renewal.c - see renewal.h.
 *
 * As in IDA, J is set up at the first step, when alpha/alpha_J leaves [3/5, 5/3], and after an iteration that failed
 * with the J of an earlier attempt. The reason persists across attempts: a failed attempt reduces the step to a
 * quarter, and the next setup is counted as "failure" although alpha has changed. If an inexpensive update is not
 * sufficient, a better setup follows within the attempt, while the engine reports that J is not current.
 *
 * If the strategy renews parts of J by costs, renewal_cost.c decides which outdated part is renewed. */
#include "renewal.h"

#include "tuning.h"

#include <math.h>

/* --- What a plan does for a reason --- */

/* Return the number of consecutive failures with a current J, including the failure that caused the setup. Failures
 * more than RSD_RECENT setups apart are not consecutive. */
static int count_failures_with_J(const rsd_renewal *r, resida_setup_reason reason)
{
    const int setups = reason == RESIDA_SETUP_FAILURE ? 0 : r->setups + 1;
    if (setups > RSD_RECENT || reason == RESIDA_SETUP_FIRST || !r->engine.learns) return 0;
    return r->failures + (reason == RESIDA_SETUP_FAILURE && r->last.is_current);
}

/* Return 1 if a repair is likely to be cheaper than an evaluation. A repair takes a few residual calls, but its J is
 * valid for fewer attempts. It must be possible, at another time than the last evaluation and repair, and few repairs
 * may have failed. It is not made at a solution, where F is nearly 0 and gives no directions. Then an evaluation must
 * take many calls, evaluations must take a large part of all calls, and repairs must reduce the calls per time, or none
 * was made yet. */
static int is_repair_cheaper(const rsd_renewal *r, rsd_occasion occasion, resida_setup_reason reason)
{
    const rsd_repair_statistics *s = &r->repair;
    const rsd_engine_facts *e = &r->engine;
    const rsd_call_rate *with = &s->repaired, *without = &s->evaluated;
    const int failed = s->failed + (reason == RESIDA_SETUP_FAILURE && r->last.is_repaired);
    if (!e->can_repair || occasion == RSD_AT_SOLUTION || reason == RESIDA_SETUP_FIRST || r->requested) return 0;
    if (e->is_same_time || e->is_repair_same_time || failed >= RSD_FAILING) return 0;
    if (s->evaluations < RSD_REPAIR_AFTER) return 0;
    if (s->evaluation < RSD_REPAIR_FROM || s->of_dFdy < RSD_REPAIR_SHARE * without->calls) return 0;
    return with->calls * without->time < without->calls * with->time || with->time == 0;
}

/* Return 1 if an update of the blocks may suffice for a retry: its predicted rate is below RSD_RENEWAL_RATE, and an
 * evaluation of dF/dy costs more than the update and a repetition of the failed iteration. */
static int may_block_update_suffice(const rsd_renewal *r)
{
    if (!r->by_costs || r->setup.has_new_blocks || r->failed.residual_is_the_same) return 0;
    const double retry = r->costs.renewal[RSD_BLOCKS] + (r->failed.m + 1) * r->costs.iteration;
    return r->costs.renewal[RSD_DFDY] >= retry && rsd_renewal_predict_rate(r, RSD_BLOCKS) < RSD_RENEWAL_RATE;
}

/* Return 1 if a setup after a failure keeps dF/dy and only updates the parts that cost no residual call. There are two
 * cases. An update of the blocks may suffice for a retry. Or dF/dy is recent: the last setup evaluated or repaired it,
 * at another time than that of this point, and fewer than RSD_FAILING consecutive failures had a current J. */
static int may_keep_dFdy(const rsd_renewal *r, rsd_occasion occasion, resida_setup_reason reason)
{
    const rsd_engine_facts *e = &r->engine;
    if (reason != RESIDA_SETUP_FAILURE) return 0;
    if (occasion == RSD_AT_RETRY && may_block_update_suffice(r)) return 1;
    return r->last.has_new_dFdy && !e->is_same_time && !e->is_repair_same_time &&
           count_failures_with_J(r, reason) < RSD_FAILING;
}

/* Return the action of a setup. Strategies that do not renew J by costs update only the known entries. */
static rsd_action choose_action(const rsd_renewal *r, rsd_occasion occasion, resida_setup_reason reason)
{
    static const rsd_action needed[] = {
        [RESIDA_SETUP_FIRST] = RSD_EVALUATE,        [RESIDA_SETUP_ALPHA] = RSD_UPDATE_ALPHA,
        [RESIDA_SETUP_FAILURE] = RSD_EVALUATE,      [RESIDA_SETUP_OTHER] = RSD_EVALUATE,
        [RESIDA_SETUP_ATTEMPT] = RSD_UPDATE_BLOCKS, [RESIDA_SETUP_AGE] = RSD_EVALUATE,
    };
    const int is_whole = !r->last.is_ready || !r->engine.is_partitioned || r->requested;
    const rsd_action action = is_whole                             ? RSD_EVALUATE
                              : may_keep_dFdy(r, occasion, reason) ? RSD_UPDATE_BLOCKS
                                                                   : needed[reason];
    if (action == RSD_EVALUATE) return is_repair_cheaper(r, occasion, reason) ? RSD_REPAIR : RSD_EVALUATE;
    return r->by_costs ? action : RSD_UPDATE_KNOWN;
}

/* Return the columns of dF/dy to be evaluated: RSD_ALL at a start, on request, or if the last evaluation was at the
 * same time with another y; RSD_REST if the last evaluation was incomplete; otherwise RSD_OUTDATED. */
static rsd_column_set choose_column_set(const rsd_renewal *r, resida_setup_reason reason)
{
    const int is_incomplete = r->evaluation.is_partial || r->evaluation.skipped_B;
    if (reason == RESIDA_SETUP_FIRST || r->engine.is_moved) return RSD_ALL;
    if (is_incomplete && r->engine.is_same_time) return RSD_REST;
    return r->requested ? RSD_ALL : RSD_OUTDATED;
}

/* If the iteration fails repeatedly with a current J, new entries are searched even if the check of the pattern has
 * passed. The check perturbs all columns at once, so rounding of large terms can hide a small entry in it, such as the
 * entry of a capacitance of 1e-12 F in a row with an entry of 1. */
rsd_plan rsd_renewal_get_plan(const rsd_renewal *r, rsd_occasion occasion, resida_setup_reason reason)
{
    const int is_recent = r->evaluation.updates <= RSD_RECENT && r->engine.has_history;
    const int is_slow = reason == RESIDA_SETUP_OTHER, is_search = occasion == RSD_AT_FAILED_SETUP && r->setup.current;
    const rsd_check_request check = {.is_doubtful = (is_slow || reason == RESIDA_SETUP_FAILURE) && is_recent,
                                     .is_slow_again = is_slow && is_recent,
                                     .is_failing = count_failures_with_J(r, reason) >= RSD_FAILING,
                                     .after_partial = r->evaluation.is_partial,
                                     .is_requested = r->requested == RESIDA_REQUEST_PATTERN || is_search};
    rsd_plan plan = {RSD_EVALUATE, reason, RSD_ALL, check, count_failures_with_J(r, reason)};
    if (is_search) return plan;
    plan.action = choose_action(r, occasion, reason);
    plan.columns = choose_column_set(r, reason);
    return plan;
}

/* --- The reasons of setups in an attempt --- */

/* Return 1 if alpha differs too much from the alpha of the factors, or if the number of stages differs. The bound rho
 * (renewal.h) is valid for one stage and steps of any size. In the complex system of Radau IIA the bound is 2.7 rho;
 * J is then kept only by its costs. Otherwise any change of alpha requires new factors. */
static int is_alpha_too_different(const rsd_renewal *r)
{
    if (r->stages != r->attempt.stages) return 1;
    const double range = r->attempt.steps == RSD_ANY_SIZE && (r->stages == 1 || r->by_costs) ? RSD_ALPHA_RANGE : 0;
    const double ratio = r->attempt.at.alpha / r->alpha, least = (1 - range) / (1 + range);
    return ratio < least || ratio > 1 / least;
}

/* Return the reason for a renewal that costs less than the iterations avoided by it, or RSD_NO_SETUP. With steps of a
 * fixed size, all parts that need no residual call are updated at each attempt. */
static int get_reason_by_costs(const rsd_renewal *r)
{
    if (r->attempt.steps != RSD_ANY_SIZE) return RESIDA_SETUP_ATTEMPT;
    const rsd_update_level level = rsd_renewal_choose_level(r);
    if (level == RSD_DFDY) return RESIDA_SETUP_OTHER;
    if (level == RSD_BLOCKS || r->blocks_outdated) return RESIDA_SETUP_ATTEMPT;
    return level == RSD_FACTORS || is_alpha_too_different(r) ? (int)RESIDA_SETUP_ALPHA : RSD_NO_SETUP;
}

static int get_reason_at_attempt(const rsd_renewal *r)
{
    if (r->has_failed) return RESIDA_SETUP_FAILURE;
    if (!r->has_J) return RESIDA_SETUP_FIRST;
    if (r->dFdy_outdated || r->is_requested) return RESIDA_SETUP_OTHER;
    if (r->age >= r->max_age) return RESIDA_SETUP_AGE;
    if (r->attempt.steps == RSD_TO_ROUNDING) return RESIDA_SETUP_FIRST;
    if (r->by_costs) return get_reason_by_costs(r);
    return is_alpha_too_different(r) ? (int)RESIDA_SETUP_ALPHA : RSD_NO_SETUP;
}

/* Return the reason of a setup after a failed setup. If J is singular after an update, dF/dy is evaluated. If a current
 * J is singular, rounding may have hidden entries. A search for entries is then planned, once per attempt.
 * rsd_jacobian_prepare() records this search in setup.pattern_searched. */
static int get_reason_at_failed_setup(const rsd_renewal *r)
{
    const int can_wait = r->attempt.steps == RSD_ANY_SIZE;
    if (!r->setup.current) return r->setup.is_singular || can_wait ? (int)RESIDA_SETUP_FAILURE : RSD_NO_SETUP;
    return can_wait && r->setup.is_singular && !r->setup.pattern_searched ? (int)RESIDA_SETUP_FAILURE : RSD_NO_SETUP;
}

int rsd_renewal_get_reason(const rsd_renewal *r, rsd_occasion occasion)
{
    const int mends = r->attempt.steps == RSD_ANY_SIZE || (r->attempt.steps == RSD_FIXED_SIZE && r->setup.tries == 0);
    switch (occasion) {
    case RSD_AT_ATTEMPT:
        return get_reason_at_attempt(r);
    case RSD_AT_FAILED_SETUP:
        return get_reason_at_failed_setup(r);
    case RSD_AT_RETRY:
        return r->attempt.steps == RSD_ANY_SIZE ? RESIDA_SETUP_FAILURE : RESIDA_SETUP_FIRST;
    case RSD_AT_ITERATE:
        return mends ? RESIDA_SETUP_FAILURE : RESIDA_SETUP_FIRST; /* FIRST: J is evaluated at each iterate */
    case RSD_AT_SOLUTION:
        break;
    }
    return RESIDA_SETUP_AGE;
}

/* --- Whether another setup of J helps --- */

/* Return 1 if J is to be set up at the present x within the iteration: the iteration with a current J has not
 * converged, and its last correction is small enough. The iteration fails with a current J if stiff forces were
 * evaluated at the predictor, for example forces of springs that rotate with a body. */
int rsd_renewal_is_due_in_iteration(const rsd_renewal *r, const rsd_iteration *it)
{
    if (r->attempt.steps != RSD_ANY_SIZE || !r->by_costs) return 0;
    if (r->setup.within >= RSD_MAX_RENEWALS || (!r->setup.current && r->setup.within == 0)) return 0;
    if (it->m == 0 && it->before > 0) return 0;
    return it->norm <= RSD_FAR_FROM_SOLUTION && r->costs.renewal[RSD_DFDY] <= RSD_CUT * r->costs.iteration;
}

/* Steps of a fixed size cannot be shortened; their iteration is repeated once. After a repair of J an evaluation of
 * dF/dy would give the same first correction. If the iteration with a repaired J fails after a large first correction,
 * F is too far from linear for this step, and J cannot be improved. */
int rsd_renewal_can_improve(const rsd_renewal *r, const rsd_iteration *it)
{
    if (r->attempt.steps != RSD_ANY_SIZE) return r->setup.tries == 0;
    return !r->setup.current && r->setup.within == 0 && !(r->setup.is_repaired && it->first > RSD_TOO_FAR);
}
