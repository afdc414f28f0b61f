/* kkt.c - evaluates the matrices and forces of the constrained linear system of kkt.h.
 *
 * A diagonal matrix U changes the units of the coordinates such that masses are about 1: x = U x', M' = U M U, A' = A
 * U, Psi' = U Psi. Singularity and redundancy are first decided in the units of the model. If the system is singular or
 * redundant in these units, and the entries of U differ by more than SAME_UNITS, the decision is repeated in the units
 * U. Both decisions are needed. A mass of 1e-16 beside a mass of 1 may be due to the units of the model; the system is
 * then regular in the units U. With a light body between heavy bodies, the system is regular only in the units of the
 * model. Units are powers of two, so that scaling is exact.
 *
 * If applied forces depend on the constraint forces, Psi is linearised as Psi(lam) + D (mu - lam). D is computed by
 * differences. With a pattern of dPhi/dlam, multipliers without a common force are displaced together. */
#include "kkt.h"

#include "base/numbers.h"
#include "base/linear/dense.h"

#include <math.h>
#include <string.h>

#define MIN_LARGE      64  /* minimum number of accelerations and multipliers of a large system */
#define SAME_UNITS     1e4 /* ratio of entries of U up to which a decision is not repeated in the units U */
#define SPARSE_DENSITY 8   /* minimum ratio of n^2 to the number of entries of a sparse system */

static int is_large_and_sparse(const rsd_mechanism *k)
{
    const double n = (double)k->m.n_v + k->n_l;
    double entries = (double)k->M.nnz + k->T.nnz + 2.0 * k->gp.nnz + 2.0 * k->Gh.nnz;
    if (k->uses_lam) entries += k->Phi_lam.row ? k->Phi_lam.nnz : (double)k->m.n_v * k->n_l;
    return !k->is_explicit && n >= MIN_LARGE && SPARSE_DENSITY * entries <= n * n;
}

/* Create the pattern of D = dPsi/dlam and the groups of its columns, if forces depend on lam. */
static resida_status create_force_derivatives(rsd_kkt *q, const resida_allocator *alloc, resida_message *why)
{
    const rsd_mechanism *k = q->k;
    const int is_known = !k->is_explicit && k->Phi_lam.row;
    const resida_pattern all = {NULL, NULL};
    rsd_csr full = {.row = NULL};
    if (!k->uses_lam) return RESIDA_OK;
    if (!is_known) RSD_TRY(rsd_csr_create(&full, "Phi_lam", q->n_v, q->n_l, &all, alloc, why));
    resida_status status = rsd_sparsity_from_csr(&q->D, is_known ? &k->Phi_lam : &full, alloc, NULL);
    if (status >= 0) status = rsd_colour_columns(&q->groups, &q->D, NULL, alloc, NULL);
    if (!RSD_DOUBLES(alloc, q->n_l, &q->moved) || !RSD_DOUBLES(alloc, q->D.nnz, &q->D_values))
        status = RESIDA_ERR_MEMORY;
    rsd_csr_free(&full, alloc);
    return status < 0 ? rsd_fail(why, status, "no memory for forces that depend on %d multipliers", q->n_l) : status;
}

resida_status rsd_kkt_create(rsd_kkt *q, rsd_mechanism *k, const resida_allocator *alloc, resida_message *why)
{
    *q = (rsd_kkt){.k = k, .alloc = *alloc, .is_large = is_large_and_sparse(k), .n_v = k->m.n_v, .n_l = k->n_l};
    RSD_TRY(create_force_derivatives(q, alloc, why));
    q->n_metric = k->is_explicit ? (long)q->n_v * q->n_l : 0;
    if (rsd_kkt_create_matrix(q) >= 0 && RSD_INTS(alloc, q->n_l, &q->rows) &&
        RSD_DOUBLES(alloc, q->n_metric, &q->metric) &&
        RSD_DOUBLES(alloc, q->n_v, &q->psi, &q->force, &q->unit, &q->row) && RSD_DOUBLES(alloc, q->n_l, &q->scale) &&
        RSD_DOUBLES(alloc, (long)q->n_v + q->n_l, &q->rhs)) {
        rsd_kkt_reset_units(q);
        return RESIDA_OK;
    }
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the consistent start (%d accelerations, %d multipliers)",
                    q->n_v, q->n_l);
}

int rsd_kkt_eval_rows(rsd_kkt *q, double t, const double *p)
{
    int verdict = rsd_eval_excitation(q->k, t);
    if (!verdict) verdict = rsd_eval_matrices(q->k, t, p);
    if (!verdict) verdict = rsd_kkt_update_patterns(q);
    if (!verdict) rsd_kkt_set_rows(q);
    return verdict;
}

int rsd_kkt_eval_at_rest(rsd_kkt *q, double t, const double *p, const double *v, const double *lam)
{
    memset(q->rhs, 0, (size_t)(q->n_v + q->n_l) * sizeof *q->rhs);
    return rsd_eval_formalism(q->k, t, p, v, q->rhs, lam, q->k->work.out);
}

/* Compute M^-1 A' into q->metric, with one call of the formalism for each column. */
static int eval_inverse_metric(rsd_kkt *q, double t, const double *p, const double *v)
{
    int verdict = 0;
    for (int i = 0; i < q->n_l && !verdict; i++) {
        memset(q->row, 0, (size_t)q->n_v * sizeof *q->row);
        for (int e = q->rows_of_A.row[i]; e < q->rows_of_A.row[i + 1]; e++) q->row[q->rows_of_A.col[e]] = q->A[e];
        verdict = rsd_eval_response(q->k, t, p, v, q->psi, q->row, q->metric + (long)i * q->n_v);
    }
    return verdict;
}

int rsd_kkt_eval_metric(rsd_kkt *q, double t, const double *p, const double *v)
{
    if (q->D.nnz > 0) memset(q->D_values, 0, (size_t)q->D.nnz * sizeof *q->D_values);
    int verdict = rsd_kkt_eval_at_rest(q, t, p, v, q->rhs + q->n_v);
    if (verdict) return verdict;
    memcpy(q->psi, q->k->work.out, (size_t)q->n_v * sizeof *q->psi);
    if (q->k->is_explicit) return eval_inverse_metric(q, t, p, v);
    verdict = rsd_inertia_eval(q->k, t, p, v, q->psi);
    if (!verdict) verdict = rsd_kkt_update_patterns(q);
    q->metric = q->k->inertia.values;
    q->n_metric = q->k->M.nnz;
    for (int i = 0; i < q->n_v; i++) q->psi[i] = -q->psi[i]; /* Psi = -Phi(a = 0) */
    return verdict;
}

int rsd_kkt_set_force(rsd_kkt *q, double t, const double *p, const double *v, const double *f, const double *base)
{
    if (q->k->is_explicit) return rsd_eval_response(q->k, t, p, v, base, f, q->psi);
    memcpy(q->psi, f, (size_t)q->n_v * sizeof *f);
    return 0;
}

const double *rsd_kkt_get_row(const rsd_kkt *q, int i, int *n)
{
    const rsd_csr *A = &q->rows_of_A;
    *n = A->row[i + 1] - A->row[i];
    for (int e = 0; e < *n; e++) q->row[e] = q->A[A->row[i] + e] * q->unit[A->col[A->row[i] + e]];
    return q->row;
}

double rsd_kkt_get_row_scale(const rsd_kkt *q, int i)
{
    int n;
    const double *row = rsd_kkt_get_row(q, i, &n), norm = rsd_norm(row, n);
    return norm > 0 ? 1 / norm : 1;
}

double rsd_kkt_get_max_entry(const rsd_kkt *q)
{
    double max = 0;
    for (int e = 0; e < q->rows_of_A.nnz; e++) max = fmax(max, fabs(q->A[e]) * q->unit[q->rows_of_A.col[e]]);
    return max;
}

/* Estimate the order of magnitude of the mass [n_v] of each coordinate. A mass is 0 if it is not known. In the residual
 * formalism, mass i is the diagonal entry i of M. In the explicit formalism, mass i is sum |A'|/sum |M^-1 A'| of row i,
 * which is exact for a diagonal M. */
static void estimate_masses(const rsd_kkt *q, double *mass)
{
    const rsd_csr *M = &q->k->M, *A = &q->rows_of_A;
    memset(mass, 0, (size_t)q->n_v * sizeof *mass);
    if (!q->k->is_explicit) {
        for (int i = 0; i < q->n_v; i++)
            for (int e = M->row[i]; e < M->row[i + 1]; e++)
                if (M->col[e] == i) mass[i] = fabs(q->metric[e]);
        return;
    }
    for (int e = 0; e < A->nnz; e++) mass[A->col[e]] += fabs(q->A[e]);
    for (int i = 0; i < q->n_v; i++) {
        double effect = 0;
        for (long e = i; e < q->n_metric; e += q->n_v) effect += fabs(q->metric[e]);
        mass[i] = effect > 0 ? mass[i] / effect : 0;
    }
}

int rsd_kkt_change_units(rsd_kkt *q)
{
    double min = INFINITY, max = 0, *mass = q->row;
    if (q->is_scaled) return 0;
    estimate_masses(q, mass);
    for (int i = 0; i < q->n_v; i++) {
        int exponent;
        frexp(mass[i] > 0 && isfinite(mass[i]) ? 1 / sqrt(mass[i]) : 1, &exponent);
        q->unit[i] = ldexp(1, exponent);
        min = fmin(min, q->unit[i]);
        max = fmax(max, q->unit[i]);
    }
    q->is_scaled = max > SAME_UNITS * min;
    if (!q->is_scaled) rsd_kkt_reset_units(q);
    return q->is_scaled;
}

void rsd_kkt_reset_units(rsd_kkt *q)
{
    for (int i = 0; i < q->n_v; i++) q->unit[i] = 1;
    q->is_scaled = 0;
}

void rsd_kkt_write_full_rows(const rsd_kkt *q, double *A)
{
    rsd_write_full_G(q->k, A);
    for (long i = 0; i < q->n_l; i++)
        for (int j = 0; j < q->n_v; j++) A[i * q->n_v + j] = q->k->open[i] ? 0 : A[i * q->n_v + j] * q->unit[j];
}

/* Set q->psi to the linearised force Psi(lam) - D lam, with Psi(lam) in q->force and D = dPsi/dlam. */
static void set_linearised_force(rsd_kkt *q, const double *lam)
{
    memcpy(q->psi, q->force, (size_t)q->n_v * sizeof *q->psi);
    for (int j = 0; j < q->D.cols; j++)
        for (int e = q->D.col_start[j]; e < q->D.col_start[j + 1]; e++) q->psi[q->D.row[e]] -= q->D_values[e] * lam[j];
}

int rsd_kkt_eval_force(rsd_kkt *q, double t, const double *p, const double *v, const double *lam)
{
    const int verdict = rsd_kkt_eval_at_rest(q, t, p, v, lam);
    for (int i = 0; i < q->n_v && !verdict; i++) q->force[i] = (q->k->is_explicit ? 1 : -1) * q->k->work.out[i];
    if (!verdict) set_linearised_force(q, lam);
    return verdict;
}

/* Return max |lam_i| |row i of A|, the largest constraint force. If lam is zero, return max |Psi_i|, or 1. */
static double compute_force_size(const rsd_kkt *q, const double *lam)
{
    double max = 0;
    for (int r = 0; r < q->n_rows; r++) max = fmax(max, fabs(lam[q->rows[r]]) / rsd_kkt_get_row_scale(q, q->rows[r]));
    if (!(max > 0) && !q->k->is_explicit) max = rsd_max_norm(q->force, q->n_v);
    return max > 0 ? max : 1;
}

/* Compute the columns of D = dPsi/dlam in group g by a difference that changes forces by RSD_SQRT_EPS times `force`. */
static int difference_D_group(rsd_kkt *q, double t, const double *p, const double *v, const double *lam, double force,
                              int g)
{
    const double sign = q->k->is_explicit ? 1 : -1;
    int members = 0;
    memcpy(q->moved, lam, (size_t)q->n_l * sizeof *lam);
    for (int r = 0; r < q->n_rows; r++)
        if (q->groups.group[q->rows[r]] == g) {
            q->moved[q->rows[r]] += RSD_SQRT_EPS * force * rsd_kkt_get_row_scale(q, q->rows[r]);
            members++;
        }
    if (members == 0) return 0;
    const int verdict = rsd_kkt_eval_at_rest(q, t, p, v, q->moved);
    for (int r = 0; r < q->n_rows && !verdict; r++) {
        const int j = q->rows[r];
        if (q->groups.group[j] != g) continue;
        for (int e = q->D.col_start[j]; e < q->D.col_start[j + 1]; e++)
            q->D_values[e] = (sign * q->k->work.out[q->D.row[e]] - q->force[q->D.row[e]]) / (q->moved[j] - lam[j]);
    }
    return verdict;
}

int rsd_kkt_linearise(rsd_kkt *q, double t, const double *p, const double *v, const double *lam)
{
    const double force = compute_force_size(q, lam);
    int verdict = 0;
    for (int g = 0; g < q->groups.n_groups && !verdict; g++) verdict = difference_D_group(q, t, p, v, lam, force, g);
    if (!verdict) set_linearised_force(q, lam);
    return verdict;
}
