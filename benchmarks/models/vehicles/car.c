/* car.c - a passenger car on periodic lane changes, after section 4.2.2 of Arnold, Fuchs, Fuehrer: Efficient corrector
 * iteration for DAE time integration in multibody dynamics. Theirs was an industrial model; this one is put together
 * from public data (car_suspension.h).
 *
 *     frame that moves with v0 -> chassis (6) -> carriers front left, right (6 each) -> wheels (1 each)
 *                                             -> rack (driven by u along y)
 *                                             -> subframe (6) -> carriers rear left, right (6 each) -> wheels (1 each)
 *
 * 40 joint coordinates, M full along each branch; no constraints, unless tie rods and toe links are rigid. Wheels: what
 * their angle is ahead of v0 t / Re. The start is the static equilibrium, found by Newton's method. A weak spring and a
 * damper hold the speed. */
#include <stdlib.h>

#include "car_suspension.h"
#include "car_tyre.h"
#include "benchmarks/multibody/system/equilibrium.h"
#include "benchmarks/util/model_util.h"
#include "benchmarks/models/models.h"
#include "benchmarks/multibody/system/smooth.h"

enum { N = 40 };
enum { P_V0, P_U, P_F, P_RIGID, N_PARAMETERS };

static const resida_parameter parameters[N_PARAMETERS] = {
    [P_V0] = {"v0", 22, 5, 60, 0, "m/s", "speed"},
    [P_U] = {"u", 0.003, 0, 0.02, 0, "m", "amplitude of the rack, which moves as u sin(2 pi f t)"},
    [P_F] = {"f", 0.5, 0, 20, 0, "Hz", "frequency of the rack"},
    [P_RIGID] = {"rigid", 0, 0, 2, 1, "-",
                 "rigid rods, each a constraint: 0 none, 1 the tie rods, 2 and the rear toe links"},
};

static const double hold_c = 3000, hold_k = 500; /* speed [N s/m], way [N/m]; chosen */
static const double fade = 0.5;                  /* the excitation fades in [s] */

typedef struct car {
    mb_system system; /* first: user of the mechanism */
    double v0, amplitude, frequency;
    int rigid, chassis, wheel[4];
    double p0[N], v[N];
} car;

static void move(const mb_system *s, const resida_excitation *e, mb_root *root, mb_relation *relation)
{
    mb_system_at_rest(s, e, root, relation);
    root[0].v.x = ((const car *)s)->v0;
}

static int road_and_hold(const mb_system *s, const mb_motion *motion, const mb_state *state, const void *context,
                         mb_wrench *wrench)
{
    (void)context;
    const car *c = (const car *)s;
    const mb_state *chassis = &state[c->chassis];
    for (int i = 0; i < 4; i++) {
        const mb_state *wheel = &state[c->wheel[i]];
        car_contact x = car_tyre_contact(wheel, 0);
        x.v = mb_add(x.v, motion->root[0].v);
        const double load = car_tyre_load(x.radius, x.v.z);
        car_tyre_add(&x, mb_dot(wheel->spin, wheel->R.y), load, &wrench[c->wheel[i]]);
    }
    wrench[c->chassis].f.x -= hold_c * chassis->v.x + hold_k * chassis->r.x;
    return 0;
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    const car *c = user;
    double x[3];
    mb_fading_sine(t, c->amplitude, c->frequency, fade, x);
    *u = x[0], *ud = x[1], *udd = x[2];
    return 0;
}

static int assemble(car *c, resida_message *why)
{
    car_design d;
    mb_system *s = &c->system;
    if (car_design_open(&d, s, why)) return 1;
    const double mass = CAR_SPRUNG - CAR_SUBFRAME - CAR_RACK, spin = c->v0 / CAR_ROLLING_RADIUS;
    int front[CAR_SIDES], rear[CAR_SIDES];
    c->chassis = car_add_body(&d, MB_ROOT(0), mass, (mb_vec){237.3, 1566, 1792}, (mb_vec){0, 0, CAR_CENTRE});
    const mb_vec at = {CAR_TO_FRONT - 0.14, 0, 0.232}, sideways = {0, 1, 0};
    const mb_joint slide = mb_joint_driven(mb_joint_prismatic(mb_sub(at, d.centre[c->chassis]), sideways), 0);
    const int rack = mb_tree_add(&s->tree, c->chassis, CAR_RACK, (mb_vec){0.3, 0.005, 0.3}, slide);
    d.centre[rack] = at;
    for (int i = 0; i < CAR_SIDES; i++) front[i] = car_add_carrier(&d, c->chassis, CAR_TO_FRONT, CAR_HALF_TRACK, i);
    for (int i = 0; i < CAR_SIDES; i++) c->wheel[i] = car_add_wheel(&d, front[i], i, spin);
    const int subframe = car_add_subframe(&d, c->chassis, -CAR_TO_REAR);
    for (int i = 0; i < CAR_SIDES; i++) rear[i] = car_add_carrier(&d, subframe, -CAR_TO_REAR, CAR_HALF_TRACK_REAR, i);
    for (int i = 0; i < CAR_SIDES; i++) c->wheel[2 + i] = car_add_wheel(&d, rear[i], i, spin);
    car_front_axle(&d, CAR_TO_FRONT, c->chassis, rack, front, c->rigid >= 1);
    car_rear_axle(&d, -CAR_TO_REAR, c->chassis, subframe, rear, c->rigid >= 2);
    s->n_driven = 1;
    s->move = move, s->extra = road_and_hold;
    return mb_system_ready(s, why);
}

static int settle(car *c, resida_message *why)
{
    int search[N] = {MB_AT_REST};
    const double u = 0;
    search[mb_coordinate(&c->system.tree, c->chassis, MB_Y)] = MB_HELD;
    for (int i = 0; i < 4; i++) search[mb_coordinate(&c->system.tree, c->wheel[i], MB_THETA)] = MB_STEADY;
    return mb_equilibrium(&c->system, search, &u, c->p0, c->v, why) || mb_system_thin(&c->system, c->p0, c->v, why);
}

static void destroy(resida_model *model)
{
    car *c = model->user;
    if (c) mb_system_free(&c->system);
    bench_destroy(model);
}

#define SIX(body, rate)                                                                                                \
    body ".x" rate, body ".y" rate, body ".z" rate, body ".phi" rate, body ".theta" rate, body ".psi" rate
#define NAMES(rate)                                                                                                    \
    {                                                                                                                  \
        SIX("chassis", rate), SIX("FL", rate), SIX("FR", rate), "FL.spin" rate, "FR.spin" rate, SIX("subframe", rate), \
            SIX("RL", rate), SIX("RR", rate), "RL.spin" rate, "RR.spin" rate,                                          \
    }

static int create(const double *values, resida_model *model, resida_message *why)
{
    static const char *const p_names[N] = NAMES(""), *const v_names[N] = NAMES("'");
    static const char *const g_names[] = {"tie rod L", "tie rod R", "toe link L", "toe link R"};
    car *c = model->user = bench_alloc(1, sizeof *c, why);
    if (!c) return 1;
    c->v0 = values[P_V0], c->amplitude = values[P_U], c->frequency = values[P_F];
    c->rigid = (int)values[P_RIGID];
    if (assemble(c, why) || settle(c, why)) {
        destroy(model);
        return 1;
    }
    resida_mechanism *m = &model->mechanism;
    mb_system_mechanism(&c->system, m);
    m->name = "car";
    m->n_u = 1, m->excitation = excitation;
    m->p_names = p_names, m->v_names = v_names, m->g_names = g_names;
    model->t_end = 5;
    model->p0 = c->p0, model->v0 = c->v;
    model->rtol = 1e-4, model->atol = 1e-5;
    return 0;
}

const resida_model_class bench_car = {
    RESIDA_MODEL_HEAD,
    .name = "car",
    .text = "passenger car on periodic lane changes, 40 coordinates (Arnold, Fuchs, Fuehrer, section 4.2.2)",
    .n_parameters = N_PARAMETERS,
    .parameters = parameters,
    .create = create,
    .destroy = destroy,
};
