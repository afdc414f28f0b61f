/* car.c - a passenger car on periodic lane changes, after section 4.2.2 of Arnold, Fuchs, Fuehrer: Efficient corrector
 * iteration for DAE time integration in multibody dynamics. The model of the paper is industrial; this model is built
 * from public data (car_suspension.h).
 *
 *     frame that moves with v0 -> chassis (6) -> carriers front left, right (6 each) -> wheels (1 each)
 *                                             -> rack (driven by u along y)
 *                                             -> subframe (6) -> carriers rear left, right (6 each) -> wheels (1 each)
 *
 * 40 joint coordinates, M full along each branch; no constraints, unless tie rods and toe links are rigid. The
 * coordinate of a wheel is its angle minus v0 t / Re. The start is the steady straight motion. A weak spring and a
 * damper control the speed.
 *
 * Case 2 is a rough drive, car_rough.h: the rack is free (41 coordinates), and the road is an excitation. */
#include <stdio.h>
#include <string.h>

#include "car_rough.h"
#include "car_suspension.h"
#include "car_tyre.h"
#include "benchmarks/multibody/system/shape.h"
#include "benchmarks/util/model_kind.h"
#include "benchmarks/util/settle.h"
#include "benchmarks/models/models.h"
#include "benchmarks/multibody/system/smooth.h"

#include "benchmarks/models/data/car.parameters.inc"

enum { N = 40, N_ROUGH, N_MAX = N_ROUGH };
enum { ROUGH = 2 }; /* value of the parameter "case" */

static const double hold_c = 3000, hold_k = 500; /* control of speed [N s/m] and distance [N/m]; chosen */
static const double min_speed = 5;               /* of case 1 [m/s] */
static const double fade = 0.5;                  /* onset time of the excitation [s] */

typedef struct car {
    mb_system system; /* first: user of the mechanism */
    double v0, amplitude, frequency;
    int rough, rigid, chassis, rack, carrier[4], wheel[4];
    double place[4]; /* initial x of the wheels in the design position */
    double p0[N_MAX], v[N_MAX];
} car;

enum { STRIPES = 7, WHEELS = 4, OF_ARROW = 6 }; /* OF_ARROW: coordinates of the two points of an arrow */
static const mb_look look = {"link", "strut", CAR_ROLLING_RADIUS, CAR_WHEEL_WIDTH};
static const double stripe = 5, road_side = 3; /* [m] */

static void move(const mb_system *s, const resida_excitation *e, mb_root *root, mb_relation *relation)
{
    mb_system_at_rest(s, e, root, relation);
    root[0].v.x = ((const car *)s)->v0;
}

/* Compute the contact of wheel i with the road. Return the vertical force. */
static double touch(const car *c, const mb_motion *motion, const mb_state *state, int i, car_contact *x)
{
    const double road = c->rough ? motion->s[CAR_U_ROAD + i] : 0, rate = c->rough ? motion->sd[CAR_U_ROAD + i] : 0;
    *x = car_tyre_contact(&state[c->wheel[i]], road);
    x->v = mb_add(x->v, motion->root[0].v);
    return car_tyre_load(x->radius, x->v.z - rate);
}

static int road_and_hold(const mb_system *s, const mb_motion *motion, const mb_state *state, const void *context,
                         mb_wrench *wrench)
{
    const car *c = (const car *)s;
    const mb_state *chassis = &state[c->chassis];
    for (int i = 0; i < 4; i++) {
        const mb_state *wheel = &state[c->wheel[i]];
        car_contact x;
        const double load = touch(c, motion, state, i, &x);
        car_tyre_add(&x, mb_dot(wheel->spin, wheel->R.y), load, c->rough ? CAR_CREEPING : 0, &wrench[c->wheel[i]]);
    }
    if (c->rough)
        car_steer(chassis, &state[c->rack], motion->s[CAR_U_RACK], motion->sd[CAR_U_RACK], &wrench[c->chassis],
                  &wrench[c->rack]);
    wrench[c->chassis].f.x -= hold_c * chassis->v.x + hold_k * chassis->r.x;
    return 0;
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    const car *c = user;
    double x[3];
    mb_fading_sine(t, c->amplitude, c->frequency, fade, x);
    *u = x[0], *ud = x[1], *udd = x[2];
    for (int i = 0; i < 4 && c->rough; i++) {
        car_road(c->place[i], i % CAR_SIDES == CAR_RIGHT, c->v0, t, x);
        u[CAR_U_ROAD + i] = x[0], ud[CAR_U_ROAD + i] = x[1], udd[CAR_U_ROAD + i] = x[2];
    }
    return 0;
}

static int assemble(car *c, resida_mechanism *m, resida_message *why)
{
    car_design d;
    mb_system *s = &c->system;
    if (car_design_open(&d, s, why)) return 1;
    d.rough = c->rough;
    const double mass = CAR_SPRUNG - CAR_SUBFRAME - CAR_RACK, spin = c->v0 / CAR_ROLLING_RADIUS;
    int front[CAR_SIDES], rear[CAR_SIDES];
    c->chassis = car_add_body(&d, MB_ROOT(0), mass, (mb_vec){237.3, 1566, 1792}, (mb_vec){0, 0, CAR_CENTRE});
    const mb_vec at = {CAR_TO_FRONT - 0.14, 0, 0.232}, sideways = {0, 1, 0};
    const mb_joint slide = mb_joint_prismatic(mb_sub(at, d.centre[c->chassis]), sideways);
    c->rack = mb_tree_add(&s->tree, c->chassis, CAR_RACK, (mb_vec){0.3, 0.005, 0.3},
                          c->rough ? slide : mb_joint_driven(slide, 0));
    d.centre[c->rack] = at;
    for (int i = 0; i < CAR_SIDES; i++) front[i] = car_add_carrier(&d, c->chassis, CAR_TO_FRONT, CAR_HALF_TRACK, i);
    for (int i = 0; i < CAR_SIDES; i++) c->wheel[i] = car_add_wheel(&d, front[i], i, spin);
    const int subframe = car_add_subframe(&d, c->chassis, -CAR_TO_REAR);
    for (int i = 0; i < CAR_SIDES; i++) rear[i] = car_add_carrier(&d, subframe, -CAR_TO_REAR, CAR_HALF_TRACK_REAR, i);
    for (int i = 0; i < CAR_SIDES; i++) c->wheel[2 + i] = car_add_wheel(&d, rear[i], i, spin);
    car_front_axle(&d, CAR_TO_FRONT, c->chassis, c->rack, front, c->rigid >= 1);
    car_rear_axle(&d, -CAR_TO_REAR, c->chassis, subframe, rear, c->rigid >= 2);
    for (int i = 0; i < CAR_SIDES; i++) c->carrier[i] = front[i], c->carrier[2 + i] = rear[i];
    for (int i = 0; i < 4; i++) c->place[i] = d.centre[c->wheel[i]].x;
    s->n_driven = c->rough ? CAR_U_ROUGH : 1;
    s->move = move, s->extra = road_and_hold;
    if (mb_system_ready(s, why)) return 1;
    mb_system_mechanism(s, m);
    m->n_u = s->n_driven;
    return 0;
}

/* Return 1 if the speed is too low. Slips relative to the speed are defined only while a tyre rolls. */
static int refuse(const car *c, resida_message *why)
{
    const int slow = !c->rough && c->v0 < min_speed;
    if (slow && why) snprintf(why->text, sizeof why->text, "v0 = %g: must be at least %g for case 1", c->v0, min_speed);
    return slow;
}

/* Draw the car and the road, which moves with the car and has a stripe every five metres. */
static int shape(const resida_model *model, double t, const double *p, double *xyz)
{
    const car *c = model->user;
    double u[CAR_U_ROUGH] = {0}, ud[CAR_U_ROUGH], udd[CAR_U_ROUGH];
    excitation(t, u, ud, udd, model->user);
    xyz = mb_shape_points(&c->system, &look, t, p, u, xyz);
    mb_state state[CAR_MAX_BODIES];
    mb_place(&c->system.tree, p, NULL, &(mb_motion){NULL, u, u, u}, state);
    for (int i = 0; i < WHEELS; i++, xyz += OF_ARROW)
        car_tyre_arrow(&state[c->wheel[i]], c->rough ? u[CAR_U_ROAD + i] : 0, xyz);
    for (int i = 0; i < STRIPES; i++) {
        const double x = (i - STRIPES / 2) * stripe - fmod(c->v0 * t, stripe);
        memcpy(xyz, (const double[]){x, -road_side, 0, x, road_side, 0}, 6 * sizeof *xyz);
        xyz += 6;
    }
    return 0;
}

static const char *const output_names[] = {"FL.travel", "FR.travel", "RL.travel", "RR.travel", "FL.load",
                                           "FR.load",   "RL.load",   "RR.load",   "kinetic"};
static const char *const output_units[] = {"m", "m", "m", "m", "N", "N", "N", "N", "J"};
enum { N_OUTPUTS = sizeof output_names / sizeof *output_names };

/* Outputs: vertical displacements of the carriers relative to the chassis or the subframe from the start; wheel loads;
 * kinetic energy. */
static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    const car *c = model->user;
    const mb_system *s = &c->system;
    double u[CAR_U_ROUGH] = {0}, ud[CAR_U_ROUGH] = {0}, udd[CAR_U_ROUGH] = {0};
    mb_state state[CAR_MAX_BODIES];
    mb_root root[CAR_MAX_BODIES];
    mb_relation relation[CAR_MAX_BODIES];
    car_contact x;
    excitation(at->t, u, ud, udd, model->user);
    const resida_excitation e = {u, ud, udd};
    const mb_motion motion = {root, u, ud, udd};
    s->move(s, &e, root, relation);
    mb_place(&s->tree, at->p, at->v, &motion, state);
    for (int i = 0; i < 4; i++) {
        const int z = mb_coordinate(&s->tree, c->carrier[i], MB_Z);
        out[i] = at->p[z] - c->p0[z];
        out[4 + i] = touch(c, &motion, state, i, &x);
    }
    out[8] = mb_kinetic_energy(s, &motion, state);
    return 0;
}

static void make_parts(car *c, resida_model *model)
{
    static const char *const names[] = {"chassis",  "rack",    "carrier", "carrier", "wheel", "wheel",
                                        "subframe", "carrier", "carrier", "wheel",   "wheel"};
    const int n = mb_shape_parts(&c->system, names, &look, NULL);
    resida_part *parts = bench_own(c, n + WHEELS + STRIPES, sizeof *parts);
    model->parts = parts, model->n_parts = n + WHEELS + STRIPES, model->shape = shape;
    if (!parts) return;
    mb_shape_parts(&c->system, names, &look, parts);
    for (int i = 0; i < WHEELS; i++) parts[n + i] = (resida_part){output_names[4 + i], RESIDA_PART_ARROW, 2};
    for (int i = n + WHEELS; i < model->n_parts; i++) parts[i] = (resida_part){NULL, RESIDA_PART_LINE, 2};
}

static void end(void *memory)
{
    mb_system_free(&((car *)memory)->system);
}

#define SIX(body, rate)                                                                                                \
    body ".x" rate, body ".y" rate, body ".z" rate, body ".phi" rate, body ".theta" rate, body ".psi" rate
#define SIX_UNITS "m", "m", "m", "rad", "rad", "rad"
#define UNITS(rack)                                                                                                    \
    {                                                                                                                  \
        SIX_UNITS, rack SIX_UNITS, SIX_UNITS, "rad", "rad", SIX_UNITS, SIX_UNITS, SIX_UNITS, "rad", "rad",             \
    }
#define RACK_UNIT  "m",
#define RACK(rate) "rack.y" rate,
#define NAMES(rate, rack)                                                                                              \
    {                                                                                                                  \
        SIX("chassis", rate), rack SIX("FL", rate), SIX("FR", rate), "FL.spin" rate, "FR.spin" rate,                   \
            SIX("subframe", rate), SIX("RL", rate), SIX("RR", rate), "RL.spin" rate, "RR.spin" rate,                   \
    }

static int set(const double *values, resida_model *model, resida_message *why)
{
    static const char *const p_names[] = NAMES("", ), *const v_names[] = NAMES("'", );
    static const char *const p_rough[] = NAMES("", RACK("")), *const v_rough[] = NAMES("'", RACK("'"));
    static const char *const p_units[] = UNITS(), *const rough_units[] = UNITS(RACK_UNIT);
    static const char *const u_units[CAR_U_ROUGH] = {"m", "m", "m", "m", "m"};
    static const char *const g_names[] = {"tie rod L", "tie rod R", "toe link L", "toe link R"};
    car *c = model->user;
    c->v0 = values[P_V0], c->amplitude = values[P_U], c->frequency = values[P_F];
    c->rigid = (int)values[P_RIGID];
    c->rough = (int)values[P_CASE] == ROUGH;
    resida_mechanism *m = &model->mechanism;
    m->excitation = excitation;
    m->p_names = c->rough ? p_rough : p_names, m->v_names = c->rough ? v_rough : v_names;
    m->g_names = g_names;
    model->p_units = c->rough ? rough_units : p_units, model->excitation_units = u_units;
    if (refuse(c, why) || assemble(c, m, why) || bench_settle(m, 0, 1, c->p0, c->v, NULL, why) ||
        mb_system_thin(&c->system, c->p0, c->v, why))
        return 1;
    make_parts(c, model);
    model->n_outputs = N_OUTPUTS, model->output_names = output_names, model->output_units = output_units;
    model->output = output;
    model->t_end = 5;
    model->p0 = c->p0, model->v0 = c->v;
    model->rtol = 1e-4, model->atol = 1e-5;
    return 0;
}

const bench_kind bench_car = {
    BENCH_KIND("car", "passenger car on periodic lane changes, 40 coordinates (Arnold, Fuchs, Fuehrer, section 4.2.2)",
               N_PARAMETERS, parameters, car, set),
    .end = end,
};
