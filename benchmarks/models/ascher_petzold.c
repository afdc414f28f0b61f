/* ascher_petzold.c - a linear mechanism with a stiff constraint: Example 3, (4.13), of U. Ascher, L. Petzold, Stability
 * of computational methods for constrained dynamics systems, Tables 4.3 to 4.8,
 *
 *     p' = v,   M(t) v' = f - C'(t) lam + q(t),   0 = C(t) p + r(t),        p = v = e^t (1, 1),  lam = e^t/(2 - t)
 *
 *     C = (1, t - 2),  f = E v,  E = diag(0, e),
 *     M = (2 + t)/nu^2 ( (nu^2 + (nu-1)^2)/(2 - t)   -nu (2 nu - 1) ; -nu (2 nu - 1)   2 (2 - t) nu^2 )
 *
 * For nu = 1000 the angle between M^-1 C' and C' is large although both vary slowly. The multiplier of an implicit
 * method then acts like an explicit step. Values of e: 0, (2 + t)/nu and 2 (2 + t)/nu. For the last value the
 * underlying ODE is not stiff. */
#include "ascher_petzold.h"

#include "benchmarks/util/model_kind.h"
#include "models.h"

#include <math.h>

#include "benchmarks/models/data/ascher-petzold.parameters.inc"

typedef struct linear {
    double nu, force;
    double start[2];
} linear;

/* Compute M: (2 + t)/nu^2 times a matrix with determinant nu^2. */
static void fill_mass(const linear *c, double t, double out[4])
{
    const double nu = c->nu, scale = (2 + t) / (nu * nu);
    out[0] = scale * (nu * nu + (nu - 1) * (nu - 1)) / (2 - t);
    out[1] = out[2] = -scale * nu * (2 * nu - 1);
    out[3] = scale * 2 * (2 - t) * nu * nu;
}

/* Compute f + q. */
static void fill_force(const linear *c, double t, const double *v, double out[2])
{
    const double growth = exp(t), lam = growth / (2 - t), e = c->force * (2 + t) / c->nu;
    double M[4];
    fill_mass(c, t, M);
    out[0] = (M[0] + M[1]) * growth + lam;
    out[1] = (M[2] + M[3]) * growth + (t - 2) * lam + e * (v[1] - growth);
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    double M[4], f[2];
    fill_mass(user, t, M);
    fill_force(user, t, v, f);
    r[0] = M[0] * a[0] + M[1] * a[1] - f[0];
    r[1] = M[2] * a[0] + M[3] * a[1] - f[1];
    return 0;
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    const linear *c = user;
    double M[4], s[2];
    fill_mass(c, t, M);
    fill_force(c, t, v, s);
    const double determinant = (2 + t) * (2 + t) / (c->nu * c->nu);
    s[0] += f[0], s[1] += f[1];
    a[0] = (M[3] * s[0] - M[1] * s[1]) / determinant;
    a[1] = (M[0] * s[1] - M[2] * s[0]) / determinant;
    return 0;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    fill_mass(user, t, out);
    return 0;
}

/* r = -C p at the solution, (1 - t) e^t; r' = -t e^t, r'' = -(1 + t) e^t. */
static int constraint(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    out[0] = p[0] + (t - 2) * p[1] + (1 - t) * exp(t);
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    out[0] = 1, out[1] = t - 2;
    return 0;
}

static int velocity_bias(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    out[0] = p[1] - t * exp(t);
    return 0;
}

static int acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e, double *out,
                             void *user)
{
    out[0] = 2 * v[1] - (1 + t) * exp(t);
    return 0;
}

int bench_doubled_bias(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    int verdict = acceleration_bias(t, p, v, e, out, user);
    out[0] += 2 * (v[1] - exp(t));
    return verdict;
}

int bench_projection_B(double t, const double *p, const resida_excitation *e, double *D, void *user)
{
    const linear *c = user;
    D[0] = (4 - t * t) * c->nu, D[1] = (c->nu - 1) * (t + 2);
    return 0;
}

int bench_projection_C(double t, const double *p, const resida_excitation *e, double *D, void *user)
{
    return constraint_matrix(t, p, e, D, user);
}

int bench_projection_unit(double t, const double *p, const resida_excitation *e, double *D, void *user)
{
    D[0] = 0, D[1] = 1;
    return 0;
}

static int reference(const resida_model *model, double t, double *p, double *v, double *lam)
{
    if (p) bench_fill(2, exp(t), p);
    if (v) bench_fill(2, exp(t), v);
    if (lam) lam[0] = exp(t) / (2 - t);
    return 0;
}

static int set(const double *values, resida_model *model, resida_message *why)
{
    static const char *const p_names[] = {"p1", "p2"}, *const v_names[] = {"v1", "v2"}, *const g_names[] = {"g"};
    linear *c = model->user;
    *c = (linear){.nu = values[P_NU], .force = values[P_FORCE], .start = {1, 1}};
    resida_mechanism *m = &model->mechanism;
    m->n_p = m->n_v = 2, m->n_g = 1;
    m->residual = residual, m->acceleration = acceleration, m->mass_matrix = mass_matrix;
    m->constraint = constraint, m->constraint_matrix = constraint_matrix, m->velocity_bias = velocity_bias;
    m->acceleration_bias = acceleration_bias;
    m->p_names = p_names, m->v_names = v_names, m->g_names = g_names;
    model->t_end = 1;
    model->p0 = model->v0 = c->start;
    model->rtol = 1e-6, model->atol = 1e-6;
    model->reference = reference;
    model->reference_source = "exact solution p = v = e^t (1, 1), lam = e^t/(2 - t)";
    return 0;
}

const bench_kind bench_ascher_petzold = {
    BENCH_KIND("ascher-petzold",
               "linear mechanism with a stiff constraint and a known exact solution (Ascher and Petzold, Example 3)",
               N_PARAMETERS, parameters, linear, set),
};
