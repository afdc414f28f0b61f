/* convergence.c - see convergence.h.
 *
 * An iteration has converged if rate/(1 - rate) |delta| <= tolerance. At the first correction no rate is known, and the
 * factor rate/(1 - rate) of earlier steps is used. If J is updated by its costs, the factor is predicted, and one
 * correction may be sufficient. In two cases the condition does not end the iteration, and the next residual decides:
 * if the residual is much larger than the correction indicates, and if algebraic equations were not solved before the
 * first correction.
 *
 * Corrections that do not decrease although J is that of the current iterate are rounding errors. The iteration has
 * converged if their norm is at most RSD_MAX_ROUNDING, a third of the error test. The iteration has also converged if
 * only the corrections of multipliers are larger, because rounding errors of positions can cause these. A failed
 * iteration counts as converged if F before the last correction consisted of rounding errors (newton.c). */
#include "convergence.h"

#include "tuning.h"

#include <math.h>

const rsd_newton_rules rsd_rules_of_variable_size = {.max_good_iterations = RSD_USUAL_ITERATIONS,
                                                     .max_iterations = RSD_MAX_ITERATIONS,
                                                     .steps = RSD_VARIABLE_SIZE,
                                                     .worst_rate = RSD_WORST_RATE,
                                                     .max_last_correction = RSD_MAX_LAST_VARIABLE,
                                                     .renewal_rate = INFINITY};

/* Rules for repeating a failed step of fixed size. J is set up at each iterate, since every rate exceeds -INFINITY. */
static const rsd_newton_rules full = {.steps = RSD_FIXED_SIZE,
                                      .max_iterations = RSD_MAX_TO_ROUNDING,
                                      .worst_rate = 1,
                                      .max_last_correction = RSD_MAX_LAST_CORRECTION,
                                      .renewal_rate = -INFINITY};

const rsd_newton_rules rsd_rules_of_fixed_size = {.steps = RSD_FIXED_SIZE,
                                                  .max_iterations = RSD_MAX_ITERATIONS,
                                                  .worst_rate = 1,
                                                  .max_last_correction = RSD_MAX_LAST_CORRECTION,
                                                  .renewal_rate = RSD_RENEWAL_RATE,
                                                  .retry = &full};

const rsd_newton_rules rsd_rules_to_rounding = {.steps = RSD_TO_ROUNDING,
                                                .max_iterations = RSD_MAX_TO_ROUNDING,
                                                .worst_rate = RSD_WORST_RATE,
                                                .renewal_rate = -INFINITY};

static int may_renew_J(const rsd_newton_rules *rules)
{
    return rules->renewal_rate < INFINITY;
}

/* Return the convergence rate. `last` is the norm of the previous correction. If J may be set up between corrections,
 * the rate is the ratio of the norms of the last two corrections. Otherwise it is the geometric mean of such ratios
 * since the first correction. After max_good_iterations it is the larger of both, because slow components dominate. */
static double get_convergence_rate(const rsd_newton_rules *rules, const rsd_iteration *it, double last)
{
    const double latest = it->norm / last;
    if (it->m == 1 || may_renew_J(rules)) return latest;
    const double mean = pow(it->norm / it->first, 1.0 / it->m);
    return it->m < rules->max_good_iterations ? mean : fmax(mean, latest);
}

void rsd_convergence_set_norm(const rsd_newton_rules *rules, rsd_iteration *it, double norm)
{
    const double last = it->norm;
    it->norm = it->norm_tested = norm;
    if (it->m == 0)
        it->first = norm;
    else if (isfinite(norm))
        it->rate = get_convergence_rate(rules, it, last);
}

int rsd_convergence_needs_residual(const rsd_renewal *r, const rsd_newton_rules *rules, const rsd_iteration *it)
{
    if (rules->steps == RSD_TO_ROUNDING) return 0;
    if (it->m == 0) return !rsd_renewal_is_current(r);
    return rules->steps == RSD_VARIABLE_SIZE && r->by_costs &&
           (rsd_renewal_get_renewed_level(r) == RSD_DFDY || it->m + 1 >= rules->max_good_iterations);
}

static int has_correction_decreased(const rsd_newton_rules *rules, const rsd_iteration *it)
{
    if (it->m == 0) return it->before == 0 || it->norm < it->before;
    return it->rate < rules->worst_rate;
}

/* Return 1 if the last correction may be a rounding error. Its norm must be at most RSD_MAX_ROUNDING or, in steps of
 * variable size, its norm_tested within the tolerance. If J is set up at each iterate, a norm of at most 1 suffices
 * after a norm of at most RSD_MAX_ROUNDING. With one J for all corrections the iteration could then diverge. */
static int is_as_small_as_rounding(const rsd_renewal *r, const rsd_newton_rules *rules, const rsd_iteration *it)
{
    const double before = it->norm / it->rate;
    const int is_untested = rules->steps == RSD_VARIABLE_SIZE && it->norm_tested <= r->attempt.tolerance;
    if (it->norm <= RSD_MAX_ROUNDING || is_untested) return 1;
    const int has_own_J = may_renew_J(rules) && rsd_renewal_get_renewed_level(r) == RSD_DFDY && it->m > 0;
    return has_own_J && before <= RSD_MAX_ROUNDING && it->norm <= 1;
}

/* Classify a correction whose norm has not decreased. The iteration has converged if the correction may be a rounding
 * error and J is current. It has diverged if J may not be set up at the iterates, or if the correction is large and
 * another try remains. Otherwise it has converged if norm <= max_last_correction, else it continues with a new J. */
static rsd_convergence test_grown_correction(const rsd_renewal *r, const rsd_newton_rules *rules,
                                             const rsd_iteration *it)
{
    const int is_small = is_as_small_as_rounding(r, rules, it);
    const int is_best =
        rsd_renewal_is_current(r) || (may_renew_J(rules) && rsd_renewal_get_renewed_level(r) == RSD_DFDY);
    if (is_small && is_best) return RSD_CONVERGED;
    if (!may_renew_J(rules) || (!is_small && rules->retry)) return RSD_DIVERGED;
    return it->norm <= rules->max_last_correction * r->attempt.tolerance ? RSD_CONVERGED : RSD_RENEW_J;
}

static rsd_convergence test_to_rounding(const rsd_newton_rules *rules, const rsd_iteration *it)
{
    if (!has_correction_decreased(rules, it)) return RSD_CONVERGED_BEFORE;
    return it->norm == 0 ? RSD_CONVERGED : RSD_RENEW_J;
}

/* Return 1 if the estimated error is allowed. If J is renewed by its costs, the bound is smaller after a first
 * correction, because the predicted rate may be wrong in stiff components. */
static int is_error_allowed(const rsd_renewal *r, const rsd_iteration *it)
{
    const double share = it->m == 0 && r->by_costs ? RSD_PREDICTED_SHARE : 1;
    return rsd_renewal_estimate_error(r, it) <= share * r->attempt.tolerance;
}

/* Return 1 if further iterations with J, whose number the measured rate predicts, are allowed and cost less than an
 * evaluation of dF/dy followed by one iteration. */
static int is_continuing_cheaper(const rsd_renewal *r, const rsd_newton_rules *rules, const rsd_iteration *it)
{
    const double more = ceil(log(r->attempt.tolerance / rsd_renewal_estimate_error(r, it)) / log(it->rate));
    const double renewal = r->costs.renewal[RSD_DFDY] + r->costs.iteration;
    return r->by_costs && it->m + 1 + more <= rules->max_iterations && more * r->costs.iteration < renewal;
}

rsd_convergence rsd_convergence_test(const rsd_renewal *r, const rsd_newton_rules *rules, const rsd_iteration *it)
{
    if (!isfinite(it->norm)) return RSD_DIVERGED;
    if (rules->steps == RSD_TO_ROUNDING) return test_to_rounding(rules, it);
    if (!has_correction_decreased(rules, it)) return test_grown_correction(r, rules, it);
    const int is_enough = it->norm <= rules->max_last_correction * r->attempt.tolerance;
    if (is_enough || is_error_allowed(r, it)) {
        if (it->has_unsolved_row) return RSD_NOT_CONVERGED;
        return it->residual_is_large ? RSD_CHECK_RESIDUAL : RSD_CONVERGED;
    }
    if (it->rate > rules->renewal_rate) return RSD_RENEW_J;
    if (may_renew_J(rules) || it->m + 1 < rules->max_good_iterations) return RSD_CONTINUE;
    return is_continuing_cheaper(r, rules, it) ? RSD_CONTINUE : RSD_NOT_CONVERGED;
}
