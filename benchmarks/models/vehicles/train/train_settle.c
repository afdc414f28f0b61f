/* train_settle.c - the equilibrium of one carriage on straight track:
 *
 *     Phi(p, v, 0, lam) + G'lam = 0,   g = 0        for p (of the wheelsets the rate of spin in the place of its
 *                                                   angle), lam
 */
#include <stdlib.h>
#include <string.h>

#include "benchmarks/multibody/system/newton.h"
#include "train_model.h"

enum { N = TRAIN_COORDINATES, N_G = TRAIN_WHEELS, N_BOTH = N + N_G };
enum { N_U = TRAIN_BODIES * TRAIN_U + TRAIN_WHEELSETS * TRAIN_IRREGULAR }; /* on a rough line */

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

static int rest(const double *x, double *r, void *user)
{
    const train *c = user;
    double u[N_U], ud[N_U], udd[N_U];
    double p[N], v[N], a[N] = {0}, lam[N_G], G[N_G * MB_SIX];
    const resida_excitation e = {u, ud, udd};
    spread(c, x, p, v, lam);
    if (train_excitation(0, u, ud, udd, user) || train_residual(0, p, v, a, lam, &e, r, user) ||
        train_constraint(0, p, &e, r + N, user) || train_constraint_matrix(0, p, &e, G, user))
        return 1;
    for (int w = 0; w < N_G; w++)
        for (int i = 0; i < MB_SIX; i++) r[train_first(c, w) + i] += lam[w] * G[MB_SIX * w + i];
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
