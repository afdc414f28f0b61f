/* nested.c - estimates the errors of the entries of dF/dy. Each entry has a relative error. If dg/dp is differenced,
 * the second derivatives d(G'lam)/dp have the error bounds of their differences (rsd_curvature). Both parts of an entry
 * have the relative error, because they may cancel: a stiffness near its critical value is the small sum of large
 * terms. */
#include "pencil.h"

#include "base/linear/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define NOISE_EXACT 1e-13 /* relative rounding error of derivatives of the model */
#define LOST        0.1   /* maximum relative rounding error of dg/dp with which a state is linearised */
#define TERMS       10.0  /* rounding error of a difference of g, relative to that of one value */

/* Return the rounding error of row i of dg/dp relative to the largest entry of the row or the column. The rounding
 * error of g is eps |dg/dp| |p|, even if the search for increments has missed some terms. columns [n_p]: largest
 * entries */
static double estimate_row_rounding(const rsd_mechanism *k, const double *p, int i, const double *columns)
{
    double terms = 0, largest = 0, error = 0;
    for (int e = k->gp.row[i]; e < k->gp.row[i + 1]; e++) {
        terms += fabs(k->gp_values[e] * p[k->gp.col[e]]);
        largest = fmax(largest, fabs(k->gp_values[e]));
    }
    for (int e = k->gp.row[i]; e < k->gp.row[i + 1]; e++) {
        const int c = k->gp.col[e];
        const double size = fmax(largest, columns[c]),
                     increment = rsd_scale_get_increment(&k->gp_groups.scale[c], p[c], 1);
        if (size > 0) error = fmax(error, DBL_EPSILON * terms / (increment * size));
    }
    return error;
}

/* Return the relative rounding error of the matrix dg/dp. work [n_p] must be zero. */
static double estimate_G_rounding(const rsd_mechanism *k, const double *p, double *work)
{
    double error = rsd_scales_estimate_error(k, p);
    for (int e = 0; e < k->gp.nnz; e++) work[k->gp.col[e]] = fmax(work[k->gp.col[e]], fabs(k->gp_values[e]));
    for (int i = 0; i < k->m.n_g; i++) error = fmax(error, estimate_row_rounding(k, p, i, work));
    return TERMS * error;
}

/* Check dg/dp, and set w->noise to its relative error, if it is larger. */
static resida_status estimate_G_errors(rsd_pencil *w, rsd_mechanism *k, double t, const double *p, resida_message *why)
{
    double *columns = rsd_doubles(w->work, k->m.n_p);
    if (!columns) return RESIDA_ERR_MEMORY;
    if (rsd_eval_excitation(k, t) != 0 || rsd_eval_matrices(k, t, p) != 0) return RESIDA_ERR_USER;
    const double rounding = estimate_G_rounding(k, p, columns);
    if (rounding > LOST)
        return rsd_fail(
            why, RESIDA_ERR_TOLERANCE,
            "linearize: differences for dg/dp are rounding errors at positions of %.3g: give constraint_matrix",
            rsd_max_norm(p, k->m.n_p));
    w->noise = fmax(w->noise, rounding);
    return RESIDA_OK;
}

/* Add the errors of the derivatives of T' (dg/dp)' lam by p to the errors of dF/dy. */
static resida_status add_curvature_errors(rsd_pencil *w, const resida_problem *q, const double *lam)
{
    const rsd_mechanism *k = q->mechanism;
    const resida_layout *l = &q->layout;
    const rsd_sparse *A = &w->dFdy_error;
    double *of_p, *of_v;
    if (!RSD_DOUBLES(w->work, l->n_p, &of_p) || !RSD_DOUBLES(w->work, l->n_v, &of_v)) return RESIDA_ERR_MEMORY;
    for (int c = 0; c < l->n_p; c++) {
        rsd_curvature_bound_errors(k, lam, c, w->noise, of_p);
        if (k->m.kinematic_matrix) {
            memset(of_v, 0, (size_t)l->n_v * sizeof *of_v);
            for (int i = 0; i < l->n_p; i++)
                for (int e = k->T.row[i]; e < k->T.row[i + 1]; e++) of_v[k->T.col[e]] += fabs(k->T_values[e]) * of_p[i];
        } else
            memcpy(of_v, of_p, (size_t)l->n_p * sizeof *of_v); /* the rest of of_v belongs to states, and is 0 */
        for (int e = A->start[l->p + c]; e < A->start[l->p + c + 1]; e++)
            if (A->row[e] >= l->v && A->row[e] < l->v + l->n_v) A->values[e] += of_v[A->row[e] - l->v];
    }
    return RESIDA_OK;
}

resida_status rsd_pencil_estimate_errors(rsd_pencil *w, resida_problem *q, double t, const double *y, const double *yp,
                                         resida_message *why)
{
    rsd_mechanism *k = q->mechanism;
    w->noise = w->is_differenced ? RSD_NOISE_DIFFERENCED : NOISE_EXACT;
    const int is_nested = k && k->m.n_g > 0 && !k->m.constraint_matrix && !k->m.constraint_velocity;
    if (is_nested) RSD_TRY(estimate_G_errors(w, k, t, y + q->layout.p, why));
    RSD_TRY(rsd_sparse_append(&w->dFdy_error, &w->dFdy, 0, NULL, 0, w->alloc));
    for (int e = 0; e < w->dFdy.start[w->n]; e++) w->dFdy_error.values[e] = w->noise * fabs(w->dFdy.values[e]);
    return is_nested ? add_curvature_errors(w, q, rsd_problem_get_lam(q, y, yp)) : RESIDA_OK;
}
