/* ida_newton.c - solves the equations of IDA's steps by the library's iteration (newton.h), as a SUNNonlinearSolver.
 * The equations are
 *
 *     F(t, y0 + e, yp0 + alpha e) = 0,
 *
 * (14) of Arnold, Fuchs, Fuehrer, with the predictor y0, yp0. Each iteration begins at the predictor, e = 0. */
#include "ida_impl.h"

#include "base/vector_ops.h"
#include "src/core/watch/tolerance.h"

#include <math.h>
#include <string.h>

#define ANOTHER_STEP   0.999 /* factor of h in a repeated step, whose size must differ */
#define IDA_OWN_CHOICE 0     /* factor 0: IDA chooses the step after a failure, h/4 */

static void set_y_to_iterate(rsd_ida *ida)
{
    rsd_vector_correct(ida->base.n, ida->y0, ida->yp0, ida->attempt.x, ida->attempt.at.alpha, ida->y, ida->yp);
}

static void begin_iteration(void *self, int tries)
{
    rsd_ida *ida = self;
    if (tries == 0) return; /* IDA passes e = 0 */
    memset(ida->attempt.x, 0, (size_t)ida->base.n * sizeof *ida->attempt.x);
    set_y_to_iterate(ida); /* F may be known at the start of the try */
}

static int evaluate_F_of_attempt(void *self, double *F)
{
    rsd_ida *ida = self;
    set_y_to_iterate(ida);
    return rsd_guard_eval_part(ida->base.guard, RSD_FOR_NEWTON, RSD_ROWS_ALL, ida->attempt.at.t, ida->y, ida->yp, F);
}

static int scale_J(void *self, rsd_linear_solver *linear, const resida_jacobian_matrix *J, double h)
{
    return rsd_scaling_update_scales(self, linear, 1, J, h);
}

static const rsd_matrix_ops scaled_J = {.scale = scale_J};
static const rsd_newton_ops equations = {.begin = begin_iteration, .evaluate = evaluate_F_of_attempt};

/* Project y at the end of a solved step onto the constraints. The change of y is added to the correction, so that the
 * error test and the history contain it. Return 0 on success, > 0 if the projection failed, < 0 on a fatal error. */
static int project_solution(rsd_ida *ida)
{
    const double t = ida->attempt.at.t;
    double *e = ida->attempt.x;
    rsd_guard *g = ida->base.guard;
    for (int i = 0; i < ida->base.n; i++) ida->y[i] = ida->y0[i] + e[i];
    int verdict = rsd_guard_judge(g, t, rsd_problem_project(g->problem, t, ida->y), ida->y, ida->base.n);
    for (int i = 0; i < ida->base.n && !verdict; i++) e[i] = ida->y[i] - ida->y0[i];
    return verdict;
}

int rsd_ida_newton_is_interrupted(rsd_ida *ida, double t)
{
    ida->monitor_called = 1;
    ida->t_monitor = t;
    return rsd_guard_call_monitor(ida->base.guard, t, ida->base.o->monitor, ida->base.o->monitor_user);
}

/* Return 1 if the attempt is a retry: it begins at the time of the last attempt, within RSD_SAME_PLACE h. */
static int is_attempt_repeated(const rsd_ida *ida)
{
    return fabs(ida->from - ida->t_from) < RSD_SAME_PLACE * fabs(ida->attempt.at.h);
}

/* Return 1 if the integration ends before the attempt: the monitor interrupts it, or the step does not change t. The
 * monitor is called here only before a retry. Before the first attempt of a step, rsd_rules_after_step() has called the
 * monitor, because a run that is interrupted there resumes with the same bits. */
static int is_attempt_refused(rsd_ida *ida)
{
    const resida_jacobian_point *at = &ida->attempt.at;
    if (!ida->monitor_called &&
        rsd_ida_newton_is_interrupted(ida, is_attempt_repeated(ida) ? ida->t_monitor
                                                                    : rsd_integration_t(&ida->base, ida->from)))
        return 1;
    ida->monitor_called = 0;
    if (ida->from + at->h != ida->from) return 0;
    ida->base.guard->stop = rsd_ida_report_small_step(ida, at->t, at->h, 1);
    return 1;
}

/* Make IDA repeat the step with `part` times its size, for two reasons. After an interrupted attempt the step is
 * shortened by ANOTHER_STEP: IDA counts that attempt as a step, and its formula would have wrong coefficients if the
 * size were the same. If h_max was reduced after IDA had chosen the step, the step is shortened to h_max. */
static int request_shorter_step(rsd_ida *ida, double part)
{
    ida->abandoned = 0;
    ida->is_changed = 1;
    IDASetEtaConvFail(ida->mem, part);
    return SUN_NLS_CONV_RECVR;
}

static void reset_step_request(rsd_ida *ida)
{
    if (ida->is_changed) IDASetEtaConvFail(ida->mem, IDA_OWN_CHOICE);
    ida->is_changed = 0;
}

/* Set ida->yp0, the derivative of the predictor by t, from yp, the derivative by IDA's time. */
static void set_predictor_derivative(rsd_ida *ida, const double *yp)
{
    ida->yp0 = ida->base.direction > 0 ? yp : ida->yp_back;
    for (int i = 0; ida->base.direction < 0 && i < ida->base.n; i++) ida->yp_back[i] = -yp[i];
}

/* Complete the data of an attempt that begins at ida->from. yp0 is the derivative of the predictor by IDA's time. The
 * time since the first start is computed without t itself, so that its bits do not depend on the time of that start. */
static void complete_attempt(rsd_ida *ida, const double *yp0)
{
    resida_jacobian_point *at = &ida->attempt.at;
    set_predictor_derivative(ida, yp0);
    at->since = ida->base.direction * (ida->base.origin - ida->first_origin) + (ida->from + at->h);
    at->alpha *= ida->base.direction;
}

void rsd_ida_set_force_weights(rsd_ida *ida, double h, const double *w)
{
    if (ida->base.problem->contacts.given.n == 0) return;
    rsd_weigh_contact_forces(ida->base.problem, h, w, rsd_get_components(ida->id));
    IDASetId(ida->mem, ida->id);
}

/* Get the data of the attempt from IDA. */
static void get_attempt(rsd_ida *ida, N_Vector y0, N_Vector correction, N_Vector ewt)
{
    resida_jacobian_point *at = &ida->attempt.at;
    ida->attempt = (rsd_attempt){.at = {.y = ida->y, .yp = ida->yp, .weights = rsd_get_components(ewt)},
                                 .x = rsd_get_components(correction),
                                 .stages = 1};
    IDAGetCurrentCj(ida->mem, &at->alpha);
    ida->steps = rsd_ida_get_steps(ida);
    at->h = ida->steps.h;
    ida->from = ida->steps.t - at->h;
    at->t = rsd_integration_t(&ida->base, ida->steps.t);
    ida->y0 = rsd_get_components(y0);
    complete_attempt(ida, rsd_get_components(ida->yp_predicted));
    rsd_ida_set_force_weights(ida, fabs(at->h), at->weights);
}

/* Count an error test failure, and consecutive failures at the same point, which are rare for smooth solutions. */
static void count_failed_error_test(rsd_ida *ida)
{
    ida->repeated_fails += fabs(ida->from - ida->failed_from) < RSD_SAME_PLACE * fabs(ida->attempt.at.h);
    ida->failed_from = ida->from;
    rsd_newton_record_failure(&ida->newton, ida->worst_component);
}

/* Solve one attempt at a step, with the rules before and after the iteration. Project the result if the form projects
 * its steps. Return the value that IDA expects from a SUNNonlinearSolver: 0 on success, SUN_NLS_CONV_RECVR for a
 * shorter step, RSD_NLS_STOP to end IDASolve(). */
static int solve_step(rsd_ida *ida, N_Vector y0, N_Vector correction, N_Vector ewt, double tolerance)
{
    get_attempt(ida, y0, correction, ewt);
    if (ida->abandoned) return request_shorter_step(ida, ANOTHER_STEP);
    if (ida->attempt.at.h * ANOTHER_STEP > ida->base.o->h_max)
        return request_shorter_step(ida, ida->base.o->h_max / ida->attempt.at.h);
    reset_step_request(ida);
    const int first = ida->monitor_called;
    if (is_attempt_refused(ida)) return RSD_NLS_STOP;
    ida->attempt.tolerance = tolerance;
    ida->attempt.is_retry = is_attempt_repeated(ida);
    ida->t_from = ida->from;
    rsd_rules_before_attempt(ida);
    if (ida->attempt.is_retry && ida->has_converged) count_failed_error_test(ida);
    int verdict = rsd_newton_solve(&ida->newton, &ida->attempt);
    if (verdict == 0 && rsd_problem_has_projection(ida->base.problem)) verdict = project_solution(ida);
    rsd_renewal_end_attempt(ida->newton.renewal, verdict);
    ida->has_converged = verdict == 0;
    ida->worst_component = verdict == 0 && ida->attempt.is_retry
                               ? rsd_find_max_component(ida->base.n, ida->attempt.x, ida->attempt.at.weights)
                               : -1;
    if (verdict == 0) verdict = rsd_rules_after_correction(ida);
    ida->abandoned = verdict < 0 && first && !(ida->jump.h > 0);
    if (verdict == 0) rsd_min_order_record_correction(&ida->min_order, ida->attempt.x);
    return verdict == 0 ? 0 : verdict > 0 ? SUN_NLS_CONV_RECVR : RSD_NLS_STOP;
}

void rsd_ida_newton_record_test(rsd_ida *ida)
{
    if (ida->base.guard->limits) rsd_limits_count_test(ida->base.guard->limits, rsd_ida_get_steps(ida).fails);
}

/* Call solve_step(). For the profile, record the time of the call and the components that limit the steps. */
static int solve_for_ida(SUNNonlinearSolver base, N_Vector y0, N_Vector correction, N_Vector ewt, sunrealtype tolerance,
                         sunbooleantype call_setup, void *mem)
{
    (void)call_setup, (void)mem; /* IDA has no linear solver here and never requests a setup */
    rsd_ida *ida = base->content;
    rsd_guard *g = ida->base.guard;
    if (g->limits) rsd_ida_newton_record_test(ida);
    const int back = rsd_profile_enter(g->tally.profile, RSD_IN_ITERATION);
    const int verdict = solve_step(ida, y0, correction, ewt, tolerance);
    rsd_profile_leave(g->tally.profile, back);
    if (verdict == 0 && g->limits) rsd_limits_set_error(g->limits, ida->attempt.x, ida->attempt.at.weights);
    return verdict;
}

int rsd_ida_newton_try_first_step(rsd_ida *ida, double h, const double *y, const double *w, double *correction)
{
    const double t = rsd_integration_t(&ida->base, ida->start.t + h);
    ida->attempt = (rsd_attempt){
        .at = {.t = t, .alpha = 1 / h, .h = h, .y = ida->y, .yp = ida->yp, .weights = w}, .x = correction, .stages = 1};
    memset(correction, 0, (size_t)ida->base.n * sizeof *correction);
    ida->from = ida->start.t;
    ida->y0 = y;
    complete_attempt(ida, rsd_get_components(ida->start.yp));
    return rsd_newton_correct_once(&ida->newton, &ida->attempt);
}

static SUNNonlinearSolver_Type get_type(SUNNonlinearSolver base)
{
    (void)base;
    return SUNNONLINEARSOLVER_ROOTFIND;
}

static SUNErrCode set_system(SUNNonlinearSolver base, SUNNonlinSolSysFn system)
{
    (void)base, (void)system; /* the guard calls F */
    return 0;
}

resida_status rsd_ida_newton_create(rsd_ida *ida, resida_jacobian *engine)
{
    const resida_solver_options *o = ida->base.o;
    const resida_allocator *alloc = &ida->alloc;
    const int n = ida->base.n;
    ida->first_origin = NAN;
    ida->solver_ops =
        (struct _generic_SUNNonlinearSolver_Ops){.gettype = get_type, .solve = solve_for_ida, .setsysfn = set_system};
    if (rsd_scaling_create(&ida->scaling, o, ida->base.problem, 1, alloc) < 0) return RESIDA_ERR_MEMORY;
    RSD_TRY(rsd_jacobian_attach(engine, &(rsd_jacobian_use){.linear_solver = o->linear_solver,
                                                            .ops = ida->scaling ? &scaled_J : NULL,
                                                            .self = ida->scaling,
                                                            .why = ida->base.guard->message,
                                                            .profile = ida->base.guard->tally.profile,
                                                            .repairs = o->repair,
                                                            .max_rate = o->slow_rate,
                                                            .max_age = o->max_age}));
    if (rsd_scaling_attach(ida->scaling, rsd_jacobian_get_factors(engine)->linear, 1) < 0 ||
        !RSD_DOUBLES(alloc, n, &ida->y, &ida->yp, &ida->yp_back) ||
        !RSD_DOUBLES(alloc, 3L * ida->base.problem->layout.n_u, &ida->inputs) ||
        rsd_jump_create(&ida->jump, n, alloc) < 0)
        return RESIDA_ERR_MEMORY;
    const rsd_newton_system system = {.ops = &equations,
                                      .self = ida,
                                      .rules = &rsd_rules_of_variable_size,
                                      .guard = ida->base.guard,
                                      .engine = engine,
                                      .o = o,
                                      .n = n,
                                      .stages = 1};
    RSD_TRY(rsd_newton_create(&ida->newton, &system, alloc));
    rsd_ida_newton_restart(ida, 0);
    return RESIDA_OK;
}

SUNNonlinearSolver rsd_ida_newton_attach(rsd_ida *ida)
{
    ida->solver = (struct _generic_SUNNonlinearSolver){.content = ida, .ops = &ida->solver_ops, .sunctx = ida->ctx};
    return &ida->solver;
}

void rsd_ida_newton_reset_attempts(rsd_ida *ida)
{
    ida->monitor_called = ida->abandoned = 0;
    rsd_min_order_reset_order(&ida->min_order);
}

void rsd_ida_newton_restart(rsd_ida *ida, int is_nearby)
{
    rsd_ida_newton_reset_attempts(ida);
    ida->worst_component = ida->signs.wrong = -1;
    ida->signs.put = 0;
    ida->t_from = ida->failed_from = INFINITY;
    rsd_growth_reset(ida);
    rsd_min_order_reset(&ida->min_order);
    rsd_jump_reset(&ida->jump);
    rsd_newton_restart(&ida->newton, is_nearby);
}
