/* pendulum_spring.c - the pendulum with a torsional spring at its root of O. Bauchau, A. Epple, C. Bottasso, Scaling of
 * Constraints and Augmented Lagrangian Formulations in Multibody Dynamics Simulations, problem II, eqs. (28), (29),
 * there without gravity:
 *
 *     m q'' + B_q' lam = -m g e_2,   k phi + l_2 lam_2 = 0,   0 = q'q - L^2,   0 = q_1 cos phi + q_2 sin phi
 *
 * The angle phi has no inertia. Its equation is the static equilibrium of the spring. M is singular, but positive
 * definite on the null space of G. phi is measured from the lowest point, q = L (sin phi, -cos phi); the paper does not
 * state the initial angle.
 *
 * phi is the angle of a physical pendulum, m L^2 phi'' = -k phi - m g L sin phi: with g = 0 the reference is phi = phi0
 * cos(w t), w^2 = k/(m L^2). */
#include "benchmarks/util/model_kind.h"
#include "models.h"

#include <math.h>

#include "benchmarks/models/data/pendulum-spring.parameters.inc"

typedef struct pendulum {
    double m, L, k, g, phi0;
    double p0[3], v0[3];
} pendulum;

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const pendulum *c = user;
    r[0] = c->m * a[0];
    r[1] = c->m * (a[1] + c->g);
    r[2] = c->k * p[2];
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const pendulum *c = user;
    out[0] = p[0] * p[0] + p[1] * p[1] - c->L * c->L;
    out[1] = p[0] * cos(p[2]) + p[1] * sin(p[2]);
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const double c = cos(p[2]), s = sin(p[2]);
    out[0] = 2 * p[0], out[1] = 2 * p[1], out[2] = 0;
    out[3] = c, out[4] = s, out[5] = -p[0] * s + p[1] * c;
    return 0;
}

static int acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e, double *out,
                             void *user)
{
    const double c = cos(p[2]), s = sin(p[2]);
    out[0] = 2 * (v[0] * v[0] + v[1] * v[1]);
    out[1] = 2 * v[2] * (-v[0] * s + v[1] * c) - v[2] * v[2] * (p[0] * c + p[1] * s);
    return 0;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const pendulum *c = user;
    bench_fill(9, 0, out);
    out[0] = out[4] = c->m;
    return 0;
}

static int reference(const resida_model *model, double t, double *p, double *v, double *lam)
{
    const pendulum *c = model->user;
    if (c->g > 0) return 1;
    const double w = sqrt(c->k / c->m) / c->L, phi = c->phi0 * cos(w * t), rate = -w * c->phi0 * sin(w * t);
    const double s = sin(phi), co = cos(phi);
    if (p) p[0] = c->L * s, p[1] = -c->L * co, p[2] = phi;
    if (v) v[0] = c->L * co * rate, v[1] = c->L * s * rate, v[2] = rate;
    if (lam) lam[0] = c->m * rate * rate / 2, lam[1] = c->k * phi / c->L;
    return 0;
}

static const resida_part parts[] = {
    {"rod", RESIDA_PART_LINE, 2}, {"mass", RESIDA_PART_BALLS, 1}, {"tension", RESIDA_PART_ARROW, 2}};

static int shape(const resida_model *model, double t, const double *p, double *xyz)
{
    bench_planar_points((const double[]){0, 0, p[0], p[1], p[0], p[1], p[0], p[1], 0, 0}, 5, xyz);
    return 0;
}

static const char *const output_names[] = {"tension", "moment", "energy"};
static const char *const output_units[] = {"N", "N m", "J"};

/* Outputs: tension of the rod; moment of the spring on the rod; energy. */
static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    const pendulum *c = model->user;
    out[0] = 2 * c->L * at->lam[0];
    out[1] = -c->k * at->p[2];
    out[2] = bench_kinetic_energy(&model->mechanism, at) + c->m * c->g * at->p[1] + c->k * at->p[2] * at->p[2] / 2;
    return 0;
}

static int set(const double *values, resida_model *model, resida_message *why)
{
    static const char *const p_names[] = {"x", "y", "phi"}, *const v_names[] = {"x'", "y'", "phi'"};
    static const char *const g_names[] = {"rod", "angle"};
    static const char *const p_units[] = {"m", "m", "rad"}, *const lam_units[] = {"N/m", "N m"};
    pendulum *c = model->user;
    *c = (pendulum){values[P_M], values[P_L], values[P_K], values[P_G], values[P_PHI0], {0}, {0}};
    c->p0[0] = c->L * sin(c->phi0), c->p0[1] = -c->L * cos(c->phi0), c->p0[2] = c->phi0;
    resida_mechanism *m = &model->mechanism;
    m->n_p = m->n_v = 3, m->n_g = 2;
    m->residual = residual;
    m->constraint = constraint, m->constraint_matrix = constraint_matrix, m->velocity_bias = bench_no_bias;
    m->acceleration_bias = acceleration_bias, m->mass_matrix = mass_matrix;
    m->p_names = p_names, m->v_names = v_names, m->g_names = g_names;
    model->p_units = p_units, model->lam_units = lam_units;
    model->t_end = 1;
    model->p0 = c->p0, model->v0 = c->v0;
    model->rtol = 1e-6, model->atol = 1e-8;
    model->parts = parts, model->n_parts = BENCH_COUNT(parts), model->shape = shape;
    model->n_outputs = BENCH_COUNT(output_names), model->output_names = output_names;
    model->output_units = output_units, model->output = output;
    model->reference = reference;
    model->reference_source = "exact solution";
    return 0;
}

const bench_kind bench_pendulum_spring = {
    BENCH_KIND("pendulum-spring",
               "pendulum with a spring at its root and its angle as a massless coordinate (Bauchau, Epple, Bottasso)",
               N_PARAMETERS, parameters, pendulum, set),
};
