/* flyball.c - a stiff flyball governor: a shaft that turns freely about the vertical, a slider on it, two rods with
 * balls that hang on hinges at its top and lift the slider by spring-dampers (in place of coupler rods). IFToMM library
 * of multibody benchmarks, problem A05; data as there.
 *
 * Four bodies in maximal coordinates (free_body.h) with 20 constraints: the motion is that of three coordinates, the
 * angle psi of the shaft, the height s of the slider, the angle alpha of the rods below the horizontal,
 *
 *     D^2 = 0.25 cos^2 alpha + (1 - 0.5 sin alpha - s)^2,   F = k (D - 0.5) + c D'
 *
 * for the springs, of which the reference states were computed: extrapolation in 80-bit arithmetic, which agrees with a
 * program in maximal coordinates to 15 digits. */
#include "benchmarks/multibody/system/free_body.h"
#include "benchmarks/multibody/tree/box.h"
#include "benchmarks/util/model_util.h"
#include "models.h"

#include <stdlib.h>

enum { SHAFT, SLIDER, ROD_1, ROD_2, N_BODIES };
enum { N_P = FB_P * N_BODIES, N_V = FB_V * N_BODIES, N_G = 20, N_LINKS = 14, N_STATE = 3 };
enum { P_K, P_C, P_OMEGA, N_PARAMETERS };
enum { PSI, S, ALPHA };

#define TWO_PI 6.283185307179586
#define SIXTH  0.5235987755982988 /* of pi */

static const resida_parameter parameters[N_PARAMETERS] = {
    [P_K] = {"k", 8e5, 0, 1e9, 0, "N/m", "stiffness of the springs", NULL},
    [P_C] = {"c", 4e4, 0, 1e9, 0, "Ns/m", "their damping", NULL},
    [P_OMEGA] = {"omega", TWO_PI, -1e3, 1e3, 0, "rad/s", "speed of the shaft at the start", NULL},
};

static const double m_rod = 0.3, m_slider = 3, m_ball = 5, g = 9.81; /* m_rod: the shaft's too */
static const double axial = 5e-6, transverse = 0.0250025, of_slider = 0.005;
static const double length = 1, hinge_x = 0.05, hinge_z = 1, free_length = 0.5;

/* t, (psi, s, alpha), (psi', s', alpha') */
/* clang-format off */
static const double states[] = {
    0,
        0, 0.5, SIXTH,
        TWO_PI, 0, 0,
    0.1,
        0.6221066814026875, 0.5238364755695757, 0.4961738690759003,
        6.103717808830863, 0.459271810436134, -0.5226739297539802,
    0.5,
        2.8076794883679015, 0.7432494247863257, 0.25949138154341317,
        5.103415421971535, 0.052119780158373236, -0.05390521849874231,
    1,
        5.586346965869005, 0.5014209223795676, 0.5218333016255462,
        6.2711257418765545, -0.12215149289772889, 0.14088557947952673,
    1.5,
        8.422950650214473, 0.7406845959686537, 0.26214606118206435,
        5.110289151813, 0.15540245608928613, -0.16092558327249368,
    2,
        11.17326707566125, 0.5059092942967037, 0.5166637973645988,
        6.236223614435971, -0.2407831469836442, 0.2769261885721883,
    2.5,
        14.037965815480783, 0.7356022830794089, 0.2674130791035451,
        5.124171437568999, 0.2559118601968303, -0.265411884748977,
    3,
        16.76130897169462, 0.5132460783402204, 0.508245526969237,
        6.180672706285757, -0.3525436217166549, 0.40356485319242424,
    3.5,
        19.652549116868908, 0.7280936430404047, 0.2752090063230053,
        5.145321747279048, 0.3518066674027269, -0.36566941616713367,
    4,
        22.350940433573783, 0.5232233710260433, 0.4968599825882568,
        6.10800805311, -0.4543844518121418, 0.5169131926013467,
    4.5,
        25.26651703562906, 0.7182951423153181, 0.2854085109606768,
        5.174095272399839, 0.4412570566605596, -0.4599950419421184,
    5,
        27.94253199104296, 0.5355631037216435, 0.48287457658693983,
        6.022496499758459, -0.5436826902778733, 0.6139170473888899,
    5.5,
        30.879676519969212, 0.706388127105327, 0.2978441198099272,
        5.210901716458731, 0.5224568097627267, -0.5466751903627728,
    6,
        33.53634491777142, 0.5499286659056423, 0.4667207804494975,
        5.928650227063321, -0.618325921386646, 0.6924419320104777,
    6.5,
        36.49182429601245, 0.6925980228402834, 0.3123059611287442,
        5.256149722266162, 0.5936422743586264, -0.6239864298935198,
    7,
        39.13253062850818, 0.5659381577194031, 0.4488714492183961,
        5.830800910952328, -0.676759166192948, 0.7512568316937133,
    7.5,
        42.10274773220428, 0.6771929636907258, 0.328541575078542,
        5.310176428202754, 0.6531198279808451, -0.6902008244317502,
    8,
        44.73113923982051, 0.5831783367097719, 0.42981954718504845,
        5.732788321367155, -0.7179948235217116, 0.7899419465793558,
    8.5,
        47.71222762864719, 0.6604816278983028, 0.3462559469753909,
        5.373161849924772, 0.6993029393217796, -0.743599248496491,
    9,
        50.3321342028218, 0.6012184020475063, 0.4100597595853776,
        5.6377792560468825, -0.7415906601114791, 0.8087523425123322,
    9.5,
        53.32004330194487, 0.6428100343469743, 0.36511200853483694,
        5.445028600115358, 0.7307593449270124, -0.7824967594000087,
    10,
        55.93540990910239, 0.6196229170613657, 0.390073701844645,
        5.548203622654925, -0.7476033541643318, 0.8084670513455768,
};
/* clang-format on */

static const cmd_table table = {22, N_STATE, N_STATE, 0, states};

typedef struct flyball {
    fb_system system;
    fb_body body[N_BODIES];
    fb_link link[N_LINKS];
    double k, c;
    double centre; /* of a rod with its ball, from the hinge */
    int standard;  /* all parameters have their defaults */
    double p0[N_P], v0[N_V];
    const char **p_names, **v_names, **g_names;
} flyball;

static const mb_vec ex = {1, 0, 0}, ey = {0, 1, 0}, ez = {0, 0, 1};

/* Between the slider and the middle of a rod. */
typedef struct spring {
    mb_vec low, high; /* its ends, on the slider and on the rod */
    mb_vec d;         /* from end to end */
    double D, force;  /* its length; its pull [N] */
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
    (void)e;
    const flyball *f = s->data;
    for (int rod = ROD_1; rod <= ROD_2; rod++) {
        const spring x = spring_of(f, pose, rod);
        const mb_vec pull = mb_scale(x.force / x.D, x.d);
        fb_push(pose, SLIDER, x.low, pull, load);
        fb_push(pose, rod, x.high, mb_scale(-1, pull), load);
    }
}

/* --- bodies and what ties them --- */

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

/* A point of i and one of j stay together, and an axis of j keeps at right angles to two of i. @return the next link */
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

/* A body at r = (x, 0, z) in the frame of the shaft turned by `side` more, turned about its y axis by alpha. */
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

/* All bodies at (psi, s, alpha) and their rates; p, v or NULL. */
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
    double q[N_STATE], qd[N_STATE];
    if (!f->standard || bench_table_read(&table, t, q, qd, NULL)) return 1;
    put_bodies(f, q, qd, p, v);
    if (lam) bench_fill(N_G, NAN, lam);
    return 0;
}

/* --- what it looks like, what follows from its state --- */

static const resida_part parts[] = {{"shaft", RESIDA_PART_LINE, 2},     {"slider", RESIDA_PART_BOX, MB_CORNERS},
                                    {"rods", RESIDA_PART_LINE, 4},      {"balls", RESIDA_PART_BALLS, 2},
                                    {"springs", RESIDA_PART_SPRING, 2}, {"springs", RESIDA_PART_SPRING, 2}};

static double *put(mb_vec at, double *xyz)
{
    xyz[0] = at.x, xyz[1] = at.y, xyz[2] = at.z;
    return xyz + 3;
}

static int shape(const resida_model *model, double t, const double *p, double *xyz)
{
    const flyball *f = model->user;
    const mb_vec middle = {0, 0, length / 2};
    const mb_vec inner = {-f->centre, 0, 0}, outer = {length - f->centre, 0, 0};
    fb_pose pose[N_BODIES];
    (void)t;
    fb_place(&f->system, p, NULL, pose);
    xyz = put(fb_point(pose, SHAFT, mb_scale(-1, middle)), xyz);
    xyz = put(fb_point(pose, SHAFT, middle), xyz);
    xyz = mb_box_corners((mb_vec){hinge_x, hinge_x, hinge_x}, pose[SLIDER].r, &pose[SLIDER].R, xyz);
    for (int k = 0; k < 4; k++) xyz = put(fb_point(pose, k < 2 ? ROD_1 : ROD_2, k == 0 || k == 3 ? outer : inner), xyz);
    for (int rod = ROD_1; rod <= ROD_2; rod++) xyz = put(fb_point(pose, rod, outer), xyz);
    for (int rod = ROD_1; rod <= ROD_2; rod++) {
        const spring x = spring_of(f, pose, rod);
        xyz = put(fb_point(pose, SLIDER, x.low), xyz);
        xyz = put(fb_point(pose, rod, x.high), xyz);
    }
    return 0;
}

static const char *const output_names[] = {"speed", "spring", "energy"};
static const char *const output_units[] = {"rad/s", "N", "J"};

/* Of the shaft; the pull of a spring-damper; the energy of bodies and springs. */
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

static int make_names(flyball *f, resida_message *why)
{
    static const char *const p_names[] = {"x", "y", "z", "e0_", "e1_", "e2_", "e3_"};
    static const char *const v_names[] = {"x", "y", "z", "wx", "wy", "wz"};
    static const char *const g_names[] = {"joint "};
    f->p_names = bench_names(N_P, FB_P, p_names, "", why);
    f->v_names = bench_names(N_V, FB_V, v_names, "'", why);
    f->g_names = bench_names(N_G, 1, g_names, "", why);
    return !f->p_names || !f->v_names || !f->g_names;
}

static void destroy(resida_model *model)
{
    flyball *f = model->user;
    if (!f) return;
    fb_close(&f->system);
    free(f->p_names), free(f->v_names), free(f->g_names);
    free(f);
    model->user = NULL;
}

static int create(const double *values, resida_model *model, resida_message *why)
{
    const double q0[N_STATE] = {0, 0.5, SIXTH}, qd0[N_STATE] = {values[P_OMEGA], 0, 0};
    flyball *f = model->user = bench_alloc(1, sizeof *f, why);
    if (!f) return 1;
    f->k = values[P_K], f->c = values[P_C];
    f->standard = bench_all_default(N_PARAMETERS, parameters, values);
    make_bodies(f);
    make_links(f);
    f->system.n_body = N_BODIES, f->system.body = f->body, f->system.link = f->link;
    f->system.gravity = mb_scale(-g, ez), f->system.forces = add_springs, f->system.data = f;
    put_bodies(f, q0, qd0, f->p0, f->v0);
    if (fb_open(&f->system, &model->mechanism, why) || make_names(f, why)) {
        destroy(model);
        return 1;
    }
    model->mechanism.name = "flyball";
    model->mechanism.p_names = f->p_names, model->mechanism.v_names = f->v_names, model->mechanism.g_names = f->g_names;
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

const resida_model_class bench_flyball = {
    RESIDA_MODEL_HEAD,
    .name = "flyball",
    .text = "stiff flyball governor, 4 bodies in maximal coordinates, 20 constraints (IFToMM A05)",
    .n_parameters = N_PARAMETERS,
    .parameters = parameters,
    .create = create,
    .destroy = destroy,
};
