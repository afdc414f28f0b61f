/* renewal.c - see renewal.h.
 *
 * J is set up at the first step, when alpha/alpha_J leaves [3/5, 5/3], and when an iteration failed with a J that is
 * not of this attempt, as IDA does; but here the cause is known, also across attempts: after a failed attempt the step
 * is cut to a quarter, and the next setup is counted as "failure", not as "alpha". A cheap update is followed by a
 * better one within the attempt, as long as the engine says that J is not current.
 *
 * An iteration has converged when rate/(1 - rate) |delta| <= tolerance. The factor is remembered from earlier steps, so
 * that one correction may be enough. Corrections that do not shrink with the J of this very point are rounding: below a
 * third of the error test they end the iteration instead of failing it, and so do those of multipliers alone: rounding
 * of positions may make all of them. No rate that is remembered or foreseen is
 * believed where the correction shows little of F: then J is stiff, or has been until now, and F has to say which.
 *
 * An engine that renews J has an account (account.h): what is old is renewed when that pays, and rates are foreseen,
 * not remembered. */
#include "renewal.h"

#include "tuning.h"

#include <math.h>

const rsd_newton_rules rsd_rules_of_any_size = {.most = RSD_MOST_ITERATIONS,
                                                .remembers = 1,
                                                .worst_rate = RSD_WORST_RATE,
                                                .enough = RSD_NOTHING,
                                                .mend_rate = INFINITY,
                                                .mend_reason = RESIDA_SETUP_FAILURE};

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
    .most = RSD_MOST_TO_ROUNDING, .to_rounding = 1, .worst_rate = RSD_WORST_RATE, .mend_rate = AT_EACH,                \
    .mend_reason = RESIDA_SETUP_FIRST

static const rsd_newton_rules to_rounding_again = {TO_ROUNDING};
const rsd_newton_rules rsd_rules_to_rounding = {TO_ROUNDING, .again = &to_rounding_again};

/* --- Why J is set up --- */

/* Is J of another alpha than it may be? */
static int is_off(const rsd_renewal *r, const rsd_newton_facts *f)
{
    if (r->stages != f->stages) return 1;
    const double range = f->rules->remembers ? RSD_ALPHA_RANGE : 0;
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
                      .foreseen = fmin(r->foreseen, f->tolerance),
                      .costs = f->costs,
                      .renewed = J->is_new       ? RSD_DFDY
                                 : J->renewed    ? RSD_BLOCKS
                                 : J->refactored ? RSD_FACTORS
                                                 : RSD_NOTHING_NEW};
}

/* Of a J that is renewed. Steps of a fixed size take all that costs no residual call at each attempt. */
static int reason_to_renew(const rsd_renewal *r, const rsd_newton_facts *f)
{
    static const int reason[RSD_RUNGS] = {RESIDA_SETUP_ALPHA, RESIDA_SETUP_ATTEMPT, RESIDA_SETUP_OTHER};
    if (!f->rules->remembers) return RESIDA_SETUP_ATTEMPT;
    const rsd_case x = case_of(r, f);
    const int due = rsd_account_due(&r->account, &x);
    if (r->is_worn && due < RSD_BLOCKS) return RESIDA_SETUP_ATTEMPT;
    return due > RSD_NOTHING_NEW ? reason[due] : is_off(r, f) ? (int)RESIDA_SETUP_ALPHA : RSD_NO_SETUP;
}

int rsd_renewal_reason(const rsd_renewal *r, const rsd_newton_facts *f)
{
    if (r->has_failed) return RESIDA_SETUP_FAILURE;
    if (!r->has_J) return RESIDA_SETUP_FIRST;
    if (r->is_stale || r->age >= r->max_age || f->is_requested) return RESIDA_SETUP_OTHER;
    if (f->rules->to_rounding) return RESIDA_SETUP_FIRST;
    if (r->renews) return reason_to_renew(r, f);
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

double rsd_renewal_expect(const rsd_renewal *r, const rsd_newton_facts *f)
{
    const rsd_case x = case_of(r, f);
    return rsd_account_expect(&r->account, &x, x.renewed);
}

/* rate/(1 - rate) for a first correction: IDA's guess on the safe side; or what is foreseen, the less trusted the
 * longer no rate has been seen. Once more from there: something has happened. */
static double expected_factor(const rsd_renewal *r, const rsd_newton_facts *f)
{
    if (!r->renews || !f->rules->remembers) return r->factor;
    if (f->again) return RSD_FACTOR_NEW_ALPHA;
    if (r->is_untried) return RSD_FACTOR_AFTER_SETUP;
    const double rate = fmin(rsd_renewal_expect(r, f), RSD_WORST_RATE);
    const double unseen = 1 + (double)r->unseen / (double)r->trust;
    return RSD_DOUBT * unseen * fmax(unseen * rate / (1 - rate), RSD_LEAST_FACTOR);
}

/* What this iteration leaves. The first one is judged by a rate of steps before. */
static double error_left(const rsd_renewal *r, const rsd_newton_facts *f)
{
    return (f->it.m == 0 ? expected_factor(r, f) : factor_of(r, f)) * f->it.norm;
}

/* What it may leave: less where a rate is only foreseen, for that error is one of an old J, in components that are
 * stiff. A body on a belt errs ten times as much as with "dense" in 23 of 164 runs with 0.05, in none with 0.01. */
static double may_leave(const rsd_renewal *r, const rsd_newton_facts *f)
{
    return r->renews && f->it.m == 0 ? fmin(r->foreseen, f->tolerance) : f->tolerance;
}

/* Was the rate measured with a step so much shorter that it may not hold? What is wrong in dF/dy grows in J like h^2:
 * in a contact that has opened the rate was 1e-6, and is 1 some doublings later. */
static int is_outgrown(const rsd_renewal *r, const rsd_newton_facts *f)
{
    const double longer = r->h_measured > 0 ? f->h / r->h_measured : 1;
    return longer > RSD_LONGER && longer * longer * error_left(r, f) > may_leave(r, f);
}

/* --- How an iteration goes on --- */

int rsd_renewal_looks(const rsd_renewal *r, const rsd_newton_facts *f)
{
    if (f->rules->to_rounding) return 0;
    return f->it.m == 0 ? !f->J.current : f->rules->remembers && r->renews && f->J.is_new;
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

/* Rounding makes corrections of all sizes up to its own. Where each is made by the J of its point, the smaller one of
 * two tells that the iteration has arrived; one J for all of them may as well lead away. */
static int is_as_small_as_rounding(const rsd_newton_facts *f)
{
    const double before = f->it.norm / f->it.rate;
    if (f->it.norm <= RSD_ROUNDING || (f->rules->remembers && f->it.tested <= f->tolerance)) return 1;
    return mends(f->rules) && f->J.is_new && f->it.m > 0 && before <= RSD_ROUNDING && f->it.norm <= RSD_ROUNDING_MOST;
}

/* A correction that has not shrunk is rounding, if it is small and no other J would have made it smaller. An iteration
 * that mends its J goes on with it, if there is some hope. */
static rsd_judgement judge_no_decrease(const rsd_newton_facts *f)
{
    const int is_small = is_as_small_as_rounding(f);
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

/* An iteration with a current J has not converged, but not led away either: J is set up where it has come to, if that
 * costs less than a shorter step. Stiff forces of the predictor are part of its J, as of springs that turn with a body;
 * near the solution they are gone. */
static int may_mend(const rsd_renewal *r, const rsd_newton_facts *f)
{
    if (!f->rules->remembers || !r->renews || f->mended >= RSD_MOST_MENDED) return 0;
    if (!f->J.current && f->mended == 0) return 0;
    return f->it.norm <= RSD_ASTRAY && f->costs.renewal[RSD_DFDY] <= RSD_CUT * f->costs.iteration;
}

static rsd_judgement judge(const rsd_renewal *r, const rsd_newton_facts *f)
{
    if (!isfinite(f->it.norm)) return RSD_FAILED;
    if (f->rules->to_rounding) return judge_to_rounding(f);
    if (!shrinks(f)) return judge_no_decrease(f);
    const int is_enough = f->it.norm <= f->rules->enough * f->tolerance;
    if (is_enough || error_left(r, f) <= may_leave(r, f)) {
        const int is_doubtful = f->it.is_hidden || (f->it.m == 0 && !is_enough && is_outgrown(r, f));
        return is_doubtful ? RSD_DOUBTFUL : RSD_CONVERGED;
    }
    if (f->it.rate > f->rules->mend_rate) return RSD_MEND;
    return f->it.m + 1 == f->rules->most && !mends(f->rules) ? RSD_SPENT : RSD_GO_ON;
}

rsd_judgement rsd_renewal_judge(const rsd_renewal *r, const rsd_newton_facts *f)
{
    const rsd_judgement next = judge(r, f);
    return (next == RSD_FAILED || next == RSD_SPENT) && may_mend(r, f) ? RSD_MEND : next;
}

/* --- What becomes of an attempt that fails --- */

/* What costs no residual call is tried first, if that may be enough. */
int rsd_renewal_retry(const rsd_renewal *r, const rsd_newton_facts *f)
{
    if (!f->rules->remembers) return f->rules->again ? (int)RESIDA_SETUP_FIRST : RSD_GIVE_UP;
    if (f->J.current || f->mended) return RSD_GIVE_UP;
    const rsd_case x = case_of(r, f);
    const int may_do =
        !f->J.renewed && !f->it.is_unmoved && rsd_account_expect(&r->account, &x, RSD_BLOCKS) < RSD_MEND_RATE;
    return r->renews && may_do ? RESIDA_SETUP_ATTEMPT : RESIDA_SETUP_FAILURE;
}

int rsd_renewal_is_astray(const rsd_newton_facts *f)
{
    return f->rules->remembers && f->J.is_new && !(f->it.first <= RSD_ASTRAY);
}

int rsd_renewal_retries_refused(const rsd_newton_facts *f)
{
    return !f->rules->remembers;
}

/* --- Events --- */

void rsd_renewal_restart(rsd_renewal *r)
{
    r->has_failed = 0;
    r->factor = RSD_FACTOR_AFTER_SETUP;
    r->h_measured = 0;
    r->unseen = 0;
    r->trust = 1;
    r->is_worn = r->renews;
    r->alpha_before = 0;
    rsd_account_open(&r->account);
}

void rsd_renewal_forget(rsd_renewal *r)
{
    rsd_renewal_restart(r);
    r->has_J = r->is_stale = r->is_worn = 0;
    r->age = 0;
}

void rsd_renewal_wear(rsd_renewal *r)
{
    r->is_worn = 1;
}

void rsd_renewal_begin(rsd_renewal *r, const rsd_newton_facts *f)
{
    if (!f->rules->remembers) {
        r->factor = INFINITY;
        return;
    }
    r->age++;
    r->unseen++;
    r->spared = 0;
    if (f->again) r->trust = 1;                /* something has happened */
    if (f->lost && r->renews) r->is_stale = 0; /* it was slow further on */
    const int is_other = f->alpha != r->alpha_before;
    if (r->renews)
        rsd_account_begin(&r->account, f->since, is_other);
    else if (is_other)
        r->factor = RSD_FACTOR_NEW_ALPHA;
    r->alpha_before = f->alpha;
}

void rsd_renewal_drop(rsd_renewal *r)
{
    r->has_J = 0;
}

/* The rate that is foreseen holds here, and of a step so long. */
static void trust(rsd_renewal *r, const rsd_newton_facts *f)
{
    r->unseen = 0;
    r->h_measured = f->h;
}

void rsd_renewal_set_up(rsd_renewal *r, const rsd_newton_facts *f)
{
    r->has_J = 1;
    r->alpha = f->alpha;
    r->stages = f->stages;
    if (f->J.renewed) r->is_worn = 0;
    if (f->J.is_new) r->is_stale = 0, r->age = 0;
    if (!f->rules->remembers) return;
    r->factor = RSD_FACTOR_AFTER_SETUP;
    if (!r->renews) return;
    const rsd_case x = case_of(r, f);
    rsd_account_pay(&r->account, &x);
    if (rsd_account_is_whole(&x)) trust(r, f); /* nothing is old whose rate may have changed */
    if (f->J.is_new) r->is_untried = r->guesses;
}

/* Slower than is put up with: a rate that fails, unless the caller says another one. */
static int is_slow(const rsd_renewal *r, const rsd_newton_facts *f)
{
    return f->it.rate > (r->slow_rate > 0 ? r->slow_rate : RSD_WORST_RATE);
}

/* As long as what is seen is no worse than what was foreseen, it is looked at half as often each time. */
static void note_surprise(rsd_renewal *r, const rsd_newton_facts *f, const rsd_case *x)
{
    const double foreseen = fmax(rsd_account_expect(&r->account, x, x->renewed), RSD_LEAST_FACTOR);
    if (f->it.rate > foreseen)
        r->trust = 1;
    else if (r->trust < RSD_MOST_TRUST)
        r->trust *= 2;
}

void rsd_renewal_measured(rsd_renewal *r, const rsd_newton_facts *f)
{
    if (!f->rules->remembers) return;
    r->factor = factor_of(r, f);
    r->h_measured = f->h;
    r->is_stale = is_slow(r, f);
    if (!r->renews) return;
    const rsd_case x = case_of(r, f);
    note_surprise(r, f, &x);
    rsd_account_see(&r->account, &x, f->it.rate);
    r->is_untried = 0;
    trust(r, f);
}

void rsd_renewal_confirmed(rsd_renewal *r, const rsd_newton_facts *f)
{
    r->h_measured = f->h;
}

void rsd_renewal_cost(rsd_renewal *r)
{
    r->spared++;
}

/* A rate that failed was not measured. */
void rsd_renewal_book(rsd_renewal *r, const rsd_newton_facts *f)
{
    if (!r->renews || !f->rules->remembers) return;
    const rsd_case x = case_of(r, f);
    if (f->it.m > 0 && isfinite(f->it.rate) && !shrinks(f)) rsd_account_see(&r->account, &x, f->it.rate);
    rsd_account_book(&r->account, &x, r->spared, f->it.rate, f->it.first);
    r->spared = 0;
}

void rsd_renewal_end(rsd_renewal *r, int verdict)
{
    r->has_failed = verdict > 0;
}
