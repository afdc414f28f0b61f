/* robertson.c - Robertson's chemical kinetics with the conservation of mass as algebraic equation (index 1),
 *
 *     y1' = -k1 y1 + k2 y2 y3,   y2' = k1 y1 - k2 y2 y3 - k3 y2^2,   0 = y1 + y2 + y3 - 1.
 *
 * Robertson (1966); IVP Test Set, problem "rober" (as an ODE; same solution); SUNDIALS idaRoberts_dns. The rates span
 * nine decades, the time eleven decades. The reference states were computed by Radau IIA of order 9 in 80-bit
 * arithmetic and agree with the published end values to 13 digits. */
#include "benchmarks/util/model_kind.h"
#include "models.h"

#include "benchmarks/models/data/robertson.parameters.inc"

enum { N = 3 };

static const double states[] = {
#include "benchmarks/models/data/robertson.csv.inc"
};

typedef struct robertson {
    double k1, k2, k3;
    double yp0[N];
} robertson;

static int residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const robertson *c = user;
    const double slow = c->k1 * y[0], fast = c->k2 * y[1] * y[2];
    r[0] = yp[0] + slow - fast;
    r[1] = yp[1] - slow + fast + c->k3 * y[1] * y[1];
    r[2] = y[0] + y[1] + y[2] - 1;
    return 0;
}

static int set(const double *values, resida_model *model, resida_message *why)
{
    static const resida_kind kinds[N] = {[2] = RESIDA_ALGEBRAIC};
    static const char *const names[] = {"y1", "y2", "y3"};
    static const double y0[N] = {1, 0, 0};
    robertson *c = model->user;
    *c = (robertson){.k1 = values[P_K1], .k2 = values[P_K2], .k3 = values[P_K3]};
    c->yp0[0] = -c->k1, c->yp0[1] = c->k1;
    model->is_dae = 1;
    resida_dae *d = &model->dae;
    d->n = N;
    d->kinds = kinds, d->residual = residual, d->names = names;
    model->t_end = 1e11;
    model->y0 = y0, model->yp0 = c->yp0;
    model->rtol = 1e-6, model->atol = 1e-10;
    model->reference_source = "Radau IIA of order 9 in 80-bit arithmetic, confirms the IVP Test Set to 13 digits";
    return 0;
}

const bench_kind bench_robertson = {
    BENCH_KIND("robertson",
               "Robertson's kinetics with mass conservation as algebraic equation, 3 unknowns (IVP Test Set, SUNDIALS)",
               N_PARAMETERS, parameters, robertson, set),
    BENCH_STATES(states),
};
