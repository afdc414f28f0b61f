/* flyball.c - a stiff flyball governor: a shaft that rotates freely about the vertical, a slider on it, and two rods
 * with balls on hinges at its top. The rods lift the slider by spring-dampers (instead of coupler rods). IFToMM library
 * of multibody benchmarks, problem A05; data as there.
 *
 * Four bodies in maximal coordinates (free_body.h) with 20 constraints: the motion has three degrees of freedom, the
 * angle psi of the shaft, the height s of the slider, the angle alpha of the rods below the horizontal,
 *
 *     D^2 = 0.25 cos^2 alpha + (1 - 0.5 sin alpha - s)^2,   F = k (D - 0.5) + c D'
 *
 * for the springs, of which the reference states were computed: extrapolation in 80-bit arithmetic, which agrees with a
 * program in maximal coordinates to 15 digits. */
#include "benchmarks/multibody/system/free_body.h"
#include "benchmarks/multibody/tree/box.h"
#include "benchmarks/util/model_kind.h"
#include "models.h"

#include "benchmarks/models/data/flyball.parameters.inc"

enum { SHAFT, SLIDER, ROD_1, ROD_2, N_BODIES };
enum { N_P = FB_P * N_BODIES, N_V = FB_V * N_BODIES, N_G = 20, N_LINKS = 14, N_STATE = 3 };
enum { PSI, S, ALPHA };

#define TWO_PI 6.283185307179586
#define SIXTH  0.5235987755982988 /* of pi */

static const double m_rod = 0.3, m_slider = 3, m_ball = 5, g = 9.81; /* m_rod: also the mass of the shaft */
static const double axial = 5e-6, transverse = 0.0250025, of_slider = 0.005;
static const double length = 1, hinge_x = 0.05, hinge_z = 1, free_length = 0.5;

static const double states[] = {
#include "benchmarks/models/data/flyball.csv.inc"
};

typedef struct flyball {
    fb_system system;
    fb_body body[N_BODIES];
    fb_link link[N_LINKS];
    double k, c;
    double centre; /* distance of the centre of mass of rod and ball from the hinge */
    double p0[N_P], v0[N_V];
} flyball;

static const mb_vec ex = {1, 0, 0}, ey = {0, 1, 0}, ez = {0, 0, 1};

/* The spring between the slider and the middle of a rod. */
typedef struct spring {
    mb_vec low, high; /* end points on the slider and on the rod */
    mb_vec d;         /* vector between the end points */
    double D, force;  /* length; tension [N] */
} spring;

static spring spring_of(const flyball *f, const fb_pose *pose, int rod)
{
    spring x = {.low = {rod == ROD_1 ? hinge_x : -hinge_x, 0, 0}, .high = {length / 2 - f->centre, 0, 0}};
    x.d = mb_sub(fb_point(pose, rod, x.high), fb_point(pose, SLIDER, x.low));
    x.D = mb_norm(x.d);
    const mb_vec rate = mb_sub(fb_point_velocity(pose, rod, x.high), fb_point_velocity(pose, SLIDER, x.low));
    x.force = f->k * (x.D - free_length) + f->c * mb_dot(x.d, rate) / x.D;
    return x;
}

static void add_springs(const fb_system *s, const resida_excitation *e, const fb_pose *pose, mb_wrench *load)
{
    const flyball *f = s->data;
    for (int rod = ROD_1; rod <= ROD_2; rod++) {
        const spring x = spring_of(f, pose, rod);
        const mb_vec pull = mb_scale(x.force / x.D, x.d);
        fb_push(pose, SLIDER, x.low, pull, load);
        fb_push(pose, rod, x.high, mb_scale(-1, pull), load);
    }
}

/* --- bodies and constraints --- */

static void make_bodies(flyball *f)
{
    const double mass = m_rod + m_ball, rod = (m_rod * length / 2 + m_ball * length) / mass;
    const double about =
        transverse + m_rod * (rod - length / 2) * (rod - length / 2) + m_ball * (length - rod) * (length - rod);
    f->centre = rod;
    f->body[SHAFT] = (fb_body){m_rod, {transverse, transverse, axial}};
    f->body[SLIDER] = (fb_body){m_slider, {of_slider, of_slider, of_slider}};
    f->body[ROD_1] = f->body[ROD_2] = (fb_body){mass, {axial, about, about}};
}

/* Add a hinge: a point of i coincides with a point of j; an axis of j is orthogonal to two axes of i. @return next
 * link */
static fb_link *hinge(fb_link *l, int i, int j, mb_vec point_i, mb_vec point_j, mb_vec a, mb_vec b, mb_vec axis_j)
{
    *l++ = (fb_link){FB_MEET, i, j, .point_i = point_i, .point_j = point_j};
    *l++ = (fb_link){FB_SQUARE, i, j, .axis_i = a, .axis_j = axis_j};
    *l++ = (fb_link){FB_SQUARE, i, j, .axis_i = b, .axis_j = axis_j};
    return l;
}

static fb_link *slide(fb_link *l)
{
    *l++ = (fb_link){FB_LEVEL, SHAFT, SLIDER, .axis_i = ex};
    *l++ = (fb_link){FB_LEVEL, SHAFT, SLIDER, .axis_i = ey};
    *l++ = (fb_link){FB_SQUARE, SHAFT, SLIDER, .axis_i = ex, .axis_j = ez};
    *l++ = (fb_link){FB_SQUARE, SHAFT, SLIDER, .axis_i = ey, .axis_j = ez};
    *l++ = (fb_link){FB_SQUARE, SHAFT, SLIDER, .axis_i = ex, .axis_j = ey};
    return l;
}

static void make_links(flyball *f)
{
    const mb_vec base = {0, 0, 0}, foot = {0, 0, -length / 2}, inner = {-f->centre, 0, 0};
    fb_link *l = hinge(f->link, FB_SPACE, SHAFT, base, foot, ex, ey, ez);
    l = slide(l);
    l = hinge(l, SHAFT, ROD_1, (mb_vec){hinge_x, 0, length / 2}, inner, ex, ez, ey);
    l = hinge(l, SHAFT, ROD_2, (mb_vec){-hinge_x, 0, length / 2}, inner, ex, ez, ey);
    f->system.n_link = (int)(l - f->link);
}

/* --- states --- */

/* Set a body at r = (x, 0, z) in the frame of the shaft, rotated by `side` about the vertical, with its own rotation by
 * alpha about its y axis. */
static void put_body(const double *q, const double *qd, double side, double alpha, double rate, mb_vec r, mb_vec rd,
                     double *p, double *v)
{
    const double angle = q[PSI] + side, c = cos(angle), s = sin(angle), spin = qd[PSI];
    const double about_z[4] = {cos(angle / 2), 0, 0, sin(angle / 2)}, about_y[4] = {cos(alpha / 2), 0, sin(alpha / 2)};
    if (p) {
        p[0] = c * r.x, p[1] = s * r.x, p[2] = r.z;
        fb_turn(about_z, about_y, p + 3);
    }
    if (v) {
        v[0] = c * rd.x - s * spin * r.x, v[1] = s * rd.x + c * spin * r.x, v[2] = rd.z;
        v[3] = -sin(alpha) * spin, v[4] = rate, v[5] = cos(alpha) * spin;
    }
}

/* Set all bodies at (psi, s, alpha) and their rates; p or v may be NULL. */
static void put_bodies(const flyball *f, const double *q, const double *qd, double *p, double *v)
{
    const double a = q[ALPHA], ad = qd[ALPHA], lc = f->centre;
    const mb_vec still = {0, 0, 0}, r[N_BODIES] = {{0, 0, length / 2},
                                                   {0, 0, q[S]},
                                                   {hinge_x + lc * cos(a), 0, hinge_z - lc * sin(a)},
                                                   {hinge_x + lc * cos(a), 0, hinge_z - lc * sin(a)}};
    const mb_vec swing = {-lc * sin(a) * ad, 0, -lc * cos(a) * ad}, lift = {0, 0, qd[S]};
    for (int i = 0; i < N_BODIES; i++) {
        const int is_rod = i >= ROD_1;
        put_body(q, qd, i == ROD_2 ? TWO_PI / 2 : 0, is_rod ? a : 0, is_rod ? ad : 0, r[i],
                 is_rod        ? swing
                 : i == SLIDER ? lift
                               : still,
                 p ? p + FB_P * i : NULL, v ? v + FB_V * i : NULL);
    }
}

static int reference(const resida_model *model, double t, double *p, double *v, double *lam)
{
    const flyball *f = model->user;
    const bench_states known = {BENCH_COUNT(states), N_STATE, N_STATE, 0, states};
    double q[N_STATE], qd[N_STATE];
    if (!bench_is_standard(f) || bench_states_read(&known, t, q, qd, NULL)) return 1;
    put_bodies(f, q, qd, p, v);
    if (lam) bench_fill(N_G, NAN, lam);
    return 0;
}

/* --- drawing and outputs --- */

static const resida_part parts[] = {{"shaft", RESIDA_PART_LINE, 2},     {"slider", RESIDA_PART_BOX, MB_CORNERS},
                                    {"rods", RESIDA_PART_LINE, 4},      {"balls", RESIDA_PART_BALLS, 2},
                                    {"springs", RESIDA_PART_SPRING, 2}, {"springs", RESIDA_PART_SPRING, 2}};

static int shape(const resida_model *model, double t, const double *p, double *xyz)
{
    const flyball *f = model->user;
    const mb_vec middle = {0, 0, length / 2};
    const mb_vec inner = {-f->centre, 0, 0}, outer = {length - f->centre, 0, 0};
    fb_pose pose[N_BODIES];
    fb_place(&f->system, p, NULL, pose);
    xyz = mb_put(fb_point(pose, SHAFT, mb_scale(-1, middle)), xyz);
    xyz = mb_put(fb_point(pose, SHAFT, middle), xyz);
    xyz = mb_box_corners((mb_vec){hinge_x, hinge_x, hinge_x}, pose[SLIDER].r, &pose[SLIDER].R, xyz);
    for (int k = 0; k < 4; k++)
        xyz = mb_put(fb_point(pose, k < 2 ? ROD_1 : ROD_2, k == 0 || k == 3 ? outer : inner), xyz);
    for (int rod = ROD_1; rod <= ROD_2; rod++) xyz = mb_put(fb_point(pose, rod, outer), xyz);
    for (int rod = ROD_1; rod <= ROD_2; rod++) {
        const spring x = spring_of(f, pose, rod);
        xyz = mb_put(fb_point(pose, SLIDER, x.low), xyz);
        xyz = mb_put(fb_point(pose, rod, x.high), xyz);
    }
    return 0;
}

static const char *const output_names[] = {"speed", "spring", "energy"};
static const char *const output_units[] = {"rad/s", "N", "J"};

/* Outputs: spin rate of the shaft; tension of a spring-damper; energy of bodies and springs. */
static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    const flyball *f = model->user;
    fb_pose pose[N_BODIES];
    fb_place(&f->system, at->p, at->v, pose);
    out[0] = pose[SHAFT].w.z;
    out[1] = spring_of(f, pose, ROD_1).force;
    out[2] = bench_kinetic_energy(&model->mechanism, at);
    for (int i = 0; i < N_BODIES; i++) out[2] += f->body[i].mass * g * pose[i].r.z;
    for (int rod = ROD_1; rod <= ROD_2; rod++) {
        const double stretch = spring_of(f, pose, rod).D - free_length;
        out[2] += f->k * stretch * stretch / 2;
    }
    return 0;
}

/* --- the model --- */

static void end(void *memory)
{
    fb_close(&((flyball *)memory)->system);
}

static int set(const double *values, resida_model *model, resida_message *why)
{
    const double q0[N_STATE] = {0, 0.5, SIXTH}, qd0[N_STATE] = {values[P_OMEGA], 0, 0};
    resida_mechanism *m = &model->mechanism;
    flyball *f = model->user;
    f->k = values[P_K], f->c = values[P_C];
    make_bodies(f);
    make_links(f);
    f->system.n_body = N_BODIES, f->system.body = f->body, f->system.link = f->link;
    f->system.gravity = mb_scale(-g, ez), f->system.forces = add_springs, f->system.data = f;
    put_bodies(f, q0, qd0, f->p0, f->v0);
    if (fb_open(&f->system, m, why)) return 1;
    m->p_names = bench_own_names(f, m->n_p, FB_P, fb_p_names, "");
    m->v_names = bench_own_names(f, m->n_v, FB_V, fb_v_names, "'");
    m->g_names = bench_own_names(f, m->n_g, 1, fb_g_names, "");
    model->p_units = bench_own_repeated(f, m->n_p, FB_P, fb_p_units);
    model->v_units = bench_own_repeated(f, m->n_v, FB_V, fb_v_units);
    model->t_end = 10;
    model->p0 = f->p0, model->v0 = f->v0;
    model->rtol = 1e-6, model->atol = 1e-6;
    model->parts = parts, model->n_parts = BENCH_COUNT(parts), model->shape = shape;
    model->n_outputs = BENCH_COUNT(output_names), model->output_names = output_names;
    model->output_units = output_units, model->output = output;
    model->reference = reference;
    model->reference_source = "IFToMM benchmark A05; states computed by extrapolation in 80-bit arithmetic, 15 digits";
    return 0;
}

const bench_kind bench_flyball = {
    BENCH_KIND("flyball", "stiff flyball governor, 4 bodies in maximal coordinates, 20 constraints (IFToMM A05)",
               N_PARAMETERS, parameters, flyball, set),
    .end = end,
};
