/* ida_sensitivity.c - propagates sensitivities over IDA's steps with the current factors of J. IDAS also provides
 * sensitivities, but not with the library's iteration, which decides when J is updated. IDAS would also repeat a step
 * that fails for y alone. The propagation requires only end, size, order and alpha of each accepted step. */
#include "ida_impl.h"

#include "base/vector_ops.h"

#define NEAR_THE_END 5.0 /* error tests: after a smaller last correction, F before it is used for derivatives */

void rsd_ida_carry(rsd_integration *base, rsd_carried *x)
{
    rsd_ida *it = (rsd_ida *)base;
    it->carried = x;
    it->newton.renewal->systems = 1 + (x ? x->n : 0);
}

static int renew(void *self)
{
    return rsd_newton_set_up_at_x(&((rsd_ida *)self)->newton);
}

/* Evaluate F at the end of the step. Return 0 on success, or < 0 with the reason in the guard. */
static int look(rsd_ida *it)
{
    const resida_jacobian_point *a = &it->attempt.at;
    rsd_guard *g = it->base.guard;
    rsd_vector_corrected(it->base.n, it->y0, it->yp0, it->attempt.x, a->alpha, it->y, it->yp);
    const int verdict = rsd_guard_residual(g, RSD_FOR_SENSITIVITY, a->t, it->y, it->yp, it->newton.F);
    if (verdict <= 0) return verdict;
    return g->stop = rsd_fail(g->message, RESIDA_ERR_USER_REPEATED,
                              "sensitivities: F cannot be evaluated at the end of the step, t = %.9g", a->t);
}

int rsd_ida_has_to_carry(const rsd_ida *it)
{
    const rsd_carried *x = it->carried;
    return x && x->points > 0 && it->begun && rsd_ida_steps(it) != x->steps;
}

int rsd_ida_carry_on(rsd_ida *it)
{
    rsd_carried *x = it->carried;
    if (!rsd_ida_has_to_carry(it)) return 0;
    if (it->base.problem->active_rows.changes != x->row_changes)
        return it->base.guard->stop =
                   rsd_fail(it->base.guard->message, RESIDA_ERR_OPTION,
                            "sensitivities: other redundant rows are dropped before t = %.9g", it->attempt.at.t);
    rsd_carried_step step = {.t = it->attempt.at.t,
                             .end = rsd_ida_time(it),
                             .h = it->attempt.at.h,
                             .alpha = it->attempt.at.alpha,
                             .tolerance = it->newton.renewal->attempt.tolerance,
                             .J = it->newton.system.engine,
                             .known = it->newton.renewal,
                             .y = it->y,
                             .yp = it->yp,
                             .F = it->newton.F,
                             .ewt = it->attempt.at.weights,
                             .o = it->base.o,
                             .guard = it->base.guard,
                             .self = it,
                             .renew = renew};
    IDAGetLastOrder(it->ida, &step.order);
    if (!(it->newton.it.norm <= NEAR_THE_END) || rsd_problem_has_projection(it->base.problem)) {
        const int verdict = look(it);
        if (verdict) return verdict;
        x->residual_calls++;
    }
    return x->step(x, &step);
}
