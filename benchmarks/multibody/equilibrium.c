/* equilibrium.c - see equilibrium.h. */
#include "equilibrium.h"

#include <stdlib.h>
#include <string.h>

#include "model_util.h"
#include "newton.h"

typedef struct rest {
    const mb_system *s;
    const int *search;
    resida_excitation e;
    double *p, *v, *zero, *r;
} rest;

static void spread(const rest *c, const double *x)
{
    for (int i = 0, k = 0; i < c->s->tree.n_q; i++)
        if (c->search[i] == MB_AT_REST)
            c->p[i] = x[k++];
        else if (c->search[i] == MB_STEADY)
            c->v[i] = x[k++];
}

static int forces(const double *x, double *r, const void *user)
{
    const rest *c = user;
    spread(c, x);
    if (mb_system_residual(0, c->p, c->v, c->zero, &c->e, c->r, (void *)(size_t)c->s)) return 1;
    for (int i = 0, k = 0; i < c->s->tree.n_q; i++)
        if (c->search[i] != MB_HELD) r[k++] = c->r[i];
    return 0;
}

int mb_equilibrium(const mb_system *s, const int *search, const double *u, double *p, double *v, resida_message *why)
{
    const double step = 0.02; /* m, rad: force laws are far from linear */
    const int n_q = s->tree.n_q;
    double *work = bench_alloc(3 * n_q + s->n_driven, sizeof *work, why);
    if (!work) return 1;
    double *x = work + 2 * n_q, *still = work + 3 * n_q;
    rest c = {s, search, {u, still, still}, p, v, work, work + n_q};
    int n = 0;
    for (int i = 0; i < n_q; i++)
        if (search[i] != MB_HELD) x[n++] = search[i] == MB_STEADY ? v[i] : p[i];
    const int failed = mb_newton(n, forces, &c, step, x, why);
    if (!failed) spread(&c, x);
    free(work);
    return failed;
}
