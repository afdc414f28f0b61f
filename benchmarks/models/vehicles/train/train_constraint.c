/* train_constraint.c - the constraints of all wheels as callbacks of a resida_mechanism:
 *
 *     g_w(p, u) = 0,   G: (dg/dx, dg/dy, -1, dg/dphi, 0, dg/dpsi) of its wheelset,
 *     gI = dg/dkappa kappa' + dg/dtwist twist'
 *
 * On an irregular track the contact of a wheelset is that at (y - y_rail, z - z_rail) on an even track. */
#include <stddef.h>

#include "train_model.h"

train_rail_shape train_shape(const double *u, int wheelset)
{
    const double *frame = u + (ptrdiff_t)TRAIN_U * train_wheelset(wheelset);
    return (train_rail_shape){frame[TRAIN_KAPPA], frame[TRAIN_TWIST]};
}

int train_excitations(const train *c)
{
    return (TRAIN_U * TRAIN_BODIES + (c->rough ? TRAIN_IRREGULAR * TRAIN_WHEELSETS : 0)) * c->carriages;
}

const double *train_irregular(const train *c, const double *u, int w)
{
    return u + (ptrdiff_t)TRAIN_U * TRAIN_BODIES * c->carriages + (ptrdiff_t)TRAIN_IRREGULAR * w;
}

void train_row(const train_touch *touch, double *row)
{
    const double all[MB_SIX] = {touch->x, touch->y, -1, touch->phi, 0, touch->psi};
    for (int i = 0; i < MB_SIX; i++) row[i] = all[i];
}

int train_first(const train *c, int wheel)
{
    return c->system.tree.body[train_wheelset(wheel / 2)].first;
}

/* Compute the contacts of a wheelset at z = 0. */
static int find_contacts(const train *c, int w, const double *p, const train_pose *pose, train_pair *pair)
{
    const mb_state root = mb_root_state();
    mb_state state;
    mb_place_body(&c->system.tree, train_wheelset(w), &root, p, NULL, &(mb_motion){NULL, NULL, NULL, NULL}, &state);
    state.r.x = pose->x;
    if (c->rough) state.r.y = pose->y;
    return train_contact(&c->profiles, 1, &state, pose->shape, &pair->wheel[0]) ||
           train_contact(&c->profiles, -1, &state, pose->shape, &pair->wheel[1]);
}

/* Shift the contacts by train_shift() on displaced rails. */
static int shift_with_rail(train_pair *pair, double x, double z, const double *rail)
{
    int lost = 0;
    for (int i = 0; i < 2; i++) {
        const double high = rail[TRAIN_HIGH + i];
        lost |= train_shift(&pair->wheel[i], x, z - high);
        pair->wheel[i].P.y += rail[TRAIN_ASIDE], pair->wheel[i].P.z += high;
    }
    return lost;
}

int train_contacts(const train *c, train_book *book, int w, const double *p, const double *u, train_pair *pair)
{
    const double *q = p + train_first(c, 2 * w);
    const train_rail_shape shape = train_shape(u, w);
    const int straight = !(fabs(shape.kappa) > 0 || fabs(shape.twist) > 0);
    const double *rail = c->rough ? train_irregular(c, u, w) : NULL;
    const train_pose pose = {straight ? 0 : q[MB_X], rail ? q[MB_Y] - rail[TRAIN_ASIDE] : q[MB_Y], q[MB_PHI], q[MB_PSI],
                             shape};
    const train_pair *known = train_book_find(book, w, &pose);
    if (known) {
        *pair = *known;
    } else {
        if (find_contacts(c, w, p, &pose, pair)) return 1;
        train_book_keep(book, w, &pose, pair);
    }
    const double x = q[MB_X] - pose.x;
    if (rail) return shift_with_rail(pair, x, q[MB_Z], rail);
    return train_shift(&pair->wheel[0], x, q[MB_Z]) || train_shift(&pair->wheel[1], x, q[MB_Z]);
}

/** Computes the values of a callback from the contacts of wheelset w. */
typedef void taker(const train *c, int w, const train_pair *pair, const resida_excitation *e, double *out);

static int take_all(const train *c, const double *p, const resida_excitation *e, taker *take, double *out)
{
    train_book *book = train_book_take(c->recall);
    train_pair pair;
    int failed = 0;
    for (int w = 0; w < TRAIN_WHEELSETS * c->carriages && !failed; w++) {
        failed = train_contacts(c, book, w, p, e->u, &pair);
        if (!failed) take(c, w, &pair, e, out);
    }
    train_book_put(book);
    return failed;
}

static void take_g(const train *c, int w, const train_pair *pair, const resida_excitation *e, double *g)
{
    for (int i = 0; i < 2; i++) g[2 * w + i] = pair->wheel[i].g;
}

static void take_rows(const train *c, int w, const train_pair *pair, const resida_excitation *e, double *G)
{
    for (int i = 0; i < 2; i++) train_row(&pair->wheel[i], G + (ptrdiff_t)MB_SIX * (2 * w + i));
}

static void take_bias(const train *c, int w, const train_pair *pair, const resida_excitation *e, double *gI)
{
    const train_rail_shape change = train_shape(e->ud, w);
    for (int i = 0; i < 2; i++)
        gI[2 * w + i] = pair->wheel[i].kappa * change.kappa + pair->wheel[i].twist * change.twist;
    if (!c->rough) return;
    const double *rail = train_irregular(c, e->ud, w);
    for (int i = 0; i < 2; i++) gI[2 * w + i] += rail[TRAIN_HIGH + i] - pair->wheel[i].y * rail[TRAIN_ASIDE];
}

int train_constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    return take_all(user, p, e, take_g, g);
}

int train_constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    return take_all(user, p, e, take_rows, G);
}

int train_velocity_bias(double t, const double *p, const resida_excitation *e, double *gI, void *user)
{
    return take_all(user, p, e, take_bias, gI);
}
