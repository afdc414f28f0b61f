/* newton_euler.c - see newton_euler.h. */
#include "newton_euler.h"

#include <stddef.h>

mb_wrench mb_inertia_wrench(const mb_body *b, const mb_root *root, const mb_state *s, mb_vec lin, mb_vec ang,
                            const mb_wrench *applied)
{
    mb_vec root_lin, root_ang;
    mb_inertial(root, s, &root_lin, &root_ang);
    const mb_vec w = mb_turning(root, s), spin = mb_tensor(&s->R, b->inertia, w);
    const mb_vec turn = mb_tensor(&s->R, b->inertia, mb_add(ang, root_ang));
    return (mb_wrench){mb_sub(mb_scale(b->mass, mb_add(lin, root_lin)), applied->f),
                       mb_sub(mb_add(turn, mb_cross(w, spin)), applied->m)};
}

/* Compute the acceleration of a body from that of its parent. NULL: the root, whose relative acceleration is zero. */
static void accelerate(const mb_body *b, const mb_state *s, const double *a, const mb_wrench *parent, mb_wrench *own)
{
    own->f = s->lin_bias, own->m = s->ang_bias;
    if (parent) {
        own->f = mb_add(own->f, mb_add(parent->f, mb_cross(parent->m, s->arm)));
        own->m = mb_add(own->m, parent->m);
    }
    for (int i = 0; i < s->n && a; i++) {
        own->f = mb_along(own->f, a[b->first + i], s->lin[i]);
        own->m = mb_along(own->m, a[b->first + i], s->ang[i]);
    }
}

void mb_accelerations(const mb_tree *tree, const mb_state *state, const double *a, mb_wrench *acceleration)
{
    for (int k = 0; k < tree->n_body; k++) {
        const mb_body *b = &tree->body[k];
        accelerate(b, &state[k], a, b->parent < 0 ? NULL : &acceleration[b->parent], &acceleration[k]);
    }
}

void mb_inverse_dynamics(const mb_tree *tree, const mb_motion *motion, const mb_state *state, const double *a,
                         const mb_wrench *wrench, double *r)
{
    mb_wrench force[tree->n_body], motions[tree->n_body];
    mb_accelerations(tree, state, a, motions);
    for (int k = 0; k < tree->n_body; k++) {
        const mb_body *b = &tree->body[k];
        force[k] = mb_inertia_wrench(b, &motion->root[b->root], &state[k], motions[k].f, motions[k].m, &wrench[k]);
    }
    for (int k = tree->n_body - 1; k >= 0; k--) {
        const mb_body *b = &tree->body[k];
        const mb_state *s = &state[k];
        for (int i = 0; i < s->n; i++) r[b->first + i] = mb_dot(s->lin[i], force[k].f) + mb_dot(s->ang[i], force[k].m);
        if (b->parent < 0) continue;
        mb_wrench *to = &force[b->parent];
        to->f = mb_add(to->f, force[k].f);
        to->m = mb_add(to->m, mb_add(force[k].m, mb_cross(s->arm, force[k].f)));
    }
}
