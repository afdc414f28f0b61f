/* convergence.c - see convergence.h.
 *
 * An iteration has converged when rate/(1 - rate) |delta| <= tolerance. The factor is kept from earlier steps, so that
 * one correction may be enough; where J is renewed, the account predicts it. If the residual is far larger than the
 * correction shows, or algebraic equations were not solved before a first one, no earlier or predicted rate is used,
 * and the next residual decides.
 *
 * Corrections that do not shrink with the J of this very point are rounding: below a third of the error test they end
 * the iteration instead of failing it. So do corrections of multipliers alone: rounding of positions may make all of
 * them. */
#include "convergence.h"

#include "tuning.h"

#include <math.h>

const rsd_newton_rules rsd_rules_of_any_size = {.usual_iterations = RSD_USUAL_ITERATIONS,
                                                .max_iterations = RSD_MOST_ITERATIONS,
                                                .variable_step = 1,
                                                .worst_rate = RSD_WORST_RATE,
                                                .enough = RSD_NOTHING,
                                                .renewal_rate = INFINITY,
                                                .renewal = {RSD_EVALUATE, RESIDA_SETUP_FAILURE}};

/* Where no step can be cut, J is set up at each iteration before the step is lost: a rate is never below 0. */
#define AT_EACH -1.0

static const rsd_newton_rules full = {.max_iterations = RSD_MOST_FULL,
                                      .worst_rate = RSD_NO_DECREASE,
                                      .enough = RSD_LITTLE,
                                      .renewal_rate = AT_EACH,
                                      .renewal = {RSD_EVALUATE, RESIDA_SETUP_FIRST}};

const rsd_newton_rules rsd_rules_of_fixed_size = {.max_iterations = RSD_MOST_KEPT,
                                                  .worst_rate = RSD_NO_DECREASE,
                                                  .enough = RSD_LITTLE,
                                                  .renewal_rate = RSD_RENEWAL_RATE,
                                                  .renewal = {RSD_EVALUATE, RESIDA_SETUP_FAILURE},
                                                  .retry = &full};

#define TO_ROUNDING                                                                                                    \
    .max_iterations = RSD_MOST_TO_ROUNDING, .to_rounding = 1, .worst_rate = RSD_WORST_RATE, .renewal_rate = AT_EACH,   \
    .renewal = {RSD_EVALUATE, RESIDA_SETUP_FIRST}

static const rsd_newton_rules retry_to_rounding = {TO_ROUNDING};
const rsd_newton_rules rsd_rules_to_rounding = {TO_ROUNDING, .retry = &retry_to_rounding};

/* rate/(1 - rate) for a first correction: IDA's value on the safe side; or the predicted one, the larger the longer no
 * rate was measured. A retry takes IDA's value: F may have changed. */
static double expected_factor(const rsd_policy *p, const rsd_newton_facts *f)
{
    if (!p->by_costs || !f->rules->variable_step) return p->rate_factor;
    if (f->attempt.is_retry) return RSD_FACTOR_NEW_ALPHA;
    if (p->rate_unknown) return RSD_FACTOR_AFTER_SETUP;
    const double rate = fmin(rsd_policy_expected_rate(p, f), RSD_WORST_RATE);
    const double unmeasured = 1 + (double)p->unmeasured / (double)p->trust;
    return unmeasured * fmax(unmeasured * rate / (1 - rate), RSD_LEAST_FACTOR);
}

/* The error after this correction; after the first one by a rate of earlier steps. */
static double error_left(const rsd_policy *p, const rsd_newton_facts *f)
{
    return (f->it.m == 0 ? expected_factor(p, f) : rsd_policy_rate_factor(p, f)) * f->it.norm;
}

/* The error allowed: less where a rate is predicted, because it is the error of an old J, in stiff components. */
static double allowed_error(const rsd_policy *p, const rsd_newton_facts *f)
{
    const double tolerance = f->attempt.tolerance;
    return p->by_costs && f->it.m == 0 ? p->predicted_share * tolerance : tolerance;
}

int rsd_convergence_checks_residual(const rsd_policy *p, const rsd_newton_facts *f)
{
    if (f->rules->to_rounding) return 0;
    if (f->it.m == 0) return !f->J.current;
    return f->rules->variable_step && p->by_costs && (f->J.is_evaluated || f->it.m + 1 >= f->rules->usual_iterations);
}

static int correction_shrinks(const rsd_newton_facts *f)
{
    if (f->it.m == 0) return f->it.before == 0 || f->it.norm < f->it.before;
    return f->it.rate < f->rules->worst_rate;
}

int rsd_convergence_is_rate(const rsd_newton_facts *f)
{
    return f->it.m > 0 && isfinite(f->it.norm) && correction_shrinks(f);
}

static int renews_J(const rsd_newton_rules *rules)
{
    return rules->renewal_rate < INFINITY;
}

/* 1: the correction is as small as rounding. With a J of each point, the smaller one of two corrections decides; with
 * one J for all corrections the last one does, as the iteration may diverge. */
static int is_as_small_as_rounding(const rsd_newton_facts *f)
{
    const double before = f->it.norm / f->it.rate;
    const int is_untested = f->rules->variable_step && f->it.norm_tested <= f->attempt.tolerance;
    if (f->it.norm <= RSD_ROUNDING || is_untested) return 1;
    const int has_own_J = renews_J(f->rules) && f->J.is_evaluated && f->it.m > 0;
    return has_own_J && before <= RSD_ROUNDING && f->it.norm <= RSD_ROUNDING_MOST;
}

/* A correction that has not shrunk is rounding, if it is small and no other J would make it smaller. An iteration that
 * renews J continues, if the correction is small or there is no other try. */
static rsd_convergence test_growing(const rsd_newton_facts *f)
{
    const int is_small = is_as_small_as_rounding(f);
    const int is_best = f->J.current || (renews_J(f->rules) && f->J.is_evaluated);
    if (is_small && is_best) return RSD_CONVERGED;
    if (!renews_J(f->rules) || (!is_small && f->rules->retry)) return RSD_DIVERGED;
    return f->it.norm <= f->rules->enough * f->attempt.tolerance ? RSD_CONVERGED : RSD_RENEW_J;
}

static rsd_convergence test_to_rounding(const rsd_newton_facts *f)
{
    if (!correction_shrinks(f)) return RSD_CONVERGED_BEFORE;
    return f->it.norm == 0 ? RSD_CONVERGED : RSD_RENEW_J;
}

/* 1: the iterations that the measured rate predicts are allowed, and cost less than another J with its iterations. */
static int continuing_pays(const rsd_policy *p, const rsd_newton_facts *f)
{
    if (!p->by_costs) return 0;
    const double more = ceil(log(f->attempt.tolerance / error_left(p, f)) / log(f->it.rate));
    const double anew = f->costs.renewal[RSD_DFDY] + RSD_ITERATIONS_ANEW * f->costs.iteration;
    return f->it.m + 1 + more <= f->rules->max_iterations && more * f->costs.iteration < anew;
}

rsd_convergence rsd_convergence_test(const rsd_policy *p, const rsd_newton_facts *f)
{
    if (!isfinite(f->it.norm)) return RSD_DIVERGED;
    if (f->rules->to_rounding) return test_to_rounding(f);
    if (!correction_shrinks(f)) return test_growing(f);
    const int is_enough = f->it.norm <= f->rules->enough * f->attempt.tolerance;
    if (is_enough || error_left(p, f) <= allowed_error(p, f)) {
        if (f->it.leaves_row) return RSD_NOT_CONVERGED;
        return f->it.residual_is_large ? RSD_CHECK_RESIDUAL : RSD_CONVERGED;
    }
    if (f->it.rate > f->rules->renewal_rate) return RSD_RENEW_J;
    if (renews_J(f->rules) || f->it.m + 1 < f->rules->usual_iterations) return RSD_CONTINUE;
    return continuing_pays(p, f) ? RSD_CONTINUE : RSD_NOT_CONVERGED;
}
