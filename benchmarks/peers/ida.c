/* ida.c - stock SUNDIALS IDA, as its user guide sets it up for a dense DAE: its Newton solver, its dense linear solver
 * and its dense difference quotients ("ida"), or a Jacobian callback ("ida+analytic"). That callback is
 * exact_jacobian.c, whose residual calls are not counted. "ida+analytic" is therefore a lower bound of the cost of IDA
 * with an analytic Jacobian.
 *
 * Multipliers are excluded from the error test by IDASetId() and IDASetSuppressAlg(), as the user guide of IDA
 * recommends for systems of index 2. The Newton test still includes multipliers, whose corrections increase as the step
 * size decreases. If it fails at the start, the run is repeated with tolerances of multipliers of RSD_PEER_FAR_OFF, as
 * for DASSL, and the failed run is not counted. IDA integrates in one-step mode up to the stop time. Step sizes
 * therefore do not depend on outputs, which are interpolated (IDAGetDky). */
#include "peer_impl.h"

#include "exact_jacobian.h"

#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#ifndef SUN_COMM_NULL /* before SUNDIALS 7 */
#define SUN_COMM_NULL NULL
#endif

typedef struct ida {
    rsd_peer_run *run;
    SUNContext ctx;
    void *memory;
    N_Vector y, yp, id, atol;
    exact_jacobian *exact; /* NULL: difference quotients of IDA */
} ida;

static int residual(sunrealtype t, N_Vector y, N_Vector yp, N_Vector r, void *user)
{
    ida *s = user;
    return rsd_peer_residual(s->run, t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), N_VGetArrayPointer(r));
}

static int jacobian(sunrealtype t, sunrealtype alpha, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix J, void *user,
                    N_Vector work1, N_Vector work2, N_Vector work3)
{
    ida *s = user;
    (void)r, (void)work1, (void)work2, (void)work3;
    double h = 0;
    IDAGetCurrentStep(s->memory, &h);
    return exact_jacobian_at(s->exact, t, h, alpha, N_VGetArrayPointer(y), N_VGetArrayPointer(yp),
                             SUNDenseMatrix_Data(J));
}

/** @return 0 on success; otherwise IDA returned an error */
static int create(ida *s)
{
    const rsd_peer_run *run = s->run;
    const resida_solver_options *o = run->o;
    if (SUNContext_Create(SUN_COMM_NULL, &s->ctx) != 0) return -1;
    N_Vector *vectors[] = {&s->y, &s->yp, &s->id, &s->atol};
    for (int i = 0; i < 4; i++) *vectors[i] = N_VNew_Serial(run->n, s->ctx);
    memcpy(N_VGetArrayPointer(s->y), run->task->y0, (size_t)run->n * sizeof(double));
    memcpy(N_VGetArrayPointer(s->yp), run->task->yp0, (size_t)run->n * sizeof(double));
    for (int i = 0; i < run->n; i++) N_VGetArrayPointer(s->id)[i] = rsd_peer_tested(run, i);
    for (int i = 0; i < run->n; i++) N_VGetArrayPointer(s->atol)[i] = rsd_peer_atol(run, i);
    SUNMatrix J = SUNDenseMatrix(run->n, run->n, s->ctx);
    SUNLinearSolver linear = SUNLinSol_Dense(s->y, J, s->ctx);
    s->memory = IDACreate(s->ctx);
    return IDAInit(s->memory, residual, run->task->t0, s->y, s->yp) || IDASetUserData(s->memory, s) ||
           IDASVtolerances(s->memory, o->rtol, s->atol) || IDASetLinearSolver(s->memory, linear, J) ||
           (s->exact && IDASetJacFn(s->memory, jacobian)) || IDASetId(s->memory, s->id) ||
           IDASetSuppressAlg(s->memory, 1) || IDASetMaxOrd(s->memory, o->max_order) ||
           IDASetStopTime(s->memory, o->t_stop) || IDASetInitStep(s->memory, o->h_first) ||
           (isfinite(o->h_max) && IDASetMaxStep(s->memory, o->h_max));
}

static void take_counters(const ida *s)
{
    resida_stats *c = &s->run->result->stats;
    IDAGetNumSteps(s->memory, &c->steps);
    IDAGetNumErrTestFails(s->memory, &c->error_test_fails);
    IDAGetNumNonlinSolvIters(s->memory, &c->newton_iterations);
    IDAGetNumNonlinSolvConvFails(s->memory, &c->newton_fails);
    IDAGetNumResEvals(s->memory, &c->residual_calls.newton);
    IDAGetNumLinResEvals(s->memory, &c->residual_calls.jacobian);
    IDAGetNumJacEvals(s->memory, &c->jacobian_evaluations.dense);
    c->jacobian_evaluations.coloured = 0;
    IDAGetNumLinSolvSetups(s->memory, &c->factorisations);
    IDAGetLastOrder(s->memory, &c->order);
    IDAGetLastStep(s->memory, &c->h);
}

/** Interpolate and emit all outputs up to t. */
static int outputs_to(ida *s, double t)
{
    for (double next; (next = rsd_peer_next_output(s->run)) <= t;) {
        if (IDAGetDky(s->memory, next, 0, s->y) != IDA_SUCCESS || IDAGetDky(s->memory, next, 1, s->yp) != IDA_SUCCESS)
            return -1;
        if (rsd_peer_output(s->run, N_VGetArrayPointer(s->y), N_VGetArrayPointer(s->yp)) != 0) return -1;
    }
    return 0;
}

static resida_status status_of(int flag)
{
    switch (flag) {
    case IDA_TOO_MUCH_ACC:
        return RESIDA_ERR_TOLERANCE;
    case IDA_ERR_FAIL:
        return RESIDA_ERR_ERROR_TEST;
    case IDA_CONV_FAIL:
        return RESIDA_ERR_NEWTON;
    case IDA_LSETUP_FAIL:
        return RESIDA_ERR_SINGULAR;
    case IDA_REP_RES_ERR:
        return RESIDA_ERR_USER_REPEATED;
    default:
        return RESIDA_ERR_INTERNAL;
    }
}

static resida_status integrate(ida *s)
{
    rsd_peer_run *run = s->run;
    for (long steps = 0; run->result->t < run->o->t_stop; steps++) {
        if (rsd_peer_check_steps(run, steps) != RESIDA_OK) return run->result->status;
        int flag = IDASolve(s->memory, run->o->t_stop, &run->result->t, s->y, s->yp, IDA_ONE_STEP);
        if (flag < 0)
            return rsd_peer_fail(run, status_of(flag), "IDASolve: %s at t = %.9g", IDAGetReturnFlagName(flag),
                                 run->result->t);
        if (outputs_to(s, run->result->t) != 0) return run->result->status;
    }
    return RESIDA_OK;
}

static resida_status solve_with(rsd_peer_run *run, exact_jacobian *exact)
{
    ida s = {.run = run, .exact = exact};
    if (create(&s) != 0) return rsd_peer_fail(run, RESIDA_ERR_INTERNAL, "IDA rejected its options");
    integrate(&s);
    take_counters(&s);
    return rsd_peer_begins_again(run) ? solve_with(run, exact) : run->result->status;
}

resida_status rsd_peer_solve_ida(rsd_peer_run *run)
{
    return solve_with(run, NULL);
}

resida_status rsd_peer_solve_ida_analytic(rsd_peer_run *run)
{
    return solve_with(run, exact_jacobian_create(run));
}
