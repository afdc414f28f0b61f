/* andrews.c - Andrews' squeezing mechanism: seven plane bodies, one closed system of loops, one degree of freedom,
 * driven by a constant torque. Equations and data as in the IVP Test Set (Bari/CWI), problem "andrews"; the problem
 * goes back to Giles (1978) and Manning (1981); Schiehlen: Multibody Systems Handbook (1990).
 *
 *     M(p) v' = f(p,v) - G' lam,   0 = g(p),   p = (beta, Theta, gamma, Phi, delta, Omega, epsilon)
 *
 * No gravity. E = v'M v/2 + c0 (l - l0)^2/2 - mom beta is conserved.
 *
 * The reference states are not the published ones, which carry 10 digits in p, 7 in v and 6 in lam, but a
 * recomputation in 80-bit arithmetic that conserves E to 1e-17 and agrees with the published ones to those digits. */
#include "benchmarks/util/model_util.h"
#include "models.h"
#include "benchmarks/util/spd_solve.h"

#include <math.h>

enum { N = 7, N_G = 6 };
enum { P_MOM, P_C0, P_L0, N_PARAMETERS };
enum { BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPSILON };

static const resida_parameter parameters[N_PARAMETERS] = {
    [P_MOM] = {"mom", 0.033, -10, 10, 0, "N m", "drive torque on beta", NULL},
    [P_C0] = {"c0", 4530, 0, 1e8, 0, "N/m", "stiffness of the spring", NULL},
    [P_L0] = {"l0", 0.07785, 0, 1, 0, "m", "length of the spring without force", NULL},
};

static const double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050, m6 = 0.00706, m7 = 0.05498;
static const double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5, I6 = 5.667e-7,
                    I7 = 1.912e-5;
static const double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072;
static const double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092;
static const double ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916;
static const double u = 0.04, ua = 0.01228, ub = 0.00449, zf = 0.02, zt = 0.04, fa = 0.01421;

/* t, p, v, lam; t = 0 is the consistent start of the test set. */
/* clang-format off */
static const double states[] = {
    0,
        -0.0617138900142764496358948458001, 0, 0.455279819163070380255912382449, 0.222668390165885884674473185609,
        0.487364979543842550225598953530, -0.222668390165885884674473185609, 1.23054744454982119249735015568,
        0, 0, 0, 0, 0, 0, 0,
        98.5668703962410896057654982170, -6.12268834425566265503114393122, 0, 0, 0, 0,
    0.01,
        2.1601131315315265, -1.8833642311070444, 0.1585167580012267, -0.32864107517467034, 0.5251547747977294,
        0.32864107517467034, 1.068427204632401,
        711.923152831104, -786.7700808599398, -136.43819137811968, -240.29302926786454, 4.791548225371053,
        240.29302926786454, -41.14056696161048,
        57.02529043750258, 2.967904246249481, 3.2188603850089392, -18.17926986794036, 5.159502718032352,
        34.240117291606616,
    0.02,
        8.18490588966168, -7.890505363730454, 0.20953691338469674, -0.23832559659585273, 0.5225369171559964,
        0.23832559659585273, 1.086275108599873,
        726.5583426091289, -748.6324206323312, -145.73923758440492, -259.5007994767754, 9.790501855163011,
        259.5007994767754, -57.75747174274589,
        48.49325698174953, 9.300377345734212, 2.3032331312871053, -15.773889807968438, 2.9422532545176305,
        22.988032419228272,
    0.03,
        15.810771195153716, -15.75637105841185, 0.040822240119645886, -0.5347301163420795, 0.524409965879954,
        0.5347301163420795, 1.048080741041938,
        1139.9203022591064, -1424.3792951775401, 11.032911910620946, 19.293374105036154, 0.5735699148296239,
        -19.293374105036154, 0.32317914924920216,
        199.17534810453859, -29.755309974972437, 23.066543611622134, 31.452725275770998, 22.642494786394366,
        11.61739235261148,
    0.04,
        24.375304972013367, -24.571161222743093, 0.41062917626511974, 0.13405733008966664, 0.49670214967318355,
        -0.13405733008966664, 1.1978483112192642,
        783.0850044853496, -689.7016091009477, 101.50514253220022, 198.14802483058423, -19.569375461934865,
        -198.14802483058423, 71.17406209995968,
        21.068567123895754, 41.27798701323832, -18.331533236746377, 13.604318240937845, -32.1822485503833,
        -47.86201878526854,
    0.05,
        33.82586776695455, -33.583431517463914, 0.11339507381259291, -0.40785286560189515, 0.5260604449169959,
        0.40785286560189515, 1.0569024294349616,
        1144.5355026538607, -1336.033722651217, -190.93706860429128, -334.3170608708586, 0.8758650829421745,
        334.3170608708586, -39.61728897834973,
        108.90548842953619, -27.21622114844599, 12.602041740750467, -41.54775281620343, 18.158341114689904,
        105.37455182624615,
};
/* clang-format on */

static const cmd_table table = {6, N, N, N_G, states};

typedef struct andrews {
    double mom, c0, l0;
    int standard; /* all parameters have their defaults */
} andrews;

static void fill_mass(const double *p, double M[N][N])
{
    const double e1 = e - ea, z1 = zf - fa, c = cos(p[THETA]), sp = sin(p[PHI]), so = sin(p[OMEGA]);
    bench_fill(N * N, 0, &M[0][0]);
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

/* The spring from its foot. */
static void spring(double gamma, double *x, double *y)
{
    *x = sd * cos(gamma) + sc * sin(gamma) + xb - xc, *y = sd * sin(gamma) - sc * cos(gamma) + yb - yc;
}

/* The spring's torque on gamma. */
static double spring_torque(const andrews *c, double gamma)
{
    const double cg = cos(gamma), sg = sin(gamma);
    const double x = sd * cg + sc * sg + xb - xc, y = sd * sg - sc * cg + yb - yc;
    const double length = hypot(x, y), force = -c->c0 * (length - c->l0) / length;
    return force * (x * (sc * cg - sd * sg) + y * (sd * cg + sc * sg));
}

static void fill_forces(const andrews *c, const double *p, const double *v, double *f)
{
    const double e1 = e - ea, z1 = zf - fa;
    const double st = sin(p[THETA]), cp = cos(p[PHI]), co = cos(p[OMEGA]);
    f[0] = c->mom - m2 * da * rr * v[THETA] * (v[THETA] + 2 * v[BETA]) * st;
    f[1] = m2 * da * rr * v[BETA] * v[BETA] * st;
    f[2] = spring_torque(c, p[GAMMA]);
    f[3] = m4 * zt * e1 * v[DELTA] * v[DELTA] * cp;
    f[4] = -m4 * zt * e1 * v[PHI] * (v[PHI] + 2 * v[DELTA]) * cp;
    f[5] = -m6 * u * z1 * v[EPSILON] * v[EPSILON] * co;
    f[6] = m6 * u * z1 * v[OMEGA] * (v[OMEGA] + 2 * v[EPSILON]) * co;
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *ex, double *r,
                    void *user)
{
    (void)t, (void)ex;
    double M[N][N], f[N];
    fill_mass(p, M);
    fill_forces(user, p, v, f);
    bench_dense_residual(N, &M[0][0], f, a, r);
    return 0;
}

static int acceleration(double t, const double *p, const double *v, const double *force, const resida_excitation *ex,
                        double *a, void *user)
{
    (void)t, (void)ex;
    double M[N][N], f[N];
    fill_mass(p, M);
    fill_forces(user, p, v, f);
    return bench_spd_acceleration(N, &M[0][0], f, force, a);
}

static int mass_matrix(double t, const double *p, const resida_excitation *ex, double *out, void *user)
{
    (void)t, (void)ex, (void)user;
    fill_mass(p, (double(*)[N])out);
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *ex, double *out, void *user)
{
    (void)t, (void)ex, (void)user;
    const double b = p[BETA], bt = b + p[THETA], pd = p[PHI] + p[DELTA], oe = p[OMEGA] + p[EPSILON];
    const double x = rr * cos(b) - d * cos(bt), y = rr * sin(b) - d * sin(bt); /* where the three loops meet */
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
    (void)t, (void)ex, (void)user;
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

static int velocity_bias(double t, const double *p, const resida_excitation *ex, double *out, void *user)
{
    (void)t, (void)p, (void)ex, (void)user;
    bench_fill(N_G, 0, out); /* no constraint moves */
    return 0;
}

static int acceleration_bias(double t, const double *p, const double *v, const resida_excitation *ex, double *out,
                             void *user)
{
    (void)t, (void)ex, (void)user;
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

static int reference(const resida_model *model, double t, double *p, double *v, double *lam)
{
    const andrews *c = model->user;
    return c->standard ? bench_table_read(&table, t, p, v, lam) : 1;
}

static const resida_part parts[] = {
    {"crank", RESIDA_PART_LINE, 2},     {"rod", RESIDA_PART_LINE, 2},      {"lever", RESIDA_PART_LINE, 4},
    {"coupler 1", RESIDA_PART_LINE, 2}, {"rocker 1", RESIDA_PART_LINE, 2}, {"coupler 2", RESIDA_PART_LINE, 2},
    {"rocker 2", RESIDA_PART_LINE, 2},  {"spring", RESIDA_PART_SPRING, 2}, {NULL, RESIDA_PART_BALLS, 4}};

/* Each body by its joints; the three loops meet where the rod ends. */
static int shape(const resida_model *model, double t, const double *p, double *xyz)
{
    (void)model, (void)t;
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

/* The pull of the spring; the energy with that of the drive. */
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

static int create(const double *values, resida_model *model, resida_message *why)
{
    static const char *const p_names[] = {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"};
    static const char *const v_names[] = {"beta'", "Theta'", "gamma'", "Phi'", "delta'", "Omega'", "epsilon'"};
    static const char *const g_names[] = {"loop 1 x", "loop 1 y", "loop 2 x", "loop 2 y", "loop 3 x", "loop 3 y"};
    andrews *c = bench_alloc(1, sizeof *c, why);
    if (!c) return 1;
    *c = (andrews){.mom = values[P_MOM], .c0 = values[P_C0], .l0 = values[P_L0]};
    c->standard = bench_all_default(N_PARAMETERS, parameters, values);
    resida_mechanism *m = &model->mechanism;
    m->name = "andrews";
    m->n_p = m->n_v = N, m->n_g = N_G;
    m->user = model->user = c, m->thread_safe = 1;
    m->residual = residual, m->acceleration = acceleration;
    m->constraint = constraint, m->constraint_matrix = constraint_matrix, m->velocity_bias = velocity_bias;
    m->acceleration_bias = acceleration_bias, m->mass_matrix = mass_matrix;
    m->p_names = p_names, m->v_names = v_names, m->g_names = g_names;
    model->t_end = 0.03;
    model->p0 = states + 1, model->v0 = states + 1 + N;
    model->rtol = 1e-6, model->atol = 1e-8;
    model->parts = parts, model->n_parts = BENCH_COUNT(parts), model->shape = shape;
    model->n_outputs = BENCH_COUNT(output_names), model->output_names = output_names;
    model->output_units = output_units, model->output = output;
    model->reference = reference;
    model->reference_source =
        "IVP Test Set problem; states recomputed by extrapolation in 80-bit arithmetic, 12 digits";
    return 0;
}

const resida_model_class bench_andrews = {
    RESIDA_MODEL_HEAD,
    .name = "andrews",
    .text = "Andrews' squeezing mechanism, 7 bodies, 6 constraints (IVP Test Set)",
    .n_parameters = N_PARAMETERS,
    .parameters = parameters,
    .create = create,
    .destroy = bench_destroy,
};
