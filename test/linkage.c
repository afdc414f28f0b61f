/* linkage.c - see linkage.h. M = diag(1, 1, 3, 3), weight and damping as forces. */
#include "linkage.h"

#include <string.h>

#define GRAVITY 1.0
#define DAMPING 2.0

enum { N = LINKAGE_N, N_BASE = LINKAGE_BASE };

const double linkage_start[N] = {0.3, 1.2, 2.6, 1.9};

static void base(const double *p, double *b)
{
    b[0] = p[0] * p[0] + p[1] * p[1];
    b[1] = (p[0] - p[2]) * (p[0] - p[2]) + (p[1] - p[3]) * (p[1] - p[3]);
    b[2] = (p[2] - 3) * (p[2] - 3) + p[3] * p[3];
    b[3] = p[0] + p[3];
}

static void base_gradient(const double *p, double B[N_BASE][N])
{
    const double rows[N_BASE][N] = {{2 * p[0], 2 * p[1], 0, 0},
                                    {2 * (p[0] - p[2]), 2 * (p[1] - p[3]), 2 * (p[2] - p[0]), 2 * (p[3] - p[1])},
                                    {0, 0, 2 * (p[2] - 3), 2 * p[3]},
                                    {1, 0, 0, 1}};
    memcpy(B, rows, sizeof rows);
}

static int constraint(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    (void)e;
    const linkage *k = user;
    double b[N_BASE], b0[N_BASE];
    base(p, b);
    base(linkage_start, b0);
    for (int i = 0; i < k->n_g; i++) {
        out[i] = k->offset[i] + k->rate[i] * t;
        for (int j = 0; j < N_BASE; j++) out[i] += k->C[i][j] * (b[j] - b0[j]);
    }
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    (void)t, (void)e;
    const linkage *k = user;
    double B[N_BASE][N];
    base_gradient(p, B);
    for (int i = 0; i < k->n_g * N; i++) {
        out[i] = 0;
        for (int j = 0; j < N_BASE; j++) out[i] += k->C[i / N][j] * B[j][i % N];
    }
    return 0;
}

static int nonholonomic_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    (void)t, (void)e, (void)user;
    double B[N_BASE][N];
    base_gradient(p, B);
    memcpy(out, B[0], sizeof B[0]);
    return 0;
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    (void)t, (void)p, (void)e, (void)user;
    for (int i = 0; i < N; i++) r[i] = (i < 2 ? 1 : 3) * (a[i] + (i % 2 ? GRAVITY : 0)) + DAMPING * v[i];
    return 0;
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    (void)t, (void)p, (void)e, (void)user;
    for (int i = 0; i < N; i++) a[i] = (f[i] - DAMPING * v[i]) / (i < 2 ? 1 : 3) - (i % 2 ? GRAVITY : 0);
    return 0;
}

resida_mechanism linkage_mechanism(linkage *k)
{
    resida_mechanism m;
    resida_mechanism_init(&m);
    m.name = "linkage", m.n_p = m.n_v = N, m.n_g = k->n_g, m.n_h = k->n_h, m.user = k;
    m.residual = residual, m.acceleration = acceleration;
    m.constraint = constraint, m.constraint_matrix = constraint_matrix;
    if (k->n_h > 0) m.nonholonomic_matrix = nonholonomic_matrix;
    m.g_names = k->names;
    return m;
}
