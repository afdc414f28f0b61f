/* train_ggl.c - the train in the form of Gear, Gupta and Leimkuhler, eq. (9) of Arnold, Fuchs, Fuehrer: Efficient corrector
 * iteration for DAE time integration in multibody dynamics, with forces that depend on lam, and its equilibrium:
 *
 *     p' - v + G'eta = 0,   Phi(p, v, v', lam, u) + G'lam = 0,   G v + gI = 0,   g = 0
 *
 * Each wheel's contact is looked for once in a call. */
#include <stdlib.h>
#include <string.h>

#include "newton.h"
#include "train_model.h"

/* Rows of one wheel: g, G v + gI, and what lam and eta do. */
static void add_wheel(const train *c, int w, const train_touch *touch, const double *y, const double *ud, double *r)
{
    const int n_p = c->system.tree.n_q, n_g = TRAIN_WHEELS * c->carriages, first = train_first(c, w);
    const double *v = y + n_p + first, lam = y[2 * n_p + w], eta = y[2 * n_p + n_g + w];
    double row[MB_SIX], rate = train_rate(touch, w, ud);
    train_row(touch, row);
    for (int i = 0; i < MB_SIX; i++) {
        r[first + i] += row[i] * eta;
        r[n_p + first + i] += row[i] * lam;
        rate += row[i] * v[i];
    }
    r[2 * n_p + w] = rate;
    r[2 * n_p + n_g + w] = touch->g;
}

int train_ggl(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    (void)t;
    const train *c = user;
    const int n_p = c->system.tree.n_q, n_g = TRAIN_WHEELS * c->carriages;
    train_touch touch[n_g];
    train_call call = {y + 2 * n_p, touch};
    if (mb_system_inverse(&c->system, y, y + n_p, yp + n_p, e, &call, r + n_p)) return 1;
    for (int i = 0; i < n_p; i++) r[i] = yp[i] - y[n_p + i];
    for (int w = 0; w < n_g; w++) add_wheel(c, w, &touch[w], y, e->ud, r);
    return 0;
}

enum { N = TRAIN_COORDINATES, N_G = TRAIN_WHEELS, N_BOTH = N + N_G };

static const double load_unit = 1e5; /* of lam among the unknowns [N] */

static void spread(const train *c, const double *x, double *p, double *v, double *lam)
{
    memcpy(p, x, N * sizeof *p);
    memset(v, 0, N * sizeof *v);
    for (int w = 0; w < TRAIN_WHEELSETS; w++) {
        const int theta = mb_coordinate(&c->system.tree, train_wheelset(w), MB_THETA);
        v[theta] = x[theta];
        p[theta] = 0;
    }
    for (int i = 0; i < N_G; i++) lam[i] = load_unit * x[N + i];
}

/* Dynamics and constraints at rest; x = (p with the rates of spin in the place of its angles, lam). */
static int rest(const double *x, double *r, const void *user)
{
    const train *c = user;
    double u[TRAIN_BODIES * TRAIN_U], ud[TRAIN_BODIES * TRAIN_U], udd[TRAIN_BODIES * TRAIN_U];
    double y[2 * N_BOTH] = {0}, yp[2 * N_BOTH] = {0}, all[2 * N_BOTH];
    for (int b = 0; b < TRAIN_BODIES; b++) {
        const int at = TRAIN_U * b;
        train_track_frame(&c->track, train_place(b), train_ahead(b), u + at, ud + at, udd + at);
    }
    spread(c, x, y, y + N, y + 2 * N);
    if (train_ggl(0, y, yp, &(resida_excitation){u, ud, udd}, all, (void *)(size_t)c)) return 1;
    memcpy(r, all + N, N * sizeof *r);
    memcpy(r + N, all + 2 * N + N_G, N_G * sizeof *r);
    return 0;
}

int train_settle(train *c, double *p, double *v, double *lam, resida_message *why)
{
    double x[N_BOTH] = {0};
    for (int i = 0; i < N_G; i++) x[N + i] = 0.545;
    if (mb_newton(N_BOTH, rest, c, 0.1, x, why)) return 1;
    spread(c, x, p, v, lam);
    return 0;
}
