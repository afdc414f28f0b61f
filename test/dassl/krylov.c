/* krylov.c - a program that solves the heat equation on a rod by DASPK, with Krylov methods and a preconditioner in
 * several calls, then with a banded matrix; lines as those of clients.m. */
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 40, LRW = 4000, LIW = 400, INFO = 20, TIMES = 3 };
enum { BANDED = 5, KRYLOV = 11, PRECONDITIONED = 14 };                 /* of INFO, from 0 on */
enum { I_ML = 0, I_MU = 1, I_PSOL = 20, I_LENWP = 26, I_LENIWP = 27 }; /* of IWORK */

void ddaspk_(void (*res)(const double *, const double *, const double *, const double *, double *, int *, double *,
                         int *),
             const int *neq, double *t, double *y, double *yp, const double *t_out, int *info, double *rtol,
             double *atol, int *idid, double *rwork, const int *lrw, int *iwork, const int *liw, double *rpar,
             int *ipar, void (*jac)(void), void (*psol)(void));

static const double c = (N + 1) * (N + 1);

static void res(const double *t, const double *y, const double *yp, const double *cj, double *delta, int *ires,
                double *rpar, int *calls)
{
    (void)t, (void)cj, (void)ires, (void)rpar;
    ++*calls;
    for (int i = 0; i < N; i++) delta[i] = yp[i] - c * ((i > 0 ? y[i - 1] : 0) - 2 * y[i] + (i < N - 1 ? y[i + 1] : 0));
}

/* WP: the diagonal of the factor U of CJ - c (1, -2, 1). */
static void jac(void *of, int *ires, const int *neq, double *t, double *y, double *yp, double *rewt, double *savr,
                double *wk, double *h, const double *cj, double *wp, int *iwp, int *ier, double *rpar, int *ipar)
{
    (void)of, (void)ires, (void)t, (void)y, (void)yp, (void)rewt, (void)savr, (void)wk, (void)h, (void)iwp, (void)rpar;
    (void)ipar;
    for (int i = 0; i < *neq; i++) wp[i] = *cj + 2 * c - (i > 0 ? c * c / wp[i - 1] : 0);
    *ier = 0;
}

static void psol(const int *neq, double *t, double *y, double *yp, double *savr, double *wk, double *cj, double *wght,
                 double *wp, int *iwp, double *b, double *eplin, int *ier, double *rpar, int *ipar)
{
    (void)t, (void)y, (void)yp, (void)savr, (void)wk, (void)cj, (void)wght, (void)iwp, (void)eplin, (void)rpar;
    (void)ipar;
    for (int i = 1; i < *neq; i++) b[i] += c / wp[i - 1] * b[i - 1];
    for (int i = *neq - 1; i >= 0; i--) b[i] = (b[i] + (i < *neq - 1 ? c * b[i + 1] : 0)) / wp[i];
    *ier = 0;
}

static void solve(const char *name, double tolerance, int is_krylov)
{
    static double y[N], yp[N], rwork[LRW];
    static int iwork[LIW];
    const double way = acos(-1) / (N + 1), rate = 4 * c * pow(sin(way / 2), 2);
    const int n = N, lrw = LRW, liw = LIW;
    int info[INFO] = {0}, idid = 0, calls = 0;
    double t = 0, rtol = 1e-6, atol = 1e-8, rpar = 0, values[TIMES];
    memset(iwork, 0, sizeof iwork);
    for (int i = 0; i < N; i++) y[i] = sin(way * (i + 1)), yp[i] = -rate * y[i];
    info[KRYLOV] = info[PRECONDITIONED] = is_krylov;
    info[BANDED] = !is_krylov;
    iwork[I_ML] = iwork[I_MU] = 1;
    iwork[I_LENWP] = N;
    iwork[I_LENIWP] = 1;
    for (int k = 0; k < TIMES; k++) {
        const double t_out = 0.05 * (k + 1);
        ddaspk_(res, &n, &t, y, yp, &t_out, info, &rtol, &atol, &idid, rwork, &lrw, iwork, &liw, &rpar, &calls,
                (void (*)(void))jac, (void (*)(void))psol);
        values[k] = idid == 3 ? y[N / 2] : idid;
    }
    printf("%s %g %d %.12g %.12g %.12g %d\n", name, tolerance, calls, values[0], values[1], values[2],
           is_krylov ? iwork[I_PSOL] : 0);
}

int main(void)
{
    solve("krylov", 0, 1);
    solve("banded", 1e-5, 0);
    return 0;
}
