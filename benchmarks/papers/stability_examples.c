/* stability_examples.c - equations of Examples 1 and 2 in the formulations of stability_examples.h. */
#include "stability_examples.h"

#include <math.h>

/** Coefficients at one time; A = a I, Cd = C', rd = r'. */
typedef struct coefficients {
    double a, B[2], C[2], Cd[2], q[2], r, rd;
} coefficients;

static coefficients example1(double nu, double t)
{
    const double s = sin(nu * t), c = cos(nu * t), growth = exp(t), y = growth / (2 - t);
    return (coefficients){.a = -1,
                          .B = {s, c},
                          .C = {s, c},
                          .Cd = {nu * c, -nu * s},
                          .q = {2 * growth + s * y, 2 * growth + c * y},
                          .r = -(s + c) * growth,
                          .rd = -nu * (c - s) * growth - (s + c) * growth};
}

static coefficients example2(double nu, double t)
{
    const double growth = exp(t), r = -(t * t + t - 2) * growth;
    return (coefficients){.B = {(2 - t) * nu, nu - 1},
                          .C = {t + 2, t * t - 4},
                          .Cd = {1, 2 * t},
                          .q = {(1 + nu) * growth, (1 + (nu - 1) / (2 - t)) * growth},
                          .r = r,
                          .rd = -(2 * t + 1) * growth + r};
}

static coefficients at(const cmd_linear *linear, double t)
{
    return linear->example == 1 ? example1(linear->nu, t) : example2(linear->nu, t);
}

static double dot(const double *x, const double *y)
{
    return x[0] * y[0] + x[1] * y[1];
}

/* Compute x' - (H A - F C') x - H q + F r', with F = B (C B)^-1 and H = I - F C: (3.5) without stabilisation. */
static void ode_rows(const coefficients *k, const double *x, const double *xd, double *r)
{
    const double CB = dot(k->C, k->B), f[2] = {k->a * x[0] + k->q[0], k->a * x[1] + k->q[1]};
    const double y = -(dot(k->C, f) + dot(k->Cd, x) + k->rd) / CB;
    for (int i = 0; i < 2; i++) r[i] = xd[i] - f[i] - k->B[i] * y;
}

static void index2_rows(const coefficients *k, const double *x, double y, const double *xd, double *r)
{
    for (int i = 0; i < 2; i++) r[i] = xd[i] - k->a * x[i] - k->B[i] * y - k->q[i];
}

static int residual(double t, const double *x, const double *xd, const resida_excitation *e, double *r, void *user)
{
    (void)e;
    const cmd_linear *linear = user;
    const coefficients k = at(linear, t);
    const double g = dot(k.C, x) + k.r;
    switch (linear->form) {
    case CMD_LINEAR_BAUMGARTE:
        index2_rows(&k, x, x[2], xd, r);
        r[2] = dot(k.C, xd) + dot(k.Cd, x) + k.rd + linear->gamma * g;
        break;
    case CMD_LINEAR_INDEX2:
        index2_rows(&k, x, x[2], xd, r);
        r[2] = g;
        break;
    case CMD_LINEAR_PROJECTED:
        ode_rows(&k, x, xd, r);
        for (int i = 0; i < 2; i++) r[i] -= k.C[i] * x[2];
        r[2] = g;
        break;
    case CMD_LINEAR_STATE_SPACE:
        ode_rows(&k, x, xd, r);
        r[1] = g;
        break;
    }
    return 0;
}

void cmd_linear_dae(const cmd_linear *linear, resida_dae *d)
{
    static const resida_kind index1[] = {RESIDA_DIFFERENTIAL, RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC},
                             index2[] = {RESIDA_DIFFERENTIAL, RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC_2},
                             state_space[] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    static const resida_kind *const kinds[] = {index1, index2, index2, state_space};
    resida_dae_init(d);
    d->name = linear->example == 1 ? "example 1" : "example 2";
    d->n = linear->form == CMD_LINEAR_STATE_SPACE ? 2 : 3;
    d->kinds = kinds[linear->form];
    d->residual = residual;
    d->user = (void *)linear; /* never written */
}

void cmd_linear_start(const cmd_linear *linear, double *y, double *yp)
{
    int has_y = linear->form == CMD_LINEAR_BAUMGARTE || linear->form == CMD_LINEAR_INDEX2;
    for (int i = 0; i < 2; i++) y[i] = yp[i] = 1;
    y[2] = has_y ? -0.5 : 0;
    yp[2] = has_y ? -0.75 : 0;
}

double cmd_linear_error(const double *x)
{
    return fmax(fabs(x[0] - exp(1)), fabs(x[1] - exp(1)));
}

double cmd_linear_drift(const cmd_linear *linear, double t, const double *x)
{
    const coefficients k = at(linear, t);
    return fabs(dot(k.C, x) + k.r);
}
