/* ida_sensitivity.c - propagates sensitivities over IDA's steps with the current factors of J. IDAS also provides
 * sensitivities, but not with the library's iteration, which decides when J is updated. IDAS would also repeat a step
 * that fails for y alone. The propagation requires only end, size, order and alpha of each accepted step. */
#include "ida_impl.h"

#include "base/vector_ops.h"

/* Maximum last Newton correction, in tolerances, with which derivatives use the F of the iterate before it. */
#define MAX_LAST_CORRECTION 5.0

void rsd_ida_set_carried(rsd_integration *base, rsd_carried *x)
{
    rsd_ida *ida = (rsd_ida *)base;
    ida->carried = x;
    ida->newton.renewal->systems = 1 + (x ? x->n : 0);
}

static int renew_J_at_end(void *self)
{
    return rsd_newton_set_up_at_x(&((rsd_ida *)self)->newton);
}

/* Evaluate F at the end of the step into newton.F. Return 0, or < 0 on failure with the reason in guard->stop. */
static int evaluate_F_at_end(rsd_ida *ida)
{
    const resida_jacobian_point *a = &ida->attempt.at;
    rsd_guard *g = ida->base.guard;
    rsd_vector_correct(ida->base.n, ida->y0, ida->yp0, ida->attempt.x, a->alpha, ida->y, ida->yp);
    const int verdict = rsd_guard_eval_part(g, RSD_FOR_SENSITIVITY, RSD_ROWS_ALL, a->t, ida->y, ida->yp, ida->newton.F);
    if (verdict <= 0) return verdict;
    return g->stop = rsd_fail(g->message, RESIDA_ERR_USER_REPEATED,
                              "sensitivities: F cannot be evaluated at the end of the step, t = %.9g", a->t);
}

int rsd_ida_has_new_step(const rsd_ida *ida)
{
    const rsd_carried *x = ida->carried;
    return x && x->points > 0 && ida->begun && rsd_ida_get_steps(ida).number != x->steps;
}

int rsd_ida_advance_carried(rsd_ida *ida)
{
    rsd_carried *x = ida->carried;
    if (!rsd_ida_has_new_step(ida)) return 0;
    if (ida->base.problem->active_rows.changes != x->row_changes)
        return ida->base.guard->stop = rsd_fail(ida->base.guard->message, RESIDA_ERR_OPTION,
                                                "sensitivities cannot continue at t = %.9g, because the choice of the "
                                                "dropped redundant rows has changed",
                                                ida->attempt.at.t);
    rsd_carried_step step = {.t = ida->attempt.at.t,
                             .end = rsd_ida_get_end_time(ida),
                             .order = rsd_ida_get_steps(ida).order,
                             .h = ida->attempt.at.h,
                             .alpha = ida->attempt.at.alpha,
                             .tolerance = ida->newton.renewal->attempt.tolerance,
                             .J = ida->newton.system.engine,
                             .known = ida->newton.renewal,
                             .y = ida->y,
                             .yp = ida->yp,
                             .F = ida->newton.F,
                             .ewt = ida->attempt.at.weights,
                             .o = ida->base.o,
                             .guard = ida->base.guard,
                             .self = ida,
                             .renew = renew_J_at_end};
    if (!(ida->newton.it.norm <= MAX_LAST_CORRECTION) || rsd_problem_has_projection(ida->base.problem)) {
        const int verdict = evaluate_F_at_end(ida);
        if (verdict) return verdict;
        x->residual_calls++;
    }
    return x->step(x, &step);
}
