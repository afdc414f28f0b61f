/* examine_inertia.c - checks that the mass matrix of a start is positive semidefinite. M is scaled to a unit diagonal.
 * Cholesky's method with complete pivoting (dpstrf) stops with the remainder
 *
 *     M - L L',   L: the columns computed so far,
 *
 * whose diagonal is 0 within rounding. A negative entry is an inertia of the wrong sign, or a coupling that exceeds
 * the inertia. For explicit formalisms G M^-1 G' is checked. For large systems with a sparse M only the diagonal is
 * checked. Without constraints there is no check, because the rows of Phi may have any factors. */
#include "examine.h"

#include "base/linear/dense.h"

#include <math.h>
#include <stdio.h>

#define NEGATIVE_TOLERANCE 1e-8  /* maximum |entry| of the remainder that counts as zero; the diagonal of M is 1 */
#define ZERO_MASS          1e-12 /* maximum mass that counts as zero, relative to the largest mass or to the forces */

static double get_inertia_entry(const rsd_kkt *q, int i, int j)
{
    const rsd_csr *M = &q->k->M;
    const rsd_csr *A = &q->rows_of_A;
    if (q->k->is_explicit) {
        double sum = 0;
        for (int e = A->row[i]; e < A->row[i + 1]; e++) sum += q->A[e] * q->metric[(long)j * q->n_v + A->col[e]];
        return sum;
    }
    for (int e = M->row[i]; e < M->row[i + 1]; e++)
        if (M->col[e] == j) return q->metric[e];
    return 0;
}

static void warn_of_negative_inertia(const rsd_kkt *q, double t, int i, double left, rsd_warnings *warnings)
{
    const resida_mechanism *d = &q->k->m;
    char text[RSD_ROW_NAME];
    const char *const *names = d->kinematic_matrix ? d->v_names : d->p_names;
    const char *name = !q->k->is_explicit && names ? names[i] : text;
    snprintf(text, sizeof text, "%s[%d]", d->kinematic_matrix ? "v" : "p", i);
    if (q->k->is_explicit) name = rsd_row_name(q->k, i, text, sizeof text);
    rsd_add_warning(warnings, RSD_CLAIM_INERTIA,
                    "inertia: %s of %s is %.3g%s at t = %.6g; the mass matrix of %s must be positive definite",
                    q->k->is_explicit ? "G M^-1 G'" : "that", name, left,
                    left == get_inertia_entry(q, i, i) ? "" : ", without the part coupled with others,", t,
                    rsd_formalism_name(q->k));
}

int rsd_examine_inertia(const rsd_kkt *q, double t, rsd_warnings *warnings)
{
    const int n = q->k->is_explicit ? q->n_l : q->k->n_w;
    double min = q->k->is_explicit || q->k->m.mass_matrix ? 0 : ZERO_MASS * rsd_max_norm(q->psi, q->n_v), max = 0;
    if (q->n_l == 0 || q->is_scaled) return 1;
    for (int i = 0; i < n; i++) max = fmax(max, fabs(get_inertia_entry(q, i, i)));
    min = fmax(min, ZERO_MASS * max);
    for (int i = 0; i < n; i++)
        if (get_inertia_entry(q, i, i) < -min) warn_of_negative_inertia(q, t, i, get_inertia_entry(q, i, i), warnings);
    if (q->is_large || max == 0) return 1;
    rsd_owner owner;
    const resida_allocator own = rsd_get_owned_allocator(&owner, &q->k->alloc), *a = &own;
    double *X, *unit;
    int *perm;
    const int all = RSD_DOUBLES(a, (long)n * n, &X) && RSD_DOUBLES(a, n, &unit) && RSD_INTS(a, n, &perm);
    for (int i = 0; i < n && all; i++) unit[i] = 1 / sqrt(fmax(get_inertia_entry(q, i, i), min));
    for (int j = 0; j < n && all; j++)
        for (int i = 0; i < n; i++) X[(long)j * n + i] = get_inertia_entry(q, i, j) * unit[i] * unit[j];
    const int rank = all ? rsd_factor_cholesky_pivoted(n, X, NEGATIVE_TOLERANCE, perm) : 0;
    for (int k = rank; k < n && rank > 0; k++) {
        const int i = perm[k];
        const double left = X[(long)k * n + k], in_units = left / (unit[i] * unit[i]);
        if (left < -NEGATIVE_TOLERANCE && in_units < -min) warn_of_negative_inertia(q, t, i, in_units, warnings);
    }
    rsd_owner_free(&owner);
    return all;
}
