/* renewal.c - see renewal.h.
 *
 * J is set up at the first step, when alpha/alpha_J leaves [3/5, 5/3], and when an iteration failed with a J that is
 * not of this attempt, as IDA does; but here the cause is known, also across attempts: after a failed attempt the step
 * is cut to a quarter, and the next setup is counted as "failure", not as "alpha". A cheap update is followed by a
 * better one within the attempt, as long as the engine says that J is not current.
 *
 * An iteration has converged when rate/(1 - rate) |delta| <= tolerance. The factor is remembered from earlier steps, so
 * that one correction may be enough. Corrections that do not shrink with the J of this very point are rounding: below a
 * third of the error test they end the iteration instead of failing it.
 *
 * An engine that renews J gets more: corrections so large that the error test is lost cut the step before anything is
 * evaluated; and dF/dy is evaluated anew when a slow rate has cost iterations worth a good part of an evaluation, as
 * one decides when to buy what one has rented so far. */
#include "renewal.h"

#include "jacobian/engine.h"
#include "tuning.h"

#include <math.h>

const rsd_newton_rules rsd_rules_of_any_size = {.most = RSD_MOST_ITERATIONS,
                                                .remembers = 1,
                                                .worst_rate = RSD_WORST_RATE,
                                                .enough = RSD_NOTHING,
                                                .mend_rate = INFINITY};

/* Where no step can be cut, J is set up at each iteration before the step is lost: a rate is never below 0. */
#define AT_EACH -1.0

static const rsd_newton_rules full = {.most = RSD_MOST_FULL,
                                      .worst_rate = RSD_NO_DECREASE,
                                      .enough = RSD_LITTLE,
                                      .mend_rate = AT_EACH,
                                      .mend_reason = RESIDA_SETUP_FIRST};

const rsd_newton_rules rsd_rules_of_fixed_size = {.most = RSD_MOST_KEPT,
                                                  .worst_rate = RSD_NO_DECREASE,
                                                  .enough = RSD_LITTLE,
                                                  .mend_rate = RSD_MEND_RATE,
                                                  .mend_reason = RESIDA_SETUP_FAILURE,
                                                  .again = &full};

#define TO_ROUNDING                                                                                                    \
    .most = RSD_MOST_TO_ROUNDING, .to_rounding = 1, .worst_rate = RSD_NO_DECREASE, .mend_rate = AT_EACH,               \
    .mend_reason = RESIDA_SETUP_FIRST

static const rsd_newton_rules to_rounding_again = {TO_ROUNDING};
const rsd_newton_rules rsd_rules_to_rounding = {TO_ROUNDING, .again = &to_rounding_again};

/* --- Why J is set up --- */

/* Is J of another alpha than it may be? Where it is renewed, of any other, unless that is weighed. */
static int is_off(const rsd_renewal *r, const rsd_newton_facts *f)
{
    if (r->stages != f->stages) return 1;
    const double range = f->rules->remembers && (!r->renews || r->weighs) ? RSD_ALPHA_RANGE : 0;
    const double ratio = f->alpha / r->alpha, least = (1 - range) / (1 + range);
    return ratio < least || ratio > 1 / least;
}

/* The attempt, as the account sees it. */
static rsd_case case_of(const rsd_renewal *r, const rsd_newton_facts *f)
{
    const rsd_setup_facts *J = &f->J;
    return (rsd_case){.t = f->since,
                      .alpha_ratio = f->alpha / r->alpha,
                      .tolerance = f->tolerance,
                      .costs = f->costs,
                      .renewed = J->is_new       ? RSD_DFDY
                                 : J->renewed    ? RSD_BLOCKS
                                 : J->refactored ? RSD_FACTORS
                                                 : RSD_NOTHING_NEW};
}

static int is_weighed(const rsd_renewal *r, const rsd_newton_facts *f)
{
    return r->weighs && f->rules->remembers;
}

/* What pays. */
static int weighed_reason(const rsd_renewal *r, const rsd_newton_facts *f)
{
    static const int reason[RSD_RUNGS] = {RESIDA_SETUP_ALPHA, RESIDA_SETUP_ATTEMPT, RESIDA_SETUP_OTHER};
    const rsd_case x = case_of(r, f);
    const int due = rsd_account_due(&r->account, &x);
    if (r->is_worn && due < RSD_BLOCKS) return RESIDA_SETUP_ATTEMPT;
    return due > RSD_NOTHING_NEW ? reason[due] : is_off(r, f) ? (int)RESIDA_SETUP_ALPHA : RSD_NO_SETUP;
}

int rsd_renewal_reason(const rsd_renewal *r, const rsd_newton_facts *f)
{
    if (r->has_failed) return RESIDA_SETUP_FAILURE;
    if (!r->has_J) return RESIDA_SETUP_FIRST;
    if (r->is_stale || r->age >= r->max_age || f->engine.is_requested) return RESIDA_SETUP_OTHER;
    if (f->rules->to_rounding) return RESIDA_SETUP_FIRST;
    if (is_weighed(r, f)) return weighed_reason(r, f);
    if (r->renews && (r->is_worn || f->engine.is_due)) return RESIDA_SETUP_ATTEMPT;
    return is_off(r, f) ? (int)RESIDA_SETUP_ALPHA : RSD_NO_SETUP;
}

/* A cheap J that is singular is made better at once; one that is singular all the same may lack entries that rounding
 * hid, and these are looked for once, where the step can wait for it. */
rsd_resort rsd_renewal_resort(const rsd_newton_facts *f)
{
    const int can_wait = f->rules->remembers;
    if (!f->J.current) return f->J.is_singular || can_wait ? RSD_EVALUATE : RSD_ACCEPT_DEFEAT;
    return can_wait && f->J.is_singular && !f->J.searched ? RSD_SEARCH_AND_EVALUATE : RSD_ACCEPT_DEFEAT;
}

/* --- What a rate counts --- */

static double factor_of(const rsd_renewal *r, const rsd_newton_facts *f)
{
    const double factor = f->it.rate / (1 - f->it.rate);
    return f->rules->remembers && r->renews ? fmax(factor, RSD_LEAST_FACTOR) : factor;
}

/* rate/(1 - rate) for a first correction, a guess on the safe side. What was measured when dF/dy was younger has grown
 * since, like the square of its age; and the cheaper an evaluation is, the less it pays to trust: without both the end
 * errors of Andrews' mechanism, explicit formalism, are five times those with a fresh dF/dy, with them twice, for fewer
 * residual calls. */
static double expected_factor(const rsd_renewal *r, const rsd_newton_facts *f)
{
    double older = 1, doubt = 1;
    if (r->ages) {
        const double dear = RSD_DEAR_CALLS / (1 + f->engine.cost);
        if (r->age_measured > 0) older = fmax((double)r->age / (double)r->age_measured, 1);
        doubt = fmin(fmax(dear * dear, 1), RSD_MOST_DOUBT);
    }
    return r->factor * older * older * doubt;
}

/* Where it is weighed: as it is foreseen, the less trusted the longer no rate has been seen. Once more from there:
 * something has happened. */
static double foreseen_factor(const rsd_renewal *r, const rsd_newton_facts *f)
{
    if (f->again) return RSD_FACTOR_NEW_ALPHA;
    const rsd_case x = case_of(r, f);
    const double rate = fmin(rsd_account_expect(&r->account, &x, x.renewed), RSD_WORST_RATE);
    const double unseen = 1 + (double)r->unseen;
    return RSD_DOUBT * unseen * unseen * fmax(rate / (1 - rate), RSD_LEAST_FACTOR);
}

/* What this iteration leaves, as it is compared with the tolerance. The first one is judged by a rate of steps before,
 * and its error is that of an old J, in components that are stiff; with a rate of this attempt and what it taught of J,
 * more may be left. */
static double error_left(const rsd_renewal *r, const rsd_newton_facts *f)
{
    if (f->it.m == 0) return (is_weighed(r, f) ? foreseen_factor(r, f) : expected_factor(r, f)) * f->it.norm;
    return factor_of(r, f) * f->it.norm / (f->rules->remembers && r->ages && !r->weighs ? RSD_MEASURED : 1);
}

/* Was the rate measured with a step so much shorter that it may not hold? What is wrong in dF/dy grows in J like h^2:
 * in a contact that has opened the rate was 1e-6, and is 1 some doublings later. */
static int is_outgrown(const rsd_renewal *r, const rsd_newton_facts *f)
{
    const double longer = r->h_measured > 0 ? f->h / r->h_measured : 1;
    return longer > RSD_LONGER && longer * longer * error_left(r, f) > f->tolerance;
}

/* --- How an iteration goes on --- */

int rsd_renewal_corrects(const rsd_renewal *r, const rsd_newton_rules *rules)
{
    return rules->remembers && r->ages && !r->weighs;
}

int rsd_renewal_learns(const rsd_newton_facts *f)
{
    return f->engine.is_dear; /* each correction costs a solve for every factorisation */
}

int rsd_renewal_looks(const rsd_newton_facts *f)
{
    return f->rules->remembers && f->it.m == 0 && !f->J.current;
}

int rsd_renewal_measures(const rsd_renewal *r, const rsd_newton_facts *f)
{
    return f->rules->remembers && r->renews && !r->weighs && r->since_measured >= r->measure_after;
}

int rsd_renewal_most(const rsd_renewal *r, const rsd_newton_facts *f)
{
    return rsd_renewal_corrects(r, f->rules) ? RSD_MOST_CORRECTED : f->rules->most;
}

static int shrinks(const rsd_newton_facts *f)
{
    return f->it.m == 0 || f->it.rate < f->rules->worst_rate;
}

int rsd_renewal_is_rate(const rsd_newton_facts *f)
{
    return f->it.m > 0 && isfinite(f->it.norm) && shrinks(f);
}

static int mends(const rsd_newton_rules *rules)
{
    return rules->mend_rate < INFINITY;
}

/* A correction that has not shrunk is rounding, if it is small and no other J would have made it smaller. An iteration
 * that mends its J goes on with it, if there is some hope. */
static rsd_judgement judge_no_decrease(const rsd_newton_facts *f)
{
    const int is_small = f->it.norm <= RSD_ROUNDING;
    const int is_best = f->J.current || (mends(f->rules) && f->J.is_new);
    if (is_small && is_best) return RSD_CONVERGED;
    if (!mends(f->rules) || (!is_small && f->rules->again)) return RSD_FAILED;
    return f->it.norm <= f->rules->enough * f->tolerance ? RSD_CONVERGED : RSD_MEND;
}

static rsd_judgement judge_to_rounding(const rsd_newton_facts *f)
{
    if (!shrinks(f)) return RSD_CONVERGED_BEFORE;
    return f->it.norm == 0 ? RSD_CONVERGED : RSD_MEND;
}

rsd_judgement rsd_renewal_judge(const rsd_renewal *r, const rsd_newton_facts *f)
{
    if (!isfinite(f->it.norm)) return RSD_FAILED;
    if (f->rules->to_rounding) return judge_to_rounding(f);
    if (!shrinks(f)) return judge_no_decrease(f);
    if (f->it.norm <= f->rules->enough * f->tolerance) return RSD_CONVERGED;
    if (error_left(r, f) <= f->tolerance) {
        if (f->it.m > 0) return RSD_CONVERGED;
        return f->it.measures ? RSD_TO_MEASURE : is_outgrown(r, f) ? RSD_DOUBTFUL : RSD_CONVERGED;
    }
    if (f->it.rate > f->rules->mend_rate) return RSD_MEND;
    return f->it.m + 1 == f->it.most && !mends(f->rules) ? RSD_SPENT : RSD_GO_ON;
}

/* --- What becomes of an attempt that fails --- */

/* Corrections so large would not pass the error test if the iteration did converge: the step is too long, whatever J
 * is; but a J that is wrong there says nothing of what they would be. Not twice: then it may be J all the same. */
static int is_too_long(const rsd_renewal *r, const rsd_newton_facts *f)
{
    const int is_wrong = f->it.is_unmoved || f->it.rate > RSD_ASTRAY;
    return r->renews && !r->weighs && f->J.renewed && !is_wrong && !r->was_too_long && f->it.size > RSD_TOO_LONG;
}

/* Is what costs no residual call worth a try, before dF/dy? */
static int may_do(const rsd_renewal *r, const rsd_newton_facts *f)
{
    const rsd_case x = case_of(r, f);
    return !f->J.renewed && !f->it.is_unmoved && rsd_account_expect(&r->account, &x, RSD_BLOCKS) < RSD_MEND_RATE;
}

int rsd_renewal_retry(const rsd_renewal *r, const rsd_newton_facts *f)
{
    if (!f->rules->remembers) return f->rules->again ? (int)RESIDA_SETUP_FIRST : RSD_GIVE_UP;
    if (r->was_too_long || f->J.current) return RSD_GIVE_UP;
    if (r->weighs) return may_do(r, f) ? RESIDA_SETUP_ATTEMPT : RESIDA_SETUP_FAILURE;
    return r->renews && !f->J.renewed ? RESIDA_SETUP_ATTEMPT : RESIDA_SETUP_FAILURE;
}

int rsd_renewal_retries_refused(const rsd_newton_facts *f)
{
    return !f->rules->remembers;
}

/* --- Events --- */

void rsd_renewal_restart(rsd_renewal *r)
{
    r->has_failed = r->was_too_long = 0;
    r->factor = RSD_FACTOR_AFTER_SETUP;
    r->h_measured = 0;
    r->since_measured = r->measure_after = RSD_MEASURE_FIRST;
    r->is_worn = r->renews;
    r->alpha_before = 0;
    r->unseen = 0;
    rsd_account_open(&r->account);
}

void rsd_renewal_forget(rsd_renewal *r)
{
    rsd_renewal_restart(r);
    r->has_J = r->is_stale = r->is_worn = 0;
    r->age = r->extra = r->age_measured = 0;
}

void rsd_renewal_wear(rsd_renewal *r)
{
    r->is_worn = 1;
}

/* Once more from there: the error test failed, something happened, and the rate may not be what it was. */
void rsd_renewal_begin(rsd_renewal *r, const rsd_newton_facts *f)
{
    if (!f->rules->remembers) {
        r->factor = INFINITY;
        return;
    }
    r->age++;
    r->unseen++;
    r->spared = 0;
    if (r->weighs) rsd_account_begin(&r->account, f->since, f->alpha != r->alpha_before);
    if (f->again) r->since_measured = r->measure_after;
    if (f->lost && r->renews) r->is_stale = 0; /* it was slow further on */
    if (!r->renews && f->alpha != r->alpha_before) r->factor = RSD_FACTOR_NEW_ALPHA;
    r->alpha_before = f->alpha;
}

void rsd_renewal_drop(rsd_renewal *r)
{
    r->has_J = 0;
}

void rsd_renewal_set_up(rsd_renewal *r, const rsd_newton_facts *f)
{
    r->has_J = 1;
    r->alpha = f->alpha;
    r->stages = f->stages;
    if (f->J.renewed) r->is_worn = 0;
    if (f->J.is_new) r->is_stale = 0, r->age = r->extra = 0;
    if (!f->rules->remembers) return;
    if (r->weighs) {
        const rsd_case x = case_of(r, f);
        rsd_account_pay(&r->account, &x);
    }
    if (!r->renews)
        r->factor = RSD_FACTOR_AFTER_SETUP;
    else if (f->J.is_new && r->ages)
        r->since_measured = r->measure_after = RSD_MEASURE_FIRST; /* a new dF/dy: what is its rate? */
}

void rsd_renewal_iterate(rsd_renewal *r)
{
    r->since_measured += r->since_measured < r->measure_after;
}

/* The slowest rate that is put up with. */
static double slow_rate(const rsd_renewal *r)
{
    return r->slow_rate > 0 ? r->slow_rate : r->renews ? RSD_STALE_RATE : RSD_WORST_RATE;
}

/* Is it time to evaluate dF/dy? Not before the iterations that an old one has cost are worth a part of an
 * evaluation. */
static int is_worth_it(const rsd_renewal *r, const rsd_newton_facts *f)
{
    return !r->renews || (double)r->extra > RSD_SHARE_OF_COST * f->engine.cost;
}

static int most_attempts_between(double rate)
{
    return rate < RSD_FINE_RATE ? RSD_MEASURE_LAST : rate < RSD_GOOD_RATE ? RSD_MEASURE_OFTEN : RSD_MEASURE_FIRST;
}

/* A slow rate asks for a better J at the next attempt: for what is free where that was not renewed at this one, else
 * for dF/dy. An engine that renews gets its rate remembered. */
static void measured_to_weigh(rsd_renewal *r, const rsd_newton_facts *f)
{
    const rsd_case x = case_of(r, f);
    r->h_measured = f->h;
    r->unseen = 0;
    r->is_stale = r->slow_rate > 0 && f->it.rate > r->slow_rate;
    rsd_account_see(&r->account, &x, f->it.rate);
}

void rsd_renewal_measured(rsd_renewal *r, const rsd_newton_facts *f)
{
    if (!f->rules->remembers) return;
    if (r->weighs) {
        measured_to_weigh(r, f);
        return;
    }
    const int is_slow = f->it.rate > slow_rate(r);
    r->factor = factor_of(r, f);
    r->h_measured = f->h;
    r->is_worn = is_slow && r->renews && !f->J.renewed;
    r->is_stale = is_slow && !r->is_worn && is_worth_it(r, f);
    if (!r->renews) return;
    const int most = most_attempts_between(f->it.rate);
    r->age_measured = r->age;
    r->since_measured = 0;
    r->measure_after = 2 * r->measure_after < most ? 2 * r->measure_after : most;
    if (is_slow && !r->ages) r->measure_after = 1; /* nothing can make it better */
}

void rsd_renewal_cost(rsd_renewal *r)
{
    r->extra++;
    r->spared++;
}

/* A rate that failed was not measured. */
void rsd_renewal_book(rsd_renewal *r, const rsd_newton_facts *f)
{
    if (!is_weighed(r, f)) return;
    const rsd_case x = case_of(r, f);
    if (f->it.m > 0 && isfinite(f->it.rate) && !shrinks(f)) rsd_account_see(&r->account, &x, f->it.rate);
    rsd_account_book(&r->account, &x, r->spared, f->it.first);
    r->spared = 0;
}

void rsd_renewal_failed(rsd_renewal *r, const rsd_newton_facts *f)
{
    if (f->rules->remembers) r->was_too_long = is_too_long(r, f);
}

void rsd_renewal_end(rsd_renewal *r, int verdict)
{
    if (verdict <= 0) r->was_too_long = 0;
    r->has_failed = verdict > 0 && !r->was_too_long;
}
