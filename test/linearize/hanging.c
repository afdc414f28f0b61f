/* hanging.c - see hanging.h. */
#include "hanging.h"
#include "test/fixtures/solver_fixture.h"

#include <math.h>
#include <resida/quaternion.h>
#include <string.h>

static const double g = 9.81, slender = 0.01; /* m/s2; width over length */

/* About the centre, along and across the rod. */
static void inertia(const hanging *h, int i, double *J)
{
    const double l = h->length[i], w = slender * l;
    J[0] = J[1] = h->mass[i] * (l * l + w * w) / 12;
    J[2] = h->mass[i] * w * w / 6;
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const hanging *h = user;
    for (int i = 0; i < h->n; i++) {
        double J[3];
        inertia(h, i, J);
        if (h->kind == HANGING_PLANE) {
            const double *b = a + 3L * i;
            double *s = r + 3L * i;
            s[0] = h->mass[i] * b[0], s[1] = h->mass[i] * (b[1] + g), s[2] = J[1] * b[2];
            continue;
        }
        const double *b = a + 6L * i, *w = v + 6L * i + 3;
        double *s = r + 6L * i;
        for (int k = 0; k < 3; k++) s[k] = h->mass[i] * (b[k] + (k == 2 ? g : 0));
        for (int k = 0; k < 3; k++) {
            const int x = (k + 1) % 3, y = (k + 2) % 3;
            s[3 + k] = J[k] * b[3 + k] + (J[y] - J[x]) * w[x] * w[y];
        }
    }
    return 0;
}

/* Column k of A(q). */
static void axis(const double *q, int k, double *out)
{
    double A[9];
    resida_quaternion_matrix(q, A);
    for (int i = 0; i < 3; i++) out[i] = A[3 * i + k];
}

static double dot(const double *x, const double *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static int in_plane(const hanging *h, const double *p, double *r)
{
    double x = h->x, z = 0;
    for (int i = 0; i < h->n; i++) {
        const double *b = p + 3L * i, half = h->length[i] / 2, sx = half * sin(b[2]), sz = half * cos(b[2]);
        r[2 * i] = b[0] + sx - x, r[2 * i + 1] = b[1] + sz - z;
        x = b[0] - sx, z = b[1] - sz;
    }
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *r, void *user)
{
    const hanging *h = user;
    const int rows = h->kind == HANGING_HINGES ? 5 : 3;
    double end[3] = {h->x, 0, 0}, hinge[3] = {0, 1, 0};
    if (h->kind == HANGING_PLANE) return in_plane(h, p, r);
    for (int i = 0; i < h->n; i++) {
        const double *b = p + 7L * i, half = h->length[i] / 2;
        double R[3][3], *s = r + (long)rows * i;
        for (int k = 0; k < 3; k++) axis(b + 3, k, R[k]);
        for (int k = 0; k < 3; k++) s[k] = b[k] + half * R[2][k] - end[k];
        if (rows == 5) s[3] = dot(hinge, R[0]), s[4] = dot(hinge, R[2]);
        for (int k = 0; k < 3; k++) end[k] = b[k] - half * R[2][k];
        memcpy(hinge, R[1], sizeof hinge);
    }
    return 0;
}

/* r' = v, q' = T(q) w. */
static int kinematic_matrix(double t, const double *p, const resida_excitation *e, double *T, void *user)
{
    const hanging *h = user;
    const int columns = 6 * h->n;
    memset(T, 0, 7 * (size_t)h->n * (size_t)columns * sizeof *T);
    for (int i = 0; i < h->n; i++) {
        const double *q = p + 7L * i + 3;
        double rates[12];
        resida_quaternion_rates(q, rates);
        for (int k = 0; k < 3; k++) T[(long)(7 * i + k) * columns + 6 * i + k] = 1;
        for (int k = 0; k < 4; k++)
            for (int j = 0; j < 3; j++) T[(long)(7 * i + 3 + k) * columns + 6 * i + 3 + j] = rates[3 * k + j];
    }
    return 0;
}

static int invariant(double t, const double *p, const resida_excitation *e, double *k, void *user)
{
    const hanging *h = user;
    for (int i = 0; i < h->n; i++) k[i] = resida_quaternion_norm(p + 7L * i + 3);
    return 0;
}

resida_mechanism hanging_mechanism(hanging *h, double *p)
{
    const int is_plane = h->kind == HANGING_PLANE, rows[] = {2, 5, 3};
    double z = 0;
    resida_mechanism m = test_mechanism();
    m.user = h, m.n_p = (is_plane ? 3 : 7) * h->n, m.n_v = (is_plane ? 3 : 6) * h->n, m.n_g = rows[h->kind] * h->n;
    m.residual = residual, m.constraint = constraint;
    if (!is_plane) m.n_k = h->n, m.kinematic_matrix = kinematic_matrix, m.invariant = invariant;
    memset(p, 0, (size_t)m.n_p * sizeof *p);
    for (int i = 0; i < h->n; i++) {
        double *b = p + (is_plane ? 3L : 7L) * i;
        b[0] = h->x, b[is_plane ? 1 : 2] = z - h->length[i] / 2;
        if (!is_plane) b[3] = cos(h->spin * i / 2), b[6] = sin(h->spin * i / 2);
        z -= h->length[i];
    }
    return m;
}

void hanging_small(const hanging *h, double *M, double *K)
{
    const int n = h->n;
    memset(M, 0, (size_t)n * (size_t)n * sizeof *M);
    memset(K, 0, (size_t)n * (size_t)n * sizeof *K);
    for (int body = 0; body < n; body++) {
        const double m = h->mass[body];
        double J[3];
        inertia(h, body, J);
        M[body * n + body] += J[1];
        for (int i = 0; i <= body; i++) {
            const double arm = h->length[i] * (i == body ? 0.5 : 1);
            K[i * n + i] += m * g * arm;
            for (int j = 0; j <= body; j++) M[i * n + j] += m * arm * h->length[j] * (j == body ? 0.5 : 1);
        }
    }
}
