/* test_linearize_spread.c - masses and springs whose sizes are spread by 1e12, beside eigenvalues by Jacobi's method in
 * quadruple precision: a mode that is printed is one of these, within 1e-6 of it and the error that is printed with it.
 * M a + D v + K p = 0 is symmetric; or each row is times a power of two; or D = c K M^-1 K, which is not in proportion
 * to K, but has the same vectors: lambda^2 + c value^2 lambda + value = 0 */
#include "linear_models.h"
#include "test/fixtures/bench_fixture.h"

__extension__ typedef __float128 quad;
enum { MOST = 7, CHAINS = 400 };
enum { SYMMETRIC, SCALED_ROWS, DAMPED, KINDS };
static const double decades = 12, near = 1e-6;

/* 0 .. 1 */
static double uniform(uint64_t *state)
{
    return (bench_random(state) + 1) / 2;
}

static double spread(uint64_t *state)
{
    return pow(10, decades * (uniform(state) - 0.5));
}

static quad root(quad x)
{
    quad y = (quad)sqrt((double)x);
    for (int i = 0; i < 4 && y > 0; i++) y = (y + x / y) / 2;
    return y;
}

/* A = R' A R, R the rotation in the plane of p and q that makes A[p][q] zero. */
static void rotate(int n, quad A[MOST][MOST], int p, int q)
{
    if (A[p][q] == 0) return;
    const quad half = (A[q][q] - A[p][p]) / 2, size = root(half * half + A[p][q] * A[p][q]);
    const quad t = A[p][q] / (half < 0 ? half - size : half + size), c = 1 / root(t * t + 1), s = t * c;
    for (int k = 0; k < n; k++) {
        const quad x = A[k][p], y = A[k][q];
        A[k][p] = c * x - s * y, A[k][q] = s * x + c * y;
    }
    for (int k = 0; k < n; k++) {
        const quad x = A[p][k], y = A[q][k];
        A[p][k] = c * x - s * y, A[q][k] = s * x + c * y;
    }
}

/* Values of K x = value M x, M diagonal. */
static void find_reference(const matrices *x, double *value)
{
    enum { SWEEPS = 40 };
    const int n = x->n;
    quad A[MOST][MOST];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i][j] = x->K[i * n + j] / root((quad)x->M[i * n + i] * x->M[j * n + j]);
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int q = 1; q < n; q++)
            for (int p = 0; p < q; p++) rotate(n, A, p, q);
    for (int i = 0; i < n; i++) value[i] = (double)A[i][i];
}

/* Masses in a tree of springs from a wall. */
static matrices make_tree(uint64_t *state)
{
    matrices x = matrices_make(2 + (int)(uniform(state) * (MOST - 1)), 0);
    for (int i = 0; i < x.n; i++) x.M[i * x.n + i] = spread(state);
    x.K[0] = spread(state);
    for (int i = 1; i < x.n; i++) {
        const int to = uniform(state) < 0.7 ? i - 1 : (int)(uniform(state) * i);
        matrices_add_spring(&x, to, i, spread(state));
    }
    return x;
}

/* @return c of D = c K M^-1 K, so that no mode is damped by more than a tenth */
static double add_damping(matrices *x, const double *value)
{
    const int n = x->n;
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, value[i]);
    const double c = 0.1 * pow(most, -1.5);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            quad sum = 0;
            for (int k = 0; k < n; k++) sum += (quad)x->K[i * n + k] * x->K[k * n + j] / x->M[k * n + k];
            x->D[i * n + j] = (double)(c * sum);
        }
    return c;
}

static void scale_rows(matrices *x, uint64_t *state)
{
    for (int i = 0; i < x->n; i++) {
        const double factor = exp2(floor(20 * uniform(state)) - 10);
        for (int j = 0; j < x->n; j++) x->M[i * x->n + j] *= factor, x->K[i * x->n + j] *= factor;
    }
}

/* How many modes are none of the values, though they are distinguished from zero. */
static int count_wrong(const linear *x, int n, const double *value, double c)
{
    const resida_modes *m = &x->modes;
    int wrong = 0;
    for (int k = 0; k < m->n; k++) {
        double off = INFINITY;
        const double size = hypot(m->re[k], m->im[k]);
        for (int j = 0; j < n; j++) {
            const double d = c * value[j] * value[j] / 2, im = sqrt(value[j] - d * d);
            off = fmin(off, hypot(m->re[k] + d, m->im[k] - im) - near * sqrt(value[j]));
        }
        if (size <= 2 * m->error[k] || off <= m->error[k]) continue;
        print_message("%.9g %+.9gi, error %.2g, is %.2g off\n", m->re[k], m->im[k], m->error[k], off);
        wrong++;
    }
    return wrong;
}

static void has_values_of_reference(int kind)
{
    uint64_t state = 1;
    int wrong = 0;
    for (int chain = 0; chain < CHAINS; chain++) {
        matrices x = make_tree(&state);
        double value[MOST];
        linear l;
        find_reference(&x, value);
        const double c = kind == DAMPED ? add_damping(&x, value) : 0;
        if (kind == SCALED_ROWS) scale_rows(&x, &state);
        matrices_open(&l, &x, NULL, chain % 2);
        wrong += count_wrong(&l, x.n, value, c);
    }
    assert_int_equal(wrong, 0);
}

CLAIM(modes_of_sizes_spread_by_1e12_are_those_of_a_reference)
{
    for (int kind = SYMMETRIC; kind < KINDS; kind++) has_values_of_reference(kind);
}
