/* forced.c - see forced.h: r = M a - f, and a = M^-1 (f + force) by Cholesky's M = L L'. The lower triangle of M is
 * overwritten by L. Scaling and pivoting are unnecessary because a mass matrix is positive definite. If M is not
 * positive definite (a state without physical meaning), the caller requests a smaller step. */
#include "forced.h"

#include <math.h>

#include "model_util.h"

enum { MOST = BENCH_FORCED_MAX };

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    const bench_forced *x = user;
    bench_fill(x->n * x->n, 0, M);
    if (x->fill_mass) x->fill_mass(x, p, M);
    for (int i = 0; i < x->n && !x->fill_mass; i++) M[i * x->n + i] = x->mass[i];
    return 0;
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const bench_forced *x = user;
    const int n = x->n;
    double M[MOST * MOST], f[MOST];
    if (x->forces(x, p, v, e, f)) return 1;
    if (x->fill_mass) mass_matrix(t, p, e, M, user);
    for (int i = 0; i < n; i++) {
        r[i] = x->fill_mass ? -f[i] : x->mass[i] * a[i] - f[i];
        for (int k = 0; k < n && x->fill_mass; k++) r[i] += M[i * n + k] * a[k];
    }
    return 0;
}

/* Factorise M. @return 1 if M is not positive definite */
static int factor(int n, double *M)
{
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = M[i * n + j];
            for (int k = 0; k < j; k++) sum -= M[i * n + k] * M[j * n + k];
            if (i == j && !(sum > 0)) return 1;
            M[i * n + j] = i == j ? sqrt(sum) : sum / M[j * n + j];
        }
    return 0;
}

static int acceleration(double t, const double *p, const double *v, const double *force, const resida_excitation *e,
                        double *a, void *user)
{
    const bench_forced *x = user;
    const int n = x->n;
    double M[MOST * MOST], f[MOST];
    if (x->forces(x, p, v, e, f)) return 1;
    if (x->fill_mass) mass_matrix(t, p, e, M, user);
    if (x->fill_mass && factor(n, M)) return 1;
    for (int i = 0; i < n; i++) { /* solve L a = f + force */
        a[i] = f[i] + force[i];
        for (int k = 0; k < i && x->fill_mass; k++) a[i] -= M[i * n + k] * a[k];
        a[i] /= x->fill_mass ? M[i * n + i] : x->mass[i];
    }
    for (int i = n - 1; i >= 0 && x->fill_mass; i--) { /* solve L' a = a */
        for (int k = i + 1; k < n; k++) a[i] -= M[k * n + i] * a[k];
        a[i] /= M[i * n + i];
    }
    return 0;
}

void bench_forced_mechanism(const bench_forced *x, resida_mechanism *m)
{
    m->n_p = m->n_v = x->n;
    m->residual = residual, m->acceleration = acceleration, m->mass_matrix = mass_matrix;
}
