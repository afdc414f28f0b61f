/* gyro.c - see gyro.h. */
#include "gyro.h"

#include <math.h>
#include <string.h>

const double gyro_mass = 3, gyro_gravity = 9.81, gyro_c[3] = {0.1, -0.2, 0.5};
static const double J[3] = {0.4, 0.7, 0.9};
static const double q0[2][4] = {{0.8, 0.1, 0.6, -0.3}, {1, 0, 0, 0}}, w0[3] = {0.5, -1, 4};

static const double *quaternion(const gyro *g, const double *p)
{
    return g->is_joint ? p + 3 : p;
}

static void cross(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void gyro_inertia(double *about)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            about[3 * i + k] =
                (i == k ? J[i] + gyro_mass * dot(gyro_c, gyro_c) : 0) - gyro_mass * gyro_c[i] * gyro_c[k];
}

/* x = I^-1 b */
static void solve(const double *I, const double *b, double *x)
{
    double r[3][3];
    cross(I + 3, I + 6, r[0]);
    cross(I + 6, I, r[1]);
    cross(I, I + 3, r[2]);
    const double det = dot(I, r[0]);
    for (int i = 0; i < 3; i++) x[i] = (r[0][i] * b[0] + r[1][i] * b[1] + r[2][i] * b[2]) / det;
}

/* Psi: of the top a moment about the fixed point. */
static void forces(const gyro *g, const double *p, const double *v, double *psi)
{
    const double down[3] = {0, 0, g->is_weightless ? 0 : -gyro_mass * gyro_gravity},
                 to_centre[3] = {-gyro_c[0], -gyro_c[1], -gyro_c[2]};
    double I[9], L[3], weight[3], moment[3];
    if (g->is_joint) {
        memcpy(psi, down, sizeof down);
        for (int i = 0; i < 3; i++) L[i] = J[i] * v[3 + i];
        cross(L, v + 3, psi + 3);
        return;
    }
    gyro_inertia(I);
    for (int i = 0; i < 3; i++) L[i] = dot(I + 3 * i, v);
    cross(L, v, psi);
    resida_quaternion_rotate_back(p, down, weight);
    cross(to_centre, weight, moment);
    for (int i = 0; i < 3; i++) psi[i] += moment[i];
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    (void)t, (void)e;
    const gyro *g = user;
    double I[9];
    forces(g, p, v, r);
    gyro_inertia(I);
    for (int i = 0; i < 3 && !g->is_joint; i++) r[i] = dot(I + 3 * i, a) - r[i];
    for (int i = 0; i < 6 && g->is_joint; i++) r[i] = (i < 3 ? gyro_mass : J[i - 3]) * a[i] - r[i];
    return 0;
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    (void)t, (void)e;
    const gyro *g = user;
    double I[9], psi[6];
    forces(g, p, v, psi);
    for (int i = 0; i < (g->is_joint ? 6 : 3); i++) psi[i] += f[i];
    gyro_inertia(I);
    if (!g->is_joint) solve(I, psi, a);
    for (int i = 0; i < 6 && g->is_joint; i++) a[i] = psi[i] / (i < 3 ? gyro_mass : J[i - 3]);
    return 0;
}

static int kinematics(double t, const double *p, const resida_excitation *e, double *T, void *user)
{
    (void)t, (void)e;
    const gyro *g = user;
    const int n_v = g->is_joint ? 6 : 3, from = g->is_joint ? 3 : 0;
    double of_q[12];
    resida_quaternion_rates(quaternion(g, p), of_q);
    of_q[7] += g->twist;
    memset(T, 0, (size_t)(4 + from) * (size_t)n_v * sizeof *T);
    for (int i = 0; i < from; i++) T[i * n_v + i] = 1;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) T[(from + i) * n_v + from + k] = of_q[3 * i + k];
    return 0;
}

static int invariant(double t, const double *p, const resida_excitation *e, double *k, void *user)
{
    (void)t, (void)e;
    k[0] = resida_quaternion_norm(quaternion(user, p));
    return 0;
}

static int invariant_matrix(double t, const double *p, const resida_excitation *e, double *K, void *user)
{
    (void)t, (void)e;
    memcpy(K, quaternion(user, p), 4 * sizeof *K);
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    (void)t, (void)e;
    const gyro *g = user;
    resida_quaternion_rotate(p + 3, gyro_c, out);
    for (int i = 0; i < 3; i++) out[i] += p[i];
    if (g->norm_is_row) out[3] = resida_quaternion_norm(p + 3);
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *gp, void *user)
{
    (void)t, (void)e;
    const gyro *g = user;
    double A[9], by_w[3];
    resida_quaternion_matrix(p + 3, A);
    memset(gp, 0, (size_t)(g->norm_is_row ? 4 : 3) * 7 * sizeof *gp);
    for (int i = 0; i < 3; i++) {
        gp[7 * i + i] = 1;
        cross(gyro_c, A + 3 * i, by_w);
        resida_quaternion_gradient(p + 3, by_w, gp + 7 * i + 3);
    }
    if (g->norm_is_row) memcpy(gp + 24, p + 3, 4 * sizeof *gp);
    return 0;
}

resida_mechanism gyro_mechanism(gyro *g)
{
    static const int row[2] = {0, 4}, of_top[4] = {0, 1, 2, 3}, of_joint[4] = {3, 4, 5, 6};
    resida_mechanism m;
    resida_mechanism_init(&m);
    m.name = g->is_joint ? "joint" : "top";
    m.n_p = g->is_joint ? 7 : 4;
    m.n_v = g->is_joint ? 6 : 3;
    m.n_k = g->n_k;
    m.user = g;
    m.residual = residual;
    m.acceleration = acceleration;
    m.kinematic_matrix = kinematics;
    if (g->is_joint) {
        m.n_g = g->norm_is_row ? 4 : 3;
        m.constraint = constraint;
        m.constraint_matrix = g->by_differences ? NULL : constraint_matrix;
    }
    if (g->n_k > 0) {
        m.invariant = invariant;
        m.invariant_matrix = g->by_differences ? NULL : invariant_matrix;
        m.K_pattern = (resida_pattern){row, g->is_joint ? of_joint : of_top};
    }
    return m;
}

void gyro_start(const gyro *g, double *p, double *v)
{
    const double turning[3] = {w0[0], w0[1], w0[2]};
    double wc[3], *q = g->is_joint ? p + 3 : p, *w = g->is_joint ? v + 3 : v;
    for (int i = 0; i < 4; i++) q[i] = q0[g->is_upright][i] / sqrt(1 + 2 * resida_quaternion_norm(q0[g->is_upright]));
    memcpy(w, w0, sizeof w0);
    for (int i = 0; i < 3 && g->is_joint; i++) p[i] = v[i] = 0;
    if (g->is_joint) {
        resida_quaternion_rotate(q, gyro_c, p);
        cross(turning, gyro_c, wc);
        resida_quaternion_rotate(q, wc, v);
        for (int i = 0; i < 3; i++) p[i] = -p[i], v[i] = -v[i];
    }
    for (int i = 0; i < 4 && g->stretch > 0; i++) q[i] *= g->stretch;
}

double gyro_off(const gyro *g, const double *p)
{
    return 2 * resida_quaternion_norm(quaternion(g, p));
}
