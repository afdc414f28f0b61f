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

/* --- The plan for a reason --- */

/* Return the number of consecutive failures with a current J, including the failure that caused the setup. Failures
 * more than RSD_RECENT setups apart are not consecutive. */
static int count_failures_with_J(const rsd_renewal *r, resida_setup_reason reason)
{
    const int setups = reason == RESIDA_SETUP_FAILURE ? 0 : r->setups_since_failure + 1;
    if (setups > RSD_RECENT || reason == RESIDA_SETUP_FIRST || !r->engine.finds_pattern) return 0;
    return r->failures_with_J + (reason == RESIDA_SETUP_FAILURE && r->setup.is_current);
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
    const int failed = s->failed + (reason == RESIDA_SETUP_FAILURE && r->setup.is_repaired);
    if (!e->can_repair || !e->is_pattern_known || r->requested) return 0;
    if (occasion == RSD_AT_SOLUTION || reason == RESIDA_SETUP_FIRST) return 0;
    if (e->is_same_time || e->is_repair_same_time || failed >= RSD_FAILING) return 0;
    if (s->evaluations < RSD_REPAIR_AFTER) return 0;
    if (s->evaluation < RSD_REPAIR_FROM || s->of_dFdy < RSD_REPAIR_SHARE * without->calls) return 0;
    return with->calls * without->time < without->calls * with->time || with->time == 0;
}

/* Return 1 if new blocks may suffice after a failure, and dF/dy is kept. There are two cases. Either dF/dy is recent:
 * the last setup evaluated or repaired it, at another time than that of this point, and fewer than RSD_FAILING
 * consecutive failures had a current J. Or, for a retry, the rate predicted with new blocks is below RSD_RENEWAL_RATE,
 * and an evaluation of dF/dy costs more than new blocks and a repetition of the failed iteration. */
static int may_blocks_suffice(const rsd_renewal *r, rsd_occasion occasion)
{
    const rsd_engine_facts *e = &r->engine;
    const int is_recent = r->setup.level == RSD_DFDY && !e->is_same_time && !e->is_repair_same_time;
    if (is_recent && count_failures_with_J(r, RESIDA_SETUP_FAILURE) < RSD_FAILING) return 1;
    if (!r->by_costs || occasion != RSD_AT_RETRY || r->failed_iteration.residual_is_the_same) return 0;
    const double retry = r->costs.renewal[RSD_BLOCKS] + (r->failed_iteration.m + 1) * r->costs.iteration;
    return rsd_renewal_get_renewed_level(r) < RSD_BLOCKS && r->costs.renewal[RSD_DFDY] >= retry &&
           rsd_renewal_predict_rate(r, RSD_BLOCKS) < RSD_RENEWAL_RATE;
}

/* Return the level of a setup. Strategies that do not renew J by costs renew the blocks in every setup. */
static rsd_renewal_level get_level(const rsd_renewal *r, rsd_occasion occasion, resida_setup_reason reason)
{
    static const rsd_renewal_level needed[] = {
        [RESIDA_SETUP_FIRST] = RSD_DFDY, [RESIDA_SETUP_ALPHA] = RSD_FACTORS,  [RESIDA_SETUP_FAILURE] = RSD_DFDY,
        [RESIDA_SETUP_OTHER] = RSD_DFDY, [RESIDA_SETUP_ATTEMPT] = RSD_BLOCKS, [RESIDA_SETUP_AGE] = RSD_DFDY,
    };
    if (!r->setup.is_ready || !r->engine.is_partitioned || r->requested) return RSD_DFDY;
    if (reason == RESIDA_SETUP_FAILURE && may_blocks_suffice(r, occasion)) return RSD_BLOCKS;
    return needed[reason] == RSD_FACTORS && !r->by_costs ? RSD_BLOCKS : needed[reason];
}

/* Return the columns of dF/dy to be evaluated: RSD_ALL at a start, on request, if the last evaluation was at the same
 * time with another y, or if an evaluation takes few calls; RSD_REST if the last evaluation was incomplete; otherwise
 * RSD_OUTDATED. */
static rsd_column_set choose_column_set(const rsd_renewal *r, resida_setup_reason reason, int is_rest)
{
    const rsd_engine_facts *e = &r->engine;
    const int is_expensive = e->is_pattern_known && (e->is_by_columns || e->calls >= RSD_PARTIAL_FROM);
    if (reason == RESIDA_SETUP_FIRST || e->is_moved || !is_expensive || !e->has_history) return RSD_ALL;
    if (is_rest) return RSD_REST;
    return r->requested ? RSD_ALL : RSD_OUTDATED;
}

/* If the iteration fails repeatedly with a current J, new entries are searched even if the check of the pattern has
 * passed. The check perturbs all columns at once, so rounding of large terms can hide a small entry in it, such as the
 * entry of a capacitance of 1e-12 F in a row with an entry of 1. */
rsd_plan rsd_renewal_get_plan(const rsd_renewal *r, rsd_occasion occasion, resida_setup_reason reason)
{
    const rsd_engine_facts *e = &r->engine;
    const rsd_evaluation *last = &r->evaluation;
    const int is_search = occasion == RSD_AT_FAILED_SETUP && rsd_renewal_is_current(r);
    rsd_plan plan = {.level = is_search ? RSD_DFDY : get_level(r, occasion, reason), .reason = reason};
    plan.failures = count_failures_with_J(r, reason);
    if (plan.level < RSD_DFDY) return plan;
    const int is_recent = last->updates <= RSD_RECENT && e->has_history, is_slow = reason == RESIDA_SETUP_OTHER;
    const int is_rest = !is_search && e->is_same_time && !e->is_moved && (last->is_partial || last->skipped_B);
    plan.repairs = !is_search && is_repair_cheaper(r, occasion, reason);
    plan.columns = is_search ? RSD_ALL : choose_column_set(r, reason, is_rest);
    plan.with_dFdyp = e->is_dFdyp_open && (reason == RESIDA_SETUP_FIRST || e->equal_dFdyp < RSD_EQUAL_DFDYP ||
                                           (is_rest && last->skipped_B));
    plan.check = (rsd_check_request){.is_doubtful = (is_slow || reason == RESIDA_SETUP_FAILURE) && is_recent,
                                     .is_slow_again = is_slow && is_recent,
                                     .is_failing = plan.failures >= RSD_FAILING,
                                     .after_partial = last->is_partial,
                                     .is_requested = r->requested == RESIDA_REQUEST_PATTERN || is_search};
    return plan;
}

/* --- The reasons of setups in an attempt --- */

/* Return 1 if alpha differs too much from the alpha of the factors, or if the number of stages differs. The bound rho
 * (renewal.h) is valid for one stage and steps of any size. In the complex system of Radau IIA the bound is 2.7 rho;
 * J is then kept only by its costs. Otherwise any change of alpha requires new factors. */
static int is_alpha_too_different(const rsd_renewal *r)
{
    if (r->stages_J != r->attempt.stages) return 1;
    const double range = r->attempt.steps == RSD_ANY_SIZE && (r->stages_J == 1 || r->by_costs) ? RSD_ALPHA_RANGE : 0;
    const double ratio = r->attempt.at.alpha / r->alpha_J, least = (1 - range) / (1 + range);
    return ratio < least || ratio > 1 / least;
}

/* Return the reason for a renewal that costs less than the iterations avoided by it, or RSD_NO_SETUP. With steps of a
 * fixed size, all parts that need no residual call are updated at each attempt. */
static int get_reason_by_costs(const rsd_renewal *r)
{
    if (r->attempt.steps != RSD_ANY_SIZE) return RESIDA_SETUP_ATTEMPT;
    const rsd_renewal_level level = rsd_renewal_choose_level(r);
    if (level == RSD_DFDY) return RESIDA_SETUP_OTHER;
    if (level == RSD_BLOCKS || r->blocks_outdated) return RESIDA_SETUP_ATTEMPT;
    return level == RSD_FACTORS || is_alpha_too_different(r) ? (int)RESIDA_SETUP_ALPHA : RSD_NO_SETUP;
}

static int get_reason_at_attempt(const rsd_renewal *r)
{
    if (r->last_attempt_failed) return RESIDA_SETUP_FAILURE;
    if (!r->is_factored) return RESIDA_SETUP_FIRST;
    if (r->last_rate > r->max_rate || r->events.was_requested) return RESIDA_SETUP_OTHER;
    if (r->age_of_dFdy >= r->max_age) return RESIDA_SETUP_AGE;
    if (r->attempt.steps == RSD_TO_ROUNDING) return RESIDA_SETUP_FIRST;
    if (r->by_costs) return get_reason_by_costs(r);
    return is_alpha_too_different(r) ? (int)RESIDA_SETUP_ALPHA : RSD_NO_SETUP;
}

/* Return the reason of a setup after a failed setup. If J is singular after an update, dF/dy is evaluated. If a current
 * J is singular, rounding may have hidden entries. A search for entries is then planned, once per attempt.
 * rsd_jacobian_prepare() records this search in events.is_pattern_searched. */
static int get_reason_at_failed_setup(const rsd_renewal *r)
{
    const int can_wait = r->attempt.steps == RSD_ANY_SIZE, is_singular = r->setup.is_singular;
    const int helps =
        rsd_renewal_is_current(r) ? can_wait && is_singular && !r->events.is_pattern_searched : can_wait || is_singular;
    return helps ? (int)RESIDA_SETUP_FAILURE : RSD_NO_SETUP;
}

int rsd_renewal_get_reason(const rsd_renewal *r, rsd_occasion occasion)
{
    const int mends =
        r->attempt.steps == RSD_ANY_SIZE || (r->attempt.steps == RSD_FIXED_SIZE && r->events.failed_tries == 0);
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
    const int setups = r->events.setups_at_iterates;
    if (setups >= RSD_MAX_RENEWALS || (setups == 0 && !rsd_renewal_is_current(r))) return 0;
    if (it->m == 0 && it->before > 0) return 0;
    return it->norm <= RSD_FAR_FROM_SOLUTION && r->costs.renewal[RSD_DFDY] <= RSD_CUT * r->costs.iteration;
}

/* Return 1 if J can be improved for another iteration of the same attempt. Steps of a fixed size cannot be shortened;
 * their iteration is repeated once. After a repair of J an evaluation of dF/dy would give the same first correction. If
 * the iteration with a repaired J fails after a large first correction, F is too far from linear for this step, and J
 * cannot be improved. */
static int can_improve(const rsd_renewal *r, const rsd_iteration *it)
{
    if (r->attempt.steps != RSD_ANY_SIZE) return r->events.failed_tries == 0;
    const int is_repaired = r->events.setups > 0 && r->setup.is_repaired;
    return !rsd_renewal_is_current(r) && r->events.setups_at_iterates == 0 && !(is_repaired && it->first > RSD_TOO_FAR);
}

/* If the first correction with an evaluated dF/dy exceeds RSD_FAR_FROM_SOLUTION, request another evaluation for the
 * shorter step that follows. */
int rsd_renewal_end_try(rsd_renewal *r, const rsd_iteration *it)
{
    const int is_far = rsd_renewal_get_renewed_level(r) == RSD_DFDY && !(it->first <= RSD_FAR_FROM_SOLUTION);
    const int retries = can_improve(r, it);
    r->failed_iteration = *it;
    r->events.failed_tries += retries;
    if (!retries && is_far && r->attempt.steps == RSD_ANY_SIZE) r->requested |= RESIDA_REQUEST_EVALUATION;
    return retries;
}

void rsd_renewal_mark_outdated(rsd_renewal *r)
{
    if (r->by_costs)
        r->blocks_outdated = 1;
    else
        r->requested |= RESIDA_REQUEST_EVALUATION;
}
