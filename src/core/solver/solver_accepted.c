/* solver_accepted.c - the actions after an accepted step: quadratures and the option `accepted`. The integrator
 * proceeds step by step. The actions are performed once for each step, before outputs and events within it are
 * returned. After a failure the next call first completes the actions that remain, and then takes a new step. */
#include "solver_impl.h"

resida_stats rsd_solver_get_last_step(const resida_solver *s)
{
    resida_stats stats = {.size = sizeof stats};
    s->integration->ops->stats(s->integration, &stats);
    return stats;
}

/* Report why the callback `accepted` ends the integration: it returned verdict < 0, or it called the solver. */
static resida_status report_callback_failure(resida_solver *s, double t, int verdict)
{
    const char *why = "";
    if (s->was_called_within) why = "; it called the solver, which is not allowed";
    s->guard.stop = RESIDA_ERR_USER;
    if (verdict < 0)
        return rsd_fail(&s->message, RESIDA_ERR_USER, "callback accepted returned %d at t = %.9g%s", verdict, t, why);
    return rsd_fail(&s->message, RESIDA_ERR_USER,
                    "callback accepted called the solver at t = %.9g, which is not allowed", t);
}

/* Call `accepted` for the last step. Return RESIDA_OK, or a status < 0 on failure. */
static resida_status call_accepted(resida_solver *s, const resida_stats *last)
{
    const double t = rsd_integration_get_end(s->integration);
    RSD_TRY(rsd_integration_interpolate(s->integration, t, s->y_new, s->yp_new));
    if (rsd_solver_correct_output(s, t, s->y_new) < 0) return s->guard.stop;
    const resida_step step = {t, last->h, last->order, rsd_solver_make_state(s, t, s->y_new, s->yp_new)};
    rsd_thrown thrown = {0, ""};
    s->was_called_within = 0;
    const int verdict = rsd_call_accepted(&step, s->o.accepted_user, &thrown, s->o.accepted);
    if (thrown.is_new) return (resida_status)rsd_guard_report_exception(&s->guard, t, "accepted", &thrown);
    if (verdict < 0 || s->was_called_within) return report_callback_failure(s, t, verdict);
    s->is_asked_to_stop = verdict > 0;
    return RESIDA_OK;
}

/* Complete the actions for the last step in their order. Only an action that failed is repeated. */
static resida_status complete_actions(resida_solver *s)
{
    const resida_stats last = rsd_solver_get_last_step(s);
    if (s->quadratures.is_begun) RSD_TRY(rsd_solver_integrate_step(s));
    if (s->o.accepted && s->reported != last.steps) RSD_TRY(call_accepted(s, &last));
    s->reported = last.steps;
    return RESIDA_OK;
}

void rsd_solver_reset_actions(resida_solver *s)
{
    s->reported = rsd_solver_get_last_step(s).steps;
    s->is_asked_to_stop = 0;
    s->arrival = RSD_UNDER_WAY;
    s->satisfies_invariants = 1;
}

int rsd_solver_has_no_actions(const resida_solver *s)
{
    return s->satisfies_invariants && s->arrival == RSD_UNDER_WAY &&
           (s->reported == rsd_solver_get_last_step(s).steps || !(s->o.accepted || s->quadratures.is_begun));
}

static resida_status get_requested_stop(resida_solver *s)
{
    s->is_asked_to_stop = 0;
    return rsd_fail(&s->message, RESIDA_INTERRUPTED, "interrupted by the callback accepted at t = %.9g", s->t);
}

resida_status rsd_solver_advance_and_report(resida_solver *s, double target, int one_step)
{
    for (;;) {
        RSD_TRY(complete_actions(s));
        const rsd_arrival arrival = s->arrival;
        if (arrival == RSD_AT_EVENT) RSD_TRY(rsd_solver_integrate_to_output(s)); /* before the user changes the state */
        s->arrival = RSD_UNDER_WAY;
        if (arrival == RSD_AT_EVENT) return RESIDA_EVENT;
        if (s->is_asked_to_stop) return get_requested_stop(s);
        if (arrival == RSD_ARRIVED && (one_step || s->t == target)) return RESIDA_OK;
        const int has_it = s->direction * (rsd_integration_get_end(s->integration) - target) >=
                           0; /* the last step extends beyond target */
        const resida_status status =
            rsd_integration_advance(s->integration, target, rsd_solver_get_stop_time(s), !has_it, &s->t);
        if (status < 0 || status == RESIDA_INTERRUPTED) return status;
        s->arrival = status == RESIDA_EVENT ? RSD_AT_EVENT : RSD_ARRIVED;
    }
}
