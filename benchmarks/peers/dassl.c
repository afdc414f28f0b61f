/* dassl.c - DASSL of L. Petzold, in the version of SLATEC that liboctave carries. Dense differences of its own.
 *
 * Its error test knows no algebraic components, only tolerances by component (INFO(2) = 1): multipliers get one that
 * they cannot miss, so they are out of the Newton test, too. That variables of higher index do not belong in the
 * error test is said in K. E. Brenan, S. L. Campbell, L. R. Petzold, Numerical Solution of Initial-Value Problems in
 * Differential-Algebraic Equations; GGL hardly runs otherwise. */
#include "das.h"

#include "peer_module.h"

typedef void residual_fn(const double *t, const double *y, const double *yp, double *delta, int *ires, void *rpar,
                         int *ipar);
void ddassl_(residual_fn *res, const int *neq, double *t, double *y, double *yp, const double *t_out, int *info,
             double *rtol, double *atol, int *idid, double *rwork, const int *lrw, int *iwork, const int *liw,
             void *rpar, int *ipar, void (*jac)(void));
void xsetf_(const int *kontrl);

static void residual(const double *t, const double *y, const double *yp, double *delta, int *ires, void *rpar,
                     int *ipar)
{
    (void)ipar;
    *ires = das_ires(rsd_peer_residual(rpar, *t, y, yp, delta));
}

static void no_jacobian(void)
{
}

static void call(das *s, double t_out)
{
    int ipar = 0;
    ddassl_(residual, &s->n, &s->t, s->y, s->yp, &t_out, s->info, s->rtol, s->atol, &s->idid, s->rwork, &s->lrw,
            s->iwork, &s->liw, s->run, &ipar, no_jacobian);
}

resida_status rsd_peer_solve_dassl(rsd_peer_run *run)
{
    enum { NEWTON_CALLS = 11 };
    static const int say_it_and_return = 1; /* of XERMSG, which else ends the process */
    das s;
    int n = run->n;
    das_create(&s, run, "DDASSL", 40 + (run->o->max_order + 4) * n + n * n, 21 + n);
    for (int i = 0; i < n; i++)
        if (!rsd_peer_tested(run, i)) das_let_go(&s, i);
    s.call = call;
    xsetf_(&say_it_and_return);
    resida_status status = das_integrate(&s);
    das_count(&s, s.iwork[NEWTON_CALLS]);
    return status;
}
