/* slider_crank.c - rigid slider crank, the example idaSlCrank_dns that SUNDIALS ships as a problem in the formulation
 * of Gear, Gupta and Leimkuhler. Crank angle q, slider position x, angle p of the rod:
 *
 *     J1 q'' = Q1 - a sin q lam1 + a cos q lam2        0 = x - cos p - a cos q
 *     m2 x'' = Q2 - lam1                               0 =   - sin p - a sin q
 *     J2 p'' = Q3 - sin p lam1 + cos p lam2
 *
 * A spring and damper (k, c, free length l0) connects the middles of crank and rod, whose distance is l. A constant
 * force F acts on the slider and the rod. SUNDIALS starts with lam = 0, which is not consistent.
 *
 * The reference states were computed in 80-bit arithmetic; they agree with all digits that SUNDIALS prints. */
#include "benchmarks/util/forced.h"
#include "benchmarks/util/model_kind.h"
#include "models.h"

#include <math.h>

#include "benchmarks/models/data/slider-crank.parameters.inc"

enum { N = 3, N_G = 2 };

static const double states[] = {
#include "benchmarks/models/data/slider-crank.csv.inc"
};

typedef struct slider_crank {
    bench_forced forced;
    double k, c, F, l0, a;
    double p0[N], v0[N];
} slider_crank;

/* Compute the generalised forces Q. @return 0, or 1 if the spring has length 0 */
static int forces(const void *memory, const double *y, const double *v, const resida_excitation *e, double *Q)
{
    const slider_crank *c = memory;
    const double a = c->a, x = y[1], s1 = sin(y[0]), c1 = cos(y[0]), s2 = sin(y[2]), c2 = cos(y[2]);
    const double s21 = s2 * c1 - c2 * s1, c21 = c2 * c1 + s2 * s1;
    const double square = x * x - x * (c2 + a * c1) + (1 + a * a) / 4 + a * c21 / 2;
    if (!(square > 0)) return 1;
    const double l = sqrt(square);
    const double rate =
        (2 * x * v[1] - v[1] * (c2 + a * c1) + x * (s2 * v[2] + a * s1 * v[0]) - a * s21 * (v[2] - v[0]) / 2) / (2 * l);
    const double fl = (c->k * (l - c->l0) + c->c * rate) / l;
    Q[0] = -fl * a * (s21 / 2 + x * s1) / 2;
    Q[1] = fl * (c2 / 2 - x + a * c1 / 2) + c->F;
    Q[2] = -fl * (x * s2 - a * s21 / 2) / 2 - c->F * s2;
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const slider_crank *c = user;
    out[0] = p[1] - cos(p[2]) - c->a * cos(p[0]);
    out[1] = -sin(p[2]) - c->a * sin(p[0]);
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const slider_crank *c = user;
    double(*G)[N] = (double(*)[N])out;
    G[0][0] = c->a * sin(p[0]);
    G[0][1] = 1;
    G[0][2] = sin(p[2]);
    G[1][0] = -c->a * cos(p[0]);
    G[1][1] = 0;
    G[1][2] = -cos(p[2]);
    return 0;
}

static int acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e, double *out,
                             void *user)
{
    const slider_crank *c = user;
    const double q2 = c->a * v[0] * v[0], p2 = v[2] * v[2];
    out[0] = cos(p[0]) * q2 + cos(p[2]) * p2;
    out[1] = sin(p[0]) * q2 + sin(p[2]) * p2;
    return 0;
}

static const resida_part parts[] = {{"crank", RESIDA_PART_LINE, 2},
                                    {"rod", RESIDA_PART_LINE, 2},
                                    {"spring", RESIDA_PART_SPRING, 2},
                                    {"slider", RESIDA_PART_BOX, 8},
                                    {NULL, RESIDA_PART_LINE, 2}};

/* Compute the middles of crank and rod. */
static void middles(const slider_crank *c, const double *p, double *xy)
{
    xy[0] = c->a * cos(p[0]) / 2, xy[1] = c->a * sin(p[0]) / 2;
    xy[2] = p[1] - cos(p[2]) / 2, xy[3] = -sin(p[2]) / 2;
}

static int shape(const resida_model *model, double t, const double *p, double *xyz)
{
    const slider_crank *c = model->user;
    double m[4];
    middles(c, p, m);
    const double at[] = {0, 0, 2 * m[0], 2 * m[1], 2 * m[0], 2 * m[1], p[1], 0, m[0], m[1], m[2], m[3]};
    bench_planar_points(at, 6, xyz);
    xyz = bench_planar_box(p[1], 0, c->a / 2, xyz + 18);
    bench_planar_points((const double[]){0, 0, 1 + c->a, 0}, 2, xyz);
    return 0;
}

static const char *const output_names[] = {"spring", "joint", "energy"};
static const char *const output_units[] = {"N", "N", "J"};

/* Outputs: spring tension without damper; force of the slider on the rod; energy including the potential of F. */
static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    const slider_crank *c = model->user;
    double m[4];
    middles(c, at->p, m);
    const double stretch = hypot(m[2] - m[0], m[3] - m[1]) - c->l0;
    out[0] = c->k * stretch;
    out[1] = hypot(at->lam[0], at->lam[1]);
    out[2] =
        bench_kinetic_energy(&model->mechanism, at) + c->k * stretch * stretch / 2 - c->F * (at->p[1] + cos(at->p[2]));
    return 0;
}

static int set(const double *values, resida_model *model, resida_message *why)
{
    static const char *const p_names[] = {"q", "x", "p"}, *const v_names[] = {"q'", "x'", "p'"};
    static const char *const g_names[] = {"joint x", "joint y"};
    static const char *const p_units[] = {"rad", "m", "rad"}, *const lam_units[] = {"N", "N"};
    slider_crank *c = model->user;
    *c = (slider_crank){.k = values[P_K], .c = values[P_C], .F = values[P_F], .l0 = values[P_L0], .a = values[P_A]};
    c->forced = (bench_forced){N, forces, NULL, {values[P_J1], values[P_M2], values[P_J2]}};
    c->p0[0] = acos(0.0), c->p0[2] = -asin(c->a), c->p0[1] = cos(c->p0[2]); /* crank vertical, at rest */
    resida_mechanism *m = &model->mechanism;
    bench_forced_mechanism(&c->forced, m);
    m->n_g = N_G;
    m->constraint = constraint, m->constraint_matrix = constraint_matrix, m->velocity_bias = bench_no_bias;
    m->acceleration_bias = acceleration_bias;
    m->p_names = p_names, m->v_names = v_names, m->g_names = g_names;
    model->p_units = p_units, model->lam_units = lam_units;
    model->t_end = 10;
    model->p0 = c->p0, model->v0 = c->v0;
    model->rtol = 1e-6, model->atol = 1e-6;
    model->parts = parts, model->n_parts = BENCH_COUNT(parts), model->shape = shape;
    model->n_outputs = BENCH_COUNT(output_names), model->output_names = output_names;
    model->output_units = output_units, model->output = output;
    model->reference_source =
        "SUNDIALS idaSlCrank_dns; states computed by extrapolation in 80-bit arithmetic, 15 digits";
    return 0;
}

const bench_kind bench_slider_crank = {
    BENCH_KIND("slider-crank", "rigid slider crank with spring and damper, 3 coordinates, 2 constraints (SUNDIALS)",
               N_PARAMETERS, parameters, slider_crank, set),
    BENCH_STATES(states),
};
