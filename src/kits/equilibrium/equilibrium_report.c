/* equilibrium_report.c - reports the equations with the largest residuals, and the free unknowns. Free unknowns appear
 * in null vectors of the matrix; each dependent column gives one null vector. */
#include "equilibrium_impl.h"

#include <math.h>
#include <string.h>

#define MIN_NULL_ENTRY 0.05 /* minimum entry of a reported unknown, relative to the largest of the null vector */
enum { WORST_NAMED = 3, MAX_NAMES = 12 }; /* maximum number of equations, and of undetermined unknowns, in a message */

/* Write the name of component c of y, or of row c of F if is_equation is 1. The name of a multiplier contains the name
 * of its constraint. The name of a row of Phi is the name of its coordinate. */
static void format_component_name(const rsd_equilibrium *eq, int c, int is_equation, char *text, size_t size)
{
    const resida_layout *l = &eq->problem->layout;
    const rsd_mechanism *k = eq->problem->mechanism;
    char name[RSD_ROW_NAME];
    if (k && l->lam >= 0 && c >= l->lam && c < l->lam + l->n_g + l->n_h) {
        rsd_write(text, size, "%s%s", is_equation ? "" : "the force of ",
                  rsd_row_name(k, c - l->lam, name, sizeof name));
        return;
    }
    const int i = c - l->v, has_p = is_equation && k && !k->m.kinematic_matrix && i < l->n_v - l->n_z;
    (void)resida_problem_component_name(eq->problem, has_p ? l->p + i : c, text, size);
}

void rsd_equilibrium_report_worst(rsd_equilibrium *eq)
{
    char name[RSD_COMPONENT_NAME];
    double below = INFINITY;
    resida_message *out = &eq->report->worst;
    out->text[0] = 0;
    for (int k = 0; k < WORST_NAMED && k < eq->n_r; k++) {
        int worst = -1;
        double max = 0;
        for (int i = 0; i < eq->n_r; i++) {
            const double part = fabs(eq->r[i]) / eq->weight[i];
            if (part < below && part > max) max = part, worst = i;
        }
        if (worst < 0) return;
        format_component_name(eq, eq->row_of[worst], 1, name, sizeof name);
        rsd_message_append(out, "%s%s %.4g", k > 0 ? ", " : "", name, eq->r[worst]);
        below = max;
    }
}

/* Set is_free [n_x] to 1 for the unknowns in the null vector of column k, from the factor R in A_work. */
static void mark_free_unknowns(const rsd_equilibrium *eq, int rank, int k, int *is_free)
{
    double *d = eq->d, *x = eq->dx, *c = eq->work, max = 0;
    memset(d, 0, (size_t)eq->n_d * sizeof *d);
    memcpy(c, eq->A_work + (long)k * eq->n_r, (size_t)rank * sizeof *c);
    rsd_solve_upper(rank, eq->A_work, eq->n_r, c);
    for (int q = 0; q < rank; q++) d[eq->perm[q]] = -c[q];
    d[eq->perm[k]] = 1;
    rsd_equilibrium_unscale(eq, d, x);
    for (int j = 0; j < eq->n_x; j++) max = fmax(max, fabs(x[j]) / eq->size[j]);
    for (int j = 0; j < eq->n_x; j++) is_free[j] |= fabs(x[j]) / eq->size[j] > MIN_NULL_ENTRY * max;
}

static void report_free_unknowns(const rsd_equilibrium *eq, const int *is_free)
{
    char name[RSD_COMPONENT_NAME];
    int n = 0;
    eq->report->free.text[0] = 0;
    for (int j = 0; j < eq->n_x; j++) {
        if (!is_free[j]) continue;
        if (n++ == MAX_NAMES) {
            rsd_message_append(&eq->report->free, " and more");
            return;
        }
        format_component_name(eq, eq->column_of[j], 0, name, sizeof name);
        rsd_message_append(&eq->report->free, "%s%s", n > 1 ? ", " : "", name);
    }
}

resida_status rsd_equilibrium_find_null(rsd_equilibrium *eq, const resida_jacobian_matrix *J)
{
    int *is_free;
    if (eq->is_sparse || !eq->A_work) return RESIDA_OK; /* the matrix is regular, or no correction was computed */
    if (!RSD_INTS(&eq->alloc, eq->n_x, &is_free)) return RESIDA_ERR_MEMORY;
    rsd_equilibrium_scaled_matrix(eq, J, eq->A_work);
    const int rank =
        rsd_solve_least_norm(eq->n_r, eq->n_d, eq->A_work, eq->d, rsd_equilibrium_get_error(eq), eq->perm, eq->work);
    eq->n_uncertain = eq->n_d - rank;
    if (eq->n_free == 0) return RESIDA_OK;
    eq->report->n_free = eq->n_free = eq->n_d - rank;
    for (int k = rank; k < eq->n_d; k++) mark_free_unknowns(eq, rank, k, is_free);
    report_free_unknowns(eq, is_free);
    return RESIDA_OK;
}
