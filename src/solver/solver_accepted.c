/* solver_accepted.c - the option `accepted`: the integrator goes step by step, and each is passed to a callback,
 * before outputs and events within the step are returned, in their order and once. */
#include "solver_impl.h"

/* Why the callback ends the integration. */
static resida_status fail(resida_solver *s, double t, int verdict)
{
    const char *why = "";
    if (s->reentered) why = "; it called the solver, which a callback may not do";
    s->guard.stop = RESIDA_ERR_USER;
    if (verdict < 0)
        return rsd_fail(&s->message, RESIDA_ERR_USER, "callback accepted returned %d at t = %.9g%s", verdict, t, why);
    return rsd_fail(&s->message, RESIDA_ERR_USER, "callback accepted called the solver at t = %.9g: it may not do that",
                    t);
}

/* Pass a step that was not passed yet, and integrate over it; *stops 1: no more of them. */
static resida_status report(resida_solver *s, int *stops)
{
    resida_stats stats = {.size = sizeof stats};
    s->integrator->stats(s->integration, &stats);
    if (stats.steps == s->reported) return RESIDA_OK;
    s->reported = stats.steps;
    const double t = s->integrator->internal_time(s->integration);
    if (s->quadratures.is_begun) RSD_TRY(rsd_solver_quadratures_step(s, t));
    if (!s->o.accepted) return RESIDA_OK;
    RSD_TRY(s->integrator->interpolate(s->integration, t, s->y_new, s->yp_new));
    if (rsd_solver_settle(s, t, s->y_new) < 0) return s->guard.stop;
    const resida_step step = {t, stats.h, stats.order, rsd_solver_state_of(s, t, s->y_new, s->yp_new)};
    rsd_thrown thrown = {0, ""};
    s->reentered = 0;
    const int verdict = rsd_call_accepted(&step, s->o.accepted_user, &thrown, s->o.accepted);
    if (thrown.is_new) return (resida_status)rsd_guard_threw(&s->guard, t, "accepted", &thrown);
    if (verdict < 0 || s->reentered) return fail(s, t, verdict);
    *stops = verdict > 0;
    return RESIDA_OK;
}

static resida_status stop(resida_solver *s)
{
    s->is_asked_to_stop = 0;
    return rsd_fail(&s->message, RESIDA_INTERRUPTED, "interrupted by the callback accepted at t = %.9g", s->t);
}

resida_status rsd_solver_advance_reported(resida_solver *s, double target, int one_step)
{
    if (s->is_asked_to_stop) return stop(s);
    for (;;) {
        const int has_it =
            s->way * (s->integrator->internal_time(s->integration) - target) >= 0; /* the last step went on beyond */
        const resida_status status = s->integrator->advance(s->integration, target, rsd_solver_stop(s), !has_it, &s->t);
        if (status < 0 || status == RESIDA_INTERRUPTED) return status;
        RSD_TRY(report(s, &s->is_asked_to_stop));
        if (status != RESIDA_OK) return status;
        if (s->is_asked_to_stop) return stop(s);
        if (one_step || s->t == target) return RESIDA_OK;
    }
}
