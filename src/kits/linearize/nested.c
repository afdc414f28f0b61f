/* nested.c - estimates the errors of the entries of dF/dy. Each entry has a relative error. If dg/dp is differenced,
 * the second derivatives d(G'lam)/dp have the additional error
 *
 *     |error_ij| <= noise r_i c_j,    r = |T|' |dg/dp|' |lam|,    c_j = 1/L_j, L_j: length scale of dg/dp in p_j
 *
 * dg/dp has errors of eps^(2/3) and is differenced with increments of eps^(2/9) L. Therefore noise = eps^(4/9), or more
 * far from the origin, where p has larger rounding errors. r is the sum of absolute values, because terms of a row of
 * G'lam may cancel, as for a rotation about the line of action of a force. */
#include "pencil.h"

#include "base/linear/dense.h"

#include <float.h>
#include <math.h>

#define NOISE_EXACT 1e-13 /* relative rounding error of derivatives of the model */
#define INCREMENT   3e-4  /* increment of p for dg/dp, relative to its characteristic length: eps^(2/9) */
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

/* Compute the factors row [n] = r and column [n] = noise c of the error bound above. Both must be zero on entry. */
static resida_status estimate_nested_errors(rsd_pencil *w, resida_problem *q, double t, const double *p,
                                            const double *lam, double *row, double *column, resida_message *why)
{
    rsd_mechanism *k = q->mechanism;
    const resida_layout *l = &q->layout;
    double *forces, *columns;
    if (!RSD_DOUBLES(w->work, l->n_p, &forces, &columns)) return RESIDA_ERR_MEMORY;
    if (rsd_eval_excitation(k, t) != 0 || rsd_eval_matrices(k, t, p) != 0) return RESIDA_ERR_USER;
    const double rounding = estimate_G_rounding(k, p, columns), noise = fmax(RSD_NOISE_NESTED, rounding / INCREMENT);
    if (rounding > LOST)
        return rsd_fail(
            why, RESIDA_ERR_TOLERANCE,
            "linearize: differences for dg/dp are rounding errors at positions of %.3g: give constraint_matrix",
            rsd_max_norm(p, l->n_p));
    w->noise = fmax(w->noise, rounding);
    for (int i = 0; i < l->n_g; i++)
        for (int e = k->gp.row[i]; e < k->gp.row[i + 1]; e++) forces[k->gp.col[e]] += fabs(k->gp_values[e] * lam[i]);
    for (int c = 0; c < l->n_p; c++) {
        column[l->p + c] = noise / (rsd_scales_get_factor(k, p, c) * fmax(1, fabs(p[c])));
        if (!k->m.kinematic_matrix) row[l->v + c] = forces[c];
    }
    for (int c = 0; c < l->n_p && k->m.kinematic_matrix; c++)
        for (int e = k->T.row[c]; e < k->T.row[c + 1]; e++) row[l->v + k->T.col[e]] += fabs(k->T_values[e]) * forces[c];
    return RESIDA_OK;
}

resida_status rsd_pencil_estimate_errors(rsd_pencil *w, resida_problem *q, double t, const double *y, const double *yp,
                                         resida_message *why)
{
    const rsd_mechanism *k = q->mechanism;
    const rsd_sparse *A = &w->dFdy;
    double *row, *column;
    if (!RSD_DOUBLES(w->work, w->n, &row, &column)) return RESIDA_ERR_MEMORY;
    w->noise = w->is_differenced ? RSD_NOISE_DIFFERENCED : NOISE_EXACT;
    if (k && k->m.n_g > 0 && !k->m.constraint_matrix && !k->m.constraint_velocity)
        RSD_TRY(estimate_nested_errors(w, q, t, y + q->layout.p, rsd_problem_get_lam(q, y, yp), row, column, why));
    RSD_TRY(rsd_sparse_append(&w->dFdy_error, A, 0, NULL, 0, w->alloc));
    double *error = w->dFdy_error.values;
    for (int j = 0; j < w->n; j++)
        for (int e = A->start[j]; e < A->start[j + 1]; e++)
            error[e] = w->noise * fabs(A->values[e]) + row[A->row[e]] * column[j];
    return RESIDA_OK;
}
