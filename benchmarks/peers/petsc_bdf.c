/* petsc_bdf.c - the BDF of PETSc (TSBDF, of fixed order) with differences by groups of columns (MatFDColoring). The
 * sparsity pattern is provided at no counted cost: the entries found at three states near the start. The order is
 * max_order; the default of PETSc is 2. UMFPACK solves the linear systems, because PETSc's LU factorisation does not
 * pivot and constraint rows have zeros on the diagonal. Multipliers are excluded from the error test by a tolerance of
 * 1e8, as the manual page of TSSetTolerances advises. The environment variable PETSC_OPTIONS applies. */
#include "peer_impl.h"

#include <math.h>
#include <petscts.h>
#include <stdlib.h>

static const double far_off = 1e8; /* absolute tolerance */
static const double part_of_way =
    1e-3; /* the first step size, which PETSc requires from the user; too long a step is rejected */
enum { STATES = 3 };

typedef struct bdf {
    rsd_peer_run *run;
    TS ts;
    SNES snes;
    Mat J;
    MatFDColoring colouring;
    Vec y, here, early, late;   /* y: the solution; the others: results of interpolation */
    double *p, *q, *r, *before; /* [n] */
} bdf;

static PetscErrorCode residual(TS ts, PetscReal t, Vec y, Vec yp, Vec r, void *user)
{
    bdf *s = user;
    const PetscScalar *from, *from_p;
    PetscScalar *to;
    (void)ts;
    PetscCall(VecGetArrayRead(y, &from));
    PetscCall(VecGetArrayRead(yp, &from_p));
    PetscCall(VecGetArrayWrite(r, &to));
    int verdict = rsd_peer_residual(s->run, t, from, from_p, to);
    PetscCall(VecRestoreArrayWrite(r, &to));
    PetscCall(VecRestoreArrayRead(yp, &from_p));
    PetscCall(VecRestoreArrayRead(y, &from));
    if (verdict > 0) PetscCall(SNESSetFunctionDomainError(s->snes));
    return verdict < 0 ? PETSC_ERR_USER : 0;
}

/** Evaluate J by groups of columns and count the residual calls. */
static PetscErrorCode jacobian(SNES snes, Vec y, Mat J, Mat B, void *user)
{
    bdf *s = user;
    resida_stats *c = &s->run->result->stats;
    long before = c->residual_calls.total;
    PetscCall(SNESComputeJacobianDefaultColor(snes, y, J, B, s->colouring));
    c->residual_calls.jacobian += c->residual_calls.total - before;
    c->jacobian_evaluations.coloured++;
    return 0;
}

/** Set the state k near the start, such that no component is zero. */
static void go_aside(bdf *s, int k)
{
    const rsd_peer_task *task = s->run->task;
    for (int i = 0; i < s->run->n; i++) {
        double shift = 1e-2 * (1 + (i * 7 + k * 3) % 5);
        s->p[i] = task->y0[i] + shift * (1 + fabs(task->y0[i]));
        s->q[i] = task->yp0[i] + shift * (1 + fabs(task->yp0[i]));
    }
}

/** Mark the entries of column j that change with *x. */
static void mark(bdf *s, double *x, int j, char *marks)
{
    double t = s->run->task->t0, keep = *x;
    int n = s->run->n;
    int bad = rsd_peer_free_residual(s->run, t, s->p, s->q, s->before);
    *x += 1e-4 * (1 + fabs(keep));
    bad |= rsd_peer_free_residual(s->run, t, s->p, s->q, s->r);
    *x = keep;
    for (int i = 0; i < n; i++)
        if (bad || s->r[i] != s->before[i]) marks[(size_t)i * (size_t)n + (size_t)j] = 1;
}

/** Create J with its pattern and zeros as values. */
static PetscErrorCode create_matrix(bdf *s)
{
    int n = s->run->n;
    char *marks = calloc((size_t)n * (size_t)n, 1);
    PetscInt *counts = calloc((size_t)n, sizeof *counts);
    if (!marks || !counts) return PETSC_ERR_MEM;
    for (int k = 0; k < STATES; k++) {
        go_aside(s, k);
        for (int j = 0; j < n; j++) mark(s, &s->p[j], j, marks), mark(s, &s->q[j], j, marks);
    }
    for (int i = 0; i < n; i++) marks[(size_t)i * (size_t)n + (size_t)i] = 1;
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++) counts[i / (size_t)n] += marks[i];
    PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, 0, counts, &s->J));
    for (PetscInt i = 0; i < n; i++)
        for (PetscInt j = 0; j < n; j++)
            if (marks[i * n + j]) PetscCall(MatSetValue(s->J, i, j, 0, INSERT_VALUES));
    PetscCall(MatAssemblyBegin(s->J, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(s->J, MAT_FINAL_ASSEMBLY));
    free(marks);
    free(counts);
    return 0;
}

static PetscErrorCode group_columns(bdf *s)
{
    MatColoring method;
    ISColoring groups;
    PetscCall(MatColoringCreate(s->J, &method));
    PetscCall(MatColoringSetDistance(method, 2));
    PetscCall(MatColoringSetType(method, MATCOLORINGSL));
    PetscCall(MatColoringApply(method, &groups));
    PetscCall(MatFDColoringCreate(s->J, groups, &s->colouring));
    PetscCall(
        MatFDColoringSetFunction(s->colouring, (PetscErrorCode(*)(void))(void (*)(void))SNESTSFormFunction, s->ts));
    PetscCall(MatFDColoringSetUp(s->J, groups, s->colouring));
    PetscInt n_groups = 0;
    PetscCall(ISColoringGetIS(groups, PETSC_USE_POINTER, &n_groups, NULL));
    s->run->result->stats.groups = (int)n_groups;
    return SNESSetJacobian(s->snes, s->J, s->J, jacobian, s);
}

static PetscErrorCode choose_linear_solver(bdf *s)
{
    KSP ksp;
    PC pc;
    PetscCall(SNESGetKSP(s->snes, &ksp));
    PetscCall(KSPSetType(ksp, KSPPREONLY));
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(PCSetType(pc, PCLU));
    return PCFactorSetMatSolverType(pc, MATSOLVERUMFPACK);
}

static PetscErrorCode set_tolerances(bdf *s)
{
    const resida_solver_options *o = s->run->o;
    Vec atol;
    PetscScalar *to;
    PetscCall(VecDuplicate(s->y, &atol));
    PetscCall(VecGetArrayWrite(atol, &to));
    for (int i = 0; i < s->run->n; i++) to[i] = rsd_peer_tested(s->run, i) ? rsd_peer_atol(s->run, i) : far_off;
    PetscCall(VecRestoreArrayWrite(atol, &to));
    return TSSetTolerances(s->ts, PETSC_DECIDE, atol, o->rtol, NULL);
}

/** Emit the outputs of a step; derivatives are differences of the interpolating polynomial. */
static PetscErrorCode take_step(TS ts)
{
    bdf *s;
    PetscReal t, t_old;
    const PetscScalar *y, *early, *late;
    PetscCall(TSGetApplicationContext(ts, &s));
    PetscCall(TSGetTime(ts, &t));
    PetscCall(TSGetPrevTime(ts, &t_old));
    s->run->result->t = t;
    PetscReal d = 1e-4 * (t - t_old);
    for (double next; (next = rsd_peer_next_output(s->run)) <= t;) {
        PetscCall(TSInterpolate(ts, next, s->here));
        PetscCall(TSInterpolate(ts, next - d, s->early));
        PetscCall(TSInterpolate(ts, fmin(next + d, t), s->late));
        PetscCall(VecGetArrayRead(s->here, &y));
        PetscCall(VecGetArrayRead(s->early, &early));
        PetscCall(VecGetArrayRead(s->late, &late));
        for (int i = 0; i < s->run->n; i++) s->p[i] = (late[i] - early[i]) / (fmin(next + d, t) - (next - d));
        int over = rsd_peer_output(s->run, y, s->p);
        PetscCall(VecRestoreArrayRead(s->late, &late));
        PetscCall(VecRestoreArrayRead(s->early, &early));
        PetscCall(VecRestoreArrayRead(s->here, &y));
        if (over) return PETSC_ERR_USER;
    }
    PetscInt steps;
    PetscCall(TSGetStepNumber(ts, &steps));
    return rsd_peer_check_steps(s->run, steps) == RESIDA_OK ? 0 : PETSC_ERR_USER;
}

static PetscErrorCode create(bdf *s)
{
    const rsd_peer_task *task = s->run->task;
    const resida_solver_options *o = s->run->o;
    PetscScalar *to;
    TSAdapt adapt;
    PetscCall(VecCreateSeq(PETSC_COMM_SELF, s->run->n, &s->y));
    PetscCall(VecDuplicate(s->y, &s->here));
    PetscCall(VecDuplicate(s->y, &s->early));
    PetscCall(VecDuplicate(s->y, &s->late));
    PetscCall(VecGetArrayWrite(s->y, &to));
    for (int i = 0; i < s->run->n; i++) to[i] = task->y0[i];
    PetscCall(VecRestoreArrayWrite(s->y, &to));
    PetscCall(TSCreate(PETSC_COMM_SELF, &s->ts));
    PetscCall(TSSetType(s->ts, TSBDF));
    PetscCall(TSBDFSetOrder(s->ts, o->max_order));
    PetscCall(TSSetApplicationContext(s->ts, s));
    PetscCall(TSSetIFunction(s->ts, NULL, residual, s));
    PetscCall(TSGetSNES(s->ts, &s->snes));
    PetscCall(create_matrix(s));
    PetscCall(group_columns(s));
    PetscCall(choose_linear_solver(s));
    PetscCall(set_tolerances(s));
    PetscCall(TSSetTime(s->ts, task->t0));
    PetscCall(TSSetMaxTime(s->ts, o->t_stop));
    PetscCall(TSSetMaxSteps(s->ts, PETSC_MAX_INT));
    PetscCall(TSSetMaxSNESFailures(s->ts, -1));
    PetscCall(TSSetExactFinalTime(s->ts, TS_EXACTFINALTIME_MATCHSTEP));
    PetscCall(TSSetTimeStep(s->ts, o->h_first > 0 ? o->h_first : part_of_way * (o->t_stop - task->t0)));
    PetscCall(TSGetAdapt(s->ts, &adapt));
    if (isfinite(o->h_max)) PetscCall(TSAdaptSetStepLimits(adapt, PETSC_DEFAULT, o->h_max));
    PetscCall(TSSetErrorIfStepFails(s->ts, PETSC_FALSE));
    PetscCall(TSSetPostStep(s->ts, take_step));
    return TSSetFromOptions(s->ts);
}

static void take_counters(bdf *s)
{
    PetscInt steps = -1, iterations = -1, rejected = -1, failed = -1;
    PetscReal h = NAN;
    TSGetStepNumber(s->ts, &steps);
    TSGetSNESIterations(s->ts, &iterations);
    TSGetStepRejections(s->ts, &rejected);
    TSGetSNESFailures(s->ts, &failed);
    TSGetTimeStep(s->ts, &h);
    resida_stats *c = &s->run->result->stats;
    c->steps = steps;
    c->newton_iterations = iterations;
    c->newton_fails = failed;
    c->error_test_fails = rejected;
    c->residual_calls.newton = c->residual_calls.total - c->residual_calls.jacobian;
    c->order = s->run->o->max_order;
    c->h = h;
}

static resida_status integrate(bdf *s)
{
    TSConvergedReason reason = TS_CONVERGED_ITERATING;
    PetscErrorCode error = TSSolve(s->ts, s->y);
    take_counters(s);
    TSGetConvergedReason(s->ts, &reason);
    if (error == 0 && reason >= 0) return s->run->result->status;
    if (error)
        return rsd_peer_fail(s->run, RESIDA_ERR_INTERNAL, "TSSolve: error %d at t = %.9g", (int)error,
                             s->run->result->t);
    return rsd_peer_fail(s->run, RESIDA_ERR_NEWTON, "TSSolve: %s at t = %.9g", TSConvergedReasons[reason],
                         s->run->result->t);
}

resida_status rsd_peer_solve_petsc_bdf(rsd_peer_run *run)
{
    static bdf s;
    s.run = run;
    double **arrays[] = {&s.p, &s.q, &s.r, &s.before};
    for (int i = 0; i < 4; i++) *arrays[i] = rsd_peer_doubles(run->n);
    resida_stats *c = &run->result->stats;
    c->residual_calls.jacobian = c->jacobian_evaluations.coloured = c->jacobian_evaluations.dense = 0;
    setenv("OMPI_MCA_btl", "self", 0); /* a single process: skip the network search of MPI, which takes half a second */
    PetscOptionsSetValue(NULL, "-no_signal_handler", "1"); /* the signals that stop a run are already handled */
    if (PetscInitializeNoArguments() != 0) return rsd_peer_fail(run, RESIDA_ERR_INTERNAL, "PetscInitialize failed");
    PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
    PetscErrorCode error = create(&s);
    if (error) return rsd_peer_fail(run, RESIDA_ERR_INTERNAL, "PETSc rejected its options (error %d)", (int)error);
    rsd_peer_clock(run, 1);
    resida_status status = integrate(&s);
    rsd_peer_clock(run, 0);
    PetscFinalize();
    return status;
}
