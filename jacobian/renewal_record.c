/* renewal_record.c - see renewal.h: records attempts, setups and iterations, and predicts rates of convergence. */
#include "renewal.h"

#include "jacobian/parts/frame.h"
#include "tuning.h"

#include <math.h>

/* Return 1 if convergence rates are predicted by rsd_rate_model. */
static int is_rate_predicted(const rsd_renewal *r)
{
    return r->by_costs && r->attempt.steps == RSD_VARIABLE_SIZE;
}

/* --- The model of the convergence rate --- */

/* Until a rate is measured, rho_0 is the rate that IDA assumes after a setup. */
void rsd_rate_model_init(rsd_rate_model *m)
{
    *m = (rsd_rate_model){.mean_attempts = 1 / RSD_LATEST_RUN,
                          .rho_0 = RSD_FACTOR_AFTER_SETUP / (1 + RSD_FACTOR_AFTER_SETUP),
                          .slope_decay = {RSD_DECAY, RSD_DECAY, RSD_DECAY},
                          .t_renewed = {NAN, NAN, NAN}};
}

/* Count an attempt with the present alpha. is_other_alpha is 1 if the last attempt had another alpha. */
static void count_attempt(rsd_renewal *r, int is_other_alpha)
{
    rsd_rate_model *m = &r->model;
    for (int level = 0; level < RSD_LEVELS; level++)
        if (isnan(m->t_renewed[level])) m->t_renewed[level] = r->attempt.at.since;
    if (is_other_alpha) {
        m->mean_attempts += RSD_LATEST_RUN * (m->attempts - m->mean_attempts);
        m->attempts = 0;
    }
    m->attempts++;
}

/* Return 1 if no part of J is outdated after the setups of the present attempt. */
static int is_J_up_to_date(const rsd_renewal *r)
{
    int whole = RSD_DFDY;
    while (whole > RSD_FACTORS && !r->costs.can_age[whole]) whole--;
    return (int)rsd_renewal_get_renewed_level(r) >= whole;
}

/* While a slope causes a renewal at every attempt, no rate of an outdated J is measured, although the slope may have
 * decreased. Therefore each renewal multiplies the slope by slope_decay. After enough renewals an attempt without a
 * renewal is made, and its rate is measured. If this attempt fails, slope_decay is replaced by its square root. The
 * next such attempt then follows after twice as many renewals. */
void rsd_rate_model_mark_renewed(rsd_renewal *r)
{
    rsd_rate_model *m = &r->model;
    for (int level = 0; level <= (int)rsd_renewal_get_renewed_level(r); level++) {
        m->charge[level] = 0;
        m->t_renewed[level] = r->attempt.at.since;
        m->sum_rate_age[level] *= m->slope_decay[level];
        m->slope[level] *= m->slope_decay[level];
    }
}

static void fit_slope(rsd_renewal *r, int level, double rate)
{
    rsd_rate_model *m = &r->model;
    const double age = fabs(r->attempt.at.since - m->t_renewed[level]);
    m->slope_decay[level] = rate >= RSD_WORST_RATE ? fmin(sqrt(m->slope_decay[level]), RSD_MAX_DECAY) : RSD_DECAY;
    m->sum_rate_age[level] = RSD_SLOPE_MEMORY * m->sum_rate_age[level] + rate * age;
    m->sum_age_age[level] = RSD_SLOPE_MEMORY * m->sum_age_age[level] + age * age;
    if (m->sum_age_age[level] > 0) m->slope[level] = rsd_max(0, m->sum_rate_age[level] / m->sum_age_age[level]);
}

void rsd_rate_model_record_rate(rsd_renewal *r, double rate)
{
    rsd_rate_model *m = &r->model;
    const rsd_renewal_level renewed = rsd_renewal_get_renewed_level(r);
    const int is_new = is_J_up_to_date(r);
    if (renewed < RSD_FACTORS) rate = rsd_max(0, rate - rsd_renewal_get_rate_of_level(r, RSD_FACTORS));
    if (is_new || rate < m->rho_0) m->rho_0 = rate;
    if (is_new) return;
    const int are_old = renewed < RSD_BLOCKS && r->costs.can_age[RSD_BLOCKS];
    const double old = rate - m->rho_0, of_dFdy = rsd_renewal_get_rate_of_level(r, RSD_DFDY);
    if (!are_old || old < of_dFdy) fit_slope(r, RSD_DFDY, old);
    if (are_old) fit_slope(r, RSD_BLOCKS, old - of_dFdy);
}

/* The cost of wasted iterations is charged to the outdated levels, in proportion to their parts of the predicted rate.
 * The part of rho_0 is not charged. Nor are iterations that the measured rate does not require. */
void rsd_rate_model_charge(rsd_renewal *r, double rate, double first)
{
    int wasted = r->events.wasted_iterations;
    if (first > 0) r->model.first_norm = first;
    if (wasted == 0) return;
    if (rate > 0) wasted = (int)fmin(wasted, rsd_renewal_predict_iterations(r, rate, first) - 1);
    const rsd_renewal_level renewed = rsd_renewal_get_renewed_level(r);
    const double expected = rsd_renewal_predict_rate(r, renewed);
    for (int level = (int)renewed + 1; level < RSD_LEVELS && expected > 0; level++)
        r->model.charge[level] += wasted * r->costs.iteration * rsd_renewal_get_rate_of_level(r, level) / expected;
}

/* --- Convergence rates --- */

/* Return rate/(1 - rate) of a measured rate, but at least RSD_MIN_FACTOR if rates are predicted. */
static double get_rate_factor(const rsd_renewal *r, double rate)
{
    const double factor = rate / (1 - rate);
    return is_rate_predicted(r) ? rsd_max(RSD_MIN_FACTOR, factor) : factor;
}

/* Return rate/(1 - rate) for a first correction. It is the value that IDA uses if J is not renewed by costs, or if no
 * rate was measured since dF/dy was evaluated. After a failed attempt of the same step it is IDA's value for a changed
 * alpha, because F may have changed. Otherwise it is computed from the predicted rate, and increases with the number of
 * attempts without a measured rate. */
static double get_first_rate_factor(const rsd_renewal *r)
{
    if (!is_rate_predicted(r)) return r->rate_factor;
    if (r->attempt.is_retry) return RSD_FACTOR_NEW_ALPHA;
    if (r->rate_unknown) return RSD_FACTOR_AFTER_SETUP;
    const double rate = fmin(rsd_renewal_predict_rate(r, rsd_renewal_get_renewed_level(r)), RSD_WORST_RATE);
    const double unmeasured = 1 + (double)r->unmeasured / r->prediction_trust;
    return unmeasured * rsd_max(RSD_MIN_FACTOR, unmeasured * rate / (1 - rate));
}

double rsd_renewal_estimate_error(const rsd_renewal *r, const rsd_iteration *it)
{
    return (it->m == 0 ? get_first_rate_factor(r) : get_rate_factor(r, it->rate)) * it->norm;
}

/* Compare a measured rate with its prediction. If the rate does not exceed the prediction, double r->prediction_trust.
 * Otherwise reset it to 1. */
static void update_prediction_trust(rsd_renewal *r, double rate)
{
    const double predicted = rsd_max(RSD_MIN_FACTOR, rsd_renewal_predict_rate(r, rsd_renewal_get_renewed_level(r)));
    r->prediction_trust = rate > predicted ? 1 : fmin(2 * r->prediction_trust, RSD_MAX_TRUST);
}

void rsd_renewal_record_rate(rsd_renewal *r, double rate)
{
    if (r->attempt.steps != RSD_VARIABLE_SIZE) return;
    r->rate_factor = get_rate_factor(r, rate);
    r->last_rate = rate;
    if (!r->by_costs) return;
    update_prediction_trust(r, rate);
    rsd_rate_model_record_rate(r, rate);
    r->rate_unknown = 0;
    r->unmeasured = 0;
}

/* Charge the wasted iterations to the outdated parts of J. If the iteration diverged, also record its rate, which was
 * not recorded before. */
void rsd_renewal_end_iteration(rsd_renewal *r, const rsd_iteration *it)
{
    if (!is_rate_predicted(r)) return;
    const int diverges = it->m > 0 && it->rate >= RSD_WORST_RATE;
    if (diverges && isfinite(it->rate)) rsd_rate_model_record_rate(r, it->rate);
    rsd_rate_model_charge(r, it->rate, it->first);
    r->events.wasted_iterations = 0;
}

/* --- Attempts --- */

void rsd_renewal_restart(rsd_renewal *r)
{
    r->last_attempt_failed = 0;
    r->rate_factor = RSD_FACTOR_AFTER_SETUP;
    r->unmeasured = 0;
    r->prediction_trust = 1;
    r->blocks_outdated = 1;
    r->last_attempt_alpha = 0;
    rsd_rate_model_init(&r->model);
}

void rsd_renewal_discard_J(rsd_renewal *r)
{
    rsd_renewal_restart(r);
    r->is_factored = r->blocks_outdated = 0;
    r->last_rate = 0;
    r->age_of_dFdy = 0;
}

void rsd_renewal_mark_outdated(rsd_renewal *r)
{
    if (r->by_costs)
        r->blocks_outdated = 1;
    else
        r->requested |= RESIDA_REQUEST_EVALUATION;
}

void rsd_renewal_begin_attempt(rsd_renewal *r)
{
    const rsd_attempt *a = &r->attempt;
    if (a->steps != RSD_VARIABLE_SIZE) {
        r->rate_factor = INFINITY;
        return;
    }
    r->age_of_dFdy++;
    r->unmeasured++;
    if (a->is_retry) r->prediction_trust = 1; /* F may have changed; earlier predictions are not reliable */
    const int is_other = a->at.alpha != r->last_attempt_alpha;
    if (r->by_costs)
        count_attempt(r, is_other);
    else if (is_other)
        r->rate_factor = RSD_FACTOR_NEW_ALPHA;
    r->last_attempt_alpha = a->at.alpha;
}

void rsd_renewal_end_attempt(rsd_renewal *r, int verdict)
{
    r->last_attempt_failed = verdict > 0;
    if (verdict) return;
    r->repair.now.time += fabs(r->attempt.at.h);
    r->repair.failed = 0;
}

/* --- Setups --- */

void rsd_renewal_begin_setup(rsd_renewal *r, const rsd_plan *plan)
{
    const int has_failed = plan->reason == RESIDA_SETUP_FAILURE;
    r->failures_with_J = plan->failures;
    r->setups_since_failure = has_failed ? 0 : r->setups_since_failure + 1;
    r->repair.failed += has_failed && r->setup.is_repaired;
}

void rsd_renewal_record_J(rsd_renewal *r)
{
    r->is_factored = 1;
    r->alpha_J = r->attempt.at.alpha;
    r->stages_J = r->attempt.stages;
    if (r->setup.level >= RSD_BLOCKS) r->blocks_outdated = 0;
    if (r->setup.level == RSD_DFDY) r->last_rate = 0, r->age_of_dFdy = 0;
    if (r->attempt.steps != RSD_VARIABLE_SIZE) return;
    r->rate_factor = RSD_FACTOR_AFTER_SETUP;
    if (!r->by_costs) return;
    rsd_rate_model_mark_renewed(r);
    if (is_J_up_to_date(r)) r->unmeasured = 0; /* the rate cannot have changed, because no part of J is outdated */
    if (r->setup.level == RSD_DFDY) r->rate_unknown = r->by_differences;
}

static void add_weighted_calls(rsd_call_rate *sum, const rsd_call_rate *now)
{
    sum->calls = RSD_DECAY * sum->calls + now->calls;
    sum->time = RSD_DECAY * sum->time + now->time;
}

void rsd_renewal_record_calls(rsd_renewal *r, const rsd_plan *plan, long calls)
{
    rsd_repair_statistics *s = &r->repair;
    const double keep = RSD_DECAY, taken = (double)calls;
    if (plan->level < RSD_DFDY) return;
    add_weighted_calls(s->was_planned ? &s->repaired : &s->evaluated, &s->now);
    s->was_planned = plan->repairs;
    s->now = (rsd_call_rate){.calls = taken + (s->was_planned ? s->work : 0)};
    if (s->was_planned && s->repaired.time == 0) /* initial time, because the first interval may be short */
        s->repaired.time = (1 - RSD_DECAY) * s->evaluated.time;
    if (s->was_planned) { /* each repair reduces the recorded calls of evaluations, so that an evaluation is tried again
                           * later */
        s->evaluated.calls *= RSD_REPAIR_FORGET;
        s->of_dFdy *= RSD_REPAIR_FORGET;
        return;
    }
    s->evaluation = s->evaluations > 0 ? keep * s->evaluation + (1 - keep) * taken : taken;
    s->of_dFdy = keep * s->of_dFdy + taken;
    s->repaired.calls *= RSD_REPAIR_FORGET;
    s->evaluations++;
}
