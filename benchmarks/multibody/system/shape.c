/* shape.c - see shape.h. */
#include "shape.h"

#include "benchmarks/multibody/tree/box.h"

int mb_shape_parts(const mb_system *s, const char *const *names, const char *axial, resida_part *parts)
{
    int n = 0;
    for (int i = 0; i < s->tree.n_body; i++) {
        if (s->tree.body[i].mass <= 0) continue;
        if (parts) parts[n] = (resida_part){names[i], RESIDA_PART_BOX, MB_CORNERS};
        n++;
    }
    for (int i = 0; i < s->forces.n_axial; i++, n++)
        if (parts) parts[n] = (resida_part){axial, RESIDA_PART_LINE, 2};
    return n;
}

double *mb_shape_body(const mb_body *body, const mb_state *there, double t, double *xyz)
{
    mb_mat R = there->R;
    if (body->joint.rotor) {
        const double angle = there->angle + body->joint.spin * t, c = cos(angle), s = sin(angle);
        R.x = mb_along(mb_scale(c, there->R.x), -s, there->R.z);
        R.z = mb_along(mb_scale(s, there->R.x), c, there->R.z);
    }
    return mb_box_corners(mb_box(body->mass, body->inertia), there->r, &R, xyz);
}

static double *put(mb_vec at, double *xyz)
{
    xyz[0] = at.x, xyz[1] = at.y, xyz[2] = at.z;
    return xyz + 3;
}

static mb_vec place_of(const mb_state *state, const mb_place_on *on)
{
    return mb_add(state[on->body].r, mb_turn(&state[on->body].R, on->at));
}

double *mb_shape_points(const mb_system *s, double t, const double *p, const double *u, double *xyz)
{
    mb_state state[s->tree.n_body];
    mb_place(&s->tree, p, NULL, &(mb_motion){NULL, u, u, u}, state);
    for (int i = 0; i < s->tree.n_body; i++)
        if (s->tree.body[i].mass > 0) xyz = mb_shape_body(&s->tree.body[i], &state[i], t, xyz);
    for (int i = 0; i < s->forces.n_axial; i++) {
        xyz = put(place_of(state, &s->forces.axial[i].a), xyz);
        xyz = put(place_of(state, &s->forces.axial[i].b), xyz);
    }
    return xyz;
}
