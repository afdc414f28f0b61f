/* renewal.c - see renewal.h.
 *
 * J is set up at the first step, when alpha/alpha_J leaves [3/5, 5/3], and after an iteration that failed with a J that
 * is not of this attempt, as in IDA. The cause is also known across attempts: after a failed attempt the step is cut to
 * a quarter, and the next setup is counted as "failure", not as "alpha". An inexpensive update is followed by a better
 * one within the attempt, as long as the engine reports that J is not current.
 *
 * Where the strategy renews parts of J, renewal_cost.c says which outdated part is worth its renewal. */
#include "renewal.h"

#include "tuning.h"

#include <math.h>

/* --- What a plan does for a reason --- */

/* Failures with a current J that come soon after each other, with the one of this setup. */
static int failures_with(const rsd_renewal *r, resida_setup_reason reason)
{
    const int setups = reason == RESIDA_SETUP_FAILURE ? 0 : r->setups + 1;
    if (setups > RSD_NEXT_FAILURE || reason == RESIDA_SETUP_FIRST || !r->engine.learns) return 0;
    return r->failures + (reason == RESIDA_SETUP_FAILURE && r->last.is_current);
}

/* A repair takes a few calls and leaves a J that serves fewer attempts. So it pays where an evaluation takes many
 * calls, and evaluations take a good part of all; and as long as the motion takes fewer calls with repairs. */
static int repair_pays(const rsd_renewal *r, resida_setup_reason reason)
{
    const rsd_repair_statistics *s = &r->repair;
    const rsd_engine_facts *e = &r->engine;
    const rsd_call_rate *with = &s->repaired, *without = &s->evaluated;
    const int failed = s->failed + (reason == RESIDA_SETUP_FAILURE && r->last.is_repaired);
    if (!e->can_repair || reason == RESIDA_SETUP_FIRST || r->requested) return 0;
    if (e->is_same_time || e->is_repaired || failed >= RSD_REPAIR_FAILS) return 0;
    if (s->evaluations < RSD_REPAIR_AFTER) return 0;
    if (s->evaluation < RSD_REPAIR_FROM || s->of_dFdy < RSD_REPAIR_SHARE * without->calls) return 0;
    const double credit = RSD_REPAIR_CREDIT * (1 - RSD_REPAIR_KEEPS) * without->time;
    return with->calls * without->time < RSD_REPAIR_GAIN * without->calls * (with->time + credit);
}

/* The step was cut after a failure with a dF/dy of just before: dF/dy is as good as it was, alpha is not. */
static int dFdy_may_stay(const rsd_renewal *r, resida_setup_reason reason)
{
    return reason == RESIDA_SETUP_FAILURE && r->last.is_evaluated && !r->engine.is_same_time &&
           failures_with(r, reason) < RSD_FAILING;
}

/* The action, as far as the strategy has parts to update: all, for another alpha alone, or none. */
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

/* The columns that an evaluation finds: at a start, on request and at another y of the same time all; in an attempt
 * that failed with an incomplete evaluation the rest; else those that can have changed since. */
static rsd_column_set columns_for(const rsd_renewal *r, resida_setup_reason reason)
{
    const int is_incomplete = r->evaluation.is_partial || r->evaluation.skipped_B;
    if (reason == RESIDA_SETUP_FIRST || r->engine.is_moved) return RSD_ALL;
    if (is_incomplete && r->engine.is_same_time) return RSD_REST;
    return r->requested ? RSD_ALL : RSD_OUTDATED;
}

/* If the iteration fails again and again with a current J, the pattern is searched even if its check has passed: a
 * check perturbs all columns at once, and an entry of 1e-12 F is lost beside one of 1 for a charge with the same
 * increment. */
rsd_plan rsd_renewal_plan(const rsd_renewal *r, rsd_occasion occasion, resida_setup_reason reason)
{
    const int is_recent = r->evaluation.updates <= RSD_RECENT && r->engine.has_history;
    const int is_slow = reason == RESIDA_SETUP_OTHER, is_search = occasion == RSD_AT_FAILED_SETUP && r->J.current;
    const rsd_check_request check = {.is_doubtful = (is_slow || reason == RESIDA_SETUP_FAILURE) && is_recent,
                                     .is_slow_again = is_slow && is_recent,
                                     .is_failing = failures_with(r, reason) >= RSD_FAILING,
                                     .after_partial = r->evaluation.is_partial,
                                     .is_requested = r->requested == RESIDA_REQUEST_PATTERN || is_search};
    if (is_search) return (rsd_plan){RSD_EVALUATE, reason, RSD_ALL, check};
    return (rsd_plan){action_for(r, reason), reason, columns_for(r, reason), check};
}

/* Failures with a current J are counted by each setup. */
void rsd_renewal_begin_setup(rsd_renewal *r, const rsd_plan *plan)
{
    const int has_failed = plan->reason == RESIDA_SETUP_FAILURE;
    r->failures = failures_with(r, plan->reason);
    r->setups = has_failed ? 0 : r->setups + 1;
    r->repair.failed += has_failed && r->last.is_repaired;
}

/* --- The reasons of an attempt --- */

/* alpha is too far from that of J, or the stages are others. */
static int alpha_is_off(const rsd_renewal *r)
{
    if (r->stages != r->attempt.stages) return 1;
    const double range = r->attempt.steps == RSD_ANY_SIZE ? RSD_ALPHA_RANGE : 0;
    const double ratio = r->attempt.at.alpha / r->alpha, least = (1 - range) / (1 + range);
    return ratio < least || ratio > 1 / least;
}

/* The renewal that pays. Steps of a fixed size renew all parts without residual calls at each attempt. */
static int reason_by_costs(const rsd_renewal *r)
{
    if (r->attempt.steps != RSD_ANY_SIZE) return RESIDA_SETUP_ATTEMPT;
    const rsd_update_level level = rsd_renewal_level(r);
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

/* A singular J of an update is evaluated at once. A current J that is singular may lack entries that rounding hid: they
 * are searched once, in steps of any size. */
static int reason_at_failed_setup(const rsd_renewal *r)
{
    const int can_wait = r->attempt.steps == RSD_ANY_SIZE;
    if (!r->J.current) return r->J.is_singular || can_wait ? (int)RESIDA_SETUP_FAILURE : RSD_NO_SETUP;
    return can_wait && r->J.is_singular && !r->J.pattern_searched ? (int)RESIDA_SETUP_FAILURE : RSD_NO_SETUP;
}

/* 1: new blocks may be enough, and dF/dy, which they save, costs more than such a retry. */
static int blocks_may_do(const rsd_renewal *r, const rsd_iteration *it)
{
    if (!r->by_costs || r->J.has_new_blocks || it->residual_is_the_same) return 0;
    const double retry = r->costs.renewal[RSD_BLOCKS] + (it->m + 1) * r->costs.iteration;
    if (r->costs.renewal[RSD_DFDY] < retry) return 0;
    return rsd_renewal_expected_rate(r, RSD_BLOCKS) < RSD_RENEWAL_RATE;
}

/* The parts that cost no residual call are updated first, if that may be enough. */
static int reason_at_retry(const rsd_renewal *r, const rsd_iteration *it)
{
    if (r->attempt.steps != RSD_ANY_SIZE) return RESIDA_SETUP_FIRST;
    return blocks_may_do(r, it) ? RESIDA_SETUP_ATTEMPT : RESIDA_SETUP_FAILURE;
}

int rsd_renewal_reason(const rsd_renewal *r, rsd_occasion occasion, const rsd_iteration *it)
{
    const int mends = r->attempt.steps == RSD_ANY_SIZE || (r->attempt.steps == RSD_FIXED_SIZE && r->J.tries == 0);
    switch (occasion) {
    case RSD_AT_ATTEMPT:
        return reason_at_attempt(r);
    case RSD_AT_FAILED_SETUP:
        return reason_at_failed_setup(r);
    case RSD_AT_RETRY:
        return reason_at_retry(r, it);
    case RSD_AT_ITERATE:
        return mends ? RESIDA_SETUP_FAILURE : RESIDA_SETUP_FIRST; /* or J is of each iterate */
    case RSD_AT_SOLUTION:
        break;
    }
    return RESIDA_SETUP_AGE;
}

/* --- Whether another J helps --- */

/* An iteration with a current J has not converged, but is near a solution: J is set up at the present x, if that costs
 * less than a shorter step. This happens with stiff forces evaluated at the predictor, as of springs that turn with a
 * body. It does not help if the first correction with such a J is no smaller than the first one before: there is no
 * solution nearby. (The last one before says little: a J that is too stiff makes corrections too small.) */
int rsd_renewal_helps_within(const rsd_renewal *r, const rsd_iteration *it)
{
    if (r->attempt.steps != RSD_ANY_SIZE || !r->by_costs || r->J.within >= RSD_MAX_RENEWALS) return 0;
    if (!r->J.current && r->J.within == 0) return 0;
    if (it->m == 0 && it->before > 0) return 0;
    return it->norm <= RSD_FAR_FROM_SOLUTION && r->costs.renewal[RSD_DFDY] <= RSD_CUT * r->costs.iteration;
}

/* Steps of a fixed size cannot be cut: they are tried once more. A repaired J makes the correction that dF/dy would
 * make: if it fails, F is too far from linear for this step. */
int rsd_renewal_can_improve(const rsd_renewal *r, const rsd_iteration *it)
{
    if (r->attempt.steps != RSD_ANY_SIZE) return r->J.tries == 0;
    return !r->J.current && r->J.within == 0 && !(r->J.is_repaired && it->first > RSD_TOO_FAR);
}
