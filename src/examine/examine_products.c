/* examine_products.c - products with dg/dp, x and mu random:
 *
 *     (dg/dp) x = dg/ds along p + s x,   (dg/dp)' mu by the dg/dp at hand */
#include "examine.h"

#include <math.h>
#include <string.h>

#define PRODUCT_AGREES                                                                                                 \
    1e-6 /* of the terms of a component, and of the largest one: dg/dp by differences reaches 1e-10 */

static int g_along_x(double s, double *x, rsd_examiner *w)
{
    for (int i = 0; i < w->k->m.n_p; i++) w->p_moved[i] = w->p[i] + s * w->d_p[i];
    return rsd_eval_constraint(w->k, w->t, w->p_moved, x);
}

static int examine_velocity(rsd_examiner *w)
{
    rsd_mechanism *k = w->k;
    char name[RSD_ROW_NAME];
    int row, verdict = rsd_eval_velocity_product(k, w->t, w->p, w->d_p, w->first);
    if (!verdict) verdict = rsd_examine_curve(w, k->m.n_g, g_along_x, &row, NULL);
    if (!verdict && row >= 0)
        rsd_warn(
            w->warnings, RSD_CLAIM_CONSTRAINT_VELOCITY,
            "constraint_velocity: component %s is %.6g for a random velocity at t = %.6g, differences of g say %.6g",
            rsd_row_name(k, row, name, sizeof name), w->first[row], w->t, w->found_first[row]);
    return verdict;
}

/* w->second: mu, w->p_half: what dg/dp makes of it, w->scale: the size of its terms. */
static void force_by_matrix(rsd_examiner *w)
{
    const rsd_csr *G = &w->k->gp;
    memset(w->p_half, 0, (size_t)G->cols * sizeof *w->p_half);
    memset(w->scale, 0, (size_t)G->cols * sizeof *w->scale);
    for (int i = 0; i < G->rows; i++) w->second[i] = rsd_random_move(i);
    rsd_csr_add_transposed(G, w->k->gp_values, 1, w->second, w->p_half);
    for (int i = 0; i < G->rows; i++)
        for (int e = G->row[i]; e < G->row[i + 1]; e++) w->scale[G->col[e]] += fabs(w->k->gp_values[e] * w->second[i]);
}

static int examine_force(rsd_examiner *w)
{
    const int n_p = w->k->m.n_p;
    double largest = 0, worst = 1;
    int at = -1;
    force_by_matrix(w);
    int verdict = rsd_eval_force_product(w->k, w->t, w->p, w->second, w->p_moved);
    for (int j = 0; j < n_p; j++) largest = fmax(largest, w->scale[j]);
    for (int j = 0; j < n_p && !verdict; j++) {
        double part = fabs(w->p_moved[j] - w->p_half[j]) / (PRODUCT_AGREES * (w->scale[j] + largest));
        if (part > worst) worst = part, at = j;
    }
    if (at >= 0)
        rsd_warn(w->warnings, RSD_CLAIM_CONSTRAINT_FORCE,
                 "constraint_force: component %d is %.6g for random multipliers at t = %.6g, dg/dp says %.6g", at,
                 w->p_moved[at], w->t, w->p_half[at]);
    return verdict;
}

int rsd_examine_products(rsd_examiner *w)
{
    if (!w->k->m.constraint_force) return 0;
    int verdict = examine_velocity(w);
    return verdict ? verdict : examine_force(w);
}
