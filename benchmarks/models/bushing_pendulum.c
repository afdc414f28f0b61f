/* bushing_pendulum.c - two uniform rods in a plane that fall from the horizontal, connected by a stiff bushing. The
 * first rod is suspended by a joint or by another such bushing. d is the displacement of a bushing, phi the angle from
 * the lowest position:
 *
 *     M p'' + f(p, p') + G' lam = 0,   bushing: force k d + c d'
 *
 * For large k the motion is that of the double pendulum, with differences of about 60 N/k for rods of 1 m and 1 kg. It
 * is as smooth, therefore steps need not resolve the bushing. Vehicles have bushings of 1e6 to 1e10 N/m. The reference
 * is the rigid limit:
 *
 *     4/3 w1' + cos(phi1 - phi2)/2 w2' + sin(phi1 - phi2)/2 w2^2 = -3/2 g/l sin phi1
 *     cos(phi1 - phi2)/2 w1' + 1/3 w2' - sin(phi1 - phi2)/2 w1^2 = -1/2 g/l sin phi2 */
#include "benchmarks/util/forced.h"
#include "benchmarks/util/model_kind.h"
#include "models.h"

#include <math.h>

#include "benchmarks/models/data/bushing-pendulum.parameters.inc"

enum { X1, Y1, PHI1, X2, Y2, PHI2, N_P };
enum { REFERENCE_STEPS = 4000 }; /* per second, by the classical Runge-Kutta method: errors of 1e-12 */

static const double pi = 3.14159265358979323846;

typedef struct rods {
    bench_forced forced;
    double k, c, m, l, g;
    int has_joint;
    double p0[N_P], v0[N_P], doubt[3];
} rods;

/* Position and velocity of the point of a rod (x, y, phi) at the distance `along` from its middle. */
typedef struct point {
    double x, y, vx, vy, ax, ay; /* ax, ay: d(x, y)/dphi */
} point;

static point end_of(const double *p, const double *v, double along)
{
    const double s = sin(p[2]), c = cos(p[2]);
    return (point){p[0] + along * s,        p[1] - along * c, v[0] + along * c * v[2],
                   v[1] + along * s * v[2], along * c,        along * s};
}

/* Add the force (x, y) at a point of a rod. */
static void add_force(double *f, const point *at, double x, double y)
{
    f[0] += x, f[1] += y;
    f[2] += at->ax * x + at->ay * y;
}

/* Compute the force of the bushing between a and b on a; the force on b is opposite. */
static void bush(const rods *o, const point *a, const point *b, double *force)
{
    force[0] = o->k * (b->x - a->x) + o->c * (b->vx - a->vx);
    force[1] = o->k * (b->y - a->y) + o->c * (b->vy - a->vy);
}

/* Compute the forces of gravity and bushings. */
static int forces(const void *memory, const double *p, const double *v, const resida_excitation *e, double *f)
{
    const rods *o = memory;
    const point wall = {0}, root = end_of(p, v, -o->l / 2), above = end_of(p, v, o->l / 2),
                below = end_of(p + X2, v + X2, -o->l / 2);
    double of_bushing[2];
    for (int i = 0; i < N_P; i++) f[i] = i % 3 == 1 ? -o->m * o->g : 0;
    bush(o, &above, &below, of_bushing);
    add_force(f, &above, of_bushing[0], of_bushing[1]);
    add_force(f + X2, &below, -of_bushing[0], -of_bushing[1]);
    if (o->has_joint) return 0;
    bush(o, &root, &wall, of_bushing);
    add_force(f, &root, of_bushing[0], of_bushing[1]);
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const rods *o = user;
    const point root = end_of(p, o->v0, -o->l / 2);
    out[0] = root.x, out[1] = root.y;
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const rods *o = user;
    const point root = end_of(p, o->v0, -o->l / 2);
    bench_fill(2 * N_P, 0, out);
    out[X1] = 1, out[PHI1] = root.ax;
    out[N_P + Y1] = 1, out[N_P + PHI1] = root.ay;
    return 0;
}

static int acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e, double *out,
                             void *user)
{
    const rods *o = user;
    const double w2 = v[PHI1] * v[PHI1];
    out[0] = o->l / 2 * sin(p[PHI1]) * w2;
    out[1] = -o->l / 2 * cos(p[PHI1]) * w2;
    return 0;
}

/* Equations of the rigid limit: y = phi1, phi2, w1, w2. */
static void slopes(const rods *o, const double *y, double *yp)
{
    const double c = cos(y[0] - y[1]) / 2, s = sin(y[0] - y[1]) / 2, g = o->g / o->l;
    const double b1 = -1.5 * g * sin(y[0]) - s * y[3] * y[3], b2 = -0.5 * g * sin(y[1]) + s * y[2] * y[2];
    const double det = 4.0 / 9 - c * c;
    yp[0] = y[2], yp[1] = y[3];
    yp[2] = (b1 / 3 - c * b2) / det;
    yp[3] = (4 * b2 / 3 - c * b1) / det;
}

static void step(const rods *o, double h, double *y)
{
    static const double part[] = {0, 0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double k[4] = {0}, at[4], sum[4] = {0};
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < 4; i++) at[i] = y[i] + h * part[stage] * k[i];
        slopes(o, at, k);
        for (int i = 0; i < 4; i++) sum[i] += weight[stage] * k[i];
    }
    for (int i = 0; i < 4; i++) y[i] += h * sum[i];
}

/* Compute positions, velocities and accelerations of the middles of both rods, with angles, from y and y'. */
static void place(const rods *o, const double *y, const double *yp, double *p, double *v, double *a)
{
    double x = 0, h = 0, vx = 0, vy = 0, ax = 0, ay = 0;
    for (int i = 0; i < 2; i++)
        for (int side = 0; side < 2; side++) { /* first to the middle of the rod, then to its end */
            const double s = o->l / 2 * sin(y[i]), c = o->l / 2 * cos(y[i]), w = y[2 + i], w1 = yp[2 + i];
            x += s, h -= c;
            vx += c * w, vy += s * w;
            ax += c * w1 - s * w * w, ay += s * w1 + c * w * w;
            if (side > 0) continue;
            p[3 * i] = x, p[3 * i + 1] = h, p[3 * i + 2] = y[i];
            v[3 * i] = vx, v[3 * i + 1] = vy, v[3 * i + 2] = w;
            a[3 * i] = ax, a[3 * i + 1] = ay, a[3 * i + 2] = w1;
        }
}

static int reference(const resida_model *model, double t, double *p, double *v, double *lam)
{
    const rods *o = model->user;
    double y[] = {pi / 2, pi / 2, 0, 0}, yp[4], at[3 * N_P];
    const double count = ceil(fmax(t, 0) * REFERENCE_STEPS / sqrt(o->l) * sqrt(fmax(o->g, 1) / 10));
    if (count > 1e7) return 1;
    for (int i = 0; i < (int)count; i++) step(o, t / count, y);
    slopes(o, y, yp);
    place(o, y, yp, at, at + N_P, at + 2 * N_P);
    for (int i = 0; i < N_P; i++) {
        if (p) p[i] = at[i];
        if (v) v[i] = at[N_P + i];
    }
    const double *a = at + 2 * N_P;
    if (lam && o->has_joint) lam[0] = -o->m * (a[X1] + a[X2]), lam[1] = -o->m * (a[Y1] + a[Y2] + 2 * o->g);
    return 0;
}

static const resida_part parts[] = {{"rods", RESIDA_PART_LINE, 4}, {"middles", RESIDA_PART_BALLS, 2}};

static int shape(const resida_model *model, double t, const double *p, double *xyz)
{
    const rods *o = model->user;
    double at[12];
    for (int i = 0; i < 2; i++) {
        const double *rod = p + X2 * i;
        const point from = end_of(rod, o->v0, -o->l / 2), to = end_of(rod, o->v0, o->l / 2);
        at[4 * i] = from.x, at[4 * i + 1] = from.y, at[4 * i + 2] = to.x, at[4 * i + 3] = to.y;
        at[8 + 2 * i] = rod[0], at[9 + 2 * i] = rod[1];
    }
    bench_planar_points(at, 6, xyz);
    return 0;
}

static const char *const output_names[] = {"gap", "energy"}, *const output_units[] = {"m", "J"};

/* Outputs: the gap of the elbow; the energy of rods and bushings. */
static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    const rods *o = model->user;
    const point above = end_of(at->p, at->v, o->l / 2), below = end_of(at->p + X2, at->v + X2, -o->l / 2);
    out[0] = hypot(above.x - below.x, above.y - below.y);
    out[1] = bench_kinetic_energy(&model->mechanism, at) + o->m * o->g * (at->p[Y1] + at->p[Y2]) +
             o->k * out[0] * out[0] / 2;
    if (o->has_joint) return 0;
    const point root = end_of(at->p, at->v, -o->l / 2);
    out[1] += o->k * (root.x * root.x + root.y * root.y) / 2;
    return 0;
}

static int set(const double *values, resida_model *model, resida_message *why)
{
    static const char *const p_names[] = {"x1", "y1", "phi1", "x2", "y2", "phi2"};
    static const char *const v_names[] = {"x1'", "y1'", "phi1'", "x2'", "y2'", "phi2'"};
    static const char *const g_names[] = {"root.x", "root.y"};
    static const char *const p_units[] = {"m", "m", "rad", "m", "m", "rad"}, *const lam_units[] = {"N", "N"};
    rods *o = model->user;
    const double l = values[P_L];
    *o = (rods){.k = values[P_K], .c = values[P_C], .m = values[P_M], .l = l, .g = values[P_G]};
    const double m1 = o->m, J = o->m * l * l / 12; /* about the centre of mass */
    o->forced = (bench_forced){N_P, forces, NULL, {m1, m1, J, m1, m1, J}};
    o->has_joint = !(values[P_ROOT] > 0);
    o->p0[X1] = l / 2, o->p0[X2] = 1.5 * l, o->p0[PHI1] = o->p0[PHI2] = pi / 2;
    resida_mechanism *m = &model->mechanism;
    bench_forced_mechanism(&o->forced, m);
    m->p_names = p_names, m->v_names = v_names;
    model->p_units = p_units, model->lam_units = lam_units;
    if (o->has_joint) {
        m->n_g = 2, m->g_names = g_names;
        m->constraint = constraint, m->constraint_matrix = constraint_matrix;
        m->velocity_bias = bench_no_bias, m->acceleration_bias = acceleration_bias;
    }
    model->t_end = values[P_T];
    model->p0 = o->p0, model->v0 = o->v0;
    model->rtol = 1e-5, model->atol = 1e-5;
    model->parts = parts, model->n_parts = 2, model->shape = shape;
    model->n_outputs = 2, model->output_names = output_names, model->output_units = output_units;
    model->output = output;
    model->reference = reference;
    model->reference_source = "solution of the rigid limit; the model differs from it by about 60 N/k";
    o->doubt[0] = 60 / o->k, o->doubt[1] = 200 / o->k, o->doubt[2] = 800 / o->k; /* p, v, lam at k = 1e6, c = 1e5 */
    model->reference_doubt = o->doubt;
    return 0;
}

const bench_kind bench_bushing_pendulum = {
    BENCH_KIND("bushing-pendulum", "two rods connected by a stiff bushing, suspended by a joint or a bushing",
               N_PARAMETERS, parameters, rods, set),
};
