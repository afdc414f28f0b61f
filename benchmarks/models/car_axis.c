/* car_axis.c - a car axis on a bumpy road: two point masses at distance L, supported by springs. The left spring stands
 * on flat ground, the right one on a bump yb = r sin(omega t) at xb = sqrt(L^2 - yb^2). Schneider (1988); IVP Test Set,
 * problem "caraxis".
 *
 *     k xl'' = (L0 - Ll) xl/Ll      - xb lam1 - 2 (xl - xr) lam2          Ll = |(xl, yl)|
 *     k yl'' = (L0 - Ll) yl/Ll - kg - yb lam1 - 2 (yl - yr) lam2
 *     k xr'' = (L0 - Lr) (xr - xb)/Lr         + 2 (xl - xr) lam2          Lr = |(xr - xb, yr - yb)|
 *     k yr'' = (L0 - Lr) (yr - yb)/Lr - kg    + 2 (yl - yr) lam2          k = M eps^2/2
 *     0 = xb xl + yb yl,   0 = (xl - xr)^2 + (yl - yr)^2 - L^2
 *
 * The first constraint depends on the road, the excitation u = (xb, yb). The test set writes + G' lambda, therefore lam
 * is the negative of the published multiplier.
 *
 * The reference states were recomputed in 80-bit arithmetic; they agree with the 21-digit reference of the test set to
 * 12 digits in p and 9 (yl') to 12 in v. */
#include "benchmarks/util/forced.h"
#include "benchmarks/util/model_kind.h"
#include "models.h"

#include <math.h>

#include "benchmarks/models/data/car-axis.parameters.inc"

enum { N = 4, N_G = 2 };
enum { XL, YL, XR, YR };

static const double L = 1; /* length of the axis */

static const double states[] = {
#include "benchmarks/models/data/car-axis.csv.inc"
};

typedef struct car_axis {
    bench_forced forced;
    double r, omega, k, L0, g;
    double p0[N], v0[N];
} car_axis;

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    const car_axis *c = user;
    const double w = c->omega, s = sin(w * t);
    u[1] = c->r * s;
    ud[1] = c->r * w * cos(w * t);
    udd[1] = -c->r * w * w * s;
    u[0] = sqrt(L * L - u[1] * u[1]);
    ud[0] = -u[1] * ud[1] / u[0];
    udd[0] = -(ud[1] * ud[1] + u[1] * udd[1] + ud[0] * ud[0]) / u[0];
    return 0;
}

/* Compute the force of the spring between the road and a wheel; (x, y) is the position relative to the end on the road.
 * @return 0, or 1 if the spring has length 0 */
static int add_spring(const car_axis *c, double x, double y, double *f)
{
    const double length = hypot(x, y);
    if (!(length > 0)) return 1;
    const double force = (c->L0 - length) / length;
    f[0] = force * x;
    f[1] = force * y - c->k * c->g;
    return 0;
}

static int forces(const void *memory, const double *p, const double *v, const resida_excitation *e, double *f)
{
    return add_spring(memory, p[XL], p[YL], f) || add_spring(memory, p[XR] - e->u[0], p[YR] - e->u[1], f + 2);
}

static int constraint(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const double x = p[XL] - p[XR], y = p[YL] - p[YR];
    out[0] = e->u[0] * p[XL] + e->u[1] * p[YL];
    out[1] = x * x + y * y - L * L;
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    double(*G)[N] = (double(*)[N])out;
    G[0][XL] = e->u[0];
    G[0][YL] = e->u[1];
    G[0][XR] = G[0][YR] = 0;
    G[1][XL] = 2 * (p[XL] - p[XR]);
    G[1][YL] = 2 * (p[YL] - p[YR]);
    G[1][XR] = -G[1][XL];
    G[1][YR] = -G[1][YL];
    return 0;
}

static int velocity_bias(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    out[0] = e->ud[0] * p[XL] + e->ud[1] * p[YL];
    out[1] = 0;
    return 0;
}

static int acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e, double *out,
                             void *user)
{
    const double x = v[XL] - v[XR], y = v[YL] - v[YR];
    out[0] = 2 * (e->ud[0] * v[XL] + e->ud[1] * v[YL]) + e->udd[0] * p[XL] + e->udd[1] * p[YL];
    out[1] = 2 * (x * x + y * y);
    return 0;
}

static int reference(const resida_model *model, double t, double *p, double *v, double *lam)
{
    if (bench_known_state(model, t, p, v, lam)) return 1;
    for (int i = 0; lam && i < N_G; i++) lam[i] = -lam[i];
    return 0;
}

static const resida_part parts[] = {{"axis", RESIDA_PART_LINE, 2},      {"masses", RESIDA_PART_BALLS, 2},
                                    {"springs", RESIDA_PART_SPRING, 2}, {"springs", RESIDA_PART_SPRING, 2},
                                    {"left", RESIDA_PART_ARROW, 2},     {"right", RESIDA_PART_ARROW, 2},
                                    {NULL, RESIDA_PART_LINE, 2}};

static int shape(const resida_model *model, double t, const double *p, double *xyz)
{
    double u[2], ud[2], udd[2];
    excitation(t, u, ud, udd, model->user);
    const double at[] = {p[XL],
                         p[YL],
                         p[XR],
                         p[YR], /* axis */
                         p[XL],
                         p[YL],
                         p[XR],
                         p[YR], /* masses */
                         0,
                         0,
                         p[XL],
                         p[YL], /* springs */
                         u[0],
                         u[1],
                         p[XR],
                         p[YR], /**/
                         p[XL],
                         p[YL],
                         2 * p[XL],
                         2 * p[YL], /* arrows */
                         p[XR],
                         p[YR],
                         2 * p[XR] - u[0],
                         2 * p[YR] - u[1],
                         0,
                         0,
                         u[0],
                         u[1]};
    bench_planar_points(at, BENCH_COUNT(at) / 2, xyz);
    return 0;
}

static const char *const output_names[] = {"left", "right", "energy"};

/* Outputs: the compressive forces of the springs, and the energy, which is not conserved because of the road; in the
 * units of the model. */
static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    const car_axis *c = model->user;
    double u[2], ud[2], udd[2];
    excitation(at->t, u, ud, udd, model->user);
    out[0] = c->L0 - hypot(at->p[XL], at->p[YL]);
    out[1] = c->L0 - hypot(at->p[XR] - u[0], at->p[YR] - u[1]);
    out[2] = bench_kinetic_energy(&model->mechanism, at) + c->k * c->g * (at->p[YL] + at->p[YR]) +
             (out[0] * out[0] + out[1] * out[1]) / 2;
    return 0;
}

static void set_start(car_axis *c)
{
    const double x[N] = {0, c->L0, L, c->L0}; /* both springs vertical and unloaded */
    const double speed = -c->r * c->omega * c->L0 / L;
    const double xd[N] = {speed, 0, speed, 0};
    for (int i = 0; i < N; i++) c->p0[i] = x[i], c->v0[i] = xd[i];
}

static int set(const double *values, resida_model *model, resida_message *why)
{
    static const char *const p_names[] = {"xl", "yl", "xr", "yr"}, *const v_names[] = {"xl'", "yl'", "xr'", "yr'"};
    static const char *const g_names[] = {"left foot", "axis"}, *const units[] = {"m", "m", "m", "m"};
    car_axis *c = model->user;
    *c = (car_axis){.r = values[P_R], .omega = values[P_OMEGA], .L0 = values[P_L0], .g = values[P_G]};
    c->k = values[P_M] * values[P_EPS] * values[P_EPS] / 2;
    c->forced = (bench_forced){N, forces, NULL, {c->k, c->k, c->k, c->k}};
    set_start(c);
    resida_mechanism *m = &model->mechanism;
    bench_forced_mechanism(&c->forced, m);
    m->n_g = N_G, m->n_u = 2;
    m->constraint = constraint, m->constraint_matrix = constraint_matrix, m->velocity_bias = velocity_bias;
    m->acceleration_bias = acceleration_bias, m->excitation = excitation;
    m->p_names = p_names, m->v_names = v_names, m->g_names = g_names;
    model->p_units = units, model->excitation_units = units;
    model->t_end = 3;
    model->p0 = c->p0, model->v0 = c->v0;
    model->rtol = 1e-6, model->atol = 1e-8;
    model->parts = parts, model->n_parts = BENCH_COUNT(parts), model->shape = shape;
    model->n_outputs = BENCH_COUNT(output_names), model->output_names = output_names, model->output = output;
    model->reference = reference;
    model->reference_source =
        "IVP Test Set problem; states recomputed by extrapolation in 80-bit arithmetic, 12 digits";
    return 0;
}

const bench_kind bench_car_axis = {
    BENCH_KIND("car-axis", "car axis on a bumpy road, 4 coordinates, 2 constraints, one time-dependent (IVP Test Set)",
               N_PARAMETERS, parameters, car_axis, set),
    BENCH_STATES(states),
};
