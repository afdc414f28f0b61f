/* faint_rows.c - finds faint rows of dg/dp, which may consist of rounding errors only. An example is the constraint of
 * a planar loop normal to its plane. Its exact row is zero, but each entry is computed as a sum of terms that cancel.
 * After division by its norm, such a row would have the same weight as any other row.
 *
 * A small row may also belong to a constraint in other units. In this case the change of g along a displacement d
 * agrees with the row,
 *
 *     g_i(p + d) - g_i(p - d) = 2 (dg_i/dp) d,
 *
 * within rounding errors of terms that are as small as the row. A row is faint if the rounding errors of terms as large
 * as those of the other rows exceed the difference between both sides. The component of a faint row orthogonal to the
 * other rows is also compared with the rounding error of dg/dp. */
#include "start_impl.h"

#include "base/linear/dense.h"

#include <float.h>
#include <math.h>

#define G_ROUNDINGS      64   /* rounding error [eps] of g, relative to its terms, and of dg/dp, relative to its norm */
#define G_ERROR_FACTOR   16   /* assumed error of a dg/dp by differences, divided by its estimated error */
#define MAX_ERROR        1e-8 /* maximum assumed error of dg/dp, relative to its largest entry */
#define G_DISPLACEMENT   1e-6 /* unit of d; coordinates are displaced by 1, 2 or 3 units */
#define MIN_DISPLACEMENT 1e-8 /* minimum of this unit, relative to the coordinate */
#define MOTION_LENGTH    1e-3 /* displacement of p along a motion, relative to min(1, max |p_j|) */
#define GRADIENT_POWER   1.5  /* a faint row is at most MOTION_LENGTH^GRADIENT_POWER max |dg/dp| */
/* Maximum relative error of the change of g_i predicted by a row that is small because of its units. */
#define MAX_PREDICTION_ERROR 1e-6

static double get_row_size(const rsd_mechanism *k, int i)
{
    return rsd_finite_norm(k->gp_values + k->gp.row[i], k->gp.row[i + 1] - k->gp.row[i]);
}

static double get_G_size(const rsd_mechanism *k)
{
    return rsd_finite_norm(k->gp_values, k->gp.nnz);
}

/* Return the error of an entry of dg/dp, by rounding or differences, relative to the largest entry of dg/dp. */
static double get_G_rounding(const rsd_mechanism *k, const double *p)
{
    const double min = G_ROUNDINGS * DBL_EPSILON;
    if (k->m.constraint_matrix || k->m.constraint_velocity) return min;
    return fmin(fmax(min, G_ERROR_FACTOR * rsd_scales_estimate_error(k, p)), MAX_ERROR);
}

/* Evaluate g [n_g] at p + d or p - d, for side = 1 or -1. Store d [n_p] in s->dp. */
static int eval_displaced_g(rsd_start *s, double side, double *g)
{
    for (int j = 0; j < s->k->m.n_p; j++) {
        const double far = (j % 2 ? -1 : 1) * (1 + j % 3) * fmax(G_DISPLACEMENT, MIN_DISPLACEMENT * fabs(s->p[j]));
        s->p_try[j] = s->p[j] + side * far;
        s->dp[j] = side * (s->p_try[j] - s->p[j]);
    }
    return rsd_eval_constraint(s->k, s->t, s->p_try, g);
}

resida_status rsd_start_find_faint_rows(rsd_start *s)
{
    rsd_mechanism *k = s->k;
    const int n_g = k->m.n_g;
    const double part = get_G_rounding(k, s->p), G = n_g > 0 ? get_G_size(k) : 0;
    const double small = part / s->o->rank_tolerance * G, hidden = G_ROUNDINGS * DBL_EPSILON * G;
    double *right = s->c, *left = s->mu, *said = s->lam;
    int n = 0, verdict = 0;
    s->n_faint = 0;
    for (int i = 0; i < n_g; i++) n += get_row_size(k, i) <= small;
    for (int i = 0; i < k->n_l; i++) s->faint[i] = 0;
    if (n == 0 || isinf(G)) return RESIDA_OK;
    verdict = eval_displaced_g(s, -1, left);
    if (!verdict) verdict = eval_displaced_g(s, 1, right);
    if (verdict < 0) return rsd_start_convert_verdict(s, verdict);
    rsd_fault_clear(&k->calls.fault);
    rsd_csr_multiply(&k->gp, k->gp_values, s->dp, NULL, said);
    for (int i = 0; i < n_g && !verdict; i++) {
        const double change = right[i] - left[i], off = fabs(change - 2 * said[i]);
        const int is_explained = change != 0 && off <= MAX_PREDICTION_ERROR * fabs(change);
        if (get_row_size(k, i) > small || is_explained) continue;
        if (off > hidden * (1 + rsd_finite_norm(s->p, k->m.n_p))) continue; /* the row has an error, or g is curved */
        s->faint[i] = part / s->o->rank_tolerance;
        s->n_faint++;
    }
    return RESIDA_OK;
}

/* Set s->p_try to p plus a displacement along a velocity that the listed rows allow. */
static resida_status displace_along_motion(rsd_start *s)
{
    rsd_mechanism *k = s->k;
    for (int j = 0; j < k->m.n_v; j++) s->a[j] = j < k->n_w ? (j % 2 ? -1 : 1) * (1 + j % 3) : 0;
    rsd_apply_G(k, s->a, s->c);
    for (int i = 0; i < k->n_l; i++) s->c[i] = -s->c[i];
    RSD_TRY(rsd_start_factor(s));
    rsd_kkt_solve(&s->kkt, 0, s->c, s->dq, s->mu);
    for (int j = 0; j < k->m.n_v; j++) s->a[j] += s->dq[j];
    rsd_apply_T(k, s->a, s->dp);
    const double p = rsd_finite_norm(s->p, k->m.n_p), far = MOTION_LENGTH * (p > 0 ? fmin(p, 1) : 1);
    const double max = fmax(rsd_finite_norm(s->dp, k->m.n_p), DBL_MIN);
    for (int j = 0; j < k->m.n_p; j++) s->p_try[j] = s->p[j] + far / max * s->dp[j];
    return RESIDA_OK;
}

/* Return 1 if all redundant rows are faint, and at most MOTION_LENGTH^GRADIENT_POWER max |dg/dp|. */
static int are_all_rows_faint(const rsd_start *s)
{
    const double second = pow(MOTION_LENGTH, GRADIENT_POWER) * get_G_size(s->k);
    int i = 0;
    while (i < s->rank.n_redundant && s->rank.redundant[i] < s->k->m.n_g && s->faint[s->rank.redundant[i]] > 0 &&
           get_row_size(s->k, s->rank.redundant[i]) <= second)
        i++;
    return i == s->rank.n_redundant;
}

resida_status rsd_start_check_faint_rows(rsd_start *s, int *are_absent)
{
    *are_absent = are_all_rows_faint(s);
    if (s->rank.n_redundant == 0 || !*are_absent) return RESIDA_OK;
    RSD_TRY(displace_along_motion(s));
    const int verdict = rsd_eval_matrices(s->k, s->t, s->p_try);
    if (verdict < 0) return rsd_start_convert_verdict(s, verdict);
    rsd_fault_clear(&s->k->calls.fault);
    *are_absent = verdict == 0 && are_all_rows_faint(s);
    return rsd_start_eval_rows(s, s->p);
}
