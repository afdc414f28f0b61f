/* articulated.c - see articulated.h. With Cholesky's D = L L' the columns of V = U L^-T satisfy U D^-1 U' = V V' and
 * q'' = L^-T (L^-1 (f - S'pA) - V'A'). */
#include "articulated.h"

#include <stddef.h>

#include "newton_euler.h"
#include "spatial.h"

typedef struct articulated {
    mb_inertia I;
    mb_wrench p;              /* bias force */
    mb_wrench V[MB_SIX];      /* U L^-T */
    double L[MB_SIX][MB_SIX]; /* lower triangle of L */
    double u[MB_SIX];         /* L^-1 (f - S'p) */
} articulated;

static double along(const mb_state *s, int i, const mb_wrench *w)
{
    return mb_dot(s->lin[i], w->f) + mb_dot(s->ang[i], w->m);
}

static mb_wrench plus(mb_wrench a, double s, mb_wrench b)
{
    return (mb_wrench){mb_along(a.f, s, b.f), mb_along(a.m, s, b.m)};
}

/* Compute L of D = S'U, U [n]. @return 0, or 1 if D is not positive definite */
static int factor(const mb_state *s, const mb_wrench *U, double L[MB_SIX][MB_SIX])
{
    for (int j = 0; j < s->n; j++)
        for (int i = j; i < s->n; i++) {
            double sum = along(s, i, &U[j]);
            for (int k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
            if (i == j && !(sum > 0)) return 1;
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    return 0;
}

/* Eliminate the joint of a body: compute V, L, u. */
static int eliminate(const mb_body *b, const mb_state *s, const double *f, articulated *x)
{
    mb_wrench U[MB_SIX];
    for (int i = 0; i < s->n; i++) U[i] = mb_inertia_times(&x->I, s->lin[i], s->ang[i]);
    if (factor(s, U, x->L)) return 1;
    for (int i = 0; i < s->n; i++) { /* V = L \ U', u = L \ (f - S'p), row by row */
        x->V[i] = U[i];
        x->u[i] = f[b->first + i] - along(s, i, &x->p);
        for (int k = 0; k < i; k++) {
            x->V[i] = plus(x->V[i], -x->L[i][k], x->V[k]);
            x->u[i] -= x->L[i][k] * x->u[k];
        }
        x->V[i] = (mb_wrench){mb_scale(1 / x->L[i][i], x->V[i].f), mb_scale(1 / x->L[i][i], x->V[i].m)};
        x->u[i] /= x->L[i][i];
    }
    return 0;
}

/* Add inertia and bias force of a body whose joint is eliminated to its parent. */
static void pass_on(const mb_state *s, articulated *x, articulated *parent)
{
    mb_inertia_less(&x->I, s->n, x->V);
    mb_wrench p = plus(x->p, 1, mb_inertia_times(&x->I, s->lin_bias, s->ang_bias));
    for (int i = 0; i < s->n; i++) p = plus(p, x->u[i], x->V[i]);
    p.m = mb_add(p.m, mb_cross(s->arm, p.f));
    parent->p = plus(parent->p, 1, p);
    mb_inertia_add_moved(&parent->I, &x->I, s->arm);
}

/* Compute q'' of a body, and its acceleration `own`, which is A' on input. */
static void solve(const mb_body *b, const mb_state *s, const articulated *x, mb_wrench *own, double *a)
{
    double *q = a + b->first;
    for (int i = 0; i < s->n; i++) q[i] = x->u[i] - mb_dot(x->V[i].f, own->f) - mb_dot(x->V[i].m, own->m);
    for (int i = s->n - 1; i >= 0; i--) { /* L' \ q */
        for (int k = i + 1; k < s->n; k++) q[i] -= x->L[k][i] * q[k];
        q[i] /= x->L[i][i];
    }
    for (int i = 0; i < s->n; i++) *own = plus(*own, q[i], (mb_wrench){s->lin[i], s->ang[i]});
}

int mb_forward_dynamics(const mb_tree *tree, const mb_motion *motion, const mb_state *state, const double *f,
                        const mb_wrench *wrench, double *a)
{
    const mb_vec zero = {0, 0, 0};
    articulated x[tree->n_body];
    mb_wrench own[tree->n_body]; /* (a, al) */
    for (int k = 0; k < tree->n_body; k++) {
        const mb_body *b = &tree->body[k];
        x[k].I = mb_inertia_of(b, &state[k].R);
        x[k].p = mb_inertia_wrench(b, &motion->root[b->root], &state[k], zero, zero, &wrench[k]);
    }
    for (int k = tree->n_body - 1; k >= 0; k--) {
        if (eliminate(&tree->body[k], &state[k], f, &x[k])) return 1;
        if (tree->body[k].parent >= 0) pass_on(&state[k], &x[k], &x[tree->body[k].parent]);
    }
    for (int k = 0; k < tree->n_body; k++) {
        const mb_state *s = &state[k];
        own[k] = (mb_wrench){s->lin_bias, s->ang_bias};
        if (tree->body[k].parent >= 0) {
            const mb_wrench *parent = &own[tree->body[k].parent];
            own[k].f = mb_add(own[k].f, mb_add(parent->f, mb_cross(parent->m, s->arm)));
            own[k].m = mb_add(own[k].m, parent->m);
        }
        solve(&tree->body[k], s, &x[k], &own[k], a);
    }
    return 0;
}
