/* ida_observers.c - the observers of accepted steps, in one list. IDA asks for the error weights once before each step:
 * there it can be interrupted, and go on later with the same bits. */
#include "ida_integrator.h"

#include "ida_failure.h"
#include "src/core/watch/tolerance.h"

enum { STILL_STEPS = 1000 }; /* in a row, that do not move t */

/* The last accepted step, or the start. */
typedef struct accepted_step {
    double t_ida, t; /* its end, in IDA's time and in the user's */
    const double *y; /* [n] there */
    double *w;       /* [n] error weights of the next step */
} accepted_step;

/* Sensitivities take the step. */
static int carry_sensitivities(rsd_ida *it, const accepted_step *s)
{
    (void)s;
    return rsd_ida_carry_on(it);
}

static int set_weights(rsd_ida *it, const accepted_step *s)
{
    return rsd_error_weights(it->o, it->n, s->y, s->w) >= 0;
}

/* The formulation takes the step as accepted. */
static int inform_problem(rsd_ida *it, const accepted_step *s)
{
    const double *yp = NULL;
    int changed = 0;
    if (rsd_ida_steps(it) > 0 && rsd_problem_needs_yp(it->problem)) {
        yp = rsd_vector_data(it->yp_ida);
        if (rsd_ida_interpolate(it, rsd_ida_time(it), rsd_vector_data(it->y_ida), rsd_vector_data(it->yp_ida)) < 0)
            yp = NULL;
    }
    int verdict = rsd_guard_accepted(it->guard, s->t, s->y, yp, &changed);
    if (changed) rsd_renewal_outdate(it->newton.newton.J);
    return verdict;
}

int rsd_ida_watch_constraints(rsd_ida *it, double t, rsd_watch_at at, const double *y)
{
    const rsd_form *form = it->problem->form;
    if (!form || form->has_eta || form->level == RSD_POSITION) return 0;
    return rsd_watch_constraints(&it->watched, it->guard, it->o, t, at, y);
}

static int watch_constraints(rsd_ida *it, const accepted_step *s)
{
    return rsd_ida_watch_constraints(it, s->t, RSD_AT_STEP, s->y);
}

/* 1: IDASolve has to return, for IDA lowers no order that is above a new maximum; nor may such an order stay, it would
 * be raised beyond IDA's history. */
static int limit_order(rsd_ida *it, const accepted_step *s)
{
    const rsd_min_order *least = &it->newton.least;
    rsd_order_step last = {
        .t = s->t_ida, .y = s->y, .weight = s->w, .tested = rsd_vector_data(it->id), .n_tested = it->n_tested};
    last.calls = it->guard->calls[RSD_FOR_NEWTON] + it->guard->calls[RSD_FOR_JACOBIAN];
    last.error = least->is_other ? 0 : least->norm;
    last.error_below = least->is_other ? 0 : least->norm_below;
    IDAGetLastStep(it->ida, &last.h);
    IDAGetLastOrder(it->ida, &last.order);
    IDAGetCurrentOrder(it->ida, &last.next);
    const rsd_order_change change = rsd_order_limits_watch(&it->order, &last);
    if (change == RSD_ORDER_ALLOWED) {
        rsd_growth_set_steady(&it->newton.growth, it->ida, rsd_order_limits_in_force(&it->order));
        IDASetMaxOrd(it->ida, rsd_order_limits_allowed(&it->order));
    }
    return it->is_to_limit = change == RSD_ORDER_RESTART;
}

/* 1: the steps lead nowhere; the guard says why. */
static int detect_chatter(rsd_ida *it, const accepted_step *s)
{
    long fails = 0;
    IDAGetNumErrTestFails(it->ida, &fails);
    fails += it->before.error_test_fails + it->newton.newton.counts.fails;
    const int component = rsd_chatter_watch(&it->chatter, s->t_ida, fails, s->y, s->w, rsd_vector_data(it->id));
    if (component >= 0) it->guard->stop = rsd_ida_chatters(&it->newton, s->t, it->chatter.h, component);
    return component >= 0;
}

/* 1: so many steps have not moved t that they never will; the guard says why. After a start some steps are below the
 * rounding of t, of fast transients some hundreds. */
static int detect_standstill(rsd_ida *it, const accepted_step *s)
{
    if (s->t != it->still.t) it->still = (rsd_ida_still){.t = s->t, .steps = -1};
    if (++it->still.steps < STILL_STEPS) return 0;
    double h = 0;
    IDAGetLastStep(it->ida, &h);
    it->guard->stop = rsd_ida_step_is_too_small(&it->newton, s->t, h, it->still.steps);
    return 1;
}

/* The monitor, and the time limit. */
static int ask_monitor(rsd_ida *it, const accepted_step *s)
{
    return rsd_ida_newton_interrupted(&it->newton, s->t) || rsd_guard_check_time(it->guard, s->t) < 0;
}

/* The observers, in this order; the first one that says so ends the list, and IDASolve returns. */
static int observe(rsd_ida *it, const accepted_step *s)
{
    return carry_sensitivities(it, s) || set_weights(it, s) || inform_problem(it, s) || watch_constraints(it, s) ||
           limit_order(it, s) || detect_chatter(it, s) || detect_standstill(it, s) || ask_monitor(it, s);
}

int rsd_ida_observe_step(N_Vector y, N_Vector w, void *user)
{
    rsd_ida *it = user;
    const double t_ida = rsd_ida_time(it);
    const accepted_step s = {t_ida, rsd_ida_t(&it->newton, t_ida), rsd_vector_data(y), rsd_vector_data(w)};
    return observe(it, &s) ? -1 : 0;
}
