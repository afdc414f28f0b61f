/* ida_between.c - what happens between two steps: the formulation is told of the last one, the order may be limited,
 * and the integration may end. IDA has one place for it, where it can be interrupted and go on later with the same
 * bits: it asks for the error weights once before each step. */
#include "ida_integrator.h"

#include "ida_failure.h"
#include "src/watch/tolerance.h"

enum { STILL_STEPS = 1000 }; /* in a row, that do not move t */

/* Before a step: 1 if IDASolve is to come back, for IDA lowers no order that is above a new maximum; nor may such an
 * order stay, it would be raised beyond IDA's history. */
static int choose_order(rsd_ida *it, double t, const double *y, const double *w)
{
    rsd_order_step last = {.t = t, .y = y, .weight = w, .tested = rsd_vector_data(it->id), .n_tested = it->n_tested};
    IDAGetLastStep(it->ida, &last.h);
    IDAGetLastOrder(it->ida, &last.order);
    rsd_order_verdict verdict = rsd_order_watch(&it->order, &last);
    if (verdict == RSD_ORDER_TO_FREE) {
        it->is_limited = 0;
        IDASetMaxOrd(it->ida, it->o->max_order);
        rsd_growth_set_steady(&it->newton.growth, it->ida, 0);
    }
    return it->is_to_limit = verdict == RSD_ORDER_TO_LIMIT;
}

/* 1: the steps lead nowhere; the guard says why. */
static int chatters(rsd_ida *it, double t, const double *y, const double *w)
{
    long fails = 0;
    IDAGetNumErrTestFails(it->ida, &fails);
    fails += it->before.error_test_fails + it->newton.newton.counts.fails;
    const int component = rsd_chatter_watch(&it->chatter, t, fails, y, w, rsd_vector_data(it->id));
    if (component >= 0)
        it->guard->stop = rsd_ida_chatters(&it->newton, it->newton.origin + t, it->chatter.h, component);
    return component >= 0;
}

/* 1: so many steps have not moved t that they never will; the guard says why. After a start some steps are below the
 * rounding of t, of fast transients some hundreds. */
static int is_standing_still(rsd_ida *it, double t)
{
    if (t != it->still.t) it->still = (rsd_ida_still){.t = t, .steps = -1};
    if (++it->still.steps < STILL_STEPS) return 0;
    double h = 0;
    IDAGetLastStep(it->ida, &h);
    it->guard->stop = rsd_ida_step_is_too_small(&it->newton, t, h, it->still.steps);
    return 1;
}

/* The last step counts: the formulation is told. Not 0: the integration must end. */
static int tell_problem(rsd_ida *it, double t, const double *y)
{
    const double *yp = NULL;
    int changed = 0;
    if (rsd_ida_steps(it) > 0 && rsd_problem_needs_yp(it->problem)) {
        yp = rsd_vector_data(it->yp_ida);
        if (rsd_ida_interpolate(it, rsd_ida_time(it), rsd_vector_data(it->y_ida), rsd_vector_data(it->yp_ida)) < 0)
            yp = NULL;
    }
    int verdict = rsd_guard_accepted(it->guard, t, y, yp, &changed);
    if (changed) rsd_newton_renew(&it->newton.newton);
    return verdict;
}

int rsd_ida_watch_constraints(rsd_ida *it, double t, rsd_watch_at at, const double *y)
{
    const rsd_form *form = it->problem->form;
    if (!form || form->has_eta || form->level == RSD_POSITION) return 0;
    return rsd_watch_constraints(&it->watched, it->guard, it->o, t, at, y);
}

/* The monitor, and the time limit. */
static int is_interrupted(rsd_ida *it, double t)
{
    return rsd_ida_newton_interrupted(&it->newton, t) || rsd_guard_check_time(it->guard, t) < 0;
}

int rsd_ida_between_steps(N_Vector vy, N_Vector vw, void *user)
{
    rsd_ida *it = user;
    const double t_ida = rsd_ida_time(it), t = it->newton.origin + t_ida, *y = rsd_vector_data(vy);
    double *w = rsd_vector_data(vw);
    if (rsd_ida_carry_on(it)) return -1;
    if (rsd_error_weights(it->o, it->n, y, w) >= 0) return -1;
    return tell_problem(it, t, y) || rsd_ida_watch_constraints(it, t, RSD_AT_STEP, y) ||
                   choose_order(it, t_ida, y, w) || chatters(it, t_ida, y, w) || is_standing_still(it, t) ||
                   is_interrupted(it, t)
               ? -1
               : 0;
}
