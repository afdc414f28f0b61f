/* wishbone.c - bodies and links, see wishbone.h. Masses and hard points are chosen. They are plausible for a car of
 * this size but are not those of a measured car. In the design position all bodies are parallel to the axes of
 * space. */
#include "wishbone.h"

#include "benchmarks/multibody/system/shape.h"
#include "benchmarks/multibody/tree/box.h"
#include "benchmarks/util/model_util.h"

/** Hard points of the left side, x from the axle, y from the middle, z from the road [m]. */
typedef struct hard_points {
    mb_vec lower_front, lower_rear, lower_ball; /* a wishbone rotates about the line through its first two points */
    mb_vec upper_front, upper_rear, upper_ball;
    mb_vec rack, tie;
    mb_vec strut_top, strut_foot, bar;
    mb_vec wheel;
} hard_points;

static const hard_points left = {
    .lower_front = {0.16, 0.36, 0.215},
    .lower_rear = {-0.20, 0.35, 0.205},
    .lower_ball = {0.005, 0.70, 0.20},
    .upper_front = {0.11, 0.43, 0.505},
    .upper_rear = {-0.16, 0.44, 0.49},
    .upper_ball = {-0.02, 0.65, 0.515},
    .rack = {-0.14, 0.345, 0.245},
    .tie = {-0.13, 0.685, 0.235},
    .strut_top = {-0.02, 0.50, 0.74},
    .strut_foot = {0, 0.60, 0.23},
    .bar = {0.02, 0.56, 0.21},
    .wheel = {0, 0.75, 0.31},
};

/* Forces of the chassis on the wishbones of the left side in the design position [N], from the multipliers of their
 * joints. Bushings carry them without displacement. The force along the axis of a wishbone is divided equally between
 * front and rear. */
static const struct static_loads {
    mb_vec lower_front, lower_rear, upper_front, upper_rear;
} left_load = {
    .lower_front = {-72.27, -805.28, 839.85},
    .lower_rear = {-70.71, -770.60, 749.01},
    .upper_front = {-29.85, 383.27, 38.39},
    .upper_rear = {-33.91, 258.19, 28.14},
};

static const double sprung = 780, wheel_base = 2.7, height = 0.55; /* of the chassis per axle [kg], [m] */
static const mb_vec chassis_inertia[WB_MAX_AXLES] = {{210, 240, 360}, {460, 2100, 2300}};
static const fb_body parts[WB_OF_WHEEL] = {
    [WB_LOWER] = {9, {0.13, 0.12, 0.24}},
    [WB_UPPER] = {4, {0.035, 0.03, 0.06}},
    [WB_KNUCKLE] = {38, {0.95, 1.45, 0.95}}, /* with wheel and brake; no spin */
};
static const mb_vec ex = {1, 0, 0}, ey = {0, 1, 0}, ez = {0, 0, 1};

static mb_vec middle(mb_vec a, mb_vec b)
{
    return mb_scale(0.5, mb_add(a, b));
}

/* Return a vector of the left side, mirrored for a wheel on the right. */
static mb_vec on_side(mb_vec of_left, int wheel)
{
    return (mb_vec){of_left.x, wheel % WB_SIDES == WB_LEFT ? of_left.y : -of_left.y, of_left.z};
}

/* Return a hard point in space. */
static mb_vec in_space(mb_vec of_left, int wheel)
{
    const mb_vec axle = {-wheel_base * (wheel / WB_SIDES), 0, 0};
    return mb_add(axle, on_side(of_left, wheel));
}

static mb_vec centre_of(const wb_vehicle *v, int body)
{
    const double *p = v->p0 + FB_P * body;
    return (mb_vec){p[0], p[1], p[2]};
}

/* Return a hard point relative to the centre of mass of a body. */
static mb_vec on(const wb_vehicle *v, int body, mb_vec of_left, int wheel)
{
    return mb_sub(in_space(of_left, wheel), centre_of(v, body));
}

static void add_body(wb_vehicle *v, int body, fb_body part, mb_vec centre)
{
    double *p = v->p0 + FB_P * body;
    v->body[body] = part;
    p[0] = centre.x, p[1] = centre.y, p[2] = centre.z, p[3] = 1;
}

static void add_bodies(wb_vehicle *v)
{
    const mb_vec chassis = {-wheel_base * (v->n_axle - 1) / 2, 0, height};
    add_body(v, WB_CHASSIS, (fb_body){sprung * v->n_axle, chassis_inertia[v->n_axle - 1]}, chassis);
    for (int w = 0; w < v->n_wheel; w++) {
        const mb_vec centres[WB_OF_WHEEL] = {
            [WB_LOWER] = middle(middle(left.lower_front, left.lower_rear), left.lower_ball),
            [WB_UPPER] = middle(middle(left.upper_front, left.upper_rear), left.upper_ball),
            [WB_KNUCKLE] = left.wheel,
        };
        for (int k = 0; k < WB_OF_WHEEL; k++) add_body(v, wb_body(w, k), parts[k], in_space(centres[k], w));
    }
}

/* Add a hinge of a body on the chassis about the line through two hard points. @return the next link */
static fb_link *add_hinge(const wb_vehicle *v, fb_link *l, int body, mb_vec front, mb_vec rear, int wheel)
{
    const mb_vec axis = mb_sub(in_space(front, wheel), in_space(rear, wheel));
    const mb_vec across = mb_cross(axis, ez), up = mb_cross(across, axis), at = middle(front, rear);
    *l++ = (fb_link){FB_MEET, WB_CHASSIS, body, .point_i = on(v, WB_CHASSIS, at, wheel),
                     .point_j = on(v, body, at, wheel)};
    *l++ = (fb_link){FB_SQUARE, WB_CHASSIS, body, .axis_i = mb_scale(1 / mb_norm(across), across),
                     .axis_j = mb_scale(1 / mb_norm(axis), axis)};
    *l++ = (fb_link){FB_SQUARE, WB_CHASSIS, body, .axis_i = mb_scale(1 / mb_norm(up), up),
                     .axis_j = mb_scale(1 / mb_norm(axis), axis)};
    return l;
}

static void add_bushing(wb_vehicle *v, int body, mb_vec at, mb_vec load, int wheel)
{
    v->bushing[v->n_bushing++] = (wb_bushing){.arm = body,
                                              .on_chassis = on(v, WB_CHASSIS, at, wheel),
                                              .on_arm = on(v, body, at, wheel),
                                              .load = on_side(load, wheel)};
    v->coupled[body] |= 1U << WB_CHASSIS;
    v->coupled[WB_CHASSIS] |= 1U << body;
}

static void add_bushings(wb_vehicle *v, int w)
{
    const int lower = wb_body(w, WB_LOWER), upper = wb_body(w, WB_UPPER);
    add_bushing(v, lower, left.lower_front, left_load.lower_front, w);
    add_bushing(v, lower, left.lower_rear, left_load.lower_rear, w);
    add_bushing(v, upper, left.upper_front, left_load.upper_front, w);
    add_bushing(v, upper, left.upper_rear, left_load.upper_rear, w);
}

static fb_link *add_hinges(const wb_vehicle *v, fb_link *l, int w)
{
    l = add_hinge(v, l, wb_body(w, WB_LOWER), left.lower_front, left.lower_rear, w);
    return add_hinge(v, l, wb_body(w, WB_UPPER), left.upper_front, left.upper_rear, w);
}

static fb_link *add_links(const wb_vehicle *v, fb_link *l, int w)
{
    const int lower = wb_body(w, WB_LOWER), upper = wb_body(w, WB_UPPER), knuckle = wb_body(w, WB_KNUCKLE);
    *l++ = (fb_link){FB_MEET, lower, knuckle, .point_i = on(v, lower, left.lower_ball, w),
                     .point_j = on(v, knuckle, left.lower_ball, w)};
    *l++ = (fb_link){FB_MEET, upper, knuckle, .point_i = on(v, upper, left.upper_ball, w),
                     .point_j = on(v, knuckle, left.upper_ball, w)};
    *l++ = (fb_link){FB_ROD,
                     WB_CHASSIS,
                     knuckle,
                     .point_i = on(v, WB_CHASSIS, left.rack, w),
                     .point_j = on(v, knuckle, left.tie, w),
                     .length = mb_norm(mb_sub(left.tie, left.rack)),
                     .drive = w < WB_SIDES ? WB_RACK + 1 : 0,
                     .travel = ey};
    return l;
}

/* Add the guide of a single axle on a rig: the chassis can only move vertically and roll. */
static fb_link *add_guide(const wb_vehicle *v, fb_link *l)
{
    const mb_vec centre = centre_of(v, WB_CHASSIS);
    *l++ = (fb_link){FB_LEVEL, FB_SPACE, WB_CHASSIS, .point_i = centre, .axis_i = ex};
    *l++ = (fb_link){FB_LEVEL, FB_SPACE, WB_CHASSIS, .point_i = centre, .axis_i = ey};
    *l++ = (fb_link){FB_SQUARE, FB_SPACE, WB_CHASSIS, .axis_i = ex, .axis_j = ey};
    *l++ = (fb_link){FB_SQUARE, FB_SPACE, WB_CHASSIS, .axis_i = ex, .axis_j = ez};
    return l;
}

/* Set the points at which forces act, and the bodies that they couple. */
static void add_points(wb_vehicle *v, int w)
{
    const int lower = wb_body(w, WB_LOWER), other = wb_body(w ^ 1, WB_LOWER);
    v->wheel[w] = (wb_wheel){.strut_top = on(v, WB_CHASSIS, left.strut_top, w),
                             .strut_foot = on(v, lower, left.strut_foot, w),
                             .bar = on(v, lower, left.bar, w),
                             .strut_length = mb_norm(mb_sub(left.strut_top, left.strut_foot))};
    v->coupled[lower] |= 1U << WB_CHASSIS | 1U << other;
    v->coupled[WB_CHASSIS] |= 1U << lower;
}

void wb_assemble(wb_vehicle *v)
{
    fb_link *l = v->link;
    v->n_wheel = WB_SIDES * v->n_axle;
    add_bodies(v);
    for (int w = 0; w < v->n_wheel; w++) {
        if (v->has_bushings)
            add_bushings(v, w);
        else
            l = add_hinges(v, l, w);
        l = add_links(v, l, w);
        add_points(v, w);
    }
    if (v->n_axle == 1) l = add_guide(v, l);
    v->system.n_body = 1 + WB_OF_WHEEL * v->n_wheel, v->system.body = v->body;
    v->system.n_link = (int)(l - v->link), v->system.link = v->link;
    v->system.gravity = (mb_vec){0, 0, -9.81};
    v->system.coupled = v->coupled;
    v->system.forces = wb_forces, v->system.data = v;
}

/* --- drawing --- */

static const double wheel_radius = 0.31, wheel_width = 0.2; /* in drawings [m] */

int wb_parts(const wb_vehicle *v, const char *const *loads, resida_part *out)
{
    int n = 0;
    for (int w = 0; w < v->n_wheel; w++) {
        out[n++] = (resida_part){"wishbones", RESIDA_PART_LINE, 3};
        out[n++] = (resida_part){"wishbones", RESIDA_PART_LINE, 3};
        out[n++] = (resida_part){"knuckle", RESIDA_PART_LINE, 3};
        out[n++] = (resida_part){"tie rod", RESIDA_PART_LINE, 2};
        out[n++] = (resida_part){"strut", RESIDA_PART_SPRING, 2};
        out[n++] = (resida_part){"wheel", RESIDA_PART_CYLINDER, 3};
        out[n++] = (resida_part){loads[w], RESIDA_PART_ARROW, 2};
    }
    out[n++] = (resida_part){"chassis", RESIDA_PART_BOX, MB_CORNERS};
    return n;
}

/* Write a hard point of a body in space. */
static double *put(const wb_vehicle *v, const fb_pose *pose, int body, mb_vec of_left, int w, double *xyz)
{
    return mb_put(fb_point(pose, body, on(v, body, of_left, w)), xyz);
}

static double *put_wheel(const wb_vehicle *v, const double *u, const fb_pose *pose, int w, double *xyz)
{
    const int lower = wb_body(w, WB_LOWER), upper = wb_body(w, WB_UPPER), knuckle = wb_body(w, WB_KNUCKLE);
    const mb_vec shift = {0, w < WB_SIDES ? u[WB_RACK] : 0, 0}, centre = pose[knuckle].r, axis = pose[knuckle].R.y;
    const mb_vec face = mb_along(centre, -wheel_width / 2, axis), foot = {centre.x, centre.y, u[WB_ROAD + w]};
    xyz = put(v, pose, lower, left.lower_front, w, xyz);
    xyz = put(v, pose, lower, left.lower_ball, w, xyz);
    xyz = put(v, pose, lower, left.lower_rear, w, xyz);
    xyz = put(v, pose, upper, left.upper_front, w, xyz);
    xyz = put(v, pose, upper, left.upper_ball, w, xyz);
    xyz = put(v, pose, upper, left.upper_rear, w, xyz);
    xyz = put(v, pose, knuckle, left.lower_ball, w, xyz);
    xyz = mb_put(centre, xyz);
    xyz = put(v, pose, knuckle, left.upper_ball, w, xyz);
    xyz = mb_put(fb_point(pose, WB_CHASSIS, mb_add(on(v, WB_CHASSIS, left.rack, w), shift)), xyz);
    xyz = put(v, pose, knuckle, left.tie, w, xyz);
    xyz = put(v, pose, lower, left.strut_foot, w, xyz);
    xyz = put(v, pose, WB_CHASSIS, left.strut_top, w, xyz);
    xyz = mb_put(face, xyz);
    xyz = mb_put(mb_along(face, wheel_width, axis), xyz);
    xyz = mb_put(mb_along(face, wheel_radius, pose[knuckle].R.x), xyz);
    return mb_put(mb_add(foot, ez), mb_put(foot, xyz));
}

void wb_points(const wb_vehicle *v, const double *u, const double *p, double *xyz)
{
    fb_pose pose[FB_MAX];
    fb_place(&v->system, p, NULL, pose);
    for (int w = 0; w < v->n_wheel; w++) xyz = put_wheel(v, u, pose, w, xyz);
    const fb_body *body = &v->body[WB_CHASSIS];
    mb_box_corners(mb_box(body->mass, body->inertia), pose[WB_CHASSIS].r, &pose[WB_CHASSIS].R, xyz);
}
