/* ground.c - see ground.h. */
#include "ground.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

const double *body_lam(const ground *k, const double *lam, int b)
{
    return lam + b * k->rows;
}

double normal_force(const ground *k, const double *lam)
{
    return k->rows == 2 ? -lam[0] - lam[1] : -lam[0];
}

/* Psi of one body. */
static void forces(const ground *k, const double *p, const double *v, const double *lam, double *psi)
{
    const double N = normal_force(k, lam), lever = L * cos(p[2]), F = -C * N * (v[0] - R * v[2]);
    psi[1] = -MASS * GRAV;
    psi[0] = k->kind == BLOCK   ? -k->mu * N * tanh((v[0] - B) / S)
             : k->kind == WHEEL ? F
                                : -k->mu * fabs(N) * tanh((v[0] + lever * v[2]) / S);
    psi[2] = k->kind == BLOCK ? 0 : k->kind == WHEEL ? -R * F : lever * psi[0];
}

static double mass(int i)
{
    return i % 3 == 2 ? INERTIA : MASS;
}

static int residual_lam(double t, const double *p, const double *v, const double *a, const double *lam,
                        const resida_excitation *e, double *r, void *user)
{
    ground *k = user;
    k->calls++;
    for (int b = 0; b < k->bodies; b++) forces(k, p + 3 * b, v + 3 * b, body_lam(k, lam, b), r + 3 * b);
    for (int i = 0; i < 3 * k->bodies; i++) r[i] = mass(i) * a[i] - r[i];
    return 0;
}

static int acceleration_lam(double t, const double *p, const double *v, const double *f, const double *lam,
                            const resida_excitation *e, double *a, void *user)
{
    ground *k = user;
    k->calls++;
    for (int b = 0; b < k->bodies; b++) forces(k, p + 3 * b, v + 3 * b, body_lam(k, lam, b), a + 3 * b);
    for (int i = 0; i < 3 * k->bodies; i++) a[i] = (a[i] + f[i]) / mass(i);
    return 0;
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = H * sin(W * t), ud[0] = H * W * cos(W * t), udd[0] = -H * W * W * sin(W * t);
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const ground *k = user;
    for (int i = 0; i < k->bodies * k->rows; i++) {
        const double *q = p + 3 * (i / k->rows);
        g[i] = q[1] - (k->kind == BLOCK ? e->u[0] : k->kind == WHEEL ? R : L * cos(q[2]));
    }
    return 0;
}

/* Columns y and th. */
static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    const ground *k = user;
    for (int i = 0; i < k->bodies * k->rows; i++) {
        G[2 * i] = 1;
        G[2 * i + 1] = k->kind == ROD ? L * sin(p[3 * (i / k->rows) + 2]) : 0;
    }
    return 0;
}

static int velocity_bias(double t, const double *p, const resida_excitation *e, double *gI, void *user)
{
    const ground *k = user;
    for (int i = 0; i < k->bodies * k->rows; i++) gI[i] = k->kind == BLOCK ? -e->ud[0] : 0;
    return 0;
}

static int acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e, double *bias,
                             void *user)
{
    const ground *k = user;
    for (int i = 0; i < k->bodies * k->rows; i++) {
        const double th = p[3 * (i / k->rows) + 2], rate = v[3 * (i / k->rows) + 2];
        bias[i] = k->kind == BLOCK ? -e->udd[0] : k->kind == ROD ? L * cos(th) * rate * rate : 0;
    }
    return 0;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    const ground *k = user;
    for (int i = 0; i < 3 * k->bodies; i++) M[i] = mass(i);
    return 0;
}

/* Of one wheel with one constraint; matrices are full. */
static int derivatives(double t, const double *p, const double *v, const double *a, const double *lam,
                       const resida_excitation *e, double *Phi_p, double *Phi_v, double *Phi_lam, void *user)
{
    ground *k = user;
    const double CN = C * normal_force(k, lam), slip = v[0] - R * v[2];
    assert_true(k->kind == WHEEL && k->bodies == 1 && k->rows == 1);
    memset(Phi_p, 0, 9 * sizeof *Phi_p);
    memset(Phi_v, 0, 9 * sizeof *Phi_v);
    Phi_v[0] = CN, Phi_v[2] = -R * CN, Phi_v[6] = -R * CN, Phi_v[8] = R * R * CN;
    Phi_lam[0] = -C * slip, Phi_lam[1] = 0, Phi_lam[2] = R * C * slip;
    memcpy(k->Phi_v, Phi_v, sizeof k->Phi_v);
    memcpy(k->Phi_lam, Phi_lam, sizeof k->Phi_lam);
    return 0;
}

resida_mechanism ground_mechanism(ground *k, given what)
{
    static int G_row[2 * MOST + 1], G_col[4 * MOST], M_row[SIZE + 1];
    resida_mechanism m = test_mechanism();
    m.name = "ground", m.user = k;
    m.n_p = m.n_v = 3 * k->bodies, m.n_g = k->rows * k->bodies;
    m.residual_lam = residual_lam, m.acceleration_lam = acceleration_lam, m.constraint = constraint;
    if (k->kind == BLOCK) m.n_u = 1, m.excitation = excitation;
    if (what == BARE) return m;
    for (int i = 0; i < m.n_g; i++)
        G_row[i + 1] = 2 * (i + 1), G_col[2 * i] = 3 * (i / k->rows) + 1, G_col[2 * i + 1] = 3 * (i / k->rows) + 2;
    for (int i = 0; i <= m.n_v; i++) M_row[i] = i;
    for (int i = 0; i < m.n_v; i++) {
        k->row[i + 1] = 3 * (i + 1), k->lam_row[i + 1] = k->rows * (i + 1);
        for (int c = 0; c < 3; c++) k->col[3 * i + c] = i - i % 3 + c;
        for (int c = 0; c < k->rows; c++) k->lam_col[k->rows * i + c] = i / 3 * k->rows + c;
    }
    m.mass_matrix = mass_matrix, m.M_pattern = (resida_pattern){M_row, M_row}; /* column i in row i */
    m.constraint_matrix = constraint_matrix, m.G_pattern = (resida_pattern){G_row, G_col};
    m.velocity_bias = velocity_bias, m.acceleration_bias = acceleration_bias;
    if (what == PATTERNS) {
        m.Phi_p_pattern = m.Phi_v_pattern = (resida_pattern){k->row, k->col};
        m.Phi_lam_pattern = (resida_pattern){k->lam_row, k->lam_col};
    }
    if (what == DERIVATIVES) m.derivatives = derivatives;
    return m;
}
