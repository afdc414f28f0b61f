/* projection_frozen.c - a constant D of a reference point, section 3.3 of Ascher, Petzold: R D = 0 for a constant R,
 * and what is integrated is an ODE in the coordinates R p. They are good as long as (3.15) holds,
 *
 *     | (R; G)^-1 | <= K,
 *
 * which for orthonormal rows of R and G is 1/(the cosine of the largest angle between the rows of G then and now). */
#include "projection.h"

#include "src/linear/condition.h"
#include "src/linear/dense.h"

#include <math.h>
#include <string.h>

#define LARGEST_K 2.0 /* angles of 60 degrees */

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* Q [n_l x n_v]: the rows of (G, Gh) at hand made orthonormal (Gram-Schmidt, twice); zero for those that were
 * dropped. */
static void orthonormal_rows(const rsd_mechanism *k, double *Q)
{
    int n_v = k->m.n_v;
    rsd_full_G(k, Q);
    for (int i = 0; i < k->n_l; i++) {
        double *x = Q + (long)i * n_v, size = k->dropped[i] ? 0 : sqrt(dot(n_v, x, x));
        for (int pass = 0; pass < 2 && size > 0; pass++) {
            for (int r = 0; r < n_v; r++) x[r] /= size;
            for (int j = 0; j < i; j++) {
                const double *q = Q + (long)j * n_v;
                double part = dot(n_v, q, x);
                for (int r = 0; r < n_v; r++) x[r] -= part * q[r];
            }
            size = sqrt(dot(n_v, x, x));
        }
        for (int r = 0; r < n_v; r++) x[r] = size > 0 ? x[r] / size : 0;
    }
}

void rsd_projection_freeze(rsd_projection *D, const rsd_mechanism *k)
{
    memcpy(D->gp, k->gp_values, (size_t)k->gp.nnz * sizeof *D->gp);
    memcpy(D->T, k->T_values, (size_t)k->T.nnz * sizeof *D->T);
    memcpy(D->Gh, k->Gh_values, (size_t)k->Gh.nnz * sizeof *D->Gh);
    orthonormal_rows(k, D->Q_frozen);
}

typedef struct factors {
    const rsd_projection *D;
    int n;
} factors;

static void solve(void *context, double *x)
{
    const factors *f = context;
    rsd_lu_solve(f->n, f->D->S, f->D->S_pivots, x);
}

/* x [n_v] becomes Q_frozen' Q_frozen x. */
static void project(rsd_projection *D, rsd_mechanism *k, double *x)
{
    int n_v = k->m.n_v;
    memset(D->x, 0, (size_t)n_v * sizeof *D->x);
    for (int j = 0; j < k->n_l; j++) {
        const double *q = D->Q_frozen + (long)j * n_v;
        double part = dot(n_v, q, x);
        for (int r = 0; r < n_v; r++) D->x[r] += part * q[r];
    }
    memcpy(x, D->x, (size_t)n_v * sizeof *x);
}

/* |(C C')^-1|, C = Q Q_frozen': the square of 1/(least cosine). */
static double squared_K(rsd_projection *D, rsd_mechanism *k)
{
    int n = k->n_l, n_v = k->m.n_v;
    for (int i = 0; i < n; i++) project(D, k, D->Q + (long)i * n_v);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            D->S[(long)j * n + i] =
                k->dropped[i] || k->dropped[j] ? i == j : dot(n_v, D->Q + (long)i * n_v, D->Q + (long)j * n_v);
    if (rsd_lu_factor(n, D->S, D->S_pivots)) return INFINITY;
    return rsd_inverse_norm(n, solve, &(factors){D, n}, D->mu);
}

int rsd_projection_is_worn(rsd_projection *D, rsd_mechanism *k, double t, const double *p)
{
    int verdict = rsd_eval_excitation(k, t);
    if (!verdict) verdict = rsd_eval_matrices(k, t, p);
    if (verdict) return verdict < 0 ? verdict : 2;
    orthonormal_rows(k, D->Q);
    return squared_K(D, k) > LARGEST_K * LARGEST_K;
}

void rsd_projection_follow(rsd_projection *D, const rsd_projection *from, const rsd_mechanism *k)
{
    if (from->kind != RSD_PROJECTION_FROZEN) return;
    memcpy(D->gp, from->gp, (size_t)k->gp.nnz * sizeof *D->gp);
    memcpy(D->T, from->T, (size_t)k->T.nnz * sizeof *D->T);
    memcpy(D->Gh, from->Gh, (size_t)k->Gh.nnz * sizeof *D->Gh);
}
