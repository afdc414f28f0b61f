/* daspk.c - DASPK of P. Brown, A. Hindmarsh, L. Petzold, in the version that liboctave carries: its direct method,
 * with dense differences of its own. Multipliers are out of the error test as its prologue offers, INFO(16) = 1 with
 * -1 for each of them in IWORK(40 + i); where its corrector, which sees them still, fails at the start, it begins again
 * as IDA does (ida.c). */
#include "das.h"

#include "peer_module.h"

typedef void residual_fn(const double *t, const double *y, const double *yp, const double *cj, double *delta, int *ires,
                         void *rpar, int *ipar);
void ddaspk_(residual_fn *res, const int *neq, double *t, double *y, double *yp, const double *t_out, int *info,
             double *rtol, double *atol, int *idid, double *rwork, const int *lrw, int *iwork, const int *liw,
             void *rpar, int *ipar, void (*jac)(void), void (*psol)(void));

static void residual(const double *t, const double *y, const double *yp, const double *cj, double *delta, int *ires,
                     void *rpar, int *ipar)
{
    (void)cj, (void)ipar;
    *ires = das_ires(rsd_peer_residual(rpar, *t, y, yp, delta));
}

static void not_called(void)
{
}

static void call(das *s, double t_out)
{
    int ipar = 0;
    ddaspk_(residual, &s->n, &s->t, s->y, s->yp, &t_out, s->info, s->rtol, s->atol, &s->idid, s->rwork, &s->lrw,
            s->iwork, &s->liw, s->run, &ipar, not_called, not_called);
}

static resida_status solve_once(rsd_peer_run *run)
{
    enum { ITERATIONS = 18, EXCLUDE = 15, KINDS = 40 };
    das s;
    int n = run->n, order = run->o->max_order;
    das_create(&s, run, "DDASPK", 50 + (order > 3 ? order + 4 : 7) * n + n * n + n, KINDS + 2 * n);
    s.info[EXCLUDE] = 1;
    for (int i = 0; i < n; i++) s.iwork[KINDS + i] = rsd_peer_tested(run, i) ? 1 : -1;
    s.call = call;
    resida_status status = das_integrate(&s);
    das_count(&s, s.iwork[ITERATIONS]);
    return status;
}

resida_status rsd_peer_solve_daspk(rsd_peer_run *run)
{
    const resida_status status = solve_once(run);
    return rsd_peer_begins_again(run) ? solve_once(run) : status;
}
