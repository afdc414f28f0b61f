/* three_bodies.c - see three_bodies.h. Springs and dampers tie each body to the ground and the third one to the
 * second. */
#include "three_bodies.h"
#include "test/fixtures/solver_fixture.h"

#include <math.h>

static const int M_row[] = {0, 2, 4, 6, 8, 10, 12}, M_col[] = {0, 3, 1, 4, 2, 5, 0, 3, 1, 4, 2, 5};
/* The spring is between coordinates 1 and 2, the damper between 1 and 5; masses turn with the second coordinate of a
 * body. */
static const int p_row[] = {0, 2, 5, 8, 10, 12, 14}, p_col[] = {0, 3, 1, 2, 4, 1, 2, 5, 0, 3, 1, 4, 2, 5};
static const int v_row[] = {0, 1, 3, 4, 5, 6, 8}, v_col[] = {0, 1, 5, 2, 3, 4, 1, 5};
static const int G_row[] = {0, 2, 4}, G_col[] = {0, 4, 1, 4};
/* Friction of constraint 1, between coordinates of the second body, on the first one. */
static const int lam_row[] = {0, 0, 0, 0, 1, 1, 1}, lam_col[] = {1};

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    for (int b = 0; b < THREE_BODIES; b++) {
        double *first = M + 2 * b, *second = M + 2 * (b + THREE_BODIES);
        first[0] = 3 + b;
        first[1] = second[0] = cos(p[b + THREE_BODIES]);
        second[1] = 2;
    }
    return 0;
}

/* Psi */
static void forces(const double *p, const double *v, const double *lam, double *f)
{
    double spring = 40 * sin(p[2] - p[1]), damper = 5 * (v[5] - v[1]) * (1 + 0.1 * v[1]);
    for (int b = 0; b < THREE_BODIES; b++) {
        f[b] = -20 * p[b] - pow(p[b], 3) + sin(p[b + THREE_BODIES]);
        f[b + THREE_BODIES] = -30 * p[b + THREE_BODIES] * (1 + p[b]) - v[b + THREE_BODIES];
    }
    f[0] -= 2 * v[0];
    f[2] -= v[2] * v[2] + spring;
    f[1] += spring + damper;
    f[5] -= damper;
    if (lam) f[3] -= 0.1 * lam[1];
}

static int residual_lam(double t, const double *p, const double *v, const double *a, const double *lam,
                        const resida_excitation *e, double *r, void *user)
{
    double M[2 * THREE_BODIES_N], f[THREE_BODIES_N];
    mass_matrix(t, p, e, M, user);
    forces(p, v, lam, f);
    for (int i = 0; i < THREE_BODIES_N; i++)
        r[i] = M[2 * i] * a[i % THREE_BODIES] + M[2 * i + 1] * a[i % THREE_BODIES + THREE_BODIES] - f[i];
    return 0;
}

static int acceleration_lam(double t, const double *p, const double *v, const double *f, const double *lam,
                            const resida_excitation *e, double *a, void *user)
{
    double M[2 * THREE_BODIES_N], psi[THREE_BODIES_N];
    mass_matrix(t, p, e, M, user);
    forces(p, v, lam, psi);
    for (int b = 0; b < THREE_BODIES; b++) {
        int c = b + THREE_BODIES;
        double x = psi[b] + f[b], y = psi[c] + f[c], det = M[2 * b] * M[2 * c + 1] - M[2 * b + 1] * M[2 * c];
        a[b] = (M[2 * c + 1] * x - M[2 * b + 1] * y) / det;
        a[c] = (M[2 * b] * y - M[2 * c] * x) / det;
    }
    return 0;
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    return residual_lam(t, p, v, a, NULL, e, r, user);
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    return acceleration_lam(t, p, v, f, NULL, e, a, user);
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = sin(p[0]) + p[4] + p[0] * p[4];
    g[1] = p[1] + p[1] * p[1] - 0.5 * p[4];
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    G[0] = cos(p[0]) + p[4];
    G[1] = 1 + p[0];
    G[2] = 1 + 2 * p[1];
    G[3] = -0.5;
    return 0;
}

resida_mechanism three_bodies(int friction)
{
    resida_mechanism m = test_mechanism();
    m.n_p = m.n_v = THREE_BODIES_N;
    m.n_g = THREE_BODIES_N_G;
    if (friction) {
        m.residual_lam = residual_lam;
        m.acceleration_lam = acceleration_lam;
        m.Phi_lam_pattern = (resida_pattern){lam_row, lam_col};
    } else {
        m.residual = residual;
        m.acceleration = acceleration;
    }
    m.mass_matrix = mass_matrix;
    m.M_pattern = (resida_pattern){M_row, M_col};
    m.constraint = constraint;
    m.constraint_matrix = constraint_matrix;
    m.G_pattern = (resida_pattern){G_row, G_col};
    m.Phi_p_pattern = (resida_pattern){p_row, p_col};
    m.Phi_v_pattern = (resida_pattern){v_row, v_col};
    return m;
}
