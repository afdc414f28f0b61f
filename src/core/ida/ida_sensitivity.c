/* ida_sensitivity.c - sensitivities carried along IDA's steps, with the factors of J at hand. IDA itself could do it in
 * IDAS, but for our iteration, which knows when J is to be renewed; and it would take a step that fails for y alone a
 * second time. All that is needed is the grid: end, size, order and alpha of each accepted step. */
#include "ida_integrator.h"

#include "base/vector_ops.h"

#define NEAR_THE_END 5.0 /* a last correction, in error tests: F before it will do for derivatives */

void rsd_ida_carry(void *self, rsd_carried *x)
{
    rsd_ida *it = self;
    it->carried = x;
    it->newton.newton.J->systems = 1 + (x ? x->n : 0);
}

static int renew(void *self)
{
    return rsd_newton_set_up_at_x(&((rsd_ida *)self)->newton.newton);
}

/* F at the very end of the step. 0; < 0 the guard says why. */
static int look(rsd_ida_newton *nw)
{
    const resida_jacobian_point *a = &nw->attempt.at;
    rsd_guard *g = nw->guard;
    rsd_vector_corrected(nw->n, nw->y0, nw->yp0, nw->attempt.x, a->alpha, nw->y, nw->yp);
    const int verdict = rsd_guard_residual(g, RSD_FOR_SENSITIVITY, a->t, nw->y, nw->yp, nw->newton.F);
    if (verdict <= 0) return verdict;
    return g->stop = rsd_fail(g->message, RESIDA_ERR_USER_REPEATED,
                              "F is not possible at the end of a step, t = %.9g, where sensitivities need it", a->t);
}

int rsd_ida_has_to_carry(const rsd_ida *it)
{
    const rsd_carried *x = it->carried;
    return x && x->points > 0 && it->begun && rsd_ida_steps(it) != x->steps;
}

int rsd_ida_carry_on(rsd_ida *it)
{
    rsd_carried *x = it->carried;
    rsd_ida_newton *nw = &it->newton;
    if (!rsd_ida_has_to_carry(it)) return 0;
    if (it->problem->active_rows.changes != x->row_changes)
        return it->guard->stop =
                   rsd_fail(it->guard->message, RESIDA_ERR_OPTION,
                            "sensitivities: other redundant rows are dropped before t = %.9g", nw->attempt.at.t);
    rsd_carried_step step = {.t = nw->attempt.at.t,
                             .end = rsd_ida_time(it),
                             .h = nw->attempt.at.h,
                             .alpha = nw->attempt.at.alpha,
                             .tolerance = nw->newton.J->attempt.tolerance,
                             .J = nw->J,
                             .known = nw->newton.J,
                             .y = nw->y,
                             .yp = nw->yp,
                             .F = nw->newton.F,
                             .ewt = nw->attempt.at.weights,
                             .o = it->o,
                             .guard = it->guard,
                             .self = it,
                             .renew = renew};
    IDAGetLastOrder(it->ida, &step.order);
    if (!(nw->newton.it.norm <= NEAR_THE_END) || rsd_problem_projects(it->problem)) {
        const int verdict = look(nw);
        if (verdict) return verdict;
        x->residual_calls++;
    }
    return x->step(x, &step);
}
