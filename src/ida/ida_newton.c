/* ida_newton.c - the corrector iteration (14), (18) of Arnold, Fuchs, Fuehrer, with a known reason for every setup:
 *
 *     y(m+1) = y(m) - c J^-1 F(y(m), alpha y(m) + beta),    c = 2/(1 + alpha/alpha_J)
 *
 * J is set up at the first step, when alpha/alpha_J leaves [3/5, 5/3], and when an iteration failed with a J that is
 * not of this attempt, as IDA does; but here the cause is known, also across attempts: after a failed attempt the step
 * is cut to a quarter, and the next setup is counted as "failure", not as "alpha". A cheap update is followed by a
 * better one within the attempt, as long as the engine says that J is not current.
 *
 * Convergence as in IDA: rate = (|delta_m|/|delta_0|)^(1/m) <= 0.9, done when rate/(1 - rate) |delta| <= tolerance, the
 * factor remembered from earlier steps with the same alpha; at most 4 iterations, 6 where they correct J. Corrections
 * that do not shrink with the J of this very point are rounding: below a third of the error test they end the iteration
 * instead of failing it. An engine that renews J gets more: what the iteration sees of F corrects J (secant.h);
 * corrections so large that the error test is lost cut the step before anything is evaluated; and dF/dy is evaluated
 * anew when a slow rate has cost iterations worth a good part of an evaluation, as one decides when to buy what one has
 * rented so far. The norm has weights of its own: components of index 2 (lam, eta) times h, of index 3 times h^2,
 * because their rounding grows like 1/h, 1/h^2. */
#include "ida_newton.h"
#include "ida_failure.h"
#include "src/watch/tolerance.h"
#include "jacobian/engine.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { MAX_ITERATIONS = 4, MAX_CORRECTED = 6, NO_SETUP = -1, MEASURE_FIRST = 2, MEASURE_OFTEN = 8, MEASURE_LAST = 32 };
#define WORST_RATE         0.9
#define ROUNDING_ALLOWED   0.33 /* of the error test, where corrections do not shrink although J is of this point */
#define ALPHA_RANGE        0.25 /* alpha/alpha_J within (1 - range)/(1 + range) and its inverse */
#define FACTOR_AFTER_SETUP 20.0
#define LEAST_FACTOR       1e-3  /* of a remembered rate, when J is renewed at every attempt */
#define GOOD_RATE          0.05  /* below it the rate is measured every 8 attempts at the most */
#define FINE_RATE          0.001 /* below it every 32 */
#define STALE_RATE         0.1   /* above it dF/dy is evaluated anew, when J is renewed at every attempt, ... */
#define SHARE_OF_COST      0.35  /* once it has cost iterations worth this part of an evaluation */
#define DEAR               40.0  /* calls of an evaluation that is dear: ... */
#define LONGER             9.0   /* times the step of a measured rate: below it growth is that of its age */
#define MOST_DOUBT         6.0   /* what a rate that is not measured now is multiplied by where it is cheap */
#define MEASURED           2.0   /* times the tolerance, where the rate is of this very attempt and dF/dy is kept */
#define TOO_LONG           2.0   /* of the error test: corrections that no J makes pass it */
#define ASTRAY             16.0  /* a correction that grows less is right for h/4, whose h^2 dF/dy is a 16th */
#define FACTOR_NEW_ALPHA   100.0

/* One attempt to solve a step. */
typedef struct attempt {
    double t, alpha, h, tolerance;
    double from;                  /* where the step begins, in IDA's time; t is that of the user, as F gets it */
    const double *y0, *yp0, *ewt; /* predictor and error weights */
    double *e;                    /* correction so far */
    int reason;                   /* of the next setup, or NO_SETUP */
    int is_retry;                 /* from where another one began that failed */
    int renewed;                  /* J was set up in this attempt, with all that costs no residual call */
    int current;                  /* and cannot be made better */
    int searched;                 /* but for entries that rounding hid, and these were asked for */
} attempt;

static int evaluate(rsd_newton *nw, const attempt *a)
{
    for (int i = 0; i < nw->n; i++) {
        nw->y[i] = a->y0[i] + a->e[i];
        nw->yp[i] = a->yp0[i] + a->alpha * a->e[i];
    }
    nw->guard->cause = RSD_NEWTON;
    return rsd_guard_residual(a->t, nw->y, nw->yp, nw->F, nw->guard);
}

static int choose_reason(const rsd_newton *nw, double t, double alpha)
{
    if (nw->previous_failed) return RESIDA_SETUP_FAILURE;
    if (!nw->has_matrix) return RESIDA_SETUP_FIRST;
    if (nw->is_stale || nw->age >= nw->max_age || resida_jacobian_is_requested(nw->engine)) return RESIDA_SETUP_OTHER;
    if (nw->renews && (nw->is_worn || rsd_engine_is_due(nw->engine, t))) return RESIDA_SETUP_ATTEMPT;
    if (nw->renews) return alpha != nw->alpha_matrix ? (int)RESIDA_SETUP_ALPHA : NO_SETUP;
    double ratio = alpha / nw->alpha_matrix, least = (1 - ALPHA_RANGE) / (1 + ALPHA_RANGE);
    return ratio < least || ratio > 1 / least ? (int)RESIDA_SETUP_ALPHA : NO_SETUP;
}

/* J as the linear solver has to have it: analysed anew when its pattern grew. */
static int factor(rsd_newton *nw, double h)
{
    resida_jacobian_matrix J;
    if (resida_jacobian_get_matrix(nw->engine, &J) < 0) return nw->guard->stop = RESIDA_ERR_INTERNAL;
    if (J.pattern != nw->pattern) {
        resida_status status = rsd_linear_set_pattern(nw->linear, J.start, J.row, nw->guard->message);
        if (status < 0) return nw->guard->stop = status;
        nw->pattern = J.pattern;
    }
    nw->factorisations++;
    if (rsd_scaling_renew(nw->scaling, nw->linear, 1, &J, h) < 0) return nw->guard->stop = RESIDA_ERR_MEMORY;
    nw->singular_column = rsd_linear_factor(nw->linear, J.values);
    if (nw->singular_column < 0)
        return nw->guard->stop = rsd_fail(nw->guard->message, RESIDA_ERR_MEMORY, "no memory for the factors of J");
    return nw->singular_column;
}

/* The corrections learnt are of the dF/dy before; of the same one they stay, for the new factors. */
static void renew_secant(rsd_newton *nw, int is_new)
{
    if (!nw->secant) return;
    if (is_new)
        rsd_secant_forget(nw->secant);
    else
        rsd_secant_refactored(nw->secant);
}

/* J and its factors at the predictor, where F is known. A cheap J that is singular is made better at once; one that is
 * singular all the same may lack entries that rounding hid, and these are looked for once.
 * > 0: not possible here, or singular. */
static int setup(rsd_newton *nw, attempt *a)
{
    resida_jacobian_point at = {a->t, a->alpha, a->h, nw->y, nw->yp, nw->F, a->ewt};
    int verdict = 0, is_whole = !nw->renews || a->reason != RESIDA_SETUP_ALPHA;
    nw->guard->cause = RSD_JACOBIAN;
    for (;;) {
        nw->setups[a->reason]++;
        nw->has_matrix = 0;
        verdict = resida_jacobian_setup(nw->engine, (resida_setup_reason)a->reason, &at, &a->current);
        a->reason = NO_SETUP;
        if (verdict < 0 && nw->guard->stop == RESIDA_OK)
            nw->guard->stop =
                rsd_fail(nw->guard->message, (resida_status)verdict, "J cannot be set up at t = %.9g: %s", a->t,
                         verdict == RESIDA_ERR_MEMORY ? "no memory for its pattern"
                                                      : resida_status_name((resida_status)verdict));
        int is_singular = !verdict && (verdict = factor(nw, a->h)) > 0;
        if (verdict <= 0 || (a->current && (!is_singular || a->searched))) break;
        if (a->current) a->searched = resida_jacobian_request(nw->engine, RESIDA_REQUEST_PATTERN) == RESIDA_OK;
        a->reason = RESIDA_SETUP_FAILURE;
    }
    if (verdict) return verdict;
    nw->has_matrix = 1;
    nw->alpha_matrix = a->alpha;
    int is_new = rsd_engine_is_new(nw->engine);
    renew_secant(nw, is_new);
    a->renewed = is_whole || is_new;
    if (a->renewed) nw->is_worn = 0;
    if (is_new) nw->is_stale = 0, nw->age = nw->extra = 0;
    if (!nw->renews)
        nw->rate_factor = FACTOR_AFTER_SETUP;
    else if (is_new && rsd_engine_ages(nw->engine))
        nw->since_measured = nw->measure_after = MEASURE_FIRST; /* a new dF/dy: what is its rate? */
    return 0;
}

static void set_weights(rsd_newton *nw, const attempt *a)
{
    rsd_newton_weights(nw->h_weights, a->h, nw->n, nw->kinds, a->ewt, nw->w);
}

/* delta = -c J^-1 F, added to the correction; its norm. */
static double correct(rsd_newton *nw, attempt *a)
{
    double c = 2 / (1 + a->alpha / nw->alpha_matrix), sum = 0;
    for (int i = 0; i < nw->n; i++) nw->delta[i] = -c * nw->F[i];
    rsd_linear_solve(nw->linear, 1, nw->delta);
    if (nw->secant) rsd_secant_correct(nw->secant, nw->delta);
    nw->solves++;
    for (int i = 0; i < nw->n; i++) {
        double part = nw->delta[i] * nw->w[i];
        a->e[i] += nw->delta[i];
        sum += part * part;
    }
    return sqrt(sum / nw->n);
}

/* The slowest rate that is put up with. */
static double slow_rate(const rsd_newton *nw)
{
    return nw->slow_rate > 0 ? nw->slow_rate : nw->renews ? STALE_RATE : WORST_RATE;
}

/* Is it time to evaluate dF/dy? Not before the iterations that an old one has cost are worth a part of an
 * evaluation. */
static int is_worth_it(const rsd_newton *nw)
{
    return !nw->renews || (double)nw->extra > SHARE_OF_COST * rsd_engine_cost(nw->engine);
}

/* A rate of convergence was measured. A slow one asks for a better J at the next attempt: for what is free where that
 * was not renewed at this one, else for dF/dy. An engine that renews gets its rate remembered. */
static void remember_rate(rsd_newton *nw, const attempt *a, double rate)
{
    int is_slow = rate > slow_rate(nw);
    nw->rate_factor = rate / (1 - rate);
    nw->h_measured = a->h;
    nw->is_worn = is_slow && nw->renews && !a->renewed;
    nw->is_stale = is_slow && !nw->is_worn && is_worth_it(nw);
    if (!nw->renews) return;
    nw->rate_factor = fmax(nw->rate_factor, LEAST_FACTOR);
    nw->age_measured = nw->age;
    nw->since_measured = 0;
    int most = rate < FINE_RATE ? MEASURE_LAST : rate < GOOD_RATE ? MEASURE_OFTEN : MEASURE_FIRST;
    nw->measure_after = 2 * nw->measure_after < most ? 2 * nw->measure_after : most;
    if (is_slow && !rsd_engine_ages(nw->engine)) nw->measure_after = 1; /* nothing can make it better */
}

/* rate/(1 - rate) for a first correction, a guess on the safe side. What was measured with a shorter step has grown
 * like h^2, as what is wrong in dF/dy does in J (a contact that has opened: the rate was 1e-6 in it, and is 1 some
 * doublings later). What was measured when dF/dy was younger has grown since, like the square of its age; and the
 * cheaper an evaluation is, the less it pays to trust: without both the end errors of Andrews' mechanism, explicit
 * formalism, are five times those with a fresh dF/dy, with them twice, for fewer residual calls. */
static double expected_factor(const rsd_newton *nw)
{
    double older = 1, doubt = 1;
    if (rsd_engine_ages(nw->engine)) {
        double dear = DEAR / (1 + rsd_engine_cost(nw->engine));
        if (nw->age_measured > 0) older = fmax((double)nw->age / (double)nw->age_measured, 1);
        doubt = fmin(fmax(dear * dear, 1), MOST_DOUBT);
    }
    return nw->rate_factor * older * older * doubt;
}

/* F after the last correction, which is learnt from. */
static int evaluate_again(rsd_newton *nw, const attempt *a, int learn)
{
    if (!nw->secant) return evaluate(nw, a);
    memcpy(nw->F_before, nw->F, (size_t)nw->n * sizeof *nw->F);
    int verdict = evaluate(nw, a);
    learn &= rsd_engine_is_dear(nw->engine); /* each correction costs a solve for every factorisation */
    double c = 2 / (1 + a->alpha / nw->alpha_matrix);
    if (!verdict && learn) rsd_secant_learn(nw->secant, nw->w, nw->delta, c, nw->F_before, nw->F);
    return verdict;
}

/* What iteration m leaves, as it is compared with the tolerance. The first one is judged by a rate of steps before, and
 * its error is that of an old J, in components that are stiff; with a rate of this attempt and what it taught of J,
 * more may be left. */
static double error_left(const rsd_newton *nw, int m, double norm)
{
    if (m == 0) return expected_factor(nw) * norm;
    return nw->rate_factor * norm / (rsd_engine_ages(nw->engine) ? MEASURED : 1);
}

/* Was the rate measured with a step so much shorter that it may not hold? What is wrong in dF/dy grows in J like h^2:
 * in a contact that has opened the rate was 1e-6, and is 1 some doublings later. */
static int is_outgrown(const rsd_newton *nw, const attempt *a, double norm)
{
    const double longer = nw->h_measured > 0 ? a->h / nw->h_measured : 1;
    return longer > LONGER && longer * longer * error_left(nw, 0, norm) > a->tolerance;
}

/* 0 converged; > 0 not; < 0 stop. F at the start of the correction is known. */
static int iterate(rsd_newton *nw, attempt *a)
{
    double first = 0;
    nw->diverged = 0;
    int measure = nw->renews && nw->since_measured++ >= nw->measure_after;
    int most = nw->secant ? MAX_CORRECTED : MAX_ITERATIONS;
    for (int m = 0; m < most; m++) {
        double norm = correct(nw, a);
        nw->iterations++;
        if (!isfinite(norm)) return 1;
        if (m == 0) {
            first = norm;
            if (norm <= 1e-8 * a->tolerance) return 0;
        } else {
            double rate = pow(norm / first, 1.0 / m);
            nw->diverged = rate > ASTRAY;
            if (rate > WORST_RATE) return !(a->current && norm <= ROUNDING_ALLOWED);
            remember_rate(nw, a, rate);
        }
        int done = error_left(nw, m, norm) <= a->tolerance;
        int doubts = done && m == 0 && !measure && is_outgrown(nw, a, norm);
        if (done && !doubts && !(measure && m == 0)) return 0;
        nw->extra += !done;
        if (m + 1 == most) return 1;
        int look = m == 0 && !a->current;
        if (look) rsd_inertia_begin(&nw->inertia, nw->engine, a->alpha, a->ewt, nw->F);
        int verdict = evaluate_again(nw, a, !done);
        if (verdict) return verdict;
        if (look && (nw->diverged = rsd_inertia_is_unmoved(&nw->inertia, nw->F))) return 1;
        if (doubts && (!look || rsd_inertia_is_small(&nw->inertia, nw->F))) return 0;
    }
    return 1;
}

/* Corrections so large would not pass the error test if the iteration did converge: the step is too long, whatever J
 * is; but a J that is wrong there says nothing of what they would be. */
static int is_too_long(rsd_newton *nw, const attempt *a)
{
    nw->too_long = nw->renews && a->renewed && !nw->diverged && !nw->too_long &&
                   rsd_jump_size(nw->n, nw->kinds, a->e, a->ewt) > TOO_LONG;
    return nw->too_long;
}

static int is_to_begin_anew(rsd_newton *nw, const attempt *a)
{
    double h_last = 0;
    long steps = 0;
    IDAGetNumSteps(nw->ida, &steps);
    if (steps > 0) IDAGetLastStep(nw->ida, &h_last); /* else it is of before the restart */
    rsd_jump_attempt end = {.n = nw->n,
                            .from = a->from,
                            .h = a->h,
                            .alpha = a->alpha,
                            .kinds = nw->kinds,
                            .y = a->y0,
                            .yp = a->yp0,
                            .e = a->e,
                            .weight = a->ewt};
    rsd_jump_end(&nw->jump, &end);
    if (!a->is_retry && !rsd_jump_is_cut(a->h, h_last)) return 0;
    end.size = rsd_jump_size(nw->n, nw->kinds, a->e, a->ewt);
    return rsd_jump_watch(&nw->jump, h_last, &end);
}

static int try_step(rsd_newton *nw, attempt *a)
{
    for (;;) {
        memset(a->e, 0, (size_t)nw->n * sizeof *a->e);
        int verdict = evaluate(nw, a);
        if (verdict) return verdict;
        if (a->reason != NO_SETUP && (verdict = setup(nw, a))) return verdict;
        verdict = iterate(nw, a);
        if (verdict <= 0) return verdict;
        nw->fails++;
        rsd_blame_note(&nw->blame, nw->n, nw->delta, nw->w);
        if (is_too_long(nw, a) || a->current) return verdict;
        a->reason = nw->renews && !a->renewed ? RESIDA_SETUP_ATTEMPT : RESIDA_SETUP_FAILURE;
    }
}

/* The step is solved: its end is projected onto the constraints, as a part of the correction, so that the error test
 * and the history have it. */
static int project(rsd_newton *nw, const attempt *a)
{
    rsd_guard *g = nw->guard;
    for (int i = 0; i < nw->n; i++) nw->y[i] = a->y0[i] + a->e[i];
    rsd_guard_expect(g);
    int verdict = rsd_guard_judge(g, a->t, rsd_problem_project(g->problem, a->t, nw->y), nw->y, nw->n);
    for (int i = 0; i < nw->n && !verdict; i++) a->e[i] = nw->y[i] - a->y0[i];
    return verdict;
}

int rsd_newton_interrupted(rsd_newton *nw, double t)
{
    nw->asked = 1;
    return rsd_guard_interrupted(nw->guard, t, nw->monitor, nw->monitor_user);
}

/* What must end an integration before any work: the monitor, or a step that does not move t. The monitor is asked
 * before a step begins, from where an interrupted integration goes on as if nothing had been; here only on a retry. */
static int may_not_go_on(rsd_newton *nw, const attempt *a)
{
    rsd_guard *g = nw->guard;
    if (!nw->asked && rsd_newton_interrupted(nw, nw->origin + a->from)) return 1;
    nw->asked = 0;
    if (a->from + a->h == a->from) {
        g->stop = rsd_ida_step_is_too_small(nw, a->t, a->h);
        return 1;
    }
    return 0;
}

/* IDA has counted the attempt that was broken off as a step of this size. If it is tried again with the same size,
 * the coefficients of the formula are wrong; so it is made a little smaller. */
static int change_step(rsd_newton *nw)
{
    nw->abandoned = 0;
    IDASetEtaConvFail(nw->ida, 0.999);
    return SUN_NLS_CONV_RECVR;
}

static int solve(SUNNonlinearSolver base, N_Vector y0, N_Vector correction, N_Vector ewt, sunrealtype tolerance,
                 sunbooleantype call_setup, void *ida)
{
    (void)call_setup; /* IDA has no linear solver here and always says no */
    rsd_newton *nw = base->content;
    N_Vector ypred, yppred, yn, ypn, res;
    void *user;
    attempt a = {.tolerance = tolerance, .reason = NO_SETUP};
    if (IDAGetNonlinearSystemData(ida, &a.t, &ypred, &yppred, &yn, &ypn, &res, &a.alpha, &user) != IDA_SUCCESS ||
        IDAGetCurrentStep(ida, &a.h) != IDA_SUCCESS)
        return RSD_NLS_STOP;
    a.from = a.t - a.h;
    a.t += nw->origin;
    a.y0 = N_VGetArrayPointer(y0);
    a.yp0 = N_VGetArrayPointer(yppred);
    a.ewt = N_VGetArrayPointer(ewt);
    a.e = N_VGetArrayPointer(correction);
    nw->guard->h = a.h;
    if (nw->abandoned) return change_step(nw);
    IDASetEtaConvFail(ida, 0); /* IDA's own, a quarter */
    int first = nw->asked;
    if (may_not_go_on(nw, &a)) return RSD_NLS_STOP;
    nw->attempts++;
    nw->age++;
    if (nw->renews) rsd_growth_begin(&nw->growth, ida, a.from, a.h);
    /* Once more from there: the error test failed, something happened, and the rate may not be what it was. */
    const int again = a.is_retry = fabs(a.from - nw->t_from) < 1e-3 * fabs(a.h);
    if (again) {
        if (nw->growth.converged) rsd_blame_component(&nw->blame, nw->suspect);
        nw->since_measured = nw->measure_after;
        if (nw->renews && nw->growth.converged) nw->is_stale = 0; /* it was slow further on */
    }
    if (!again) rsd_jump_begin(&nw->jump);
    nw->t_from = a.from;
    set_weights(nw, &a);
    a.reason = choose_reason(nw, a.t, a.alpha);
    if (!nw->renews && a.alpha != nw->alpha_previous) nw->rate_factor = FACTOR_NEW_ALPHA;
    nw->alpha_previous = a.alpha;
    int verdict = try_step(nw, &a);
    if (verdict == 0 && rsd_problem_projects(nw->guard->problem)) verdict = project(nw, &a);
    if (verdict <= 0) nw->too_long = 0;
    nw->previous_failed = verdict > 0 && !nw->too_long;
    nw->growth.converged = verdict == 0;
    nw->suspect = verdict == 0 && again ? rsd_largest(nw->n, a.e, a.ewt) : -1;
    nw->abandoned = verdict < 0 && first;
    if (verdict == 0 && is_to_begin_anew(nw, &a)) return RSD_NLS_STOP;
    return verdict == 0 ? 0 : verdict > 0 ? SUN_NLS_CONV_RECVR : RSD_NLS_STOP;
}

int rsd_newton_probe(rsd_newton *nw, const rsd_probe *probe, double *correction)
{
    attempt a = {.t = nw->origin + (probe->t + probe->h), .alpha = 1 / probe->h, .h = probe->h, .e = correction};
    a.y0 = probe->y;
    a.yp0 = probe->yp;
    a.ewt = probe->weight;
    memset(correction, 0, (size_t)nw->n * sizeof *correction);
    nw->guard->h = a.h;
    set_weights(nw, &a);
    a.reason = choose_reason(nw, a.t, a.alpha);
    int verdict = evaluate(nw, &a);
    if (!verdict && a.reason != NO_SETUP) verdict = setup(nw, &a);
    if (!verdict) correct(nw, &a);
    return verdict;
}

void rsd_newton_renew(rsd_newton *nw)
{
    if (nw->renews)
        nw->is_worn = 1;
    else
        resida_jacobian_request(nw->engine, RESIDA_REQUEST_EVALUATION);
}

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

resida_status rsd_newton_create(rsd_newton *nw, const resida_solver_options *o, const resida_allocator *alloc)
{
    nw->ops = (struct _generic_SUNNonlinearSolver_Ops){.gettype = type, .solve = solve, .setsysfn = set_system};
    nw->base.content = nw;
    nw->base.ops = &nw->ops;
    double **vectors[] = {&nw->w, &nw->y, &nw->yp, &nw->F, &nw->F_before, &nw->delta};
    int all = rsd_linear_create(&nw->linear, nw->n, o->linear_solver, alloc, NULL) >= 0 &&
              rsd_scaling_create(&nw->scaling, o, nw->guard->problem, 1) >= 0 &&
              rsd_scaling_attach(nw->scaling, nw->linear, 1) >= 0;
    for (int i = 0; i < 6; i++) all &= (*vectors[i] = rsd_doubles(alloc, nw->n)) != NULL;
    nw->renews = rsd_engine_renews(nw->engine);
    if (all && rsd_engine_ages(nw->engine)) all &= rsd_secant_create(&nw->secant, nw->n, nw->linear, alloc) >= 0;
    all &= rsd_jump_create(&nw->jump, nw->n, alloc) >= 0;
    all &= rsd_inertia_create(&nw->inertia, nw->n, nw->renews, alloc) >= 0;
    if (nw->max_age == 0) nw->max_age = LONG_MAX;
    rsd_newton_reset(nw);
    return all ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

void rsd_newton_free(rsd_newton *nw, const resida_allocator *alloc)
{
    rsd_secant_free(nw->secant);
    rsd_linear_free(nw->linear);
    rsd_scaling_free(nw->scaling);
    rsd_inertia_free(&nw->inertia, alloc);
    rsd_jump_free(&nw->jump, alloc);
    void *blocks[] = {nw->w, nw->y, nw->yp, nw->F, nw->F_before, nw->delta};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) rsd_free(alloc, blocks[i]);
}

void rsd_newton_restart(rsd_newton *nw)
{
    nw->previous_failed = nw->singular_column = nw->asked = nw->abandoned = nw->too_long = 0;
    nw->blame.count = 0;
    nw->suspect = -1;
    rsd_growth_reset(&nw->growth, nw->ida);
    nw->rate_factor = FACTOR_AFTER_SETUP;
    nw->h_measured = 0;
    rsd_jump_reset(&nw->jump);
    nw->since_measured = nw->measure_after = MEASURE_FIRST;
    nw->is_worn = nw->renews;
    nw->t_from = INFINITY;
    nw->alpha_previous = 0;
}

void rsd_newton_reset(rsd_newton *nw)
{
    rsd_newton_restart(nw);
    nw->has_matrix = nw->is_stale = nw->is_worn = 0;
    nw->age = nw->extra = nw->age_measured = 0;
    if (nw->secant) rsd_secant_forget(nw->secant);
}
