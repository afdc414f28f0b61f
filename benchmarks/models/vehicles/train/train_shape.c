/* train_shape.c - drawing of the train in the frame of the first carriage: a box for each car and bogie; for each
 * wheelset the axle, the wheels and an arrow for each wheel load; and the rails. Poses are transformed from frame to
 * frame, as for forces. */
#include "benchmarks/multibody/system/shape.h"
#include "benchmarks/multibody/tree/box.h"
#include "benchmarks/util/model_kind.h"
#include "train_model.h"

enum { RAIL_POINTS = 25, RAILS = 2, SIDES = 2, OF_WHEELSET = 1 + 2 * SIDES };
static const mb_look look = {NULL, NULL, TRAIN_RADIUS, 0.12};
static const double rail_side = 0.75, rail_ahead = 20, rail_step = 2.5; /* [m] */

/** Pose of a frame relative to that of the first carriage. */
typedef struct frame {
    mb_vec r;
    mb_mat R;
} frame;

static frame in(const frame *parent, const mb_relation *x)
{
    const mb_mat R = {mb_turn(&parent->R, x->R.x), mb_turn(&parent->R, x->R.y), mb_turn(&parent->R, x->R.z)};
    return (frame){mb_add(parent->r, mb_turn(&parent->R, x->d)), R};
}

static const frame here = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static frame of_body(const frame *frames, const double *u, const double *ud, int b)
{
    const int parent = train_parent(b);
    if (parent < 0) return here;
    const double *uP = u + TRAIN_U * parent, *udP = ud + TRAIN_U * parent;
    const mb_relation x = train_track_relation(u + TRAIN_U * b, ud + TRAIN_U * b, uP, udP);
    return in(&frames[parent], &x);
}

/* Write axle, wheels, and for each wheel its contact point with a point 1 m above it. */
static double *put_wheelset(const mb_body *body, const mb_state *there, double t, double *xyz)
{
    const mb_vec left = mb_along(there->r, rail_side, there->R.y), right = mb_along(there->r, -rail_side, there->R.y);
    const mb_vec foot[SIDES] = {mb_along(left, -TRAIN_RADIUS, there->R.z), mb_along(right, -TRAIN_RADIUS, there->R.z)};
    xyz = mb_put(right, mb_put(left, xyz));
    for (int i = 0; i < SIDES; i++) xyz = mb_shape_rotor(body, there, t, i == 0 ? rail_side : -rail_side, &look, xyz);
    for (int i = 0; i < SIDES; i++) xyz = mb_put(mb_along(foot[i], 1, there->R.z), mb_put(foot[i], xyz));
    return xyz;
}

static double *put_bodies(const train *c, double t, const double *p, const double *u, const double *ud, double *xyz)
{
    const int n = c->system.tree.n_body;
    mb_state state[n];
    frame frames[n];
    mb_place(&c->system.tree, p, NULL, &(mb_motion){NULL, u, u, u}, state);
    for (int b = 0; b < n; b++) {
        frames[b] = of_body(frames, u, ud, b);
        mb_relation x = {.d = state[b].r, .R = state[b].R};
        const frame at = in(&frames[b], &x);
        state[b].r = at.r, state[b].R = at.R;
        const mb_body *body = &c->system.tree.body[b];
        xyz = body->joint.rotor ? put_wheelset(body, &state[b], t, xyz) : mb_shape_body(body, &state[b], t, xyz);
    }
    return xyz;
}

/* Write the track from rail_ahead before the first carriage to a point after the last carriage. */
static double *put_rails(const train *c, double t, const double *u, const double *ud, double *xyz)
{
    const double from = rail_ahead - rail_step * (RAIL_POINTS - 1) - TRAIN_PITCH * (c->carriages - 1);
    for (int k = 0; k < RAILS * RAIL_POINTS; k++) {
        const double ahead = from + (rail_ahead - from) * (k % RAIL_POINTS) / (RAIL_POINTS - 1);
        double v[TRAIN_U], vd[TRAIN_U], vdd[TRAIN_U];
        train_track_frame(&c->track, c->track.v * t + ahead, ahead, v, vd, vdd);
        const mb_relation x = train_track_relation(v, vd, u, ud);
        const frame at = in(&here, &x);
        const mb_vec rail = mb_along(at.r, k < RAIL_POINTS ? rail_side : -rail_side, at.R.y);
        xyz = mb_put(rail, xyz);
    }
    return xyz;
}

int train_points(const train *c, double t, const double *p, double *xyz)
{
    const int n = train_excitations(c);
    double u[n], ud[n], udd[n];
    if (train_excitation(t, u, ud, udd, (void *)c)) return 1;
    put_rails(c, t, u, ud, put_bodies(c, t, p, u, ud, xyz));
    return 0;
}

resida_part *train_parts(train *c, const char *const *loads, int *n)
{
    static const char *const names[TRAIN_BODIES] = {"car", "bogie", "", "", "bogie"};
    const int bodies = c->system.tree.n_body, wheelsets = TRAIN_WHEELSETS * c->carriages;
    *n = bodies + (OF_WHEELSET - 1) * wheelsets + RAILS;
    resida_part *parts = bench_own(c, *n, sizeof *parts), *q = parts;
    for (int b = 0, wheel = 0; b < bodies && parts; b++) {
        if (!c->system.tree.body[b].joint.rotor) {
            *q++ = (resida_part){names[b % TRAIN_BODIES], RESIDA_PART_BOX, MB_CORNERS};
            continue;
        }
        *q++ = (resida_part){"wheelset", RESIDA_PART_LINE, 2};
        for (int i = 0; i < SIDES; i++) *q++ = (resida_part){"wheelset", RESIDA_PART_CYLINDER, 3};
        for (int i = 0; i < SIDES; i++) *q++ = (resida_part){loads[wheel++], RESIDA_PART_ARROW, 2};
    }
    for (int k = 0; k < RAILS && parts; k++) *q++ = (resida_part){NULL, RESIDA_PART_LINE, RAIL_POINTS};
    return parts;
}
