/* projection_frozen.c - a constant D of a reference point, section 3.3 of Ascher, Petzold: R D = 0 for a constant R,
 * and what is integrated is an ODE in the coordinates R p. They are good as long as (3.15) holds,
 *
 *     | (R; G)^-1 | <= K,
 *
 * which for orthonormal rows of R and G is 1/(the cosine of the largest angle between the rows of G then and now). It
 * is asked for twice where p' = T v or p has invariants: of G = (dg/dp) T for v, and of dg/dp for p, without what it
 * has along the rows of K, which hold that. */
#include "projection.h"

#include "src/linear/condition.h"
#include "src/linear/dense.h"

#include <math.h>
#include <string.h>

#define LARGEST_K 2.0 /* angles of 60 degrees */

/* n rows Q [n x m] made orthonormal (Gram-Schmidt, twice), the first `kept` of them as they are; zero for those that
 * were dropped. */
static void make_orthonormal(int n, int kept, int m, const unsigned char *dropped, double *Q)
{
    for (int i = 0; i < n; i++) {
        double *x = Q + (long)i * m, size = i >= kept && dropped[i - kept] ? 0 : sqrt(rsd_dot(x, x, m));
        for (int pass = 0; pass < 2 && size > 0; pass++) {
            for (int r = 0; r < m; r++) x[r] /= size;
            for (int j = 0; j < i; j++) {
                const double *q = Q + (long)j * m;
                double part = rsd_dot(q, x, m);
                for (int r = 0; r < m; r++) x[r] -= part * q[r];
            }
            size = sqrt(rsd_dot(x, x, m));
        }
        for (int r = 0; r < m; r++) x[r] = size > 0 ? x[r] / size : 0;
    }
}

/* Q [n_l x n_v]: the rows of (G, Gh) at hand. */
static void rows_of_G(const rsd_mechanism *k, double *Q)
{
    rsd_full_G(k, Q);
    make_orthonormal(k->n_l, 0, k->m.n_v, k->dropped, Q);
}

/* P [n_k + n_g x n_p]: those of K at hand, and of a dg/dp. */
static void rows_of_g(const rsd_mechanism *k, const double *gp, double *P)
{
    const int n_k = k->m.n_k;
    if (n_k > 0) rsd_csr_to_full(&k->invariants.K, k->invariants.values, P);
    rsd_csr_to_full(&k->gp, gp, P + (long)n_k * k->m.n_p);
    make_orthonormal(n_k + k->m.n_g, n_k, k->m.n_p, k->dropped, P);
}

void rsd_projection_freeze(rsd_projection *D, const rsd_mechanism *k)
{
    memcpy(D->gp, k->gp_values, (size_t)k->gp.nnz * sizeof *D->gp);
    memcpy(D->T, k->T_values, (size_t)k->T.nnz * sizeof *D->T);
    memcpy(D->Gh, k->Gh_values, (size_t)k->Gh.nnz * sizeof *D->Gh);
    rows_of_G(k, D->Q_frozen);
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

/* Orthonormal rows [n x m] of now and then. */
typedef struct bases {
    int n, m;
    double *now, *then;
    const unsigned char *dropped;
} bases;

/* x [m] becomes then' then x. */
static void project(const bases *b, double *sum, double *x)
{
    memset(sum, 0, (size_t)b->m * sizeof *sum);
    for (int j = 0; j < b->n; j++) {
        const double *q = b->then + (long)j * b->m;
        double part = rsd_dot(q, x, b->m);
        for (int r = 0; r < b->m; r++) sum[r] += part * q[r];
    }
    memcpy(x, sum, (size_t)b->m * sizeof *x);
}

/* |(C C')^-1|, C = now then': the square of 1/(least cosine). */
static double squared_K(rsd_projection *D, const bases *b)
{
    const int n = b->n, m = b->m;
    for (int i = 0; i < n; i++) project(b, D->x_p, b->now + (long)i * m);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            D->S[(long)j * n + i] =
                b->dropped[i] || b->dropped[j] ? i == j : rsd_dot(b->now + (long)i * m, b->now + (long)j * m, m);
    if (rsd_lu_factor(n, D->S, D->S_pivots)) return INFINITY;
    return rsd_inverse_norm(n, solve, &(factors){D, n}, D->mu);
}

/* Have the rows of dg/dp turned in the space of p? */
static int has_turned_in_p(rsd_projection *D, rsd_mechanism *k)
{
    const long first = (long)k->m.n_k * k->m.n_p;
    if (!D->P) return 0;
    rows_of_g(k, k->gp_values, D->P);
    rows_of_g(k, D->gp, D->P_frozen);
    const bases b = {k->m.n_g, k->m.n_p, D->P + first, D->P_frozen + first, k->dropped};
    return squared_K(D, &b) > LARGEST_K * LARGEST_K;
}

int rsd_projection_is_outdated(rsd_projection *D, rsd_mechanism *k, double t, const double *p)
{
    int verdict = rsd_eval_excitation(k, t);
    if (!verdict) verdict = rsd_eval_matrices(k, t, p);
    if (verdict) return verdict < 0 ? verdict : 2;
    rows_of_G(k, D->Q);
    const bases b = {k->n_l, k->m.n_v, D->Q, D->Q_frozen, k->dropped};
    return squared_K(D, &b) > LARGEST_K * LARGEST_K || has_turned_in_p(D, k);
}

void rsd_projection_follow(rsd_projection *D, const rsd_projection *from, const rsd_mechanism *k)
{
    if (from->kind != RSD_PROJECTION_FROZEN) return;
    memcpy(D->gp, from->gp, (size_t)k->gp.nnz * sizeof *D->gp);
    memcpy(D->T, from->T, (size_t)k->T.nnz * sizeof *D->T);
    memcpy(D->Gh, from->Gh, (size_t)k->Gh.nnz * sizeof *D->Gh);
}
