/* equilibrium_scales.c - sets the sizes of the unknowns and the weights of the equations (equilibrium_impl.h). */
#include "equilibrium_impl.h"

#include "base/numbers.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { RUIZ_SWEEPS = 40 }; /* number of sweeps over J; each takes the root of the ratios of entries */

int rsd_equilibrium_is_multiplier(const rsd_equilibrium *eq, int column)
{
    const resida_layout *l = &eq->problem->layout;
    return l->lam >= 0 && column >= l->lam && column < l->lam + l->n_g + l->n_h;
}

/* The units are unknown. The scales are such that no component of the guess exceeds its scale. Rows and columns of J
 * are divided by the root of their largest entry in turn until all largest entries are 1 (D. Ruiz, A scaling algorithm
 * to equilibrate both rows and columns norms in matrices, 2001). Entries that are rounding errors relative to the terms
 * of their row are ignored. */
void rsd_equilibrium_find_column_scales(rsd_equilibrium *eq, const resida_jacobian_matrix *J)
{
    const double rounding = rsd_equilibrium_get_error(eq);
    double *terms = eq->dx, *row = eq->weight, *column = eq->column_scale, *max[] = {eq->r, eq->d}, largest = 0;
    memset(terms, 0, (size_t)eq->n * sizeof *terms);
    for (int j = 0; j < eq->n; j++)
        for (int e = J->start[j]; e < J->start[j + 1]; e++)
            terms[J->row[e]] = fmax(terms[J->row[e]], fabs(J->values[e] * eq->y[j]));
    for (int i = 0; i < eq->n; i++) row[i] = column[i] = 1;
    for (int k = 0; k < RUIZ_SWEEPS; k++) {
        for (int i = 0; i < eq->n; i++) max[0][i] = max[1][i] = 0;
        for (int j = 0; j < eq->n; j++)
            for (int e = J->start[j]; e < J->start[j + 1]; e++) {
                const int i = J->row[e];
                const double entry = fabs(J->values[e]);
                if (entry * fmax(fabs(eq->y[j]), 1) <= rounding * terms[i]) continue;
                max[0][i] = fmax(max[0][i], entry * column[j] / row[i]);
                max[1][j] = fmax(max[1][j], entry * column[j] / row[i]);
            }
        for (int i = 0; i < eq->n; i++) {
            if (max[0][i] > 0) row[i] *= sqrt(max[0][i]);
            if (max[1][i] > 0) column[i] /= sqrt(max[1][i]);
        }
    }
    for (int j = 0; j < eq->n; j++) largest = fmax(largest, fabs(eq->y[j]) / column[j]);
    for (int j = 0; j < eq->n && largest > 0; j++) column[j] *= largest;
}

/* Scale the rows and then the columns of the matrix of a general DAE to a largest entry of 1, because their units are
 * unknown. Entries that are rounding errors in a scaled row are ignored. */
static void equilibrate(rsd_equilibrium *eq, const resida_jacobian_matrix *J)
{
    const double rounding = rsd_equilibrium_get_error(eq);
    for (int i = 0; i < eq->n; i++) eq->size[i] = eq->min_size[i], eq->weight[i] = 1;
    for (int of_columns = 0; of_columns < 2; of_columns++) {
        double *to = of_columns ? eq->size : eq->weight;
        memset(eq->r, 0, (size_t)eq->n * sizeof *eq->r);
        for (int j = 0; j < eq->n; j++)
            for (int e = J->start[j]; e < J->start[j + 1]; e++) {
                const int i = J->row[e], k = of_columns ? j : i;
                const double entry = fabs(J->values[e]) * eq->size[j] / eq->weight[i];
                if (!of_columns || entry > rounding) eq->r[k] = fmax(eq->r[k], entry);
            }
        for (int k = 0; k < eq->n; k++)
            if (eq->r[k] > 0) to[k] *= of_columns ? 1 / eq->r[k] : eq->r[k];
    }
}

int rsd_equilibrium_get_kind(const rsd_equilibrium *eq, int i)
{
    const resida_layout *l = &eq->problem->layout;
    return rsd_equilibrium_is_multiplier(eq, eq->row_of[i])        ? 1
           : l->n_z > 0 && eq->row_of[i] >= l->v + l->n_v - l->n_z ? 2
                                                                   : 0;
}

/* Set the weight of each equation to its largest term, computed with the sizes of the unknowns, and to at least
 * sqrt(eps) of the largest weight of its kind. Set `terms` of a constraint to its largest term, computed with the
 * current positions. Set `terms` of other equations to their weight. */
static void set_weights_by_entries(rsd_equilibrium *eq, const resida_jacobian_matrix *J)
{
    double max[3] = {0, 0, 0};
    memset(eq->weight, 0, (size_t)eq->n_r * sizeof *eq->weight);
    memset(eq->terms, 0, (size_t)eq->n_r * sizeof *eq->terms);
    for (int j = 0; j < eq->n_x; j++) {
        const int c = eq->column_of[j];
        eq->size[j] = rsd_equilibrium_size(eq, c);
        const double part = rsd_equilibrium_is_multiplier(eq, c) ? fabs(eq->y[c]) : eq->size[j];
        for (int e = J->start[c]; e < J->start[c + 1]; e++) {
            const int i = eq->equation_of[J->row[e]];
            if (i < 0) continue;
            eq->weight[i] = fmax(eq->weight[i], fabs(J->values[e]) * part);
            eq->terms[i] = fmax(eq->terms[i], fabs(J->values[e] * eq->y[c]));
        }
    }
    for (int i = 0; i < eq->n_r; i++)
        max[rsd_equilibrium_get_kind(eq, i)] = fmax(max[rsd_equilibrium_get_kind(eq, i)], eq->weight[i]);
    for (int k = 0; k < 3; k++) eq->min_weight[k] = fmax(RSD_SQRT_EPS * max[k], DBL_MIN);
    for (int i = 0; i < eq->n_r; i++) {
        const double min = eq->min_weight[rsd_equilibrium_get_kind(eq, i)];
        eq->weight[i] = fmax(eq->weight[i], min);
        eq->terms[i] =
            rsd_equilibrium_get_kind(eq, i) == 1 ? fmax(fmin(eq->terms[i], eq->weight[i]), min) : eq->weight[i];
    }
}

double rsd_equilibrium_column_maximum(const rsd_equilibrium *eq, const resida_jacobian_matrix *J, int c)
{
    double max = 0;
    for (int e = J->start[c]; e < J->start[c + 1]; e++) {
        const int i = eq->equation_of[J->row[e]];
        if (i >= 0) max = fmax(max, fabs(J->values[e]) / eq->weight[i]);
    }
    return max;
}

/* Set the sizes of the coordinates q. If one q changes by its size, no position changes by more than its own size. */
static void set_rotation_sizes(rsd_equilibrium *eq)
{
    const rsd_csr *T = &eq->problem->mechanism->T;
    memset(eq->turn_size, 0, (size_t)eq->n * sizeof *eq->turn_size);
    for (int i = 0; i < T->rows; i++)
        for (int e = T->row[i]; e < T->row[i + 1]; e++)
            eq->turn_size[T->col[e]] =
                fmax(eq->turn_size[T->col[e]], fabs(eq->problem->mechanism->T_values[e]) / eq->size[i]);
    for (int j = 0; j < T->cols; j++) eq->turn_size[j] = eq->turn_size[j] > 0 ? 1 / eq->turn_size[j] : 1;
}

void rsd_equilibrium_set_scales(rsd_equilibrium *eq, const resida_jacobian_matrix *J)
{
    if (!eq->problem->mechanism) {
        equilibrate(eq, J);
        return;
    }
    set_weights_by_entries(eq, J);
    if (eq->n_d != eq->n_x) set_rotation_sizes(eq);
    for (int j = 0; j < eq->n_x; j++) {
        if (!rsd_equilibrium_is_multiplier(eq, eq->column_of[j])) continue;
        const double max = rsd_equilibrium_column_maximum(eq, J, eq->column_of[j]);
        eq->size[j] = max > 0 ? 1 / max : 1;
    }
}
