/* iteration.c - the public functions with which any integrator prepares J, solves, and reports. The iteration
 * ends as in a step of variable size (convergence.h), without the tests of the solver that use F. */
#include "convergence.h"
#include "engine_impl.h"

#include <math.h>

/* Attach the engine to the caller's integrator. Return RESIDA_OK, or RESIDA_ERR_STATE if a solver has attached the
 * engine already. */
static resida_status attach_to_caller(resida_jacobian *jac)
{
    if (jac->use.why) return RESIDA_ERR_STATE;
    if (jac->factors.linear) return RESIDA_OK;
    return rsd_jacobian_attach(jac, &(rsd_jacobian_use){.linear_solver = "auto", .repairs = 1});
}

int resida_jacobian_prepare(resida_jacobian *jac, const resida_jacobian_point *at, double tolerance)
{
    if (!jac || !rsd_is_point_valid(at) || !at->weights) return RESIDA_ERR_ARGUMENT;
    if (!(tolerance > 0) || !isfinite(tolerance)) return RESIDA_ERR_ARGUMENT;
    rsd_renewal *r = &jac->renewal;
    const int is_next_try = r->events.failed_tries > 0;
    RSD_TRY(attach_to_caller(jac));
    if (is_next_try) {
        r->attempt.at = *at;
    } else {
        rsd_jacobian_set_attempt(
            jac, &(rsd_attempt){.at = *at, .tolerance = tolerance, .stages = 1, .is_retry = r->last_attempt_failed});
    }
    if (at->since == 0) r->attempt.at.since = at->t;
    if (!is_next_try) rsd_renewal_begin_attempt(r);
    const int verdict = rsd_jacobian_prepare(jac, is_next_try ? RSD_AT_NEXT_TRY : RSD_AT_ATTEMPT);
    jac->it = (rsd_iteration){.m = 0};
    if (!verdict) return 0;
    r->events.failed_tries = 0;
    rsd_renewal_end_attempt(r, verdict);
    return verdict;
}

static int is_J_prepared(const resida_jacobian *jac)
{
    return jac->factors.linear && jac->renewal.is_factored && !jac->use.why;
}

resida_status resida_jacobian_solve(resida_jacobian *jac, const double *F, double *delta)
{
    if (!jac || !F || !delta) return RESIDA_ERR_ARGUMENT;
    if (!is_J_prepared(jac)) return RESIDA_ERR_STATE;
    rsd_jacobian_solve(jac, jac->renewal.attempt.at.alpha, F, delta);
    return RESIDA_OK;
}

/* End the iteration. verdict is 0 if the iteration has converged, and 1 if it has not. */
static resida_iteration end_iteration(resida_jacobian *jac, int verdict)
{
    rsd_renewal *r = &jac->renewal;
    rsd_renewal_end_iteration(r, &jac->it);
    if (verdict && rsd_renewal_end_try(r, &jac->it)) return RESIDA_ITERATION_RETRY;
    r->events.failed_tries = 0;
    rsd_renewal_end_attempt(r, verdict);
    return verdict ? RESIDA_ITERATION_FAILED : RESIDA_ITERATION_CONVERGED;
}

resida_iteration resida_jacobian_report(resida_jacobian *jac, double norm)
{
    if (!jac || !is_J_prepared(jac)) return RESIDA_ITERATION_FAILED;
    const rsd_newton_rules *rules = &rsd_rules_of_variable_size;
    rsd_convergence_set_norm(rules, &jac->it, norm);
    rsd_renewal_record_call(&jac->renewal);
    const rsd_convergence result = rsd_convergence_test(&jac->renewal, rules, &jac->it);
    rsd_convergence_record(&jac->renewal, rules, &jac->it, result);
    if (result != RSD_CONTINUE) return end_iteration(jac, result != RSD_CONVERGED);
    jac->it.m++;
    return RESIDA_ITERATION_CONTINUES;
}
