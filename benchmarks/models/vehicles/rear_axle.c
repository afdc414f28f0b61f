/* rear_axle.c - the rear axle of a passenger car on a test rig, after fig. 1 of Arnold, Fuchs, Fuehrer: Efficient
 * corrector iteration for DAE time integration in multibody dynamics: the left wheel stands on a stamp that moves up
 * and down.
 *
 *     ground -> subframe (6)
 *     ground -> stamp (driven by u along z) -> carrier left (6) -> wheel (1)
 *     ground -> carrier right (6) -> wheel (1)
 *
 * 20 joint coordinates, no constraints. The left carrier is described from the stamp on; so the coordinates stay small
 * and u stands in the lengths of all links of that side: the Jacobian depends on time by u alone, which is what the
 * extended update (26) of the paper is for. Links, struts, bar, mounts: car_suspension.h with the chassis on the
 * ground. The wheels stand, braked, on linear contact springs. The start is the static equilibrium. */
#include <stdlib.h>

#include "car_suspension.h"
#include "car_tyre.h"
#include "benchmarks/util/model_util.h"
#include "benchmarks/util/settle.h"
#include "benchmarks/models/models.h"
#include "benchmarks/multibody/system/smooth.h"

enum { N = 20 };
enum { P_F, P_A, P_T, N_PARAMETERS };

static const resida_parameter parameters[N_PARAMETERS] = {
    [P_F] = {"f", 1, 0, 100, 0, "Hz", "frequency of the stamp; cases f, A, T: 1, 0.04, 5; 2, 0.03, 5; 4, 0.012, 2.5",
             NULL},
    [P_A] = {"A", 0.04, 0, 0.06, 0, "m", "amplitude of the stamp; more cases: 8, 0.005, 2; 12, 0.0025, 2; 20, 0.001, 2",
             NULL},
    [P_T] = {"T", 5, 1e-3, 1000, 0, "s", "end", NULL},
};

/* All chosen: contact springs along and across [N/m, N s/m], brake [N m/rad, N m s/rad]. */
static const double kx = 2.5e5, cx = 800, ky = 1.5e5, cy = 600, brake_k = 2e4, brake_c = 20;
static const double fade = 0.5; /* the excitation fades in [s] */

typedef struct rear_axle {
    mb_system system; /* first: user of the mechanism */
    double f, A;
    int carrier[CAR_SIDES], wheel[CAR_SIDES];
    double p0[N], v[N];
} rear_axle;

/* The plate under a wheel, at `height`, moving up with `rate`. */
static void add_plate(const mb_state *wheel, double side, double height, double rate, mb_wrench *on)
{
    const car_contact x = car_tyre_contact(wheel, height);
    const mb_vec f = {-kx * x.P.x - cx * x.v.x, -ky * (x.P.y - side * CAR_HALF_TRACK_REAR) - cy * x.v.y,
                      car_tyre_load(x.radius, x.v.z - rate)};
    mb_push(on, x.arm, f);
}

static int plates_and_brakes(const mb_system *s, const mb_motion *motion, const mb_state *state, const void *context,
                             mb_wrench *wrench)
{
    (void)context;
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

static void destroy(resida_model *model)
{
    rear_axle *c = model->user;
    if (c) mb_system_free(&c->system);
    bench_destroy(model);
}

#define SIX(body, rate)                                                                                                \
    body ".x" rate, body ".y" rate, body ".z" rate, body ".phi" rate, body ".theta" rate, body ".psi" rate
#define NAMES(rate)                                                                                                    \
    {                                                                                                                  \
        SIX("subframe", rate), SIX("L", rate), SIX("R", rate), "L.spin" rate, "R.spin" rate                            \
    }

static int create(const double *values, resida_model *model, resida_message *why)
{
    static const char *const p_names[N] = NAMES(""), *const v_names[N] = NAMES("'");
    rear_axle *c = model->user = bench_alloc(1, sizeof *c, why);
    if (!c) return 1;
    c->f = values[P_F], c->A = values[P_A];
    resida_mechanism *m = &model->mechanism;
    m->name = "rear-axle";
    m->n_u = 1, m->excitation = excitation;
    m->p_names = p_names, m->v_names = v_names;
    if (assemble(c, m, why) || bench_settle(m, 0, 0, c->p0, c->v, NULL, why) ||
        mb_system_thin(&c->system, c->p0, c->v, why)) {
        destroy(model);
        return 1;
    }
    model->t_end = values[P_T];
    model->p0 = c->p0, model->v0 = c->v;
    model->rtol = 1e-4, model->atol = 1e-6;
    return 0;
}

const resida_model_class bench_rear_axle = {
    RESIDA_MODEL_HEAD,
    .name = "rear-axle",
    .text = "rear axle of a car, one wheel on a stamp, 20 coordinates (Arnold, Fuchs, Fuehrer, section 3.3)",
    .n_parameters = N_PARAMETERS,
    .parameters = parameters,
    .create = create,
    .destroy = destroy,
};
