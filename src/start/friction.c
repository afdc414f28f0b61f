/* friction.c - forces of contacts with Coulomb's friction in one direction each, a linear complementarity problem. With
 * D and q for the gaps, then for the sliding, a_n and a_t their accelerations (or speeds, behind an impact),
 *
 *     (a_n, a_t) = D (N, T) + q,   0 <= N, a_n >= 0, N' a_n = 0
 *     slips:       T = -mu N s, s = 1, -1 the sign of the speed
 *     undecided:   R = mu N + T,  S = mu N - T,  a_t = a+ - a-,  0 <= R, a+, S, a-,  R a+ = S a- = 0
 *
 * in z = (N, R, a-), R and a- of undecided contacts alone (complementarity.h). F. Pfeiffer, C. Glocker, Multibody
 * Dynamics with Unilateral Contacts, 1996, ch. 5. */
#include "friction.h"

#include "complementarity.h"

#include <math.h>

#define STICKS 1e-11 /* of entries of about 1: a smaller distance of T from its bound is rounding */

/** What forces (N, T) [2 n] are of z: C z + f, C [2 n x m]. */
typedef struct linear_forces {
    double *C, *f;
    int *first; /* [n] R of an undecided contact; a- follows; -1: none */
} linear_forces;

static int is_undecided(const rsd_friction *x, int i)
{
    return x->slides[i] == 0 && x->mu[i] > 0;
}

static void set_forces(const rsd_friction *x, int m, linear_forces *of)
{
    const int n = x->n;
    for (int i = 0, next = n; i < n; i++) {
        const double base = x->base ? x->base[i] : 0, part = is_undecided(x, i) ? -x->mu[i] : -x->slides[i] * x->mu[i];
        of->first[i] = is_undecided(x, i) ? next : -1;
        of->C[(long)i * m + i] = 1;
        of->f[i] = base;
        of->C[(long)(n + i) * m + i] = part;
        of->f[n + i] = part * base;
        if (of->first[i] < 0) continue;
        of->C[(long)(n + i) * m + next] = 1;
        next += 2;
    }
}

/* (D (C z + f) + q)_k, as row k of w - M z - z_0 = q. */
static void put_motion(const rsd_friction *x, int k, const linear_forces *of, int m, double *row)
{
    const double *D = x->D + (long)k * 2 * x->n;
    for (int j = 0; j < 2 * x->n; j++) {
        for (int c = 0; c < m; c++) row[m + c] -= D[j] * of->C[(long)j * m + c];
        row[2 * m + 1] += D[j] * of->f[j];
    }
    row[2 * m + 1] += x->q[k];
}

static void set_tableau(const rsd_friction *x, const linear_forces *of, const rsd_lcp *l)
{
    const int n = x->n, m = l->m;
    for (int i = 0; i < n; i++) {
        put_motion(x, i, of, m, rsd_lcp_row(l, i));
        const int R = of->first[i];
        if (R < 0) continue;
        double *along = rsd_lcp_row(l, R), *bound = rsd_lcp_row(l, R + 1);
        put_motion(x, n + i, of, m, along);
        along[m + R + 1] -= 1; /* a+ = a_t + a- */
        bound[m + i] = -2 * x->mu[i];
        bound[m + R] = 1; /* S = 2 mu N - R */
        bound[2 * m + 1] = 2 * x->mu[i] * of->f[i];
    }
}

resida_status rsd_friction_solve(const rsd_friction *x, const resida_allocator *a, int *found)
{
    const int n = x->n;
    int m = n, last;
    for (int i = 0; i < n; i++) m += 2 * is_undecided(x, i);
    rsd_lcp l;
    linear_forces of;
    double *z;
    if (rsd_lcp_create(&l, m, a) < 0 || !RSD_DOUBLES(a, 2L * n * m, &of.C) || !RSD_DOUBLES(a, 2L * n, &of.f) ||
        !RSD_DOUBLES(a, m, &z) || !RSD_INTS(a, n, &of.first))
        return RESIDA_ERR_MEMORY;
    set_forces(x, m, &of);
    set_tableau(x, &of, &l);
    *found = rsd_lcp_solve(&l, x->rounding, z, &last) > 0;
    for (int i = 0; i < 2 * n && *found; i++) {
        x->force[i] = of.f[i];
        for (int c = 0; c < m; c++) x->force[i] += of.C[(long)i * m + c] * z[c];
    }
    for (int i = 0; i < n && *found; i++) {
        const int R = of.first[i];
        x->result[i] = R < 0 ? x->slides[i] : z[R] == 0 ? 1 : 2 * x->mu[i] * x->force[i] - z[R] <= STICKS ? -1 : 0;
        if (R >= 0 && x->force[i] == 0) x->result[i] = 1;
    }
    return RESIDA_OK;
}
