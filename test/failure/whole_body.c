/* whole_body.c - see whole_body.h. Rotation by Euler parameters (q0, e):
 *
 *     A s = s + 2 q0 e x s + 2 e x (e x s),   d(A s)/dq0 = 2 e x s,
 *     d(A s)/de = -2 q0 s~ + 2 ((e.s) I + e s' - 2 s e') */
#include "whole_body.h"
#include "test/fixtures/solver_fixture.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double m = 2, J[3] = {0.3, 0.5, 0.8}, drag = 0.3, friction = 0.05, stiffness = 4, grav = 9.81, spin = 2;
static const double s[3] = {0.1, 0.2, -0.6}, r_rest[3] = {0.2, -0.1, 0.4};

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/** out = A(q) x. */
static void turn(const double *q, const double *x, double *out)
{
    double first[3], second[3];
    cross(q + 1, x, first);
    cross(q + 1, first, second);
    for (int i = 0; i < 3; i++) out[i] = x[i] + 2 * q[0] * first[i] + 2 * second[i];
}

/** The verdict of a callback that may fail; x [n] is what it gives. */
static int verdict(const whole_body *b, int callback, double *x, int n)
{
    if (b->failing != callback) return 0;
    switch (b->failure) {
    case WHOLE_REFUSES:
        return 1;
    case WHOLE_STOPS:
        return -1;
    case WHOLE_NAN:
        x[n - 1] = NAN;
        return 0;
    case WHOLE_WRITES_BEHIND:
        x[n] = 1;
        return 0;
    case WHOLE_CRASHES:
        signal(SIGSEGV, SIG_DFL); /* not the handler of a test runner */
        raise(SIGSEGV);
        return 0;
    case WHOLE_EXITS:
        exit(0);
    case WHOLE_LOOPS:
        for (;;) pause();
    default:
        return 0;
    }
}

/** 1: this callback leaves its last component as it was. */
static int leaves_out(const whole_body *b, int callback)
{
    return b->failing == callback && b->failure == WHOLE_LEAVES_OUT;
}

/** Part of the i-th mass or moment of inertia, and of what acts there, that a light body has. */
static double part(const whole_body *b, int i)
{
    const double x = b->light[i < 3 ? 0 : 1];
    return x > 0 ? x : 1;
}

static double mass(const whole_body *b, int i)
{
    return part(b, i) * (i < 3 ? m : J[i - 3]);
}

/** Psi, without M a. */
static void forces(const whole_body *b, const double *p, const double *v, double *Psi)
{
    const double *w = v + 3, Jw[3] = {J[0] * w[0], J[1] * w[1], J[2] * w[2]};
    double gyro[3];
    cross(w, Jw, gyro);
    for (int i = 0; i < 3; i++) Psi[i] = -drag * v[i] - stiffness * (p[i] - r_rest[i]) - (i == 2 ? m * grav : 0);
    for (int i = 0; i < 3; i++) Psi[3 + i] = -gyro[i] - friction * w[i];
    for (int i = 0; i < 6; i++) Psi[i] *= part(b, i);
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    double Psi[6];
    forces(user, p, v, Psi);
    for (int i = 0; i < 6 - leaves_out(user, WHOLE_RESIDUAL); i++) r[i] = mass(user, i) * a[i] - Psi[i];
    return verdict(user, WHOLE_RESIDUAL, r, 6);
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    double Psi[6];
    forces(user, p, v, Psi);
    for (int i = 0; i < 6 - leaves_out(user, WHOLE_ACCELERATION); i++) a[i] = (Psi[i] + f[i]) / mass(user, i);
    return verdict(user, WHOLE_ACCELERATION, a, 6);
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const whole_body *b = user;
    double arm[3];
    turn(p + 3, s, arm);
    for (int i = 0; i < 3 - leaves_out(b, WHOLE_CONSTRAINT); i++) g[i] = p[i] + arm[i] - (i == 2 ? e->u[0] : 0);
    if (b->error == WHOLE_JUMP && t > 0.25) g[0] += 0.5;
    return verdict(b, WHOLE_CONSTRAINT, g, 3);
}

/** A row of dg/dp is 1 for r, and four entries for q. */
static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    const whole_body *b = user;
    const double *x = p + 4, es = x[0] * s[0] + x[1] * s[1] + x[2] * s[2];
    const double tilde[3][3] = {{0, -s[2], s[1]}, {s[2], 0, -s[0]}, {-s[1], s[0], 0}};
    double xs[3], row[5];
    int at = 0;
    cross(x, s, xs);
    for (int i = 0; i < 3; i++) {
        row[0] = 1;
        row[1] = 2 * xs[i];
        for (int j = 0; j < 3; j++)
            row[2 + j] = -2 * p[3] * tilde[i][j] + 2 * ((i == j ? es : 0) + x[i] * s[j] - 2 * s[i] * x[j]);
        if (b->error == WHOLE_G_ENTRY && i == 1) row[2] *= 1.1;
        for (int j = 0; b->error == WHOLE_G_SIGN && i == 2 && j < 5; j++) row[j] = -row[j];
        int entries = b->error == WHOLE_G_PATTERN && i == 2 ? 4 : 5;
        if (i == 2) entries -= leaves_out(b, WHOLE_CONSTRAINT_MATRIX);
        for (int j = 0; j < entries; j++) G[at++] = row[j];
    }
    return verdict(b, WHOLE_CONSTRAINT_MATRIX, G, b->error == WHOLE_G_PATTERN ? 14 : 15);
}

static int velocity_bias(double t, const double *p, const resida_excitation *e, double *gI, void *user)
{
    const whole_body *b = user;
    gI[0] = gI[1] = 0;
    if (!leaves_out(b, WHOLE_GI)) gI[2] = b->error == WHOLE_VELOCITY_BIAS ? e->ud[0] : -e->ud[0];
    return verdict(b, WHOLE_GI, gI, 3);
}

static int acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e, double *gamma,
                             void *user)
{
    const whole_body *b = user;
    double first[3], second[3], out[3];
    cross(v + 3, s, first);
    cross(v + 3, first, second);
    turn(p + 3, second, out);
    if (b->error == WHOLE_ACCELERATION_BIAS) out[0] = -out[0];
    out[2] -= e->udd[0];
    memcpy(gamma, out, (3 - (size_t)leaves_out(b, WHOLE_GAMMA)) * sizeof *gamma);
    return verdict(b, WHOLE_GAMMA, gamma, 3);
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    const whole_body *b = user;
    for (int i = 0; i < 6 - leaves_out(b, WHOLE_MASS_MATRIX); i++) M[i] = mass(b, i);
    if (b->error == WHOLE_MASS) M[4] *= 1.1;
    return verdict(b, WHOLE_MASS_MATRIX, M, 6);
}

static int potential(double t, const double *p, const resida_excitation *e, double *V, void *user)
{
    const whole_body *b = user;
    double sum = b->error == WHOLE_POTENTIAL ? 0 : m * grav * p[2];
    for (int i = 0; i < 3; i++) sum += stiffness / 2 * (p[i] - r_rest[i]) * (p[i] - r_rest[i]);
    if (!leaves_out(b, WHOLE_V)) V[0] = part(b, 0) * sum;
    return verdict(b, WHOLE_V, V, 1);
}

/** Phi_p: a diagonal for r. Phi_v: a diagonal for r', then three full rows for w. */
static int derivatives(double t, const double *p, const double *v, const double *a, const double *lam,
                       const resida_excitation *e, double *Phi_p, double *Phi_v, double *Phi_lam, void *user)
{
    const whole_body *b = user;
    const double *w = v + 3;
    for (int i = 0; i < 3; i++) Phi_p[i] = part(b, 0) * (b->error == WHOLE_PHI_P ? -stiffness : stiffness);
    for (int i = 0; i < 3; i++) Phi_v[i] = part(b, 0) * drag;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3; /* (w x J w)_i = (J_k - J_j) w_j w_k */
        double *row = Phi_v + 3 + 3 * i;
        row[i] = part(b, 3) * friction;
        row[j] = part(b, 3) * (J[k] - J[j]) * w[k];
        if (i < 2 || !leaves_out(b, WHOLE_DERIVATIVES)) row[k] = part(b, 3) * (J[k] - J[j]) * w[j];
    }
    if (b->error == WHOLE_PHI_V) Phi_v[0] *= 1.1;
    return verdict(b, WHOLE_DERIVATIVES, Phi_p, 3);
}

/** The unit matrix for r, three entries in each row for q. */
static int kinematic_matrix(double t, const double *p, const resida_excitation *e, double *T, void *user)
{
    const whole_body *b = user;
    const double *q = p + 3, half = b->error == WHOLE_T_FACTOR ? 1 : 0.5;
    const double E[4][3] = {{-q[1], -q[2], -q[3]}, {q[0], -q[3], q[2]}, {q[3], q[0], -q[1]}, {-q[2], q[1], q[0]}};
    for (int i = 0; i < 3; i++) T[i] = 1;
    for (int i = 0; i < 12 - leaves_out(b, WHOLE_KINEMATICS); i++) T[3 + i] = half * E[i / 3][i % 3];
    if (b->error == WHOLE_T_SIGN) T[3 + 5] = -T[3 + 5];
    for (int i = 0; b->error == WHOLE_T_COLUMN && i < 4; i++) T[3 + 3 * i] = -T[3 + 3 * i];
    return verdict(b, WHOLE_KINEMATICS, T, 15);
}

static int nonholonomic_matrix(double t, const double *p, const resida_excitation *e, double *Gh, void *user)
{
    for (int i = 0; i < 6 - leaves_out(user, WHOLE_GH); i++) Gh[i] = i == 5;
    return verdict(user, WHOLE_GH, Gh, 6);
}

static int nonholonomic_bias(double t, const double *p, const resida_excitation *e, double *gh, void *user)
{
    if (!leaves_out(user, WHOLE_GH_BIAS)) gh[0] = -spin;
    return verdict(user, WHOLE_GH_BIAS, gh, 1);
}

static int nonholonomic_acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e,
                                          double *gamma, void *user)
{
    const whole_body *b = user;
    if (!leaves_out(b, WHOLE_GH_GAMMA)) gamma[0] = b->error == WHOLE_NONHOLONOMIC_BIAS ? 1 : 0;
    return verdict(b, WHOLE_GH_GAMMA, gamma, 1);
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    const whole_body *b = user;
    u[0] = 0.1 * sin(3 * t);
    ud[0] = (b->error == WHOLE_UD ? 0.33 : 0.3) * cos(3 * t);
    if (!leaves_out(b, WHOLE_EXCITATION)) udd[0] = (b->error == WHOLE_UDD ? 0.9 : -0.9) * sin(3 * t);
    return verdict(b, WHOLE_EXCITATION, udd, 1);
}

static int root(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    if (!leaves_out(user, WHOLE_ROOT)) out[0] = p[2] - 0.59;
    return verdict(user, WHOLE_ROOT, out, 1);
}

static void fill_patterns(resida_mechanism *k, whole_error error)
{
    static const int G_row[] = {0, 5, 10, 15}, G_short[] = {0, 5, 10, 14},
                     G_col[] = {0, 3, 4, 5, 6, 1, 3, 4, 5, 6, 2, 3, 4, 5, 6};
    static const int T_row[] = {0, 1, 2, 3, 6, 9, 12, 15}, T_col[] = {0, 1, 2, 3, 4, 5, 3, 4, 5, 3, 4, 5, 3, 4, 5};
    static const int M_row[] = {0, 1, 2, 3, 4, 5, 6}, M_col[] = {0, 1, 2, 3, 4, 5};
    static const int P_row[] = {0, 1, 2, 3, 3, 3, 3}, P_col[] = {0, 1, 2};
    static const int V_row[] = {0, 1, 2, 3, 6, 9, 12}, V_col[] = {0, 1, 2, 3, 4, 5, 3, 4, 5, 3, 4, 5};
    if (k->constraint_matrix) k->G_pattern = (resida_pattern){error == WHOLE_G_PATTERN ? G_short : G_row, G_col};
    if (k->kinematic_matrix) k->T_pattern = (resida_pattern){T_row, T_col};
    if (k->mass_matrix) k->M_pattern = (resida_pattern){M_row, M_col};
    k->Phi_p_pattern = (resida_pattern){P_row, P_col};
    k->Phi_v_pattern = (resida_pattern){V_row, V_col};
}

/** Turned by q, hinged where the point is, u' = 0.3. */
static void find_start(whole_body *b)
{
    static const double q[4] = {0.8, 0.4, -0.2, 0.4}, w[3] = {0.7, -0.4, 2};
    double arm[3], speed[3], turned[3];
    turn(q, s, arm);
    cross(w, s, speed);
    turn(q, speed, turned);
    memcpy(b->p0 + 3, q, sizeof q);
    memcpy(b->v0 + 3, w, sizeof w);
    for (int i = 0; i < 3; i++) b->p0[i] = -arm[i];
    for (int i = 0; i < 3; i++) b->v0[i] = -turned[i] + (i == 2 ? 0.3 : 0);
}

resida_mechanism whole_mechanism(whole_body *b, int left_out)
{
    resida_mechanism k = test_mechanism();
    find_start(b);
    k.name = "whole";
    k.n_p = 7, k.n_v = 6, k.n_g = 3, k.n_h = k.n_u = k.n_root = 1;
    k.user = b;
    if (!(left_out & WHOLE_RESIDUAL)) k.residual = residual;
    if (!(left_out & WHOLE_ACCELERATION)) k.acceleration = acceleration;
    if (!(left_out & WHOLE_CONSTRAINT)) k.constraint = constraint;
    if (!(left_out & WHOLE_CONSTRAINT_MATRIX)) k.constraint_matrix = constraint_matrix;
    if (!(left_out & WHOLE_GI)) k.velocity_bias = velocity_bias;
    if (!(left_out & WHOLE_GAMMA)) k.acceleration_bias = acceleration_bias;
    if (!(left_out & WHOLE_MASS_MATRIX)) k.mass_matrix = mass_matrix;
    if (!(left_out & WHOLE_V)) k.potential = potential;
    if (!(left_out & WHOLE_DERIVATIVES)) k.derivatives = derivatives;
    if (!(left_out & WHOLE_KINEMATICS)) k.kinematic_matrix = kinematic_matrix;
    if (!(left_out & WHOLE_GH)) k.nonholonomic_matrix = nonholonomic_matrix;
    if (!(left_out & WHOLE_GH_BIAS)) k.nonholonomic_bias = nonholonomic_bias;
    if (!(left_out & WHOLE_GH_GAMMA)) k.nonholonomic_acceleration_bias = nonholonomic_acceleration_bias;
    if (!(left_out & WHOLE_EXCITATION)) k.excitation = excitation;
    if (!(left_out & WHOLE_ROOT)) k.root = root;
    fill_patterns(&k, b->error);
    return k;
}

resida_model whole_model(whole_body *b, int left_out)
{
    resida_model model = {.size = sizeof model, .mechanism = whole_mechanism(b, left_out)};
    resida_dae_init(&model.dae);
    model.t_end = 0.5;
    model.p0 = b->p0, model.v0 = b->v0;
    model.rtol = model.atol = 1e-5;
    return model;
}
