/* car_suspension.c - see car_suspension.h. Hard points, stiffnesses of links (arm and both bushings in series), struts,
 * mounts and bars are chosen. They are plausible for a car of this size but are not those of a measured car. */
#include "car_suspension.h"

#include "benchmarks/util/model_util.h"

enum { LINKS = 5, AXLES = 2 };

/** A link of the left side: x from the axle, y from the middle, z from the ground [m], stiffness [N/m]. */
typedef struct hard_points {
    mb_vec inner, outer;
    double k;
} hard_points;

static const hard_points front_link[LINKS] = {
    {{0.150, 0.350, 0.205}, {0.005, 0.640, 0.195}, 7e6},   /* lower, front */
    {{-0.250, 0.360, 0.205}, {0.005, 0.640, 0.195}, 3e6},  /* lower, rear */
    {{0.120, 0.420, 0.520}, {-0.015, 0.605, 0.500}, 4e6},  /* upper, front */
    {{-0.180, 0.430, 0.510}, {-0.015, 0.605, 0.500}, 4e6}, /* upper, rear */
    {{-0.140, 0.340, 0.232}, {-0.130, 0.625, 0.228}, 8e6}, /* tie rod, on the rack */
};
static const hard_points rear_link[LINKS] = {
    {{0.350, 0.480, 0.235}, {0.050, 0.605, 0.205}, 3e6},   /* trailing */
    {{-0.060, 0.250, 0.215}, {-0.050, 0.625, 0.190}, 8e6}, /* lower, lateral */
    {{0.180, 0.380, 0.445}, {0.020, 0.585, 0.455}, 5e6},   /* upper, front */
    {{-0.100, 0.340, 0.440}, {-0.030, 0.575, 0.460}, 5e6}, /* upper, rear */
    {{-0.180, 0.300, 0.245}, {-0.150, 0.615, 0.235}, 8e6}, /* toe */
};
static const hard_points front_strut = {{-0.020, 0.500, 0.760}, {0.000, 0.600, 0.240}, 28e3};
static const hard_points rear_strut = {{-0.050, 0.520, 0.720}, {-0.030, 0.595, 0.230}, 22e3};
static const double link_damping = 4e-4;                         /* c = 4e-4 s k */
static const double front_damper = 1850, rear_damper = 1650;     /* [N s/m] */
static const double near_bump = 0.015, near_droop = 0.020;       /* distances to the stops in a rough car [m] */
static const double strut_friction = 120, strut_sticking = 1e-3; /* [N], [m/s] */
static const mb_vec front_bar = {0, 0.60, 0.24}, rear_bar = {0, 0.58, 0.22}; /* [m] */
static const double front_bar_k = 12e3, rear_bar_k = 4e3;                    /* [N/m] */
static const mb_vec mount[2] = {{0.330, 0.48, 0.30}, {-0.220, 0.42, 0.33}};  /* subframe, from the axle [m] */

int car_design_open(car_design *d, mb_system *system, resida_message *why)
{
    *d = (car_design){.system = system};
    mb_forces *f = &system->forces;
    f->axial = bench_alloc(AXLES * CAR_SIDES * (LINKS + 1), sizeof *f->axial, why);
    f->bushing = bench_alloc(2 * CAR_SIDES, sizeof *f->bushing, why);
    f->stabiliser = bench_alloc(AXLES, sizeof *f->stabiliser, why);
    system->loop = bench_alloc(AXLES * CAR_SIDES, sizeof *system->loop, why);
    return !f->axial || !f->bushing || !f->stabiliser || !system->loop ||
           mb_tree_open(&system->tree, CAR_MAX_BODIES, why);
}

static mb_vec centre_of(const car_design *d, int body)
{
    return body < 0 ? (mb_vec){0, 0, 0} : d->centre[body];
}

int car_add_body(car_design *d, int parent, double mass, mb_vec inertia, mb_vec centre)
{
    const mb_joint joint = mb_joint_free(mb_sub(centre, centre_of(d, parent)));
    const int body = mb_tree_add(&d->system->tree, parent, mass, inertia, joint);
    d->centre[body] = centre;
    return body;
}

static double sign(int side)
{
    return side == CAR_LEFT ? 1 : -1;
}

static const double inboard = 0.06; /* distance of the carrier's centre of mass from the wheel [m] */

int car_add_carrier(car_design *d, int parent, double axle_x, double half_track, int side)
{
    const mb_vec inertia = {0.16, 0.18, 0.12}, centre = {axle_x, sign(side) * (half_track - inboard), CAR_WHEEL_CENTRE};
    return car_add_body(d, parent, 12, inertia, centre);
}

int car_add_wheel(car_design *d, int carrier, int side, double spin)
{
    const mb_vec inertia = {0.75, 1.30, 0.75}, from = {0, sign(side) * inboard, 0};
    const int wheel = mb_tree_add(&d->system->tree, carrier, 20, inertia, mb_joint_rotor(from, spin));
    d->centre[wheel] = mb_add(d->centre[carrier], from);
    return wheel;
}

int car_add_subframe(car_design *d, int parent, double axle_x)
{
    return car_add_body(d, parent, CAR_SUBFRAME, (mb_vec){2.2, 0.6, 2.6}, (mb_vec){axle_x + 0.02, 0, 0.30});
}

/* Return a hard point of the left side, given relative to the axle, as a place on a body. */
static mb_place_on hard_point(const car_design *d, int body, double axle_x, int side, mb_vec at)
{
    const mb_vec there = {axle_x + at.x, sign(side) * at.y, at.z};
    return (mb_place_on){body, mb_sub(there, d->centre[body])};
}

/* Add an axial element with the length of the design. */
static mb_axial *add_axial(car_design *d, double axle_x, int side, int inner, int outer, const hard_points *at)
{
    mb_forces *f = &d->system->forces;
    mb_axial *x = &f->axial[f->n_axial++];
    *x = (mb_axial){.a = hard_point(d, inner, axle_x, side, at->inner),
                    .b = hard_point(d, outer, axle_x, side, at->outer),
                    .L0 = mb_norm(mb_sub(at->outer, at->inner)),
                    .k = at->k};
    return x;
}

static void add_link(car_design *d, double axle_x, int side, int inner, int outer, const hard_points *at)
{
    mb_axial *x = add_axial(d, axle_x, side, inner, outer, at);
    x->c = link_damping * x->k;
    x->tension = mb_link_tension;
}

/* Add the same link as a rigid rod. */
static void add_rod(car_design *d, double axle_x, int side, int inner, int outer, const hard_points *at)
{
    d->system->loop[d->system->n_loop++] = (mb_loop){
        .kind = MB_LOOP_DISTANCE,
        .a = hard_point(d, inner, axle_x, side, at->inner),
        .b = hard_point(d, outer, axle_x, side, at->outer),
        .length = mb_norm(mb_sub(at->outer, at->inner)),
    };
}

/* Return the static spring load of one wheel times 1.05, because a strut is inclined. */
static double strut_preload(int front)
{
    const double axle = front ? CAR_TO_REAR : CAR_TO_FRONT, base = CAR_TO_FRONT + CAR_TO_REAR;
    const double shift =
        (CAR_SUBFRAME * (-CAR_TO_REAR + 0.02) + CAR_RACK * (CAR_TO_FRONT - 0.14)) / CAR_SPRUNG; /* centre of mass */
    return 1.05 * CAR_SPRUNG * CAR_GRAVITY * (axle + (front ? shift : -shift)) / (2 * base);
}

static void add_strut(car_design *d, double axle_x, int side, int chassis, int carrier, int front)
{
    mb_axial *x = add_axial(d, axle_x, side, chassis, carrier, front ? &front_strut : &rear_strut);
    x->c = front ? front_damper : rear_damper;
    x->preload = strut_preload(front);
    x->v0 = 0.3, x->r = 0.25, x->rebound = 0.30;
    x->bump = 0.060, x->droop = 0.080;
    x->tension = mb_strut_tension;
    if (!d->rough) return;
    x->bump = near_bump, x->droop = near_droop;
    x->friction = strut_friction, x->sticking = strut_sticking;
    x->tension = mb_sticking_strut_tension;
}

static void add_bar(car_design *d, double axle_x, int base, const int *carrier, mb_vec at, double k)
{
    mb_forces *f = &d->system->forces;
    f->stabiliser[f->n_stabiliser++] = (mb_stabiliser){
        .base = base,
        .left = hard_point(d, carrier[CAR_LEFT], axle_x, CAR_LEFT, at),
        .right = hard_point(d, carrier[CAR_RIGHT], axle_x, CAR_RIGHT, at),
        .k = k,
    };
}

/* Add the links of one side: all except the last to `inner`, the last one to `last`. */
static void add_links(car_design *d, double axle_x, int side, int inner, int last, int outer, const hard_points *link,
                      int rigid)
{
    for (int i = 0; i < LINKS - 1; i++) add_link(d, axle_x, side, inner, outer, &link[i]);
    if (rigid)
        add_rod(d, axle_x, side, last, outer, &link[LINKS - 1]);
    else
        add_link(d, axle_x, side, last, outer, &link[LINKS - 1]);
}

void car_front_axle(car_design *d, double axle_x, int chassis, int rack, const int *carrier, int rigid)
{
    for (int side = 0; side < CAR_SIDES; side++) {
        add_links(d, axle_x, side, chassis, rack, carrier[side], front_link, rigid);
        add_strut(d, axle_x, side, chassis, carrier[side], 1);
    }
    add_bar(d, axle_x, chassis, carrier, front_bar, front_bar_k);
}

void car_rear_axle(car_design *d, double axle_x, int chassis, int subframe, const int *carrier, int rigid)
{
    mb_forces *f = &d->system->forces;
    for (int side = 0; side < CAR_SIDES; side++) {
        add_links(d, axle_x, side, subframe, subframe, carrier[side], rear_link, rigid);
        add_strut(d, axle_x, side, chassis, carrier[side], 0);
        for (int i = 0; i < 2; i++)
            f->bushing[f->n_bushing++] = (mb_bushing){
                .a = hard_point(d, chassis, axle_x, side, mount[i]),
                .b = hard_point(d, subframe, axle_x, side, mount[i]),
                .relation = -1,
                .K = {2e6, 2e6, 1.2e6},
                .C = {800, 800, 600},
                .at_b = 1,
            };
    }
    add_bar(d, axle_x, subframe, carrier, rear_bar, rear_bar_k);
}
