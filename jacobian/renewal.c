/* renewal.c - see renewal.h.
 *
 * As in IDA, J is set up at the first step, when alpha/alpha_J leaves [3/5, 5/3], and after an iteration that failed
 * with the J of an earlier attempt. A failed attempt is repeated with a smaller step, in IDA a quarter. The reason of
 * the next setup is then RESIDA_SETUP_FAILURE, although alpha has changed, too. If the iteration fails with a J that is
 * not current, for example after an inexpensive update, it is repeated in the same attempt with a better J.
 *
 * Strategies with by_costs renew a part of J if its renewal costs less than the iterations that it avoids. */
#include "renewal.h"

#include "tuning.h"

#include <math.h>

/* --- The predicted convergence rate --- */

double rsd_renewal_get_rate_of_level(const rsd_renewal *r, int level)
{
    const double alpha_ratio = r->attempt.at.alpha / r->alpha_J;
    if (level == RSD_FACTORS) return fabs(1 - alpha_ratio) / (1 + alpha_ratio);
    return r->costs.can_age[level] ? r->model.slope[level] * fabs(r->attempt.at.since - r->model.t_renewed[level]) : 0;
}

double rsd_renewal_predict_rate(const rsd_renewal *r, rsd_renewal_level renewed)
{
    double rate = r->model.rho_0;
    if (renewed < RSD_FACTORS) rate += rsd_renewal_get_rate_of_level(r, RSD_FACTORS);
    if (renewed < RSD_BLOCKS) rate += rsd_renewal_get_rate_of_level(r, RSD_BLOCKS);
    return renewed < RSD_DFDY ? rate + rsd_renewal_get_rate_of_level(r, RSD_DFDY) : rate;
}

/* --- Which renewal costs less than it avoids --- */

/* One iteration is enough if rate/(1 - rate) times its norm is at most RSD_PREDICTED_SHARE times the tolerance.
 * Otherwise iterations are added until the estimated error is within the tolerance. */
double rsd_renewal_predict_iterations(const rsd_renewal *r, double rate, double first)
{
    if (rate >= RSD_WORST_RATE) return RSD_USUAL_ITERATIONS + 1;
    double left = rate / (1 - rate) * first;
    if (left <= RSD_PREDICTED_SHARE * r->attempt.tolerance) return 1;
    int m = 1;
    do left *= rate, m++;
    while (!(left <= r->attempt.tolerance) && m <= RSD_USUAL_ITERATIONS); /* a NaN counts as divergence */
    return m;
}

/* Return the predicted number of iterations if the levels up to `renewed` are new. */
static double predict_iterations_with(const rsd_renewal *r, rsd_renewal_level renewed)
{
    return rsd_renewal_predict_iterations(r, rsd_renewal_predict_rate(r, renewed), r->model.first_norm);
}

/* Return 1 if the level of J is outdated and its renewal costs nothing. Such a level is always renewed. */
static int is_renewal_free(const rsd_renewal *r, int level)
{
    const int is_outdated = level == RSD_FACTORS ? r->attempt.at.alpha != r->alpha_J : r->costs.can_age[level];
    return r->costs.renewal[level] <= 0 && is_outdated;
}

/* Return 1 if alpha differs too much from the alpha of the factors, or if the number of stages differs. The bound rho
 * (renewal.h) is valid for one stage and variable steps. In the complex system of Radau IIA the bound is 2.7 rho;
 * J is then kept only by its costs. Otherwise any change of alpha requires new factors. */
static int is_alpha_too_different(const rsd_renewal *r)
{
    if (r->stages_J != r->attempt.stages) return 1;
    const double range =
        r->attempt.steps == RSD_VARIABLE_SIZE && (r->stages_J == 1 || r->by_costs) ? RSD_ALPHA_RANGE : 0;
    const double ratio = r->attempt.at.alpha / r->alpha_J, min = (1 - range) / (1 + range);
    return ratio < min || ratio > 1 / min;
}

/* Return the level that is renewed at any cost: blocks if they are outdated, factors if alpha differs too much. */
static rsd_renewal_level get_min_level(const rsd_renewal *r)
{
    if (r->blocks_outdated) return RSD_BLOCKS;
    return is_alpha_too_different(r) ? RSD_FACTORS : RSD_NOTHING_NEW;
}

/* A level is renewed if two conditions are satisfied. First, the iterations that the level avoids cost more than its
 * renewal costs in addition to the renewal of the lower levels. Second, the iterations that this and all lower levels
 * avoid cost more than the renewal of these levels. New factors are used while alpha stays the same. Therefore the
 * iterations that they avoid are multiplied by the mean number of attempts with one alpha. A level is also renewed if
 * the iteration is predicted to converge only after its renewal. */
rsd_renewal_level rsd_renewal_choose_level(const rsd_renewal *r)
{
    const rsd_rate_model *m = &r->model;
    rsd_renewal_level chosen = get_min_level(r);
    double all = 0, before = 0, without = predict_iterations_with(r, RSD_NOTHING_NEW);
    if (without == 1 && m->charge[RSD_FACTORS] + m->charge[RSD_BLOCKS] + m->charge[RSD_DFDY] <
                            RSD_RENEWAL_SHARE * r->costs.renewal[RSD_FACTORS])
        return chosen;
    for (int level = 0; level < RSD_LEVELS; level++) {
        const double cost = r->costs.renewal[level];
        const double with = without == 1 ? 1 : predict_iterations_with(r, (rsd_renewal_level)level);
        const double avoided = (without - with) * r->costs.iteration * (level == RSD_FACTORS ? m->mean_attempts : 1);
        const double own = m->charge[level] / RSD_RENEWAL_SHARE + avoided;
        all += own;
        const int pays =
            (own > cost - before && all > cost) || (without > RSD_USUAL_ITERATIONS && with <= RSD_USUAL_ITERATIONS);
        const int is_renewed = is_renewal_free(r, level) || (pays && rsd_renewal_get_rate_of_level(r, level) > 0);
        if (is_renewed && level > (int)chosen) chosen = (rsd_renewal_level)level;
        before = cost;
        without = with;
    }
    return chosen;
}

/* --- The plan of a required setup --- */

/* Return the number of consecutive failures with a current J, including the failure that caused the setup. Failures
 * more than RSD_RECENT setups apart are not consecutive. The number is 0 if the pattern of J is given. */
static int count_failures_with_J(const rsd_renewal *r, resida_setup_reason reason)
{
    const int setups = reason == RESIDA_SETUP_FAILURE ? 0 : r->setups_since_failure + 1;
    if (setups > RSD_RECENT || reason == RESIDA_SETUP_FIRST || !r->engine.finds_pattern) return 0;
    return r->failures_with_J + (reason == RESIDA_SETUP_FAILURE && r->setup.is_current);
}

/* Return 1 if a repair is likely to be cheaper than an evaluation. A repair takes a few residual calls, but its J is
 * valid for fewer attempts. A repair must be possible, at another time than the last evaluation and repair, and fewer
 * than RSD_FAILING repaired J may have failed. At a solution F is nearly 0 and gives no directions. An evaluation must
 * take many calls, and evaluations must take a large part of all calls. Earlier repairs, if any, must have reduced the
 * calls per time. */
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
    if (s->evaluation < RSD_MANY_CALLS || s->of_dFdy < RSD_REPAIR_SHARE * without->calls) return 0;
    return with->calls * without->time < without->calls * with->time || with->time == 0;
}

/* Return 1 if new blocks may suffice after a failure, and dF/dy is kept. There are two cases. Either dF/dy is recent:
 * the last setup evaluated or repaired it, at another time than that of this point, and fewer than RSD_FAILING
 * consecutive failures had a current J. Or, for another try, the rate predicted with new blocks is below
 * RSD_RENEWAL_RATE, and an evaluation of dF/dy costs more than new blocks and a repetition of the failed iteration. */
static int may_blocks_suffice(const rsd_renewal *r, rsd_occasion occasion)
{
    const rsd_engine_facts *e = &r->engine;
    const int is_recent = r->setup.level == RSD_DFDY && !e->is_same_time && !e->is_repair_same_time;
    if (is_recent && count_failures_with_J(r, RESIDA_SETUP_FAILURE) < RSD_FAILING) return 1;
    if (!r->by_costs || occasion != RSD_AT_NEXT_TRY || r->failed_iteration.residual_is_the_same) return 0;
    const double retry = r->costs.renewal[RSD_BLOCKS] + (r->failed_iteration.m + 1) * r->costs.iteration;
    return rsd_renewal_get_renewed_level(r) < RSD_BLOCKS && r->costs.renewal[RSD_DFDY] >= retry &&
           rsd_renewal_predict_rate(r, RSD_BLOCKS) < RSD_RENEWAL_RATE;
}

/* Return the level of a setup. The reason requires a level. It is raised to RSD_DFDY if dF/dy cannot be kept, and
 * lowered to RSD_BLOCKS after a failure if new blocks may suffice. Strategies that do not renew J by costs renew the
 * blocks in every setup. */
static rsd_renewal_level get_level(const rsd_renewal *r, rsd_occasion occasion, resida_setup_reason reason)
{
    if (!r->setup.is_ready || !r->engine.is_partitioned || r->requested) return RSD_DFDY;
    switch (reason) {
    case RESIDA_SETUP_ALPHA:
        return r->by_costs ? RSD_FACTORS : RSD_BLOCKS;
    case RESIDA_SETUP_ATTEMPT:
        return RSD_BLOCKS;
    case RESIDA_SETUP_FAILURE:
        return may_blocks_suffice(r, occasion) ? RSD_BLOCKS : RSD_DFDY;
    default:
        return RSD_DFDY;
    }
}

/* Return the columns of dF/dy to be evaluated: RSD_ALL at a start, on request, if the last evaluation was at the same
 * time with another y, or if an evaluation takes few calls; RSD_OMITTED if the last evaluation was incomplete;
 * otherwise RSD_OUTDATED. */
static rsd_column_set choose_column_set(const rsd_renewal *r, resida_setup_reason reason, int is_rest)
{
    const rsd_engine_facts *e = &r->engine;
    const int is_expensive = e->is_pattern_known && (e->is_by_columns || e->calls >= RSD_MANY_CALLS);
    if (reason == RESIDA_SETUP_FIRST || e->is_moved || !is_expensive || !e->has_history) return RSD_ALL;
    if (r->requested) return RSD_ALL;
    return is_rest ? RSD_OMITTED : RSD_OUTDATED;
}

/* If the iteration fails repeatedly with a current J, new entries are searched even if the check of the pattern has
 * passed. The check perturbs all columns at once, so rounding of large terms can hide a small entry in it, such as the
 * entry of a capacitance of 1e-12 F in a row with an entry of 1. */
rsd_plan rsd_renewal_get_plan(const rsd_renewal *r, rsd_occasion occasion, resida_setup_reason reason)
{
    const rsd_engine_facts *e = &r->engine;
    const rsd_evaluation *last = &r->evaluation;
    rsd_plan plan = {.level = get_level(r, occasion, reason), .reason = reason};
    plan.failures = count_failures_with_J(r, reason);
    if (plan.level < RSD_DFDY) return plan;
    const int is_recent = last->updates <= RSD_RECENT && e->has_history && !last->is_partial;
    const int is_slow = reason == RESIDA_SETUP_OTHER;
    const int is_rest = e->is_same_time && !e->is_moved && (last->is_partial || last->skipped_B);
    plan.repairs = is_repair_cheaper(r, occasion, reason);
    plan.columns = choose_column_set(r, reason, is_rest);
    plan.with_dFdyp =
        e->is_dFdyp_open && (reason == RESIDA_SETUP_FIRST || !e->is_dFdyp_constant || (is_rest && last->skipped_B));
    plan.check = (rsd_check_reasons){.is_doubtful = (is_slow || reason == RESIDA_SETUP_FAILURE) && is_recent,
                                     .is_slow_again = is_slow && is_recent,
                                     .is_failing = plan.failures >= RSD_FAILING,
                                     .is_requested = r->requested == RESIDA_REQUEST_PATTERN};
    return plan;
}

/* --- The setups that an attempt requires --- */

/* Return the reason of the setup that costs less than the iterations that it avoids. With steps of a fixed size, all
 * parts that need no residual call are updated at each attempt. */
static resida_setup_reason get_reason_by_costs(const rsd_renewal *r)
{
    static const resida_setup_reason reasons[] = {RESIDA_SETUP_ALPHA, RESIDA_SETUP_ATTEMPT, RESIDA_SETUP_OTHER};
    if (r->attempt.steps != RSD_VARIABLE_SIZE) return RESIDA_SETUP_ATTEMPT;
    const rsd_renewal_level level = rsd_renewal_choose_level(r);
    return level == RSD_NOTHING_NEW ? RSD_NO_SETUP : reasons[level];
}

/* Return the reason of a setup at a new attempt. The first condition that is satisfied decides. */
static resida_setup_reason get_reason_at_attempt(const rsd_renewal *r)
{
    if (r->last_attempt_failed) return RESIDA_SETUP_FAILURE;
    if (!r->is_factored) return RESIDA_SETUP_FIRST;
    if (r->last_rate > r->max_rate || r->events.was_requested) return RESIDA_SETUP_OTHER;
    if (r->age_of_dFdy >= r->max_age) return RESIDA_SETUP_AGE;
    if (r->attempt.steps == RSD_TO_ROUNDING) return RESIDA_SETUP_FIRST;
    if (r->by_costs) return get_reason_by_costs(r);
    return is_alpha_too_different(r) ? RESIDA_SETUP_ALPHA : RSD_NO_SETUP;
}

/* Return 1 if another setup, which evaluates dF/dy, can help after a failed setup. J must not be current. In steps of
 * fixed size J must also be singular. */
static int can_help_after_failed_setup(const rsd_renewal *r)
{
    return !rsd_renewal_is_current(r) && (r->attempt.steps == RSD_VARIABLE_SIZE || r->setup.is_singular);
}

/* In the last try of a step of fixed size J is evaluated at each iterate, as at a start. */
resida_setup_reason rsd_renewal_get_reason(const rsd_renewal *r, rsd_occasion occasion)
{
    const int is_variable = r->attempt.steps == RSD_VARIABLE_SIZE;
    const int is_first_try = r->attempt.steps == RSD_FIXED_SIZE && r->events.failed_tries == 0;
    switch (occasion) {
    case RSD_AT_ATTEMPT:
        return get_reason_at_attempt(r);
    case RSD_AT_FAILED_SETUP:
        return can_help_after_failed_setup(r) ? RESIDA_SETUP_FAILURE : RSD_NO_SETUP;
    case RSD_AT_NEXT_TRY:
        return is_variable ? RESIDA_SETUP_FAILURE : RESIDA_SETUP_FIRST;
    case RSD_AT_ITERATE:
        return is_variable || is_first_try ? RESIDA_SETUP_FAILURE : RESIDA_SETUP_FIRST;
    case RSD_AT_SOLUTION:
        break;
    }
    return RESIDA_SETUP_AGE;
}

/* --- Whether another setup of J helps --- */

/* Return 1 if J is to be set up at the present x within the iteration, because the iteration with a current J has not
 * converged and its last correction is small enough. The iteration fails with a current J if stiff forces were
 * evaluated at the predictor, for example forces of springs that rotate with a body. */
int rsd_renewal_is_due_in_iteration(const rsd_renewal *r, const rsd_iteration *it)
{
    if (r->attempt.steps != RSD_VARIABLE_SIZE || !r->by_costs) return 0;
    const int setups = r->events.setups_at_iterates;
    if (setups >= RSD_MAX_RENEWALS || (setups == 0 && !rsd_renewal_is_current(r))) return 0;
    if (it->m == 0 && it->before > 0) return 0;
    return it->norm <= RSD_FAR_FROM_SOLUTION && r->costs.renewal[RSD_DFDY] <= RSD_MAX_ITERATE_COST * r->costs.iteration;
}

/* Return 1 if J can be improved for another iteration of the same attempt. Steps of a fixed size cannot be shortened;
 * their iteration is repeated once. After a repair of J an evaluation of dF/dy would give the same first correction. If
 * the iteration with a repaired J fails after a large first correction, F is too far from linear for this step, and J
 * cannot be improved. */
static int can_improve(const rsd_renewal *r, const rsd_iteration *it)
{
    if (r->attempt.steps != RSD_VARIABLE_SIZE) return r->events.failed_tries == 0;
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
    if (!retries && is_far && r->attempt.steps == RSD_VARIABLE_SIZE) r->requested |= RESIDA_REQUEST_EVALUATION;
    return retries;
}
