/* plugin_causes.c - a model that is expensive to run for one cause at a time, for the hints at the end of `solve`.
 *
 * N masses in a row in a plane, each held by a rod to a point of its own below, x_i^2 + (y_i + 1)^2 = 1, and by springs
 * to its neighbours, k = 100; friction c = 0.5 in the rods' turning. The parameter `cause` says what is wrong:
 *
 *     0  nothing            1  no dg/dp             2  dg/dp without a pattern
 *     3  a force that jumps to and fro, without a root function
 *     4  a general DAE with bursts, y' = -60 y + 1e9 exp(-200 cos(4 t)^2), between which atol alone is left
 *     5  a general DAE of many unknowns, without a pattern
 *     6  dPhi/dp, dPhi/dv without patterns
 *     7  a call of the residual that is said to cost much more than it does
 *     8  one that takes much more than is assumed by its size */
#include <math.h>
#include <string.h>

#include "plugin_frame.h"

enum { N = 16, N_P = 2 * N, CHAIN = 120 };
enum { NOTHING, NO_MATRIX, NO_PATTERN, JUMPS, BURSTS, MANY, NO_FORCES, SAID_DEAR, DEAR };
enum { LONG = 1600000 }; /* square roots of a residual that is dear: some ms, also beside sanitizers */

#define STIFFNESS 100.0
#define FRICTION  0.5
#define PUSH      40.0

typedef struct causes {
    int cause;
    double p0[N_P], v0[N_P], y0[CHAIN], yp0[CHAIN];
    int row[N + 1], col[2 * N];                       /* dg/dp */
    int p_row[N_P + 1], p_col[3 * N], v_row[N_P + 1]; /* dPhi/dp; dPhi/dv and M */
    int v_col[N_P];
} causes;

static double spring(const double *p, int i, int j)
{
    return j < 0 || j >= N ? 0 : STIFFNESS * (p[2 * j] - p[2 * i]);
}

/* 0, found in a long way. */
static double waste(double x)
{
    volatile double sum = 0;
    for (int i = 0; i < LONG; i++) sum += sqrt(fabs(x) + i) * 0;
    return sum;
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const causes *of = user;
    (void)e;
    for (int i = 0; i < N; i++) {
        r[2 * i] = a[2 * i] + FRICTION * v[2 * i] - spring(p, i, i - 1) - spring(p, i, i + 1);
        r[2 * i + 1] = a[2 * i + 1] + 9.81 + FRICTION * v[2 * i + 1];
    }
    if (of->cause == JUMPS && sin(40 * t) > 0) r[0] -= PUSH;
    if (of->cause == DEAR) r[0] += waste(r[0]);
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    (void)t, (void)e, (void)user;
    for (int i = 0; i < N; i++) g[i] = (p[2 * i] * p[2 * i] + (p[2 * i + 1] - 1) * (p[2 * i + 1] - 1) - 1) / 2;
    return 0;
}

static int velocity_bias(double t, const double *p, const resida_excitation *e, double *gI, void *user)
{
    (void)t, (void)p, (void)e, (void)user;
    memset(gI, 0, N * sizeof *gI);
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    const causes *of = user;
    const int is_full = of->cause == NO_PATTERN;
    (void)t, (void)e;
    if (is_full) memset(G, 0, (size_t)N * N_P * sizeof *G);
    for (int i = 0; i < N; i++) {
        double *entry = is_full ? G + (size_t)i * N_P + 2 * i : G + 2 * i;
        entry[0] = p[2 * i];
        entry[1] = p[2 * i + 1] - 1;
    }
    return 0;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    (void)t, (void)p, (void)e, (void)user;
    for (int i = 0; i < N_P; i++) M[i] = 1;
    return 0;
}

static int bursts(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    (void)e, (void)user;
    r[0] = yp[0] + 60 * y[0] - 1e9 * exp(-200 * cos(4 * t) * cos(4 * t));
    r[1] = yp[1] + y[1];
    return 0;
}

/* Heat in a rod, one end of which follows a wave. */
static int heat(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    (void)e, (void)user;
    for (int i = 0; i < CHAIN; i++)
        r[i] = yp[i] - 100 * ((i > 0 ? y[i - 1] : sin(t)) - 2 * y[i] + (i < CHAIN - 1 ? y[i + 1] : 0));
    return 0;
}

static void fill_rods(causes *of, resida_mechanism *m)
{
    for (int i = 0; i < N; i++) {
        of->row[i] = of->col[2 * i] = 2 * i;
        of->col[2 * i + 1] = 2 * i + 1;
        of->p0[2 * i] = sin(0.3 + 0.05 * i);
        of->p0[2 * i + 1] = 1 - cos(0.3 + 0.05 * i);
    }
    of->row[N] = 2 * N;
    for (int i = 0, n = 0; i < N; i++) {
        of->p_row[2 * i] = n;
        for (int k = i - 1; k <= i + 1; k++)
            if (k >= 0 && k < N) of->p_col[n++] = 2 * k;
        of->p_row[2 * i + 1] = of->p_row[2 * i + 2] = n;
    }
    for (int i = 0; i <= N_P; i++) of->v_row[i] = i;
    for (int i = 0; i < N_P; i++) of->v_col[i] = i;
    m->n_p = m->n_v = N_P;
    m->n_g = N;
    m->residual = residual;
    if (of->cause == SAID_DEAR) m->cost.residual = 1e10;
    m->constraint = constraint;
    m->velocity_bias = velocity_bias;
    m->mass_matrix = mass_matrix;
    m->M_pattern = (resida_pattern){of->v_row, of->v_col};
    if (of->cause != NO_FORCES) {
        m->Phi_p_pattern = (resida_pattern){of->p_row, of->p_col};
        m->Phi_v_pattern = m->M_pattern;
    }
    if (of->cause != NO_MATRIX) m->constraint_matrix = constraint_matrix;
    if (of->cause != NO_MATRIX && of->cause != NO_PATTERN) m->G_pattern = (resida_pattern){of->row, of->col};
}

static int create(const double *values, resida_model *model, resida_message *why)
{
    causes *of = calloc(1, sizeof *of);
    (void)why;
    if (!of) return RESIDA_ERR_MEMORY;
    of->cause = (int)values[0];
    model->mechanism.user = model->dae.user = model->user = of;
    model->is_dae = of->cause == BURSTS || of->cause == MANY;
    if (model->is_dae) {
        model->dae.n = of->cause == MANY ? CHAIN : 2;
        model->dae.residual = of->cause == MANY ? heat : bursts;
    } else
        fill_rods(of, &model->mechanism);
    model->p0 = of->p0;
    model->v0 = of->v0;
    model->y0 = of->y0;
    model->yp0 = of->yp0;
    model->t_end = 3;
    model->rtol = 1e-5;
    model->atol = 1e-5;
    return RESIDA_OK;
}

static const resida_parameter parameters[] = {
    {"cause", 0, 0, DEAR, 1, "-", "what makes it dear", NULL},
};

PLUGIN("causes", "rods and springs, expensive for one cause at a time");
