/* scripted.c - see scripted.h. The derivatives of the constraint, with (dx, y, z) = p - (u, 0, 0):
 *
 *     G = (dx, y, z),   gI = -dx u',   d(G v + gI)/dt at constant v = (x' - u')^2 + y'^2 + z'^2 - dx u'' */
#include "scripted.h"

#include <math.h>
#include <string.h>

#include "file_util.h"

#define MASS    2.0
#define DRAG    0.3
#define GRAVITY 9.81

const double pendulum_p0[3] = {0.6, 0, -0.8}, pendulum_v0[3] = {0.2, 0.9, 0.0};

const char *scripted_name(scripted_callback which)
{
    static const char *const names[N_CALLBACKS] = {"residual",          "acceleration",  "constraint",
                                                   "constraint_matrix", "velocity_bias", "acceleration_bias",
                                                   "mass_matrix",       "excitation",    "root"};
    return names[which];
}

static int done(void *user, scripted_callback which, double t, double *out, int n)
{
    scripted *s = user;
    s->calls[which]++;
    s->total++;
    s->t_max = fmax(s->t_max, t);
    return s->hook ? s->hook(s, which, t, out, n) : 0;
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    (void)p, (void)e;
    for (int i = 0; i < 3; i++) r[i] = MASS * a[i] + DRAG * v[i];
    r[2] += MASS * GRAVITY;
    return done(user, ON_RESIDUAL, t, r, 3);
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    (void)p, (void)e;
    for (int i = 0; i < 3; i++) a[i] = (f[i] - DRAG * v[i]) / MASS;
    a[2] -= GRAVITY;
    return done(user, ON_ACCELERATION, t, a, 3);
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    double dx = p[0] - e->u[0];
    g[0] = (dx * dx + p[1] * p[1] + p[2] * p[2] - 1) / 2;
    return done(user, ON_CONSTRAINT, t, g, 1);
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    G[0] = p[0] - e->u[0];
    G[1] = p[1];
    G[2] = p[2];
    return done(user, ON_CONSTRAINT_MATRIX, t, G, 3);
}

static int velocity_bias(double t, const double *p, const resida_excitation *e, double *gI, void *user)
{
    gI[0] = -(p[0] - e->u[0]) * e->ud[0];
    return done(user, ON_VELOCITY_BIAS, t, gI, 1);
}

static int acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e, double *bias,
                             void *user)
{
    double w = v[0] - e->ud[0];
    bias[0] = w * w + v[1] * v[1] + v[2] * v[2] - (p[0] - e->u[0]) * e->udd[0];
    return done(user, ON_ACCELERATION_BIAS, t, bias, 1);
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    (void)p, (void)e;
    for (int i = 0; i < 9; i++) M[i] = i % 4 == 0 ? MASS : 0;
    return done(user, ON_MASS_MATRIX, t, M, 9);
}

static void support(double t, double *u)
{
    u[0] = 0.1 * sin(2 * t);
    u[1] = 0.2 * cos(2 * t);
    u[2] = -0.4 * sin(2 * t);
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    double all[3];
    support(t, all);
    int verdict = done(user, ON_EXCITATION, t, all, 3);
    u[0] = all[0];
    ud[0] = all[1];
    udd[0] = all[2];
    return verdict;
}

static int root(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    (void)p, (void)v;
    out[0] = 10 + t + e->u[0];
    out[1] = out[2] = -1 + e->u[0] / 2;
    return done(user, ON_ROOT, t, out, 3);
}

void scripted_pendulum(resida_mechanism *m, scripted *s, int explicitly)
{
    resida_mechanism_init(m);
    m->name = "scripted";
    m->n_p = m->n_v = 3;
    m->n_g = m->n_u = 1;
    m->n_root = 3;
    m->user = s;
    if (explicitly)
        m->acceleration = acceleration;
    else
        m->residual = residual;
    m->constraint = constraint;
    m->constraint_matrix = constraint_matrix;
    m->velocity_bias = velocity_bias;
    m->acceleration_bias = acceleration_bias;
    m->mass_matrix = explicitly ? NULL : mass_matrix;
    m->excitation = excitation;
    m->root = root;
}

/* (p, v)' with the multiplier from 0 = G a + bias. */
static void derivative(double t, const double *pv, double *d)
{
    double u[3];
    support(t, u);
    const double *v = pv + 3, G[3] = {pv[0] - u[0], pv[1], pv[2]}, w = v[0] - u[1];
    double free[3] = {-DRAG / MASS * v[0], -DRAG / MASS * v[1], -DRAG / MASS * v[2] - GRAVITY};
    double bias = w * w + v[1] * v[1] + v[2] * v[2] - G[0] * u[2];
    double lam = (G[0] * free[0] + G[1] * free[1] + G[2] * free[2] + bias) / (G[0] * G[0] + G[1] * G[1] + G[2] * G[2]);
    for (int i = 0; i < 3; i++) {
        d[i] = v[i];
        d[3 + i] = free[i] - G[i] * lam;
    }
}

static void rk4_step(double t, double h, double *x)
{
    double k[4][6], at[6];
    derivative(t, x, k[0]);
    for (int s = 1; s < 4; s++) {
        double part = s == 3 ? h : h / 2;
        for (int i = 0; i < 6; i++) at[i] = x[i] + part * k[s - 1][i];
        derivative(t + part, at, k[s]);
    }
    for (int i = 0; i < 6; i++) x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

/* The start as resida makes it consistent: p0 is, v0 loses its part along the rod that the support does not have. */
static void consistent_start(double *x)
{
    double u[3], along = 0;
    support(0, u);
    const double *G = pendulum_p0;
    memcpy(x, pendulum_p0, 3 * sizeof *x);
    for (int i = 0; i < 3; i++) along += G[i] * (pendulum_v0[i] - (i == 0 ? u[1] : 0));
    for (int i = 0; i < 3; i++) x[3 + i] = pendulum_v0[i] - along * G[i];
}

void pendulum_reference(double t, double *pv)
{
    static double t_known, known[6];
    if (t != t_known) {
        int steps = (int)ceil(t / 1e-4);
        consistent_start(known);
        for (int i = 0; i < steps; i++) rk4_step(t * i / steps, t / steps, known);
        t_known = t;
    }
    memcpy(pv, known, sizeof known);
}

static int dae_residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[2];
    r[2] = y[2] - y[0] - e->u[0] + sin(t);
    return done(user, ON_RESIDUAL, t, r, 3);
}

static int dae_excitation(double t, double *u, double *ud, double *udd, void *user)
{
    double all[3] = {sin(t), cos(t), -sin(t)};
    int verdict = done(user, ON_EXCITATION, t, all, 3);
    u[0] = all[0];
    ud[0] = all[1];
    udd[0] = all[2];
    return verdict;
}

static int dae_root(double t, const double *y, const double *yp, const resida_excitation *e, double *out, void *user)
{
    return root(t, y, yp, e, out, user);
}

void scripted_dae(resida_dae *d, scripted *s)
{
    static const resida_kind kinds[SCRIPTED_DAE_N] = {RESIDA_DIFFERENTIAL, RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    resida_dae_init(d);
    d->n = SCRIPTED_DAE_N;
    d->n_u = 1;
    d->n_root = 3;
    d->user = s;
    d->kinds = kinds;
    d->residual = dae_residual;
    d->excitation = dae_excitation;
    d->root = dae_root;
}

static void make_solver(scripted_run *r, const resida_solver_options *given, double tol)
{
    resida_solver_options o;
    resida_message why = {""};
    resida_solver_options_init(&o);
    if (given) o = *given;
    o.rtol = o.atol = tol;
    if (resida_solver_create(&r->solver, r->problem, &o, &why) != RESIDA_OK) fail_msg("%s", why.text);
}

static void open_pendulum(scripted_run *r, const resida_solver_options *o, double tol, int explicitly)
{
    resida_mechanism m;
    *r = (scripted_run){.is_dae = 0};
    scripted_pendulum(&m, &r->script, explicitly);
    assert_int_equal(resida_problem_create(&r->problem, &m, NULL, NULL), RESIDA_OK);
    make_solver(r, o, tol);
}

void scripted_open(scripted_run *r, const resida_solver_options *o, double tol)
{
    open_pendulum(r, o, tol, 0);
}

void scripted_open_explicit(scripted_run *r, const resida_solver_options *o, double tol)
{
    open_pendulum(r, o, tol, 1);
}

void scripted_open_dae(scripted_run *r, const resida_solver_options *o, double tol)
{
    resida_dae d;
    *r = (scripted_run){.is_dae = 1};
    scripted_dae(&d, &r->script);
    assert_int_equal(resida_problem_create_dae(&r->problem, &d, NULL, NULL), RESIDA_OK);
    make_solver(r, o, tol);
}

void scripted_close(scripted_run *r)
{
    resida_solver_free(r->solver);
    resida_problem_free(r->problem);
}

resida_status scripted_start(scripted_run *r)
{
    static const double y0[SCRIPTED_DAE_N] = {1, 0, 0.3};
    return r->is_dae ? resida_solver_start_dae(r->solver, 0, y0, NULL)
                     : resida_solver_start(r->solver, 0, pendulum_p0, pendulum_v0, NULL, NULL);
}

double scripted_error(const scripted_run *r, double t)
{
    resida_state state;
    double exact[6] = {cos(t), -sin(t), cos(t)}, error = 0;
    int n = r->is_dae ? SCRIPTED_DAE_N : 6;
    if (!r->is_dae) pendulum_reference(t, exact);
    if (resida_solver_state(r->solver, &state) != RESIDA_OK || state.t != t) return INFINITY;
    for (int i = 0; i < n; i++) {
        double difference = fabs(state.y[i] - exact[i]);
        error = difference <= error ? error : difference; /* NaN stays */
    }
    return error;
}

unsigned long long fnv(unsigned long long hash, const void *bytes, size_t size)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < size; i++) hash = (hash ^ b[i]) * 1099511628211ull;
    return hash;
}

unsigned long long scripted_digest(const scripted_run *r)
{
    resida_state state;
    if (resida_solver_state(r->solver, &state) != RESIDA_OK) return 0;
    size_t bytes = (size_t)(r->is_dae ? SCRIPTED_DAE_N : PENDULUM_N) * sizeof(double);
    return fnv(fnv(fnv(FNV_BEGIN, &state.t, sizeof state.t), state.y, bytes), state.yp, bytes);
}
