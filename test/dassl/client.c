/* client.c - see client.h. */
#include "client.h"

#include <unistd.h>

#include "test/fixtures/file_util.h"

client_calls client_did;

static int verdict(double t, const double *y)
{
    client_did.res++;
    client_did.t_last = fmax(client_did.t_last, t);
    client_did.y_min = fmin(client_did.y_min, y[0]);
    if (client_did.stops) return -2;
    if (client_did.refuses == 0) return 0;
    client_did.refuses -= client_did.refuses > 0;
    return -1;
}

void client_oscillators(const double *t, const double *y, const double *yp, double *delta, int *ires, double *rpar,
                        int *ipar)
{
    if (*ires != 0) *ires = -2; /* it must be 0 before */
    if (*ires == 0) *ires = verdict(*t, y);
    delta[0] = yp[0] - y[1];
    delta[1] = yp[1] + y[0];
    delta[2] = yp[2] - y[3];
    delta[3] = yp[3] + 4 * y[2];
}

/* RPAR of DASPK and DASKR is the client. */
static void res_with_cj(const double *t, const double *y, const double *yp, const double *cj, double *delta, int *ires,
                        double *rpar, int *ipar, double *senpar)
{
    const client *c = (const client *)(void *)rpar;
    if (!(fabs(*cj) > 0)) *ires = -2;
    c->res(t, y, yp, delta, ires, rpar, ipar);
}

static void rt_without_yp(const int *neq, const double *t, const double *y, const double *yp, const int *nrt,
                          double *rval, double *rpar, int *ipar)
{
    const client *c = (const client *)(void *)rpar;
    c->g(neq, t, y, nrt, rval, rpar, ipar);
}

int client_is_daspk(int routine)
{
    return routine == DAS_DDASPK || routine == DAS_DDASKR;
}

void client_decay(const double *t, const double *y, const double *yp, double *delta, int *ires, double *rpar, int *ipar)
{
    *ires = verdict(*t, y);
    for (int i = 0; i < CLIENT_N; i++) delta[i] = yp[i] + y[i];
}

void client_falling(const double *t, const double *y, const double *yp, double *delta, int *ires, double *rpar,
                    int *ipar)
{
    *ires = verdict(*t, y);
    for (int i = 0; i < CLIENT_N; i++) delta[i] = yp[i] + 1;
}

void client_algebraic(const double *t, const double *y, const double *yp, double *delta, int *ires, double *rpar,
                      int *ipar)
{
    *ires = verdict(*t, y);
    delta[0] = yp[0] + y[0];
    delta[1] = y[1] - y[0] * y[0];
    delta[2] = yp[2];
    delta[3] = yp[3];
}

void client_singular(const double *t, const double *y, const double *yp, double *delta, int *ires, double *rpar,
                     int *ipar)
{
    *ires = verdict(*t, y);
    for (int i = 0; i < CLIENT_N; i++) delta[i] = y[0] - *t;
}

void client_not_a_number(const double *t, const double *y, const double *yp, double *delta, int *ires, double *rpar,
                         int *ipar)
{
    *ires = verdict(*t, y);
    for (int i = 0; i < CLIENT_N; i++) delta[i] = *t > 1 ? NAN : yp[i] + y[i];
}

/* y0' = sqrt(1 - y0): ends at y0 = 1, where there is no solution any more. */
void client_kinked(const double *t, const double *y, const double *yp, double *delta, int *ires, double *rpar,
                   int *ipar)
{
    *ires = verdict(*t, y);
    delta[0] = yp[0] * (1 - y[0]) - 1;
    for (int i = 1; i < CLIENT_N; i++) delta[i] = yp[i];
}

void client_full(const double *t, const double *y, const double *yp, double *pd, const double *cj, double *rpar,
                 int *ipar)
{
    client_did.jac++;
    for (int i = 0; i < CLIENT_N; i++) pd[i + CLIENT_N * i] = *cj;
    pd[0 + CLIENT_N * 1] = pd[2 + CLIENT_N * 3] = -1;
    pd[1 + CLIENT_N * 0] = 1;
    pd[3 + CLIENT_N * 2] = 4;
}

/* With ML = MU = 1: PD(i - j + 3, j), counted from 1. */
void client_band(const double *t, const double *y, const double *yp, double *pd, const double *cj, double *rpar,
                 int *ipar)
{
    enum { ROWS = 4, DIAGONAL = 2 };
    client_did.jac++;
    for (int i = 0; i < CLIENT_N; i++) pd[DIAGONAL + ROWS * i] = *cj;
    pd[DIAGONAL - 1 + ROWS * 1] = pd[DIAGONAL - 1 + ROWS * 3] = -1;
    pd[DIAGONAL + 1 + ROWS * 0] = 1;
    pd[DIAGONAL + 1 + ROWS * 2] = 4;
}

void client_y0(const int *neq, const double *t, const double *y, const int *ng, double *gout, double *rpar, int *ipar)
{
    client_did.g++;
    assert_int_equal(*neq, CLIENT_N);
    for (int i = 0; i < *ng; i++) gout[i] = y[i];
}

void client_make_room(client *c, int ml, int mu)
{
    const int n = c->n, is_daspk = client_is_daspk((int)c->routine), rows = c->info[5] ? 2 * ml + mu + 1 : n;
    const int order = c->info[8] ? c->iwork[2] : 5;
    static const int head[DAS_ROUTINES] = {40, 50, 50, 60};
    c->lrw = head[c->routine] + (is_daspk && order < 3 ? 7 : order + 4) * n + rows * n + 3 * c->ng;
    if (c->info[5] && !c->info[4]) c->lrw += 2 * (n / (ml + mu + 1) + 1);
    c->liw = is_daspk ? 40 + n : 20 + n;
    if (is_daspk && c->info[15]) c->lrw += n;
    if (is_daspk && (c->info[10] == 1 || c->info[15])) c->liw += n;
    if (is_daspk && c->info[9] % 2) c->liw += n;
    c->rwork = malloc((size_t)c->lrw * sizeof *c->rwork);
    c->iwork = malloc((size_t)c->liw * sizeof *c->iwork);
    assert_true(c->rwork && c->iwork);
    claims_own(c->rwork, free), claims_own(c->iwork, free);
    for (int i = 0; i < c->lrw; i++) c->rwork[i] = -7e77;
    for (int i = 0; i < c->liw; i++) c->iwork[i] = -77;
    c->iwork[0] = ml;
    c->iwork[1] = mu;
    c->iwork[2] = order;
}

client client_create(das_routine routine)
{
    client c = {.routine = routine,
                .n = CLIENT_N,
                .res = client_oscillators,
                .jac = client_full,
                .g = client_y0,
                .rt = rt_without_yp};
    client_begin_oscillators(&c);
    for (int i = 0; i < CLIENT_N; i++) c.rtol[i] = c.atol[i] = 1e-7;
    client_make_room(&c, 0, 0);
    client_did = (client_calls){.t_last = -INFINITY, .y_min = INFINITY};
    return c;
}

void client_begin_oscillators(client *c)
{
    const double y[CLIENT_N] = {1, 0, 2, 0}, yp[CLIENT_N] = {0, -1, 0, -8};
    memcpy(c->y, y, sizeof y);
    memcpy(c->yp, yp, sizeof yp);
    c->t = 0;
}

int client_call(client *c, double t_out)
{
    if (c->routine == DAS_DDASSL)
        ddassl_(c->res, &c->n, &c->t, c->y, c->yp, &t_out, c->info, c->rtol, c->atol, &c->idid, c->rwork, &c->lrw,
                c->iwork, &c->liw, &c->rpar, &c->ipar, c->jac);
    else if (c->routine == DAS_DDASPK)
        ddaspk_(res_with_cj, &c->n, &c->t, c->y, c->yp, &t_out, c->info, c->rtol, c->atol, &c->idid, c->rwork, &c->lrw,
                c->iwork, &c->liw, (double *)(void *)c, &c->ipar, c->jac, NULL, NULL, NULL);
    else if (c->routine == DAS_DDASKR)
        ddaskr_(res_with_cj, &c->n, &c->t, c->y, c->yp, &t_out, c->info, c->rtol, c->atol, &c->idid, c->rwork, &c->lrw,
                c->iwork, &c->liw, (double *)(void *)c, &c->ipar, c->jac, NULL, c->rt, &c->ng, c->jroot);
    else
        ddasrt_(c->res, &c->n, &c->t, c->y, c->yp, &t_out, c->info, c->rtol, c->atol, &c->idid, c->rwork, &c->lrw,
                c->iwork, &c->liw, &c->rpar, &c->ipar, c->jac, c->g, &c->ng, c->jroot);
    return c->idid;
}

double client_error(const client *c)
{
    const double t = c->t, a = cos(t), b = sin(t), p = cos(2 * t), q = sin(2 * t);
    const double y[] = {a, -b, 2 * p, -4 * q}, yp[] = {-b, -a, -4 * q, -8 * p};
    double most = 0;
    for (int i = 0; i < CLIENT_N; i++) most = fmax(most, fmax(fabs(c->y[i] - y[i]), 0.01 * fabs(c->yp[i] - yp[i])));
    return most;
}

static FILE *heard;
static char words[4000];
static int true_stderr = -1;

void client_listen(void)
{
    fflush(stderr);
    if (true_stderr < 0) true_stderr = dup(STDERR_FILENO);
    heard = tmpfile();
    assert_non_null(heard);
    dup2(fileno(heard), STDERR_FILENO);
}

int client_lines_heard(void)
{
    int lines = 0;
    fflush(stderr);
    dup2(true_stderr, STDERR_FILENO);
    rewind(heard);
    const size_t n = fread(words, 1, sizeof words - 1, heard);
    words[n] = 0;
    fclose(heard);
    for (size_t i = 0; i < n; i++) lines += words[i] == '\n';
    return lines;
}

const char *client_heard(void)
{
    return words;
}
