/* train_constraint.c - the constraints of all wheels as callbacks of a resida_mechanism:
 *
 *     g_w(p, u) = 0,   G: (dg/dx, dg/dy, -1, dg/dphi, 0, dg/dpsi) of its wheelset,   gI = dg/dkappa kappa' + dg/dtwist twist'
 */
#include <stddef.h>

#include "train_model.h"

int train_bearer(int wheel)
{
    return train_wheelset(wheel / 2);
}

int train_side(int wheel)
{
    return wheel % 2 == 0 ? 1 : -1;
}

train_rail_shape train_shape(const double *u, int wheel)
{
    const double *frame = u + (ptrdiff_t)TRAIN_U * train_bearer(wheel);
    return (train_rail_shape){frame[TRAIN_KAPPA], frame[TRAIN_TWIST]};
}

void train_row(const train_touch *touch, double *row)
{
    const double all[MB_SIX] = {touch->x, touch->y, -1, touch->phi, 0, touch->psi};
    for (int i = 0; i < MB_SIX; i++) row[i] = all[i];
}

int train_first(const train *c, int wheel)
{
    return c->system.tree.body[train_bearer(wheel)].first;
}

static void place(const train *c, const double *p, const resida_excitation *e, mb_state *state)
{
    const mb_motion motion = {NULL, e->u, e->ud, e->udd};
    mb_place(&c->system.tree, p, NULL, &motion, state);
}

int train_constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    (void)t;
    const train *c = user;
    mb_state state[c->system.tree.n_body];
    place(c, p, e, state);
    for (int w = 0; w < TRAIN_WHEELS * c->carriages; w++)
        if (train_penetration(&c->profiles, train_side(w), &state[train_bearer(w)], train_shape(e->u, w), &g[w]))
            return 1;
    return 0;
}

int train_constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    (void)t;
    const train *c = user;
    mb_state state[c->system.tree.n_body];
    train_touch touch;
    place(c, p, e, state);
    for (int w = 0; w < TRAIN_WHEELS * c->carriages; w++) {
        if (train_contact(&c->profiles, train_side(w), &state[train_bearer(w)], train_shape(e->u, w), &touch)) return 1;
        train_row(&touch, G + (ptrdiff_t)MB_SIX * w);
    }
    return 0;
}

int train_velocity_bias(double t, const double *p, const resida_excitation *e, double *gI, void *user)
{
    (void)t;
    const train *c = user;
    mb_state state[c->system.tree.n_body];
    train_touch touch;
    place(c, p, e, state);
    for (int w = 0; w < TRAIN_WHEELS * c->carriages; w++) {
        const train_rail_shape change = train_shape(e->ud, w);
        gI[w] = 0;
        if (!(fabs(change.kappa) > 0 || fabs(change.twist) > 0)) continue; /* the shape stays: no contact is needed */
        if (train_contact(&c->profiles, train_side(w), &state[train_bearer(w)], train_shape(e->u, w), &touch)) return 1;
        gI[w] = touch.kappa * change.kappa + touch.twist * change.twist;
    }
    return 0;
}
