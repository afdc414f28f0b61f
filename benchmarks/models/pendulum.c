/* pendulum.c - planar pendulum in Cartesian coordinates,
 *
 *     m x'' = -2 x lam,   m y'' = -2 y lam - m g,   0 = x^2 + y^2 - L^2,          lam = m (v^2 - g y) / (2 L^2).
 *
 * The default g makes the period exactly 2 for a start from the horizontal at rest (SUNDIALS' example cvPendulum_dns).
 * g = 9.81, phi0 = pi is A01 "planar simple pendulum" of the IFToMM library of multibody benchmarks.
 *
 * The reference is the exact solution. With the angle theta from the lowest point, w = sqrt(g/L) and the rate W =
 * sqrt(theta0'^2/4 + w^2 sin^2(theta0/2)) of theta/2 at the lowest point:
 *
 *     W < w, it swings:  sin(theta/2) = k sn(w t + c, k),  cos(theta/2) = dn,  theta' = 2 W cn,      k = W/w
 *     W > w, it turns:   sin(theta/2) =   sn(W t + c, k),  cos(theta/2) = cn,  theta' = +-2 W dn,    k = w/W
 *
 * There is no reference near W = w, because rounding of the parameters decides between the two cases. */
#include "benchmarks/util/elliptic.h"
#include "benchmarks/util/model_kind.h"
#include "models.h"

#include <math.h>

#include "benchmarks/models/data/pendulum.parameters.inc"

#define SEPARATRIX 1e-8L /* |w^2 - W^2| relative to the larger of w^2 and W^2; below it there is no reference */

typedef struct pendulum {
    double m, L, g, phi0, w0;
    double p0[2], v0[2];
} pendulum;

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const pendulum *c = user;
    r[0] = c->m * a[0];
    r[1] = c->m * (a[1] + c->g);
    return 0;
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    const pendulum *c = user;
    a[0] = f[0] / c->m;
    a[1] = f[1] / c->m - c->g;
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const pendulum *c = user;
    out[0] = p[0] * p[0] + p[1] * p[1] - c->L * c->L;
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    out[0] = 2 * p[0];
    out[1] = 2 * p[1];
    return 0;
}

static int acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e, double *out,
                             void *user)
{
    out[0] = 2 * (v[0] * v[0] + v[1] * v[1]);
    return 0;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const pendulum *c = user;
    out[0] = out[3] = c->m;
    out[1] = out[2] = 0;
    return 0;
}

/* Compute sin and cos of theta/2, and theta', at time t. @return 0, or 1 if too close to the separatrix */
static int half_angle(const pendulum *c, double t, long double *s, long double *co, long double *rate)
{
    const long double pi = 3.14159265358979323846264338327950288L;
    long double half = remainderl((long double)c->phi0 + pi / 2, 2 * pi) / 2; /* theta0/2, within +-pi/2 */
    long double half_rate = (long double)c->w0 / 2;
    long double w2 = (long double)c->g / c->L, w = sqrtl(w2);
    long double W = sqrtl(half_rate * half_rate + w2 * sinl(half) * sinl(half));
    long double gap = w2 * cosl(half) * cosl(half) - half_rate * half_rate; /* w^2 - W^2 without cancellation */
    long double larger = w > W ? w : W;
    if (larger <= 0) { /* no gravity, at rest */
        *s = sinl(half), *co = cosl(half), *rate = 0;
        return 0;
    }
    if (fabsl(gap) <= SEPARATRIX * larger * larger) return 1;
    long double kc = sqrtl(fabsl(gap)) / larger, sn, cn, dn;
    if (gap > 0) {
        long double k = W / w, phase = bench_elliptic_f(atan2l(w * sinl(half), half_rate), kc);
        bench_jacobi(w * t + phase, k, kc, &sn, &cn, &dn);
        *s = k * sn, *co = dn, *rate = 2 * W * cn;
    } else {
        long double k = w / W, turn = half_rate > 0 ? 1 : -1;
        bench_jacobi(turn * W * t + bench_elliptic_f(half, kc), k, kc, &sn, &cn, &dn);
        *s = sn, *co = cn, *rate = turn * 2 * W * dn;
    }
    return 0;
}

static int reference(const resida_model *model, double t, double *p, double *v, double *lam)
{
    const pendulum *c = model->user;
    long double s, co, rate, L = c->L;
    if (half_angle(c, t, &s, &co, &rate)) return 1;
    long double x = 2 * L * s * co, y = L * (2 * s * s - 1);
    if (p) p[0] = (double)x, p[1] = (double)y;
    if (v) v[0] = (double)(-y * rate), v[1] = (double)(x * rate);
    if (lam) lam[0] = (double)(c->m * (L * L * rate * rate - c->g * y) / (2 * L * L));
    return 0;
}

static const resida_part parts[] = {
    {"rod", RESIDA_PART_LINE, 2}, {"mass", RESIDA_PART_BALLS, 1}, {"tension", RESIDA_PART_ARROW, 2}};

static int shape(const resida_model *model, double t, const double *p, double *xyz)
{
    bench_planar_points((const double[]){0, 0, p[0], p[1], p[0], p[1], p[0], p[1], 0, 0}, 5, xyz);
    return 0;
}

static const char *const output_names[] = {"tension", "energy"}, *const output_units[] = {"N", "J"};

/* Outputs: tension and energy. The force on the mass is -2 lam (x, y), with the norm 2 L lam. */
static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    const pendulum *c = model->user;
    out[0] = 2 * c->L * at->lam[0];
    out[1] = c->m * ((at->v[0] * at->v[0] + at->v[1] * at->v[1]) / 2 + c->g * at->p[1]);
    return 0;
}

static int set(const double *values, resida_model *model, resida_message *why)
{
    static const char *const p_names[] = {"x", "y"}, *const v_names[] = {"x'", "y'"}, *const g_names[] = {"rod"};
    static const char *const p_units[] = {"m", "m"}, *const lam_units[] = {"N/m"};
    pendulum *c = model->user;
    const double L = values[P_L], angle = values[P_PHI0], w0 = values[P_W0];
    *c = (pendulum){.m = values[P_M], .L = L, .g = values[P_G], .phi0 = angle, .w0 = w0};
    c->p0[0] = L * cos(angle), c->p0[1] = L * sin(angle);
    c->v0[0] = -w0 * c->p0[1], c->v0[1] = w0 * c->p0[0];
    resida_mechanism *m = &model->mechanism;
    m->n_p = m->n_v = 2, m->n_g = 1;
    m->residual = residual, m->acceleration = acceleration;
    m->constraint = constraint, m->constraint_matrix = constraint_matrix, m->velocity_bias = bench_no_bias;
    m->acceleration_bias = acceleration_bias, m->mass_matrix = mass_matrix;
    m->p_names = p_names, m->v_names = v_names, m->g_names = g_names;
    model->p_units = p_units, model->lam_units = lam_units;
    model->t_end = 30;
    model->p0 = c->p0, model->v0 = c->v0;
    model->rtol = 1e-6, model->atol = 1e-8;
    model->parts = parts, model->n_parts = BENCH_COUNT(parts), model->shape = shape;
    model->n_outputs = 2, model->output_names = output_names, model->output_units = output_units;
    model->output = output;
    model->reference = reference;
    model->reference_source = "exact solution by Jacobi's elliptic functions";
    return 0;
}

const bench_kind bench_pendulum = {
    BENCH_KIND("pendulum",
               "planar pendulum in Cartesian coordinates, with a known exact solution; default period 2 s (SUNDIALS)",
               N_PARAMETERS, parameters, pendulum, set),
};
