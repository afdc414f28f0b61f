/* spectrum_symmetric.c - all eigenvalues in independent coordinates (q, w) of an undamped symmetric system of second
 * order:
 *
 *     q' = C w,   M w' = -K q;   q = C s:   M s'' + K C s = 0,   K C x = value M x,   lambda^2 = -value
 *
 * by LAPACK's dsygv, with the diagonal of M scaled to about one. This gives no spurious real parts, and an
 * unconstrained body has null vectors of K in place of defective eigenvalues. The error of a value is eps times the
 * largest value, so that vectors of slower modes may be mixed. Rotations in the planes of pairs of vectors restore the
 * relative accuracy of each value, with value = x'K C x/(x'M x) (as in spectrum_improve.c). */
#include "full.h"
#include "linearize_impl.h"

#include "base/linear/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

extern void dsygv_(const int *itype, const char *jobz, const char *uplo, const int *n, double *a, const int *lda,
                   double *b, const int *ldb, double *w, double *work, const int *lwork, int *info, unsigned long,
                   unsigned long);

#define K_ROUNDING      DBL_EPSILON /* maximum value by rounding of K, relative to the terms of the value */
#define X_ROUNDING      (DBL_EPSILON * DBL_EPSILON) /* maximum value by rounding of x, relative to the largest value */
#define VALUE_TOLERANCE 1e-9                        /* maximum relative change of an eigenvalue by the last rotation */
enum { ROTATION_SWEEPS = 20 };                      /* maximum number of passes over all pairs of columns */
#define SYMMETRIC 1e-13 /* maximum relative asymmetry of an entry if the model gives the derivatives */

typedef struct work {
    const resida_allocator *alloc; /* allocator of the arrays */
    int m;                         /* half the number of unknowns */
    double *C, *K, *M; /* [m x m] C, K, M of K C x = value M x; K later contains the vectors x, M the products M x */
    double *Kx;        /* [m x m] products K C x */
    double *K0, *M0, *size; /* [m x m] product K C; [m x m] M; [m x m] sums of the absolute terms of K C */
    double *scale, *value;  /* [m] scale factors of rows and columns; [m] values */
    double *part;           /* [m] sum of the absolute terms of each eigenvalue */
    int *has_converged;     /* [m] 1: the eigenvalue has converged */
} work;

static resida_status allocate_symmetric_spectrum(work *w)
{
    const long m = w->m;
    const int all = RSD_DOUBLES(w->alloc, m * m, &w->C, &w->K, &w->M, &w->Kx, &w->K0, &w->M0, &w->size) &&
                    RSD_DOUBLES(w->alloc, m, &w->scale, &w->value, &w->part) &&
                    RSD_INTS(w->alloc, m, &w->has_converged);
    return all ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

/* Set out [m x m] to sign times the block of A at (row, column). out may be NULL. Return the number of its nonzeros. */
static int copy_quadrant(const rsd_sparse *A, int row, int column, int m, double sign, double *out)
{
    int n = 0;
    for (int j = 0; j < m; j++)
        for (int e = A->start[column + j]; e < A->start[column + j + 1]; e++) {
            const int i = A->row[e] - row;
            if (i < 0 || i >= m) continue;
            n += A->values[e] != 0;
            if (out) out[(long)j * m + i] = sign * A->values[e];
        }
    return n;
}

/* Compute the product K C and the sums of the absolute terms of its entries. */
static void multiply_K_by_C(work *w)
{
    const int m = w->m;
    for (int j = 0; j < m; j++)
        for (int k = 0; k < m; k++) {
            const double c = w->C[(long)j * m + k], *column = w->K + (long)k * m;
            for (int i = 0; i < m && c != 0; i++) {
                w->K0[(long)j * m + i] += column[i] * c;
                w->size[(long)j * m + i] += fabs(column[i] * c);
            }
        }
}

static int is_symmetric(int m, const double *A, const double *terms, double part)
{
    for (int j = 0; j < m; j++)
        for (int i = 0; i < j; i++) {
            const long up = (long)j * m + i, low = (long)i * m + j;
            const double near = sqrt(terms[(long)i * m + i] * terms[(long)j * m + j]);
            if (!(fabs(A[up] - A[low]) <= part * (terms[up] + terms[low] + near))) return 0;
        }
    return 1;
}

/* Return 1 if the pencil (A, E) is an undamped symmetric system of second order. */
static int has_symmetric_form(work *w, const resida_linearization *l)
{
    const int m = w->m;
    const double part = l->model.is_differenced ? l->noise : SYMMETRIC;
    if (copy_quadrant(&l->A, 0, 0, m, 1, NULL) + copy_quadrant(&l->A, m, m, m, 1, NULL) +
        copy_quadrant(&l->E, 0, m, m, 1, NULL))
        return 0;
    for (int j = 0; j < m; j++) /* E = diag(I, M) */
        if (l->E.start[j + 1] != l->E.start[j] + 1 || l->E.row[l->E.start[j]] != j) return 0;
    copy_quadrant(&l->A, 0, m, m, 1, w->C);
    copy_quadrant(&l->A, m, 0, m, -1, w->K);
    copy_quadrant(&l->E, m, m, m, 1, w->M0);
    multiply_K_by_C(w);
    for (int i = 0; i < m; i++) {
        const double inertia = w->M0[(long)i * m + i];
        if (!(inertia > 0)) return 0;
        w->scale[i] = exp2(-round(log2(inertia) / 2));
        for (int j = 0; j < m; j++) w->M[(long)i * m + j] = fabs(w->M0[(long)i * m + j]);
    }
    return is_symmetric(m, w->K0, w->size, part) && is_symmetric(m, w->M0, w->M, part);
}

static resida_status solve_by_lapack(work *w)
{
    const int m = w->m, type = 1, lwork = (2 + RSD_LAPACK_BLOCK) * m;
    int info = 0;
    double *room = rsd_doubles(w->alloc, lwork);
    if (!room) return RESIDA_ERR_MEMORY;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            const long e = (long)j * m + i, mirrored = (long)i * m + j;
            const double s = w->scale[i] * w->scale[j] / 2;
            w->K[e] = s * (w->K0[e] + w->K0[mirrored]);
            w->M[e] = s * (w->M0[e] + w->M0[mirrored]);
        }
    dsygv_(&type, "V", "U", &m, w->K, &m, w->M, &m, w->value, room, &lwork, &info, 1, 1);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) w->K[(long)j * m + i] *= w->scale[i];
    return info == 0 ? RESIDA_OK : RESIDA_ERR_NEWTON;
}

/* Return row i of the product A x, A [m x m] symmetric. */
static long double multiply_row(int m, const double *A, int i, const double *x)
{
    long double sum = 0;
    for (int j = 0; j < m; j++) sum += (long double)A[(long)i * m + j] * x[j];
    return sum;
}

/* Compute the Rayleigh quotient x'K C x/(x'M x) of column j, and its terms. Scale x to x'M x = 1. Set Kx = K C x and Mx
 * = M x. */
static void compute_rayleigh_quotient(work *w, int j)
{
    const int m = w->m;
    double *x = w->K + (long)j * m, *Kx = w->Kx + (long)j * m, *Mx = w->M + (long)j * m;
    long double k = 0, inertia = 0;
    double size = 0;
    for (int i = 0; i < m; i++) {
        const double *terms = w->size + (long)i * m;
        const long double force = multiply_row(m, w->K0, i, x), momentum = multiply_row(m, w->M0, i, x);
        double all = 0;
        for (int c = 0; c < m; c++) all += terms[c] * fabs(x[c]);
        k += x[i] * force;
        inertia += x[i] * momentum;
        size += all * fabs(x[i]);
        Kx[i] = (double)force, Mx[i] = (double)momentum;
    }
    const double norm = sqrt((double)inertia);
    for (int i = 0; i < m; i++) x[i] /= norm, Kx[i] /= norm, Mx[i] /= norm;
    w->part[j] = size / (norm * norm);
    w->value[j] = (double)k / (norm * norm);
}

/* Set x = c x - s y, y = d x + e y. */
static void combine_columns(int m, double *x, double *y, double c, double s, double d, double e)
{
    for (int i = 0; i < m; i++) {
        const double before = x[i];
        x[i] = c * before - s * y[i];
        y[i] = d * before + e * y[i];
    }
}

/* Solve the 2 x 2 problem in the plane of columns i and j (S. Falk, P. Langemeyer, Das Jacobische Rotationsverfahren
 * fuer reellsymmetrische Matrizenpaare, 1960). y = (x_j - m x_i)/sqrt(1 - m^2) with m = x_i'M x_j is M-orthogonal to
 * x_i. Then both vectors are rotated. A value that changes has not converged. */
static void rotate_pair(work *w, int i, int j)
{
    const int m = w->m;
    double *x = w->K + (long)i * m, *y = w->K + (long)j * m, *Kx = w->Kx + (long)i * m, *Ky = w->Kx + (long)j * m;
    double *Mx = w->M + (long)i * m, *My = w->M + (long)j * m, *u = &w->value[i], *v = &w->value[j];
    const double k = rsd_dot(x, Ky, m), inertia = rsd_dot(x, My, m), left = 1 - inertia * inertia;
    if (!(left > 0)) return;
    const double between = (k - inertia * *u) / sqrt(left);
    const double other = (*v - 2 * inertia * k + inertia * inertia * *u) / left;
    const double half = (other - *u) / 2, root = fabs(half) + hypot(half, between);
    const double t = root > 0 ? copysign(between / root, half * between) : 0;
    const double c = 1 / sqrt(1 + t * t), s = t * c, change = fabs(t * between), d = fabs(other - *v) + change;
    if (d <= DBL_EPSILON * fabs(*v) && change <= DBL_EPSILON * fabs(*u)) return;
    if (!(change <= VALUE_TOLERANCE * fabs(*u))) w->has_converged[i] = 0;
    if (!(d <= VALUE_TOLERANCE * fabs(*v))) w->has_converged[j] = 0;
    *u -= t * between, *v = other + t * between;
    const double scale = 1 / sqrt(left), cx = c + s * inertia * scale, dx = s - c * inertia * scale;
    combine_columns(m, x, y, cx, s * scale, dx, c * scale);
    combine_columns(m, Kx, Ky, cx, s * scale, dx, c * scale);
    combine_columns(m, Mx, My, cx, s * scale, dx, c * scale);
}

static int is_zero_value(const work *w, int j, double max)
{
    return fabs(w->value[j]) <= fmax(K_ROUNDING * w->part[j], X_ROUNDING * max);
}

/* Rotate all pairs of columns until all values have converged or are zero. */
static void rotate_all_pairs(work *w)
{
    const int m = w->m;
    for (int sweep = 0, is_done = 0; sweep < ROTATION_SWEEPS && !is_done; sweep++) {
        for (int j = 0; j < m; j++) compute_rayleigh_quotient(w, j), w->has_converged[j] = 1;
        for (int j = 1; j < m; j++)
            for (int i = 0; i < j; i++) rotate_pair(w, i, j);
        is_done = 1;
        for (int j = 0; j < m; j++) {
            w->has_converged[j] |= is_zero_value(w, j, rsd_max_norm(w->value, m));
            is_done &= w->has_converged[j];
        }
    }
    for (int j = 0; j < m; j++) compute_rayleigh_quotient(w, j);
}

/* Set x = (C x_q, lambda x_q), the right vector of the pencil, and y = (0, x_q), the left vector in the rows of K. */
static void compute_pencil_vectors(const work *w, const double *x_q, rsd_number lambda, rsd_number *x, rsd_number *y)
{
    const int m = w->m;
    for (int i = 0; i < m; i++) {
        x[i] = 0, x[m + i] = lambda * x_q[i], y[m + i] = x_q[i];
        for (int k = 0; k < m; k++) x[i] += w->C[(long)k * m + i] * x_q[k];
    }
}

/* Store the eigenvalues lambda with lambda^2 = -value. Of a pair, store the eigenvalue with im > 0. x, y [2 m] are work
 * arrays, with y = 0 on entry. */
static void list_eigenvalues(rsd_spectrum *s, const resida_linearization *l, const work *w, rsd_number *x,
                             rsd_number *y)
{
    const int m = w->m;
    const double max = rsd_max_norm(w->value, m);
    for (int j = 0; j < m; j++) {
        const double *x_q = w->K + (long)j * m, value = w->value[j], size = sqrt(fabs(value));
        if (is_zero_value(w, j, max)) {
            compute_pencil_vectors(w, x_q, 0, x, y);
            for (int i = 0; i < m; i++) s->still[(long)s->n_still * 2 * m + i] = x[i];
            s->n_still++, s->n_zero += 2;
        } else if (!w->has_converged[j]) {
            s->n_lost += 2;
        } else {
            for (int k = 0; k < (value > 0 ? 1 : 2); k++) {
                const rsd_number lambda = value > 0 ? I * size : k == 0 ? -size : size;
                compute_pencil_vectors(w, x_q, lambda, x, y);
                const double error = fmax(l->noise * w->part[j], rsd_bound_entry_errors(l, y, x)) / (2 * size);
                rsd_spectrum_append(s, lambda, error, x, 2 * m);
            }
        }
    }
}

int rsd_spectrum_compute_symmetric(rsd_spectrum *s, const resida_linearization *l, resida_status *status)
{
    const int n = l->model.n, m = n / 2;
    work w = {.alloc = &s->alloc, .m = m};
    if (!l->model.is_independent || m == 0 || l->model.n_q != m || l->model.n_w != m || n != 2 * m) return 0;
    *status = allocate_symmetric_spectrum(&w);
    if (*status < 0) return 1;
    if (!has_symmetric_form(&w, l)) return 0;
    *status = solve_by_lapack(&w);
    if (*status >= 0) *status = rsd_spectrum_allocate(s, n, m, n);
    rsd_number *x = rsd_calloc(w.alloc, 2L * n, sizeof *x);
    if (!x) *status = RESIDA_ERR_MEMORY;
    if (*status >= 0) {
        rotate_all_pairs(&w);
        list_eigenvalues(s, l, &w, x, x + n);
    }
    return *status != RESIDA_ERR_NEWTON; /* then M is not positive definite */
}
