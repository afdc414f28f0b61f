/* equilibrium_report.c - names of the equations with the largest residuals, and of the unknowns that are free: those in
 * null vectors of the matrix, by a QR factorisation with column pivoting. Each column that depends on those before it
 * gives one. */
#include "equilibrium_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAMED_PART 0.05 /* of the largest entry of a null vector: larger ones are named */
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

static int rank_of(const rsd_equilibrium *eq, const double *QR)
{
    const int most = eq->n_r < eq->n_d ? eq->n_r : eq->n_d;
    int rank = 0;
    while (rank < most && fabs(QR[(long)rank * eq->n_r + rank]) > rsd_equilibrium_rounding(eq) * fabs(QR[0])) rank++;
    return rank;
}

/* is_free [n_x]: 1 for an unknown in a null vector x [n_x]. z, d [n_d] work. */
static void find_unknowns(const rsd_equilibrium *eq, const double *QR, const int *perm, int rank, double *z, double *d,
                          double *x, int *is_free)
{
    for (int k = rank; k < eq->n_d; k++) {
        memset(d, 0, (size_t)eq->n_d * sizeof *d);
        for (int i = 0; i < rank; i++) z[i] = QR[(long)k * eq->n_r + i];
        rsd_upper_solve(rank, QR, eq->n_r, z);
        for (int i = 0; i < rank; i++) d[perm[i]] = -z[i];
        d[perm[k]] = 1;
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
        unknown_name(eq, j, name, sizeof name);
        rsd_message_append(&eq->report->free, "%s%s", n > 1 ? ", " : "", name);
    }
}

resida_status rsd_equilibrium_find_free(rsd_equilibrium *eq, const resida_jacobian_matrix *J)
{
    const resida_allocator *a = &eq->alloc;
    double *A = NULL, *z, *d, *x;
    int *perm, *is_free;
    if (eq->is_sparse) return RESIDA_OK; /* clearly regular */
    if (!(A = rsd_matrix(a, eq->n_r, eq->n_d)) || !RSD_DOUBLES(a, eq->n_d, &z, &d) || !RSD_DOUBLES(a, eq->n_x, &x) ||
        !RSD_INTS(a, eq->n_d, &perm) || !RSD_INTS(a, eq->n_x, &is_free))
        return rsd_fail(eq->why, RESIDA_ERR_MEMORY, "no memory for the free directions of an equilibrium");
    rsd_equilibrium_matrix(eq, J, A);
    rsd_qr(eq->n_r, eq->n_d, A, perm, NULL);
    const int rank = rank_of(eq, A);
    eq->n_uncertain = eq->n_d - rank;
    if (eq->n_free == 0) return RESIDA_OK;
    eq->report->n_free = eq->n_free = eq->n_d - rank;
    find_unknowns(eq, A, perm, rank, z, d, x, is_free);
    name_free(eq, is_free);
    return RESIDA_OK;
}
