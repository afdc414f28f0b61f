/* projection.c - evaluates the directions D1, D2 of projection.h, and applies them to vectors.
 *
 * A frozen D is the D of a reference point, as in section 3.3 of Ascher, Petzold. There is a constant R with R D = 0,
 * and the integrated system is an ODE in the coordinates R p. The coordinates are valid while (3.15) is satisfied,
 *
 *     | (R; G)^-1 | <= K.
 *
 * For orthonormal rows of R and G the norm is 1/cos(angle). The angle is the largest one between the current rows of G
 * and those at the reference point. If p' = T v, or if p has invariants, the norm is evaluated twice. The first
 * evaluation is for G = (dg/dp) T. The second is for dg/dp in the space of p, without its components along the rows of
 * K, since the invariants enforce these directions.
 *
 * The projection after a step, (4.16)-(4.20), first computes p with k(p) = 0, then replaces p by p + T D mu with g = 0,
 * and then v by v + D mu with G v + gI = 0. With D = W^-1 G' the result is the nearest point in the norm of W (I for D
 * = G', M for B). Newton's method uses G D of the initial point, since the correction is the drift of one step. */
#include "projection.h"

#include "base/linear/condition.h"
#include "base/linear/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_PASSES = 4 };     /* maximum Newton iterations that correct the drift of one step */
#define MAX_CORRECTION 1e-12 /* maximum last correction of p or v, relative to their size */
#define MAX_K          2.0   /* maximum 1/cos(angle), for 60 degrees */

static int is_D_full(const rsd_projection *D)
{
    return D->kind == RSD_PROJECTION_B || D->kind == RSD_PROJECTION_OWN;
}

resida_status rsd_projection_create(rsd_projection *D, rsd_mechanism *k, int after_steps, resida_message *why)
{
    const resida_allocator *a = &k->alloc;
    const long n_v = k->m.n_v, n_p = k->m.n_p, n_l = k->n_l, of_p = ((long)k->m.n_k + k->m.n_g) * n_p;
    const int is_frozen = D->kind == RSD_PROJECTION_FROZEN;
    if (D->kind == RSD_PROJECTION_B && !k->m.mass_matrix)
        return rsd_fail(why, RESIDA_ERR_MODEL, "%s: projection B = M^-1 G' needs a mass_matrix", k->m.name);
    int all = RSD_DOUBLES(a, n_v, &D->x, &D->x_step);
    if (is_D_full(D)) all = all && RSD_DOUBLES(a, n_v * n_l, &D->D);
    if (D->kind == RSD_PROJECTION_OWN) all = all && RSD_DOUBLES(a, n_v * k->m.n_g, &D->given);
    if (D->kind == RSD_PROJECTION_B)
        all = all && RSD_DOUBLES(a, n_v * n_v, &D->M) && RSD_DOUBLES(a, k->M.nnz, &D->M_values) &&
              RSD_INTS(a, n_v, &D->M_pivots);
    if (is_frozen)
        all = all && RSD_DOUBLES(a, k->gp.nnz, &D->gp) && RSD_DOUBLES(a, k->T.nnz, &D->T) &&
              RSD_DOUBLES(a, k->Gh.nnz, &D->Gh) && RSD_DOUBLES(a, n_l * n_v, &D->Q, &D->Q_frozen) &&
              RSD_DOUBLES(a, n_p > n_v ? n_p : n_v, &D->x_p);
    if (is_frozen && (k->m.kinematic_matrix || k->m.n_k > 0)) all = all && RSD_DOUBLES(a, of_p, &D->P, &D->P_frozen);
    if (is_frozen || after_steps)
        all = all && RSD_DOUBLES(a, n_l * n_l, &D->S) && RSD_DOUBLES(a, n_l, &D->mu) && RSD_INTS(a, n_l, &D->S_pivots);
    return all ? RESIDA_OK : rsd_fail(why, RESIDA_ERR_MEMORY, "%s: no memory for the projection", k->m.name);
}

static int evaluate_directions_B(rsd_projection *D, rsd_mechanism *k, double t, const double *p)
{
    int n_v = k->m.n_v, verdict = rsd_eval_mass_matrix(k, t, p, D->M_values);
    if (verdict) return verdict;
    rsd_csr_copy_to_full(&k->M, D->M_values, D->M); /* M is symmetric, therefore its rows can be stored as columns */
    if (rsd_lu_factor(n_v, D->M, D->M_pivots)) return 1;
    rsd_write_full_G(k, D->D); /* the rows of (G, Gh) are the columns of G', Gh' */
    for (int i = 0; i < k->n_l; i++) rsd_lu_solve(n_v, D->M, D->M_pivots, D->D + (long)i * n_v);
    return 0;
}

static int eval_given_D(rsd_projection *D, rsd_mechanism *k, double t, const double *p)
{
    int n_v = k->m.n_v, n_g = k->m.n_g, n = n_v * n_g;
    int verdict = rsd_call_position(&k->calls, RSD_CALL_PROJECTION_MATRIX, D->matrix, t, p, D->given, n);
    rsd_write_full_G(k, D->D);
    for (int i = 0; i < n_g && !verdict; i++)
        for (int r = 0; r < n_v; r++) D->D[(long)i * n_v + r] = D->given[(long)r * n_g + i];
    return verdict;
}

int rsd_projection_eval(rsd_projection *D, rsd_mechanism *k, double t, const double *p)
{
    if (D->kind == RSD_PROJECTION_B) return evaluate_directions_B(D, k, t, p);
    return D->kind == RSD_PROJECTION_OWN ? eval_given_D(D, k, t, p) : 0;
}

/* Add the product of the first n columns of D2 with the vector s [n] to x [n_v]. */
static void add_columns_of_D2(rsd_projection *D, const rsd_mechanism *k, int n, const double *s, double *x)
{
    for (int i = 0; i < n; i++)
        for (int r = 0; r < k->m.n_v; r++) x[r] += s[i] * D->D[(long)i * k->m.n_v + r];
}

void rsd_project_position(rsd_projection *D, rsd_mechanism *k, const double *eta, double *r)
{
    if (!is_D_full(D)) {
        rsd_csr_add_transposed(&k->gp, D->kind == RSD_PROJECTION_FROZEN ? D->gp : k->gp_values, 1, eta, r);
        return;
    }
    memset(D->x, 0, (size_t)k->m.n_v * sizeof *D->x);
    add_columns_of_D2(D, k, k->m.n_g, eta, D->x);
    rsd_apply_T(k, D->x, k->work.x_p);
    for (int i = 0; i < k->m.n_p; i++) r[i] += k->work.x_p[i];
}

void rsd_project_velocity(rsd_projection *D, rsd_mechanism *k, const double *tau, double *a)
{
    if (is_D_full(D))
        add_columns_of_D2(D, k, k->n_l, tau, a);
    else if (D->kind == RSD_PROJECTION_FROZEN)
        rsd_add_force(k, D->gp, D->T, D->Gh, 1, tau, a);
    else
        rsd_add_constraint_force(k, 1, tau, a);
}

/* --- frozen directions --- */

/* Make the rows of Q [n x m] orthonormal by the Gram-Schmidt method with two passes. Row `kept` + i becomes zero if
 * dropped[i] is 1, with dropped [n - kept]. */
static void make_orthonormal(int n, int kept, int m, const unsigned char *dropped, double *Q)
{
    for (int i = 0; i < n; i++) {
        double *x = Q + (long)i * m, size = i >= kept && dropped[i - kept] ? 0 : sqrt(rsd_dot(x, x, m));
        for (int pass = 0; pass < 2 && size > 0; pass++) {
            for (int r = 0; r < m; r++) x[r] /= size;
            for (int j = 0; j < i; j++) {
                const double *q = Q + (long)j * m;
                double part = rsd_dot(q, x, m);
                for (int r = 0; r < m; r++) x[r] -= part * q[r];
            }
            size = sqrt(rsd_dot(x, x, m));
        }
        for (int r = 0; r < m; r++) x[r] = size > 0 ? x[r] / size : 0;
    }
}

/* Set Q [n_l x n_v] to an orthonormal basis of the rows of the current (G, Gh). */
static void make_basis_of_G(const rsd_mechanism *k, double *Q)
{
    rsd_write_full_G(k, Q);
    make_orthonormal(k->n_l, 0, k->m.n_v, k->dropped, Q);
}

/* Set P [n_k + n_g x n_p] to an orthonormal basis of the rows of the current K, followed by those of gp. */
static void make_basis_of_g(const rsd_mechanism *k, const double *gp, double *P)
{
    const int n_k = k->m.n_k;
    if (n_k > 0) rsd_csr_copy_to_full(&k->invariants.K, k->invariants.values, P);
    rsd_csr_copy_to_full(&k->gp, gp, P + (long)n_k * k->m.n_p);
    make_orthonormal(n_k + k->m.n_g, n_k, k->m.n_p, k->dropped, P);
}

void rsd_projection_freeze(rsd_projection *D, const rsd_mechanism *k)
{
    memcpy(D->gp, k->gp_values, (size_t)k->gp.nnz * sizeof *D->gp);
    memcpy(D->T, k->T_values, (size_t)k->T.nnz * sizeof *D->T);
    memcpy(D->Gh, k->Gh_values, (size_t)k->Gh.nnz * sizeof *D->Gh);
    make_basis_of_G(k, D->Q_frozen);
}

/* LU factors of a matrix [n x n] in D->S. */
typedef struct factors {
    const rsd_projection *D;
    int n;
} factors;

static void solve_basis_product(void *context, double *x)
{
    const factors *f = context;
    rsd_lu_solve(f->n, f->D->S, f->D->S_pivots, x);
}

/* Two matrices [n x m] with orthonormal rows that span the rows of G, or of dg/dp, at two points. */
typedef struct bases {
    int n, m;                     /* number of rows and columns */
    double *now, *then;           /* [n x m] matrix at the current point; at the reference point */
    const unsigned char *dropped; /* [n] 1: the row belongs to a dropped constraint, and is zero */
} bases;

/* Replace row x [m] by its projection onto the rows of the reference point, x = then' then x. sum [m] is work space. */
static void project_onto_reference(const bases *b, double *sum, double *x)
{
    memset(sum, 0, (size_t)b->m * sizeof *sum);
    for (int j = 0; j < b->n; j++) {
        const double *q = b->then + (long)j * b->m;
        double part = rsd_dot(q, x, b->m);
        for (int r = 0; r < b->m; r++) sum[r] += part * q[r];
    }
    memcpy(x, sum, (size_t)b->m * sizeof *x);
}

/* Return |(C C')^-1| for C = now then', which is 1/cos^2 of the largest angle between the bases. */
static double compute_squared_K(rsd_projection *D, const bases *b)
{
    const int n = b->n, m = b->m;
    for (int i = 0; i < n; i++) project_onto_reference(b, D->x_p, b->now + (long)i * m);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            D->S[(long)j * n + i] =
                b->dropped[i] || b->dropped[j] ? i == j : rsd_dot(b->now + (long)i * m, b->now + (long)j * m, m);
    if (rsd_lu_factor(n, D->S, D->S_pivots)) return INFINITY;
    return rsd_estimate_inverse_norm(n, solve_basis_product, &(factors){D, n}, D->mu);
}

/* Return 1 if the angle in the space of p between the rows of dg/dp and those at the reference point is too large. */
static int has_turned_in_p(rsd_projection *D, rsd_mechanism *k)
{
    const long first = (long)k->m.n_k * k->m.n_p;
    if (!D->P) return 0;
    make_basis_of_g(k, k->gp_values, D->P);
    make_basis_of_g(k, D->gp, D->P_frozen);
    const bases b = {k->m.n_g, k->m.n_p, D->P + first, D->P_frozen + first, k->dropped};
    return compute_squared_K(D, &b) > MAX_K * MAX_K;
}

int rsd_projection_is_outdated(rsd_projection *D, rsd_mechanism *k, double t, const double *p)
{
    int verdict = rsd_eval_excitation(k, t);
    if (!verdict) verdict = rsd_eval_matrices(k, t, p);
    if (verdict) return verdict < 0 ? verdict : 2;
    make_basis_of_G(k, D->Q);
    const bases b = {k->n_l, k->m.n_v, D->Q, D->Q_frozen, k->dropped};
    return compute_squared_K(D, &b) > MAX_K * MAX_K || has_turned_in_p(D, k);
}

void rsd_projection_copy_state(rsd_projection *D, const rsd_projection *from, const rsd_mechanism *k)
{
    if (from->kind != RSD_PROJECTION_FROZEN) return;
    memcpy(D->gp, from->gp, (size_t)k->gp.nnz * sizeof *D->gp);
    memcpy(D->T, from->T, (size_t)k->T.nnz * sizeof *D->T);
    memcpy(D->Gh, from->Gh, (size_t)k->Gh.nnz * sizeof *D->Gh);
}

/* --- the projection after a step --- */

/* Factor (G, Gh) D2 with the current matrices. Dropped rows are replaced by rows of the unit matrix. Return 0 on
 * success, > 0 if the matrix is singular. */
static int factor_projection(rsd_projection *D, rsd_mechanism *k)
{
    int n = k->n_l;
    memset(D->mu, 0, (size_t)n * sizeof *D->mu);
    for (int j = 0; j < n; j++) {
        double *column = D->S + (long)j * n;
        memset(D->x_step, 0, (size_t)k->m.n_v * sizeof *D->x_step);
        D->mu[j] = 1;
        rsd_project_velocity(D, k, D->mu, D->x_step);
        D->mu[j] = 0;
        rsd_apply_G(k, D->x_step, column);
        for (int i = 0; i < n; i++)
            if (k->dropped[i]) column[i] = i == j;
    }
    return rsd_lu_factor(n, D->S, D->S_pivots);
}

/* Compute D->x_step [n_v] = -D2 ((G, Gh) D2)^-1 mu for the residual mu = D->mu. Return the norm of x_step. */
static double compute_correction(rsd_projection *D, rsd_mechanism *k)
{
    for (int i = 0; i < k->n_l; i++) D->mu[i] = k->dropped[i] ? 0 : -D->mu[i];
    rsd_lu_solve(k->n_l, D->S, D->S_pivots, D->mu);
    memset(D->x_step, 0, (size_t)k->m.n_v * sizeof *D->x_step);
    rsd_project_velocity(D, k, D->mu, D->x_step);
    return rsd_finite_norm(D->x_step, k->m.n_v);
}

static int project_position(rsd_projection *D, rsd_mechanism *k, double t, double *p)
{
    for (int it = 0; it < MAX_PASSES; it++) {
        memset(D->mu, 0, (size_t)k->n_l * sizeof *D->mu);
        int verdict = rsd_eval_constraint(k, t, p, D->mu);
        if (verdict) return verdict;
        double change = compute_correction(D, k);
        if (!isfinite(change)) return 1;
        rsd_apply_T(k, D->x_step, k->work.vp);
        for (int i = 0; i < k->m.n_p; i++) p[i] += k->work.vp[i];
        if ((verdict = rsd_project_onto_invariants(k, t, p))) return verdict;
        if (change <= MAX_CORRECTION * fmax(1, rsd_max_norm(p, k->m.n_p))) return 0;
    }
    return 0;
}

static int project_velocity(rsd_projection *D, rsd_mechanism *k, double t, const double *p, double *v)
{
    for (int it = 0; it < MAX_PASSES; it++) {
        int verdict = rsd_eval_velocity_level(k, t, p, v, D->mu);
        if (verdict) return verdict;
        double change = compute_correction(D, k);
        if (!isfinite(change)) return 1;
        for (int i = 0; i < k->m.n_v; i++) v[i] += D->x_step[i];
        if (change <= MAX_CORRECTION * fmax(1, rsd_max_norm(v, k->n_w))) return 0;
    }
    return 0;
}

int rsd_project_step(rsd_projection *D, rsd_mechanism *k, double t, double *p, double *v)
{
    int verdict = rsd_eval_excitation(k, t);
    if (!verdict) verdict = rsd_eval_matrices(k, t, p);
    if (!verdict) verdict = rsd_projection_eval(D, k, t, p);
    if (!verdict) verdict = factor_projection(D, k);
    if (!verdict) verdict = rsd_project_onto_invariants(k, t, p);
    if (!verdict && k->m.n_g > 0) verdict = project_position(D, k, t, p);
    if (!verdict) verdict = rsd_eval_matrices(k, t, p);
    return verdict ? verdict : project_velocity(D, k, t, p, v);
}
