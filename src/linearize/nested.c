/* nested.c - errors of the curvature of constraint forces, d(G'lam)/dp, where dg/dp is a difference itself:
 *
 *     |error_ij| <= NOISE_NESTED r_i c_j,    r = |T|' |dg/dp|' |lam|,    c_j = 1/L_j, L_j the length over which g bends
 *
 * Increments are eps^(2/9) L of a dg/dp that is rounded to eps^(2/3): errors of eps^(4/9). What lam adds to a row may
 * cancel in it, as for a turn about the line of a force: r is of its terms. */
#include "pencil.h"

#include <math.h>

#define NOISE_NESTED 1e-7

resida_status rsd_pencil_nested_errors(rsd_pencil *w, resida_problem *q, double t, const double *y, const double *yp)
{
    rsd_mechanism *k = q->mechanism;
    const resida_layout *l = &q->layout;
    if (!k || k->m.n_g == 0 || k->m.constraint_matrix || k->m.constraint_velocity) return RESIDA_OK;
    const double *p = y + l->p, *lam = rsd_problem_lam(q, y, yp);
    double *forces = rsd_doubles(w->work, l->n_p);
    if (!forces || !RSD_DOUBLES(w->alloc, w->n, &w->row_error, &w->column_error)) return RESIDA_ERR_MEMORY;
    if (rsd_eval_excitation(k, t) != 0 || rsd_eval_matrices(k, t, p) != 0) return RESIDA_ERR_USER;
    for (int i = 0; i < l->n_g; i++)
        for (int e = k->gp.row[i]; e < k->gp.row[i + 1]; e++) forces[k->gp.col[e]] += fabs(k->gp_values[e] * lam[i]);
    for (int c = 0; c < l->n_p; c++) {
        w->column_error[l->p + c] = NOISE_NESTED / (rsd_scales_factor(k, p, c) * fmax(1, fabs(p[c])));
        if (!k->m.kinematic_matrix) w->row_error[l->v + c] = forces[c];
    }
    for (int c = 0; c < l->n_p && k->m.kinematic_matrix; c++)
        for (int e = k->T.row[c]; e < k->T.row[c + 1]; e++)
            w->row_error[l->v + k->T.col[e]] += fabs(k->T_values[e]) * forces[c];
    return RESIDA_OK;
}
