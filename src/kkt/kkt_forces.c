/* kkt_forces.c - applied forces that depend on the constraint forces: Psi is linearised as Psi(lam) + D (x - lam), D by
 * differences. If the model gives the pattern of dPhi/dlam, multipliers without a common force are perturbed in one
 * group; each takes the first group that is free (greedy colouring). */
#include "kkt_backend.h"

#include "src/base/numbers.h"
#include "src/linear/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A' of a pattern. */
static resida_status transpose(rsd_csr *T, const rsd_csr *A, const resida_allocator *alloc)
{
    *T = (rsd_csr){.rows = A->cols, .cols = A->rows, .nnz = A->nnz};
    T->row = rsd_calloc(alloc, T->rows + 2L, sizeof(int)); /* one longer: starts are shifted while rows are filled */
    T->col = rsd_calloc(alloc, T->nnz, sizeof(int));
    if (!T->row || !T->col) return RESIDA_ERR_MEMORY;
    for (int e = 0; e < A->nnz; e++) T->row[A->col[e] + 2]++;
    for (int j = 0; j < T->rows; j++) T->row[j + 2] += T->row[j + 1];
    for (int i = 0; i < A->rows; i++)
        for (int e = A->row[i]; e < A->row[i + 1]; e++) T->col[T->row[A->col[e] + 1]++] = i;
    return RESIDA_OK;
}

/* Phi_lam: the multipliers of each force. taken [n_l]: the last multiplier that excludes a group, plus 1. */
static void find_groups(rsd_kkt *q, const rsd_csr *Phi_lam, int *taken)
{
    for (int j = 0; j < q->n_l; j++) {
        for (int e = q->D.row[j]; e < q->D.row[j + 1]; e++) {
            int i = q->D.col[e];
            for (int f = Phi_lam->row[i]; f < Phi_lam->row[i + 1] && Phi_lam->col[f] < j; f++)
                taken[q->group[Phi_lam->col[f]]] = j + 1;
        }
        while (taken[q->group[j]] == j + 1) q->group[j]++;
        if (q->group[j] >= q->n_groups) q->n_groups = q->group[j] + 1;
    }
}

resida_status rsd_kkt_create_forces(rsd_kkt *q, const resida_allocator *alloc, resida_message *why)
{
    const rsd_mechanism *k = q->k;
    if (!k->uses_lam) return RESIDA_OK;
    rsd_csr full = {.row = NULL};
    const int is_known = !k->is_explicit && k->Phi_lam.row;
    const resida_pattern all = {NULL, NULL};
    if (!is_known) RSD_TRY(rsd_csr_create(&full, "Phi_lam", q->n_v, q->n_l, &all, alloc, why));
    int *taken = NULL;
    resida_status status = transpose(&q->D, is_known ? &k->Phi_lam : &full, alloc);
    if (!RSD_INTS(alloc, q->n_l, &taken, &q->group) || !RSD_DOUBLES(alloc, q->n_l, &q->moved) ||
        !RSD_DOUBLES(alloc, q->D.nnz, &q->D_values))
        status = RESIDA_ERR_MEMORY;
    if (status >= 0) find_groups(q, is_known ? &k->Phi_lam : &full, taken);
    rsd_free(alloc, taken);
    rsd_csr_free(&full, alloc);
    return status < 0 ? rsd_fail(why, status, "no memory for forces that depend on %d multipliers", q->n_l) : status;
}

void rsd_kkt_add_D(const rsd_kkt *q, int j, double s, double *x)
{
    if (!q->D.row) return;
    for (int e = q->D.row[j]; e < q->D.row[j + 1]; e++) x[q->D.col[e]] += s * q->D_values[e];
}

/* Rows of D of the listed multipliers of a group; psi holds Psi(lam). */
static int difference_group(rsd_kkt *q, double t, const double *p, const double *v, const double *lam, double step,
                            int g)
{
    double sign = q->k->is_explicit ? 1 : -1;
    int members = 0;
    memcpy(q->moved, lam, (size_t)q->n_l * sizeof *lam);
    for (int r = 0; r < q->n_rows; r++)
        if (q->group[q->rows[r]] == g) {
            q->moved[q->rows[r]] += step;
            members++;
        }
    if (members == 0) return 0;
    int verdict = rsd_kkt_at_rest(q, t, p, v, q->moved);
    for (int r = 0; r < q->n_rows && !verdict; r++) {
        int j = q->rows[r];
        if (q->group[j] != g) continue;
        for (int e = q->D.row[j]; e < q->D.row[j + 1]; e++)
            q->D_values[e] = (sign * q->k->work.out[q->D.col[e]] - q->psi[q->D.col[e]]) / (q->moved[j] - lam[j]);
    }
    return verdict;
}

int rsd_kkt_linearise(rsd_kkt *q, double t, const double *p, const double *v, const double *lam)
{
    double sign = q->k->is_explicit ? 1 : -1;
    int verdict = rsd_kkt_at_rest(q, t, p, v, lam);
    if (verdict) return verdict;
    for (int i = 0; i < q->n_v; i++) q->psi[i] = sign * q->k->work.out[i];
    const double largest = rsd_max_norm(lam, q->n_l);
    double step = RSD_SQRT_EPS * (largest > 0 ? largest : 1);
    for (int g = 0; g < q->n_groups && !verdict; g++) verdict = difference_group(q, t, p, v, lam, step, g);
    for (int j = 0; j < q->n_l && !verdict; j++) rsd_kkt_add_D(q, j, -lam[j], q->psi);
    if (q->is_scaled) rsd_kkt_scale_forces(q);
    return verdict;
}
