/* equilibrium.c - see equilibrium.h. */
#include "equilibrium.h"

#include <stdlib.h>
#include <string.h>

#include "benchmarks/util/model_util.h"
#include "newton.h"

typedef struct rest {
    mb_system *s;
    const int *search;
    int n_g;
    resida_excitation e;
    double *p, *v, *zero, *r, *g, *G; /* [n_q], g [n_g], G in the order of its pattern */
} rest;

static const double load_unit = 1e4; /* of lam among the unknowns [N] */

/* @return the number of p and v among the unknowns; lam is behind them */
static int spread(const rest *c, const double *x)
{
    int k = 0;
    for (int i = 0; i < c->s->tree.n_q; i++)
        if (c->search[i] == MB_AT_REST)
            c->p[i] = x[k++];
        else if (c->search[i] == MB_STEADY)
            c->v[i] = x[k++];
    return k;
}

/* c->r += G'lam, and g. */
static void constrain(const rest *c, const double *lam)
{
    mb_system *s = c->s;
    mb_system_constraint(0, c->p, &c->e, c->g, s);
    mb_system_constraint_matrix(0, c->p, &c->e, c->G, s);
    for (int i = 0; i < c->n_g; i++)
        for (int k = s->G.row[i]; k < s->G.row[i + 1]; k++) c->r[s->G.col[k]] += load_unit * lam[i] * c->G[k];
}

static int forces(const double *x, double *r, void *user)
{
    const rest *c = user;
    const int n = spread(c, x);
    if (mb_system_inverse(c->s, c->p, c->v, c->zero, &c->e, NULL, c->r)) return 1;
    constrain(c, x + n);
    for (int i = 0, k = 0; i < c->s->tree.n_q; i++)
        if (c->search[i] != MB_HELD) r[k++] = c->r[i];
    for (int i = 0; i < c->n_g; i++) r[n + i] = c->g[i];
    return 0;
}

int mb_equilibrium(mb_system *s, const int *search, const double *u, double *p, double *v, resida_message *why)
{
    const double step = 0.02; /* m, rad: force laws are far from linear */
    const int n_q = s->tree.n_q;
    const int n_g = mb_loops_rows(s->n_loop, s->loop), entries = s->G.row[n_g];
    double *work = bench_alloc(3 * n_q + 2 * n_g + entries + s->n_driven, sizeof *work, why);
    if (!work) return 1;
    double *x = work + 2 * n_q, *g = x + n_q + n_g, *still = g + n_g + entries;
    rest c = {s, search, n_g, {u, still, still}, p, v, work, work + n_q, g, g + n_g};
    int n = 0;
    for (int i = 0; i < n_q; i++)
        if (search[i] != MB_HELD) x[n++] = search[i] == MB_STEADY ? v[i] : p[i];
    const int failed = mb_newton(n + n_g, forces, &c, step, x, why);
    if (!failed) (void)spread(&c, x);
    free(work);
    return failed;
}
