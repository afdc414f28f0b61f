/* shape.c - see shape.h. */
#include "shape.h"

#include "benchmarks/multibody/tree/box.h"

enum { OF_CYLINDER = 3 };

static resida_part part_of(const mb_body *body, const char *name)
{
    return body->joint.rotor ? (resida_part){name, RESIDA_PART_CYLINDER, OF_CYLINDER}
                             : (resida_part){name, RESIDA_PART_BOX, MB_CORNERS};
}

int mb_shape_parts(const mb_system *s, const char *const *names, const mb_look *look, resida_part *parts)
{
    int n = 0;
    for (int i = 0; i < s->tree.n_body; i++) {
        if (s->tree.body[i].mass <= 0) continue;
        if (parts) parts[n] = part_of(&s->tree.body[i], names[i]);
        n++;
    }
    for (int i = 0; i < s->forces.n_axial; i++, n++) {
        const int is_link = s->forces.axial[i].tension == mb_link_tension;
        if (parts)
            parts[n] =
                (resida_part){is_link ? look->link : look->strut, is_link ? RESIDA_PART_LINE : RESIDA_PART_SPRING, 2};
    }
    for (int i = 0; i < s->n_loop; i++, n++)
        if (parts) parts[n] = (resida_part){look->link, RESIDA_PART_LINE, 2};
    return n;
}

/* Return the axes of a body; for a rotor, including its rotation. */
static mb_mat axes_of(const mb_body *body, const mb_state *there, double t)
{
    mb_mat R = there->R;
    if (body->joint.rotor) mb_pitch(&R, there->angle + body->joint.spin * t);
    return R;
}

double *mb_shape_body(const mb_body *body, const mb_state *there, double t, double *xyz)
{
    const mb_mat R = axes_of(body, there, t);
    return mb_box_corners(mb_box(body->mass, body->inertia), there->r, &R, xyz);
}

double *mb_shape_rotor(const mb_body *body, const mb_state *there, double t, double aside, const mb_look *look,
                       double *xyz)
{
    const mb_mat R = axes_of(body, there, t);
    const mb_vec from = mb_along(there->r, aside - look->width / 2, R.y);
    xyz = mb_put(from, xyz);
    xyz = mb_put(mb_along(from, look->width, R.y), xyz);
    return mb_put(mb_along(from, look->radius, R.x), xyz);
}

static double *put_place(const mb_state *state, const mb_place_on *on, double *xyz)
{
    return mb_put(mb_add(state[on->body].r, mb_turn(&state[on->body].R, on->at)), xyz);
}

double *mb_shape_points(const mb_system *s, const mb_look *look, double t, const double *p, const double *u,
                        double *xyz)
{
    mb_state state[s->tree.n_body];
    mb_place(&s->tree, p, NULL, &(mb_motion){NULL, u, u, u}, state);
    for (int i = 0; i < s->tree.n_body; i++) {
        const mb_body *body = &s->tree.body[i];
        if (body->mass > 0)
            xyz = body->joint.rotor ? mb_shape_rotor(body, &state[i], t, 0, look, xyz)
                                    : mb_shape_body(body, &state[i], t, xyz);
    }
    for (int i = 0; i < s->forces.n_axial; i++)
        xyz = put_place(state, &s->forces.axial[i].b, put_place(state, &s->forces.axial[i].a, xyz));
    for (int i = 0; i < s->n_loop; i++) xyz = put_place(state, &s->loop[i].b, put_place(state, &s->loop[i].a, xyz));
    return xyz;
}
