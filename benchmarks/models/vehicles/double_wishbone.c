/* double_wishbone.c - the front axle of a car on a rig, or a car of two such axles, in Cartesian coordinates: 7 (13)
 * bodies with Euler parameters, 38 (68) constraints, 4 (8) loops; as in a tool with bodies and joints but without joint
 * coordinates. wishbone.h has bodies and links, wishbone_forces.c the forces.
 *
 * The rack and the road are excitations. The rack displacement is A sin(2 pi f t) with a smooth onset. The road has a
 * step, which wheels pass within milliseconds and right wheels later than left wheels, and waves that differ between
 * wheels:
 *
 *     z(s) = h S((s - s0)/l) + w sum_k sin(2 pi s/L_k + phi_k)/k,    s = V t - (position of the wheel)
 *
 * Contact of a strut with its stops is an event: root functions are bump - c and c + rebound of each strut.
 *
 * `bushing-axle` has the same bodies and excitations. Two bushings hold each wishbone, at two points on the axis of its
 * joint. Each bushing is a spring k and a damper c in every direction; because of their distance they are stiff against
 * the two rotations that the joint prevents. 18 (28) constraints remain, without loops. The bushings carry the design
 * load without displacement, therefore the start is as smooth as with joints. For large k the motion is that of
 * `double-wishbone` up to O(1/k).
 *
 * `given` selects the callbacks: g only; dg/dp as a full matrix; or all callbacks and patterns. Motion and forces are
 * the same. */
#include <math.h>

#include "benchmarks/models/models.h"
#include "benchmarks/multibody/system/smooth.h"
#include "benchmarks/util/model_kind.h"
#include "wishbone.h"

#include "benchmarks/models/data/double-wishbone.parameters.inc"

enum { N_WITH_JOINTS = P_K };     /* parameters of double-wishbone */
enum { OF_STRUT = 2, WAVES = 8 }; /* root functions of a strut; number of waves */

static const double fade = 0.5;                     /* onset time of waves and rack [s] */
static const double step_at = 9, step_length = 0.3; /* [m] */
static const double step_later = 0.7;               /* on the right [m] */
static const double longest = 6;                    /* wave [m] */
static const double shorter = 1.37;                 /* ratio of successive wave lengths */
static const double between_phases = 2.4;           /* [rad] */

typedef struct double_wishbone {
    wb_vehicle vehicle;
    double speed, step, waves, rack, f;
    resida_part parts[WB_MAX_PARTS];
} double_wishbone;

/* Compute u = z(s(t)) below a wheel, with two derivatives. */
static void road(const double_wishbone *c, double t, int w, double u[3])
{
    const double V = c->speed, s = V * t + c->vehicle.p0[FB_P * wb_body(w, WB_KNUCKLE)], x = t / fade;
    const double at = (s - step_at - (w % WB_SIDES == WB_RIGHT ? step_later : 0)) / step_length, rate = V / step_length;
    const double S = mb_ramp(x), S1 = mb_ramp1(x) / fade, S2 = mb_ramp2(x) / (fade * fade);
    double z = 0, zd = 0, zdd = 0;
    for (int k = 1; k <= WAVES; k++) {
        const double number = 4 * acos(0.0) / longest * pow(shorter, k - 1), size = c->waves / k, om = V * number;
        const double angle = number * s + between_phases * k * (1 + w % WB_SIDES);
        z += size * sin(angle), zd += size * om * cos(angle), zdd -= size * om * om * sin(angle);
    }
    u[0] = c->step * mb_ramp(at) + S * z;
    u[1] = c->step * rate * mb_ramp1(at) + S1 * z + S * zd;
    u[2] = c->step * rate * rate * mb_ramp2(at) + S2 * z + 2 * S1 * zd + S * zdd;
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    const double_wishbone *c = user;
    double x[3];
    mb_fading_sine(t, c->rack, c->f, fade, x);
    u[WB_RACK] = x[0], ud[WB_RACK] = x[1], udd[WB_RACK] = x[2];
    for (int w = 0; w < c->vehicle.n_wheel; w++) {
        road(c, t, w, x);
        u[WB_ROAD + w] = x[0], ud[WB_ROAD + w] = x[1], udd[WB_ROAD + w] = x[2];
    }
    return 0;
}

static int stops(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    const double_wishbone *c = user;
    fb_pose pose[FB_MAX];
    fb_place(&c->vehicle.system, p, NULL, pose);
    for (int w = 0; w < c->vehicle.n_wheel; w++) {
        const double way = wb_compression(&c->vehicle, pose, w);
        out[OF_STRUT * w] = c->vehicle.bump - way;
        out[OF_STRUT * w + 1] = way + WB_REBOUND;
    }
    return 0;
}

/* Names for one axle and for two axles. */
static const char *const names[WB_MAX_AXLES][2 * WB_MAX_WHEELS + 1] = {
    {"FL.load", "FR.load", "FL.travel", "FR.travel", "kinetic"},
    {"FL.load", "FR.load", "RL.load", "RR.load", "FL.travel", "FR.travel", "RL.travel", "RR.travel", "kinetic"}};
static const char *const units[WB_MAX_AXLES][2 * WB_MAX_WHEELS + 1] = {{"N", "N", "m", "m", "J"},
                                                                       {"N", "N", "N", "N", "m", "m", "m", "m", "J"}};

/* Outputs: wheel loads; compression of struts; kinetic energy. */
static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    const double_wishbone *c = model->user;
    const wb_vehicle *v = &c->vehicle;
    double u[WB_ROAD + WB_MAX_WHEELS], ud[WB_ROAD + WB_MAX_WHEELS], udd[WB_ROAD + WB_MAX_WHEELS];
    fb_pose pose[FB_MAX];
    excitation(at->t, u, ud, udd, model->user);
    const resida_excitation e = {u, ud, udd};
    fb_place(&v->system, at->p, at->v, pose);
    out[2 * v->n_wheel] = 0;
    for (int w = 0; w < v->n_wheel; w++) {
        out[w] = wb_tyre_load(&e, pose, w);
        out[v->n_wheel + w] = wb_compression(v, pose, w);
    }
    for (int i = 0; i < v->system.n_body; i++)
        out[2 * v->n_wheel] += (v->body[i].mass * mb_dot(pose[i].v, pose[i].v) +
                                mb_dot(pose[i].w, mb_each(v->body[i].inertia, pose[i].w))) /
                               2;
    return 0;
}

static int shape(const resida_model *model, double t, const double *p, double *xyz)
{
    double u[WB_ROAD + WB_MAX_WHEELS], ud[WB_ROAD + WB_MAX_WHEELS], udd[WB_ROAD + WB_MAX_WHEELS];
    excitation(t, u, ud, udd, model->user);
    wb_points(&((const double_wishbone *)model->user)->vehicle, u, p, xyz);
    return 0;
}

static void put_together(double_wishbone *c, const double *values, int has_bushings)
{
    static const fb_given given[] = {FB_ALONE, FB_MATRIX, FB_ALL};
    c->vehicle.n_axle = (int)values[P_AXLES];
    c->vehicle.speed = c->speed = values[P_SPEED];
    c->vehicle.bump = values[P_BUMP];
    c->vehicle.system.given = given[(int)values[P_GIVEN]];
    c->step = values[P_STEP], c->waves = values[P_WAVES];
    c->rack = values[P_RACK], c->f = values[P_F];
    c->vehicle.has_bushings = has_bushings;
    if (has_bushings) c->vehicle.bushing_k = values[P_K], c->vehicle.bushing_c = values[P_C];
    wb_assemble(&c->vehicle);
}

static void end(void *memory)
{
    fb_close(&((double_wishbone *)memory)->vehicle.system);
}

static int set(const double *values, resida_model *model, resida_message *why)
{
    resida_mechanism *m = &model->mechanism;
    double_wishbone *c = model->user;
    put_together(c, values, model->cls == &bench_bushing_axle.cls);
    if (fb_open(&c->vehicle.system, m, why)) return 1;
    m->p_names = bench_own_names(c, m->n_p, FB_P, fb_p_names, "");
    m->v_names = bench_own_names(c, m->n_v, FB_V, fb_v_names, "'");
    m->g_names = bench_own_names(c, m->n_g, 1, fb_g_names, "");
    model->p_units = bench_own_repeated(c, m->n_p, FB_P, fb_p_units);
    model->v_units = bench_own_repeated(c, m->n_v, FB_V, fb_v_units);
    m->n_u = WB_ROAD + c->vehicle.n_wheel, m->excitation = excitation;
    model->excitation_units = bench_own_repeated(c, m->n_u, 1, (const char *const[]){"m"});
    m->n_root = OF_STRUT * c->vehicle.n_wheel, m->root = stops;
    model->n_parts = wb_parts(&c->vehicle, names[c->vehicle.n_axle - 1], c->parts);
    model->parts = c->parts, model->shape = shape;
    model->n_outputs = 2 * c->vehicle.n_wheel + 1, model->output_names = names[c->vehicle.n_axle - 1];
    model->output_units = units[c->vehicle.n_axle - 1], model->output = output;
    model->t_end = values[P_T];
    model->p0 = c->vehicle.p0, model->v0 = c->vehicle.v0;
    model->rtol = 1e-5, model->atol = 1e-6;
    return 0;
}

const bench_kind bench_double_wishbone = {
    BENCH_KIND(
        "double-wishbone",
        "front axle of a car, 7 bodies in Cartesian coordinates, 38 constraints, 4 loops; or a car with two such axles",
        N_WITH_JOINTS, parameters, double_wishbone, set),
    .end = end,
};

const bench_kind bench_bushing_axle = {
    BENCH_KIND("bushing-axle",
               "axle of double-wishbone with stiff bushings instead of the joints of its wishbones, 18 constraints",
               N_PARAMETERS, parameters, double_wishbone, set),
    .end = end,
};
