/* invariant.c - evaluates invariants of positions (mechanism_impl.h), and projects positions onto them.
 *
 * A projection step is the shortest dp with K dp = -k, that is, dp = -K' (K K')^-1 k. Conjugate gradients compute it,
 * with the diagonal of K K' as preconditioner. One iteration of conjugate gradients is sufficient if no two invariants
 * share a coordinate. Norms of quaternions are an example. */
#include "mechanism_impl.h"

#include "base/numbers.h"
#include "base/linear/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MAX_PROJECTIONS = 50, /* maximum number of Newton steps */
    ITERATIONS_BEYOND = 4 /* maximum iterations of conjugate gradients, in addition to n_k */
};
#define MIN_STEP     1e-8  /* maximum last Newton step, relative to p */
#define MAX_RESIDUAL 1e-14 /* maximum residual of conjugate gradients, relative to k(p) */

int rsd_invariants_create(rsd_mechanism *k)
{
    rsd_invariants *q = &k->invariants;
    const resida_mechanism *m = &k->m;
    const resida_allocator *a = &k->alloc;
    if (m->n_k == 0) return 1;
    return RSD_DOUBLES(a, q->K.nnz, &q->values) && RSD_DOUBLES(a, m->n_k, &q->r, &q->z, &q->s, &q->Kw) &&
           RSD_DOUBLES(a, m->n_p, &q->w, &q->dp) &&
           (m->invariant_matrix || rsd_grouped_create(&q->groups, &q->K, rsd_csr_is_sparse(&q->K), a));
}

int rsd_eval_invariant(rsd_mechanism *k, double t, const double *p, double *out)
{
    if (k->m.n_k == 0) return 0;
    return rsd_call_position(&k->calls, RSD_CALL_INVARIANT, k->m.invariant, t, p, out, k->m.n_k);
}

int rsd_eval_invariant_matrix(rsd_mechanism *k, double t, const double *p)
{
    static const rsd_function of_k = {rsd_eval_invariant, NULL};
    rsd_invariants *q = &k->invariants;
    if (k->m.n_k == 0) return 0;
    if (!k->m.invariant_matrix) return rsd_difference_matrix(k, &q->groups, &of_k, t, p, q->values);
    return rsd_call_position(&k->calls, RSD_CALL_INVARIANT_MATRIX, k->m.invariant_matrix, t, p, q->values, q->K.nnz);
}

/* Set q->z to q->r divided by the diagonal of K K'. Return r' z. */
static double apply_preconditioner(rsd_invariants *q)
{
    double product = 0;
    for (int i = 0; i < q->K.rows; i++) {
        double diagonal = 0;
        for (int e = q->K.row[i]; e < q->K.row[i + 1]; e++) diagonal += q->values[e] * q->values[e];
        q->z[i] = q->r[i] / diagonal;
        product += q->r[i] * q->z[i];
    }
    return product;
}

/* Compute q->dp = -K' (K K')^-1 r by conjugate gradients, with the current K and r = q->r. q->r is overwritten. */
static void solve_correction(rsd_invariants *q)
{
    const int n_k = q->K.rows, n_p = q->K.cols;
    const double enough = MAX_RESIDUAL * rsd_finite_norm(q->r, n_k);
    memset(q->dp, 0, (size_t)n_p * sizeof *q->dp);
    if (enough == 0) return;
    double rz = apply_preconditioner(q);
    memcpy(q->s, q->z, (size_t)n_k * sizeof *q->s);
    for (int it = 0; it < n_k + ITERATIONS_BEYOND; it++) {
        double ww = 0, before = rz;
        memset(q->w, 0, (size_t)n_p * sizeof *q->w);
        rsd_csr_add_transposed(&q->K, q->values, 1, q->s, q->w);
        for (int i = 0; i < n_p; i++) ww += q->w[i] * q->w[i];
        rsd_csr_multiply(&q->K, q->values, q->w, NULL, q->Kw);
        for (int i = 0; i < n_p; i++) q->dp[i] -= rz / ww * q->w[i];
        for (int i = 0; i < n_k; i++) q->r[i] -= rz / ww * q->Kw[i];
        if (!(rsd_finite_norm(q->r, n_k) > enough)) return;
        rz = apply_preconditioner(q);
        for (int i = 0; i < n_k; i++) q->s[i] = q->z[i] + rz / before * q->s[i];
    }
}

int rsd_project_onto_invariants(rsd_mechanism *k, double t, double *p)
{
    rsd_invariants *q = &k->invariants;
    const int n_p = k->m.n_p;
    double before = INFINITY;
    for (int it = 0; k->m.n_k > 0 && it < MAX_PROJECTIONS; it++) {
        int verdict = rsd_eval_invariant(k, t, p, q->r);
        if (!verdict) verdict = rsd_eval_invariant_matrix(k, t, p);
        if (verdict) return verdict;
        solve_correction(q);
        const double step = rsd_finite_norm(q->dp, n_p), size = 2 * rsd_csr_compute_weighted_norm(&q->K, q->values, p);
        if (step <= RSD_NEGLIGIBLE * size || (step >= before && step <= RSD_STALLED * size)) return 0;
        if (!isfinite(step)) return 1;
        for (int i = 0; i < n_p; i++) p[i] += q->dp[i];
        if (step <= MIN_STEP * size) return 0;
        before = step;
    }
    return k->m.n_k > 0;
}
