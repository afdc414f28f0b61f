/* convergence.c - see convergence.h.
 *
 * An iteration has converged when rate/(1 - rate) |delta| <= tolerance. The factor is kept from earlier steps, so that
 * one correction may be enough; where J is renewed, it is predicted. If the residual is far larger than the
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
                                                .max_iterations = RSD_MAX_ITERATIONS,
                                                .steps = RSD_ANY_SIZE,
                                                .worst_rate = RSD_WORST_RATE,
                                                .enough = RSD_NOTHING,
                                                .renewal_rate = INFINITY};

/* Where no step can be cut, J is set up at each iteration before the step is lost: a rate is never below 0. */
#define AT_EACH -1.0

static const rsd_newton_rules full = {.steps = RSD_FIXED_SIZE,
                                      .max_iterations = RSD_MAX_FULL,
                                      .worst_rate = RSD_NO_DECREASE,
                                      .enough = RSD_LITTLE,
                                      .renewal_rate = AT_EACH};

const rsd_newton_rules rsd_rules_of_fixed_size = {.steps = RSD_FIXED_SIZE,
                                                  .max_iterations = RSD_MAX_KEPT,
                                                  .worst_rate = RSD_NO_DECREASE,
                                                  .enough = RSD_LITTLE,
                                                  .renewal_rate = RSD_RENEWAL_RATE,
                                                  .retry = &full};

#define TO_ROUNDING                                                                                                    \
    .steps = RSD_TO_ROUNDING, .max_iterations = RSD_MAX_TO_ROUNDING, .worst_rate = RSD_WORST_RATE,                     \
    .renewal_rate = AT_EACH

static const rsd_newton_rules retry_to_rounding = {TO_ROUNDING};
const rsd_newton_rules rsd_rules_to_rounding = {TO_ROUNDING, .retry = &retry_to_rounding};

int rsd_convergence_checks_residual(const rsd_renewal *r, const rsd_newton_rules *rules, const rsd_iteration *it)
{
    if (rules->steps == RSD_TO_ROUNDING) return 0;
    if (it->m == 0) return !r->J.current;
    return rules->steps == RSD_ANY_SIZE && r->by_costs && (r->J.is_evaluated || it->m + 1 >= rules->usual_iterations);
}

static int correction_shrinks(const rsd_newton_rules *rules, const rsd_iteration *it)
{
    if (it->m == 0) return it->before == 0 || it->norm < it->before;
    return it->rate < rules->worst_rate;
}

int rsd_convergence_is_rate(const rsd_newton_rules *rules, const rsd_iteration *it)
{
    return it->m > 0 && isfinite(it->norm) && correction_shrinks(rules, it);
}

static int renews_J(const rsd_newton_rules *rules)
{
    return rules->renewal_rate < INFINITY;
}

/* 1: the correction is as small as rounding. With a J of each point, the smaller one of two corrections decides; with
 * one J for all corrections the last one does, as the iteration may diverge. */
static int is_as_small_as_rounding(const rsd_renewal *r, const rsd_newton_rules *rules, const rsd_iteration *it)
{
    const double before = it->norm / it->rate;
    const int is_untested = rules->steps == RSD_ANY_SIZE && it->norm_tested <= r->attempt.tolerance;
    if (it->norm <= RSD_ROUNDING || is_untested) return 1;
    const int has_own_J = renews_J(rules) && r->J.is_evaluated && it->m > 0;
    return has_own_J && before <= RSD_ROUNDING && it->norm <= RSD_MAX_ROUNDING;
}

/* A correction that has not shrunk is rounding, if it is small and no other J would make it smaller. An iteration that
 * renews J continues, if the correction is small or there is no other try. */
static rsd_convergence test_growing(const rsd_renewal *r, const rsd_newton_rules *rules, const rsd_iteration *it)
{
    const int is_small = is_as_small_as_rounding(r, rules, it);
    const int is_best = r->J.current || (renews_J(rules) && r->J.is_evaluated);
    if (is_small && is_best) return RSD_CONVERGED;
    if (!renews_J(rules) || (!is_small && rules->retry)) return RSD_DIVERGED;
    return it->norm <= rules->enough * r->attempt.tolerance ? RSD_CONVERGED : RSD_RENEW_J;
}

static rsd_convergence test_to_rounding(const rsd_newton_rules *rules, const rsd_iteration *it)
{
    if (!correction_shrinks(rules, it)) return RSD_CONVERGED_BEFORE;
    return it->norm == 0 ? RSD_CONVERGED : RSD_RENEW_J;
}

/* 1: the iterations that the measured rate predicts are allowed, and cost less than another J with its iterations. */
static int continuing_pays(const rsd_renewal *r, const rsd_newton_rules *rules, const rsd_iteration *it)
{
    const double more = ceil(log(r->attempt.tolerance / rsd_renewal_error(r, it)) / log(it->rate));
    return it->m + 1 + more <= rules->max_iterations && rsd_renewal_iterations_pay(r, more);
}

rsd_convergence rsd_convergence_test(const rsd_renewal *r, const rsd_newton_rules *rules, const rsd_iteration *it)
{
    if (!isfinite(it->norm)) return RSD_DIVERGED;
    if (rules->steps == RSD_TO_ROUNDING) return test_to_rounding(rules, it);
    if (!correction_shrinks(rules, it)) return test_growing(r, rules, it);
    const int is_enough = it->norm <= rules->enough * r->attempt.tolerance;
    if (is_enough || rsd_renewal_error(r, it) <= rsd_renewal_allowed_error(r, it)) {
        if (it->leaves_row) return RSD_NOT_CONVERGED;
        return it->residual_is_large ? RSD_CHECK_RESIDUAL : RSD_CONVERGED;
    }
    if (it->rate > rules->renewal_rate) return RSD_RENEW_J;
    if (renews_J(rules) || it->m + 1 < rules->usual_iterations) return RSD_CONTINUE;
    return continuing_pays(r, rules, it) ? RSD_CONTINUE : RSD_NOT_CONVERGED;
}
