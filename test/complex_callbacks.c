/* complex_callbacks.c - the mechanism of complex_mechanism.h as a tool would hand it over: real callbacks, patterns. */
#include "complex_mechanism.h"

#include <string.h>

#include "bench_fixture.h"

static cm_point lift(const cm *m, double t, const double *p, const double *v, const resida_excitation *e)
{
    cm_point x = {.t = t};
    for (int k = 0; k < m->n_p; k++) x.p[k] = p[k];
    for (int j = 0; v && j < m->n_v; j++) x.v[j] = v[j];
    for (int k = 0; k < m->n_u; k++) x.u[k] = e->u[k], x.ud[k] = e->ud[k];
    return x;
}

static void give(int n, const cm_number *z, double *out)
{
    for (int i = 0; i < n; i++) out[i] = creal(z[i]);
}

/* A full matrix in the order of a pattern. */
static void give_matrix(const cm *m, cm_matrix pattern, int rows, int cols, const cm_number *z, double *out)
{
    if (!m->sparse) {
        give(rows * cols, z, out);
        return;
    }
    for (int i = 0; i < rows; i++)
        for (int k = m->row[pattern][i]; k < m->row[pattern][i + 1]; k++)
            out[k] = creal(z[i * cols + m->col[pattern][k]]);
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    const cm *m = user;
    const double p[CM_MOST] = {0};
    cm_point x = cm_at(m, t, p, NULL, udd);
    give(m->n_u, x.u, u);
    give(m->n_u, x.ud, ud);
    return 0;
}

static int residual_at(cm *m, const cm_point *x, const double *a, double *r)
{
    cm_number M[CM_MOST * CM_MOST], psi[CM_MOST];
    m->calls++;
    if (m->verdict) return m->verdict;
    cm_mass(m, x, M);
    cm_forces(m, x, psi);
    for (int i = 0; i < m->n_v; i++) {
        r[i] = -creal(psi[i]);
        for (int j = 0; j < m->n_v; j++) r[i] += creal(M[i * m->n_v + j]) * a[j];
    }
    return 0;
}

static int acceleration_at(cm *m, const cm_point *x, const double *f, double *a)
{
    cm_number M[CM_MOST * CM_MOST], psi[CM_MOST];
    m->calls++;
    if (m->verdict) return m->verdict;
    cm_mass(m, x, M);
    cm_forces(m, x, psi);
    for (int i = 0; i < m->n_v; i++) psi[i] += f[i];
    cm_solve(m->n_v, M, psi);
    give(m->n_v, psi, a);
    return 0;
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const cm_point x = lift(user, t, p, v, e);
    return residual_at(user, &x, a, r);
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    const cm_point x = lift(user, t, p, v, e);
    return acceleration_at(user, &x, f, a);
}

static void lift_lam(const cm *m, const double *lam, cm_point *x)
{
    for (int l = 0; l < m->n_g + m->n_h; l++) x->lam[l] = lam[l];
}

static int residual_lam(double t, const double *p, const double *v, const double *a, const double *lam,
                        const resida_excitation *e, double *r, void *user)
{
    cm_point x = lift(user, t, p, v, e);
    lift_lam(user, lam, &x);
    return residual_at(user, &x, a, r);
}

static int acceleration_lam(double t, const double *p, const double *v, const double *f, const double *lam,
                            const resida_excitation *e, double *a, void *user)
{
    cm_point x = lift(user, t, p, v, e);
    lift_lam(user, lam, &x);
    return acceleration_at(user, &x, f, a);
}

static int constraint(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const cm *m = user;
    cm_number g[CM_MOST];
    cm_point x = lift(m, t, p, NULL, e);
    cm_constraint(m, &x, g);
    give(m->n_g, g, out);
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const cm *m = user;
    cm_number gp[CM_MOST * CM_MOST];
    cm_point x = lift(m, t, p, NULL, e);
    cm_constraint_matrix(m, &x, gp);
    give_matrix(m, CM_OF_G, m->n_g, m->n_p, gp, out);
    return 0;
}

static int velocity_bias(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const cm *m = user;
    cm_point x = lift(m, t, p, NULL, e);
    cm_exact_velocity_bias(m, &x, out);
    return 0;
}

static int acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e, double *out,
                             void *user)
{
    const cm *m = user;
    double gamma[2 * CM_MOST];
    cm_point x = lift(m, t, p, v, e);
    cm_exact_bias(m, &x, e->udd, gamma);
    memcpy(out, gamma, (size_t)m->n_g * sizeof *out);
    return 0;
}

static int nonholonomic_acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e,
                                          double *out, void *user)
{
    const cm *m = user;
    double gamma[2 * CM_MOST];
    cm_point x = lift(m, t, p, v, e);
    cm_exact_bias(m, &x, e->udd, gamma);
    memcpy(out, gamma + m->n_g, (size_t)m->n_h * sizeof *out);
    return 0;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const cm *m = user;
    cm_number M[CM_MOST * CM_MOST];
    cm_point x = lift(m, t, p, NULL, e);
    cm_mass(m, &x, M);
    give_matrix(m, CM_OF_M, m->n_v, m->n_v, M, out);
    return 0;
}

static int kinematic_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const cm *m = user;
    cm_number T[CM_MOST * CM_MOST];
    cm_point x = lift(m, t, p, NULL, e);
    cm_T(m, &x, T);
    give_matrix(m, CM_OF_T, m->n_p, m->n_v, T, out);
    return 0;
}

static int nonholonomic_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const cm *m = user;
    cm_number Gh[CM_MOST * CM_MOST];
    cm_point x = lift(m, t, p, NULL, e);
    cm_nonholonomic_matrix(m, &x, Gh);
    give_matrix(m, CM_OF_GH, m->n_h, m->n_v, Gh, out);
    return 0;
}

static int nonholonomic_bias(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const cm *m = user;
    cm_number gh[CM_MOST];
    cm_point x = lift(m, t, p, NULL, e);
    cm_nonholonomic_bias(m, &x, gh);
    give(m->n_h, gh, out);
    return 0;
}

static resida_pattern pattern(const cm *m, cm_matrix which)
{
    return m->sparse ? (resida_pattern){m->row[which], m->col[which]} : (resida_pattern){NULL, NULL};
}

resida_mechanism cm_mechanism(cm *m, int given)
{
    resida_mechanism r;
    resida_mechanism_init(&r);
    r.name = "random";
    r.n_p = m->n_p, r.n_v = m->n_v, r.n_g = m->n_g, r.n_h = m->n_h, r.n_u = m->n_u;
    r.user = m;
    if (m->friction > 0)
        r.residual_lam = residual_lam, r.acceleration_lam = acceleration_lam;
    else
        r.residual = residual, r.acceleration = acceleration;
    if (m->n_g > 0) r.constraint = constraint;
    if (m->n_g > 0 && given & CM_G) r.constraint_matrix = constraint_matrix, r.G_pattern = pattern(m, CM_OF_G);
    if (m->n_g > 0 && given & CM_GI) r.velocity_bias = velocity_bias;
    if (m->n_g > 0 && given & CM_GAMMA) r.acceleration_bias = acceleration_bias;
    if (given & CM_M) r.mass_matrix = mass_matrix, r.M_pattern = pattern(m, CM_OF_M);
    if (m->with_T) r.kinematic_matrix = kinematic_matrix, r.T_pattern = pattern(m, CM_OF_T);
    if (m->n_h > 0) {
        r.nonholonomic_matrix = nonholonomic_matrix, r.Gh_pattern = pattern(m, CM_OF_GH);
        r.nonholonomic_bias = nonholonomic_bias;
        if (given & CM_GAMMA_H) r.nonholonomic_acceleration_bias = nonholonomic_acceleration_bias;
    }
    if (m->n_u > 0) r.excitation = excitation;
    return r;
}

/* Entries of four matrices that are there. */
static void fill_patterns(cm *m)
{
    const int rows[] = {m->n_g, m->n_p, m->n_h, m->n_v}, cols[] = {m->n_p, m->n_v, m->n_v, m->n_v};
    for (int which = 0; which < 4; which++)
        for (int i = 0, nnz = 0; i < rows[which]; i++) {
            for (int j = 0; j < cols[which]; j++)
                if (cm_present(m, (cm_matrix)which, i, j)) m->col[which][nnz++] = j;
            m->row[which][i + 1] = nnz;
        }
}

void cm_make(cm *m, uint64_t seed)
{
    assert_true(m->n_p <= CM_MOST && m->n_v <= m->n_p && m->n_g <= CM_MOST && m->n_h <= CM_MOST && m->n_u <= CM_MOST);
    assert_true(m->with_T || m->n_p == m->n_v);
    m->seed = seed << 32;
    m->calls = m->verdict = 0;
    memset(m->offset, 0, sizeof m->offset);
    memset(m->row, 0, sizeof m->row);
    for (int k = 0; k < m->n_p; k++) m->p0[k] = 0.4 * bench_random(&seed);
    for (int j = 0; j < m->n_v; j++) m->v0[j] = 0.4 * bench_random(&seed);
    fill_patterns(m);
    cm_number g[CM_MOST];
    cm_point start = cm_at(m, 0, m->p0, NULL, NULL);
    cm_constraint(m, &start, g);
    for (int i = 0; i < m->n_g; i++) m->offset[i] = -creal(g[i]);
}

void cm_make_rich(cm *m, uint64_t seed)
{
    *m = (cm){.n_p = 7, .n_v = 6, .n_g = 2, .n_h = 1, .n_u = 2, .with_T = 1, .sparse = 1};
    cm_make(m, seed);
}
