/* wishbone_forces.c - forces on the bodies of wishbone.h. With c the compression of a strut relative to the design
 * position, its force is
 *
 *     F = F0 + k c + d(c') + k_stop (c - bump) for c > bump + k_stop (c + rebound) for c < -rebound
 *
 * A tyre is a vertical spring and damper between wheel centre and road with a lateral force. alpha is the slip angle at
 * the speed V along the road, in a frame that moves with V,
 *
 *     N = (k z + c z')+,   Fy = -mu N tanh(C alpha / mu),   tan alpha = (r_c' . e_across)/((V ex + r_c') . e_along)
 *
 * with r_c the contact point of the wheel. On the rig, the frame is that of the chassis.
 *
 * The force of a bushing on a wishbone is F = F0 + k d + c d'; d is the vector from its point on the wishbone to that
 * on the chassis, in chassis axes. The opposite force acts on the chassis at the point of the wishbone: therefore the
 * pair has no moment. */
#include <math.h>

#include "benchmarks/multibody/system/smooth.h"
#include "wishbone.h"

static const double preload = 5610;                               /* supports the chassis in the design position [N] */
static const double spring = 42e3, damper = 2600;                 /* of a strut [N/m], [N s/m] */
static const double blow_off = 0.25, beyond = 0.35, harder = 0.3; /* damper: [m/s], slope above it, excess in rebound */
static const double stop = 4e5;                                   /* [N/m], with a kink at its onset */
static const double bar_k = 9e3;                                  /* [N/m] */
static const double tyre_k = 2.1e5, tyre_c = 180, radius = 0.33;  /* [N/m], [N s/m], unloaded [m] */
static const double round_load = 15;                              /* [N] smoothing width of the lift-off of a tyre */
static const double mu = 1, cornering = 11;                       /* [-], [1/rad] */
static const double cruise_k = 2e3, cruise_c = 3e3;               /* speed control [N/m], [N s/m] */

typedef struct strut {
    mb_vec n; /* direction from the lower to the upper end */
    double c, cd;
} strut;

static strut strut_of(const wb_vehicle *v, const fb_pose *pose, int w)
{
    const wb_wheel *x = &v->wheel[w];
    const int lower = wb_body(w, WB_LOWER);
    const mb_vec d = mb_sub(fb_point(pose, WB_CHASSIS, x->strut_top), fb_point(pose, lower, x->strut_foot));
    const mb_vec rate =
        mb_sub(fb_point_velocity(pose, WB_CHASSIS, x->strut_top), fb_point_velocity(pose, lower, x->strut_foot));
    const double length = mb_norm(d);
    const mb_vec n = mb_scale(1 / length, d);
    return (strut){n, x->strut_length - length, -mb_dot(n, rate)};
}

double wb_compression(const wb_vehicle *v, const fb_pose *pose, int wheel)
{
    return strut_of(v, pose, wheel).c;
}

static void add_bushing(const wb_vehicle *v, const fb_pose *pose, const wb_bushing *b, mb_wrench *load)
{
    const mb_mat *R = &pose[WB_CHASSIS].R;
    const mb_vec x = fb_point(pose, b->arm, b->on_arm), from_chassis = mb_back(R, mb_sub(x, pose[WB_CHASSIS].r));
    const mb_vec rate = mb_back(
        R, mb_sub(fb_point_velocity(pose, WB_CHASSIS, from_chassis), fb_point_velocity(pose, b->arm, b->on_arm)));
    const mb_vec elastic = mb_along(b->load, v->bushing_k, mb_sub(b->on_chassis, from_chassis));
    const mb_vec f = mb_turn(R, mb_along(elastic, v->bushing_c, rate));
    fb_push(pose, b->arm, b->on_arm, f, load);
    fb_push(pose, WB_CHASSIS, from_chassis, mb_scale(-1, f), load);
}

static void add_strut(const wb_vehicle *v, const fb_pose *pose, int w, mb_wrench *load)
{
    const wb_wheel *x = &v->wheel[w];
    const strut s = strut_of(v, pose, w);
    double push = preload + spring * s.c;
    push += mb_blow_off(s.cd, damper, blow_off, beyond) * (1 - harder * tanh(s.cd / blow_off));
    if (s.c > v->bump) push += stop * (s.c - v->bump);
    if (s.c < -WB_REBOUND) push += stop * (s.c + WB_REBOUND);
    fb_push(pose, WB_CHASSIS, x->strut_top, mb_scale(push, s.n), load);
    fb_push(pose, wb_body(w, WB_LOWER), x->strut_foot, mb_scale(-push, s.n), load);
}

/* Add the forces k (z_left - z_right) along the z axis of the chassis, downwards on the left wishbone. */
static void add_bar(const wb_vehicle *v, const fb_pose *pose, int axle, mb_wrench *load)
{
    const int w = WB_SIDES * axle, l = wb_body(w, WB_LOWER), r = wb_body(w + 1, WB_LOWER);
    const mb_vec at_l = v->wheel[w].bar, at_r = v->wheel[w + 1].bar, up = pose[WB_CHASSIS].R.z;
    const mb_vec x_l = fb_point(pose, l, at_l), x_r = fb_point(pose, r, at_r);
    const mb_vec f = mb_scale(bar_k * mb_dot(mb_sub(x_l, x_r), up), up);
    fb_push(pose, l, at_l, mb_scale(-1, f), load);
    fb_push(pose, r, at_r, f, load);
    const mb_vec back = mb_cross(mb_sub(x_l, x_r), f); /* the reaction on the chassis is a pure moment */
    load[WB_CHASSIS].m = mb_add(load[WB_CHASSIS].m, back);
}

double wb_tyre_load(const resida_excitation *e, const fb_pose *pose, int wheel)
{
    const fb_pose *at = &pose[wb_body(wheel, WB_KNUCKLE)];
    const double road = e->u[WB_ROAD + wheel], rate = e->ud[WB_ROAD + wheel];
    return mb_positive(tyre_k * (radius + road - at->r.z) + tyre_c * (rate - at->v.z), round_load);
}

static void add_tyre(const wb_vehicle *v, const resida_excitation *e, const fb_pose *pose, int w, mb_wrench *load)
{
    const fb_pose *wheel = &pose[wb_body(w, WB_KNUCKLE)];
    const double road = e->u[WB_ROAD + w], N = wb_tyre_load(e, pose, w);
    const mb_vec arm = {0, 0, road - wheel->r.z};
    const mb_vec slip = mb_add(mb_add(wheel->v, mb_cross(wheel->w_space, arm)), (mb_vec){v->speed, 0, 0});
    const double size = sqrt(wheel->R.y.x * wheel->R.y.x + wheel->R.y.y * wheel->R.y.y);
    const mb_vec across = {wheel->R.y.x / size, wheel->R.y.y / size, 0}, along = {across.y, -across.x, 0};
    const double alpha = atan2(mb_dot(slip, across), mb_dot(slip, along));
    mb_wrench *on = &load[wb_body(w, WB_KNUCKLE)];
    const mb_vec f = mb_along((mb_vec){0, 0, N}, -mu * N * tanh(cornering * alpha / mu), across);
    on->f = mb_add(on->f, f);
    on->m = mb_add(on->m, mb_cross(arm, f));
}

void wb_forces(const fb_system *s, const resida_excitation *e, const fb_pose *pose, mb_wrench *load)
{
    const wb_vehicle *v = s->data;
    for (int i = 0; i < v->n_bushing; i++) add_bushing(v, pose, &v->bushing[i], load);
    for (int axle = 0; axle < v->n_axle; axle++) add_bar(v, pose, axle, load);
    for (int w = 0; w < v->n_wheel; w++) {
        add_strut(v, pose, w, load);
        add_tyre(v, e, pose, w, load);
    }
    load[WB_CHASSIS].f.x -= cruise_k * (pose[WB_CHASSIS].r.x - v->p0[0]) + cruise_c * pose[WB_CHASSIS].v.x;
}
