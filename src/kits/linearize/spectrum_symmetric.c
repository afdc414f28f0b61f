/* spectrum_symmetric.c - all eigenvalues in independent coordinates (q, w) of an undamped symmetric system of second
 * order:
 *
 *     q' = C w,   M w' = -K q;   q = C s:   M s'' + K C s = 0,   K C x = value M x,   lambda^2 = -value
 *
 * by LAPACK's dsygv, with the diagonal of M scaled to about one. This gives no spurious real parts, and an
 * unconstrained body has null vectors of K in place of defective eigenvalues. The error of a value is eps times the
 * largest value, so that vectors of slower modes may be mixed. Rotations in the planes of two vectors each separate
 * them to their own relative accuracy, with value = x'K C x/(x'M x) (as in spectrum_improve.c). */
#include "full.h"
#include "linearize_impl.h"
#include "twofold.h"

#include "base/linear/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define ROUNDED_K     DBL_EPSILON /* max zero value relative to its terms, by rounding of entries of K */
#define ROUNDED_X     (DBL_EPSILON * DBL_EPSILON) /* max zero value relative to the largest, by rounding of vectors */
#define VALUE_SETTLED 1e-9                        /* max relative change of a value by the last rotation */
enum { ROTATION_SWEEPS = 20 };
#define SYMMETRIC 1e-13 /* max relative asymmetry of an entry with derivatives of the model; else `noise` */

typedef struct work {
    const resida_allocator *alloc;
    int m;                  /* half the unknowns */
    double *C, *K, *M;      /* [m x m] K with C; after solve() K has the vectors x, and M the products M x */
    double *Kx;             /* [m x m] products K C x */
    double *K0, *M0, *size; /* [m x m] K C, M; sums of absolute terms of K C */
    double *scale, *value;  /* [m] scaling of rows and columns; eigenvalues */
    double *part;           /* [m] sum of the absolute terms of each value */
    int *settles;           /* [m] 1: the value has converged */
} work;

static resida_status take_memory(work *w)
{
    const long m = w->m;
    const int all = RSD_DOUBLES(w->alloc, m * m, &w->C, &w->K, &w->M, &w->Kx, &w->K0, &w->M0, &w->size) &&
                    RSD_DOUBLES(w->alloc, m, &w->scale, &w->value, &w->part) && RSD_INTS(w->alloc, m, &w->settles);
    return all ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

/* Set out [m x m] to sign times the block of A at (row, column), unless NULL. Return its number of nonzero entries. */
static int quarter(const rsd_sparse *A, int row, int column, int m, double sign, double *out)
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

/* Compute K C and the absolute sums of its terms. */
static void multiply(work *w)
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

/* Return 1 if the pencil has the form given at the top of this file. */
static int fits(work *w, const resida_linearization *l)
{
    const int m = w->m;
    const double part = l->model.is_differenced ? l->noise : SYMMETRIC;
    if (quarter(&l->A, 0, 0, m, 1, NULL) + quarter(&l->A, m, m, m, 1, NULL) + quarter(&l->E, 0, m, m, 1, NULL))
        return 0;
    for (int j = 0; j < m; j++) /* E = diag(I, M) */
        if (l->E.start[j + 1] != l->E.start[j] + 1 || l->E.row[l->E.start[j]] != j) return 0;
    quarter(&l->A, 0, m, m, 1, w->C);
    quarter(&l->A, m, 0, m, -1, w->K);
    quarter(&l->E, m, m, m, 1, w->M0);
    multiply(w);
    for (int i = 0; i < m; i++) {
        const double inertia = w->M0[(long)i * m + i];
        if (!(inertia > 0)) return 0;
        w->scale[i] = exp2(-round(log2(inertia) / 2));
        for (int j = 0; j < m; j++) w->M[(long)i * m + j] = fabs(w->M0[(long)i * m + j]);
    }
    return is_symmetric(m, w->K0, w->size, part) && is_symmetric(m, w->M0, w->M, part);
}

static resida_status solve(work *w)
{
    const int m = w->m;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            const long e = (long)j * m + i, mirrored = (long)i * m + j;
            const double s = w->scale[i] * w->scale[j] / 2;
            w->K[e] = s * (w->K0[e] + w->K0[mirrored]);
            w->M[e] = s * (w->M0[e] + w->M0[mirrored]);
        }
    const int info = rsd_symmetric_eigenvalues(m, w->K, w->M, w->value, w->alloc);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) w->K[(long)j * m + i] *= w->scale[i];
    return info < 0 ? RESIDA_ERR_MEMORY : info > 0 ? RESIDA_ERR_NEWTON : RESIDA_OK;
}

/* Return row i of A x, A symmetric. */
static rsd_twofold times(int m, const double *A, int i, const double *x)
{
    rsd_twofold sum = {0, 0};
    for (int j = 0; j < m; j++)
        if (A[(long)i * m + j] != 0) rsd_add_product(&sum, A[(long)i * m + j], x[j]);
    return sum;
}

/* Compute the value of column j, x'K C x/(x'M x), and its terms. Scale x to x'M x = 1. Set Kx = K C x, Mx = M x. */
static void improve(work *w, int j)
{
    const int m = w->m;
    double *x = w->K + (long)j * m, *Kx = w->Kx + (long)j * m, *Mx = w->M + (long)j * m;
    rsd_twofold k = {0, 0}, inertia = {0, 0};
    double size = 0;
    for (int i = 0; i < m; i++) {
        const double *terms = w->size + (long)i * m;
        const rsd_twofold force = times(m, w->K0, i, x), momentum = times(m, w->M0, i, x);
        double all = 0;
        for (int c = 0; c < m; c++) all += terms[c] * fabs(x[c]);
        rsd_add_twofold(&k, x[i], force);
        rsd_add_twofold(&inertia, x[i], momentum);
        size += all * fabs(x[i]);
        Kx[i] = rsd_sum_of(force), Mx[i] = rsd_sum_of(momentum);
    }
    const double norm = sqrt(rsd_sum_of(inertia));
    for (int i = 0; i < m; i++) x[i] /= norm, Kx[i] /= norm, Mx[i] /= norm;
    w->part[j] = size / (norm * norm);
    w->value[j] = rsd_sum_of(k) / (norm * norm);
}

/* Set x = c x - s y, y = d x + e y. */
static void turn(int m, double *x, double *y, double c, double s, double d, double e)
{
    for (int i = 0; i < m; i++) {
        const double before = x[i];
        x[i] = c * before - s * y[i];
        y[i] = d * before + e * y[i];
    }
}

/* Solve the 2 x 2 problem in the plane of columns i and j (S. Falk, P. Langemeyer, Das Jacobische Rotationsverfahren
 * fuer reellsymmetrische Matrizenpaare, 1960): y = (x_j - m x_i)/sqrt(1 - m^2), m = x_i'M x_j, is M-orthogonal to
 * x_i; then rotate. A value that changes has not converged. */
static void rotate(work *w, int i, int j)
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
    if (!(change <= VALUE_SETTLED * fabs(*u))) w->settles[i] = 0;
    if (!(d <= VALUE_SETTLED * fabs(*v))) w->settles[j] = 0;
    *u -= t * between, *v = other + t * between;
    const double scale = 1 / sqrt(left), cx = c + s * inertia * scale, dx = s - c * inertia * scale;
    turn(m, x, y, cx, s * scale, dx, c * scale);
    turn(m, Kx, Ky, cx, s * scale, dx, c * scale);
    turn(m, Mx, My, cx, s * scale, dx, c * scale);
}

static int is_zero_value(const work *w, int j, double most)
{
    return fabs(w->value[j]) <= fmax(ROUNDED_K * w->part[j], ROUNDED_X * most);
}

/* Rotate in the planes of all pairs until all values have converged or are zero. */
static void settle(work *w)
{
    const int m = w->m;
    for (int sweep = 0, is_done = 0; sweep < ROTATION_SWEEPS && !is_done; sweep++) {
        for (int j = 0; j < m; j++) improve(w, j), w->settles[j] = 1;
        for (int j = 1; j < m; j++)
            for (int i = 0; i < j; i++) rotate(w, i, j);
        is_done = 1;
        for (int j = 0; j < m; j++) {
            w->settles[j] |= is_zero_value(w, j, rsd_max_norm(w->value, m));
            is_done &= w->settles[j];
        }
    }
    for (int j = 0; j < m; j++) improve(w, j);
}

/* Set x = (C x_q, lambda x_q), the vector of the pencil, and y = (0, x_q), the left vector in the rows of K. */
static void take_vectors(const work *w, const double *x_q, rsd_number lambda, rsd_number *x, rsd_number *y)
{
    const int m = w->m;
    for (int i = 0; i < m; i++) {
        x[i] = 0, x[m + i] = lambda * x_q[i], y[m + i] = x_q[i];
        for (int k = 0; k < m; k++) x[i] += w->C[(long)k * m + i] * x_q[k];
    }
}

/* List lambda^2 = -value, for a pair the one with im > 0. x, y [2 m] work, y = 0. */
static void list(rsd_spectrum *s, const resida_linearization *l, const work *w, rsd_number *x, rsd_number *y)
{
    const int m = w->m;
    const double most = rsd_max_norm(w->value, m);
    for (int j = 0; j < m; j++) {
        const double *x_q = w->K + (long)j * m, value = w->value[j], size = sqrt(fabs(value));
        if (is_zero_value(w, j, most)) {
            take_vectors(w, x_q, 0, x, y);
            for (int i = 0; i < m; i++) s->still[(long)s->n_still * 2 * m + i] = x[i];
            s->n_still++, s->n_zero += 2;
        } else if (!w->settles[j]) {
            s->n_lost += 2;
        } else {
            for (int k = 0; k < (value > 0 ? 1 : 2); k++) {
                const rsd_number lambda = value > 0 ? I * size : k == 0 ? -size : size;
                take_vectors(w, x_q, lambda, x, y);
                const double error = fmax(l->noise * w->part[j], rsd_entry_errors(l, y, x)) / (2 * size);
                rsd_spectrum_add(s, lambda, error, x, 2 * m);
            }
        }
    }
}

static resida_status find(rsd_spectrum *s, const resida_linearization *l, work *w)
{
    RSD_TRY(solve(w));
    settle(w);
    RSD_TRY(rsd_spectrum_open(s, 2 * w->m, w->m, 2 * w->m));
    rsd_number *x = rsd_calloc(w->alloc, 4L * w->m, sizeof *x);
    if (!x) return RESIDA_ERR_MEMORY;
    list(s, l, w, x, x + 2 * w->m);
    return RESIDA_OK;
}

int rsd_spectrum_symmetric(rsd_spectrum *s, const resida_linearization *l, resida_status *status)
{
    const int n = l->model.n, m = n / 2;
    work w = {.alloc = &s->alloc, .m = m};
    if (!l->model.is_independent || m == 0 || l->model.n_q != m || l->model.n_w != m || n != 2 * m) return 0;
    *status = take_memory(&w);
    if (*status < 0) return 1;
    if (!fits(&w, l)) return 0;
    *status = find(s, l, &w);
    return *status != RESIDA_ERR_NEWTON; /* then M is not positive definite */
}
