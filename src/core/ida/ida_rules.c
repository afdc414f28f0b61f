/* ida_rules.c - calls the rules in their order, and performs the other actions after an accepted step. IDA calls the
 * function for the error weights once before each step. A run can be interrupted there, and resume later with the same
 * bits. */
#include "ida_impl.h"

#include "src/core/watch/tolerance.h"

void rsd_rules_before_attempt(rsd_ida *ida)
{
    rsd_signs_begin_attempt(ida);
    rsd_jump_begin_attempt(ida);
    rsd_min_order_begin_attempt(ida);
    rsd_growth_begin_attempt(ida); /* prevents growth of the step after repeated failures */
}

int rsd_rules_after_correction(rsd_ida *ida)
{
    int verdict = rsd_rest_check_attempt(ida);                   /* detects forces that act only within the step */
    if (!verdict) verdict = rsd_signs_check_attempt(ida);        /* option sign_each */
    if (!verdict) verdict = rsd_jump_check_attempt(ida);         /* discards the history at a discontinuity */
    return verdict ? verdict : rsd_min_order_check_attempt(ida); /* keeps the order if order 1 is of no use */
}

static int update_problem(rsd_ida *ida, const rsd_accepted_step *s)
{
    double *y = rsd_get_components(ida->y_ida), *yp = rsd_get_components(ida->yp_ida);
    int changed = 0;
    const int has_yp = rsd_problem_needs_yp(ida->base.problem) && ida->steps.number > 0 &&
                       rsd_ida_interpolate(ida, s->t_ida, y, yp) == RESIDA_OK;
    int verdict = rsd_guard_process_step(ida->base.guard, s->t, s->y, has_yp ? yp : NULL, &changed);
    if (changed) rsd_renewal_mark_outdated(ida->newton.renewal);
    return verdict;
}

/* Perform the actions after an accepted step in their order, until one returns nonzero. Two actions are rules.
 * rsd_order_limits_check_step() excludes orders that are unstable and save no work. rsd_progress_check_step() ends an
 * integration whose steps do not advance t. */
static int process_step(rsd_ida *ida, const rsd_accepted_step *s)
{
    return (ida->carried && rsd_ida_advance_carried(ida)) ||
           rsd_error_weights(ida->base.o, ida->base.n, s->y, s->w) >= 0 || update_problem(ida, s) ||
           rsd_integration_check_jumps(&ida->base, s->t, RSD_AT_STEP, s->y) || rsd_order_limits_check_step(ida, s) ||
           rsd_progress_check_step(ida, s) || rsd_ida_newton_is_interrupted(ida, s->t) ||
           rsd_guard_check_time(ida->base.guard, s->t) < 0;
}

int rsd_rules_after_step(N_Vector y, N_Vector w, void *user)
{
    rsd_ida *ida = user;
    ida->steps = rsd_ida_get_steps(ida);
    const double t = ida->steps.t;
    const rsd_accepted_step s = {t, rsd_integration_t(&ida->base, t), rsd_get_components(y), rsd_get_components(w)};
    return process_step(ida, &s) ? -1 : 0;
}
