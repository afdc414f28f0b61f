/* advance.c - integrates to TOUT, and writes IDID and the output in RWORK and IWORK. */
#include "integration.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { USUAL_STEPS = 500 };                        /* max. steps of a call without MXSTEP */
static const double roundings = 100 * DBL_EPSILON; /* min tolerance relative to Y */
static const double relief = 10;                   /* factor for tolerances that were too tight in a step */

/* Check that the tolerances are sufficient at Y. Return 0 if they are, ID_NO_TOLERANCE, or ID_STRINGENT with the
 * tolerances increased to a sufficient value. least: lower bound of the factor, if > 1 */
static int check_accuracy(const das_call *c, double least)
{
    double sum = 0;
    for (int i = 0; i < c->n; i++) {
        const double w = das_compute_tolerance(c, i, c->y[i]);
        if (!(w > 0)) return ID_NO_TOLERANCE;
        sum += c->y[i] / w * (c->y[i] / w);
    }
    const double r = fmax(sqrt(sum / c->n) * roundings, least);
    if (!(r > 1)) return 0;
    const int n = c->info[INFO_BY_COMPONENT] ? c->n : 1;
    for (int i = 0; i < n; i++) c->rtol[i] *= r, c->atol[i] *= r;
    return ID_STRINGENT;
}

/* Check the tolerances at Y. Return as check_accuracy(), with the reason in `why`. */
static int report_accuracy(const das_call *c, resida_message *why)
{
    const int idid = check_accuracy(c, 0);
    if (idid == ID_STRINGENT)
        strcpy(why->text, "RTOL and ATOL were below the rounding error of Y; they now contain sufficient values");
    if (idid == ID_NO_TOLERANCE) strcpy(why->text, "a component of Y became 0, and its tolerance became 0, too");
    return idid;
}

int das_get_failure_idid(const das_integration *x, resida_status status)
{
    switch (status) {
    case RESIDA_ERR_USER:
        return ID_STOPPED;
    case RESIDA_ERR_USER_REPEATED:
        return x->ires == -1 ? ID_REFUSED : ID_NEWTON;
    case RESIDA_ERR_ERROR_TEST:
    case RESIDA_ERR_CHATTERING:
        return ID_ERROR_TEST;
    case RESIDA_ERR_STEP_TOO_SMALL:
        /* by error test failures, or by convergence failures */
        return x->counts.error_fails - x->before.error_fails > x->counts.newton_fails - x->before.newton_fails
                   ? ID_ERROR_TEST
                   : ID_NEWTON;
    case RESIDA_ERR_NEWTON:
    case RESIDA_ERR_SIGN:
    case RESIDA_ERR_NONFINITE:
        return ID_NEWTON;
    case RESIDA_ERR_SINGULAR:
        return ID_SINGULAR;
    case RESIDA_ERR_TOLERANCE:
        return ID_STRINGENT;
    default:
        return ID_ILLEGAL;
    }
}

static int convert_status(const das_integration *x, const das_call *c, resida_status status, double tau)
{
    const int ends_at_stop = c->info[INFO_T_STOP] && tau >= x->direction * c->rwork[R_T_STOP];
    if (status == RESIDA_EVENT) return das_traits_of[c->routine].id_root;
    if (status == RESIDA_INTERRUPTED) return ID_MUCH_WORK;
    if (status < 0) return das_get_failure_idid(x, status);
    if (c->routine == DAS_DDASKR && ends_at_stop) return ID_T_STOP; /* the other routines test TOUT first */
    if (tau >= x->direction * c->t_out) return ID_T_OUT;
    return status == RESIDA_STOP_TIME ? ID_T_STOP : ID_STEP;
}

static void write_roots(const das_integration *x, const das_call *c, int idid)
{
    for (int i = 0; i < x->n_root; i++) c->jroot[i] = 0;
    if (x->n_root == 0 || idid != das_traits_of[c->routine].id_root) return;
    resida_solver_event(x->solver, c->jroot);
    if (c->routine == DAS_DDASKR) return; /* JROOT has the direction of the sign change */
    for (int i = 0; i < x->n_root; i++) c->jroot[i] = c->jroot[i] != 0;
}

static void write_state(das_integration *x, const das_call *c, const resida_state *at, int idid)
{
    const int n = x->n;
    *c->t = idid == ID_T_OUT || idid == ID_T_STOP ? c->t_out : x->direction * at->t;
    memcpy(c->y, at->y, (size_t)n * sizeof *c->y);
    memcpy(c->yp, at->yp, (size_t)n * sizeof *c->yp);
    for (int i = 0; i < n && x->direction < 0; i++) c->yp[i] = -c->yp[i];
    for (int i = 0; i < n && x->is_nonnegative; i++)
        if (c->y[i] < 0 && c->y[i] >= -das_compute_tolerance(c, i, c->y[i])) c->y[i] = 0;
    x->t_told = *c->t;
}

/* Add the counters of the solver. They do not change if no step was begun. */
static void update_counts(das_integration *x)
{
    resida_stats stats = {.size = sizeof stats};
    if (!x->has_begun || resida_solver_stats(x->solver, &stats) < 0) return;
    das_counts *k = &x->counts;
    const das_counts *was = &x->earlier;
    k->steps = was->steps + stats.steps;
    k->error_fails = was->error_fails + stats.error_test_fails;
    k->newton_fails = was->newton_fails + stats.newton_fails;
    k->iterations = was->iterations + stats.newton_iterations;
    if (!x->pd) k->jacobians = was->jacobians + stats.jacobian_evaluations.dense + stats.jacobian_evaluations.coloured;
    x->order = stats.order;
    x->h = stats.h;
}

/* Write the last step. Its end is after TOUT if Y is interpolated. */
static void write_step(const das_integration *x, const das_call *c, double tau, int idid)
{
    const int is_beyond = idid >= 0 && idid != ID_STEP && x->counts.steps != x->earlier.steps;
    c->rwork[R_H] = c->rwork[R_H_LAST] = x->direction * x->h;
    c->rwork[R_T] = x->direction * (is_beyond ? fmax(tau, x->t_step + x->h) : tau);
    c->iwork[I_ORDER] = c->iwork[I_ORDER_LAST] = x->order;
}

void das_write_counts(const das_integration *x, const das_call *c)
{
    const das_counts *k = &x->counts;
    c->iwork[I_STEPS] = (int)k->steps;
    c->iwork[I_RESIDUALS] = (int)k->residuals;
    c->iwork[I_JACOBIANS] = (int)k->jacobians;
    c->iwork[I_ERROR_FAILS] = (int)k->error_fails;
    c->iwork[I_NEWTON_FAILS] = (int)k->newton_fails;
    const das_traits *traits = &das_traits_of[c->routine];
    if (traits->i_root_calls) c->iwork[traits->i_root_calls] = (int)k->root_calls;
    if (!traits->is_daspk) return;
    c->iwork[I_ITERATIONS] = (int)k->iterations;
    c->iwork[I_LINEAR_FAILS] = c->iwork[I_LINEAR_ITERATIONS] = c->iwork[I_PSOL_CALLS] = 0;
}

static long read_count(const das_call *c, int place)
{
    return c->iwork[place] > 0 ? c->iwork[place] : 0;
}

void das_read_counts(das_integration *x, const das_call *c)
{
    x->counts = (das_counts){.steps = read_count(c, I_STEPS),
                             .residuals = read_count(c, I_RESIDUALS),
                             .jacobians = read_count(c, I_JACOBIANS),
                             .error_fails = read_count(c, I_ERROR_FAILS),
                             .newton_fails = read_count(c, I_NEWTON_FAILS)};
    const das_traits *traits = &das_traits_of[c->routine];
    if (traits->i_root_calls) x->counts.root_calls = read_count(c, traits->i_root_calls);
    if (traits->is_daspk) x->counts.iterations = read_count(c, I_ITERATIONS);
}

int das_advance(das_integration *x, const das_call *c, resida_message *why)
{
    const double to = x->direction * c->t_out,
                 stop = c->info[INFO_T_STOP] ? x->direction * c->rwork[R_T_STOP] : INFINITY;
    int idid = report_accuracy(c, why);
    if (idid < 0) return idid;
    x->has_begun = x->ires = 0;
    x->steps_in_call = 0;
    x->before = x->counts;
    const int has_max_steps = !das_traits_of[c->routine].is_daspk && c->info[INFO_MAX_STEPS] == 1;
    x->max_steps = has_max_steps ? c->iwork[I_MAX_STEPS] : USUAL_STEPS;
    resida_status status = resida_solver_set_stop_time(x->solver, stop);
    if (status >= 0)
        status = c->info[INFO_EACH_STEP] ? resida_solver_step(x->solver, to) : resida_solver_advance(x->solver, to);
    resida_state at;
    if (status < 0) memcpy(why->text, resida_solver_message(x->solver), sizeof why->text);
    if (resida_solver_state(x->solver, &at) < 0) return ID_ILLEGAL;
    update_counts(x);
    idid = convert_status(x, c, status, at.t);
    write_roots(x, c, idid);
    write_state(x, c, &at, idid);
    write_step(x, c, at.t, idid);
    x->is_at_root = status == RESIDA_EVENT && das_evaluate_roots(x, *c->t, c->y, c->yp, x->roots) == 0;
    x->is_lost = status < 0;
    return status == RESIDA_ERR_TOLERANCE ? check_accuracy(c, relief) : idid;
}
