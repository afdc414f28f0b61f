/* equilibrium_report.c - names of the equations with the largest residuals, and of the unknowns that are free: those in
 * null vectors of the matrix. Each column that depends on others gives one. */
#include "equilibrium_impl.h"

#include "base/linear/rank.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAMED_PART 0.05 /* of the largest entry of a null vector: larger ones are named */
enum { WORST_NAMED = 3, MOST_NAMES = 12 };

/* The name of component c of y: a multiplier is the force of its constraint. is_equation: that of row c of F, a
 * constraint, or the coordinate that a row of Phi moves. */
static void name_of(const rsd_equilibrium *eq, int c, int is_equation, char *text, size_t size)
{
    const resida_layout *l = &eq->problem->layout;
    const rsd_mechanism *k = eq->problem->mechanism;
    char name[RSD_ROW_NAME];
    if (k && l->lam >= 0 && c >= l->lam && c < l->lam + l->n_g + l->n_h) {
        snprintf(text, size, "%s%s", is_equation ? "" : "the force of ",
                 rsd_row_name(k, c - l->lam, name, sizeof name));
        return;
    }
    const int i = c - l->v, has_p = is_equation && k && !k->m.kinematic_matrix && i < l->n_v - l->n_z;
    (void)resida_problem_component_name(eq->problem, has_p ? l->p + i : c, text, size);
}

void rsd_equilibrium_name_worst(rsd_equilibrium *eq)
{
    char name[RSD_COMPONENT_NAME];
    double below = INFINITY;
    resida_message *out = &eq->report->worst;
    out->text[0] = 0;
    for (int k = 0; k < WORST_NAMED && k < eq->n_r; k++) {
        int worst = -1;
        double most = 0;
        for (int i = 0; i < eq->n_r; i++) {
            const double part = fabs(eq->r[i]) / eq->weight[i];
            if (part < below && part > most) most = part, worst = i;
        }
        if (worst < 0) return;
        name_of(eq, eq->row_of[worst], 1, name, sizeof name);
        rsd_message_append(out, "%s%s %.4g", k > 0 ? ", " : "", name, eq->r[worst]);
        below = most;
    }
}

/* is_free [n_x]: 1 for an unknown in a null vector x [n_x]. columns: those of the matrix; d [n_d] work. */
static void find_unknowns(const rsd_equilibrium *eq, rsd_rank *columns, double *d, double *x, int *is_free)
{
    for (int k = 0; k < columns->n_redundant; k++) {
        rsd_rank_null(columns, k, d);
        rsd_equilibrium_unscale(eq, d, x);
        double most = 0;
        for (int j = 0; j < eq->n_x; j++) most = fmax(most, fabs(x[j]) / eq->size[j]);
        for (int j = 0; j < eq->n_x; j++) is_free[j] |= fabs(x[j]) / eq->size[j] > NAMED_PART * most;
    }
}

static void name_free(const rsd_equilibrium *eq, const int *is_free)
{
    char name[RSD_COMPONENT_NAME];
    int n = 0;
    eq->report->free.text[0] = 0;
    for (int j = 0; j < eq->n_x; j++) {
        if (!is_free[j]) continue;
        if (n++ == MOST_NAMES) {
            rsd_message_append(&eq->report->free, " and more");
            return;
        }
        name_of(eq, eq->column_of[j], 0, name, sizeof name);
        rsd_message_append(&eq->report->free, "%s%s", n > 1 ? ", " : "", name);
    }
}

resida_status rsd_equilibrium_find_free(rsd_equilibrium *eq, const resida_jacobian_matrix *J)
{
    const resida_allocator *a = &eq->alloc;
    double *d, *x, longest = 0;
    int *is_free;
    rsd_rank columns;
    if (eq->n_free == 0) return RESIDA_OK;
    if (rsd_rank_create(&columns, eq->n_d, eq->n_r, a, NULL) < 0 || rsd_rank_reserve(&columns, a, NULL) < 0 ||
        !RSD_DOUBLES(a, eq->n_d, &d) || !RSD_DOUBLES(a, eq->n_x, &x) || !RSD_INTS(a, eq->n_x, &is_free))
        return rsd_fail(eq->why, RESIDA_ERR_MEMORY, "no memory for the free directions of an equilibrium");
    rsd_equilibrium_matrix(eq, J, columns.Q);
    for (int j = 0; j < eq->n_d; j++) longest = fmax(longest, rsd_norm(columns.Q + (long)j * eq->n_r, eq->n_r));
    for (int j = 0; j < eq->n_d; j++) columns.least[j] = longest;
    rsd_rank_find(&columns, columns.Q, rsd_equilibrium_rounding(eq));
    eq->report->n_free = eq->n_free = columns.n_redundant;
    find_unknowns(eq, &columns, d, x, is_free);
    name_free(eq, is_free);
    return RESIDA_OK;
}
