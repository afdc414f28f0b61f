/* small_world.c - one function for each force and constraint; the rest is the same for all models. */
#include "small_world.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

#include <math.h>
#include <stddef.h>

#define GRAVITY 9.81

static void springs(const double *p, const double *v, double *psi)
{
    psi[0] = -3 * p[0] - 0.1 * v[0] + (p[1] - p[0]);
    psi[1] = -(p[1] - p[0]) - 0.2 * v[1];
}

static void spring(const double *p, const double *v, double *psi)
{
    psi[0] = -3 * p[0] - 0.1 * v[0];
}

static void weight(const double *p, const double *v, double *psi)
{
    psi[0] = 0;
    psi[1] = -GRAVITY;
}

static void push_and_drag(const double *p, const double *v, double *psi)
{
    psi[0] = 1 - 0.1 * v[0];
    psi[1] = -0.1 * v[1];
    psi[2] = 0.2 - 0.1 * v[2];
}

/* Of a body with moments of inertia 1, 2, 3. */
static void gyroscopic(const double *p, const double *v, double *psi)
{
    psi[0] = -v[1] * v[2] * (3 - 2);
    psi[1] = -v[2] * v[0] * (1 - 3);
    psi[2] = -v[0] * v[1] * (2 - 1);
}

static int driven(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[0] - e->u[0];
    return 0;
}

static int driven_matrix(double t, const double *p, const resida_excitation *e, double *gp, void *user)
{
    gp[0] = 1;
    return 0;
}

static int nothing(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = g[1] = 0;
    return 0;
}

static int nothing_matrix(double t, const double *p, const resida_excitation *e, double *gp, void *user)
{
    for (int i = 0; i < 4; i++) gp[i] = 0;
    return 0;
}

/* The axis z of the body stays in the plane x = 0. */
static int plane(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = 2 * (p[1] * p[3] + p[0] * p[2]);
    return 0;
}

static int plane_matrix(double t, const double *p, const resida_excitation *e, double *gp, void *user)
{
    gp[0] = 2 * p[2], gp[1] = 2 * p[3], gp[2] = 2 * p[0], gp[3] = 2 * p[1];
    return 0;
}

static int relaxation(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] + y[0] - y[1];
    r[1] = y[1] - 0.5 * cos(y[0]);
    return 0;
}

static int oscillation(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0];
    return 0;
}

#define COS_1 0.5403023058681398

const small_model small_models[] = {
    {.name = "no constraint", .n_p = 2, .n_v = 2, .mass = {3, 1}, .p0 = {0.5, -0.2}, .v0 = {0.3, 0}, .forces = springs},
    {.name = "one coordinate", .n_p = 1, .n_v = 1, .mass = {2}, .p0 = {0.5}, .v0 = {0.3}, .forces = spring},
    {.name = "one coordinate, driven",
     .n_p = 1,
     .n_v = 1,
     .n_g = 1,
     .n_u = 1,
     .mass = {2},
     .p0 = {0.5},
     .v0 = {0.3},
     .forces = spring,
     .constraint = driven,
     .constraint_matrix = driven_matrix},
    {.name = "no force of velocities",
     .n_p = 2,
     .n_v = 2,
     .n_g = 1,
     .mass = {1, 2},
     .p0 = {1, 0},
     .v0 = {0, 0},
     .forces = weight,
     .constraint = small_rod,
     .constraint_matrix = small_rod_matrix},
    {.name = "nonholonomic alone",
     .n_p = 3,
     .n_v = 3,
     .n_h = 1,
     .mass = {1, 1, 0.5},
     .v0 = {1, 0, 0.5},
     .forces = push_and_drag},
    {.name = "redundant alone",
     .n_p = 2,
     .n_v = 2,
     .n_g = 2,
     .mass = {3, 1},
     .p0 = {0.5, -0.2},
     .v0 = {0.3, 0},
     .forces = springs,
     .constraint = nothing,
     .constraint_matrix = nothing_matrix},
    {.name = "Euler parameters",
     .n_p = 4,
     .n_v = 3,
     .n_g = 1,
     .mass = {1, 2, 3},
     .p0 = {1, 0, 0, 0},
     .v0 = {0.5, 0, 0.4},
     .forces = gyroscopic,
     .constraint = plane,
     .constraint_matrix = plane_matrix},
    {.name = "a DAE",
     .is_dae = 1,
     .n_p = 2,
     .p0 = {1, 0.5 * COS_1},
     .v0 = {0.5 * COS_1 - 1, 0},
     .residual = relaxation,
     .kinds = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC}},
    {.name = "an ODE", .is_dae = 1, .n_p = 2, .p0 = {1, 0}, .v0 = {0, -1}, .residual = oscillation},
};
const int n_small_models = sizeof small_models / sizeof small_models[0];

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const small_model *m = user;
    double psi[SMALL_WORLD_N];
    m->forces(p, v, psi);
    for (int i = 0; i < m->n_v; i++) r[i] = m->mass[i] * a[i] - psi[i];
    return 0;
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    const small_model *m = user;
    double psi[SMALL_WORLD_N];
    m->forces(p, v, psi);
    for (int i = 0; i < m->n_v; i++) a[i] = (psi[i] + f[i]) / m->mass[i];
    return 0;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    const small_model *m = user;
    for (int i = 0; i < m->n_v * m->n_v; i++) M[i] = 0;
    for (int i = 0; i < m->n_v; i++) M[i * m->n_v + i] = m->mass[i];
    return 0;
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = 0.5 + 0.3 * sin(t);
    ud[0] = 0.3 * cos(t);
    udd[0] = -0.3 * sin(t);
    return 0;
}

static int skate(double t, const double *p, const resida_excitation *e, double *Gh, void *user)
{
    Gh[0] = sin(p[2]), Gh[1] = -cos(p[2]), Gh[2] = 0;
    return 0;
}

/* Angular velocities are those in the axes of the body. */
static int euler_parameters(double t, const double *p, const resida_excitation *e, double *T, void *user)
{
    const double rows[4][3] = {{-p[1], -p[2], -p[3]}, {p[0], -p[3], p[2]}, {p[3], p[0], -p[1]}, {-p[2], p[1], p[0]}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++) T[3 * i + j] = rows[i][j] / 2;
    return 0;
}

static resida_status mechanism(resida_problem **problem, const small_model *m, const resida_problem_options *o,
                               resida_message *why)
{
    resida_mechanism k = test_mechanism();
    k.name = m->name;
    k.n_p = m->n_p, k.n_v = m->n_v, k.n_g = m->n_g, k.n_h = m->n_h, k.n_u = m->n_u;
    k.user = (void *)(size_t)m;
    k.residual = residual, k.acceleration = acceleration, k.mass_matrix = mass_matrix;
    k.constraint = m->constraint, k.constraint_matrix = m->constraint_matrix;
    if (m->n_u > 0) k.excitation = excitation;
    if (m->n_h > 0) k.nonholonomic_matrix = skate;
    if (m->n_p != m->n_v) k.kinematic_matrix = euler_parameters;
    return resida_problem_create(problem, &k, o, why);
}

resida_status small_problem(resida_problem **problem, const small_model *m, const resida_problem_options *o,
                            resida_message *why)
{
    resida_dae d = test_dae();
    if (!m->is_dae) return mechanism(problem, m, o, why);
    d.name = m->name;
    d.n = m->n_p;
    d.residual = m->residual;
    d.kinds = m->kinds;
    return resida_problem_create_dae(problem, &d, o, why);
}
