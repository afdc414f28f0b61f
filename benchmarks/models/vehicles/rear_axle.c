/* rear_axle.c - the rear axle of a passenger car on a test rig, after fig. 1 of Arnold, Fuchs, Fuehrer: Efficient
 * corrector iteration for DAE time integration in multibody dynamics: the left wheel stands on an actuator that moves
 * up and down.
 *
 *     ground -> subframe (6)
 *     ground -> stamp (driven by u along z) -> carrier left (6) -> wheel (1)
 *     ground -> carrier right (6) -> wheel (1)
 *
 * 20 joint coordinates, no constraints. The coordinates of the left carrier are relative to the stamp. Therefore they
 * remain small, and the lengths of all links on that side depend on u. The Jacobian depends on time through u only, the
 * case for which the extended update (26) of the paper is designed. Links, struts, bar, mounts: car_suspension.h with
 * the chassis on the ground. The wheels are braked and stand on linear contact springs. The start is the static
 * equilibrium. */

#include "car_suspension.h"
#include "car_tyre.h"
#include "benchmarks/multibody/system/shape.h"
#include "benchmarks/util/model_kind.h"
#include "benchmarks/util/settle.h"
#include "benchmarks/models/models.h"
#include "benchmarks/multibody/system/smooth.h"

#include "benchmarks/models/data/rear-axle.parameters.inc"

enum { N = 20 };

/* All values are chosen: contact springs along and across [N/m, N s/m], brake [N m/rad, N m s/rad]. */
static const double kx = 2.5e5, cx = 800, ky = 1.5e5, cy = 600, brake_k = 2e4, brake_c = 20;
static const double fade = 0.5; /* onset time of the excitation [s] */

typedef struct rear_axle {
    mb_system system; /* first: user of the mechanism */
    double f, A;
    int carrier[CAR_SIDES], wheel[CAR_SIDES];
    double p0[N], v[N];
} rear_axle;

static const mb_look look = {"link", "strut", CAR_ROLLING_RADIUS, CAR_WHEEL_WIDTH};
static const double plate_side = 0.3; /* in drawings [m] */

/* Compute the contact of a wheel. Return the vertical force. */
static double load_of(const mb_state *wheel, double height, double rate, car_contact *x)
{
    *x = car_tyre_contact(wheel, height);
    return car_tyre_load(x->radius, x->v.z - rate);
}

/* Add the force of the plate under a wheel, at `height`, moving up with `rate`. */
static void add_plate(const mb_state *wheel, double side, double height, double rate, mb_wrench *on)
{
    car_contact x;
    const double load = load_of(wheel, height, rate, &x);
    const mb_vec f = {-kx * x.P.x - cx * x.v.x, -ky * (x.P.y - side * CAR_HALF_TRACK_REAR) - cy * x.v.y, load};
    mb_push(on, x.arm, f);
}

static int plates_and_brakes(const mb_system *s, const mb_motion *motion, const mb_state *state, const void *context,
                             mb_wrench *wrench)
{
    const rear_axle *c = (const rear_axle *)s;
    add_plate(&state[c->wheel[CAR_LEFT]], 1, motion->s[0], motion->sd[0], &wrench[c->wheel[CAR_LEFT]]);
    add_plate(&state[c->wheel[CAR_RIGHT]], -1, 0, 0, &wrench[c->wheel[CAR_RIGHT]]);
    for (int i = 0; i < CAR_SIDES; i++) {
        const mb_state *wheel = &state[c->wheel[i]];
        const double torque = brake_k * wheel->angle + brake_c * mb_dot(wheel->spin, wheel->R.y);
        mb_wrench *on = &wrench[c->wheel[i]], *back = &wrench[c->carrier[i]];
        on->m = mb_along(on->m, -torque, wheel->R.y);
        back->m = mb_along(back->m, torque, wheel->R.y);
    }
    return 0;
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    const rear_axle *c = user;
    double x[3];
    mb_fading_sine(t, c->A, c->f, fade, x);
    *u = x[0], *ud = x[1], *udd = x[2];
    return 0;
}

static int assemble(rear_axle *c, resida_mechanism *m, resida_message *why)
{
    car_design d;
    mb_system *s = &c->system;
    if (car_design_open(&d, s, why)) return 1;
    const mb_vec none = {0, 0, 0};
    const int ground = mb_tree_add(&s->tree, MB_ROOT(0), 0, none, mb_joint_fixed(none));
    const int subframe = car_add_subframe(&d, ground, 0);
    mb_joint lift = mb_joint_fixed(none);
    lift.mode[MB_Z] = MB_DRIVEN;
    const int stamp = mb_tree_add(&s->tree, ground, 0, none, lift);
    c->carrier[CAR_LEFT] = car_add_carrier(&d, stamp, 0, CAR_HALF_TRACK_REAR, CAR_LEFT);
    c->carrier[CAR_RIGHT] = car_add_carrier(&d, ground, 0, CAR_HALF_TRACK_REAR, CAR_RIGHT);
    for (int i = 0; i < CAR_SIDES; i++) c->wheel[i] = car_add_wheel(&d, c->carrier[i], i, 0);
    car_rear_axle(&d, 0, ground, subframe, c->carrier, 0);
    s->n_driven = 1;
    s->move = mb_system_at_rest, s->extra = plates_and_brakes;
    if (mb_system_ready(s, why)) return 1;
    mb_system_mechanism(s, m);
    return 0;
}

static const char *const output_names[] = {"L.load", "R.load", "kinetic"};
static const char *const output_units[] = {"N", "N", "J"};

/* Outputs: wheel loads; kinetic energy. */
static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    const rear_axle *c = model->user;
    mb_state state[CAR_MAX_BODIES];
    mb_root root[1];
    double u, ud, udd;
    car_contact x;
    excitation(at->t, &u, &ud, &udd, model->user);
    const resida_excitation e = {&u, &ud, &udd};
    const mb_motion motion = {root, &u, &ud, &udd};
    c->system.move(&c->system, &e, root, NULL);
    mb_place(&c->system.tree, at->p, at->v, &motion, state);
    out[CAR_LEFT] = load_of(&state[c->wheel[CAR_LEFT]], u, ud, &x);
    out[CAR_RIGHT] = load_of(&state[c->wheel[CAR_RIGHT]], 0, 0, &x);
    out[CAR_SIDES] = mb_kinetic_energy(&c->system, &motion, state);
    return 0;
}

/* Draw the axle and the plates, which are squares around the positions of the wheels. */
static int shape(const resida_model *model, double t, const double *p, double *xyz)
{
    static const double corner[][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    const rear_axle *c = model->user;
    mb_state state[CAR_MAX_BODIES];
    double u, ud, udd;
    excitation(t, &u, &ud, &udd, model->user);
    xyz = mb_shape_points(&c->system, &look, t, p, &u, xyz);
    mb_place(&c->system.tree, p, NULL, &(mb_motion){NULL, &u, &u, &u}, state);
    for (int i = 0; i < CAR_SIDES; i++, xyz += 6) car_tyre_arrow(&state[c->wheel[i]], i == CAR_LEFT ? u : 0, xyz);
    for (int i = 0; i < CAR_SIDES; i++)
        for (int k = 0; k < BENCH_COUNT(corner); k++) {
            const double y = (i == CAR_LEFT ? 1 : -1) * CAR_HALF_TRACK_REAR + corner[k][1] * plate_side / 2;
            const mb_vec at = {corner[k][0] * plate_side / 2, y, i == CAR_LEFT ? u : 0};
            xyz = mb_put(at, xyz);
        }
    return 0;
}

static void make_parts(rear_axle *c, resida_model *model)
{
    static const char *const names[] = {"", "subframe", "", "carrier", "carrier", "wheel", "wheel"};
    const int n = mb_shape_parts(&c->system, names, &look, NULL);
    resida_part *parts = bench_own(c, n + 2 * CAR_SIDES, sizeof *parts);
    model->parts = parts, model->n_parts = n + 2 * CAR_SIDES, model->shape = shape;
    if (!parts) return;
    mb_shape_parts(&c->system, names, &look, parts);
    for (int i = 0; i < CAR_SIDES; i++) {
        parts[n + i] = (resida_part){output_names[i], RESIDA_PART_ARROW, 2};
        parts[n + CAR_SIDES + i] = (resida_part){NULL, RESIDA_PART_LINE, 5};
    }
}

static void end(void *memory)
{
    mb_system_free(&((rear_axle *)memory)->system);
}

#define SIX(body, rate)                                                                                                \
    body ".x" rate, body ".y" rate, body ".z" rate, body ".phi" rate, body ".theta" rate, body ".psi" rate
#define SIX_UNITS "m", "m", "m", "rad", "rad", "rad"
#define NAMES(rate)                                                                                                    \
    {                                                                                                                  \
        SIX("subframe", rate), SIX("L", rate), SIX("R", rate), "L.spin" rate, "R.spin" rate                            \
    }

static int set(const double *values, resida_model *model, resida_message *why)
{
    static const char *const p_names[N] = NAMES(""), *const v_names[N] = NAMES("'");
    static const char *const p_units[N] = {SIX_UNITS, SIX_UNITS, SIX_UNITS, "rad", "rad"}, *const u_units[] = {"m"};
    rear_axle *c = model->user;
    c->f = values[P_F], c->A = values[P_A];
    resida_mechanism *m = &model->mechanism;
    m->n_u = 1, m->excitation = excitation;
    m->p_names = p_names, m->v_names = v_names;
    model->p_units = p_units, model->excitation_units = u_units;
    if (assemble(c, m, why) || bench_settle(m, 0, 0, c->p0, c->v, NULL, why) ||
        mb_system_thin(&c->system, c->p0, c->v, why))
        return 1;
    make_parts(c, model);
    model->n_outputs = BENCH_COUNT(output_names), model->output_names = output_names;
    model->output_units = output_units, model->output = output;
    model->t_end = values[P_T];
    model->p0 = c->p0, model->v0 = c->v;
    model->rtol = 1e-4, model->atol = 1e-6;
    return 0;
}

const bench_kind bench_rear_axle = {
    BENCH_KIND("rear-axle",
               "rear axle of a car, one wheel on a stamp, 20 coordinates (Arnold, Fuchs, Fuehrer, section 3.3)",
               N_PARAMETERS, parameters, rear_axle, set),
    .end = end,
};
