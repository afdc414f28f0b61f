/* ida_newton.c - see ida_newton.h. The equations of IDA's step are
 *
 *     F(t, y0 + e, yp0 + alpha e) = 0,
 *
 * (14) of Arnold, Fuchs, Fuehrer: from the predictor y0, yp0, which is where each try begins, e = 0. */
#include "ida_newton.h"

#include "ida_failure.h"
#include "ida_rest.h"
#include "ida_vector.h"
#include "base/vector_ops.h"
#include "src/core/watch/signs.h"
#include "src/core/watch/tolerance.h"

#include <math.h>
#include <string.h>

#define ANOTHER_STEP   0.999 /* of h: all but the same step */
#define IDA_OWN_CHOICE 0     /* of a step after a failure: a quarter */
#define SEEN_TO_FAIL   0.7   /* tolerances: a correction by which a step that was cut fails its error test */
enum { FAILED_TWICE = 2, KEPT_TWICE = 2 };

/* --- The equations --- */

static void correct_y(rsd_ida_newton *nw)
{
    rsd_vector_corrected(nw->n, nw->y0, nw->yp0, nw->attempt.x, nw->attempt.at.alpha, nw->y, nw->yp);
}

static void begin(void *self, int tries)
{
    rsd_ida_newton *nw = self;
    memset(nw->attempt.x, 0, (size_t)nw->n * sizeof *nw->attempt.x);
    if (tries > 0) correct_y(nw); /* F may be known there */
}

static int evaluate(void *self, double *F)
{
    rsd_ida_newton *nw = self;
    correct_y(nw);
    return rsd_guard_residual(nw->guard, RSD_FOR_NEWTON, nw->attempt.at.t, nw->y, nw->yp, F);
}

static int scale_J(void *self, rsd_linear_solver *linear, const resida_jacobian_matrix *J, double h)
{
    return rsd_scaling_renew(self, linear, 1, J, h);
}

static const rsd_matrix_ops scaled_J = {.scale = scale_J};

static double size(const rsd_ida_newton *nw)
{
    return rsd_jump_size(nw->n, nw->kinds, NULL, nw->attempt.x, nw->attempt.at.weights);
}

static const rsd_newton_ops equations = {.begin = begin, .evaluate = evaluate};

/* --- A step of IDA's --- */

/* The step is solved: its end is projected onto the constraints, as a part of the correction, so that the error test
 * and the history have it. */
static int project(rsd_ida_newton *nw)
{
    const double t = nw->attempt.at.t;
    double *e = nw->attempt.x;
    rsd_guard *g = nw->guard;
    for (int i = 0; i < nw->n; i++) nw->y[i] = nw->y0[i] + e[i];
    int verdict = rsd_guard_judge(g, t, rsd_problem_project(g->problem, t, nw->y), nw->y, nw->n);
    for (int i = 0; i < nw->n && !verdict; i++) e[i] = nw->y[i] - nw->y0[i];
    return verdict;
}

/* < 0: the integration has to restart. */
static int must_restart(rsd_ida_newton *nw)
{
    const resida_jacobian_point *at = &nw->attempt.at;
    double h_last = 0;
    long steps = 0;
    IDAGetNumSteps(nw->ida, &steps);
    if (steps > 0) IDAGetLastStep(nw->ida, &h_last); /* else it is of before the restart */
    rsd_jump_attempt end = {.n = nw->n,
                            .from = nw->from,
                            .h = at->h,
                            .alpha = at->alpha,
                            .kinds = nw->kinds,
                            .tested = nw->guard->problem->contacts.given.n > 0 ? rsd_vector_data(nw->tested) : NULL,
                            .y = nw->y0,
                            .yp = nw->yp0,
                            .e = nw->attempt.x,
                            .weight = at->weights};
    rsd_jump_end(&nw->jump, &end);
    if (!nw->attempt.is_retry && !rsd_jump_is_cut(at->h, h_last)) return 0;
    end.size = size(nw);
    return rsd_jump_watch(&nw->jump, h_last, &end) ? RSD_NLS_STOP : 0;
}

int rsd_ida_newton_interrupted(rsd_ida_newton *nw, double t)
{
    nw->monitor_called = 1;
    nw->t_monitor = t;
    return rsd_guard_interrupted(nw->guard, t, nw->o->monitor, nw->o->monitor_user);
}

/* 1: the step was tried before, from where IDA has gone back to, but for rounding. */
static int is_tried_again(const rsd_ida_newton *nw)
{
    return fabs(nw->from - nw->t_from) < RSD_SAME_PLACE * fabs(nw->attempt.at.h);
}

/* Causes that end an integration before any work: the monitor, or a step that does not move t. The monitor is called
 * before a step begins, from where an interrupted integration resumes with the same bits; here only in a retry. */
static int may_not_go_on(rsd_ida_newton *nw)
{
    const resida_jacobian_point *at = &nw->attempt.at;
    if (!nw->monitor_called &&
        rsd_ida_newton_interrupted(nw, is_tried_again(nw) ? nw->t_monitor : rsd_ida_t(nw, nw->from)))
        return 1;
    nw->monitor_called = 0;
    if (nw->from + at->h != nw->from) return 0;
    rsd_newton_stop(&nw->newton, rsd_ida_step_is_too_small(nw, at->t, at->h, 1));
    return 1;
}

/* Have IDA try this part of the step. It has counted an attempt that was broken off as a step of this size: if that is
 * tried again with the same size, the coefficients of the formula are wrong, so it is made a little smaller. And a step
 * that IDA had chosen may be longer than h_max, where that has changed. */
static int change_step(rsd_ida_newton *nw, double part)
{
    nw->abandoned = 0;
    nw->is_changed = 1;
    IDASetEtaConvFail(nw->ida, part);
    return SUN_NLS_CONV_RECVR;
}

static void let_IDA_choose(rsd_ida_newton *nw)
{
    if (nw->is_changed) IDASetEtaConvFail(nw->ida, IDA_OWN_CHOICE);
    nw->is_changed = 0;
}

/* Of the predictor, by IDA's time. */
static void set_derivative(rsd_ida_newton *nw, const double *yp)
{
    nw->yp0 = nw->way_of_t > 0 ? yp : nw->yp_back;
    for (int i = 0; nw->way_of_t < 0 && i < nw->n; i++) nw->yp_back[i] = -yp[i];
}

/* The bits of the time since the first start do not depend on when that was. */
static void set_attempt(rsd_ida_newton *nw, const resida_jacobian_point *at, double *e)
{
    nw->attempt = (rsd_attempt){.at = *at, .x = e, .stages = 1};
    nw->attempt.at.alpha *= nw->way_of_t;
    nw->attempt.at.since = nw->way_of_t * (nw->origin - nw->first_origin) + (nw->from + at->h);
}

void rsd_ida_test_forces(rsd_ida_newton *nw, double h, const double *w)
{
    if (nw->guard->problem->contacts.given.n == 0) return;
    rsd_test_forces(nw->guard->problem, h, w, rsd_vector_data(nw->tested));
    IDASetId(nw->ida, nw->tested);
}

/* The attempt, as IDA passes it. 0; < 0: it does not. */
static int take_attempt(rsd_ida_newton *nw, N_Vector y0, N_Vector correction, N_Vector ewt)
{
    resida_jacobian_point at = {.y = nw->y, .yp = nw->yp, .weights = rsd_vector_data(ewt)};
    N_Vector ypred, yppred, yn, ypn, res;
    void *user;
    if (IDAGetNonlinearSystemData(nw->ida, &at.t, &ypred, &yppred, &yn, &ypn, &res, &at.alpha, &user) != IDA_SUCCESS ||
        IDAGetCurrentStep(nw->ida, &at.h) != IDA_SUCCESS)
        return -1;
    nw->from = at.t - at.h;
    at.t = rsd_ida_t(nw, at.t);
    nw->y0 = rsd_vector_data(y0);
    set_derivative(nw, rsd_vector_data(yppred));
    set_attempt(nw, &at, rsd_vector_data(correction));
    rsd_ida_test_forces(nw, fabs(at.h), at.weights);
    return 0;
}

/* The error test has failed. A solution that is smooth hardly fails it twice in a row. */
static void note_failed_test(rsd_ida_newton *nw)
{
    nw->repeated_fails += fabs(nw->from - nw->failed_from) < RSD_SAME_PLACE * fabs(nw->attempt.at.h);
    nw->failed_from = nw->from;
    rsd_newton_blame(&nw->newton, nw->worst_component);
}

/* The iteration, and what of it is remembered. */
static int solve_attempt(rsd_ida_newton *nw)
{
    const int is_retry = nw->attempt.is_retry;
    if (is_retry && nw->growth.converged) note_failed_test(nw);
    int verdict = rsd_newton_solve(&nw->newton, &nw->attempt);
    if (verdict == 0 && rsd_problem_projects(nw->guard->problem)) verdict = project(nw);
    rsd_renewal_end_attempt(nw->newton.J, verdict);
    rsd_growth_end(&nw->growth, verdict == 0);
    nw->worst_component = verdict == 0 && is_retry ? rsd_largest(nw->n, nw->attempt.x, nw->attempt.at.weights) : -1;
    return verdict;
}

/* After a third error test that fails IDA goes on with order 1, as behind a jump. Where the history is but a little off
 * (a state that is right to the tolerance only, in a circuit that amplifies), no order has been to blame; and out of
 * order 1 there may be no way, as each change of a step or an order is amplified, too. So twice the step is cut as
 * after an iteration that failed, which keeps the order. */
static int keeps_order(rsd_ida_newton *nw)
{
    if (!nw->newton.J->by_costs || !nw->least.is_on) return 0;
    const int is_kept =
        nw->failed_tests >= FAILED_TWICE && nw->failed_tests < FAILED_TWICE + KEPT_TWICE && nw->least.order > 1;
    return is_kept && size(nw) > SEEN_TO_FAIL;
}

/* How often this step has been lost to the error test, and at which order it is tried. */
static void note_order(rsd_ida_newton *nw)
{
    int order = 0;
    nw->failed_tests = nw->attempt.is_retry ? nw->failed_tests + nw->growth.converged : 0;
    IDAGetCurrentOrder(nw->ida, &order);
    rsd_min_order_begin(&nw->least, order, nw->failed_tests > FAILED_TWICE);
}

/* A step of order 1 is held back for each strategy: while it grows, no order is raised. */
static void hold_growth(rsd_ida_newton *nw)
{
    if (nw->newton.J->by_costs || nw->growth.left > 0 || rsd_min_order_is_below(&nw->least))
        rsd_growth_begin(&nw->growth, nw->ida, nw->from, nw->attempt.at.h);
}

static void begin_signs(rsd_ida_newton *nw)
{
    nw->wrong_sign = -1;
    if (!nw->attempt.is_retry) nw->put_before = nw->put;
}

static void begin_jump(rsd_ida_newton *nw)
{
    if (!nw->attempt.is_retry) rsd_jump_begin(&nw->jump);
}

/* 1: the step ends with a wrong sign. Steps in a row may miss zero by the tolerance all together: else a solution that
 * goes beyond zero would be held there in steps that are short enough. */
static int misses_signs(rsd_ida_newton *nw)
{
    const rsd_attempt *a = &nw->attempt;
    double missed = 0;
    if (!nw->o->sign_each) return 0;
    nw->wrong_sign =
        rsd_keep_signs(nw->o->sign_each, nw->n, nw->y0, a->x, a->at.weights, a->tolerance - nw->put_before, &missed);
    nw->put = missed > 0 ? nw->put_before + missed : 0;
    if (nw->wrong_sign < 0) return 0;
    nw->wrong_y = nw->y0[nw->wrong_sign] + a->x[nw->wrong_sign];
    rsd_growth_end(&nw->growth, 0);
    return 1;
}

/* The rules about an attempt, in this order; those about accepted steps are in ida_observers.c. */
static const struct {
    void (*before_attempt)(rsd_ida_newton *nw);  /* NULL: nothing */
    int (*after_correction)(rsd_ida_newton *nw); /* 0; > 0: IDA tries a shorter step; < 0: it returns */
} rules[] = {
    {NULL, rsd_ida_rest_look},   /* no step goes over what acts within it alone */
    {begin_signs, misses_signs}, /* option sign_each */
    {begin_jump, must_restart},  /* a step beyond a jump begins without history */
    {note_order, keeps_order},   /* order 1 is left where it is of no use */
    {hold_growth, NULL},         /* no step grows that fails again and again */
};
enum { N_STEP_RULES = sizeof rules / sizeof *rules };

static int solve(SUNNonlinearSolver base, N_Vector y0, N_Vector correction, N_Vector ewt, sunrealtype tolerance,
                 sunbooleantype call_setup, void *ida)
{
    (void)call_setup; /* IDA has no linear solver here and always says no */
    (void)ida;
    rsd_ida_newton *nw = base->content;
    if (take_attempt(nw, y0, correction, ewt) < 0) return RSD_NLS_STOP;
    if (nw->abandoned) return change_step(nw, ANOTHER_STEP);
    if (nw->attempt.at.h * ANOTHER_STEP > nw->o->h_max) return change_step(nw, nw->o->h_max / nw->attempt.at.h);
    let_IDA_choose(nw);
    const int first = nw->monitor_called;
    if (may_not_go_on(nw)) return RSD_NLS_STOP;
    nw->attempt.tolerance = tolerance;
    nw->attempt.is_retry = is_tried_again(nw);
    nw->t_from = nw->from;
    for (int k = 0; k < N_STEP_RULES; k++)
        if (rules[k].before_attempt) rules[k].before_attempt(nw);
    int verdict = solve_attempt(nw);
    for (int k = 0; k < N_STEP_RULES && verdict == 0; k++)
        if (rules[k].after_correction) verdict = rules[k].after_correction(nw);
    nw->abandoned = verdict < 0 && first && !(nw->jump.h > 0);
    if (verdict == 0) rsd_min_order_solved(&nw->least, nw->attempt.x);
    return verdict == 0 ? 0 : verdict > 0 ? SUN_NLS_CONV_RECVR : RSD_NLS_STOP;
}

/* Error tests that have failed since the last restart. */
static long error_test_fails(void *ida)
{
    long fails = 0;
    IDAGetNumErrTestFails(ida, &fails);
    return fails;
}

void rsd_ida_newton_judged(rsd_ida_newton *nw)
{
    if (nw->guard->limits) rsd_limits_judged(nw->guard->limits, error_test_fails(nw->ida));
}

/* The same with a profile: time, and the components that limit the steps. */
static int solve_timed(SUNNonlinearSolver base, N_Vector y0, N_Vector correction, N_Vector ewt, sunrealtype tolerance,
                       sunbooleantype call_setup, void *ida)
{
    rsd_ida_newton *nw = base->content;
    rsd_profile *profile = nw->guard->tally.profile;
    rsd_ida_newton_judged(nw);
    const int back = rsd_profile_enter(profile, RSD_IN_ITERATION);
    const int verdict = solve(base, y0, correction, ewt, tolerance, call_setup, ida);
    rsd_profile_leave(profile, back);
    if (verdict == 0) rsd_limits_solved(nw->guard->limits, nw->attempt.x, nw->attempt.at.weights);
    return verdict;
}

int rsd_ida_newton_probe(rsd_ida_newton *nw, const rsd_probe *probe, double *correction)
{
    const resida_jacobian_point at = {.t = rsd_ida_t(nw, probe->t + probe->h),
                                      .alpha = 1 / probe->h,
                                      .h = probe->h,
                                      .y = nw->y,
                                      .yp = nw->yp,
                                      .weights = probe->weight};
    nw->from = probe->t;
    nw->y0 = probe->y;
    set_derivative(nw, probe->yp);
    set_attempt(nw, &at, correction);
    return rsd_newton_correct_once(&nw->newton, &nw->attempt);
}

/* --- Life --- */

static SUNNonlinearSolver_Type type(SUNNonlinearSolver base)
{
    (void)base;
    return SUNNONLINEARSOLVER_ROOTFIND;
}

static SUNErrCode set_system(SUNNonlinearSolver base, SUNNonlinSolSysFn system)
{
    (void)base, (void)system; /* F is called through the guard */
    return 0;
}

resida_status rsd_ida_newton_create(rsd_ida_newton *nw, rsd_guard *guard, resida_jacobian *engine,
                                    const resida_solver_options *o, const resida_allocator *alloc)
{
    const int n = guard->problem->layout.n;
    *nw = (rsd_ida_newton){.way_of_t = 1,
                           .first_origin = NAN,
                           .guard = guard,
                           .o = o,
                           .kinds = guard->problem->kinds,
                           .n = n,
                           .J = engine};
    nw->ops = (struct _generic_SUNNonlinearSolver_Ops){
        .gettype = type, .solve = guard->tally.profile ? solve_timed : solve, .setsysfn = set_system};
    int all = rsd_scaling_create(&nw->scaling, o, guard->problem, 1, alloc) >= 0 &&
              rsd_jacobian_attach(engine, &(rsd_jacobian_use){.linear_solver = o->linear_solver,
                                                              .ops = nw->scaling ? &scaled_J : NULL,
                                                              .self = nw->scaling,
                                                              .why = guard->message,
                                                              .profile = guard->tally.profile,
                                                              .repairs = o->repair,
                                                              .max_rate = o->slow_rate,
                                                              .max_age = o->max_age}) >= 0 &&
              rsd_scaling_attach(nw->scaling, rsd_jacobian_factors(engine)->linear, 1) >= 0;
    all &= (nw->y = rsd_doubles(alloc, n)) != NULL;
    all &= (nw->yp = rsd_doubles(alloc, n)) != NULL;
    all &= (nw->yp_back = rsd_doubles(alloc, n)) != NULL;
    all &= (nw->inputs = rsd_doubles(alloc, 3L * guard->problem->layout.n_u)) != NULL;
    all &= rsd_jump_create(&nw->jump, n, alloc) >= 0;
    if (!all) return RESIDA_ERR_MEMORY;
    const rsd_newton_system system = {.ops = &equations,
                                      .self = nw,
                                      .rules = &rsd_rules_of_any_size,
                                      .guard = guard,
                                      .engine = engine,
                                      .o = o,
                                      .n = n,
                                      .stages = 1};
    RSD_TRY(rsd_newton_create(&nw->newton, &system, alloc));
    rsd_ida_newton_restart(nw, 0);
    return RESIDA_OK;
}

SUNNonlinearSolver rsd_ida_newton_attach(rsd_ida_newton *nw, SUNContext context, void *ida)
{
    nw->base = (struct _generic_SUNNonlinearSolver){.content = nw, .ops = &nw->ops, .sunctx = context};
    nw->ida = ida;
    return &nw->base;
}

void rsd_ida_newton_set_origin(rsd_ida_newton *nw, double t0)
{
    nw->origin = t0;
    if (isnan(nw->first_origin)) nw->first_origin = t0;
}

void rsd_ida_newton_begin(rsd_ida_newton *nw)
{
    nw->monitor_called = nw->abandoned = 0;
    rsd_min_order_begin_anew(&nw->least);
}

void rsd_ida_newton_restart(rsd_ida_newton *nw, int is_nearby)
{
    rsd_ida_newton_begin(nw);
    nw->worst_component = nw->wrong_sign = -1;
    nw->put = 0;
    nw->t_from = nw->failed_from = INFINITY;
    rsd_growth_reset(&nw->growth, nw->ida);
    rsd_min_order_start(&nw->least);
    rsd_jump_reset(&nw->jump);
    if (is_nearby)
        rsd_newton_restart(&nw->newton);
    else
        rsd_newton_forget(&nw->newton);
}
