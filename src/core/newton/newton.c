/* newton.c - see newton.h. */
#include "newton.h"

#include "base/vector_ops.h"
#include "src/core/watch/tolerance.h"
#include "tuning.h"

#include <math.h>
#include <string.h>

static int evaluate_F(rsd_newton *nw)
{
    rsd_profile *profile = nw->system.guard->tally.profile;
    rsd_renewal_record_call(nw->renewal);
    const int back = rsd_profile_enter(profile, RSD_IN_ROWS);
    const int verdict = nw->system.ops->evaluate(nw->system.self, nw->F);
    rsd_profile_leave(profile, back);
    if (verdict) nw->start_is_known = 0;
    return verdict;
}

/* --- setups of J --- */

/* Set up J at x if the occasion requires it. F is known at x. Return the value of rsd_jacobian_prepare(). */
static int prepare_J(rsd_newton *nw, rsd_occasion occasion)
{
    resida_jacobian *engine = nw->system.engine;
    rsd_guard *g = nw->system.guard;
    const int setups = nw->renewal->events.setups, verdict = rsd_jacobian_prepare(engine, occasion);
    if (verdict < 0 && g->stop == RESIDA_OK) g->stop = rsd_jacobian_report_failure(engine, verdict);
    if (verdict || nw->renewal->events.setups == setups) return verdict;
    nw->residual.is_known = 0; /* the units u_i belong to the previous J */
    if (nw->renewal->setup.level == RSD_DFDY && nw->rules->steps == RSD_VARIABLE_SIZE)
        rsd_residual_norm_update_sizes(&nw->residual, engine, &nw->renewal->attempt, nw->renewal->attempt.at.F);
    return 0;
}

/* --- The iteration --- */

/* Compute the correction delta = -c J^-1 F with c = 2/(1 + alpha/alpha_J). */
static void solve_for_correction(rsd_newton *nw)
{
    double *delta = nw->before;
    nw->before = nw->delta;
    nw->delta = delta;
    rsd_jacobian_solve(nw->system.engine, nw->renewal->attempt.at.alpha, nw->F, delta);
    nw->counts.solves++;
}

/* Add the correction delta to x. Return the norm of delta with the weights w. */
static double apply_correction(rsd_newton *nw)
{
    nw->last_applied = nw->delta;
    return sqrt(rsd_vector_add_weighted(nw->renewal->attempt.x, nw->delta, nw->w, nw->size) / nw->size);
}

/* Return the norm of the correction delta without its components of index 2 and 3, such as multipliers. */
static double compute_norm_of_tested(const rsd_newton *nw)
{
    const resida_kind *kinds = nw->system.guard->problem->kinds;
    double sum = 0;
    for (int i = 0; i < nw->size; i++) {
        const double part = kinds[i % nw->system.n] < RESIDA_ALGEBRAIC_2 ? nw->delta[i] * nw->w[i] : 0;
        sum += part * part;
    }
    return sqrt(sum / nw->size);
}

/* Measure the residual before a correction if rsd_convergence_needs_residual() is 1. The residual of algebraic
 * equations is always measured. Return 1 if a residual was measured, else 0. */
static int measure_residual(rsd_newton *nw)
{
    const int with_inertia = rsd_convergence_needs_residual(nw->renewal, nw->rules, &nw->it);
    nw->residual.is_measured = 0;
    if (with_inertia || nw->residual.has_algebraic)
        rsd_residual_norm_measure(&nw->residual, nw->system.engine, &nw->renewal->attempt, nw->F, with_inertia);
    return nw->residual.is_measured;
}

/* Compute one correction, its norm and the convergence rate. Add the correction to x, except in an iteration to
 * rounding. In that case the caller adds the correction if its norm has decreased. */
static void compute_next_correction(rsd_newton *nw)
{
    rsd_iteration *it = &nw->it;
    const int checks = measure_residual(nw);
    it->has_unsolved_row = checks && it->m > 0 && rsd_residual_norm_has_unsolved_row(&nw->residual, nw->F);
    solve_for_correction(nw);
    nw->counts.iterations++;
    rsd_convergence_set_norm(nw->rules, it,
                             nw->rules->steps == RSD_TO_ROUNDING ? nw->system.ops->norm(nw->system.self, nw->delta)
                                                                 : apply_correction(nw));
    if (it->m > 0 && it->rate >= nw->rules->worst_rate) it->norm_tested = compute_norm_of_tested(nw);
    const int is_open =
        it->m == 0 && rsd_residual_norm_get_algebraic(&nw->residual, nw->F) > nw->renewal->attempt.tolerance;
    it->residual_is_large = checks && (is_open || rsd_residual_norm_is_large(&nw->residual, it->norm));
}

/* Set up J at x, where F is known. In steps of variable size the iteration then counts from zero. */
static int renew_J(rsd_newton *nw)
{
    const int verdict = prepare_J(nw, RSD_AT_ITERATE);
    if (nw->rules->steps == RSD_VARIABLE_SIZE) nw->it = (rsd_iteration){.m = -1, .before = nw->it.first};
    return verdict;
}

/* Evaluate F at x. Set *converged to 1 if F confirms convergence. If `why` is RSD_RENEW_J, set up J at x. Return 0 on
 * success, > 0 if F or J could not be evaluated or if the correction has not reduced F, < 0 on a fatal error. */
static int evaluate_next_F(rsd_newton *nw, rsd_convergence why, int *converged)
{
    rsd_iteration *it = &nw->it;
    const int checks = nw->residual.is_measured;
    if (checks) rsd_residual_norm_store_F(&nw->residual, nw->F);
    int verdict = evaluate_F(nw);
    if (verdict) return verdict;
    it->residual_is_the_same = checks && rsd_residual_norm_is_unchanged(&nw->residual, nw->F);
    if (it->residual_is_the_same) return 1;
    *converged = why == RSD_CHECK_RESIDUAL && rsd_residual_norm_is_solved(&nw->residual, nw->F);
    return why == RSD_RENEW_J ? renew_J(nw) : 0;
}

static int has_failed(rsd_convergence next)
{
    return next == RSD_NOT_CONVERGED || next == RSD_DIVERGED;
}

/* Return 1 if the last correction that was added to x is too large to be a rounding error. */
static int has_diverged(const rsd_newton *nw)
{
    return nw->system.ops->has_diverged(nw->system.self, nw->last_applied);
}

/* Return 1 if J is current and F before the correction consists of rounding errors, which are estimated with J. */
static int is_F_rounding(rsd_newton *nw)
{
    return nw->renewal->setup.is_current && isfinite(nw->it.norm) && !nw->it.has_unsolved_row &&
           rsd_residual_norm_is_rounding(&nw->residual, nw->system.engine, &nw->renewal->attempt, nw->F);
}

/* Correct x until the iteration has converged (return 0) or has failed (> 0), or on a fatal error (< 0). */
static int correct_until_it_converges(rsd_newton *nw)
{
    rsd_iteration *it = &nw->it;
    for (it->m = 0; it->m < nw->rules->max_iterations; it->m++) {
        compute_next_correction(nw);
        rsd_convergence next = rsd_convergence_test(nw->renewal, nw->rules, it);
        if (has_failed(next) && is_F_rounding(nw)) return 0;
        if (has_failed(next) && rsd_renewal_is_due_in_iteration(nw->renewal, it)) next = RSD_RENEW_J;
        if (next == RSD_CONVERGED_BEFORE && (it->rate < 1 || it->m == 1) && has_diverged(nw)) next = RSD_RENEW_J;
        if (nw->rules->steps == RSD_TO_ROUNDING && next != RSD_CONVERGED_BEFORE) apply_correction(nw);
        rsd_convergence_record(nw->renewal, nw->rules, it, next);
        if (next == RSD_CONVERGED) return 0;
        if (next == RSD_CONVERGED_BEFORE) return has_diverged(nw);
        if (has_failed(next)) return 1;
        int converged = 0;
        const int verdict = evaluate_next_F(nw, next, &converged);
        if (verdict || converged) return verdict;
    }
    return 1;
}

/* Iterate from x, where F is known. @return 0 if the iteration has converged, > 0 if not, < 0 to stop the
 * integration */
static int iterate_from_x(rsd_newton *nw)
{
    nw->it = (rsd_iteration){.m = 0};
    const int verdict = correct_until_it_converges(nw);
    if (verdict >= 0) rsd_renewal_end_iteration(nw->renewal, &nw->it);
    return verdict;
}

/* --- An attempt --- */

static void set_weights(rsd_newton *nw, const rsd_attempt *a)
{
    const int n = nw->system.n;
    if (a->at.h != nw->h_of_powers)
        rsd_compute_newton_weights(nw->system.o->newton_h_weights, nw->h_of_powers = a->at.h, n,
                                   nw->system.guard->problem->kinds, NULL, nw->powers);
    RSD_ELEMENTWISE for (int i = 0; i < n; i++) nw->w[i] = a->at.weights[i] * nw->powers[i];
    for (int j = 1; j < a->stages; j++) memcpy(nw->w + (size_t)j * (size_t)n, nw->w, (size_t)n * sizeof *nw->w);
}

/* Begin an attempt: pass its data to the Jacobian engine, and set the rules of the iteration and the weights. */
static void start_attempt(rsd_newton *nw, const rsd_attempt *a)
{
    const rsd_newton_system *s = &nw->system;
    rsd_attempt *own = &nw->renewal->attempt;
    rsd_jacobian_set_attempt(s->engine, a);
    own->steps = s->rules->steps;
    if (!own->at.F) own->at.F = nw->F;
    nw->size = a->stages * s->n;
    nw->rules = s->rules;
    nw->it = (rsd_iteration){.m = 0};
    s->guard->h = a->at.h;
    set_weights(nw, a);
}

/* Set x to the start of the iteration, compute F there, and set up J if the try requires it. In steps of variable size
 * all tries begin at the same x, and a retry reuses F of the first try. F is evaluated again in two cases: for a user's
 * Jacobian, which may need the call, and after a failed evaluation. Return 0 on success, > 0 if F or J could not be
 * evaluated or if F is too large in algebraic rows, < 0 on a fatal error. */
static inline int begin_iteration_of_try(rsd_newton *nw, rsd_occasion occasion)
{
    const size_t bytes = (size_t)nw->size * sizeof *nw->F;
    const int is_known = nw->start_is_known && nw->renewal->events.failed_tries > 0;
    nw->system.ops->begin(nw->system.self, nw->renewal->events.failed_tries);
    int verdict = is_known ? 0 : evaluate_F(nw);
    if (is_known) memcpy(nw->F, nw->F_start, bytes);
    nw->start_is_known =
        !verdict && nw->rules->steps == RSD_VARIABLE_SIZE && nw->renewal->by_costs && nw->renewal->by_differences;
    if (nw->start_is_known && !is_known) memcpy(nw->F_start, nw->F, bytes);
    if (!verdict && !(rsd_residual_norm_get_algebraic(&nw->residual, nw->F) <= RSD_RESIDUAL_FAR)) verdict = 1;
    return verdict ? verdict : prepare_J(nw, occasion);
}

void rsd_newton_record_failure(rsd_newton *nw, int component)
{
    rsd_blame_record(&nw->blame, component);
    if (rsd_problem_process_failure(nw->system.guard->problem)) nw->start_is_known = 0;
}

/* Record a failed try, and the component of the last stage with the largest weighted correction. */
static void record_failed_try(rsd_newton *nw)
{
    const int n = nw->system.n;
    nw->counts.fails++;
    const int component = rsd_find_max_component(n, nw->delta + nw->size - n, nw->w);
    rsd_newton_record_failure(nw, component);
    if (nw->system.guard->limits) rsd_limits_count_newton(nw->system.guard->limits, component);
}

/* If the step cannot be shortened, a try is repeated even if F or J could not be evaluated. */
int rsd_newton_solve(rsd_newton *nw, const rsd_attempt *a)
{
    start_attempt(nw, a);
    rsd_renewal_begin_attempt(nw->renewal);
    nw->counts.attempts++;
    for (rsd_occasion occasion = RSD_AT_ATTEMPT;; occasion = RSD_AT_NEXT_TRY) {
        int verdict = begin_iteration_of_try(nw, occasion);
        if (verdict > 0 && nw->rules->steps == RSD_VARIABLE_SIZE) return verdict;
        if (!verdict) verdict = iterate_from_x(nw);
        if (verdict <= 0) return verdict;
        record_failed_try(nw);
        if (!rsd_renewal_end_try(nw->renewal, &nw->it)) return verdict;
        if (nw->rules->retry) nw->rules = nw->rules->retry;
    }
}

int rsd_newton_correct_once(rsd_newton *nw, const rsd_attempt *a)
{
    start_attempt(nw, a);
    const int verdict = begin_iteration_of_try(nw, RSD_AT_ATTEMPT);
    if (verdict) return verdict;
    solve_for_correction(nw);
    apply_correction(nw);
    return 0;
}

int rsd_newton_set_up_at_x(rsd_newton *nw)
{
    const int verdict = evaluate_F(nw);
    return verdict ? verdict : prepare_J(nw, RSD_AT_SOLUTION);
}

resida_status rsd_newton_create(rsd_newton *nw, const rsd_newton_system *system, const resida_allocator *alloc)
{
    const int n = system->n, is_any_size = system->rules->steps == RSD_VARIABLE_SIZE;
    *nw = (rsd_newton){.system = *system,
                       .factors = rsd_jacobian_get_factors(system->engine),
                       .renewal = rsd_jacobian_get_renewal(system->engine),
                       .rules = system->rules};
    int all = RSD_DOUBLES(alloc, (long)system->stages * n, &nw->F, &nw->F_start, &nw->w, &nw->delta, &nw->before) &&
              RSD_DOUBLES(alloc, n, &nw->powers);
    if (system->rules->steps != RSD_TO_ROUNDING)
        all &= rsd_residual_norm_create(&nw->residual, n, system->stages, nw->renewal->by_costs,
                                        is_any_size ? system->guard->problem->kinds : NULL, alloc) >= 0;
    if (!all) return RESIDA_ERR_MEMORY;
    rsd_newton_restart(nw, 0);
    return RESIDA_OK;
}

void rsd_newton_restart(rsd_newton *nw, int is_nearby)
{
    nw->blame.count = 0;
    nw->factors->singular_column = 0;
    if (is_nearby && nw->renewal->by_costs) {
        rsd_renewal_restart(nw->renewal);
    } else {
        rsd_residual_norm_restart(&nw->residual);
        rsd_renewal_discard_J(nw->renewal);
    }
}

void rsd_newton_stats(const rsd_newton *nw, resida_stats *s)
{
    const rsd_newton_counts *counts = &nw->counts;
    const rsd_renewal *r = nw->renewal;
    s->step_attempts = counts->attempts;
    s->newton_iterations = counts->iterations;
    s->newton_fails = counts->fails;
    s->solves = counts->solves;
    s->setups.first = r->setups[RESIDA_SETUP_FIRST];
    s->setups.alpha = r->setups[RESIDA_SETUP_ALPHA];
    s->setups.failure = r->setups[RESIDA_SETUP_FAILURE];
    s->setups.other = r->setups[RESIDA_SETUP_OTHER] + r->setups[RESIDA_SETUP_AGE];
    s->setups.attempt = r->setups[RESIDA_SETUP_ATTEMPT];
}
