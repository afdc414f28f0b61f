/* spectrum_symmetric.c - all eigenvalues in independent coordinates (q, w), where these are of the second order and
 * symmetric, and not damped, or in proportion:
 *
 *     q' = C w,   M w' = -K q - D w;   q = C s:   M s'' + D s' + K C s = 0,   D = a M + b K C,
 *     K C x = value M x,    lambda^2 + (a + b value) lambda + value = 0
 *
 * by LAPACK's dsygv, M brought to a diagonal of about one. No eigenvalue has a real part then that is not there, and a
 * body that nothing holds is no defective eigenvalue, but a null vector of K. The error of value is eps times the
 * largest one; what is left of it in the slowest, value = x'K C x/(x'M x) takes away (spectrum_improve.c says how),
 * with vectors that are corrected until no value moves. */
#include "full.h"
#include "linearize_impl.h"
#include "twofold.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define ROUNDED_K     DBL_EPSILON /* of the terms of a value: entries of K that are rounded make no more of a zero */
#define VALUE_SETTLED 1e-9        /* of a value: its change by one more correction */
enum { CORRECTIONS = 6 };
#define SMALL_TURN 0.1   /* rad: what a first-order correction may turn a vector */
#define SYMMETRIC  1e-13 /* of the terms of an entry, of derivatives that are the model's; else the noise they have */

typedef struct work {
    const resida_allocator *alloc;
    int m;                  /* half the unknowns */
    double *C, *K, *D, *M;  /* [m x m], K with C */
    double *K0, *M0, *size; /* [m x m] as they are, and what K was made of */
    double a, b;
    double *scale, *value; /* [m] of rows and columns; eigenvalues */
    double *part;          /* [m] of these: what errors of K by one part of its entries change */
    int *settles;          /* [m] of these */
} work;

static resida_status take_memory(work *w)
{
    const long m = w->m;
    const int all = RSD_DOUBLES(w->alloc, m * m, &w->C, &w->K, &w->D, &w->M, &w->K0, &w->M0, &w->size) &&
                    RSD_DOUBLES(w->alloc, m, &w->scale, &w->value, &w->part) && RSD_INTS(w->alloc, m, &w->settles);
    return all ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

/* The quarter of A that begins at (row, column), times sign. */
static void quarter(const rsd_sparse *A, int row, int column, int m, double sign, double *out)
{
    for (int j = 0; j < m; j++)
        for (int e = A->start[column + j]; e < A->start[column + j + 1]; e++)
            if (A->row[e] >= row && A->row[e] < row + m) out[(long)j * m + A->row[e] - row] = sign * A->values[e];
}

static int is_zero(const rsd_sparse *A, int column, int m)
{
    for (int j = column; j < column + m; j++)
        for (int e = A->start[j]; e < A->start[j + 1]; e++)
            if (A->row[e] < m && A->values[e] != 0) return 0;
    return 1;
}

/* K C, and its terms. */
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

/* D = a M + b K, scaled: least squares, then entry by entry. */
static int is_proportional(work *w, double part)
{
    const int m = w->m;
    double mm = 0, mk = 0, kk = 0, dm = 0, dk = 0, most = 0;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            const long e = (long)j * m + i;
            const double s = w->scale[i] * w->scale[j], M = s * w->M0[e], K = s * w->K0[e], D = s * w->D[e];
            mm += M * M, mk += M * K, kk += K * K, dm += D * M, dk += D * K;
            most = fmax(most, fabs(D));
        }
    const double det = mm * kk - mk * mk;
    if (!(most > 0)) return 1;
    if (det > DBL_EPSILON * mm * kk) w->a = (dm * kk - dk * mk) / det, w->b = (dk * mm - dm * mk) / det;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            const long e = (long)j * m + i;
            const double terms = fabs(w->a * w->M0[e]) + fabs(w->b) * w->size[e] + fabs(w->D[e]);
            const double near = fabs(w->b) * sqrt(w->size[(long)i * m + i] * w->size[(long)j * m + j]);
            if (!(fabs(w->D[e] - w->a * w->M0[e] - w->b * w->K0[e]) <= part * (terms + near))) return 0;
        }
    if (fabs(w->a) * sqrt(mm) <= part * (fabs(w->b) * sqrt(kk))) w->a = 0; /* what rounding leaves */
    return 1;
}

/* 1: of the kind above. */
static int fits(work *w, const resida_linearization *l)
{
    const int m = w->m;
    const double part = l->model.is_differenced ? l->noise : SYMMETRIC;
    if (!is_zero(&l->A, 0, m) || !is_zero(&l->E, m, m)) return 0;
    for (int j = 0; j < m; j++) /* E = diag(I, M) */
        if (l->E.start[j + 1] != l->E.start[j] + 1 || l->E.row[l->E.start[j]] != j) return 0;
    quarter(&l->A, 0, m, m, 1, w->C);
    quarter(&l->A, m, 0, m, -1, w->K);
    quarter(&l->A, m, m, m, -1, w->D);
    quarter(&l->E, m, m, m, 1, w->M0);
    multiply(w);
    for (int i = 0; i < m; i++) {
        const double inertia = w->M0[(long)i * m + i];
        if (!(inertia > 0)) return 0;
        w->scale[i] = exp2(-round(log2(inertia) / 2));
        for (int j = 0; j < m; j++) w->M[(long)i * m + j] = fabs(w->M0[(long)i * m + j]);
    }
    return is_symmetric(m, w->K0, w->size, part) && is_symmetric(m, w->M0, w->M, part) && is_proportional(w, part);
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

/* A x in row i, A symmetric. */
static rsd_twofold times(int m, const double *A, int i, const double *x)
{
    rsd_twofold sum = {0, 0};
    for (int j = 0; j < m; j++)
        if (A[(long)i * m + j] != 0) rsd_add_product(&sum, A[(long)i * m + j], x[j]);
    return sum;
}

/* Value of x, x'K C x/(x'M x), and what errors of K by one part of its entries change. K0x, M0x [m] get K C x, M x. */
static double improve(const work *w, const double *x, double *part, rsd_twofold *K0x, rsd_twofold *M0x)
{
    const int m = w->m;
    rsd_twofold k = {0, 0}, inertia = {0, 0};
    double size = 0;
    for (int i = 0; i < m; i++) {
        const double *terms = w->size + (long)i * m;
        double all = 0;
        K0x[i] = times(m, w->K0, i, x), M0x[i] = times(m, w->M0, i, x);
        for (int j = 0; j < m; j++) all += terms[j] * fabs(x[j]);
        rsd_add_twofold(&k, x[i], K0x[i]);
        rsd_add_twofold(&inertia, x[i], M0x[i]);
        size += all * fabs(x[i]);
    }
    *part = size / rsd_sum_of(inertia);
    return rsd_sum_of(k) / rsd_sum_of(inertia);
}

/* One correction of vector j by the others, dx = sum of x_i x_i'r/(value - value_i), r = K C x - value M x [m]. */
static void correct(work *w, int j, const double *r)
{
    const int m = w->m;
    double *x = w->M + (long)j * m;
    for (int k = 0; k < m; k++) {
        const double *other = w->K + (long)k * m, gap = w->value[j] - w->value[k];
        double part = 0;
        for (int i = 0; i < m; i++) part += r[i] * other[i];
        if (k == j || !(fabs(part) < SMALL_TURN * fabs(gap))) continue; /* of one eigenvalue, or nearly */
        for (int i = 0; i < m; i++) x[i] += part / gap * other[i];
    }
}

/* Corrections of all vectors, from K into M and back, until no value moves. */
static resida_status settle(work *w)
{
    const int m = w->m;
    rsd_twofold *K0x = rsd_calloc(w->alloc, 2L * m, sizeof *K0x), *M0x = K0x + m;
    double *r = rsd_doubles(w->alloc, m);
    if (!K0x || !r) return RESIDA_ERR_MEMORY;
    for (int k = 0, moved = 1; k < CORRECTIONS && moved; k++) {
        moved = 0;
        memcpy(w->M, w->K, (size_t)m * (size_t)m * sizeof *w->M);
        for (int j = 0; j < m; j++) {
            const double value = improve(w, w->K + (long)j * m, &w->part[j], K0x, M0x);
            w->settles[j] =
                fabs(value - w->value[j]) <= VALUE_SETTLED * fabs(value) || fabs(value) <= ROUNDED_K * w->part[j];
            w->value[j] = value;
            moved += !w->settles[j];
            for (int i = 0; i < m; i++) {
                rsd_add_twofold(&K0x[i], -value, M0x[i]);
                r[i] = rsd_sum_of(K0x[i]);
            }
            if (!w->settles[j]) correct(w, j, r);
        }
        double *const corrected = w->M;
        w->M = w->K, w->K = corrected;
    }
    return RESIDA_OK;
}

static void add(rsd_spectrum *s, const work *w, const double *x, rsd_number lambda, double error, rsd_number *room)
{
    const int m = w->m;
    for (int i = 0; i < m; i++) {
        room[i] = 0, room[m + i] = lambda * x[i];
        for (int k = 0; k < m; k++) room[i] += w->C[(long)k * m + i] * x[k];
    }
    if (cabs(lambda) > 0) {
        rsd_spectrum_add(s, lambda, error, room, 2 * m);
    } else {
        for (int i = 0; i < m; i++) s->still[(long)s->n_still * 2 * m + i] = creal(room[i]);
        s->n_still++, s->n_zero++;
    }
}

/* Both roots of lambda^2 + d lambda + value = 0; of a pair the one with im > 0. */
static void list(rsd_spectrum *s, const resida_linearization *l, const work *w, rsd_number *room)
{
    for (int j = 0; j < w->m; j++) {
        const double *x = w->K + (long)j * w->m, value = w->value[j], part = w->part[j];
        const double d = w->a + w->b * value, error = l->noise * part;
        if (fabs(value) <= ROUNDED_K * part) {
            add(s, w, x, 0, error, room);
            if (w->a != 0)
                add(s, w, x, -w->a, error / fabs(w->a), room);
            else
                s->n_zero++;
            continue;
        }
        if (!w->settles[j]) {
            s->n_lost += 2;
            continue;
        }
        const double root = d * d / 4 - value, fast = -(d / 2 + copysign(sqrt(fmax(root, 0)), d));
        if (root < 0) {
            add(s, w, x, -d / 2 + I * sqrt(-root), error / 2 / sqrt(-root), room);
        } else {
            add(s, w, x, fast, error / 2 / fabs(fast), room);
            add(s, w, x, value / fast, error / fabs(fast), room);
        }
    }
}

static resida_status find(rsd_spectrum *s, const resida_linearization *l, work *w, rsd_number *room)
{
    RSD_TRY(solve(w));
    RSD_TRY(settle(w));
    RSD_TRY(rsd_spectrum_open(s, 2 * w->m, w->m, 2 * w->m));
    list(s, l, w, room);
    return RESIDA_OK;
}

int rsd_spectrum_symmetric(rsd_spectrum *s, const resida_linearization *l, resida_status *status)
{
    const int n = l->model.n, m = n / 2;
    work w = {.alloc = &s->alloc, .m = m};
    if (!l->model.is_independent || m == 0 || l->model.n_q != m || l->model.n_w != m || n != 2 * m) return 0;
    rsd_number *room = rsd_calloc(w.alloc, n, sizeof *room);
    *status = room ? take_memory(&w) : RESIDA_ERR_MEMORY;
    if (*status < 0) return 1;
    if (!fits(&w, l)) return 0;
    *status = find(s, l, &w, room);
    return *status != RESIDA_ERR_NEWTON; /* M is not positive definite */
}
