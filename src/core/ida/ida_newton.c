/* ida_newton.c - solves the equations of IDA's steps by the library's iteration (newton.h), as a SUNNonlinearSolver.
 * The equations are
 *
 *     F(t, y0 + e, yp0 + alpha e) = 0,
 *
 * (14) of Arnold, Fuchs, Fuehrer, with the predictor y0, yp0. Each try begins at the predictor, e = 0. */
#include "ida_rules.h"

#include "base/vector_ops.h"
#include "src/core/watch/tolerance.h"

#include <math.h>
#include <string.h>

#define ANOTHER_STEP   0.999 /* part of h that is practically the same step with another size */
#define IDA_OWN_CHOICE 0     /* let IDA choose the step after a failure: 1/4 */

/* --- The equations --- */

static void correct_y(rsd_ida *it)
{
    rsd_vector_corrected(it->base.n, it->y0, it->yp0, it->attempt.x, it->attempt.at.alpha, it->y, it->yp);
}

static void begin(void *self, int tries)
{
    rsd_ida *it = self;
    memset(it->attempt.x, 0, (size_t)it->base.n * sizeof *it->attempt.x);
    if (tries > 0) correct_y(it); /* F may be known at this point */
}

static int evaluate(void *self, double *F)
{
    rsd_ida *it = self;
    correct_y(it);
    return rsd_guard_residual(it->base.guard, RSD_FOR_NEWTON, it->attempt.at.t, it->y, it->yp, F);
}

static int scale_J(void *self, rsd_linear_solver *linear, const resida_jacobian_matrix *J, double h)
{
    return rsd_scaling_renew(self, linear, 1, J, h);
}

static const rsd_matrix_ops scaled_J = {.scale = scale_J};
static const rsd_newton_ops equations = {.begin = begin, .evaluate = evaluate};

/* --- A step of IDA --- */

/* Project the end of a solved step onto the constraints. The projection becomes a part of the correction. It is
 * therefore included in the error test and the history. */
static int project(rsd_ida *it)
{
    const double t = it->attempt.at.t;
    double *e = it->attempt.x;
    rsd_guard *g = it->base.guard;
    for (int i = 0; i < it->base.n; i++) it->y[i] = it->y0[i] + e[i];
    int verdict = rsd_guard_judge(g, t, rsd_problem_project(g->problem, t, it->y), it->y, it->base.n);
    for (int i = 0; i < it->base.n && !verdict; i++) e[i] = it->y[i] - it->y0[i];
    return verdict;
}

int rsd_ida_newton_interrupted(rsd_ida *it, double t)
{
    it->monitor_called = 1;
    it->t_monitor = t;
    return rsd_guard_call_monitor(it->base.guard, t, it->base.o->monitor, it->base.o->monitor_user);
}

/* Return 1 if the step was attempted before, from the same point within rounding. */
static int is_tried_again(const rsd_ida *it)
{
    return fabs(it->from - it->t_from) < RSD_SAME_PLACE * fabs(it->attempt.at.h);
}

/* Return 1 if the integration ends before this attempt, because the monitor interrupts it, or because the step does not
 * change t. Usually the monitor is called before a step begins, where an interrupted run resumes with the same bits.
 * This function calls it only before a retry. */
static int may_not_go_on(rsd_ida *it)
{
    const resida_jacobian_point *at = &it->attempt.at;
    if (!it->monitor_called &&
        rsd_ida_newton_interrupted(it, is_tried_again(it) ? it->t_monitor : rsd_integration_t(&it->base, it->from)))
        return 1;
    it->monitor_called = 0;
    if (it->from + at->h != it->from) return 0;
    it->base.guard->stop = rsd_ida_step_is_too_small(it, at->t, at->h, 1);
    return 1;
}

/* Make IDA repeat the step with this part of its size. IDA counts an interrupted attempt as a step of its size. If the
 * step were repeated with the same size, the coefficients of the formula would be wrong. It is therefore shortened
 * slightly. A step that IDA has chosen is also shortened if h_max was reduced since. */
static int change_step(rsd_ida *it, double part)
{
    it->abandoned = 0;
    it->is_changed = 1;
    IDASetEtaConvFail(it->ida, part);
    return SUN_NLS_CONV_RECVR;
}

static void let_IDA_choose(rsd_ida *it)
{
    if (it->is_changed) IDASetEtaConvFail(it->ida, IDA_OWN_CHOICE);
    it->is_changed = 0;
}

/* Set the derivative of the predictor with respect to IDA's time. */
static void set_derivative(rsd_ida *it, const double *yp)
{
    it->yp0 = it->base.way > 0 ? yp : it->yp_back;
    for (int i = 0; it->base.way < 0 && i < it->base.n; i++) it->yp_back[i] = -yp[i];
}

/* Complete the data of a step from it->from, in IDA's time and derivatives. The time since the first start is computed
 * so that its bits do not depend on the time of that start. */
static void complete_attempt(rsd_ida *it, const double *yp0)
{
    resida_jacobian_point *at = &it->attempt.at;
    set_derivative(it, yp0);
    at->since = it->base.way * (it->base.origin - it->first_origin) + (it->from + at->h);
    at->alpha *= it->base.way;
}

void rsd_ida_test_forces(rsd_ida *it, double h, const double *w)
{
    if (it->base.problem->contacts.given.n == 0) return;
    rsd_weigh_contact_forces(it->base.problem, h, w, rsd_vector_data(it->id));
    IDASetId(it->ida, it->id);
}

/* Get the attempt from IDA. Return 0, or < 0 if IDA does not provide it. */
static int take_attempt(rsd_ida *it, N_Vector y0, N_Vector correction, N_Vector ewt)
{
    resida_jacobian_point *at = &it->attempt.at;
    N_Vector ypred, yppred, yn, ypn, res;
    void *user;
    it->attempt = (rsd_attempt){.at = {.y = it->y, .yp = it->yp, .weights = rsd_vector_data(ewt)},
                                .x = rsd_vector_data(correction),
                                .stages = 1};
    if (IDAGetNonlinearSystemData(it->ida, &at->t, &ypred, &yppred, &yn, &ypn, &res, &at->alpha, &user) !=
            IDA_SUCCESS ||
        IDAGetCurrentStep(it->ida, &at->h) != IDA_SUCCESS)
        return -1;
    it->from = at->t - at->h;
    at->t = rsd_integration_t(&it->base, at->t);
    it->y0 = rsd_vector_data(y0);
    complete_attempt(it, rsd_vector_data(yppred));
    rsd_ida_test_forces(it, fabs(at->h), at->weights);
    return 0;
}

/* Count an error test failure. A smooth solution rarely fails the test twice in succession. */
static void note_failed_test(rsd_ida *it)
{
    it->repeated_fails += fabs(it->from - it->failed_from) < RSD_SAME_PLACE * fabs(it->attempt.at.h);
    it->failed_from = it->from;
    rsd_newton_blame(&it->newton, it->worst_component);
}

/* Solve the attempt and update the data of the rules. */
static int solve_attempt(rsd_ida *it)
{
    const int is_retry = it->attempt.is_retry;
    if (is_retry && it->growth.converged) note_failed_test(it);
    int verdict = rsd_newton_solve(&it->newton, &it->attempt);
    if (verdict == 0 && rsd_problem_has_projection(it->base.problem)) verdict = project(it);
    rsd_renewal_end_attempt(it->newton.renewal, verdict);
    rsd_growth_end(&it->growth, verdict == 0);
    it->worst_component =
        verdict == 0 && is_retry ? rsd_largest(it->base.n, it->attempt.x, it->attempt.at.weights) : -1;
    return verdict;
}

static int solve(SUNNonlinearSolver base, N_Vector y0, N_Vector correction, N_Vector ewt, sunrealtype tolerance,
                 sunbooleantype call_setup, void *ida)
{
    (void)call_setup; /* IDA has no linear solver here and never requests a setup */
    (void)ida;
    rsd_ida *it = base->content;
    if (take_attempt(it, y0, correction, ewt) < 0) return RSD_NLS_STOP;
    if (it->abandoned) return change_step(it, ANOTHER_STEP);
    if (it->attempt.at.h * ANOTHER_STEP > it->base.o->h_max)
        return change_step(it, it->base.o->h_max / it->attempt.at.h);
    let_IDA_choose(it);
    const int first = it->monitor_called;
    if (may_not_go_on(it)) return RSD_NLS_STOP;
    it->attempt.tolerance = tolerance;
    it->attempt.is_retry = is_tried_again(it);
    it->t_from = it->from;
    rsd_rules_before_attempt(it);
    int verdict = solve_attempt(it);
    if (verdict == 0) verdict = rsd_rules_after_correction(it);
    it->abandoned = verdict < 0 && first && !(it->jump.h > 0);
    if (verdict == 0) rsd_min_order_solved(&it->least, it->attempt.x);
    return verdict == 0 ? 0 : verdict > 0 ? SUN_NLS_CONV_RECVR : RSD_NLS_STOP;
}

void rsd_ida_newton_judged(rsd_ida *it)
{
    long fails = 0;
    IDAGetNumErrTestFails(it->ida, &fails);
    if (it->base.guard->limits) rsd_limits_count_test(it->base.guard->limits, fails);
}

/* Solve a step and record the profile: the time of the solution, and the components that limit the steps. */
static int solve_timed(SUNNonlinearSolver base, N_Vector y0, N_Vector correction, N_Vector ewt, sunrealtype tolerance,
                       sunbooleantype call_setup, void *ida)
{
    rsd_ida *it = base->content;
    rsd_profile *profile = it->base.guard->tally.profile;
    rsd_ida_newton_judged(it);
    const int back = rsd_profile_enter(profile, RSD_IN_ITERATION);
    const int verdict = solve(base, y0, correction, ewt, tolerance, call_setup, ida);
    rsd_profile_leave(profile, back);
    if (verdict == 0) rsd_limits_set_error(it->base.guard->limits, it->attempt.x, it->attempt.at.weights);
    return verdict;
}

int rsd_ida_newton_probe(rsd_ida *it, const rsd_probe *probe, double *correction)
{
    it->attempt = (rsd_attempt){.at = {.t = rsd_integration_t(&it->base, probe->t + probe->h),
                                       .alpha = 1 / probe->h,
                                       .h = probe->h,
                                       .y = it->y,
                                       .yp = it->yp,
                                       .weights = probe->weight},
                                .x = correction,
                                .stages = 1};
    it->from = probe->t;
    it->y0 = probe->y;
    complete_attempt(it, probe->yp);
    return rsd_newton_correct_once(&it->newton, &it->attempt);
}

/* --- Creation and restart --- */

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

resida_status rsd_ida_newton_create(rsd_ida *it, resida_jacobian *engine)
{
    const resida_solver_options *o = it->base.o;
    const resida_allocator *alloc = &it->alloc;
    const int n = it->base.n;
    it->first_origin = NAN;
    it->solver_ops = (struct _generic_SUNNonlinearSolver_Ops){
        .gettype = type, .solve = it->base.guard->tally.profile ? solve_timed : solve, .setsysfn = set_system};
    if (rsd_scaling_create(&it->scaling, o, it->base.problem, 1, alloc) < 0) return RESIDA_ERR_MEMORY;
    RSD_TRY(rsd_jacobian_attach(engine, &(rsd_jacobian_use){.linear_solver = o->linear_solver,
                                                            .ops = it->scaling ? &scaled_J : NULL,
                                                            .self = it->scaling,
                                                            .why = it->base.guard->message,
                                                            .profile = it->base.guard->tally.profile,
                                                            .repairs = o->repair,
                                                            .max_rate = o->slow_rate,
                                                            .max_age = o->max_age}));
    if (rsd_scaling_attach(it->scaling, rsd_jacobian_factors(engine)->linear, 1) < 0 ||
        !RSD_DOUBLES(alloc, n, &it->y, &it->yp, &it->yp_back) ||
        !RSD_DOUBLES(alloc, 3L * it->base.problem->layout.n_u, &it->inputs) || rsd_jump_create(&it->jump, n, alloc) < 0)
        return RESIDA_ERR_MEMORY;
    const rsd_newton_system system = {.ops = &equations,
                                      .self = it,
                                      .rules = &rsd_rules_of_any_size,
                                      .guard = it->base.guard,
                                      .engine = engine,
                                      .o = o,
                                      .n = n,
                                      .stages = 1};
    RSD_TRY(rsd_newton_create(&it->newton, &system, alloc));
    rsd_ida_newton_restart(it, 0);
    return RESIDA_OK;
}

SUNNonlinearSolver rsd_ida_newton_attach(rsd_ida *it)
{
    it->solver = (struct _generic_SUNNonlinearSolver){.content = it, .ops = &it->solver_ops, .sunctx = it->ctx};
    return &it->solver;
}

void rsd_ida_newton_begin(rsd_ida *it)
{
    it->monitor_called = it->abandoned = 0;
    rsd_min_order_restart(&it->least);
}

void rsd_ida_newton_restart(rsd_ida *it, int is_nearby)
{
    rsd_ida_newton_begin(it);
    it->worst_component = it->signs.wrong = -1;
    it->signs.put = 0;
    it->t_from = it->failed_from = INFINITY;
    rsd_growth_reset(&it->growth, it->ida);
    rsd_min_order_start(&it->least);
    rsd_jump_reset(&it->jump);
    if (is_nearby)
        rsd_newton_restart(&it->newton);
    else
        rsd_newton_forget(&it->newton);
}
