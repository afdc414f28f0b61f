/* radau5.c - RADAU5 of E. Hairer and G. Wanner, in the version of R's package deSolve, with its dense difference
 * quotients.
 *
 * RADAU5 solves  M x' = f(t, x)  with a constant M. If dF/dyp is constant (explicit formalism, constant mass matrix),
 * this equation is
 *
 *     dF/dyp y' = -F(t, y, 0)
 *
 * Each column of dF/dyp that is not constant adds an unknown, as users of RADAU5 do with accelerations:
 *
 *     y_j' = z_j,   0 = F(t, y, z)
 *
 * Multipliers and z are declared as variables of index 2 (IWORK(6)) and follow all variables of index 1. RADAU5
 * multiplies their errors by h, as its prologue states. f cannot reject a state: if F cannot be evaluated, it returns
 * values that no step accepts. */
#include "peer_impl.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void f_fn(const int *n, const double *t, const double *x, double *f, void *rpar, int *ipar);
typedef void mass_fn(const int *n, double *M, const int *rows, void *rpar, int *ipar);
typedef void output_fn(const int *nr, const double *t_old, const double *t, const double *x, const double *cont,
                       const int *lrc, const int *n, void *rpar, int *ipar, int *verdict);
void radau5_(const int *n, f_fn *f, double *t, double *x, const double *t_end, double *h, double *rtol, double *atol,
             const int *itol, void (*jac)(void), const int *ijac, int *mljac, int *mujac, mass_fn *mas, const int *imas,
             int *mlmas, int *mumas, output_fn *solout, const int *iout, double *work, const int *lwork, int *iwork,
             const int *liwork, void *rpar, int *ipar, int *idid);
void contr5_(const int *n, const double *t, const double *cont, const int *lrc, double *x);

static const double refused = 1e30;

typedef struct radau {
    rsd_peer_run *run;
    int n, m, N;            /* numbers of unknowns: y, z, total */
    int *of;                /* [n] index of y_i in x */
    int *column;            /* [m] z_j is the derivative of y_column */
    int *of_z;              /* [m] index of z_j in x */
    double *M;              /* [N x N] column by column */
    double *y, *yp, *r;     /* [n] */
    double *before, *after; /* [N] */
} radau;

/* deSolve prints by R, which is not loaded here. The text goes to standard error, a part of the message. */
RSD_MODULE void Rprintf(const char *format, ...);
RSD_MODULE void Rprintf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
}

/** Extract y and the known components of yp from x. */
static void unpack(radau *s, const double *x)
{
    for (int i = 0; i < s->n; i++) s->y[i] = x[s->of[i]], s->yp[i] = 0;
    for (int j = 0; j < s->m; j++) s->yp[s->column[j]] = x[s->of_z[j]];
}

static void evaluate(const int *n, const double *t, const double *x, double *f, void *rpar, int *ipar)
{
    radau *s = rpar;
    (void)ipar;
    unpack(s, x);
    int verdict = rsd_peer_residual(s->run, *t, s->y, s->yp, s->r);
    for (int i = 0; i < *n; i++) f[i] = verdict != 0 ? refused : i < s->n ? -s->r[i] : x[s->of_z[i - s->n]];
}

static void give_mass(const int *n, double *M, const int *rows, void *rpar, int *ipar)
{
    const radau *s = rpar;
    (void)rows, (void)ipar;
    memcpy(M, s->M, (size_t)*n * (size_t)*n * sizeof *M);
}

static void not_called(void)
{
}

/** Compute the state at t from the continuous output; derivatives are differences of its polynomial of degree 3. */
static void interpolate(radau *s, double t, double step, const double *cont, const int *lrc)
{
    double d = 1e-4 * step, early = t - d, late = t + d;
    contr5_(&s->N, &early, cont, lrc, s->before);
    contr5_(&s->N, &late, cont, lrc, s->after);
    for (int i = 0; i < s->n; i++) s->yp[i] = (s->after[s->of[i]] - s->before[s->of[i]]) / (late - early);
    contr5_(&s->N, &t, cont, lrc, s->before);
    for (int i = 0; i < s->n; i++) s->y[i] = s->before[s->of[i]];
}

/** Emit the outputs of a step; called after each step. */
static void take_step(const int *nr, const double *t_old, const double *t, const double *x, const double *cont,
                      const int *lrc, const int *n, void *rpar, int *ipar, int *verdict)
{
    radau *s = rpar;
    (void)nr, (void)x, (void)n, (void)ipar;
    double reach = *t, t_stop = s->run->o->t_stop;
    if (fabs(t_stop - reach) <= 1e-14 * fabs(t_stop)) reach = t_stop; /* the last step, up to rounding */
    s->run->result->t = reach;
    *verdict = s->run->result->status == RESIDA_OK ? 0 : -1;
    for (double next; *verdict == 0 && *nr > 1 && (next = rsd_peer_next_output(s->run)) <= reach;) {
        interpolate(s, next, *t - *t_old, cont, lrc);
        if (rsd_peer_output(s->run, s->y, s->yp) != 0) *verdict = -1;
    }
}

/** Compute column [n] = dF/dyp_c near the start; F is linear in yp_c. */
static void find_column(radau *s, int c, double aside, double *column)
{
    const rsd_peer_task *task = s->run->task;
    for (int i = 0; i < s->n; i++) s->y[i] = task->y0[i] + aside * (i % 3 + 1), s->yp[i] = 0;
    if (rsd_peer_free_residual(s->run, task->t0, s->y, s->yp, s->r) != 0) s->r[0] = NAN;
    s->yp[c] = 1;
    if (rsd_peer_free_residual(s->run, task->t0, s->y, s->yp, column) != 0) column[0] = NAN;
    for (int i = 0; i < s->n; i++) column[i] -= s->r[i];
}

/** Compute the columns of M. Each column that is not constant adds an unknown z. */
static void find_mass(radau *s)
{
    double *here = rsd_peer_doubles(s->n), *aside = rsd_peer_doubles(s->n), *all = rsd_peer_doubles((long)s->n * s->n);
    for (int c = 0; c < s->n; c++) {
        int constant = 1;
        find_column(s, c, 0, here);
        find_column(s, c, 1e-4, aside);
        for (int i = 0; i < s->n; i++) constant &= fabs(here[i] - aside[i]) <= 1e-10 * (fabs(here[i]) + 1);
        if (constant)
            memcpy(all + (size_t)c * (size_t)s->n, here, (size_t)s->n * sizeof *all);
        else
            s->column[s->m++] = c;
    }
    s->N = s->n + s->m;
    s->M = all;
    free(here);
    free(aside);
}

/** Order the unknowns by index: z follows the multipliers of index 2. @param[out] of_index  [3] unknowns of each
 *  index */
static void arrange(radau *s, int *of_index)
{
    int place = 0;
    for (int index = 1; index <= 3; index++) {
        int first = place;
        for (int i = 0; i < s->n; i++) {
            static const int index_of[] = {1, 1, 2, 3, 2}; /* by resida_kind */
            if (index == index_of[s->run->kinds[i]]) s->of[i] = place++;
        }
        for (int j = 0; j < s->m && index == 2; j++) s->of_z[j] = place++;
        of_index[index - 1] = place - first;
    }
}

/** Assemble M [N x N] in the order of x from the columns for y. */
static void place_mass(radau *s)
{
    const double *all = s->M;
    s->M = rsd_peer_doubles((long)s->N * s->N);
    for (int c = 0; c < s->n; c++)
        for (int i = 0; i < s->n; i++)
            s->M[(size_t)s->of[c] * (size_t)s->N + (size_t)i] = all[(size_t)c * (size_t)s->n + (size_t)i];
    for (int j = 0; j < s->m; j++) s->M[(size_t)s->of[s->column[j]] * (size_t)s->N + (size_t)(s->n + j)] = 1;
}

static void create(radau *s, int *of_index)
{
    int n = s->n = s->run->n;
    int **places[] = {&s->of, &s->column, &s->of_z};
    for (int i = 0; i < 3; i++) *places[i] = rsd_peer_ints(n);
    double **vectors[] = {&s->y, &s->yp, &s->r, &s->before, &s->after};
    for (int i = 0; i < 5; i++) *vectors[i] = rsd_peer_doubles(2L * n);
    find_mass(s);
    arrange(s, of_index);
    place_mass(s);
}

static void take_counters(radau *s, const int *iwork)
{
    enum { JACOBIANS = 14, STEPS, ACCEPTED, REJECTED, DECOMPOSITIONS, SOLUTIONS };
    resida_stats *c = &s->run->result->stats;
    c->steps = iwork[ACCEPTED];
    c->step_attempts = iwork[STEPS];
    c->error_test_fails = iwork[REJECTED];
    c->newton_iterations = c->solves = iwork[SOLUTIONS];
    c->residual_calls.jacobian = (long)s->N * iwork[JACOBIANS];
    c->residual_calls.newton = c->residual_calls.total - c->residual_calls.jacobian; /* NFCN of deSolve counts both */
    c->jacobian_evaluations.dense = iwork[JACOBIANS];
    c->jacobian_evaluations.coloured = 0;
    c->factorisations = iwork[DECOMPOSITIONS];
}

static resida_status fail(radau *s, int idid)
{
    static const resida_status statuses[] = {RESIDA_ERR_INTERNAL, RESIDA_ERR_LIMIT_STEPS, RESIDA_ERR_STEP_TOO_SMALL,
                                             RESIDA_ERR_SINGULAR};
    static const char *const texts[] = {"input is not consistent", "more than NMAX steps are needed",
                                        "step size becomes too small", "matrix is repeatedly singular"};
    int i = idid < -4 || idid > -1 ? 0 : -idid - 1;
    return rsd_peer_fail(s->run, statuses[i], "RADAU5: IDID = %d at t = %.9g, %s", idid, s->run->result->t, texts[i]);
}

resida_status rsd_peer_solve_radau5(rsd_peer_run *run)
{
    enum { NMAX = 1, INDEX = 4, HMAX = 6, FIXED = 20 };
    static const int vectors = 1, differences = 0, with = 1;
    radau s = {.run = run};
    int of_index[3], ipar = 0, idid = 0;
    const resida_solver_options *o = run->o;
    create(&s, of_index);
    int full_j = s.N, full_m = s.N, mujac = s.N, mumas = s.N, lwork = s.N * (5 * s.N + 12) + FIXED,
        liwork = 3 * s.N + FIXED;
    double *work = rsd_peer_doubles(lwork), *x = rsd_peer_doubles(s.N);
    int *iwork = rsd_peer_ints(liwork);
    for (int i = 0; i < s.n; i++) x[s.of[i]] = run->task->y0[i];
    for (int j = 0; j < s.m; j++) x[s.of_z[j]] = run->task->yp0[s.column[j]];
    iwork[NMAX] = o->max_steps < INT_MAX ? (int)o->max_steps : INT_MAX;
    memcpy(iwork + INDEX, of_index, sizeof of_index);
    if (isfinite(o->h_max)) work[HMAX] = o->h_max;
    double *rtol = rsd_peer_doubles(s.N), *atol = rsd_peer_doubles(s.N);
    for (int i = 0; i < s.N; i++) rtol[i] = o->rtol, atol[i] = o->atol; /* z has the tolerance of all components */
    for (int i = 0; i < s.n; i++) atol[s.of[i]] = rsd_peer_atol(run, i);
    double t = run->task->t0, h = rsd_peer_first_step(run);
    rsd_peer_clock(run, 1);
    radau5_(&s.N, evaluate, &t, x, &o->t_stop, &h, rtol, atol, &vectors, not_called, &differences, &full_j, &mujac,
            give_mass, &with, &full_m, &mumas, take_step, &with, work, &lwork, iwork, &liwork, &s, &ipar, &idid);
    take_counters(&s, iwork);
    run->result->stats.h = h;
    return idid < 0 ? fail(&s, idid) : run->result->status;
}
