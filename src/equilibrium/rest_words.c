/* rest_words.c - names of unknowns and equations of an equilibrium. */
#include "rest.h"

#include <math.h>
#include <stdio.h>

enum { WORST_NAMED = 3, MOST_NAMES = 12 };

/* A row of multipliers by its constraint, of Phi by its coordinate. */
static void equation_name(const rsd_rest *x, int row, char *text, size_t size)
{
    const resida_layout *l = &x->q->layout;
    const rsd_mechanism *k = x->q->mechanism;
    if (!k) {
        (void)resida_problem_component_name(x->q, row, text, size);
        return;
    }
    if (l->lam >= 0 && row >= l->lam) {
        char name[RSD_ROW_NAME];
        snprintf(text, size, "%s", rsd_row_name(k, row - l->lam, name, sizeof name));
        return;
    }
    const int i = row - l->v, has_p = !k->m.kinematic_matrix && i < l->n_v - l->n_z;
    (void)resida_problem_component_name(x->q, has_p ? l->p + i : row, text, size);
}

void rsd_rest_unknown_name(const rsd_rest *x, int j, char *text, size_t size)
{
    const resida_layout *l = &x->q->layout;
    const rsd_mechanism *k = x->q->mechanism;
    const int c = x->column[j], is_lam = k && l->lam >= 0 && c >= l->lam && c < l->lam + l->n_g + l->n_h;
    if (is_lam) {
        char name[RSD_ROW_NAME];
        snprintf(text, size, "the force of %s", rsd_row_name(k, c - l->lam, name, sizeof name));
        return;
    }
    (void)resida_problem_component_name(x->q, c, text, size);
}

void rsd_rest_name_worst(rsd_rest *x)
{
    char name[RSD_COMPONENT_NAME];
    double below = INFINITY;
    resida_message *out = &x->report->worst;
    out->text[0] = 0;
    for (int k = 0; k < WORST_NAMED && k < x->n_r; k++) {
        int worst = -1;
        double most = 0;
        for (int i = 0; i < x->n_r; i++) {
            const double part = fabs(x->r[i]) / x->weight[i];
            if (part < below && part > most) most = part, worst = i;
        }
        if (worst < 0) return;
        equation_name(x, x->row[worst], name, sizeof name);
        rsd_message_append(out, "%s%s %.4g", k > 0 ? ", " : "", name, x->r[worst]);
        below = most;
    }
}

/* 1: some null vector has it. */
static int is_free(const rsd_rest *x, int j)
{
    for (int k = 0; k < x->n_free; k++)
        if (rsd_rest_takes_part(x, x->free + (long)k * x->n_x, j)) return 1;
    return 0;
}

void rsd_rest_name_free(rsd_rest *x)
{
    char name[RSD_COMPONENT_NAME];
    int n = 0;
    x->report->free.text[0] = 0;
    for (int j = 0; j < x->n_x; j++) {
        if (!is_free(x, j)) continue;
        if (n++ == MOST_NAMES) {
            rsd_message_append(&x->report->free, " and more");
            return;
        }
        rsd_rest_unknown_name(x, j, name, sizeof name);
        rsd_message_append(&x->report->free, "%s%s", n > 1 ? ", " : "", name);
    }
}
