/* test_rigid_body.c - more position than velocity coordinates: a rigid body in Euler parameters.
 *
 *     q = (e0, e), |q| = 1, w body rates:   e0' = -e.w/2,   e' = (e0 w + e x w)/2,   A(q) from body to space
 *
 *     top     n_p = 4, n_v = 3    J w' + w x J w = s x m A'(0, 0, -g), about the fixed point; ODE
 *     joint   n_p = 7, n_v = 6    the same body with position r, velocity r', inertia about its centre, and a ball
 *                                 joint r + A c = 0, c = -s: GGL with three constraints
 *
 * Both against classical Runge-Kutta on (q, w) with steps of 1e-4, and against energy and angular momentum. */
#include "test/fixtures/file_util.h"
#include "test/fixtures/solver_fixture.h"

static const double tol = 1e-7, t_end = 2, mass = 3;
static const double J[3] = {0.4, 0.7, 0.9};  /* about the centre of mass */
static const double c[3] = {0.1, -0.2, 0.5}; /* from the centre to the fixed point */
static const double q0[4] = {0.8, 0, 0.6, 0}, w0[3] = {0.5, -1, 4};

/* What differs between the models of a test. */
typedef struct body {
    double gravity;
    int with_matrix; /* constraint_matrix is given */
} body;

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

/* A x = (e0^2 - e.e) x + 2 e (e.x) + 2 e0 e x x;  back = -1: A' x */
static void rotate(const double *q, double back, const double *x, double *out)
{
    const double *e = q + 1;
    double ex[3];
    cross(e, x, ex);
    for (int i = 0; i < 3; i++)
        out[i] = (q[0] * q[0] - dot(e, e)) * x[i] + 2 * e[i] * dot(e, x) + 2 * back * q[0] * ex[i];
}

/* T(q) [4 x 3] */
static void rates(const double *q, double *T)
{
    const double all[12] = {-q[1], -q[2], -q[3], q[0], -q[3], q[2], q[3], q[0], -q[1], -q[2], q[1], q[0]};
    for (int i = 0; i < 12; i++) T[i] = all[i] / 2;
}

/* Inertia about the fixed point, full. */
static void inertia_about_point(double *Jo)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) Jo[3 * i + k] = (i == k ? J[i] + mass * dot(c, c) : 0) - mass * c[i] * c[k];
}

/* torque - w x Jo w, about the fixed point, at gravity g */
static void moment(double g, const double *q, const double *w, double *out)
{
    double Jo[9], Lw[3], weight[3], gyroscopic[3];
    const double down[3] = {0, 0, -mass * g}, s[3] = {-c[0], -c[1], -c[2]};
    inertia_about_point(Jo);
    for (int i = 0; i < 3; i++) Lw[i] = dot(Jo + 3 * i, w);
    cross(w, Lw, gyroscopic);
    rotate(q, -1, down, weight);
    cross(s, weight, out);
    for (int i = 0; i < 3; i++) out[i] -= gyroscopic[i];
}

/* x = M^-1 b, M symmetric 3 x 3 */
static void solve3(const double *M, const double *b, double *x)
{
    double r0[3], r1[3], r2[3];
    cross(M + 3, M + 6, r0);
    cross(M + 6, M, r1);
    cross(M, M + 3, r2);
    double det = dot(M, r0);
    for (int i = 0; i < 3; i++) x[i] = (r0[i] * b[0] + r1[i] * b[1] + r2[i] * b[2]) / det;
}

static void derivative(double g, const double *qw, double *d)
{
    double T[12], Jo[9], m[3];
    rates(qw, T);
    for (int i = 0; i < 4; i++) d[i] = dot(T + 3 * i, qw + 4);
    inertia_about_point(Jo);
    moment(g, qw, qw + 4, m);
    solve3(Jo, m, d + 4);
}

/* The exact q and w at t_end. */
static void reference(double g, double *qw)
{
    enum { STEPS = 20000 };
    double h = t_end / STEPS, k[4][7], at[7];
    memcpy(qw, q0, sizeof q0);
    memcpy(qw + 4, w0, sizeof w0);
    for (int n = 0; n < STEPS; n++) {
        derivative(g, qw, k[0]);
        for (int s = 1; s < 4; s++) {
            for (int i = 0; i < 7; i++) at[i] = qw[i] + (s == 3 ? h : h / 2) * k[s - 1][i];
            derivative(g, at, k[s]);
        }
        for (int i = 0; i < 7; i++) qw[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

static int top_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                        double *r, void *user)
{
    double Jo[9];
    inertia_about_point(Jo);
    moment(((const body *)user)->gravity, p, v, r);
    for (int i = 0; i < 3; i++) r[i] = dot(Jo + 3 * i, a) - r[i];
    return 0;
}

static int top_kinematics(double t, const double *p, const resida_excitation *e, double *T, void *user)
{
    rates(p, T);
    return 0;
}

static void free_body_psi(double g, const double *v, double *psi)
{
    const double *w = v + 3, L[3] = {J[0] * w[0], J[1] * w[1], J[2] * w[2]};
    cross(L, w, psi + 3);
    psi[0] = psi[1] = 0;
    psi[2] = -mass * g;
}

static int joint_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                          double *r, void *user)
{
    double psi[6];
    free_body_psi(((const body *)user)->gravity, v, psi);
    for (int i = 0; i < 6; i++) r[i] = (i < 3 ? mass : J[i - 3]) * a[i] - psi[i];
    return 0;
}

static int joint_acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                              double *a, void *user)
{
    double psi[6];
    free_body_psi(((const body *)user)->gravity, v, psi);
    for (int i = 0; i < 6; i++) a[i] = (psi[i] + f[i]) / (i < 3 ? mass : J[i - 3]);
    return 0;
}

static int joint_kinematics(double t, const double *p, const resida_excitation *e, double *T, void *user)
{
    T[0] = T[1] = T[2] = 1; /* a pattern of 15 entries: r' = r', q' by w */
    rates(p + 3, T + 3);
    return 0;
}

static int joint_constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    rotate(p + 3, 1, c, g);
    for (int i = 0; i < 3; i++) g[i] += p[i];
    return 0;
}

/* dg/dp = (I, 2 e0 c + 2 e x c, -2 c e' + 2 (e.c) I + 2 e c' - 2 e0 [c]x) */
static int joint_matrix(double t, const double *p, const resida_excitation *ex, double *G, void *user)
{
    const double *q = p + 3, *e = q + 1;
    const double skew[9] = {0, -c[2], c[1], c[2], 0, -c[0], -c[1], c[0], 0};
    double ec[3];
    cross(e, c, ec);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            G[7 * i + k] = i == k;
            G[7 * i + 4 + k] =
                -2 * c[i] * e[k] + (i == k ? 2 * dot(e, c) : 0) + 2 * e[i] * c[k] - 2 * q[0] * skew[3 * i + k];
        }
        G[7 * i + 3] = 2 * q[0] * c[i] + 2 * ec[i];
    }
    return 0;
}

static void fill_top(resida_mechanism *m, body *b)
{
    resida_mechanism_init(m);
    m->n_p = 4;
    m->n_v = 3;
    m->user = b;
    m->residual = top_residual;
    m->kinematic_matrix = top_kinematics;
}

static void fill_joint(resida_mechanism *m, body *b)
{
    static const int rows[] = {0, 1, 2, 3, 6, 9, 12, 15}, cols[] = {0, 1, 2, 3, 4, 5, 3, 4, 5, 3, 4, 5, 3, 4, 5};
    resida_mechanism_init(m);
    m->n_p = 7;
    m->n_v = 6;
    m->n_g = 3;
    m->user = b;
    m->residual = joint_residual;
    m->acceleration = joint_acceleration;
    m->kinematic_matrix = joint_kinematics;
    m->T_pattern = (resida_pattern){rows, cols};
    m->constraint = joint_constraint;
    if (b->with_matrix) m->constraint_matrix = joint_matrix;
}

static resida_solver *open_solver(resida_problem **problem, const resida_mechanism *m, resida_formalism formalism)
{
    resida_problem_options po = test_problem_options();
    resida_solver_options so = test_solver_options();
    po.formalism = formalism;
    so.rtol = so.atol = tol;
    *problem = test_problem(m, &po);
    return test_solver_of(*problem, &so);
}

/* Kinetic energy about the fixed point and height of the centre; angular momentum in space. */
static double energy(double g, const double *q, const double *w)
{
    double Jo[9], Lw[3], Ac[3];
    inertia_about_point(Jo);
    for (int i = 0; i < 3; i++) Lw[i] = dot(Jo + 3 * i, w);
    rotate(q, 1, c, Ac);
    return dot(w, Lw) / 2 - mass * g * Ac[2];
}

static void momentum(const double *q, const double *w, double *L)
{
    double Jo[9], Lw[3];
    inertia_about_point(Jo);
    for (int i = 0; i < 3; i++) Lw[i] = dot(Jo + 3 * i, w);
    rotate(q, 1, Lw, L);
}

/* Relative to what a component may be off: rtol = atol. */
static double error_of(const double *x, const double *right, int n)
{
    double error = 0;
    for (int i = 0; i < n; i++) error = fmax(error, fabs(x[i] - right[i]) / (1 + fabs(right[i])));
    return error;
}

static double length_of_q(const double *q)
{
    return sqrt(q[0] * q[0] + dot(q + 1, q + 1));
}

CLAIM(a_torque_free_top_keeps_energy_momentum_and_unit_length)
{
    body b = {0, 0};
    resida_mechanism m;
    resida_problem *problem;
    resida_state at;
    double L0[3], L[3], right[7], worst_E = 0, worst_L = 0, worst_q = 0;
    fill_top(&m, &b);
    resida_solver *s = open_solver(&problem, &m, RESIDA_FORMALISM_AUTO);
    assert_string_equal(resida_problem_form(problem), "ode");
    assert_int_equal(resida_solver_start(s, 0, q0, w0, NULL, NULL), RESIDA_OK);
    momentum(q0, w0, L0);
    for (int i = 1; i <= 100; i++) {
        assert_int_equal(resida_solver_advance(s, t_end * i / 100), RESIDA_OK);
        at = test_state(s);
        momentum(at.p, at.v, L);
        worst_E = fmax(worst_E, fabs(energy(0, at.p, at.v) / energy(0, q0, w0) - 1));
        worst_L = fmax(worst_L, error_of(L, L0, 3) / sqrt(dot(L0, L0)));
        worst_q = fmax(worst_q, fabs(length_of_q(at.p) - 1));
    }
    reference(0, right);
    print_message("torque-free top at tol %g: energy to %.1e, momentum to %.1e, |q| to %.1e, q to %.1e, w to %.1e\n",
                  tol, worst_E, worst_L, worst_q, error_of(at.p, right, 4), error_of(at.v, right + 4, 3));
    assert_true(worst_E < 100 * tol && worst_L < 100 * tol && worst_q < 100 * tol);
    assert_true(error_of(at.p, right, 4) < 100 * tol && error_of(at.v, right + 4, 3) < 100 * tol);
}

CLAIM(a_heavy_top_follows_its_reference)
{
    body b = {9.81, 0};
    resida_mechanism m;
    resida_problem *problem;
    double right[7];
    fill_top(&m, &b);
    resida_solver *s = open_solver(&problem, &m, RESIDA_FORMALISM_AUTO);
    assert_int_equal(resida_solver_start(s, 0, q0, w0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(s, t_end), RESIDA_OK);
    resida_state at = test_state(s);
    reference(b.gravity, right);
    assert_true(error_of(at.p, right, 4) < 100 * tol);
    assert_true(error_of(at.v, right + 4, 3) < 100 * tol);
}

static void start_joint(resida_solver *s)
{
    double p0[7], v0[6], wc[3], Awc[3], Ac[3];
    rotate(q0, 1, c, Ac);
    cross(w0, c, wc);
    rotate(q0, 1, wc, Awc);
    for (int i = 0; i < 3; i++) {
        p0[i] = -Ac[i];
        v0[i] = -Awc[i];
        v0[3 + i] = w0[i];
    }
    memcpy(p0 + 3, q0, sizeof q0);
    assert_int_equal(resida_solver_start(s, 0, p0, v0, NULL, NULL), RESIDA_OK);
}

/* The force in the joint, lam = m (gravity - r''), with r = -A c and w' from the top. */
static void joint_force(double g, const double *qw, double *lam)
{
    double d[7], wc[3], wwc[3], dwc[3], Ax[3];
    derivative(g, qw, d);
    cross(qw + 4, c, wc);
    cross(qw + 4, wc, wwc);
    cross(d + 4, c, dwc);
    for (int i = 0; i < 3; i++) dwc[i] += wwc[i];
    rotate(qw, 1, dwc, Ax);
    for (int i = 0; i < 3; i++) lam[i] = mass * ((i == 2 ? -g : 0) + Ax[i]);
}

/* One of the four ways to model the joint. */
static void run_joint(int with_matrix, resida_formalism formalism, const double *right)
{
    body b = {9.81, with_matrix};
    resida_mechanism m;
    resida_problem *problem;
    double g[3], gv[3], Ac[3], lam[3], start[7], worst_g = 0, worst_gv = 0, worst_E = 0, worst_q = 0,
                                                 E0 = energy(b.gravity, q0, w0);
    fill_joint(&m, &b);
    resida_solver *s = open_solver(&problem, &m, formalism);
    assert_string_equal(resida_problem_form(problem), "ggl");
    start_joint(s);
    resida_state at = test_state(s);
    memcpy(start, q0, sizeof q0);
    memcpy(start + 4, w0, sizeof w0);
    joint_force(b.gravity, start, lam);
    assert_true(error_of(at.lam, lam, 3) < (with_matrix ? 1e-8 : 1e-6)); /* found by differences along the motion */
    for (int i = 1; i <= 100; i++) {
        assert_int_equal(resida_solver_advance(s, t_end * i / 100), RESIDA_OK);
        at = test_state(s);
        assert_int_equal(resida_problem_constraints(problem, at.t, at.p, at.v, g, gv), RESIDA_OK);
        for (int k = 0; k < 3; k++) worst_g = fmax(worst_g, fabs(g[k]));
        for (int k = 0; k < 3; k++) worst_gv = fmax(worst_gv, fabs(gv[k]));
        worst_E = fmax(worst_E, fabs(energy(b.gravity, at.p + 3, at.v + 3) / E0 - 1));
        worst_q = fmax(worst_q, fabs(length_of_q(at.p + 3) - 1));
    }
    rotate(right, 1, c, Ac);
    for (int k = 0; k < 3; k++) Ac[k] = -Ac[k];
    double error = fmax(error_of(at.p, Ac, 3), fmax(error_of(at.p + 3, right, 4), error_of(at.v + 3, right + 4, 3)));
    print_message("ball joint, %s, %s: r, q, w to %.1e, |g| %.1e, |gv| %.1e, energy to %.1e, |q| to %.1e\n",
                  resida_problem_formalism(problem), with_matrix ? "dg/dp given" : "dg/dp by differences", error,
                  worst_g, worst_gv, worst_E, worst_q);
    joint_force(b.gravity, right, lam);
    assert_true(error_of(at.lam, lam, 3) < 1e4 * tol);
    assert_true(error < 100 * tol);
    assert_true(worst_g < 10 * tol && worst_gv < 10 * tol);
    assert_true(worst_E < 100 * tol && worst_q < 100 * tol);
}

CLAIM(a_body_on_a_ball_joint_moves_like_the_top)
{
    double right[7];
    reference(9.81, right);
    for (int with_matrix = 0; with_matrix < 2; with_matrix++) {
        run_joint(with_matrix, RESIDA_FORMALISM_RESIDUAL, right);
        run_joint(with_matrix, RESIDA_FORMALISM_EXPLICIT, right);
    }
}
