/* train_constraint.c - the constraints of all wheels as callbacks of a resida_mechanism:
 *
 *     g_w(p, u) = 0,   G: (dg/dx, dg/dy, -1, dg/dphi, 0, dg/dpsi) of its wheelset,   gI = dg/dkappa kappa' + dg/dtwist twist'
 */
#include <stddef.h>

#include "train_model.h"

void train_row(const train_touch *touch, double *row)
{
    const double all[MB_SIX] = {touch->x, touch->y, -1, touch->phi, 0, touch->psi};
    for (int i = 0; i < MB_SIX; i++) row[i] = all[i];
}

int train_first(const train *c, int wheel)
{
    return c->system.tree.body[train_wheelset(wheel / 2)].first;
}

double train_rate(const train_touch *touch, int wheel, const double *ud)
{
    const double *frame = ud + (ptrdiff_t)TRAIN_U * train_wheelset(wheel / 2);
    return touch->kappa * frame[TRAIN_KAPPA] + touch->twist * frame[TRAIN_TWIST];
}

/* The contacts of all wheels at p. */
static int touches_at(const train *c, const double *p, const resida_excitation *e, train_touch *touch)
{
    mb_state state[c->system.tree.n_body];
    const mb_motion motion = {NULL, e->u, e->ud, e->udd};
    mb_place(&c->system.tree, p, NULL, &motion, state);
    return train_touches(c, e->u, state, touch);
}

int train_constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    (void)t;
    const train *c = user;
    const int wheels = TRAIN_WHEELS * c->carriages;
    train_touch touch[wheels];
    if (touches_at(c, p, e, touch)) return 1;
    for (int w = 0; w < wheels; w++) g[w] = touch[w].g;
    return 0;
}

int train_constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    (void)t;
    const train *c = user;
    const int wheels = TRAIN_WHEELS * c->carriages;
    train_touch touch[wheels];
    if (touches_at(c, p, e, touch)) return 1;
    for (int w = 0; w < wheels; w++) train_row(&touch[w], G + (ptrdiff_t)MB_SIX * w);
    return 0;
}

int train_velocity_bias(double t, const double *p, const resida_excitation *e, double *gI, void *user)
{
    (void)t;
    const train *c = user;
    const int wheels = TRAIN_WHEELS * c->carriages;
    train_touch touch[wheels];
    if (touches_at(c, p, e, touch)) return 1;
    for (int w = 0; w < wheels; w++) gI[w] = train_rate(&touch[w], w, e->ud);
    return 0;
}
