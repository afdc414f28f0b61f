/* newton.c - see newton.h. policy.h decides about J, convergence.h about the iteration. */
#include "newton.h"

#include "jacobian/engine.h"
#include "jacobian/repair.h"
#include "base/vector_ops.h"
#include "src/core/watch/tolerance.h"
#include "tuning.h"

#include <limits.h>
#include <math.h>
#include <string.h>

int rsd_newton_stop(rsd_newton *nw, resida_status status)
{
    return nw->system.guard->stop = status;
}

static int evaluate_F(rsd_newton *nw)
{
    rsd_profile *profile = nw->system.guard->tally.profile;
    rsd_history_record_iteration(rsd_engine_history(nw->system.engine));
    const int back = rsd_profile_enter(profile, RSD_IN_ROWS);
    const int verdict = nw->system.ops->evaluate(nw->system.self, nw->F);
    rsd_profile_leave(profile, back);
    if (verdict) nw->start_is_known = 0;
    return verdict;
}

/* --- J --- */

/* Learn what an iteration and each update level cost, as far as J and its factors are known. */
static void learn_costs(rsd_newton *nw)
{
    rsd_engine_costs e;
    rsd_linear_costs l = {.factor = 0, .solve = 0};
    rsd_engine_get_costs(nw->system.engine, &e);
    if (nw->system.linear) rsd_linear_get_costs(nw->system.linear, &l);
    rsd_costs *c = &nw->costs;
    *c = (rsd_costs){.has = {1, e.has_blocks, e.has_dFdy}};
    const int systems = 1 + nw->n_sensitivities; /* a better J would avoid an iteration of each */
    rsd_history_record_factorisation(rsd_engine_history(nw->system.engine), e.by_calls ? 0 : l.factor / e.F);
    if (e.by_calls) {
        c->iteration = systems;
        c->renewal[RSD_DFDY] = e.calls;
        return;
    }
    c->iteration = systems * (e.F + l.solve + RSD_VECTORS * nw->size + RSD_CALLS);
    c->renewal[RSD_FACTORS] = e.assembly + l.factor;
    c->renewal[RSD_BLOCKS] = c->renewal[RSD_FACTORS] + e.blocks;
    c->renewal[RSD_DFDY] = c->renewal[RSD_BLOCKS] + e.evaluation;
}

int rsd_newton_engine_setup(rsd_newton *nw, rsd_renewal renewal, const resida_jacobian_point *at, rsd_setup_facts *J)
{
    rsd_guard *g = nw->system.guard;
    resida_jacobian *engine = nw->system.engine;
    nw->counts.setups[renewal.reason]++;
    const int back = rsd_profile_enter(g->tally.profile, RSD_IN_ASSEMBLY);
    const int verdict = rsd_engine_renew(engine, renewal, at, &J->current);
    rsd_profile_leave(g->tally.profile, back);
    J->is_evaluated = rsd_engine_was_evaluated(engine);
    J->is_repaired = rsd_engine_was_repaired(engine);
    if (verdict < 0 && g->stop == RESIDA_OK)
        g->stop = rsd_fail(g->message, (resida_status)verdict, "J cannot be set up at t = %.9g: %s", at->t,
                           verdict == RESIDA_ERR_MEMORY ? "no memory for its pattern"
                                                        : resida_status_name((resida_status)verdict));
    return verdict;
}

/* The factors of J, and solutions by them; for the engine, too. */
static int factor(void *self)
{
    const rsd_newton *nw = self;
    rsd_profile *profile = nw->system.guard->tally.profile;
    const int back = rsd_profile_enter(profile, RSD_IN_FACTORS);
    const int verdict = nw->system.ops->factor(nw->system.self);
    rsd_profile_leave(profile, back);
    return verdict;
}

static void solve(void *self, double *b)
{
    const rsd_newton *nw = self;
    rsd_profile *profile = nw->system.guard->tally.profile;
    const int back = rsd_profile_enter(profile, RSD_IN_SOLUTIONS);
    nw->system.ops->solve(nw->system.self, b);
    rsd_profile_leave(profile, back);
}

/* Set J up and factor it at x, where F is known. */
static int set_up_and_factor(rsd_newton *nw, rsd_renewal renewal)
{
    const rsd_newton_ops *ops = nw->system.ops;
    rsd_setup_facts *J = &nw->facts.J;
    const int is_whole = !nw->policy.by_costs || renewal.action > RSD_UPDATE_ALPHA;
    for (;;) {
        rsd_policy_drop_J(&nw->policy);
        int verdict = ops->set_up ? ops->set_up(nw->system.self, renewal, J)
                                  : rsd_newton_engine_setup(nw, renewal, &nw->facts.attempt.at, J);
        J->is_singular = !verdict && (verdict = factor(nw)) > 0;
        if (verdict == 0) break;
        const rsd_recovery recovery = verdict < 0 ? RSD_NO_RECOVERY : rsd_policy_recovery(&nw->facts);
        if (recovery == RSD_NO_RECOVERY) return verdict;
        if (recovery == RSD_SEARCH_PATTERN)
            J->pattern_searched = resida_jacobian_request(nw->system.engine, RESIDA_REQUEST_PATTERN) == RESIDA_OK;
        renewal = rsd_renewal_for(RESIDA_SETUP_FAILURE);
    }
    J->is_factored = 1;
    rsd_residual_norm_forget(&nw->residual);
    if (J->is_evaluated && nw->facts.rules->variable_step)
        rsd_residual_norm_learn(&nw->residual, nw->system.engine, &nw->facts.attempt, nw->F);
    if (nw->policy.by_costs) learn_costs(nw);
    nw->facts.costs = nw->costs;
    J->has_new_blocks = is_whole || J->is_evaluated;
    rsd_policy_record_J(&nw->policy, &nw->facts);
    return 0;
}

/* --- The iteration --- */

/* delta = -c J^-1 F */
static void solve_for_correction(rsd_newton *nw)
{
    const double c = rsd_policy_correction_factor(&nw->policy, nw->facts.attempt.at.alpha);
    double *restrict delta = nw->before;
    const double *restrict F = nw->F;
    nw->before = nw->delta;
    nw->delta = delta;
    for (int i = 0, n = nw->size; i < n; i++) delta[i] = -c * F[i];
    solve(nw, delta);
    nw->counts.solves++;
}

/* x += delta. @return the norm of delta */
static double apply_correction(rsd_newton *nw)
{
    nw->taken = nw->delta;
    return sqrt(rsd_vector_add_weighted(nw->facts.attempt.x, nw->delta, nw->w, nw->size) / nw->size);
}

/* Mean rate since the first correction; of the last two corrections where J may change in between. An iteration that
 * goes on for long has its slow components left: the slower one of both. */
static double rate_of(const rsd_newton *nw, double last)
{
    const rsd_iteration_facts *it = &nw->facts.it;
    const rsd_newton_rules *rules = nw->facts.rules;
    const double latest = it->norm / last;
    if (it->m == 1 || rules->renewal_rate < INFINITY) return latest;
    const double mean = pow(it->norm / it->first, 1.0 / it->m);
    return it->m < rules->usual_iterations ? mean : fmax(mean, latest);
}

/* Norm of the components in the error test, without multipliers. */
static double norm_tested(const rsd_newton *nw)
{
    const resida_kind *kinds = nw->system.guard->problem->kinds;
    double sum = 0;
    for (int i = 0; i < nw->size; i++) {
        const double part = kinds[i % nw->system.n] < RESIDA_ALGEBRAIC_2 ? nw->delta[i] * nw->w[i] : 0;
        sum += part * part;
    }
    return sqrt(sum / nw->size);
}

/* Measure the residual before a correction; that of algebraic equations before each one. @return 1: it is measured */
static int measure_residual(rsd_newton *nw)
{
    const int with_inertia = rsd_convergence_checks_residual(&nw->policy, &nw->facts);
    nw->residual.is_measured = 0;
    if (with_inertia || nw->residual.has_algebraic)
        rsd_residual_norm_measure(&nw->residual, nw->system.engine, &nw->facts.attempt, nw->F, with_inertia);
    return nw->residual.is_measured;
}

/* Compute one correction, its norm and rate. To rounding, the caller applies it if it has decreased. */
static void correct(rsd_newton *nw)
{
    rsd_iteration_facts *it = &nw->facts.it;
    const double last = it->norm;
    const int checks = measure_residual(nw);
    it->leaves_row = checks && it->m > 0 && rsd_residual_norm_leaves_row(&nw->residual, nw->F);
    solve_for_correction(nw);
    nw->counts.iterations++;
    it->norm = nw->facts.rules->to_rounding ? nw->system.ops->norm(nw->system.self, nw->delta) : apply_correction(nw);
    if (it->m == 0)
        it->first = it->norm;
    else if (isfinite(it->norm))
        it->rate = rate_of(nw, last);
    it->norm_tested = it->m > 0 && it->rate >= nw->facts.rules->worst_rate ? norm_tested(nw) : it->norm;
    const int is_open =
        it->m == 0 && rsd_residual_norm_of_algebraic(&nw->residual, nw->F) > nw->facts.attempt.tolerance;
    it->residual_is_large = checks && (is_open || rsd_residual_norm_is_large(&nw->residual, it->norm));
}

/* Renew J at x, where F is known, and reset the facts of the iteration. */
static int renew_J(rsd_newton *nw)
{
    const rsd_newton_rules *rules = nw->facts.rules;
    const int verdict = set_up_and_factor(nw, rules->renewal);
    nw->facts.renewals++;
    if (rules->variable_step) nw->facts.it = (rsd_iteration_facts){.m = -1, .before = nw->facts.it.first};
    return verdict;
}

/* Evaluate F at x. *converged 1: F shows that the iteration has converged. */
static int evaluate_next(rsd_newton *nw, rsd_convergence why, int *converged)
{
    rsd_iteration_facts *it = &nw->facts.it;
    const int checks = nw->residual.is_measured;
    if (checks) rsd_residual_norm_keep(&nw->residual, nw->F);
    int verdict = evaluate_F(nw);
    if (verdict) return verdict;
    it->residual_is_the_same = checks && rsd_residual_norm_is_the_same(&nw->residual, nw->F);
    if (it->residual_is_the_same) return 1;
    *converged = why == RSD_CHECK_RESIDUAL && rsd_residual_norm_is_solved(&nw->residual, nw->F);
    return why == RSD_RENEW_J ? renew_J(nw) : 0;
}

static int is_failure(rsd_convergence next)
{
    return next == RSD_NOT_CONVERGED || next == RSD_DIVERGED;
}

static int correct_until_it_converges(rsd_newton *nw)
{
    rsd_newton_facts *f = &nw->facts;
    for (f->it.m = 0; f->it.m < f->rules->max_iterations; f->it.m++) {
        correct(nw);
        rsd_convergence next = rsd_convergence_test(&nw->policy, f);
        if (is_failure(next) && rsd_policy_renews_within(&nw->policy, f)) next = RSD_RENEW_J;
        if (f->rules->to_rounding && next != RSD_CONVERGED_BEFORE) apply_correction(nw);
        if (rsd_convergence_is_rate(f)) rsd_policy_record_rate(&nw->policy, f);
        if (next == RSD_CONTINUE || next == RSD_NOT_CONVERGED) rsd_policy_count_iteration(&nw->policy);
        if (next == RSD_CONVERGED) return 0;
        if (next == RSD_CONVERGED_BEFORE) return nw->system.ops->is_far(nw->system.self, nw->taken);
        if (is_failure(next)) return 1;
        int converged = 0;
        const int verdict = evaluate_next(nw, next, &converged);
        if (verdict || converged) return verdict;
    }
    return 1;
}

/* Iterate from x, where F is known. @return 0 converged; > 0 not; < 0 stop */
static int iterate(rsd_newton *nw)
{
    nw->facts.it = (rsd_iteration_facts){.m = 0};
    const int verdict = correct_until_it_converges(nw);
    if (verdict >= 0) rsd_policy_charge(&nw->policy, &nw->facts);
    return verdict;
}

/* --- An attempt --- */

static void set_weights(rsd_newton *nw, const rsd_newton_attempt *a)
{
    const int n = nw->system.n;
    rsd_newton_weights(nw->system.o->newton_h_weights, a->at.h, n, nw->system.guard->problem->kinds, a->at.weights,
                       nw->w);
    for (int j = 1; j < a->stages; j++) memcpy(nw->w + (size_t)j * (size_t)n, nw->w, (size_t)n * sizeof *nw->w);
}

static void begin_attempt(rsd_newton *nw, const rsd_newton_attempt *a)
{
    const rsd_newton_system *s = &nw->system;
    nw->size = a->stages * s->n;
    s->guard->h = a->at.h;
    set_weights(nw, a);
    nw->facts =
        (rsd_newton_facts){.rules = s->rules, .attempt = *a, .is_requested = resida_jacobian_is_requested(s->engine)};
    nw->facts.attempt.at.F = nw->F;
    if (nw->policy.by_costs && nw->costs.iteration == 0) learn_costs(nw);
    nw->facts.costs = nw->costs;
}

/* F at the start of a try. In steps of any size all tries begin at the same x, so that a retry takes the F of the first
 * try. F is evaluated again for a user's Jacobian, which may need the call, and after an F that was not possible. */
static int evaluate_at_start(rsd_newton *nw)
{
    const size_t bytes = (size_t)nw->size * sizeof *nw->F;
    if (nw->start_is_known && nw->facts.tries > 0) {
        memcpy(nw->F, nw->F_start, bytes);
        return 0;
    }
    const int verdict = evaluate_F(nw);
    nw->start_is_known = !verdict && nw->facts.rules->variable_step && nw->policy.by_costs && nw->policy.by_differences;
    if (nw->start_is_known) memcpy(nw->F_start, nw->F, bytes);
    return verdict;
}

/* Set x to the start, find F there, and set J up unless it is kept. */
static int begin_try(rsd_newton *nw, rsd_renewal renewal)
{
    nw->system.ops->begin(nw->system.self, nw->facts.tries);
    int verdict = evaluate_at_start(nw);
    if (!verdict && !(rsd_residual_norm_of_algebraic(&nw->residual, nw->F) <= RSD_RESIDUAL_FAR)) verdict = 1;
    return verdict || renewal.action == RSD_KEEP ? verdict : set_up_and_factor(nw, renewal);
}

void rsd_newton_blame(rsd_newton *nw, int component)
{
    rsd_blame_component(&nw->blame, component);
    if (rsd_problem_failed(nw->system.guard->problem)) nw->start_is_known = 0;
}

/* Count the failure by the largest component of the last stage. */
static void note_failure(rsd_newton *nw)
{
    const int n = nw->system.n;
    nw->counts.fails++;
    const int component = rsd_largest(n, nw->delta + nw->size - n, nw->w);
    rsd_newton_blame(nw, component);
    if (nw->system.guard->limits) rsd_limits_newton(nw->system.guard->limits, component);
}

/* A dF/dy of far from any solution is not kept for the next attempt. */
static int give_up(rsd_newton *nw, int verdict)
{
    if (rsd_policy_is_far_from_solution(&nw->facts))
        resida_jacobian_request(nw->system.engine, RESIDA_REQUEST_EVALUATION);
    return verdict;
}

int rsd_newton_solve(rsd_newton *nw, const rsd_newton_attempt *a)
{
    begin_attempt(nw, a);
    nw->counts.attempts++;
    rsd_policy_begin(&nw->policy, &nw->facts);
    for (rsd_renewal renewal = rsd_policy_renewal(&nw->policy, &nw->facts);; nw->facts.tries++) {
        int verdict = begin_try(nw, renewal);
        if (verdict > 0 && !rsd_policy_refusal_is_failure(&nw->facts)) return verdict;
        if (!verdict) verdict = iterate(nw);
        if (verdict <= 0) return verdict;
        note_failure(nw);
        renewal = rsd_policy_retry(&nw->policy, &nw->facts);
        if (renewal.action == RSD_KEEP) return give_up(nw, verdict);
        if (nw->facts.rules->retry) nw->facts.rules = nw->facts.rules->retry;
    }
}

int rsd_newton_correct_once(rsd_newton *nw, const rsd_newton_attempt *a)
{
    begin_attempt(nw, a);
    const int verdict = begin_try(nw, rsd_policy_renewal(&nw->policy, &nw->facts));
    if (verdict) return verdict;
    solve_for_correction(nw);
    apply_correction(nw);
    return 0;
}

int rsd_newton_set_up_at_x(rsd_newton *nw)
{
    const int verdict = evaluate_F(nw);
    return verdict ? verdict : set_up_and_factor(nw, rsd_renewal_for(RESIDA_SETUP_AGE));
}

void rsd_newton_end(rsd_newton *nw, int verdict)
{
    if (verdict == 0) rsd_history_record_step(rsd_engine_history(nw->system.engine), nw->facts.attempt.at.h);
    rsd_policy_end(&nw->policy, verdict);
}

resida_status rsd_newton_create(rsd_newton *nw, const rsd_newton_system *system, const resida_allocator *alloc)
{
    const int n = system->n, by_costs = rsd_engine_decides_by_costs(system->engine);
    *nw = (rsd_newton){.system = *system};
    nw->policy = (rsd_policy){.by_costs = by_costs,
                              .by_differences = !rsd_engine_has_user_jacobian(system->engine),
                              .predicted_share = RSD_PREDICTED_SHARE,
                              .slow_rate = system->o->slow_rate,
                              .max_age = system->o->max_age > 0 ? system->o->max_age : LONG_MAX};
    double **vectors[] = {&nw->F, &nw->F_start, &nw->w, &nw->delta, &nw->before};
    int all = 1;
    for (int i = 0; i < 5; i++) all &= (*vectors[i] = rsd_matrix(alloc, system->stages, n)) != NULL;
    if (!system->rules->to_rounding)
        all &=
            rsd_residual_norm_create(&nw->residual, n, system->stages, by_costs,
                                     system->rules->variable_step ? system->guard->problem->kinds : NULL, alloc) >= 0;
    if (system->rules->variable_step && system->o->repair)
        rsd_engine_set_solver(system->engine, &(rsd_engine_solver){factor, solve, nw});
    if (!all) return RESIDA_ERR_MEMORY;
    rsd_newton_forget(nw);
    return RESIDA_OK;
}

void rsd_newton_restart(rsd_newton *nw)
{
    nw->blame.count = 0;
    rsd_policy_restart(&nw->policy);
}

void rsd_newton_forget(rsd_newton *nw)
{
    nw->blame.count = 0;
    rsd_residual_norm_restart(&nw->residual);
    rsd_policy_forget(&nw->policy);
}

void rsd_newton_renew(rsd_newton *nw)
{
    if (nw->policy.by_costs)
        rsd_policy_outdate_blocks(&nw->policy);
    else
        resida_jacobian_request(nw->system.engine, RESIDA_REQUEST_EVALUATION);
}

void rsd_newton_stats(const rsd_newton *nw, resida_stats *s)
{
    const rsd_newton_counts *counts = &nw->counts;
    s->step_attempts = counts->attempts;
    s->newton_iterations = counts->iterations;
    s->newton_fails = counts->fails;
    s->solves = counts->solves;
    s->setups.first = counts->setups[RESIDA_SETUP_FIRST];
    s->setups.alpha = counts->setups[RESIDA_SETUP_ALPHA];
    s->setups.failure = counts->setups[RESIDA_SETUP_FAILURE];
    s->setups.other = counts->setups[RESIDA_SETUP_OTHER] + counts->setups[RESIDA_SETUP_AGE];
    s->setups.attempt = counts->setups[RESIDA_SETUP_ATTEMPT];
}
