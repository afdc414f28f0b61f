/* reference_modes.c - see reference_modes.h. */
#include "reference_modes.h"

#include <suitesparse/klu.h>

#include "linear_fixture.h"

typedef double complex number;
__extension__ typedef __float128 quad;

enum { ITERATIONS = 3, REFINEMENTS = 2, MOST = 64 };
static const double beside = 1e-9; /* of its size, how far from a number the shift is */

/* A - shift E with its factors; rows of sums in quadruple precision. */
typedef struct shifted {
    const resida_linear_model *m;
    number shift;
    int n, *start, *row;
    number *values;
    quad *re, *im; /* [n] */
    number *rest;  /* [n] */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
} shifted;

/* LAPACK's generalised eigenvalues alpha/beta of full matrices. */
void zggev_(const char *, const char *, const int *, number *, const int *, number *, const int *, number *, number *,
            number *, const int *, number *, const int *, number *, const int *, double *, int *);

static void *reserve(size_t n, size_t size)
{
    void *p = calloc(n + 1, size);
    assert_non_null(p);
    return p;
}

static void fill_column(shifted *s, int j, number *column, char *is_there)
{
    const resida_matrix *parts[] = {&s->m->A, &s->m->E};
    const number factors[] = {1, -s->shift};
    for (int k = 0; k < 2; k++)
        for (int e = parts[k]->start[j]; e < parts[k]->start[j + 1]; e++) {
            column[parts[k]->row[e]] += factors[k] * parts[k]->values[e];
            is_there[parts[k]->row[e]] = 1;
        }
    int to = s->start[j];
    for (int i = 0; i < s->n; i++)
        if (is_there[i]) {
            s->row[to] = i, s->values[to++] = column[i];
            column[i] = 0, is_there[i] = 0;
        }
    s->start[j + 1] = to;
}

static void open_shifted(shifted *s, const resida_linear_model *m, number shift)
{
    const size_t n = (size_t)m->n, entries = (size_t)(m->A.start[m->n] + m->E.start[m->n]);
    *s = (shifted){.m = m, .shift = shift, .n = m->n};
    s->start = reserve(n + 1, sizeof *s->start), s->row = reserve(entries, sizeof *s->row);
    s->values = reserve(entries, sizeof *s->values), s->rest = reserve(n, sizeof *s->rest);
    s->re = reserve(n, sizeof *s->re), s->im = reserve(n, sizeof *s->im);
    number *column = reserve(n, sizeof *column);
    char *is_there = reserve(n, 1);
    for (int j = 0; j < m->n; j++) fill_column(s, j, column, is_there);
    free(column), free(is_there);
    klu_defaults(&s->common);
    s->symbolic = klu_analyze(s->n, s->start, s->row, &s->common);
    assert_non_null(s->symbolic);
    s->numeric = klu_z_factor(s->start, s->row, (double *)s->values, s->symbolic, &s->common);
    assert_non_null(s->numeric);
}

static void close_shifted(shifted *s)
{
    klu_z_free_numeric(&s->numeric, &s->common);
    klu_free_symbolic(&s->symbolic, &s->common);
    free(s->start), free(s->row), free(s->values), free(s->rest), free(s->re), free(s->im);
}

/* re + i im += factor M x, or M' x */
static void add_product(shifted *s, const resida_matrix *M, int is_transposed, number factor, const number *x)
{
    const quad a = creal(factor), b = cimag(factor);
    for (int j = 0; j < s->n; j++)
        for (int e = M->start[j]; e < M->start[j + 1]; e++) {
            const int from = is_transposed ? M->row[e] : j, to = is_transposed ? j : M->row[e];
            const quad v = M->values[e], u = creal(x[from]) * v, w = cimag(x[from]) * v;
            s->re[to] += a * u - b * w;
            s->im[to] += a * w + b * u;
        }
}

/* rest = b - (A - shift E) x, or with the transposed matrix */
static void find_rest(shifted *s, int is_transposed, const number *b, const number *x)
{
    for (int i = 0; i < s->n; i++) s->re[i] = creal(b[i]), s->im[i] = cimag(b[i]);
    add_product(s, &s->m->A, is_transposed, -1, x);
    add_product(s, &s->m->E, is_transposed, s->shift, x);
    for (int i = 0; i < s->n; i++) s->rest[i] = (double)s->re[i] + I * (double)s->im[i];
}

static void solve(shifted *s, int is_transposed, number *b)
{
    double *r = (double *)b;
    assert_true(is_transposed ? klu_z_tsolve(s->symbolic, s->numeric, s->n, 1, r, 0, &s->common)
                              : klu_z_solve(s->symbolic, s->numeric, s->n, 1, r, &s->common));
}

/* x = (A - shift E)^-1 E x, or with the transposed matrices, refined so often; the largest component is 1. */
static void iterate(shifted *s, int is_transposed, int refinements, number *x, number *b)
{
    memset(s->re, 0, (size_t)s->n * sizeof *s->re), memset(s->im, 0, (size_t)s->n * sizeof *s->im);
    add_product(s, &s->m->E, is_transposed, 1, x);
    for (int i = 0; i < s->n; i++) x[i] = b[i] = (double)s->re[i] + I * (double)s->im[i];
    solve(s, is_transposed, x);
    for (int k = 0; k < refinements; k++) {
        find_rest(s, is_transposed, b, x);
        solve(s, is_transposed, s->rest);
        for (int i = 0; i < s->n; i++) x[i] += s->rest[i];
    }
    int largest = 0;
    for (int i = 0; i < s->n; i++)
        if (cabs(x[i]) > cabs(x[largest])) largest = i;
    const number by = x[largest];
    for (int i = 0; i < s->n; i++) x[i] /= by;
}

static void fill_random(number *x, int n, unsigned *seed)
{
    for (int i = 0; i < n; i++) {
        const double re = (*seed = *seed * 1103515245u + 12345u) >> 16,
                     im = (*seed = *seed * 1103515245u + 12345u) >> 16;
        x[i] = re / 32768 - 1 + I * (im / 32768 - 1);
    }
}

/* re + i im = y' M x in quadruple precision */
static void form(shifted *s, const resida_matrix *M, const number *y, const number *x, quad *re, quad *im)
{
    memset(s->re, 0, (size_t)s->n * sizeof *s->re), memset(s->im, 0, (size_t)s->n * sizeof *s->im);
    add_product(s, M, 0, 1, x);
    *re = *im = 0;
    for (int i = 0; i < s->n; i++) {
        const quad a = creal(y[i]), b = cimag(y[i]);
        *re += a * s->re[i] - b * s->im[i];
        *im += a * s->im[i] + b * s->re[i];
    }
}

static number quotient(shifted *s, const number *y, const number *x)
{
    quad a, b, c, d;
    form(s, &s->m->A, y, x, &a, &b);
    form(s, &s->m->E, y, x, &c, &d);
    const quad by = c * c + d * d;
    return (double)((a * c + b * d) / by) + I * (double)((b * c - a * d) / by);
}

double complex reference_eigenvalue(const resida_linear_model *m, double complex near, double *change)
{
    shifted s;
    unsigned seed = 1;
    number lambda = near, before = near;
    open_shifted(&s, m, near * (1 + beside * (1 + I)));
    number *x = reserve(3 * (size_t)m->n, sizeof *x), *y = x + m->n, *b = y + m->n;
    fill_random(x, 2 * m->n, &seed);
    for (int k = 0; k < ITERATIONS; k++) {
        const int refinements = k == 0 ? 0 : REFINEMENTS;
        iterate(&s, 0, refinements, x, b), iterate(&s, 1, refinements, y, b);
        before = lambda, lambda = quotient(&s, y, x);
    }
    *change = cabs(lambda - before) / cabs(lambda);
    free(x);
    close_shifted(&s);
    return lambda;
}

/* Orthonormal columns, by Gram and Schmidt's method done twice. */
static void orthonormalise(number *X, int n, int columns)
{
    for (int j = 0; j < columns; j++) {
        number *x = X + (size_t)j * (size_t)n;
        for (int k = 0; k < 2 * j; k++) {
            const number *q = X + (size_t)(k % j) * (size_t)n;
            number sum = 0;
            for (int i = 0; i < n; i++) sum += conj(q[i]) * x[i];
            for (int i = 0; i < n; i++) x[i] -= sum * q[i];
        }
        double size = 0;
        for (int i = 0; i < n; i++) size += creal(x[i] * conj(x[i]));
        for (int i = 0; i < n; i++) x[i] /= sqrt(size);
    }
}

/* How many of the pencil Y' A X, Y' E X are so near. */
static int count_near(shifted *s, const number *Y, const number *X, int k, number near, double part)
{
    number a[MOST * MOST], e[MOST * MOST], alpha[MOST], beta[MOST], none[1], work[4 * MOST];
    double room[8 * MOST];
    int info = 0, one = 1, most = 4 * MOST, count = 0;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            const number *y = Y + (size_t)i * (size_t)s->n, *x = X + (size_t)j * (size_t)s->n;
            quad re, im, re_e, im_e;
            form(s, &s->m->E, y, x, &re_e, &im_e);
            e[i + j * k] = (double)re_e + I * (double)im_e;
            form(s, &s->m->A, y, x, &re, &im); /* less the number itself, which rounding would hide */
            const quad u = creal(near), w = cimag(near);
            a[i + j * k] = (double)(re - u * re_e + w * im_e) + I * (double)(im - u * im_e - w * re_e);
        }
    zggev_("N", "N", &k, a, &k, e, &k, alpha, beta, none, &one, none, &one, work, &most, room, &info);
    assert_int_equal(info, 0);
    for (int i = 0; i < k; i++) count += cabs(alpha[i]) < part * cabs(near) * cabs(beta[i]);
    return count;
}

int reference_multiplicity(const resida_linear_model *m, double complex near, double part, int most, int iterations)
{
    shifted s;
    unsigned seed = 7;
    const int k = most + 1;
    const size_t n = (size_t)m->n;
    assert_true(k <= MOST);
    open_shifted(&s, m, near * (1 + beside * (1 + I)));
    number *X = reserve(2 * (size_t)k * n + n, sizeof *X), *Y = X + (size_t)k * n, *b = Y + (size_t)k * n;
    fill_random(X, 2 * k * m->n, &seed);
    for (int step = 0; step < iterations; step++) {
        for (int j = 0; j < k; j++) iterate(&s, 0, 0, X + (size_t)j * n, b), iterate(&s, 1, 0, Y + (size_t)j * n, b);
        orthonormalise(X, m->n, k), orthonormalise(Y, m->n, k);
    }
    const int count = count_near(&s, Y, X, k, near, part);
    free(X);
    close_shifted(&s);
    return count;
}
