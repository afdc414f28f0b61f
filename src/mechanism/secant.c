/* secant.c - see motion.h. */
#include "mechanism_impl.h"

#include "src/base/numbers.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SECANT_PART      1e-3 /* of a step: g bends by its square, a millionth of what it does in a step */
#define SECANT_ERROR     1e-5 /* of the terms of a row: entries that are right leave 1e-6 and less */
#define SECANT_ROUNDINGS (32 * DBL_EPSILON)
enum { SEARCH_AFTER = 4 }; /* attempts in succession that failed: IDA has cut the step to 1/256 */
#define MOST_UNCHECKED 6   /* 2^6 steps go unchecked where searches find the same lengths again and again */

int rsd_secant_create(rsd_mechanism *k)
{
    rsd_secant *s = &k->secant;
    return RSD_DOUBLES(&k->alloc, k->m.n_p, &s->p_of_G, &s->p_last, &s->move) &&
           RSD_DOUBLES(&k->alloc, k->m.n_g, &s->change);
}

void rsd_secant_note(rsd_mechanism *k, const double *p)
{
    k->secant.has_G = p != NULL;
    if (p) memcpy(k->secant.p_of_G, p, (size_t)k->m.n_p * sizeof *p);
}

void rsd_secant_forget(rsd_mechanism *k)
{
    k->secant.has_G = k->secant.has_last = k->secant.fails = k->secant.waits = k->secant.in_vain = 0;
}

/* 1: G was found farther away from p than the step is long. */
static int is_elsewhere(const rsd_mechanism *k, const double *p)
{
    const rsd_secant *s = &k->secant;
    double off = 0, step = 0;
    for (int c = 0; c < k->m.n_p; c++) {
        off = fmax(off, fabs(s->p_of_G[c] - p[c]));
        step = fmax(step, fabs(s->p_last[c] - p[c]));
    }
    return off > step || step == 0;
}

/* 2 d and g(p_of_G + d) - g(p_of_G - d); |g| on both sides into size [n_g]. */
static int change_along(rsd_mechanism *k, double t, const double *p, double *size)
{
    rsd_secant *s = &k->secant;
    double *up = k->work.x_np, *down = k->work.p_moved;
    for (int c = 0; c < k->m.n_p; c++) {
        const double d = SECANT_PART * (p[c] - s->p_last[c]);
        volatile double right = s->p_of_G[c] + d, left = s->p_of_G[c] - d;
        up[c] = right, down[c] = left;
        s->move[c] = right - left;
    }
    int verdict = rsd_eval_excitation(k, t);
    if (!verdict) verdict = rsd_eval_constraint(k, t, up, s->change);
    if (!verdict) verdict = rsd_eval_constraint(k, t, down, size);
    for (int i = 0; i < k->m.n_g && !verdict; i++) {
        const double left = size[i];
        size[i] = fabs(s->change[i]) + fabs(left);
        s->change[i] -= left;
    }
    return verdict;
}

/* 1: row i changes by something else than its entries say. */
static int row_differs(const rsd_mechanism *k, int i, double size)
{
    const rsd_secant *s = &k->secant;
    double left = s->change[i], terms = 0;
    for (int e = k->gp.row[i]; e < k->gp.row[i + 1]; e++) {
        const int c = k->gp.col[e];
        left -= k->gp_values[e] * s->move[c];
        terms += fabs(k->gp_values[e] * s->move[c]);
        size += fabs(k->gp_values[e] * s->p_of_G[c]);
    }
    return fabs(left) > SECANT_ERROR * terms + SECANT_ROUNDINGS * size;
}

static void search_anew(rsd_mechanism *k)
{
    rsd_secant *s = &k->secant;
    rsd_scales_search_anew(k, &k->gp_groups);
    if (s->in_vain < MOST_UNCHECKED) s->in_vain++;
    s->waits = (1 << s->in_vain) - 2;
}

static int check(rsd_mechanism *k, double t, const double *p, int *changed)
{
    const rsd_fault before = k->calls.fault;
    double *size = k->work.x_g;
    const int verdict = change_along(k, t, p, size);
    int differs = 0;
    if (verdict > 0) k->calls.fault = before; /* a point that g refuses says nothing */
    if (verdict) return verdict < 0 ? verdict : 0;
    for (int i = 0; i < k->m.n_g; i++) differs |= row_differs(k, i, size[i]);
    *changed |= differs;
    if (differs)
        search_anew(k);
    else
        k->secant.in_vain = 0;
    return 0;
}

/* 1: the model gives dg/dp, or products with it. */
static int is_given(const rsd_mechanism *k)
{
    return k->m.n_g == 0 || k->m.constraint_matrix || k->m.constraint_velocity;
}

int rsd_secant_failed(rsd_mechanism *k)
{
    if (is_given(k) || ++k->secant.fails < SEARCH_AFTER) return 0;
    k->secant.fails = 0;
    rsd_scales_search_anew(k, &k->gp_groups);
    return 1;
}

int rsd_secant_accepted(rsd_mechanism *k, double t, const double *p, int *changed)
{
    rsd_secant *s = &k->secant;
    int verdict = 0;
    if (is_given(k)) return 0;
    s->fails = 0;
    if (s->waits > 0)
        s->waits--;
    else if (s->has_G && s->has_last && !is_elsewhere(k, p))
        verdict = check(k, t, p, changed);
    memcpy(s->p_last, p, (size_t)k->m.n_p * sizeof *p);
    s->has_last = 1;
    return verdict;
}
