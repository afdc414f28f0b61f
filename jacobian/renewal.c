/* renewal.c - see renewal.h.
 *
 * As in IDA, J is set up at the first step, when alpha/alpha_J leaves [3/5, 5/3], and after an iteration that failed
 * with a J of an earlier attempt. The reason is kept across attempts: after a failed attempt the step is cut to a
 * quarter, and the next setup is counted as "failure", not as "alpha". If an inexpensive update was not enough, a
 * better setup follows within the attempt, while the engine reports that J is not current.
 *
 * If the strategy renews parts of J by costs, renewal_cost.c decides which outdated part is worth its renewal. */
#include "renewal.h"

#include "tuning.h"

#include <math.h>

/* --- What a plan does for a reason --- */

/* Returns the number of consecutive failures with a current J, including the one that caused this setup. Failures more
 * than RSD_RECENT setups apart are not consecutive. */
static int failures_with(const rsd_renewal *r, resida_setup_reason reason)
{
    const int setups = reason == RESIDA_SETUP_FAILURE ? 0 : r->setups + 1;
    if (setups > RSD_RECENT || reason == RESIDA_SETUP_FIRST || !r->engine.learns) return 0;
    return r->failures + (reason == RESIDA_SETUP_FAILURE && r->last.is_current);
}

/* Returns 1 if a repair is likely to be cheaper than an evaluation. A repair takes a few residual calls, but its J
 * serves fewer attempts. Therefore three conditions must hold: an evaluation takes many calls, evaluations take a large
 * part of all calls, and the calls per time with repairs are fewer, with a credit that lets repairs be tried. */
static int repair_pays(const rsd_renewal *r, resida_setup_reason reason)
{
    const rsd_repair_statistics *s = &r->repair;
    const rsd_engine_facts *e = &r->engine;
    const rsd_call_rate *with = &s->repaired, *without = &s->evaluated;
    const int failed = s->failed + (reason == RESIDA_SETUP_FAILURE && r->last.is_repaired);
    if (!e->can_repair || reason == RESIDA_SETUP_FIRST || r->requested) return 0;
    if (e->is_same_time || e->is_repair_same_time || failed >= RSD_REPAIR_FAILS) return 0;
    if (s->evaluations < RSD_REPAIR_AFTER) return 0;
    if (s->evaluation < RSD_REPAIR_FROM || s->of_dFdy < RSD_REPAIR_SHARE * without->calls) return 0;
    const double credit = (1 - RSD_STAYS) * without->time;
    return with->calls * without->time < without->calls * (with->time + credit);
}

/* Returns 1 if, after a failure, dF/dy is kept once and the parts that cost no residual call are updated: dF/dy was
 * evaluated or repaired by the last setup, at another time than this point. */
static int dFdy_may_stay(const rsd_renewal *r, resida_setup_reason reason)
{
    const rsd_engine_facts *e = &r->engine;
    return reason == RESIDA_SETUP_FAILURE && r->last.is_evaluated && !e->is_same_time && !e->is_repair_same_time &&
           failures_with(r, reason) < RSD_FAILING;
}

/* Returns the action for a reason. It depends on the parts that the strategy can update. */
static rsd_action action_for(const rsd_renewal *r, resida_setup_reason reason)
{
    static const rsd_action needed[] = {
        [RESIDA_SETUP_FIRST] = RSD_EVALUATE,        [RESIDA_SETUP_ALPHA] = RSD_UPDATE_ALPHA,
        [RESIDA_SETUP_FAILURE] = RSD_EVALUATE,      [RESIDA_SETUP_OTHER] = RSD_EVALUATE,
        [RESIDA_SETUP_ATTEMPT] = RSD_UPDATE_BLOCKS, [RESIDA_SETUP_AGE] = RSD_EVALUATE,
    };
    const int is_whole = !r->last.is_ready || !r->engine.is_partitioned || r->requested;
    const rsd_action action = is_whole ? RSD_EVALUATE : dFdy_may_stay(r, reason) ? RSD_UPDATE_BLOCKS : needed[reason];
    if (action == RSD_EVALUATE) return repair_pays(r, reason) ? RSD_REPAIR : RSD_EVALUATE;
    return r->by_costs ? action : RSD_UPDATE_KNOWN;
}

/* Returns the columns that an evaluation evaluates: all at a start, on request and at another y of the same time; the
 * columns left out before if the last evaluation, at this time, was incomplete; else those that can have changed. */
static rsd_column_set columns_for(const rsd_renewal *r, resida_setup_reason reason)
{
    const int is_incomplete = r->evaluation.is_partial || r->evaluation.skipped_B;
    if (reason == RESIDA_SETUP_FIRST || r->engine.is_moved) return RSD_ALL;
    if (is_incomplete && r->engine.is_same_time) return RSD_REST;
    return r->requested ? RSD_ALL : RSD_OUTDATED;
}

/* If the iteration fails repeatedly with a current J, new entries are searched even if the check of the pattern has
 * passed. The check perturbs all columns at once. It misses 1e-12 F beside 1 for a charge with the same increment. */
rsd_plan rsd_renewal_plan(const rsd_renewal *r, rsd_occasion occasion, resida_setup_reason reason)
{
    const int is_recent = r->evaluation.updates <= RSD_RECENT && r->engine.has_history;
    const int is_slow = reason == RESIDA_SETUP_OTHER, is_search = occasion == RSD_AT_FAILED_SETUP && r->setup.current;
    const rsd_check_request check = {.is_doubtful = (is_slow || reason == RESIDA_SETUP_FAILURE) && is_recent,
                                     .is_slow_again = is_slow && is_recent,
                                     .is_failing = failures_with(r, reason) >= RSD_FAILING,
                                     .after_partial = r->evaluation.is_partial,
                                     .is_requested = r->requested == RESIDA_REQUEST_PATTERN || is_search};
    if (is_search) return (rsd_plan){RSD_EVALUATE, reason, RSD_ALL, check};
    return (rsd_plan){action_for(r, reason), reason, columns_for(r, reason), check};
}

/* Each setup updates the count of failures with a current J. */
void rsd_renewal_begin_setup(rsd_renewal *r, const rsd_plan *plan)
{
    const int has_failed = plan->reason == RESIDA_SETUP_FAILURE;
    r->failures = failures_with(r, plan->reason);
    r->setups = has_failed ? 0 : r->setups + 1;
    r->repair.failed += has_failed && r->last.is_repaired;
}

/* --- The reasons of an attempt --- */

/* Returns 1 if alpha is too far from that of the factors, or the number of stages differs. The bound of the rate holds
 * for one stage. With several, whose eigenvalues are complex, another alpha is always too far. */
static int alpha_is_off(const rsd_renewal *r)
{
    if (r->stages != r->attempt.stages) return 1;
    const double range = r->attempt.steps == RSD_ANY_SIZE && r->stages == 1 ? RSD_ALPHA_RANGE : 0;
    const double ratio = r->attempt.at.alpha / r->alpha, least = (1 - range) / (1 + range);
    return ratio < least || ratio > 1 / least;
}

/* Returns the reason of the renewal that is cheaper than the iterations it avoids. With steps of a fixed size, all
 * parts without residual calls are updated at each attempt. */
static int reason_by_costs(const rsd_renewal *r)
{
    if (r->attempt.steps != RSD_ANY_SIZE) return RESIDA_SETUP_ATTEMPT;
    const rsd_update_level level = rsd_renewal_wanted_level(r);
    if (level == RSD_DFDY) return RESIDA_SETUP_OTHER;
    if (level == RSD_BLOCKS || r->blocks_outdated) return RESIDA_SETUP_ATTEMPT;
    return level == RSD_FACTORS || alpha_is_off(r) ? (int)RESIDA_SETUP_ALPHA : RSD_NO_SETUP;
}

static int reason_at_attempt(const rsd_renewal *r)
{
    if (r->has_failed) return RESIDA_SETUP_FAILURE;
    if (!r->has_J) return RESIDA_SETUP_FIRST;
    if (r->dFdy_outdated || r->is_requested) return RESIDA_SETUP_OTHER;
    if (r->age >= r->max_age) return RESIDA_SETUP_AGE;
    if (r->attempt.steps == RSD_TO_ROUNDING) return RESIDA_SETUP_FIRST;
    if (r->by_costs) return reason_by_costs(r);
    return alpha_is_off(r) ? (int)RESIDA_SETUP_ALPHA : RSD_NO_SETUP;
}

/* If J is singular after an update, dF/dy is evaluated. If a current J is singular, rounding may have hidden entries.
 * They are searched once per attempt; rsd_jacobian_prepare() marks the search that was just planned. */
static int reason_at_failed_setup(const rsd_renewal *r)
{
    const int can_wait = r->attempt.steps == RSD_ANY_SIZE;
    if (!r->setup.current) return r->setup.is_singular || can_wait ? (int)RESIDA_SETUP_FAILURE : RSD_NO_SETUP;
    return can_wait && r->setup.is_singular && !r->setup.pattern_searched ? (int)RESIDA_SETUP_FAILURE : RSD_NO_SETUP;
}

/* Returns 1 if new blocks may be enough, and if dF/dy costs more than another iteration with them. */
static int blocks_may_do(const rsd_renewal *r, const rsd_iteration *it)
{
    if (!r->by_costs || r->setup.has_new_blocks || it->residual_is_the_same) return 0;
    const double retry = r->costs.renewal[RSD_BLOCKS] + (it->m + 1) * r->costs.iteration;
    if (r->costs.renewal[RSD_DFDY] < retry) return 0;
    return rsd_renewal_expected_rate(r, RSD_BLOCKS) < RSD_RENEWAL_RATE;
}

/* The blocks, which cost no residual call, are updated first if that may be enough. */
static int reason_at_retry(const rsd_renewal *r, const rsd_iteration *it)
{
    if (r->attempt.steps != RSD_ANY_SIZE) return RESIDA_SETUP_FIRST;
    return blocks_may_do(r, it) ? RESIDA_SETUP_ATTEMPT : RESIDA_SETUP_FAILURE;
}

int rsd_renewal_reason(const rsd_renewal *r, rsd_occasion occasion, const rsd_iteration *it)
{
    const int mends = r->attempt.steps == RSD_ANY_SIZE || (r->attempt.steps == RSD_FIXED_SIZE && r->setup.tries == 0);
    switch (occasion) {
    case RSD_AT_ATTEMPT:
        return reason_at_attempt(r);
    case RSD_AT_FAILED_SETUP:
        return reason_at_failed_setup(r);
    case RSD_AT_RETRY:
        return reason_at_retry(r, it);
    case RSD_AT_ITERATE:
        return mends ? RESIDA_SETUP_FAILURE : RESIDA_SETUP_FIRST; /* FIRST: J is evaluated at each iterate */
    case RSD_AT_SOLUTION:
        break;
    }
    return RESIDA_SETUP_AGE;
}

/* --- Whether another J helps --- */

/* J is set up at the present x if an iteration with a current J has not converged, its last correction is small enough,
 * and the setup costs less than a shorter step. This happens if stiff forces are evaluated at the predictor, for
 * example of springs that rotate with a body. The setup does not help if the first correction with such a J is not
 * smaller than the first one before it: then no solution is nearby. (The last correction before it is no measure: a J
 * that is too stiff makes corrections too small.) */
int rsd_renewal_helps_within(const rsd_renewal *r, const rsd_iteration *it)
{
    if (r->attempt.steps != RSD_ANY_SIZE || !r->by_costs || r->setup.within >= RSD_MAX_RENEWALS) return 0;
    if (!r->setup.current && r->setup.within == 0) return 0;
    if (it->m == 0 && it->before > 0) return 0;
    return it->norm <= RSD_FAR_FROM_SOLUTION && r->costs.renewal[RSD_DFDY] <= RSD_CUT * r->costs.iteration;
}

/* Steps of a fixed size cannot be cut: their iteration is repeated once. A repaired J gives the same first correction
 * as an evaluated dF/dy. If it fails after a large first correction, F is too far from linear for this step. */
int rsd_renewal_can_improve(const rsd_renewal *r, const rsd_iteration *it)
{
    if (r->attempt.steps != RSD_ANY_SIZE) return r->setup.tries == 0;
    return !r->setup.current && r->setup.within == 0 && !(r->setup.is_repaired && it->first > RSD_TOO_FAR);
}
