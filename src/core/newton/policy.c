/* policy.c - see policy.h.
 *
 * J is set up at the first step, when alpha/alpha_J leaves [3/5, 5/3], and when an iteration failed with a J that is
 * not of this attempt, as IDA does. Here the cause is known across attempts, too: after a failed attempt the step is
 * cut to a quarter, and the next setup is counted as "failure", not as "alpha". A cheap update is followed by a better
 * one within the attempt, as long as the engine says that J is not current.
 *
 * Where the strategy renews parts of J, the account (account.h) tells which outdated part pays to be renewed, and
 * predicts rates of convergence. */
#include "policy.h"

#include "tuning.h"

#include <math.h>

/* --- What an attempt needs --- */

static const rsd_renewal kept_J = {RSD_KEEP, RESIDA_SETUP_OTHER};

/* alpha is too far from that of J, or the stages are others. */
static int alpha_is_off(const rsd_policy *p, const rsd_newton_facts *f)
{
    if (p->stages != f->attempt.stages) return 1;
    const double range = f->rules->variable_step ? RSD_ALPHA_RANGE : 0;
    const double ratio = f->attempt.at.alpha / p->alpha, least = (1 - range) / (1 + range);
    return ratio < least || ratio > 1 / least;
}

static rsd_renewal_inputs inputs_of(const rsd_policy *p, const rsd_newton_facts *f)
{
    const rsd_setup_facts *J = &f->J;
    return (rsd_renewal_inputs){.t = f->attempt.at.since,
                                .alpha_ratio = f->attempt.at.alpha / p->alpha,
                                .tolerance = f->attempt.tolerance,
                                .predicted_limit = p->predicted_share * f->attempt.tolerance,
                                .costs = f->costs,
                                .renewed = J->is_evaluated     ? RSD_DFDY
                                           : J->has_new_blocks ? RSD_BLOCKS
                                           : J->is_factored    ? RSD_FACTORS
                                                               : RSD_NOTHING_NEW};
}

/* The renewal that pays. Steps of a fixed size renew all parts without residual calls at each attempt. */
static rsd_renewal renewal_that_pays(const rsd_policy *p, const rsd_newton_facts *f)
{
    if (!f->rules->variable_step) return rsd_renewal_for(RESIDA_SETUP_ATTEMPT);
    const rsd_renewal_inputs in = inputs_of(p, f);
    const int due = rsd_account_due(&p->account, &in);
    if (due == RSD_DFDY) return rsd_renewal_for(RESIDA_SETUP_OTHER);
    if (due == RSD_BLOCKS || p->blocks_outdated) return rsd_renewal_for(RESIDA_SETUP_ATTEMPT);
    return due == RSD_FACTORS || alpha_is_off(p, f) ? rsd_renewal_for(RESIDA_SETUP_ALPHA) : kept_J;
}

rsd_renewal rsd_policy_renewal(const rsd_policy *p, const rsd_newton_facts *f)
{
    if (p->has_failed) return rsd_renewal_for(RESIDA_SETUP_FAILURE);
    if (!p->has_J) return rsd_renewal_for(RESIDA_SETUP_FIRST);
    if (p->dFdy_outdated || f->is_requested) return rsd_renewal_for(RESIDA_SETUP_OTHER);
    if (p->age >= p->max_age) return rsd_renewal_for(RESIDA_SETUP_AGE);
    if (f->rules->to_rounding) return rsd_renewal_for(RESIDA_SETUP_FIRST);
    if (p->by_costs) return renewal_that_pays(p, f);
    return alpha_is_off(p, f) ? rsd_renewal_for(RESIDA_SETUP_ALPHA) : kept_J;
}

/* --- After a failure --- */

/* A singular J of an update is evaluated at once. A current J that is singular may lack entries that rounding hid: they
 * are searched once, in steps of any size. */
rsd_recovery rsd_policy_recovery(const rsd_newton_facts *f)
{
    const int can_wait = f->rules->variable_step;
    if (!f->J.current) return f->J.is_singular || can_wait ? RSD_EVALUATE_AGAIN : RSD_NO_RECOVERY;
    return can_wait && f->J.is_singular && !f->J.pattern_searched ? RSD_SEARCH_PATTERN : RSD_NO_RECOVERY;
}

/* An iteration with a current J has not converged, but is near a solution: J is set up at the present x, if that costs
 * less than a shorter step. Stiff forces at the predictor, as of springs that turn with a body, have gone there. Not
 * where the first correction with such a J is no smaller than the first one before: there is no solution nearby. (The
 * last one before says little: a J that is too stiff makes corrections too small.) */
int rsd_policy_renews_within(const rsd_policy *p, const rsd_newton_facts *f)
{
    if (!f->rules->variable_step || !p->by_costs || f->renewals >= RSD_MOST_RENEWALS) return 0;
    if (!f->J.current && f->renewals == 0) return 0;
    if (f->it.m == 0 && f->it.before > 0) return 0;
    return f->it.norm <= RSD_FAR_FROM_SOLUTION && f->costs.renewal[RSD_DFDY] <= RSD_CUT * f->costs.iteration;
}

/* 1: new blocks may be enough, and dF/dy, which they save, costs more than such a retry. */
static int blocks_may_do(const rsd_policy *p, const rsd_newton_facts *f)
{
    if (!p->by_costs || f->J.has_new_blocks || f->it.residual_is_the_same) return 0;
    const rsd_renewal_inputs in = inputs_of(p, f);
    const double retry = f->costs.renewal[RSD_BLOCKS] + (f->it.m + 1) * f->costs.iteration;
    if (f->costs.renewal[RSD_DFDY] < retry) return 0;
    return rsd_account_expected_rate(&p->account, &in, RSD_BLOCKS) < RSD_RENEWAL_RATE;
}

/* The parts that cost no residual call are updated first, if that may be enough. A repaired J makes the correction that
 * dF/dy would make: where it fails, F is too far from linear for this step. */
rsd_renewal rsd_policy_retry(const rsd_policy *p, const rsd_newton_facts *f)
{
    if (!f->rules->variable_step) return f->rules->retry ? rsd_renewal_for(RESIDA_SETUP_FIRST) : kept_J;
    if (f->J.current || f->renewals || (f->J.is_repaired && f->it.first > RSD_TOO_FAR)) return kept_J;
    return blocks_may_do(p, f) ? rsd_renewal_for(RESIDA_SETUP_ATTEMPT) : rsd_renewal_for(RESIDA_SETUP_FAILURE);
}

int rsd_policy_is_far_from_solution(const rsd_newton_facts *f)
{
    return f->rules->variable_step && f->J.is_evaluated && !(f->it.first <= RSD_FAR_FROM_SOLUTION);
}

int rsd_policy_refusal_is_failure(const rsd_newton_facts *f)
{
    return !f->rules->variable_step;
}

/* --- Rates --- */

double rsd_policy_rate_factor(const rsd_policy *p, const rsd_newton_facts *f)
{
    const double factor = f->it.rate / (1 - f->it.rate);
    return f->rules->variable_step && p->by_costs ? fmax(factor, RSD_LEAST_FACTOR) : factor;
}

double rsd_policy_expected_rate(const rsd_policy *p, const rsd_newton_facts *f)
{
    const rsd_renewal_inputs in = inputs_of(p, f);
    return rsd_account_expected_rate(&p->account, &in, in.renewed);
}

double rsd_policy_correction_factor(const rsd_policy *p, double alpha)
{
    return 2 / (1 + alpha / p->alpha);
}

/* --- Events --- */

void rsd_policy_restart(rsd_policy *p)
{
    p->has_failed = 0;
    p->rate_factor = RSD_FACTOR_AFTER_SETUP;
    p->unmeasured = 0;
    p->trust = 1;
    p->blocks_outdated = p->by_costs;
    p->last_alpha = 0;
    rsd_account_init(&p->account);
}

void rsd_policy_forget(rsd_policy *p)
{
    rsd_policy_restart(p);
    p->has_J = p->dFdy_outdated = p->blocks_outdated = 0;
    p->age = 0;
}

void rsd_policy_outdate_blocks(rsd_policy *p)
{
    p->blocks_outdated = 1;
}

void rsd_policy_begin(rsd_policy *p, const rsd_newton_facts *f)
{
    const rsd_newton_attempt *a = &f->attempt;
    if (!f->rules->variable_step) {
        p->rate_factor = INFINITY;
        return;
    }
    p->age++;
    p->unmeasured++;
    p->avoidable = 0;
    if (a->is_retry) p->trust = 1; /* F may have changed */
    const int is_other = a->at.alpha != p->last_alpha;
    if (p->by_costs)
        rsd_account_begin(&p->account, a->at.since, is_other);
    else if (is_other)
        p->rate_factor = RSD_FACTOR_NEW_ALPHA;
    p->last_alpha = a->at.alpha;
}

void rsd_policy_drop_J(rsd_policy *p)
{
    p->has_J = 0;
}

void rsd_policy_record_J(rsd_policy *p, const rsd_newton_facts *f)
{
    p->has_J = 1;
    p->alpha = f->attempt.at.alpha;
    p->stages = f->attempt.stages;
    if (f->J.has_new_blocks) p->blocks_outdated = 0;
    if (f->J.is_evaluated) p->dFdy_outdated = 0, p->age = 0;
    if (!f->rules->variable_step) return;
    p->rate_factor = RSD_FACTOR_AFTER_SETUP;
    if (!p->by_costs) return;
    const rsd_renewal_inputs in = inputs_of(p, f);
    rsd_account_settle(&p->account, &in);
    if (rsd_account_is_complete(&in)) p->unmeasured = 0; /* nothing is outdated whose rate may have changed */
    if (f->J.is_evaluated) p->rate_unknown = p->by_differences;
}

/* Slower than the limit: a rate that fails, unless the caller sets another one. */
static int is_slow_rate(const rsd_policy *p, const rsd_newton_facts *f)
{
    return f->it.rate > (p->slow_rate > 0 ? p->slow_rate : RSD_WORST_RATE);
}

/* As long as the measured rate is no worse than the predicted one, twice as many attempts count as one each time. */
static void compare_prediction(rsd_policy *p, const rsd_newton_facts *f, const rsd_renewal_inputs *in)
{
    const double predicted = fmax(rsd_account_expected_rate(&p->account, in, in->renewed), RSD_LEAST_FACTOR);
    if (f->it.rate > predicted)
        p->trust = 1;
    else if (p->trust < RSD_MOST_TRUST)
        p->trust *= 2;
}

void rsd_policy_record_rate(rsd_policy *p, const rsd_newton_facts *f)
{
    if (!f->rules->variable_step) return;
    p->rate_factor = rsd_policy_rate_factor(p, f);
    p->dFdy_outdated = is_slow_rate(p, f);
    if (!p->by_costs) return;
    const rsd_renewal_inputs in = inputs_of(p, f);
    compare_prediction(p, f, &in);
    rsd_account_record_rate(&p->account, &in, f->it.rate);
    p->rate_unknown = 0;
    p->unmeasured = 0;
}

void rsd_policy_count_iteration(rsd_policy *p)
{
    p->avoidable++;
}

/* A rate that diverges was not recorded. */
void rsd_policy_charge(rsd_policy *p, const rsd_newton_facts *f)
{
    if (!p->by_costs || !f->rules->variable_step) return;
    const rsd_renewal_inputs in = inputs_of(p, f);
    const int diverges = f->it.m > 0 && f->it.rate >= f->rules->worst_rate;
    if (diverges && isfinite(f->it.rate)) rsd_account_record_rate(&p->account, &in, f->it.rate);
    rsd_account_charge(&p->account, &in, p->avoidable, f->it.rate, f->it.first);
    p->avoidable = 0;
}

void rsd_policy_end(rsd_policy *p, int verdict)
{
    p->has_failed = verdict > 0;
}
