/* test_rigid_body.c - more position than velocity coordinates: a rigid body in Euler parameters q and body rates w
 * (test/models/gyro.h), as a top about its fixed point, and on a ball joint in GGL with three constraints.
 *
 * Both against classical Runge-Kutta on (q, w) of the top with steps of 1e-4, and against energy and momentum. */
#include "test/fixtures/file_util.h"
#include "test/fixtures/oracle.h"
#include "test/fixtures/solver_fixture.h"
#include "test/models/gyro.h"

static const double tol = 1e-7, t_end = 2;

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* (q', w') of the top at (q, w). */
static void derivative(double t, const double *qw, double *d, const void *user)
{
    const resida_mechanism *top = user;
    const double none[3] = {0};
    double T[12];
    assert_int_equal(top->kinematic_matrix(0, qw, NULL, T, top->user), 0);
    for (int i = 0; i < 4; i++) d[i] = dot(T + 3 * i, qw + 4);
    assert_int_equal(top->acceleration(0, qw, qw + 4, none, NULL, d + 4, top->user), 0);
}

/* q and w at the start, and those that are exact at t_end. */
static void reference(const resida_mechanism *top, double *start, double *qw)
{
    gyro_start(top->user, start, start + 4);
    memcpy(qw, start, 7 * sizeof *qw);
    oracle_integrate(derivative, top, 7, 0, t_end, 20000, qw);
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

/* Angular momentum about the fixed point, in space. @return kinetic energy, and potential of the centre with g */
static double momentum(double g, const double *q, const double *w, double *L)
{
    double I[9], Lw[3], Ac[3];
    gyro_inertia(I);
    for (int i = 0; i < 3; i++) Lw[i] = dot(I + 3 * i, w);
    resida_quaternion_rotate(q, Lw, L);
    resida_quaternion_rotate(q, gyro_c, Ac);
    return dot(w, Lw) / 2 - gyro_mass * g * Ac[2];
}

/* Relative to what a component may be off: rtol = atol. */
static double error_of(const double *x, const double *right, int n)
{
    double error = 0;
    for (int i = 0; i < n; i++) error = fmax(error, fabs(x[i] - right[i]) / (1 + fabs(right[i])));
    return error;
}

CLAIM(a_torque_free_top_keeps_energy_momentum_and_unit_length)
{
    gyro b = {.is_weightless = 1};
    const resida_mechanism m = gyro_mechanism(&b);
    resida_problem *problem;
    double L0[3], L[3], start[7], right[7], worst_E = 0, worst_L = 0, worst_q = 0;
    resida_solver *s = open_solver(&problem, &m, RESIDA_FORMALISM_AUTO);
    reference(&m, start, right);
    assert_string_equal(resida_problem_form(problem), "ode");
    assert_int_equal(resida_solver_start(s, 0, start, start + 4, NULL, NULL), RESIDA_OK);
    const double E0 = momentum(0, start, start + 4, L0);
    for (int i = 1; i <= 100; i++) {
        assert_int_equal(resida_solver_advance(s, t_end * i / 100), RESIDA_OK);
        const resida_state at = test_state(s);
        worst_E = fmax(worst_E, fabs(momentum(0, at.p, at.v, L) / E0 - 1));
        worst_L = fmax(worst_L, error_of(L, L0, 3) / sqrt(dot(L0, L0)));
        worst_q = fmax(worst_q, fabs(gyro_off(&b, at.p)));
    }
    const resida_state end = test_state(s);
    assert_true(worst_E < 100 * tol && worst_L < 100 * tol && worst_q < 100 * tol);
    assert_true(error_of(end.p, right, 4) < 100 * tol && error_of(end.v, right + 4, 3) < 100 * tol);
}

CLAIM(a_heavy_top_follows_its_reference)
{
    gyro b = {.is_joint = 0};
    const resida_mechanism m = gyro_mechanism(&b);
    resida_problem *problem;
    double start[7], right[7];
    resida_solver *s = open_solver(&problem, &m, RESIDA_FORMALISM_AUTO);
    reference(&m, start, right);
    assert_int_equal(resida_solver_start(s, 0, start, start + 4, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(s, t_end), RESIDA_OK);
    const resida_state at = test_state(s);
    assert_true(error_of(at.p, right, 4) < 100 * tol);
    assert_true(error_of(at.v, right + 4, 3) < 100 * tol);
}

/* The force in the joint, lam = m (gravity - r''), with r = -A c and w' from the top. */
static void joint_force(const resida_mechanism *top, const double *qw, double *lam)
{
    double d[7], wc[3], wwc[3], dwc[3], Ax[3];
    derivative(0, qw, d, top);
    cross(qw + 4, gyro_c, wc);
    cross(qw + 4, wc, wwc);
    cross(d + 4, gyro_c, dwc);
    for (int i = 0; i < 3; i++) dwc[i] += wwc[i];
    resida_quaternion_rotate(qw, dwc, Ax);
    for (int i = 0; i < 3; i++) lam[i] = gyro_mass * ((i == 2 ? -gyro_gravity : 0) + Ax[i]);
}

/* One of the four ways to model the joint. */
static void run_joint(int by_differences, resida_formalism formalism, const resida_mechanism *top, const double *start,
                      const double *right)
{
    gyro b = {.is_joint = 1, .by_differences = by_differences};
    const resida_mechanism m = gyro_mechanism(&b);
    resida_problem *problem;
    double p0[GYRO_MAX], v0[GYRO_MAX], g[3], gv[3], Ac[3], L[3], lam[3];
    double worst_g = 0, worst_gv = 0, worst_E = 0, worst_q = 0;
    const double E0 = momentum(gyro_gravity, start, start + 4, L);
    resida_solver *s = open_solver(&problem, &m, formalism);
    assert_string_equal(resida_problem_form(problem), "ggl");
    gyro_start(&b, p0, v0);
    assert_int_equal(resida_solver_start(s, 0, p0, v0, NULL, NULL), RESIDA_OK);
    joint_force(top, start, lam);
    assert_true(error_of(test_state(s).lam, lam, 3) < (by_differences ? 1e-6 : 1e-8)); /* along the motion */
    for (int i = 1; i <= 100; i++) {
        assert_int_equal(resida_solver_advance(s, t_end * i / 100), RESIDA_OK);
        const resida_state at = test_state(s);
        assert_int_equal(resida_problem_constraints(problem, at.t, at.p, at.v, g, gv), RESIDA_OK);
        for (int k = 0; k < 3; k++) worst_g = fmax(worst_g, fabs(g[k]));
        for (int k = 0; k < 3; k++) worst_gv = fmax(worst_gv, fabs(gv[k]));
        worst_E = fmax(worst_E, fabs(momentum(gyro_gravity, at.p + 3, at.v + 3, L) / E0 - 1));
        worst_q = fmax(worst_q, fabs(gyro_off(&b, at.p)));
    }
    const resida_state end = test_state(s);
    resida_quaternion_rotate(right, gyro_c, Ac);
    for (int k = 0; k < 3; k++) Ac[k] = -Ac[k];
    const double error =
        fmax(error_of(end.p, Ac, 3), fmax(error_of(end.p + 3, right, 4), error_of(end.v + 3, right + 4, 3)));
    print_message("ball joint, %s, dg/dp %s: r, q, w to %.1e, |g| %.1e, |gv| %.1e, energy to %.1e, |q| to %.1e\n",
                  resida_problem_formalism(problem), by_differences ? "by differences" : "given", error, worst_g,
                  worst_gv, worst_E, worst_q);
    joint_force(top, right, lam);
    assert_true(error_of(end.lam, lam, 3) < 1e4 * tol);
    assert_true(error < 100 * tol);
    assert_true(worst_g < 10 * tol && worst_gv < 10 * tol);
    assert_true(worst_E < 100 * tol && worst_q < 100 * tol);
}

CLAIM(a_body_on_a_ball_joint_moves_like_the_top)
{
    gyro b = {.is_joint = 0};
    const resida_mechanism top = gyro_mechanism(&b);
    double start[7], right[7];
    reference(&top, start, right);
    for (int by_differences = 0; by_differences < 2; by_differences++) {
        run_joint(by_differences, RESIDA_FORMALISM_RESIDUAL, &top, start, right);
        run_joint(by_differences, RESIDA_FORMALISM_EXPLICIT, &top, start, right);
    }
}
