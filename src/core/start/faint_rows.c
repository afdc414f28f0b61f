/* faint_rows.c - rows of dg/dp that are hardly more than rounding. The row of a loop across its plane is such: it is
 * zero, but each of its entries is a sum of terms that cancel. Divided by its own norm it would count as much as any
 * other row.
 *
 * A small row may also be that of a constraint in other units. Then g changes as the row says,
 *
 *     g_i(p + d) - g_i(p - d) = 2 (dg_i/dp) d,
 *
 * to the rounding of terms as small as the row. A row is faint if this is hidden by the rounding of terms as large as
 * those of the other rows. What is new in it is compared with the rounding of the whole dg/dp, too. */
#include "start_impl.h"

#include "base/linear/dense.h"

#include <float.h>
#include <math.h>

#define G_ROUNDINGS    64   /* eps, of the largest entry of dg/dp, and of the terms of g */
#define G_ERROR_FACTOR 16   /* times the error of a difference, where dg/dp is found by them */
#define MAX_ERROR      1e-8 /* of the largest entry, however noisy g is */
#define DISTANCE       1e-6 /* how far a coordinate is moved, 1 to 3 times; ... */
#define MIN_DISTANCE   1e-8 /* ... at least this part of it */
#define EXPLAINED      1e-6 /* of the change of g: a row that is less off is in other units */
#define ALONG          1e-3 /* of the largest |p_j|, at most of 1: length of a motion */
#define SECOND         1.5  /* power of it: gradients of first order are larger, those of second order smaller */

static double size_of_row(const rsd_mechanism *k, int i)
{
    return rsd_finite_norm(k->gp_values + k->gp.row[i], k->gp.row[i + 1] - k->gp.row[i]);
}

static double size_of_G(const rsd_mechanism *k)
{
    return rsd_finite_norm(k->gp_values, k->gp.nnz);
}

/* The part of the largest entry that an entry may be by rounding, or by the error of differences. */
static double rounding_of_G(const rsd_mechanism *k, const double *p)
{
    const double least = G_ROUNDINGS * DBL_EPSILON;
    if (k->m.constraint_matrix || k->m.constraint_velocity) return least;
    return fmin(fmax(least, G_ERROR_FACTOR * rsd_scales_error(k, p)), MAX_ERROR);
}

/* g at p + side d into g [n_g], d into s->dp. */
static int g_beside(rsd_start *s, double side, double *g)
{
    for (int j = 0; j < s->k->m.n_p; j++) {
        const double far = (j % 2 ? -1 : 1) * (1 + j % 3) * fmax(DISTANCE, MIN_DISTANCE * fabs(s->p[j]));
        s->p_try[j] = s->p[j] + side * far;
        s->dp[j] = side * (s->p_try[j] - s->p[j]);
    }
    return rsd_eval_constraint(s->k, s->t, s->p_try, g);
}

resida_status rsd_start_find_faint_rows(rsd_start *s)
{
    rsd_mechanism *k = s->k;
    const int n_g = k->m.n_g;
    const double part = rounding_of_G(k, s->p), G = n_g > 0 ? size_of_G(k) : 0;
    const double small = part / s->o->rank_tolerance * G, hidden = G_ROUNDINGS * DBL_EPSILON * G;
    double *right = s->c, *left = s->mu, *said = s->lam;
    int n = 0, verdict = 0;
    s->n_faint = 0;
    for (int i = 0; i < n_g; i++) n += size_of_row(k, i) <= small;
    for (int i = 0; i < k->n_l; i++) s->faint[i] = 0;
    if (n == 0 || isinf(G)) return RESIDA_OK;
    verdict = g_beside(s, -1, left);
    if (!verdict) verdict = g_beside(s, 1, right);
    if (verdict < 0) return rsd_start_verdict(s, verdict);
    rsd_fault_forget(&k->calls.fault);
    rsd_csr_times(&k->gp, k->gp_values, s->dp, said);
    for (int i = 0; i < n_g && !verdict; i++) {
        const double change = right[i] - left[i], off = fabs(change - 2 * said[i]);
        const int is_explained = change != 0 && off <= EXPLAINED * fabs(change);
        if (size_of_row(k, i) > small || is_explained) continue;
        if (off > hidden * (1 + rsd_finite_norm(s->p, k->m.n_p))) continue; /* dg/dp is wrong, or g bends */
        s->faint[i] = part / s->o->rank_tolerance;
        s->n_faint++;
    }
    return RESIDA_OK;
}

/* p_try = p moved along a velocity that the listed rows allow. */
static resida_status move_along(rsd_start *s)
{
    rsd_mechanism *k = s->k;
    for (int j = 0; j < k->m.n_v; j++) s->a[j] = j < k->n_w ? (j % 2 ? -1 : 1) * (1 + j % 3) : 0;
    rsd_apply_G(k, s->a, s->c);
    for (int i = 0; i < k->n_l; i++) s->c[i] = -s->c[i];
    RSD_TRY(rsd_start_factor(s));
    rsd_kkt_solve(&s->kkt, 0, s->c, s->dq, s->mu);
    for (int j = 0; j < k->m.n_v; j++) s->a[j] += s->dq[j];
    rsd_apply_T(k, s->a, s->dp);
    const double p = rsd_finite_norm(s->p, k->m.n_p), far = ALONG * (p > 0 ? fmin(p, 1) : 1);
    const double most = fmax(rsd_finite_norm(s->dp, k->m.n_p), DBL_MIN);
    for (int j = 0; j < k->m.n_p; j++) s->p_try[j] = s->p[j] + far / most * s->dp[j];
    return RESIDA_OK;
}

/* 1: all redundant rows are faint, and small beside the dg/dp at hand. */
static int are_faint(const rsd_start *s)
{
    const double second = pow(ALONG, SECOND) * size_of_G(s->k);
    int i = 0;
    while (i < s->rank.n_redundant && s->rank.redundant[i] < s->k->m.n_g && s->faint[s->rank.redundant[i]] > 0 &&
           size_of_row(s->k, s->rank.redundant[i]) <= second)
        i++;
    return i == s->rank.n_redundant;
}

resida_status rsd_start_are_absent(rsd_start *s, int *are_absent)
{
    *are_absent = are_faint(s);
    if (s->rank.n_redundant == 0 || !*are_absent) return RESIDA_OK;
    RSD_TRY(move_along(s));
    const int verdict = rsd_eval_matrices(s->k, s->t, s->p_try);
    if (verdict < 0) return rsd_start_verdict(s, verdict);
    rsd_fault_forget(&s->k->calls.fault);
    *are_absent = verdict == 0 && are_faint(s);
    return rsd_start_rows(s, s->p);
}
