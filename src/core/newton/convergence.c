/* convergence.c - see convergence.h.
 *
 * An iteration has converged if rate/(1 - rate) |delta| <= tolerance. At the first correction the factor rate/(1 -
 * rate) is that of earlier steps. If J is updated by its costs, the factor is predicted, so that one correction may be
 * sufficient. Neither is used in two cases: if the residual is much larger than the correction indicates, and if
 * algebraic equations were not solved before the first correction. The next residual then decides.
 *
 * Corrections that do not decrease with the J of the current iterate are rounding. If they are below a third of the
 * error test, the iteration has converged. This is also the case if only multipliers have such corrections, since these
 * may consist of the rounding of positions. */
#include "convergence.h"

#include "tuning.h"

#include <math.h>

const rsd_newton_rules rsd_rules_of_any_size = {.usual_iterations = RSD_USUAL_ITERATIONS,
                                                .max_iterations = RSD_MAX_ITERATIONS,
                                                .steps = RSD_ANY_SIZE,
                                                .worst_rate = RSD_WORST_RATE,
                                                .enough = RSD_NOTHING,
                                                .renewal_rate = INFINITY};

/* If no step can be shortened, J is set up at each iteration before the step fails. The limit of the rate is negative,
 * because a rate is never below 0. */
#define AT_EACH -1.0

static const rsd_newton_rules full = {.steps = RSD_FIXED_SIZE,
                                      .max_iterations = RSD_MAX_TO_ROUNDING,
                                      .worst_rate = 1,
                                      .enough = RSD_LITTLE,
                                      .renewal_rate = AT_EACH};

const rsd_newton_rules rsd_rules_of_fixed_size = {.steps = RSD_FIXED_SIZE,
                                                  .max_iterations = RSD_MAX_ITERATIONS,
                                                  .worst_rate = 1,
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
    if (it->m == 0) return !r->setup.current;
    return rules->steps == RSD_ANY_SIZE && r->by_costs &&
           (r->setup.is_evaluated || it->m + 1 >= rules->usual_iterations);
}

static int has_correction_decreased(const rsd_newton_rules *rules, const rsd_iteration *it)
{
    if (it->m == 0) return it->before == 0 || it->norm < it->before;
    return it->rate < rules->worst_rate;
}

int rsd_convergence_is_rate(const rsd_newton_rules *rules, const rsd_iteration *it)
{
    return it->m > 0 && isfinite(it->norm) && has_correction_decreased(rules, it);
}

static int may_renew_J(const rsd_newton_rules *rules)
{
    return rules->renewal_rate < INFINITY;
}

/* Return 1 if the correction is as small as rounding. If each iterate has its own J, the smaller of the last two
 * corrections decides. If all corrections use one J, the last correction decides, because the iteration may diverge. */
static int is_as_small_as_rounding(const rsd_renewal *r, const rsd_newton_rules *rules, const rsd_iteration *it)
{
    const double before = it->norm / it->rate;
    const int is_untested = rules->steps == RSD_ANY_SIZE && it->norm_tested <= r->attempt.tolerance;
    if (it->norm <= RSD_ROUNDING || is_untested) return 1;
    const int has_own_J = may_renew_J(rules) && r->setup.is_evaluated && it->m > 0;
    return has_own_J && before <= RSD_ROUNDING && it->norm <= 1;
}

/* Classify a correction that has not decreased. It is rounding if it is small and no other J would decrease it. If J is
 * set up at the iterates, the iteration continues if the correction is small, or if no other try remains. */
static rsd_convergence test_grown_correction(const rsd_renewal *r, const rsd_newton_rules *rules,
                                             const rsd_iteration *it)
{
    const int is_small = is_as_small_as_rounding(r, rules, it);
    const int is_best = r->setup.current || (may_renew_J(rules) && r->setup.is_evaluated);
    if (is_small && is_best) return RSD_CONVERGED;
    if (!may_renew_J(rules) || (!is_small && rules->retry)) return RSD_DIVERGED;
    return it->norm <= rules->enough * r->attempt.tolerance ? RSD_CONVERGED : RSD_RENEW_J;
}

static rsd_convergence test_to_rounding(const rsd_newton_rules *rules, const rsd_iteration *it)
{
    if (!has_correction_decreased(rules, it)) return RSD_CONVERGED_BEFORE;
    return it->norm == 0 ? RSD_CONVERGED : RSD_RENEW_J;
}

/* Return 1 if the measured rate predicts a number of iterations that is allowed and costs less than another J. */
static int is_continuing_cheaper(const rsd_renewal *r, const rsd_newton_rules *rules, const rsd_iteration *it)
{
    const double more = ceil(log(r->attempt.tolerance / rsd_renewal_error(r, it)) / log(it->rate));
    return it->m + 1 + more <= rules->max_iterations && rsd_renewal_are_iterations_cheaper(r, more);
}

rsd_convergence rsd_convergence_test(const rsd_renewal *r, const rsd_newton_rules *rules, const rsd_iteration *it)
{
    if (!isfinite(it->norm)) return RSD_DIVERGED;
    if (rules->steps == RSD_TO_ROUNDING) return test_to_rounding(rules, it);
    if (!has_correction_decreased(rules, it)) return test_grown_correction(r, rules, it);
    const int is_enough = it->norm <= rules->enough * r->attempt.tolerance;
    if (is_enough || rsd_renewal_error(r, it) <= rsd_renewal_allowed_error(r, it)) {
        if (it->leaves_row) return RSD_NOT_CONVERGED;
        return it->residual_is_large ? RSD_CHECK_RESIDUAL : RSD_CONVERGED;
    }
    if (it->rate > rules->renewal_rate) return RSD_RENEW_J;
    if (may_renew_J(rules) || it->m + 1 < rules->usual_iterations) return RSD_CONTINUE;
    return is_continuing_cheaper(r, rules, it) ? RSD_CONTINUE : RSD_NOT_CONVERGED;
}
