/* akzo.c - chemical Akzo Nobel problem: six concentrations, an equilibrium as algebraic equation (index 1); IVP Test
 * Set, problem "chemakzo".
 *
 *     r1 = k1 y1^4 sqrt(y2),  r2 = k2 y3 y4,  r3 = k2/K y1 y5,  r4 = k3 y1 y4^2,  r5 = k4 y6^2 sqrt(y2)
 *     Fin = klA (pCO2/H - y2)
 *     y1' = -2 r1 + r2 - r3 - r4      y2' = -r1/2 - r4 - r5/2 + Fin      y3' = r1 - r2 + r3
 *     y4' = -r2 + r3 - 2 r4           y5' = r2 - r3 + r5                  0 = Ks y1 y4 - y6
 *
 * The published end values (PSIDE, 16 digits) were confirmed by Radau IIA of order 9 in 80-bit arithmetic. F cannot be
 * evaluated for y2 < 0; the step is then rejected. */
#include "benchmarks/util/model_kind.h"
#include "models.h"

#include <math.h>

#include "benchmarks/models/data/akzo.parameters.inc"

enum { N = 6 };

static const double states[] = {
#include "benchmarks/models/data/akzo.csv.inc"
};

typedef struct akzo {
    double values[N_PARAMETERS];
    double y0[N], yp0[N];
} akzo;

/* Compute the right-hand sides of the first five equations. @return 0, or 1 if y2 < 0 */
static int fill_rates(const akzo *c, const double *y, double *out)
{
    const double *k = c->values;
    if (!(y[1] >= 0)) return 1;
    const double root = sqrt(y[1]), r1 = k[P_K1] * y[0] * y[0] * y[0] * y[0] * root, r2 = k[P_K2] * y[2] * y[3];
    const double r3 = k[P_K2] / k[P_K] * y[0] * y[4], r4 = k[P_K3] * y[0] * y[3] * y[3];
    const double r5 = k[P_K4] * y[5] * y[5] * root, inflow = k[P_KLA] * (k[P_PCO2] / k[P_H] - y[1]);
    out[0] = -2 * r1 + r2 - r3 - r4;
    out[1] = -r1 / 2 - r4 - r5 / 2 + inflow;
    out[2] = r1 - r2 + r3;
    out[3] = -r2 + r3 - 2 * r4;
    out[4] = r2 - r3 + r5;
    return 0;
}

static int residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const akzo *c = user;
    if (fill_rates(c, y, r)) return 1;
    for (int i = 0; i < N - 1; i++) r[i] = yp[i] - r[i];
    r[5] = c->values[P_KS] * y[0] * y[3] - y[5];
    return 0;
}

static void set_start(akzo *c)
{
    const double Ks = c->values[P_KS];
    c->y0[0] = 0.444, c->y0[1] = 0.00123, c->y0[3] = 0.007, c->y0[5] = Ks * c->y0[0] * c->y0[3];
    (void)fill_rates(c, c->y0, c->yp0); /* y2 > 0 */
    c->yp0[5] = Ks * (c->yp0[0] * c->y0[3] + c->y0[0] * c->yp0[3]);
}

static int set(const double *values, resida_model *model, resida_message *why)
{
    static const resida_kind kinds[N] = {[5] = RESIDA_ALGEBRAIC};
    static const char *const names[] = {"y1", "y2", "y3", "y4", "y5", "y6"};
    akzo *c = model->user;
    for (int i = 0; i < N_PARAMETERS; i++) c->values[i] = values[i];
    set_start(c);
    model->is_dae = 1;
    resida_dae *d = &model->dae;
    d->n = N;
    d->kinds = kinds, d->residual = residual, d->names = names;
    model->t_end = 180;
    model->y0 = c->y0, model->yp0 = c->yp0;
    model->rtol = 1e-6, model->atol = 1e-6;
    model->reference_source = "IVP Test Set (PSIDE), confirmed by Radau IIA of order 9 in 80-bit arithmetic, 16 digits";
    return 0;
}

const bench_kind bench_akzo = {
    BENCH_KIND("akzo", "chemical Akzo Nobel problem, 6 unknowns, one of them algebraic (IVP Test Set)", N_PARAMETERS,
               parameters, akzo, set),
    BENCH_STATES(states),
};
