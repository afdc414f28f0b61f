/* repair.c - see repair.h. */
#include "engine_impl.h"

#include <math.h>
#include <string.h>

#include "base/linear/dense.h"
#include "base/memory.h"

#define MAX_GMRES_RESIDUAL   0.03 /* maximum residual of GMRES, relative to min(|first correction|, 1) [tolerances] */
#define MAX_INERTIA_RESIDUAL 0.01 /* maximum |F + J d| in units of inertia; 0.03 doubles errors if forces rotate */
#define MIN_RESIDUAL_LIMIT   1e-6 /* residual at which GMRES may always end, relative to the first correction */
#define MAX_INCREMENTS       4    /* maximum perturbation of a component, in difference increments */

/* State of GMRES during a repair of A. */
typedef struct krylov {
    resida_jacobian *jac;             /* engine, with the factors of J_0 */
    rsd_repair *r;                    /* directions, and QR factors of the Hessenberg matrix */
    rsd_differences *d;               /* increments and work space */
    const rsd_parts *p;               /* J_0 and its parts */
    const resida_jacobian_point *at;  /* point of the repair */
    int n, m;                         /* n: number of unknowns; m: number of directions so far */
    double g[RSD_MAX_DIRECTIONS + 1]; /* rotated right-hand side; |g[m]| is the norm of the residual */
} krylov;

int rsd_repair_is_possible(const resida_jacobian *jac)
{
    const rsd_frame *f = &jac->f;
    return jac->use.repairs && f->strategy->by_costs && !f->strategy->user && !f->combined && !f->s.times &&
           !jac->d.work.central;
}

/* Allocate the memory of repairs at the first repair. Return 0 if there is no memory. */
static int allocate_repair(rsd_repair *r, const rsd_frame *f)
{
    const long m = RSD_MAX_DIRECTIONS, n = f->n;
    if (!r->v && !(r->v = rsd_matrix(&f->alloc, 4 * m + 1, n))) return 0;
    if (!r->qr && !(r->qr = rsd_calloc(&f->alloc, 1, sizeof *r->qr))) return 0;
    r->change = r->v + (m + 1) * n;
    r->image = r->change + m * n;
    r->by_component = r->image + m * n;
    return 1;
}

/* Copy A to r->evaluated if A was not repaired since its last evaluation. Return 0 if there is no memory. */
static int store_evaluated_A(rsd_repair *r, const rsd_frame *f, const rsd_parts *p)
{
    const size_t size = (size_t)p->pattern.nnz * sizeof *p->A;
    if (r->pattern == p->number) return 1;
    rsd_free(&f->alloc, r->evaluated);
    r->pattern = 0;
    if (!(r->evaluated = rsd_doubles(&f->alloc, p->pattern.nnz))) return 0;
    memcpy(r->evaluated, p->A, size);
    r->pattern = p->number;
    return 1;
}

void rsd_repair_reset(rsd_repair *r)
{
    r->t = NAN;
    r->pattern = 0;
}

void rsd_repair_undo(rsd_repair *r, rsd_parts *p)
{
    if (r->pattern == p->number) memcpy(p->A, r->evaluated, (size_t)p->pattern.nnz * sizeof *p->A);
}

static double *get_direction(const krylov *x, int k)
{
    return x->r->v + (size_t)k * (size_t)x->n;
}

static void apply_weights(const krylov *x, double *b)
{
    for (int i = 0; i < x->n; i++) b[i] *= rsd_get_weight(x->at, i);
}

/* Replace b by W J_0^-1 b. */
static void apply_scaled_inverse(const krylov *x, double *b)
{
    rsd_solve_by_factors(x->jac, b);
    apply_weights(x, b);
}

/* Return the length of a step along W^-1 v that changes each component by at most MAX_INCREMENTS increments. The sign
 * of the length is chosen so that the step points along h y'. */
static double compute_step_length(const krylov *x, const double *v)
{
    const rsd_differences *d = x->d;
    const resida_jacobian_point *at = x->at;
    double min = INFINITY, along = 0;
    for (int c = 0; c < x->n; c++) {
        const double w = rsd_get_weight(at, c);
        if (!(d->f->columns[c] & RESIDA_COLUMN_FORMALISM) || v[c] == 0) continue;
        min = fmin(min, fabs(d->delta[c] * w / v[c]));
        along += v[c] * w * at->h * at->yp[c];
    }
    return copysign(MAX_INCREMENTS * min, along);
}

/* Copy A to p->before, row by row. */
static void copy_rows_of_A(const rsd_parts *p)
{
    for (int e = 0; e < p->formalism.pattern.nnz; e++)
        p->before[e] = p->A[p->formalism.at[p->formalism.pattern.csr_to_csc[e]]];
}

/* Compute change = (A_new - A) W^-1 v by a difference with a step of length s. Return the result of F. */
static int compute_change_along(const krylov *x, const double *v, double s, double *change)
{
    rsd_differences *d = x->d;
    const rsd_sparsity *q = &x->p->formalism.pattern;
    for (int c = 0; c < x->n; c++) {
        const int moves = d->f->columns[c] & RESIDA_COLUMN_FORMALISM;
        volatile double moved = x->at->y[c] + (moves ? s * v[c] / rsd_get_weight(x->at, c) : 0);
        d->y[c] = moved;
    }
    const int verdict = rsd_evaluate_part(d, RSD_FORMALISM, x->at->t, d->y, x->at->yp, change);
    if (verdict) return verdict;
    for (int c = 0; c < x->n; c++) d->y[c] = (d->y[c] - x->at->y[c]) / s;
    for (int i = 0; i < x->n; i++) {
        double known = 0;
        for (int e = q->row_start[i]; e < q->row_start[i + 1]; e++) known += x->p->before[e] * d->y[q->col[e]];
        change[i] = (change[i] - d->r0[i]) / s - known;
    }
    return 0;
}

/* Compute the change (A_new - A) W^-1 v of the last direction v. *found is set to 0 if F cannot be evaluated along the
 * direction. Return 0, or < 0 on a fatal error. */
static int compute_last_change(krylov *x, int *found)
{
    const double *v = get_direction(x, x->m);
    double *change = x->r->change + (size_t)x->m * (size_t)x->n;
    const double s = compute_step_length(x, v);
    *found = 1;
    if (!isfinite(s)) {
        memset(change, 0, (size_t)x->n * sizeof *change);
        return 0;
    }
    const int verdict = compute_change_along(x, v, s, change);
    *found = verdict == 0;
    return verdict < 0 ? verdict : 0;
}

/* Compute the next direction: W J_0^-1 J W^-1 v = v + W J_0^-1 change, orthogonalized against all earlier directions.
 * The orthogonalization is repeated once because of rounding. h [m + 2] is the new column of the Hessenberg matrix. */
static void compute_next_direction(krylov *x, double *h)
{
    double *next = get_direction(x, x->m + 1), *last = get_direction(x, x->m);
    double *image = x->r->image + (size_t)x->m * (size_t)x->n;
    memcpy(image, x->r->change + (size_t)x->m * (size_t)x->n, (size_t)x->n * sizeof *image);
    rsd_solve_by_factors(x->jac, image);
    memcpy(next, image, (size_t)x->n * sizeof *next);
    apply_weights(x, next);
    for (int i = 0; i < x->n; i++) next[i] += last[i];
    memset(h, 0, (size_t)(x->m + 2) * sizeof *h);
    for (int k = 0; k < 2 * (x->m + 1); k++) {
        const double *v = get_direction(x, k % (x->m + 1)), part = rsd_dot(next, v, x->n);
        h[k % (x->m + 1)] += part;
        for (int i = 0; i < x->n; i++) next[i] -= part * v[i];
    }
    const double norm = sqrt(rsd_dot(next, next, x->n));
    h[x->m + 1] = norm;
    for (int i = 0; i < x->n && norm > 0; i++) next[i] /= norm;
}

static void rotate(double cosine, double sine, double *x)
{
    const double a = x[0], b = x[1];
    x[0] = cosine * a + sine * b;
    x[1] = cosine * b - sine * a;
}

/* Apply the Givens rotations of earlier columns to the last column of R, and eliminate its last entry by a new
 * rotation. |g[m + 1]| is then the norm of the residual of GMRES. */
static void apply_rotations(krylov *x)
{
    const int m = x->m;
    rsd_repair *r = x->r;
    double *h = r->qr->R[m];
    for (int k = 0; k < m; k++) rotate(r->qr->cosine[k], r->qr->sine[k], h + k);
    const double size = hypot(h[m], h[m + 1]);
    r->qr->cosine[m] = h[m] / size;
    r->qr->sine[m] = h[m + 1] / size;
    h[m] = size;
    rotate(r->qr->cosine[m], r->qr->sine[m], x->g + m);
}

/* Compute y [m] = R^-1 y, with the triangular factor R of GMRES. */
static void solve_triangular(const rsd_repair *r, int m, double *y)
{
    for (int k = m - 1; k >= 0; k--) {
        for (int j = k + 1; j < m; j++) y[k] -= r->qr->R[j][k] * y[j];
        y[k] /= r->qr->R[k][k];
    }
}

void rsd_repair_correct_solution(const rsd_repair *r, int n, double *b)
{
    double c[RSD_MAX_DIRECTIONS + 1];
    for (int k = 0; k <= r->m; k++) c[k] = rsd_dot(r->v + (size_t)k * (size_t)n, b, n);
    for (int k = 0; k < r->m; k++) rotate(r->qr->cosine[k], r->qr->sine[k], c + k);
    solve_triangular(r, r->m, c);
    for (int k = 0; k < r->m; k++)
        for (int i = 0; i < n; i++) b[i] -= c[k] * r->image[(size_t)k * (size_t)n + (size_t)i];
}

/* Set the first direction of GMRES to the first correction, and *enough to the residual at which GMRES may end. Return
 * 0 if there is no direction, because the correction is zero or not finite. */
static int begin_gmres(krylov *x, double *enough)
{
    double *v = get_direction(x, 0);
    for (int i = 0; i < x->n; i++) v[i] = -x->at->F[i];
    apply_scaled_inverse(x, v);
    const double size = sqrt(rsd_dot(v, v, x->n)), tests = size / sqrt(x->n);
    if (!(size > 0) || !isfinite(size)) return 0;
    for (int i = 0; i < x->n; i++) v[i] /= size;
    *enough = size * fmin(MAX_GMRES_RESIDUAL, fmax(MIN_RESIDUAL_LIMIT, MAX_GMRES_RESIDUAL / tests));
    x->g[0] = size;
    return 1;
}

/* Compute d [n] = W^-1 V y from the solution y of GMRES, and r [n] = F + J d with J W^-1 V = J_0 W^-1 V + change. */
static void compute_corrected_residual(const krylov *x, double *d, double *r)
{
    const rsd_sparsity *q = &x->p->pattern;
    double y[RSD_MAX_DIRECTIONS];
    memset(d, 0, (size_t)x->n * sizeof *d);
    memcpy(r, x->at->F, (size_t)x->n * sizeof *r);
    memcpy(y, x->g, sizeof y);
    solve_triangular(x->r, x->m, y);
    for (int k = x->m - 1; k >= 0; k--) {
        const double *v = get_direction(x, k), *change = x->r->change + (size_t)k * (size_t)x->n;
        for (int i = 0; i < x->n; i++) d[i] += y[k] * v[i], r[i] += y[k] * change[i];
    }
    for (int c = 0; c < x->n; c++) {
        d[c] /= rsd_get_weight(x->at, c);
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) r[q->row[e]] += x->p->J[e] * d[c];
    }
}

/* Return 1 if the RMS norm of r = F + J d in units of inertia is at most MAX_INERTIA_RESIDUAL. The unit of row i is
 * sum_c |alpha b_ic| / w_c, B = dF/dyp: r_i in this unit is the weighted change of y that r_i would cause if only
 * inertia opposed it. The norm of the corrections does not show a large r if J_0 contains an outdated stiffness, which
 * makes corrections small. */
static int is_residual_negligible(const krylov *x)
{
    double *d = x->d->sum, *r = x->d->y, *inertia = x->d->scale, sum = 0;
    compute_corrected_residual(x, d, r);
    memset(inertia, 0, (size_t)x->n * sizeof *inertia);
    for (int k = 0; k < x->p->n_B; k++)
        inertia[x->p->pattern.row[x->p->B_at[k]]] +=
            fabs(x->at->alpha * x->p->B[x->p->B_at[k]]) / rsd_get_weight(x->at, x->p->B_column[k]);
    for (int i = 0; i < x->n; i++)
        if (inertia[i] > 0) sum += r[i] / inertia[i] * r[i] / inertia[i];
    return sqrt(sum / x->n) <= MAX_INERTIA_RESIDUAL;
}

int rsd_repair_A(resida_jacobian *jac, const resida_jacobian_point *at, int *done)
{
    rsd_repair *r = &jac->repair;
    rsd_differences *d = &jac->d;
    rsd_parts *p = &jac->p;
    const rsd_task all = {d, RSD_FORMALISM, at, 1, 0, RESIDA_COLUMN_FORMALISM, NULL, NULL};
    krylov x = {.jac = jac, .r = r, .d = d, .p = p, .at = at, .n = d->f->n};
    double enough;
    *done = 0;
    if (!allocate_repair(r, d->f) || !store_evaluated_A(r, d->f, p)) return RESIDA_ERR_MEMORY;
    rsd_set_increments(&all);
    int verdict = rsd_set_base_residual(d, RSD_FORMALISM, at, d->r0), found = 1;
    if (verdict) return verdict < 0 ? verdict : 0;
    if (!begin_gmres(&x, &enough)) return 0;
    copy_rows_of_A(p);
    while (x.m < RSD_MAX_DIRECTIONS && !*done) {
        verdict = compute_last_change(&x, &found);
        if (verdict || !found) return verdict;
        compute_next_direction(&x, r->qr->R[x.m]);
        apply_rotations(&x);
        x.m++;
        *done = fabs(x.g[x.m]) <= enough && is_residual_negligible(&x);
    }
    if (!*done) return 0;
    rsd_add_least_change(p, at, x.m, r->v, r->change, r->by_component);
    for (int k = 0; k <= x.m; k++) apply_weights(&x, get_direction(&x, k));
    r->m = x.m;
    return 0;
}
