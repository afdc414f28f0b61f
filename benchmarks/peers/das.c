/* das.c - see das.h. Both are called in their intermediate-output mode, INFO(3) = 1: they come back after each step,
 * so that their limit of 500 steps in one call is never met, and at each output, to which they interpolate. */
#include "das.h"

#include <math.h>
#include <string.h>

/* INFO, IWORK, RWORK, counted from 0. */
enum { VECTORS = 1, INTERMEDIATE = 2, STOP = 3, H_MAX = 6, H_FIRST = 7, MAX_ORDER = 8 };
enum { I_MAX_ORDER = 2, I_ORDER = 7, I_STEPS = 10, I_JACOBIANS = 12, I_ERROR_FAILS = 13, I_NEWTON_FAILS = 14 };
enum { R_STOP = 0, R_H_MAX = 1, R_H = 2, R_T = 3, R_H_LAST = 6 };

void das_create(das *s, rsd_peer_run *run, const char *name, int lrw, int liw)
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

void das_let_go(das *s, int i)
{
    s->rtol[i] = 0;
    s->atol[i] = RSD_PEER_FAR_OFF;
}

int das_ires(int verdict)
{
    return verdict == 0 ? 0 : verdict > 0 ? -1 : -2;
}

/** What an IDID < 0 means, in the words of the prologues. */
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
    {0, RESIDA_ERR_INTERNAL, "trouble from which it cannot recover"}, /* all others */
};

static resida_status fail(das *s)
{
    int i = 0;
    while (failures[i].idid != 0 && failures[i].idid != s->idid) i++;
    return rsd_peer_fail(s->run, failures[i].status, "%s: IDID = %d at t = %.9g, %s", s->name, s->idid, s->t,
                         failures[i].text);
}

/** One step, or an output within the last one. Neither accepts steps below the rounding of TOUT, even if the first
 *  output is at 1e8 s and the first step 1e-9 s; so TOUT is never further away than the next step can be. */
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

void das_count(das *s, long newton)
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

resida_status das_integrate(das *s)
{
    resida_status status = RESIDA_OK;
    while (status == RESIDA_OK && isfinite(rsd_peer_next_output(s->run))) status = advance(s);
    return status;
}
