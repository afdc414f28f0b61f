/* equations.c - callbacks of a resida_dae that call the functions of the program. They convert the sign of time, IRES
 * and the column order of PD. */
#include "integration.h"

#include <math.h>
#include <string.h>

/* Fraction of its tolerance by which Y may violate a sign. DASSL applies the bound of its corrector, in the root mean
 * square norm. */
static const double below_zero = 0.33;

/** The arguments of a function of the program. */
typedef struct asked {
    das_integration *x;
    double t, cj;
    const double *y, *yp;
    double *out;
    int ires;
} asked;

static void call_res(void *context)
{
    asked *a = context;
    const das_call *c = a->x->call;
    if (das_traits_of[c->routine].is_daspk)
        c->res_cj(&a->t, a->y, a->yp, &a->cj, a->out, &a->ires, c->rpar, c->ipar, c->senpar);
    else
        c->res(&a->t, a->y, a->yp, a->out, &a->ires, c->rpar, c->ipar);
}

static void call_jac(void *context)
{
    asked *a = context;
    const das_call *c = a->x->call;
    const int ijac = 0;
    if (das_traits_of[c->routine].is_daspk)
        ((das_jac_3 *)(void (*)(void))c->jac)(&a->t, a->y, a->yp, a->out, &a->cj, c->rpar, c->ipar, c->senpar, &ijac);
    else
        c->jac(&a->t, a->y, a->yp, a->out, &a->cj, c->rpar, c->ipar);
}

static void call_g(void *context)
{
    asked *a = context;
    const das_call *c = a->x->call;
    if (c->routine == DAS_DDASKR)
        c->rt(&c->n, &a->t, a->y, a->yp, &c->n_root, a->out, c->rpar, c->ipar);
    else
        c->g(&c->n, &a->t, a->y, &c->n_root, a->out, c->rpar, c->ipar);
}

/* Call a function of the program. Return 0 on success, > 0 if this is not possible at this state, < 0 to stop. */
static int call_program(void (*work)(void *), asked *a)
{
    das_environment *environment = a->x->call->environment;
    das_environment_restore(environment);
    const int has_thrown = das_call_protected(work, a, &a->x->thrown);
    das_environment_save(environment);
    if (has_thrown) return -1;
    if (a->ires >= 0) return 0;
    a->x->ires = a->ires;
    return a->ires == -1 ? 1 : -1;
}

/* Return YPRIME of the program from w = dy/dtau. */
static const double *compute_yprime(das_integration *x, const double *w)
{
    if (x->fixed_yp) return x->fixed_yp;
    if (x->direction > 0) return w;
    for (int i = 0; i < x->n; i++) x->yp[i] = -w[i];
    return x->yp;
}

static int violates_signs(const das_integration *x, const double *y)
{
    for (int i = 0; i < x->n; i++) {
        const double room = das_compute_tolerance(x->call, i, y[i]);
        if (x->is_nonnegative && y[i] < -below_zero * room) return 1;
        if (x->signs && x->signs[i] != 0 && (x->signs[i] < 0 ? -y[i] : y[i]) < -below_zero * room) return 1;
    }
    return 0;
}

int das_residual(double tau, const double *y, const double *w, const resida_excitation *e, double *r, void *user)
{
    das_integration *x = user;
    (void)e;
    if ((x->is_nonnegative || x->signs) && violates_signs(x, y)) return 1;
    asked a = {.x = x, .t = x->direction * tau, .cj = x->cj, .y = y, .yp = compute_yprime(x, w), .out = r};
    x->counts.residuals++;
    return call_program(call_res, &a);
}

int das_jacobian(double tau, double alpha, const double *y, const double *w, const resida_excitation *e, double *J,
                 void *user)
{
    das_integration *x = user;
    const int n = x->n, ld = x->rows;
    (void)e;
    asked a = {.x = x,
               .t = x->direction * tau,
               .cj = x->fixed_yp ? 0 : x->direction * alpha,
               .y = y,
               .yp = compute_yprime(x, w),
               .out = x->pd};
    memset(x->pd, 0, (size_t)ld * (size_t)n * sizeof *x->pd);
    x->counts.jacobians++;
    int verdict = call_program(call_jac, &a);
    for (int i = 0; i < n && x->row; i++)
        for (int e_i = x->row[i]; e_i < x->row[i + 1]; e_i++) {
            const long j = x->col[e_i];
            J[e_i] = x->pd[i - j + x->ml + x->mu + j * ld];
        }
    for (long i = 0; i < n && !x->row; i++)
        for (long j = 0; j < n; j++) J[i * n + j] = x->pd[i + j * n];
    return verdict;
}

int das_evaluate_roots(das_integration *x, double t, const double *y, const double *yp, double *out)
{
    asked a = {.x = x, .t = t, .y = y, .yp = yp, .out = out};
    x->counts.root_calls++;
    return call_program(call_g, &a);
}

int das_roots(double tau, const double *y, const double *w, const resida_excitation *e, double *out, void *user)
{
    das_integration *x = user;
    (void)e;
    return das_evaluate_roots(x, x->direction * tau, y, compute_yprime(x, w), out);
}

int das_monitor(double tau, void *user)
{
    das_integration *x = user;
    if (x->has_begun && tau != x->t_step) x->steps_in_call++;
    if (x->steps_in_call >= x->max_steps) return 1;
    x->has_begun = 1;
    x->t_step = tau;
    return 0;
}
