/* andrews.c - Andrews' squeezing mechanism: seven plane bodies, one closed system of loops, one degree of freedom,
 * driven by a constant torque. Equations and data as in the IVP Test Set (Bari/CWI), problem "andrews"; the problem
 * goes back to Giles (1978) and Manning (1981); Schiehlen: Multibody Systems Handbook (1990).
 *
 *     M(p) v' = f(p,v) - G' lam,   0 = g(p),   p = (beta, Theta, gamma, Phi, delta, Omega, epsilon)
 *
 * No gravity. E = v'M v/2 + c0 (l - l0)^2/2 - mom beta is conserved.
 *
 * The published states have 10 digits in p, 7 in v and 6 in lam. The reference states were recomputed in 80-bit
 * arithmetic; they conserve E to 1e-17 and agree with the published states to those digits. */
#include "benchmarks/util/model_kind.h"
#include "models.h"
#include "benchmarks/util/forced.h"

#include <math.h>

#include "benchmarks/models/data/andrews.parameters.inc"

enum { N = 7, N_G = 6 };
enum { BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPSILON };

static const double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050, m6 = 0.00706, m7 = 0.05498;
static const double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5, I6 = 5.667e-7,
                    I7 = 1.912e-5;
static const double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072;
static const double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092;
static const double ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916;
static const double u = 0.04, ua = 0.01228, ub = 0.00449, zf = 0.02, zt = 0.04, fa = 0.01421;

static const double states[] = {
#include "benchmarks/models/data/andrews.csv.inc"
};

typedef struct andrews {
    bench_forced forced;
    double mom, c0, l0;
} andrews;

static void fill_mass(const void *memory, const double *p, double *out)
{
    double(*M)[N] = (double(*)[N])out;
    const double e1 = e - ea, z1 = zf - fa, c = cos(p[THETA]), sp = sin(p[PHI]), so = sin(p[OMEGA]);
    M[0][0] = m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * c + da * da) + I1 + I2;
    M[0][1] = M[1][0] = m2 * (da * da - da * rr * c) + I2;
    M[1][1] = m2 * da * da + I2;
    M[2][2] = m3 * (sa * sa + sb * sb) + I3;
    M[3][3] = m4 * e1 * e1 + I4;
    M[3][4] = M[4][3] = m4 * (e1 * e1 + zt * e1 * sp) + I4;
    M[4][4] = m4 * (zt * zt + 2 * zt * e1 * sp + e1 * e1) + m5 * (ta * ta + tb * tb) + I4 + I5;
    M[5][5] = m6 * z1 * z1 + I6;
    M[5][6] = M[6][5] = m6 * (z1 * z1 - u * z1 * so) + I6;
    M[6][6] = m6 * (z1 * z1 - 2 * u * z1 * so + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7;
}

/* Compute the vector from the fixed end of the spring to its other end. */
static void spring(double gamma, double *x, double *y)
{
    *x = sd * cos(gamma) + sc * sin(gamma) + xb - xc, *y = sd * sin(gamma) - sc * cos(gamma) + yb - yc;
}

/* Return the torque of the spring on gamma. */
static double spring_torque(const andrews *c, double gamma)
{
    const double cg = cos(gamma), sg = sin(gamma);
    const double x = sd * cg + sc * sg + xb - xc, y = sd * sg - sc * cg + yb - yc;
    const double length = hypot(x, y), force = -c->c0 * (length - c->l0) / length;
    return force * (x * (sc * cg - sd * sg) + y * (sd * cg + sc * sg));
}

static int forces(const void *memory, const double *p, const double *v, const resida_excitation *ex, double *f)
{
    const andrews *c = memory;
    const double e1 = e - ea, z1 = zf - fa;
    const double st = sin(p[THETA]), cp = cos(p[PHI]), co = cos(p[OMEGA]);
    f[0] = c->mom - m2 * da * rr * v[THETA] * (v[THETA] + 2 * v[BETA]) * st;
    f[1] = m2 * da * rr * v[BETA] * v[BETA] * st;
    f[2] = spring_torque(c, p[GAMMA]);
    f[3] = m4 * zt * e1 * v[DELTA] * v[DELTA] * cp;
    f[4] = -m4 * zt * e1 * v[PHI] * (v[PHI] + 2 * v[DELTA]) * cp;
    f[5] = -m6 * u * z1 * v[EPSILON] * v[EPSILON] * co;
    f[6] = m6 * u * z1 * v[OMEGA] * (v[OMEGA] + 2 * v[EPSILON]) * co;
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *ex, double *out, void *user)
{
    const double b = p[BETA], bt = b + p[THETA], pd = p[PHI] + p[DELTA], oe = p[OMEGA] + p[EPSILON];
    const double x = rr * cos(b) - d * cos(bt), y = rr * sin(b) - d * sin(bt); /* the common point of the three loops */
    out[0] = x - ss * sin(p[GAMMA]) - xb;
    out[1] = y + ss * cos(p[GAMMA]) - yb;
    out[2] = x - e * sin(pd) - zt * cos(p[DELTA]) - xa;
    out[3] = y + e * cos(pd) - zt * sin(p[DELTA]) - ya;
    out[4] = x - zf * cos(oe) - u * sin(p[EPSILON]) - xa;
    out[5] = y - zf * sin(oe) + u * cos(p[EPSILON]) - ya;
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *ex, double *out, void *user)
{
    const double b = p[BETA], bt = b + p[THETA], pd = p[PHI] + p[DELTA], oe = p[OMEGA] + p[EPSILON];
    double(*G)[N] = (double(*)[N])out;
    bench_fill(N_G * N, 0, out);
    for (int loop = 0; loop < 3; loop++) {
        G[2 * loop][BETA] = -rr * sin(b) + d * sin(bt);
        G[2 * loop][THETA] = d * sin(bt);
        G[2 * loop + 1][BETA] = rr * cos(b) - d * cos(bt);
        G[2 * loop + 1][THETA] = -d * cos(bt);
    }
    G[0][GAMMA] = -ss * cos(p[GAMMA]);
    G[1][GAMMA] = -ss * sin(p[GAMMA]);
    G[2][PHI] = -e * cos(pd);
    G[2][DELTA] = -e * cos(pd) + zt * sin(p[DELTA]);
    G[3][PHI] = -e * sin(pd);
    G[3][DELTA] = -e * sin(pd) - zt * cos(p[DELTA]);
    G[4][OMEGA] = zf * sin(oe);
    G[4][EPSILON] = zf * sin(oe) - u * cos(p[EPSILON]);
    G[5][OMEGA] = -zf * cos(oe);
    G[5][EPSILON] = -zf * cos(oe) - u * sin(p[EPSILON]);
    return 0;
}

static double square(double x)
{
    return x * x;
}

static int acceleration_bias(double t, const double *p, const double *v, const resida_excitation *ex, double *out,
                             void *user)
{
    const double b = p[BETA], bt = b + p[THETA], pd = p[PHI] + p[DELTA], oe = p[OMEGA] + p[EPSILON];
    const double b2 = square(v[BETA]), bt2 = square(v[BETA] + v[THETA]), g2 = square(v[GAMMA]);
    const double pd2 = square(v[PHI] + v[DELTA]), d2 = square(v[DELTA]);
    const double oe2 = square(v[OMEGA] + v[EPSILON]), e2 = square(v[EPSILON]);
    const double x = -rr * cos(b) * b2 + d * cos(bt) * bt2, y = -rr * sin(b) * b2 + d * sin(bt) * bt2;
    out[0] = x + ss * sin(p[GAMMA]) * g2;
    out[1] = y - ss * cos(p[GAMMA]) * g2;
    out[2] = x + e * sin(pd) * pd2 + zt * cos(p[DELTA]) * d2;
    out[3] = y - e * cos(pd) * pd2 + zt * sin(p[DELTA]) * d2;
    out[4] = x + zf * cos(oe) * oe2 + u * sin(p[EPSILON]) * e2;
    out[5] = y + zf * sin(oe) * oe2 - u * cos(p[EPSILON]) * e2;
    return 0;
}

static const resida_part parts[] = {
    {"crank", RESIDA_PART_LINE, 2},     {"rod", RESIDA_PART_LINE, 2},      {"lever", RESIDA_PART_LINE, 4},
    {"coupler 1", RESIDA_PART_LINE, 2}, {"rocker 1", RESIDA_PART_LINE, 2}, {"coupler 2", RESIDA_PART_LINE, 2},
    {"rocker 2", RESIDA_PART_LINE, 2},  {"spring", RESIDA_PART_SPRING, 2}, {NULL, RESIDA_PART_BALLS, 4}};

/* Draw each body by its joints; the three loops meet at the end of the rod. */
static int shape(const resida_model *model, double t, const double *p, double *xyz)
{
    const double b = p[BETA], bt = b + p[THETA], crank_x = rr * cos(b), crank_y = rr * sin(b);
    const double x = crank_x - d * cos(bt), y = crank_y - d * sin(bt);
    const double x4 = xa + zt * cos(p[DELTA]), y4 = ya + zt * sin(p[DELTA]);
    const double x6 = xa + u * sin(p[EPSILON]), y6 = ya - u * cos(p[EPSILON]);
    double dx, dy;
    spring(p[GAMMA], &dx, &dy);
    const double at[] = {0,  0,  crank_x, crank_y, crank_x, crank_y, x,  y,  xb, yb, x,  y,  xc + dx, yc + dy, xb,
                         yb, x4, y4,      x,       y,       xa,      ya, x4, y4, x6, y6, x,  y,       xa,      ya,
                         x6, y6, xc,      yc,      xc + dx, yc + dy, 0,  0,  xa, ya, xb, yb, xc,      yc};
    bench_planar_points(at, BENCH_COUNT(at) / 2, xyz);
    return 0;
}

static const char *const output_names[] = {"spring", "energy"}, *const output_units[] = {"N", "J"};

/* Outputs: the tension of the spring; the energy including the potential of the drive torque. */
static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    const andrews *c = model->user;
    double x, y;
    spring(at->p[GAMMA], &x, &y);
    const double stretch = hypot(x, y) - c->l0;
    out[0] = c->c0 * stretch;
    out[1] = bench_kinetic_energy(&model->mechanism, at) + c->c0 * stretch * stretch / 2 - c->mom * at->p[BETA];
    return 0;
}

static int set(const double *values, resida_model *model, resida_message *why)
{
    static const char *const p_names[] = {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"};
    static const char *const v_names[] = {"beta'", "Theta'", "gamma'", "Phi'", "delta'", "Omega'", "epsilon'"};
    static const char *const g_names[] = {"loop 1 x", "loop 1 y", "loop 2 x", "loop 2 y", "loop 3 x", "loop 3 y"};
    static const char *const p_units[] = {"rad", "rad", "rad", "rad", "rad", "rad", "rad"};
    static const char *const lam_units[] = {"N", "N", "N", "N", "N", "N"};
    andrews *c = model->user;
    *c = (andrews){{N, forces, fill_mass, {0}}, values[P_MOM], values[P_C0], values[P_L0]};
    resida_mechanism *m = &model->mechanism;
    bench_forced_mechanism(&c->forced, m);
    m->n_g = N_G;
    m->constraint = constraint, m->constraint_matrix = constraint_matrix, m->velocity_bias = bench_no_bias;
    m->acceleration_bias = acceleration_bias;
    m->p_names = p_names, m->v_names = v_names, m->g_names = g_names;
    model->p_units = p_units, model->lam_units = lam_units;
    model->t_end = 0.03;
    model->p0 = states + 1, model->v0 = states + 1 + N;
    model->rtol = 1e-6, model->atol = 1e-8;
    model->parts = parts, model->n_parts = BENCH_COUNT(parts), model->shape = shape;
    model->n_outputs = BENCH_COUNT(output_names), model->output_names = output_names;
    model->output_units = output_units, model->output = output;
    model->reference_source =
        "IVP Test Set problem; states recomputed by extrapolation in 80-bit arithmetic, 12 digits";
    return 0;
}

const bench_kind bench_andrews = {
    BENCH_KIND("andrews", "Andrews' squeezing mechanism, 7 bodies, 6 constraints (IVP Test Set)", N_PARAMETERS,
               parameters, andrews, set),
    BENCH_STATES(states),
};
