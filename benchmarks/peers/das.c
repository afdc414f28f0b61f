/* das.c - DASSL of L. Petzold and DASPK of P. Brown, A. Hindmarsh, L. Petzold, in the versions of liboctave: their
 * direct methods with their own dense difference quotients. The calling sequence and the layout of the work arrays are
 * the same. In intermediate-output mode, INFO(3) = 1, they return after each step and at each output, which they
 * interpolate. Therefore their limit of 500 steps per call is never reached.
 *
 * Multipliers are excluded from the error test, as K. E. Brenan, S. L. Campbell, L. R. Petzold, Numerical Solution of
 * Initial-Value Problems in Differential-Algebraic Equations, recommend for variables of higher index; GGL is
 * impractical otherwise. DASPK has an option for this: INFO(16) = 1 and -1 for each multiplier in IWORK(40 + i). DASSL
 * has only tolerances by component (INFO(2) = 1). Multipliers get a tolerance of RSD_PEER_FAR_OFF, which excludes them
 * from the Newton test, too. The Newton test of DASPK includes multipliers. If it fails at the start, the run is
 * repeated with these tolerances, as for IDA (ida.c). */
#include "peer_impl.h"

#include <math.h>
#include <string.h>

typedef void dassl_residual(const double *t, const double *y, const double *yp, double *delta, int *ires, void *rpar,
                            int *ipar);
void ddassl_(dassl_residual *res, const int *neq, double *t, double *y, double *yp, const double *t_out, int *info,
             double *rtol, double *atol, int *idid, double *rwork, const int *lrw, int *iwork, const int *liw,
             void *rpar, int *ipar, void (*jac)(void));
typedef void daspk_residual(const double *t, const double *y, const double *yp, const double *cj, double *delta,
                            int *ires, void *rpar, int *ipar);
void ddaspk_(daspk_residual *res, const int *neq, double *t, double *y, double *yp, const double *t_out, int *info,
             double *rtol, double *atol, int *idid, double *rwork, const int *lrw, int *iwork, const int *liw,
             void *rpar, int *ipar, void (*jac)(void), void (*psol)(void));
void xsetf_(const int *kontrl);

/* Indices in INFO, IWORK, RWORK, counted from 0. */
enum { VECTORS = 1, INTERMEDIATE = 2, STOP = 3, H_MAX = 6, H_FIRST = 7, MAX_ORDER = 8 };
enum { I_MAX_ORDER = 2, I_ORDER = 7, I_STEPS = 10, I_JACOBIANS = 12, I_ERROR_FAILS = 13, I_NEWTON_FAILS = 14 };
enum { EXCLUDE = 15, KINDS = 40, DASSL_CALLS = 11, DASPK_ITERATIONS = 18 };
enum { R_STOP = 0, R_H_MAX = 1, R_H = 2, R_T = 3, R_H_LAST = 6 };

/** A run. Numbers in brackets are indices of the Fortran documentation, counted from 1. */
typedef struct das {
    rsd_peer_run *run;
    const char *name;
    double t, *y, *yp;
    double *rtol, *atol; /**< [n] */
    int n, info[20], idid, lrw, liw, *iwork;
    double *rwork;
    void (*call)(struct das *s, double t_out); /**< the Fortran routine */
} das;

/** Allocate the arrays and set the options that DASSL and DASPK share. lrw, liw: sizes of the work arrays. */
static void create(das *s, rsd_peer_run *run, const char *name, int lrw, int liw)
{
    const resida_solver_options *o = run->o;
    *s = (das){.run = run, .name = name, .n = run->n, .t = run->task->t0, .lrw = lrw, .liw = liw};
    double **arrays[] = {&s->y, &s->yp, &s->rtol, &s->atol};
    for (int i = 0; i < 4; i++) *arrays[i] = rsd_peer_doubles(s->n);
    s->rwork = rsd_peer_doubles(lrw);
    s->iwork = rsd_peer_ints(liw);
    memcpy(s->y, run->task->y0, (size_t)s->n * sizeof *s->y);
    memcpy(s->yp, run->task->yp0, (size_t)s->n * sizeof *s->yp);
    for (int i = 0; i < s->n; i++) s->rtol[i] = o->rtol, s->atol[i] = rsd_peer_atol(run, i);
    s->info[VECTORS] = s->info[INTERMEDIATE] = s->info[STOP] = s->info[H_FIRST] = s->info[MAX_ORDER] = 1;
    s->rwork[R_STOP] = o->t_stop;
    s->rwork[R_H] = rsd_peer_first_step(run);
    s->rwork[R_T] = s->t;
    s->iwork[I_MAX_ORDER] = o->max_order;
    s->info[H_MAX] = isfinite(o->h_max);
    if (s->info[H_MAX]) s->rwork[R_H_MAX] = o->h_max;
}

/** Convert the return value of rsd_peer_residual() to IRES. */
static int ires_of(int verdict)
{
    return verdict == 0 ? 0 : verdict > 0 ? -1 : -2;
}

/** Meaning of each IDID < 0, in the words of the prologues. */
static const struct {
    int idid;
    resida_status status;
    const char *text;
} failures[] = {
    {-2, RESIDA_ERR_TOLERANCE, "the error tolerances are too stringent"},
    {-3, RESIDA_ERR_TOLERANCE, "a component and its tolerance are zero"},
    {-6, RESIDA_ERR_ERROR_TEST, "repeated error test failures"},
    {-7, RESIDA_ERR_NEWTON, "the corrector could not converge"},
    {-8, RESIDA_ERR_SINGULAR, "the matrix of partial derivatives is singular"},
    {-9, RESIDA_ERR_NEWTON, "the corrector could not converge, there were repeated error test failures"},
    {-10, RESIDA_ERR_USER_REPEATED, "the corrector could not converge because IRES was -1"},
    {0, RESIDA_ERR_INTERNAL, "unrecoverable failure"}, /* all others */
};

static resida_status fail(das *s)
{
    int i = 0;
    while (failures[i].idid != 0 && failures[i].idid != s->idid) i++;
    return rsd_peer_fail(s->run, failures[i].status, "%s: IDID = %d at t = %.9g, %s", s->name, s->idid, s->t,
                         failures[i].text);
}

/** Make one step, or interpolate an output within the last step. The routines reject steps below the rounding of TOUT,
 *  even if the first output is at 1e8 s and the first step is 1e-9 s. Therefore TOUT is limited to the largest possible
 *  next step. */
static resida_status advance(das *s)
{
    rsd_peer_run *run = s->run;
    if (rsd_peer_check_steps(run, s->iwork[I_STEPS]) != RESIDA_OK) return run->result->status;
    double t_out = rsd_peer_next_output(run);
    s->call(s, fmin(t_out, s->rwork[R_T] + 2 * s->rwork[R_H]));
    run->result->t = s->t;
    if (s->idid < 0) return fail(s);
    return s->t < t_out || rsd_peer_output(run, s->y, s->yp) == 0 ? RESIDA_OK : RESIDA_INTERRUPTED;
}

/** Copy the counters. newton: residual calls of the iteration, one per iteration; a Jacobian costs n calls. */
static void take_counters(das *s, long newton)
{
    resida_stats *c = &s->run->result->stats;
    c->steps = s->iwork[I_STEPS];
    c->order = s->iwork[I_ORDER];
    c->error_test_fails = s->iwork[I_ERROR_FAILS];
    c->newton_fails = s->iwork[I_NEWTON_FAILS];
    c->jacobian_evaluations.dense = s->iwork[I_JACOBIANS];
    c->jacobian_evaluations.coloured = 0;
    c->h = s->rwork[R_H_LAST];
    c->newton_iterations = c->residual_calls.newton = newton;
    c->residual_calls.jacobian = s->n * c->jacobian_evaluations.dense;
}

static resida_status integrate(das *s, int newton)
{
    resida_status status = RESIDA_OK;
    while (status == RESIDA_OK && isfinite(rsd_peer_next_output(s->run))) status = advance(s);
    take_counters(s, s->iwork[newton]);
    return status;
}

static void not_called(void)
{
}

/* --- DASSL --- */

static void residual_of_dassl(const double *t, const double *y, const double *yp, double *delta, int *ires, void *rpar,
                              int *ipar)
{
    (void)ipar;
    *ires = ires_of(rsd_peer_residual(rpar, *t, y, yp, delta));
}

static void call_dassl(das *s, double t_out)
{
    int ipar = 0;
    ddassl_(residual_of_dassl, &s->n, &s->t, s->y, s->yp, &t_out, s->info, s->rtol, s->atol, &s->idid, s->rwork,
            &s->lrw, s->iwork, &s->liw, s->run, &ipar, not_called);
}

resida_status rsd_peer_solve_dassl(rsd_peer_run *run)
{
    static const int say_it_and_return = 1; /* mode of XERMSG, which otherwise exits */
    das s;
    const int n = run->n;
    create(&s, run, "DDASSL", 40 + (run->o->max_order + 4) * n + n * n, 21 + n);
    for (int i = 0; i < n; i++)
        if (!rsd_peer_tested(run, i)) s.rtol[i] = 0, s.atol[i] = RSD_PEER_FAR_OFF;
    s.call = call_dassl;
    xsetf_(&say_it_and_return);
    return integrate(&s, DASSL_CALLS);
}

/* --- DASPK --- */

static void residual_of_daspk(const double *t, const double *y, const double *yp, const double *cj, double *delta,
                              int *ires, void *rpar, int *ipar)
{
    (void)cj, (void)ipar;
    *ires = ires_of(rsd_peer_residual(rpar, *t, y, yp, delta));
}

static void call_daspk(das *s, double t_out)
{
    int ipar = 0;
    ddaspk_(residual_of_daspk, &s->n, &s->t, s->y, s->yp, &t_out, s->info, s->rtol, s->atol, &s->idid, s->rwork,
            &s->lrw, s->iwork, &s->liw, s->run, &ipar, not_called, not_called);
}

static resida_status solve_by_daspk(rsd_peer_run *run)
{
    das s;
    const int n = run->n, order = run->o->max_order;
    create(&s, run, "DDASPK", 50 + (order > 3 ? order + 4 : 7) * n + n * n + n, KINDS + 2 * n);
    s.info[EXCLUDE] = 1;
    for (int i = 0; i < n; i++) s.iwork[KINDS + i] = rsd_peer_tested(run, i) ? 1 : -1;
    s.call = call_daspk;
    return integrate(&s, DASPK_ITERATIONS);
}

resida_status rsd_peer_solve_daspk(rsd_peer_run *run)
{
    const resida_status status = solve_by_daspk(run);
    return rsd_peer_begins_again(run) ? solve_by_daspk(run) : status;
}
