/* train_assemble.c - bodies and suspension of the train, see train_model.h. Vehicle 1 of the Manchester benchmarks
 * (Iwnicki: Manchester benchmarks for rail vehicle simulation, Vehicle System Dynamics 30, 1998), a passenger coach:
 *
 *     track frame -> each body, a leaf of its own frame:  car (y, z, phi, theta, psi; its speed is given),
 *                    two bogies and four wheelsets (6 each)
 *
 * Values from other sources are marked. */
#include "benchmarks/util/model_util.h"
#include "train_model.h"

static const double wheelset_base = 1.28, pivot = 9.5; /* halves [m] */
static const double car_mass = 32000, bogie_mass = 2615, wheelset_mass = 1813;
static const mb_vec car_inertia = {56800, 1.97e6, 1.97e6}, bogie_inertia = {1722, 1476, 3067},
                    wheelset_inertia = {1120, 112, 1120};
static const double primary_friction = 2500, secondary_friction = 4000; /* on a rough line, each side; chosen [N] */
static const double sticking = 2e-3;                                    /* viscous below this speed [m/s] */
static const double car_height = 1.80, bogie_height = 0.60;             /* heights of the centres of mass [m] */

int train_wheelset(int w)
{
    const int in = w % TRAIN_WHEELSETS;
    return TRAIN_BODIES * (w / TRAIN_WHEELSETS) + TRAIN_BOGIE_FRONT + TRAIN_REAR * (in / 2) + 1 + in % 2;
}

/* Position of a body in its carriage: bogie (0 front, 1 rear), and index in the bogie: 0 frame, 1 and 2 wheelsets. */
static int bogie_of(int body)
{
    return (body % TRAIN_BODIES - TRAIN_BOGIE_FRONT) / TRAIN_REAR;
}

static int in_bogie(int body)
{
    return (body % TRAIN_BODIES - TRAIN_BOGIE_FRONT) % TRAIN_REAR;
}

static double towards(int second)
{
    return second ? -1 : 1;
}

int train_parent(int body)
{
    const int car = body - body % TRAIN_BODIES;
    if (body == car) return car == 0 ? -1 : car - TRAIN_BODIES;
    return in_bogie(body) == 0 ? car : body - in_bogie(body);
}

double train_ahead(int body)
{
    if (train_parent(body) < 0) return 0;
    if (body % TRAIN_BODIES == TRAIN_CAR) return -TRAIN_PITCH;
    return in_bogie(body) == 0 ? pivot * towards(bogie_of(body)) : wheelset_base * towards(in_bogie(body) == 2);
}

double train_place(int body)
{
    const int car = body - body % TRAIN_BODIES;
    double s = 0;
    for (; body != car; body = train_parent(body)) s += train_ahead(body);
    return s - TRAIN_PITCH * (car / TRAIN_BODIES);
}

static void add_bodies(train *c)
{
    mb_tree *tree = &c->system.tree;
    for (int b = 0; b < TRAIN_BODIES * c->carriages; b++) {
        const int is_car = b % TRAIN_BODIES == TRAIN_CAR, is_bogie = !is_car && in_bogie(b) == 0;
        mb_joint joint = mb_joint_free((mb_vec){0, 0, is_car ? car_height : is_bogie ? bogie_height : TRAIN_RADIUS});
        if (is_car) joint.mode[MB_X] = MB_LOCKED;
        if (!is_car && !is_bogie) joint.rotor = 1, joint.spin = c->track.v / TRAIN_RADIUS;
        mb_tree_add(tree, MB_ROOT(b),
                    is_car     ? car_mass
                    : is_bogie ? bogie_mass
                               : wheelset_mass,
                    is_car     ? car_inertia
                    : is_bogie ? bogie_inertia
                               : wheelset_inertia,
                    joint);
    }
}

/* Add a bushing between body b and the body of its parent frame. */
static mb_bushing *add_bushing(train *c, int b, mb_vec on_parent, mb_vec on_body)
{
    mb_bushing *x = &c->system.forces.bushing[c->system.forces.n_bushing++];
    *x = (mb_bushing){.a = {train_parent(b), on_parent}, .b = {b, on_body}, .relation = b};
    return x;
}

/* Replace the lateral damper of a bushing by dry friction F: F tanh(v/v0). */
static void add_friction(mb_bushing *x, double F)
{
    x->c = F / sticking, x->v0 = sticking, x->r = 0;
    x->lateral = mb_lateral_damper;
}

static void add_primary(train *c, int wheelset)
{
    for (int side = -1; side <= 1; side += 2) {
        const mb_vec at = {wheelset_base * towards(in_bogie(wheelset) == 2), side * 1.0, -0.14};
        mb_bushing *x = add_bushing(c, wheelset, at, (mb_vec){0, side * 1.0, 0});
        x->K = (mb_vec){31.391e6, 3.884e6, 1.22e6};
        x->C = (mb_vec){15e3, 2e3, 4e3};
        x->F0.z = (car_mass / 2 + bogie_mass) * TRAIN_GRAVITY / 4;
        if (c->rough) add_friction(x, primary_friction);
    }
}

static void add_secondary(train *c, int bogie)
{
    const double x_pivot = pivot * towards(bogie_of(bogie)), roll_bar = 940e3, bending = 2 * 10.5e3;
    for (int side = -1; side <= 1; side += 2) {
        mb_bushing *x = add_bushing(c, bogie, (mb_vec){x_pivot, side * 1.0, -0.9725}, (mb_vec){0, side * 1.0, 0.2275});
        x->K = (mb_vec){160e3, 160e3, 430e3};
        x->C = (mb_vec){0, 0, 20e3};
        x->F0.z = car_mass * TRAIN_GRAVITY / 4;
        x->c = 32e3, x->v0 = 0.25, x->r = 0.2; /* c from the source; blow-off chosen */
        x->lateral = mb_lateral_damper;
        if (c->rough) add_friction(x, secondary_friction);
    }
    mb_bushing *rod = add_bushing(c, bogie, (mb_vec){x_pivot, 0, -1.15}, (mb_vec){0, 0, 0.05});
    rod->K.x = 5e6, rod->C.x = 25e3;                   /* traction rod, chosen */
    rod->gap = 0.025, rod->k = 1.6e7, rod->e0 = 0.002; /* stop: gap from the source, stiffness close to its table */
    rod->lateral = mb_lateral_stop;
    mb_torsion *bar = &c->system.forces.torsion[c->system.forces.n_torsion++];
    *bar = (mb_torsion){train_parent(bogie), bogie, bogie, {roll_bar + bending, bending, 0}};
}

/* Add the coupling between two cars; values chosen. */
static void add_coupling(train *c, int car)
{
    mb_bushing *x = add_bushing(c, car, (mb_vec){-TRAIN_PITCH / 2, 0, -0.75}, (mb_vec){TRAIN_PITCH / 2, 0, -0.75});
    x->K = (mb_vec){2e6, 1e5, 1e5};
    x->C = (mb_vec){5e4, 5e3, 5e3};
}

static void move(const mb_system *s, const resida_excitation *e, mb_root *root, mb_relation *relation)
{
    const train *c = (const train *)s;
    for (int b = 0; b < s->tree.n_body; b++) {
        const int at = TRAIN_U * b, parent = train_parent(b), from = TRAIN_U * parent;
        root[b] = train_track_root(&c->track, e->u + at, e->ud + at, e->udd + at, TRAIN_GRAVITY);
        if (parent >= 0) relation[b] = train_track_relation(e->u + at, e->ud + at, e->u + from, e->ud + from);
    }
}

int train_assemble(train *c, resida_message *why)
{
    mb_system *s = &c->system;
    const int bodies = TRAIN_BODIES * c->carriages, per_carriage = TRAIN_WHEELS + 2 * 3 + 1;
    s->forces.bushing = bench_alloc(per_carriage * c->carriages, sizeof *s->forces.bushing, why);
    s->forces.torsion = bench_alloc(2 * c->carriages, sizeof *s->forces.torsion, why);
    if (!s->forces.bushing || !s->forces.torsion || mb_tree_open(&s->tree, bodies, why)) return 1;
    add_bodies(c);
    for (int b = 0; b < bodies; b++)
        if (b % TRAIN_BODIES != TRAIN_CAR && in_bogie(b) == 0)
            add_secondary(c, b);
        else if (b % TRAIN_BODIES != TRAIN_CAR)
            add_primary(c, b);
        else if (b > 0)
            add_coupling(c, b);
    s->n_relation = bodies;
    s->move = move, s->extra = train_creep;
    return mb_system_ready(s, why);
}
