/* equilibrium_names.c - names of unknowns and equations of an equilibrium. */
#include "equilibrium_impl.h"

#include <math.h>
#include <stdio.h>

enum { WORST_NAMED = 3, MOST_NAMES = 12 };

/* The name of the constraint, or of the coordinate of a row of Phi. */
static void equation_name(const rsd_equilibrium *eq, int row, char *text, size_t size)
{
    const resida_layout *l = &eq->problem->layout;
    const rsd_mechanism *k = eq->problem->mechanism;
    if (!k) {
        (void)resida_problem_component_name(eq->problem, row, text, size);
        return;
    }
    if (l->lam >= 0 && row >= l->lam) {
        char name[RSD_ROW_NAME];
        snprintf(text, size, "%s", rsd_row_name(k, row - l->lam, name, sizeof name));
        return;
    }
    const int i = row - l->v, has_p = !k->m.kinematic_matrix && i < l->n_v - l->n_z;
    (void)resida_problem_component_name(eq->problem, has_p ? l->p + i : row, text, size);
}

static void unknown_name(const rsd_equilibrium *eq, int j, char *text, size_t size)
{
    const resida_layout *l = &eq->problem->layout;
    const rsd_mechanism *k = eq->problem->mechanism;
    const int c = eq->column_of[j], is_lam = k && l->lam >= 0 && c >= l->lam && c < l->lam + l->n_g + l->n_h;
    if (is_lam) {
        char name[RSD_ROW_NAME];
        snprintf(text, size, "the force of %s", rsd_row_name(k, c - l->lam, name, sizeof name));
        return;
    }
    (void)resida_problem_component_name(eq->problem, c, text, size);
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
        equation_name(eq, eq->row_of[worst], name, sizeof name);
        rsd_message_append(out, "%s%s %.4g", k > 0 ? ", " : "", name, eq->r[worst]);
        below = most;
    }
}

/* 1: unknown j is in a null vector. */
static int is_free(const rsd_equilibrium *eq, int j)
{
    for (int k = 0; k < eq->n_free; k++)
        if (rsd_equilibrium_is_in_vector(eq, eq->null_vectors + (long)k * eq->n_x, j)) return 1;
    return 0;
}

void rsd_equilibrium_name_free(rsd_equilibrium *eq)
{
    char name[RSD_COMPONENT_NAME];
    int n = 0;
    eq->report->free.text[0] = 0;
    for (int j = 0; j < eq->n_x; j++) {
        if (!is_free(eq, j)) continue;
        if (n++ == MOST_NAMES) {
            rsd_message_append(&eq->report->free, " and more");
            return;
        }
        unknown_name(eq, j, name, sizeof name);
        rsd_message_append(&eq->report->free, "%s%s", n > 1 ? ", " : "", name);
    }
}
