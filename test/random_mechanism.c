/* random_mechanism.c - see random_mechanism.h. */
#include "random_mechanism.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_fixture.h"

static rm_matrix make(int rows, int cols)
{
    rm_matrix A = {rows, cols, bench_doubles((long)rows * cols), calloc((size_t)rows + 1, sizeof(int)),
                   calloc((size_t)rows * (size_t)cols + 1, sizeof(int))};
    assert_true(A.row && A.col);
    return A;
}

static void unmake(rm_matrix *A)
{
    free(A->full), free(A->row), free(A->col);
}

/* The pattern of what is in A; keeps nothing else. */
static void find_pattern(rm_matrix *A)
{
    int nnz = 0;
    for (int i = 0; i < A->rows; i++) {
        for (int j = 0; j < A->cols; j++)
            if (A->full[(long)i * A->cols + j] != 0) A->col[nnz++] = j;
        A->row[i + 1] = nnz;
    }
}

static int below(int n, uint64_t *seed)
{
    int i = (int)((bench_random(seed) + 1) / 2 * n);
    return i < n ? i : n - 1;
}

/* Each row: the diagonal, and three entries anywhere. */
static void fill_rows(rm_matrix *A, double diagonal, uint64_t *seed)
{
    for (int i = 0; i < A->rows; i++) {
        double *row = A->full + (long)i * A->cols;
        for (int k = 0; k < 3; k++) row[below(A->cols, seed)] += bench_random(seed);
        row[i % A->cols] += diagonal;
    }
}

/* D + sum of w w' of few entries. */
static void fill_mass(rm_matrix *M, uint64_t *seed)
{
    int n = M->rows;
    for (int i = 0; i < n; i++) M->full[(long)i * n + i] = pow(100, bench_random(seed));
    for (int k = 0; k < n / 2; k++) {
        int i = below(n, seed), j = below(n, seed);
        double w = bench_random(seed), u = bench_random(seed);
        M->full[(long)i * n + i] += w * w;
        M->full[(long)j * n + j] += u * u;
        M->full[(long)i * n + j] += w * u;
        M->full[(long)j * n + i] += w * u;
    }
}

void rm_make(rm *m, uint64_t seed)
{
    m->M = make(m->n_v, m->n_v);
    m->gp = make(m->n_g, m->n_p);
    m->T = make(m->n_p, m->n_v);
    m->Gh = make(m->n_h, m->n_v);
    m->psi = bench_doubles(m->n_v);
    m->offset = bench_doubles(m->n_g + 1L);
    fill_mass(&m->M, &seed);
    fill_rows(&m->gp, 2, &seed);
    fill_rows(&m->T, 2, &seed);
    for (int i = 0; i < m->n_h; i++) { /* apart from the diagonal of dg/dp */
        m->Gh.full[(long)i * m->n_v + m->n_v - 1 - i] = 2;
        m->Gh.full[(long)i * m->n_v + below(m->n_v, &seed)] += bench_random(&seed);
    }
    for (int i = 0; i < m->n_v; i++) m->psi[i] = 10 * bench_random(&seed);
    for (int i = 0; i < m->n_g; i++) m->offset[i] = bench_random(&seed);
    rm_find_patterns(m);
}

void rm_find_patterns(rm *m)
{
    rm_matrix *all[] = {&m->M, &m->gp, &m->T, &m->Gh};
    for (int i = 0; i < 4; i++) find_pattern(all[i]);
}

void rm_free(rm *m)
{
    rm_matrix *all[] = {&m->M, &m->gp, &m->T, &m->Gh};
    for (int i = 0; i < 4; i++) unmake(all[i]);
    free(m->psi), free(m->offset);
}

void rm_make_row(rm *m, int row, double s, int other, double s2, int other2, double apart)
{
    int n = m->n_p, last = 0;
    double *x = m->gp.full + (long)row * n;
    for (int j = 0; j < n; j++) {
        x[j] = s * m->gp.full[(long)other * n + j] + (other2 < 0 ? 0 : s2 * m->gp.full[(long)other2 * n + j]);
        if (x[j] != 0) last = j;
    }
    x[last] += apart;
    m->offset[row] = s * m->offset[other] + (other2 < 0 ? 0 : s2 * m->offset[other2]);
    find_pattern(&m->gp);
}

/* --- callbacks --- */

/* The entries, or all of A. */
static int hand_over(const rm *m, const rm_matrix *A, double *out)
{
    if (m->as_full) {
        memcpy(out, A->full, (size_t)A->rows * (size_t)A->cols * sizeof *out);
        return 0;
    }
    for (int i = 0; i < A->rows; i++)
        for (int k = A->row[i]; k < A->row[i + 1]; k++) out[k] = A->full[(long)i * A->cols + A->col[k]];
    return 0;
}

static void multiply(const rm_matrix *A, const double *x, double *y)
{
    for (int i = 0; i < A->rows; i++) {
        y[i] = 0;
        for (int k = A->row[i]; k < A->row[i + 1]; k++) y[i] += A->full[(long)i * A->cols + A->col[k]] * x[A->col[k]];
    }
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    (void)t, (void)p, (void)v, (void)e;
    const rm *m = user;
    multiply(&m->M, a, r);
    for (int i = 0; i < m->n_v; i++) r[i] -= m->psi[i];
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    (void)t, (void)e;
    const rm *m = user;
    multiply(&m->gp, p, g);
    for (int i = 0; i < m->n_g; i++) g[i] -= m->offset[i];
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    (void)t, (void)p, (void)e;
    return hand_over(user, &((rm *)user)->gp, out);
}

static int kinematic_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    (void)t, (void)p, (void)e;
    return hand_over(user, &((rm *)user)->T, out);
}

static int nonholonomic_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    (void)t, (void)p, (void)e;
    return hand_over(user, &((rm *)user)->Gh, out);
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    (void)t, (void)p, (void)e;
    return hand_over(user, &((rm *)user)->M, out);
}

static int no_bias(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    (void)t, (void)p, (void)e;
    memset(out, 0, (size_t)((rm *)user)->n_g * sizeof *out);
    return 0;
}

static int no_change(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    (void)v;
    return no_bias(t, p, e, out, user);
}

resida_mechanism rm_mechanism(rm *m)
{
    resida_mechanism k;
    resida_mechanism_init(&k);
    k.name = "random";
    k.n_p = m->n_p, k.n_v = m->n_v, k.n_g = m->n_g, k.n_h = m->n_h;
    k.user = m;
    k.residual = residual, k.mass_matrix = mass_matrix;
    if (m->n_g > 0) {
        k.constraint = constraint, k.constraint_matrix = constraint_matrix;
        k.velocity_bias = no_bias, k.acceleration_bias = no_change;
    }
    if (m->n_p > m->n_v) k.kinematic_matrix = kinematic_matrix;
    if (m->n_h > 0) k.nonholonomic_matrix = nonholonomic_matrix;
    if (m->as_full) return k;
    k.M_pattern = (resida_pattern){m->M.row, m->M.col};
    k.G_pattern = (resida_pattern){m->gp.row, m->gp.col};
    if (k.kinematic_matrix) k.T_pattern = (resida_pattern){m->T.row, m->T.col};
    if (k.nonholonomic_matrix) k.Gh_pattern = (resida_pattern){m->Gh.row, m->Gh.col};
    return k;
}
