/* projection_step.c - the projection after a step, (4.16)-(4.20) of Ascher, Petzold: p with k = 0, p + T D mu with g =
 * 0, then v + D mu with G v + gI = 0. With D = W^-1 G' it is the nearest point in the norm of W: W = I for D = G', W =
 * M for B.
 *
 * Newton's method with the G D of where it begins, which is off by the drift of one step alone. */
#include "projection.h"

#include "src/linear/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_PASSES = 4 }; /* of Newton from the drift of one step */
#define PROJECTED 1e-12   /* of the size of p, v */

/* Factors of G D2, with the matrices at hand; rows that were dropped are those of the identity. > 0: singular. */
static int factor(rsd_projection *D, rsd_mechanism *k)
{
    int n = k->n_l;
    memset(D->mu, 0, (size_t)n * sizeof *D->mu);
    for (int j = 0; j < n; j++) {
        double *column = D->S + (long)j * n;
        memset(D->x_step, 0, (size_t)k->m.n_v * sizeof *D->x_step);
        D->mu[j] = 1;
        rsd_project_velocity(D, k, D->mu, D->x_step);
        D->mu[j] = 0;
        rsd_apply_G(k, D->x_step, column);
        for (int i = 0; i < n; i++)
            if (k->dropped[i]) column[i] = i == j;
    }
    return rsd_lu_factor(n, D->S, D->S_pivots);
}

/* x_step = -D2 (G D2)^-1 mu; its largest entry. */
static double correction(rsd_projection *D, rsd_mechanism *k)
{
    for (int i = 0; i < k->n_l; i++) D->mu[i] = k->dropped[i] ? 0 : -D->mu[i];
    rsd_lu_solve(k->n_l, D->S, D->S_pivots, D->mu);
    memset(D->x_step, 0, (size_t)k->m.n_v * sizeof *D->x_step);
    rsd_project_velocity(D, k, D->mu, D->x_step);
    return rsd_finite_norm(D->x_step, k->m.n_v);
}

static int project_position(rsd_projection *D, rsd_mechanism *k, double t, double *p)
{
    for (int it = 0; it < MOST_PASSES; it++) {
        memset(D->mu, 0, (size_t)k->n_l * sizeof *D->mu);
        int verdict = rsd_eval_constraint(k, t, p, D->mu);
        if (verdict) return verdict;
        double change = correction(D, k);
        if (!isfinite(change)) return 1;
        rsd_apply_T(k, D->x_step, k->work.vp);
        for (int i = 0; i < k->m.n_p; i++) p[i] += k->work.vp[i];
        if ((verdict = rsd_hold_invariants(k, t, p))) return verdict;
        if (change <= PROJECTED * fmax(1, rsd_max_norm(p, k->m.n_p))) return 0;
    }
    return 0;
}

static int project_velocity(rsd_projection *D, rsd_mechanism *k, double t, const double *p, double *v)
{
    for (int it = 0; it < MOST_PASSES; it++) {
        int verdict = rsd_eval_velocity_level(k, t, p, v, D->mu);
        if (verdict) return verdict;
        double change = correction(D, k);
        if (!isfinite(change)) return 1;
        for (int i = 0; i < k->m.n_v; i++) v[i] += D->x_step[i];
        if (change <= PROJECTED * fmax(1, rsd_max_norm(v, k->n_w))) return 0;
    }
    return 0;
}

int rsd_project_step(rsd_projection *D, rsd_mechanism *k, double t, double *p, double *v)
{
    int verdict = rsd_eval_excitation(k, t);
    if (!verdict) verdict = rsd_eval_matrices(k, t, p);
    if (!verdict) verdict = rsd_projection_eval(D, k, t, p);
    if (!verdict) verdict = factor(D, k);
    if (!verdict) verdict = rsd_hold_invariants(k, t, p);
    if (!verdict && k->m.n_g > 0) verdict = project_position(D, k, t, p);
    if (!verdict) verdict = rsd_eval_matrices(k, t, p);
    return verdict ? verdict : project_velocity(D, k, t, p, v);
}
